"""Parse a page's text into a tree, whatever its size, depth or faults."""

import re
from typing import Any

from lxml import etree, html

from bot.domain.lines import CONTROLS

LONGEST = 3_000_000
"""Characters that are parsed; time and memory grow with them (21 MB cost trafilatura 14 s and 470 MB)."""
NOT_TEXT = re.compile(
    r"<(script|style|svg)\b(?![^>]*\bapplication/ld\+json)[^>]*>.*?</\1\s*>|data:[a-z]+/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]+",
    re.IGNORECASE | re.DOTALL,
)
ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
WRAPPERS = re.compile(
    r"(?:</?(?!(?:p|h[1-6]|br|li|pre|code|title|meta|link|html|head|body|script|style)\b)[a-z][^>]*>\s*)+",
    re.IGNORECASE,
)


def parse(text: str) -> tuple[Any, bool]:
    """Return the tree of a page without comments (None for no markup at all), and whether it had to be cut."""
    text = ILLEGAL.sub(" ", CONTROLS.sub("", text) if "\x1b" in text else text)
    cut = False
    if len(text) > LONGEST:
        text = NOT_TEXT.sub(" ", text)
        cut = len(text) > LONGEST
        text = text[: max(text.rfind("<", 0, LONGEST), 1)] if cut else text
    tree, too_deep = _tree(text)
    if too_deep:
        tree, _ = _tree(WRAPPERS.sub("<br>", text))
    return tree, cut


def _tree(text: str) -> tuple[Any, bool]:
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        tree = html.document_fromstring(text.encode("utf-8"), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return None, False
    return tree, any("Excessive depth" in entry.message for entry in parser.error_log)
