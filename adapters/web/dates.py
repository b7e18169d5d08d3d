"""Find the day on which a page says it was published; a year in its text or in a copyright line is no such day."""

import re
from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

STATED = (
    *("article:published_time", "og:published_time", "og:article:published_time", "article.published"),
    *("datepublished", "date.issued", "publication_date", "publish_date"),
    *("publish-date", "publishdate", "pubdate", "parsely-pub-date"),
    *("sailthru.date", "citation_date", "citation_publication_date", "citation_online_date"),
    *("dc.date.issued", "dcterms.issued", "dc.date.created", "dcterms.created"),
    *("dc.date", "dcterms.date", "date"),
)
"""Names under which <meta> tells the day, the surest first."""
ITEMS = ("datePublished", "dateCreated", "uploadDate")
"""The same for schema.org, in JSON-LD and in attributes."""
IN_JSON = re.compile(rf'"(?P<name>{"|".join(ITEMS)})"\s*:\s*"(?P<value>[^"]{{8,40}})"')
ADDRESS = re.compile(r"(?<!\d)((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
ISO = re.compile(
    r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)|(?<!\d)(\d{4})(\d\d)(\d\d)(?=T|\Z)|(\d{4})年(\d{1,2})月(\d{1,2})日"
)
DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)")
SLASHED = re.compile(r"(?<!\d)(\d{1,2})/(\d{1,2})/(\d{4})(?!\d)")
NAMED = re.compile(
    r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?[\s-]+(?:de\s+)?(?P<month>[^\W\d_]{3,12})\.?,?[\s-]+(?:de\s+|del\s+)?(?P<year>\d{4})(?!\d)"
    r"|(?P<month_first>[^\W\d_]{3,12})\.?\s+(?P<day_second>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year_last>\d{4})(?!\d)"
)
MONTHS = (
    "jan ene gen sty янв",
    "feb fév fev lut фев",
    "mar mär maa мар",
    "apr avr abr kwi апр",
    "may mai maj mag mei мая май",
    "jun juin giu cze июн",
    "jul juil lug lip июл",
    "aug aoû ago sie авг",
    "sep set wrz сен",
    "oct okt ott out paź окт",
    "nov lis ноя",
    "dec dez déc dic gru des дек",
)
"""How months begin in English, German, French, Spanish, Italian, Portuguese, Dutch, Scandinavian, Polish, Russian."""
LABEL = re.compile(
    r"\b(?:published|posted|publication date|veröffentlicht|erschienen|publié|publicado|pubblicato|gepubliceerd"
    r"|publicerad|udgivet|opublikowan[oy])\b(?:\s+(?:on|at|am|vom|le|el|em|il|op|den))?\s*[:,]?\s*",
    re.IGNORECASE,
)
DATE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:(?:pub\w*|post(?:ed)?|entry|article|story|news)[_-]?(?:date|time|on)|published|pubdate|date|dateline"
    r"|datetime|timestamp|age)(?:$|[\s_-])",
    re.IGNORECASE,
)
BESIDE = frozenset({"aside", "footer", "nav", "form", "figure"})
BESIDE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:comments?|related\w*|recirc\w*|recommend\w*|sidebar|footer|widget\w*|teaser\w*|trending|promo\w*|events?"
    r"|latest|more|copyright|modified)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""Where other days stand than that of the page."""
ENDS = (".", "!", "?", "。")
EARLIEST = date(1970, 1, 2)
"""Earlier days are what programs write for none."""
LONGEST_LINE = 120
"""Characters of a line that may be a byline; a longer one tells a story."""
LONGEST_DAY, LEAST_DAY, LONGEST_BYLINE, MOST_PARTS = 40, 8, 60, 3
NEAR = 4
"""Elements around a day whose names tell what it belongs to; farther out they speak of the page's layout."""
MOST_SEEN = 200
"""Lines and elements that are looked at for a day."""


def published_in(tree: Any, *, url: str) -> str:
    """Return the day (ISO 8601), or nothing: what metadata states, then the address, then what is shown as its date."""
    address = day_in(_in_address(url))
    stated = next((day for text in (*_stated(tree), *_in_json(tree), *_items(tree)) if (day := day_in(text))), "")
    if stated and not (address and _next_to(stated, address)):
        return stated
    return address or next((day for text in _shown(tree) if (day := day_in(text))), "")


def _next_to(stated: str, address: str) -> bool:
    """Whether two days differ by a time zone only; the address then has the site's own day."""
    return abs(date.fromisoformat(stated) - date.fromisoformat(address)).days <= 1


