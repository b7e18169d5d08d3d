"""Keep a page's code as it was written: its lines, its indentation, its language."""

import re
from typing import Any

from lxml import etree

from adapters.web.phrases import MULTILINE_TAGS

LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|brush:|sourceCode)[-\s]?([a-z0-9+#]+)", re.IGNORECASE)
INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
GUTTER = re.compile(r"(?:^|\s)(?:gutter|line-?numbers?|linenos?|blob-num|crayon-nums?|rouge-gutter)(?:$|\s)")
HIGHLIGHTER = re.compile(
    r"(?:^|\s)(?:syntaxhighlighter|crayon-\w+|highlight(?:table)?|js-file-line-container|codehilite)(?:$|\s)"
)
"""Classes of the tools that lay code out in tables and lines of their own."""
LINE_NUMBERS = re.compile(r"[\d\s]+")


def code_text(element: Any) -> str:
    """Return the text of a code block, byte for byte but for blank lines around it; empty for a column of numbers."""
    parts: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, part in walk:
        if event == "start" and GUTTER.search(part.get("class") or ""):
            walk.skip_subtree()
            continue
        inner = part is not element
        if inner and (part.tag in MULTILINE_TAGS or (part.tag == "br" and event == "end")):
            _break(parts, always=part.tag == "br")
        if event == "start":
            parts.append(part.text or "")
        elif inner:
            parts.append(part.tail or "")
    text = "".join(parts).replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    text = re.sub(r"\A(?:[ \t]*\n)+|\s+\Z", "", INVISIBLE.sub("", text))
    return "" if LINE_NUMBERS.fullmatch(text) else text


def code_language(element: Any) -> str:
    """Return the language that the block's classes name, or empty."""
    for candidate in (element, *element.iterchildren("code"), *list(element.iterancestors())[:2]):
        if found := LANGUAGE.search(candidate.get("class") or ""):
            return found[1].lower()
    return ""


def is_code(element: Any) -> bool:
    """Tell whether an element is a block of code: <pre>, <code> of several lines, or a highlighter's own layout."""
    if element.tag == "pre":
        return True
    if element.tag == "code":
        return any(child.tag in {"br", "div", "p"} for child in element)
    highlighted = element.tag in {"div", "table"} and bool(HIGHLIGHTER.search(element.get("class") or ""))
    return highlighted and next(element.iter("pre", "p"), None) is None


def _break(parts: list[str], *, always: bool) -> None:
    """Begin a new line, unless one has just begun."""
    last = next((part for part in reversed(parts) if part), "\n")
    if always or not last.endswith("\n"):
        parts.append("\n")
