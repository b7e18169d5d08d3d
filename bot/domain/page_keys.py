"""Work out the key under which two addresses are one page, and the address that is opened and shown."""

import re
import unicodedata
from urllib.parse import SplitResult, quote_from_bytes, unquote_to_bytes, urlsplit

from bot.domain.sites import destination, one_page, plain_host
from bot.domain.trackers import tracks

DOTS = str.maketrans(dict.fromkeys("。．｡", "."))
"""Characters that name resolution takes for a dot (RFC 3490, section 3.1)."""
SAFE_PATH = "!$&'()*+,;=:@/~"
SAFE_QUERY = "!$'()*,;:@/?~[]|"
ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/;?#]*", re.IGNORECASE)
AMP_END = re.compile(r"(?<=[^/])(?:/amp/?$|\.amp(?=(?:\.html?)?$))", re.IGNORECASE)
AMP_START = re.compile(r"^(?:/amp(?:html)?)+/(?!/|s/)(?=.)", re.IGNORECASE)
"""Not before `s/`: an address behind it is one that a search engine shows in its own frame."""
AMP_QUERY = re.compile(r"amp(?:=(?:1|true|yes)?)?|outputtype=amp", re.IGNORECASE)
UNSEEN = re.compile(r"[\x00-\x20\x7f\u200b-\u200f\u2028-\u202e\u2060\ufeff]+")
MOST_ROUNDS = 24
"""An address wrapped in more detours than this is its own key: nobody shares such a thing in earnest."""


def page_key(url: str) -> str:
    """Return the key of a web page: equal for every spelling of one page, unchanged by a second application.

    It is a key, never an address to open: trackers, `www.`, `m.`, the trailing slash and the fragment are gone. What is
    no http(s) address comes back as it is, without white space around it. Never raises.
    """
    key = url
    for _ in range(MOST_ROUNDS):
        simpler = simplified(key)
        if simpler == key:
            return key
        key = simpler
    return url.strip()


def opened_url(url: str) -> str:
    """Return the address as it is opened: no credentials, the host in ASCII, everything else escaped, trackers kept.

    A bare `www.example.org/x` gets its scheme. What cannot be read as an http(s) address comes back as it is.
    """
    text = UNSEEN.sub("", url)
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text) or re.match(r"[^/:]+\.[^/:]+:\d", text):
        text = f"https://{text}"
    parts = split(text)
    if parts is None:
        return url.strip()
    query = f"?{escaped(parts.query, SAFE_QUERY + '&=+')}" if parts.query else ""
    fragment = f"#{escaped(parts.fragment, SAFE_QUERY + '&=+#')}" if parts.fragment else ""
    return f"{parts.scheme}://{netloc(parts)}{escaped(parts.path, SAFE_PATH) or '/'}{query}{fragment}"


def shown_url(url: str) -> str:
    """Return the address as people may see it: as it was written, without a user name and password."""
    return re.sub(r"(?<=://)[^/?#\s]*@", "", url.strip(), count=1)


def split(url: str) -> SplitResult | None:
    """Return the parts of an http(s) address with a host, or None."""
    try:
        parts = urlsplit(UNSEEN.sub("", url))
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 0) >= 0
    except ValueError:
        return None
    return parts if usable else None


def simplified(url: str) -> str:
    """Return where a detour leads to, or the parts that name a page put together again."""
    parts = split(url)
    if parts is None:
        return url.strip()
    host = plain_host(plain_name(parts.hostname or ""))
    place = host, plain_path(parts.path), plain_query(parts.query, host)
    if target := destination(*place):
        return target
    host, path, query = one_page(*place)
    route = plain_route(parts.fragment, host)
    port = f":{parts.port}" if parts.port not in (None, 80, 443) else ""
    return f"https://{bracketed(host)}{port}{path or '/'}{'?' + query if query else ''}{'#' + route if route else ''}"


def plain_name(host: str) -> str:
    """Return a host in lower case and in ASCII (punycode, RFC 3492), without the dot at its end."""
    name = unicodedata.normalize("NFKC", host.translate(DOTS)).lower().rstrip(".")
    return ".".join(
        label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in name.split(".")
    )


def netloc(parts: SplitResult) -> str:
    """Return host and port without credentials, the scheme's own port left out."""
    standard = {"http": 80, "https": 443}[parts.scheme]
    port = f":{parts.port}" if parts.port not in (None, standard) else ""
    return bracketed(plain_name(parts.hostname or "")) + port


def bracketed(host: str) -> str:
    """Return an IPv6 address as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def plain_path(path: str) -> str:
    """Return the path with one spelling of its escapes, without session ids, dot segments, AMP and trailing slash."""
    kept: list[str] = []
    for segment in escaped(SESSION.sub("", path), SAFE_PATH).split("/")[1:]:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    joined = "/" + "/".join(kept)
    return AMP_END.sub("", AMP_START.sub("/", joined.rstrip("/"))).rstrip("/") or "/"


def plain_query(query: str, host: str) -> str:
    """Return the parameters that name a page, in one spelling, sorted by name."""
    kept = []
    for part in query.split("&"):
        name, equals, value = part.partition("=")
        clean = escaped(name.replace("+", "%20"), SAFE_QUERY)
        if part and not tracks(unescaped(name), host) and not AMP_QUERY.fullmatch(part):
            kept.append(f"{clean}{equals}{escaped(value.replace('+', '%20'), SAFE_QUERY + '=')}")
    return "&".join(sorted(kept, key=lambda pair: pair.partition("=")[0]))


def plain_route(fragment: str, host: str) -> str:
    """Return the fragment where an application keeps its pages in it (`#/notes/7`, `#!/notes/7`), else nothing."""
    route = fragment.partition(":~:")[0]
    if not route.startswith(("/", "!")) or not route.strip("/!"):
        return ""
    path, mark, query = route.partition("?")
    kept = plain_query(query, host) if mark else ""
    return escaped(path.rstrip("/"), SAFE_QUERY + "&=+#") + (f"?{kept}" if kept else "")


def escaped(text: str, safe: str) -> str:
    """Return the text with one spelling of every escape (RFC 3986, section 6.2.2), bytes of any encoding kept."""
    parts = []
    at = 0
    for found in ESCAPE.finditer(text):
        parts += [as_escapes(text[at : found.start()], safe), one_escape(found[0])]
        at = found.end()
    return "".join([*parts, as_escapes(text[at:], safe)])


def as_escapes(text: str, safe: str) -> str:
    """Escape everything that is neither unreserved nor `safe`."""
    return quote_from_bytes(text.encode("utf-8", "replace"), safe=safe)


def one_escape(escape: str) -> str:
    """Return an unreserved character as itself, any other escape in upper case."""
    character = chr(int(escape[1:], 16))
    return character if character.isascii() and (character.isalnum() or character in "-._~") else escape.upper()


def unescaped(text: str) -> str:
    """Return the text that the escapes stand for; broken bytes become replacement characters."""
    return unquote_to_bytes(text.encode("utf-8", "replace")).decode("utf-8", "replace")
