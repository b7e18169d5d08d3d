"""Read the pages whose useful text is not an article: videos, repositories, threads, papers and feeds."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from lxml import etree, html

from adapters.web.hidden import drop_hidden
from adapters.web.metadata import clean, host_of
from adapters.web.structure import blocks_of, letters, markdown
from bot.domain.memories import Page

MOST_ITEMS = 100
"""Answers, comments or feed entries kept of one page."""
ENOUGH = 20
ILLEGAL = re.compile(rb"[\x01-\x08\x0b\x0c\x0e-\x1f]")
"""What no XML may hold (XML 1.0, section 2.2), and feeds do; zero bytes may be half of UTF-16."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where one site keeps its text: the parts in reading order, each under a heading of its own."""

    hosts: tuple[str, ...]
    parts: tuple[tuple[str, str], ...]
    """(heading, XPath of the elements); an empty heading for the page's main text."""
    author: str = ""
    """XPath of the author's name."""


SITES = (
    Site(
        hosts=("github.com", "gitlab.com"),
        parts=(("", "//article[has(markdown-body)] | //div[@id='readme']//div[has(blob-content)]"),),
    ),
    Site(
        hosts=("reddit.com",),
        parts=(
            ("", "//shreddit-post//*[@slot='text-body'] | //div[@id='siteTable']//div[has(usertext-body)]"),
            ("Comments", "//shreddit-comment/*[@slot='comment'] | //div[has(commentarea)]//div[has(usertext-body)]"),
        ),
        author="//shreddit-post/@author | //div[@id='siteTable']//a[has(author)]/text()",
    ),
    Site(
        hosts=("news.ycombinator.com",),
        parts=(
            ("", "//table[has(fatitem)]//span[has(titleline)] | //div[has(toptext)]"),
            ("Comments", "//*[has(commtext)]"),
        ),
        author="//table[has(fatitem)]//a[has(hnuser)]/text()",
    ),
    Site(
        hosts=("stackoverflow.com", "stackexchange.com", "superuser.com", "serverfault.com", "askubuntu.com"),
        parts=(
            ("", "//div[@id='question']//div[has(s-prose) or has(post-text)]"),
            ("Accepted answer", "//div[has(accepted-answer)]//div[has(s-prose) or has(post-text)]"),
            ("Answer", "//div[has(answer) and not(has(accepted-answer))]//div[has(s-prose) or has(post-text)]"),
        ),
        author="//div[@id='question']//div[has(user-details) and @itemprop='author']//a/text()",
    ),
    Site(
        hosts=("arxiv.org",),
        parts=(("Abstract", "//blockquote[has(abstract)]"), ("Subjects", "//td[has(subjects)]")),
        author="//meta[@name='citation_author']/@content",
    ),
    Site(hosts=("x.com", "twitter.com"), parts=(("", "//article//*[@data-testid='tweetText']"),)),
)
"""Selectors as the sites served them in 2026; `has(name)` is a class. A site that changes is read as any other page."""


def _xpath(tree: Any, path: str) -> list[Any]:
    """Select, with `has(name)` for a class among others."""
    has = r"contains(concat(' ', normalize-space(@class), ' '), ' \1 ')"
    return list(tree.xpath(re.sub(r"has\(([\w-]+)\)", has, path)))


def read_site(tree: Any, source: str, known: Page) -> Page | None:
    """Read the page of a site in the table; None for any other, and where the site's text is not in it."""
    host = host_of(known.url)
    if host in {"youtube.com", "m.youtube.com", "youtu.be", "music.youtube.com"}:
        return _video(source, known)
    for site in SITES:
        if any(host == name or host.endswith(f".{name}") for name in site.hosts):
            return _from_parts(tree, site, known)
    return None


def _from_parts(tree: Any, site: Site, known: Page) -> Page | None:
    drop_hidden(tree)
    sections: list[str] = []
    for heading, path in site.parts:
        texts = [text for element in _xpath(tree, path)[:MOST_ITEMS] if (text := _text(element))]
        if heading == "Answer":
            sections += [f"## Answer\n\n{text}" for text in texts]
        elif texts:
            sections.append((f"## {heading}\n\n" if heading else "") + "\n\n".join(texts))
    text = "\n\n".join(sections) or _post(site, known)
    if len(letters(text)) < ENOUGH:
        return None
    authors = [clean(str(name)) for name in _xpath(tree, site.author)][:10] if site.author else []
    if "arxiv.org" not in site.hosts:
        authors = authors[:1]
    return replace(known, text=text, author="; ".join(name for name in authors if name) or known.author)