def day_in(text: str) -> str:
    """Return the one whole day that a text names, ISO 8601; nothing for a year, a month, or what could be two days."""
    if found := ISO.search(text):
        year, month, day = (part for part in found.groups() if part)
    elif found := DAY_FIRST.search(text):
        day, month, year = found.groups()
    elif found := SLASHED.search(text):
        first, second, year = found.groups()
        month, day = (second, first) if int(first) > 12 else (first, second)  # noqa: PLR2004 - months of a year
        if int(day) <= 12 and day != month:  # noqa: PLR2004
            return ""
    elif found := NAMED.search(text):
        year, day = found["year"] or found["year_last"], found["day"] or found["day_second"]
        month = str(_month(found["month"] or found["month_first"]))
    else:
        return ""
    try:
        named = date(int(year), int(month), int(day))
    except ValueError:
        return ""
    return named.isoformat() if named >= EARLIEST else ""


def _month(name: str) -> int:
    lowered = name.lower()
    # "juin" and "juil" begin alike: the longest beginning decides.
    known = {beginning: number for number, line in enumerate(MONTHS, 1) for beginning in line.split()}
    fitting = [beginning for beginning in known if lowered.startswith(beginning)]
    return known[max(fitting, key=len)] if fitting else 0


def _stated(tree: Any) -> Iterator[str]:
    told: dict[str, str] = {}
    for element in tree.iter("meta"):
        name = (element.get("property") or element.get("name") or element.get("itemprop") or "").lower()
        told.setdefault(name, element.get("content") or "")
    yield from (told[name] for name in STATED if name in told)


def _in_json(tree: Any) -> Iterator[str]:
    scripts = (script.text or "" for script in tree.iter("script") if "ld+json" in (script.get("type") or ""))
    found = [match for text in scripts for match in IN_JSON.finditer(text)]
    yield from (match["value"] for name in ITEMS for match in found if match["name"] == name)


def _items(tree: Any) -> Iterator[str]:
    for name in ITEMS:
        for element in tree.iterfind(f".//*[@itemprop='{name}']"):
            if not _is_beside(element):
                yield element.get("datetime") or element.get("content") or _line(element)


def _in_address(url: str) -> str:
    try:
        found = ADDRESS.search(urlsplit(url).path)
    except ValueError:
        return ""
    return f"{found[1]}-{found[3]}-{found[4]}" if found else ""


def _shown(tree: Any) -> Iterator[str]:
    """Yield what is shown as the page's date: labelled lines, then <time>, then elements named after it."""
    body = next(tree.iter("body"), tree)
    for element in _bylines(body):
        text = _line(element)
        if len(text) <= LONGEST_LINE and (label := LABEL.search(text)) and not _is_beside(element):
            yield text[label.end() :][:LONGEST_DAY]
    for element in list(body.iter("time"))[:MOST_SEEN]:
        if not _is_beside(element) and not _in_sentence(element):
            yield element.get("datetime") or _line(element)
    yield from _below_title(body)
    for element in body.iter("p", "div", "span", "li", "small", "td", "a"):
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        if DATE_NAMES.search(names) and not _is_beside(element) and len(text := _line(element)) <= LONGEST_LINE:
            yield element.get("title") or text


def _below_title(body: Any) -> Iterator[str]:
    """Yield the lines between the title and the first paragraph that are little more than a day."""
    title = next(body.iter("h1"), None)
    started = False
    for element in body.iter() if title is not None else ():
        started = started or element is title
        if not started or not isinstance(element.tag, str) or len(element) > MOST_PARTS:
            continue
        text = _line(element)
        if element.tag == "p" and len(text) > LONGEST_LINE:
            return
        if LEAST_DAY <= len(text) <= LONGEST_BYLINE and not text.endswith(ENDS) and not _is_beside(element):
            yield text


def _bylines(body: Any) -> Iterator[Any]:
    """Yield the page's first elements of few parts."""
    lines = (part for part in body.iter("p", "div", "span", "li", "time", "small") if len(part) <= MOST_PARTS)
    yield from islice(lines, MOST_SEEN)


def _line(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def _in_sentence(element: Any) -> bool:
    """Whether a day stands in running text, where it is the day of something told."""
    parent = element.getparent()
    if parent is None or parent.tag != "p":
        return False
    line = _line(parent)
    return line.endswith(ENDS) or len(line) > LONGEST_LINE


def _is_beside(element: Any) -> bool:
    return any(
        part.tag in BESIDE or BESIDE_NAMES.search(f"{part.get('class') or ''} {part.get('id') or ''}")
        for part in (element, *islice(element.iterancestors(), NEAR))
    )
