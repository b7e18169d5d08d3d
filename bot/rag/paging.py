"""Know a message that asks for another page of a list: "more", "next", "page 3" (pure)."""

import re

PAGING = re.compile(
    r"^\W*(?:(?:please|and|ok(?:ay)?|show|give|me|us|bitte|zeig(?:e)?|mir|muestra|dame)\s+)*"
    r"(?:(?:the\s+)?(?P<next>(?:some\s+)?more|next(?:\s+(?:page|ones|ten|\d+))?|continue|go\s+on|the\s+rest|rest|mehr|weiter(?:e)?|"
    r"nächste(?:\s+seite)?|más|siguiente(?:s)?(?:\s+página)?|sigue)"
    r"|(?:page|seite|página|p\.?)\s*(?P<page>\d{1,4})"
    r"|(?:the\s+)?(?P<back>previous|back|zurück|vorherige|anterior)(?:\s+(?:page|seite|página))?)"
    r"(?:\s+(?:please|bitte|por\s+favor|of\s+(?:them|those|it)|links|notes|results))*\W*$",
    re.IGNORECASE,
)


def is_paging(text: str) -> bool:
    """Return whether `text` only asks for another page."""
    return PAGING.match(text) is not None


def page_number(text: str, before: int) -> int:
    """Return the page, from 1, that `text` asks for after page `before` was shown."""
    asked = PAGING.match(text)
    if asked is None:
        return 1
    if asked["page"]:
        return max(1, int(asked["page"]))
    return max(1, before - 1) if asked["back"] else before + 1
