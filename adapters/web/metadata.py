"""What a page says about itself: title, author, date, site, language, description and its own address."""

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

from adapters.web.dates import published_in
from bot.domain.lines import one_line
from bot.domain.memories import Page

SEPARATORS = (" | ", " – ", " — ", " - ", " · ", " :: ", " » ")
AMP = re.compile(r"(?:^|[/.?&=])amp(?:$|[/.&=-])|ampproject\.org", re.IGNORECASE)
LONGEST = 500
"""Characters kept of a title or an author, the longest that people write."""


def metadata_of(tree: Any, *, url: str) -> Page:
    """Fill a Page with everything but its text."""
    from trafilatura.metadata import extract_metadata  # noqa: PLC0415 - slow import

    found = extract_metadata(tree, default_url=url or None, date_config={"extensive_search": False})
    site = meta(tree, "og:site_name", "application-name") or found.sitename or ""
    return Page(
        url=url,
        text="",
        title=_title(tree, found.title or "", site),
        author=clean(found.author or ""),
        site=clean(site) or host_of(url),
        language=tree.get("lang") or meta(tree, "og:locale", "content-language", "language"),
        published=published_in(tree, url=url),
        canonical=canonical_of(tree, url),
        description=meta(tree, "og:description", "description", "twitter:description")
        or clean(found.description or ""),
    )


def titles_of(tree: Any) -> tuple[str, ...]:
    """List what the page's head calls it."""
    own = [clean("".join(title.itertext())) for title in tree.iter("title")][:1]
    return tuple(title for title in (meta(tree, "og:title"), *own) if title)


def meta(tree: Any, *names: str) -> str:
    """Return the first filled <meta> of these names or properties."""
    wanted = dict.fromkeys(names, "")
    for element in tree.iter("meta"):
        name = (element.get("property") or element.get("name") or element.get("http-equiv") or "").lower()
        if name in wanted and not wanted[name]:
            wanted[name] = clean(element.get("content") or "")
    return next((value for value in wanted.values() if value), "")


def clean(text: str) -> str:
    """One line of what can be seen."""
    return one_line(text, longest=4 * LONGEST)


def host_of(url: str) -> str:
    """Return the host of an address without `www.`; empty for a file's name."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _title(tree: Any, found: str, site: str) -> str:
    """Choose the page's own title, without the site's name that is often hung on."""
    own = next((clean("".join(title.itertext())) for title in tree.iter("title")), "")
    title = meta(tree, "og:title", "twitter:title") or clean(found) or own
    for separator in SEPARATORS:
        head, _, tail = title.rpartition(separator)
        if head and site and clean(tail).lower() in {site.lower(), site.lower().removeprefix("the ")}:
            return head[:LONGEST]
    return title[:LONGEST]


def canonical_of(tree: Any, url: str) -> str:
    """Return the page's own address where it can be believed.

    That is on the same host (or from AMP to its article), and never the home page for another page.
    """
    link = next(
        (
            element.get("href")
            for element in tree.iter("link")
            if "canonical" in (element.get("rel") or "").lower().split()
        ),
        None,
    )
    if not link or not url.startswith(("http://", "https://")):
        return ""
    try:
        address = urljoin(url, link.strip())
        own, other = urlsplit(url), urlsplit(address)
    except ValueError:
        return ""
    if other.scheme not in {"http", "https"} or not other.hostname or "@" in other.netloc:
        return ""
    home = other.path in {"", "/"} and not other.query and own.path not in {"", "/"}
    return address if not home and _related(own.hostname or "", other.hostname, url) else ""


def _related(own: str, other: str, url: str) -> bool:
    def bare(host: str) -> str:
        return re.sub(r"^(?:www|m|mobile|amp)\.", "", host.lower())

    dashed = bare(other).replace(".", "-")
    return bare(own) == bare(other) or (bool(AMP.search(url)) and (dashed in own or bare(other) in url))
