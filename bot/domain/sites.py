"""Know the sites on which one page has several addresses of different shape: YouTube and friends."""

import re
from collections.abc import Callable, Mapping
from urllib.parse import parse_qs, unquote

from bot.domain.trackers import suffixes

Place = tuple[str, str, str]
"""Host, path and query of a page."""

SAME_HOST: Mapping[str, str] = {
    "youtube-nocookie.com": "youtube.com",
    "music.youtube.com": "youtube.com",
    "twitter.com": "x.com",
    "fxtwitter.com": "x.com",
    "vxtwitter.com": "x.com",
    "fixupx.com": "x.com",
    "old.reddit.com": "reddit.com",
    "new.reddit.com": "reddit.com",
    "np.reddit.com": "reddit.com",
    "i.reddit.com": "reddit.com",
    "export.arxiv.org": "arxiv.org",
    "telegram.me": "t.me",
    "threads.com": "threads.net",
}
DETOURS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("google.com", "/url"): ("q", "url"),
    ("youtube.com", "/redirect"): ("q",),
    ("l.facebook.com", "/l.php"): ("u",),
    ("lm.facebook.com", "/l.php"): ("u",),
    ("l.instagram.com", ""): ("u",),
    ("out.reddit.com", ""): ("url",),
    ("t.umblr.com", "/redirect"): ("z",),
    ("slack-redir.net", "/link"): ("url",),
    ("vk.com", "/away.php"): ("to",),
    ("duckduckgo.com", "/l"): ("uddg",),
    ("steamcommunity.com", "/linkfilter"): ("url", "u"),
    ("linkedin.com", "/safety/go"): ("url",),
    ("safelinks.protection.outlook.com", ""): ("url",),
}
"""(host or a domain above it, path) of pages that only send on to the address in one of these parameters."""

WIKIS = "wikipedia|wiktionary|wikivoyage|wikiquote|wikisource|wikibooks|wikinews|wikiversity|wikimedia"
MOBILE_WIKI = re.compile(rf"([a-z-]+)\.m\.((?:{WIKIS})\.org)")
VIDEO_PATH = re.compile(r"/(?:shorts|live|embed|v)/([\w-]+)")
REDDIT_THREAD = re.compile(r"(?:/(?:r|user)/[^/]+)?/comments/(\w+)(?:/[^/]*(?:/(\w+))?)?")
STATUS = re.compile(r"/(?:\w+|i/web)/status(?:es)?/(\d+).*")
PAPER = re.compile(r"/(?:abs|pdf|html)/([\w./-]+?)(?:\.pdf)?")
PRODUCT = re.compile(r".*/(?:dp|gp/product|gp/aw/d)/(\w{10})(?:/.*)?")
QUESTION = re.compile(r"/(?:questions|q)/(\d+)(?:/[^/]*)?")
AMP_CACHE = re.compile(r"/[cvi]/(s/)?([^/]+)(/.*)?")
GOOGLE_AMP = re.compile(r"/amp/(s/)?([^/]+\.[^/]+)(/.*)?")


def plain_host(host: str) -> str:
    """Return the one host that stands for a site's mobile, AMP and older hosts."""
    if wiki := MOBILE_WIKI.fullmatch(host):
        return f"{wiki[1]}.{wiki[2]}"
    for prefix in ("www.", "m.", "mobile.", "amp."):
        if host.startswith(prefix) and "." in host.removeprefix(prefix):
            return plain_host(host.removeprefix(prefix))
    return SAME_HOST.get(host, host)


def destination(host: str, path: str, query: str) -> str:
    """Return the address that a redirecting or caching address carries in itself, or nothing."""
    for domain in suffixes(host):
        for name in DETOURS.get((domain, path.rstrip("/")), ()):
            target = parse_qs(query).get(name, [""])[0]
            if target.lower().startswith(("http://", "https://")):
                return target
    cached = None
    if host.endswith(".cdn.ampproject.org"):
        cached = AMP_CACHE.fullmatch(path)
    elif host == "google.com":
        cached = GOOGLE_AMP.fullmatch(path)
    return f"https://{unquote(cached[2])}{cached[3] or ''}{'?' + query if query else ''}" if cached else ""


def one_page(host: str, path: str, query: str) -> Place:
    """Return the one place that stands for every shape of a known site's page; others come back as they are."""
    for domain in suffixes(host):
        if rule := RULES.get(domain):
            return rule(host, path, query)
    if re.match(r"amazon\.[a-z.]+", host) and (product := PRODUCT.fullmatch(path)):
        return host, f"/dp/{product[1]}", ""
    return host, path, query


def youtube(host: str, path: str, query: str) -> Place:
    """One video, whichever way it is shown and from whichever second."""
    found = VIDEO_PATH.fullmatch(path)
    video = found[1] if found else parse_qs(query).get("v", [""])[0] if path == "/watch" else ""
    return (host, "/watch", f"v={video}") if re.fullmatch(r"[\w-]+", video) else (host, path, query)


def youtu_be(host: str, path: str, query: str) -> Place:
    """Return the long form of YouTube's short address."""
    video = path.removeprefix("/")
    return ("youtube.com", "/watch", f"v={video}") if re.fullmatch(r"[\w-]+", video) else (host, path, query)


def reddit(host: str, path: str, query: str) -> Place:
    """One thread whatever its slug; a single comment's own address stays a page of its own."""
    thread = REDDIT_THREAD.fullmatch(path)
    if not thread:
        return host, path, query
    return host, f"/comments/{thread[1]}" + (f"/_/{thread[2]}" if thread[2] else ""), ""


def redd_it(host: str, path: str, query: str) -> Place:
    """Return the long form of Reddit's short address."""
    thread = path.removeprefix("/")
    return ("reddit.com", f"/comments/{thread}", "") if thread.isalnum() and host == "redd.it" else (host, path, query)


def status(host: str, path: str, query: str) -> Place:
    """One post on X whatever name stands before its number."""
    post = STATUS.fullmatch(path)
    return (host, f"/i/status/{post[1]}", "") if post else (host, path, query)


def wikipedia(host: str, path: str, query: str) -> Place:
    """Return the article's own address for one asked for by its script."""
    title = re.fullmatch(r"title=([^&]+)", query)
    return (host, f"/wiki/{title[1]}", "") if title and path == "/w/index.php" else (host, path, query)


def arxiv(host: str, path: str, query: str) -> Place:
    """Take a paper's abstract, PDF and HTML for one; a version named in the address stays its own."""
    paper = PAPER.fullmatch(path)
    return (host, f"/abs/{paper[1]}", "") if paper else (host, path, query)


def stack_overflow(host: str, path: str, query: str) -> Place:
    """One question whatever its slug; an answer's own address and further pages of answers stay apart."""
    question = QUESTION.fullmatch(path)
    return (host, f"/questions/{question[1]}", query) if question else (host, path, query)


def telegram(host: str, path: str, query: str) -> Place:
    """Take a channel's post and its web preview for one."""
    return host, path.removeprefix("/s") if re.fullmatch(r"/s/\w+/\d+", path) else path, query


RULES: Mapping[str, Callable[[str, str, str], Place]] = {
    "youtube.com": youtube,
    "youtu.be": youtu_be,
    "reddit.com": reddit,
    "redd.it": redd_it,
    "x.com": status,
    "wikipedia.org": wikipedia,
    "arxiv.org": arxiv,
    "stackoverflow.com": stack_overflow,
    "t.me": telegram,
}