def _post(site: Site, known: Page) -> str:
    """Take a post that is shown by script from what the page says for previews, where it stands whole."""
    return known.description.strip("“” ") if "x.com" in site.hosts else ""


def _text(element: Any) -> str:
    return markdown(blocks_of(element)).removeprefix("Abstract:").strip()


def _video(source: str, known: Page) -> Page | None:
    """Title, description and transcript from the data that the page's own player reads."""
    player = _assigned(source, "ytInitialPlayerResponse")
    details = player.get("videoDetails") or {}
    about = (player.get("microformat") or {}).get("playerMicroformatRenderer") or {}
    description = str(details.get("shortDescription") or "").strip() or known.description
    spoken = " ".join(_transcript(_assigned(source, "ytInitialData")))
    parts = [description, f"## Transcript\n\n{spoken}" if spoken else ""]
    text = "\n\n".join(part for part in parts if part)
    if not text:
        return None
    return replace(
        known,
        text=text,
        title=clean(str(details.get("title") or "")) or known.title.removesuffix(" - YouTube"),
        author=clean(str(details.get("author") or "")) or known.author,
        published=str(about.get("publishDate") or "")[:10] or known.published,
        site="YouTube",
        partial="" if details else "js_required",
    )


def _assigned(source: str, name: str) -> dict[str, Any]:
    """Parse the object literal given to a variable of the page; empty where there is none."""
    found = re.search(rf"{name}[\"'\]]*\s*=\s*(?={{)", source)
    if not found:
        return {}
    try:
        value, _ = json.JSONDecoder().raw_decode(source, found.end())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _transcript(data: Any) -> Iterator[str]:
    """Yield the spoken text, line by line, wherever the page's data holds it."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            line = value.get("transcriptSegmentRenderer")
            if isinstance(line, dict):
                runs = (line.get("snippet") or {}).get("runs") or []
                yield clean(" ".join(str(run.get("text", "")) for run in runs if isinstance(run, dict)))
            else:
                waiting.extend(reversed(value.values()))
        elif isinstance(value, list):
            waiting.extend(reversed(value))


def read_feed(content: bytes, *, url: str) -> Page | None:
    """Read an RSS 2.0, RSS 1.0 or Atom feed as a list of its entries; None when it is neither."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, huge_tree=False)
    root = etree.fromstring(ILLEGAL.sub(b"", content).strip(), parser=parser)
    if root is None:
        return None
    entries = [*root.iter("{*}item", "{*}entry")][:MOST_ITEMS]
    title = _child(root if root.find("{*}channel") is None else root.find("{*}channel"), "title")
    text = "\n\n".join(filter(None, map(_entry, entries)))
    if not text:
        return None
    return Page(
        url=url,
        text=text,
        title=clean(title) or host_of(url),
        site=host_of(url),
        language=_child(root, "language", deep=True)[:2],
    )


def _entry(entry: Any) -> str:
    body = (
        _child(entry, "encoded") or _child(entry, "content") or _child(entry, "description") or _child(entry, "summary")
    )
    day = _child(entry, "pubDate") or _child(entry, "published") or _child(entry, "updated") or _child(entry, "date")
    parts = [f"## {clean(_child(entry, 'title') or 'Entry')}", day, _markup(body)]
    return "\n\n".join(part for part in parts if part)


def _child(element: Any, name: str, *, deep: bool = False) -> str:
    found = next(element.iter(f"{{*}}{name}"), None) if deep else element.find(f"{{*}}{name}")
    return "" if found is None else "".join(found.itertext()).strip()


def _markup(text: str) -> str:
    if "<" not in text:
        return clean(html.fromstring(f"<p>{text}</p>").text_content()) if text else ""
    tree = html.fromstring(f"<div>{text}</div>")
    drop_hidden(tree)
    return markdown(blocks_of(tree))
