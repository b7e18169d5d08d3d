"""Drop the text that people do not see on a page: it feeds search engines and orders language models about."""

import re
from typing import Any

from adapters.web.structure import letters

DECLARATION = re.compile(r"([a-z-]+)\s*:\s*([^;{}]+)", re.IGNORECASE)
RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")
SIMPLE = re.compile(r"^[.#][\w-]+$")
AT_RULE = re.compile(r"@[\w-]+[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
WHITE = re.compile(
    r"^(?:#fff(?:fff)?|#fefefe|white|rgba?\(\s*25[45]\s*,?\s*25[45]\s*,?\s*25[45].*|transparent|rgba\(.*,\s*0\))$"
)
FAR = re.compile(r"^-\s*(?:\d{4,}px|\d{3,}em|\d{3,}rem|\d{4,}%)$")
TAGS_OF_FLAGS = re.compile("(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+")
"""Invisible tag characters, which can spell out whole sentences; behind a black flag they name England or Texas."""
CHROME = frozenset({"nav", "header", "footer", "form", "button", "dialog", "menu", "select", "noscript", "template"})
TEXT_TAGS = frozenset({"p", "div", "span", "font", "li", "section"})
PROSE = 20
"""Letters from which hidden text is worth telling the reader about."""
MOST = 0.5
"""A page that hides more of its text than this shows it by script: it is not hidden from people."""
SMALLEST_FONT = 2.0
"""Pixels; nobody reads smaller text."""


def drop_hidden(tree: Any) -> bool:
    """Remove hidden elements from the tree (in place); True when text worth reading was among them."""
    sheet = _sheet(tree)
    hidden = [element for element in tree.iter() if isinstance(element.tag, str) and _is_hidden(element, sheet)]
    hidden = _outermost(hidden)
    total = _length(tree)
    told = False
    for element in hidden:
        length = _length(element)
        if length > MOST * total:
            continue
        told = told or (length >= PROSE and not _is_chrome(element) and (_is_amid_text(element) or _tricks(element)))
        element.drop_tree()
    return told


def without_tags(text: str) -> tuple[str, bool]:
    """Return the text without invisible tag characters, and whether there were any."""
    clean = TAGS_OF_FLAGS.sub("", text)
    return clean, clean != text


def _is_hidden(element: Any, sheet: dict[str, dict[str, str]]) -> bool:
    if element.tag in {"html", "body", "head", "script", "style"}:
        return False
    if element.get("hidden") is not None and element.get("hidden") != "until-found":
        return True
    style = _style(element.get("style"))
    for name in (*("." + name for name in (element.get("class") or "").split()), f"#{element.get('id')}"):
        if name in sheet:
            style = sheet[name] | style
    if not style:
        return False
    return _unseen(style) or _white_amid_dark(element, style) or (_off_screen(style) and _means_text(element))


def _unseen(style: dict[str, str]) -> bool:
    if style.get("display") == "none" or style.get("visibility") in {"hidden", "collapse"}:
        return True
    if (
        re.fullmatch(r"0(?:\.0+)?%?", style.get("opacity", "1"))
        and "transition" not in style
        and "animation" not in style
    ):
        return True
    return _tiny(style.get("font-size", "")) or _white_on_white(style)


def _tiny(size: str) -> bool:
    found = re.fullmatch(r"(\d*\.?\d+)(px|pt|em|rem|%|)", size)
    if not found:
        return False
    amount, unit = float(found[1]), found[2]
    return amount == 0 or (unit in {"px", "pt", ""} and amount < SMALLEST_FONT)


def _white_on_white(style: dict[str, str]) -> bool:
    """White text without a background of its own may stand on a dark parent; only then is it believed to be seen."""
    colour = style.get("color", "")
    behind = style.get("background-color") or style.get("background") or ""
    if colour and colour == behind:
        return True
    return bool(WHITE.match(colour)) and bool(WHITE.match(behind))


def _off_screen(style: dict[str, str]) -> bool:
    if any(FAR.match(style.get(name, "")) for name in ("left", "right", "top", "text-indent", "margin-left")):
        return True
    clipped = style.get("clip", "").replace(" ", "").startswith(("rect(0", "rect(1px")) or "inset(50%" in style.get(
        "clip-path", ""
    )
    flat = any(style.get(name) in {"0", "0px", "1px"} for name in ("height", "max-height", "width"))
    return clipped or (flat and style.get("overflow") == "hidden")


def _white_amid_dark(element: Any, style: dict[str, str]) -> bool:
    """White text with no background of its own or around it, beside text that is not white, stands on white."""
    if not WHITE.match(style.get("color", "")) or element.tag not in TEXT_TAGS or _has_background(element):
        return False
    beside = [other for other in (*element.itersiblings(), *element.itersiblings(preceding=True)) if other.tag == "p"]
    return any(letters("".join(other.itertext())) and not _style(other.get("style")).get("color") for other in beside)


def _has_background(element: Any) -> bool:
    around = (element, *element.iterancestors())
    return any("background" in (part.get("style") or "") or part.get("bgcolor") for part in around)


def _means_text(element: Any) -> bool:
    """Tell by its tag: a heading set off-screen for screen readers is part of the page, a paragraph is not."""
    return element.tag not in {"h1", "h2", "h3", "h4", "h5", "h6", "input", "a", "img"}


def _is_amid_text(element: Any) -> bool:
    """Tell whether it stands among visible paragraphs; a menu or a window that opens later does not."""
    parent = element.getparent()
    return element.tag == "p" or (parent is not None and parent.find("p") is not None)


def _tricks(element: Any) -> bool:
    """Tell whether its own style hides it in a way that no window or menu needs."""
    style = _style(element.get("style"))
    return _tiny(style.get("font-size", "")) or _white_on_white(style) or _white_amid_dark(element, style)


def _style(text: str | None) -> dict[str, str]:
    if not text:
        return {}
    found = DECLARATION.findall(text)
    return {name.lower(): value.lower().replace("!important", "").strip() for name, value in found}


def _sheet(tree: Any) -> dict[str, dict[str, str]]:
    """Read what the page's own style sheets say of single classes and ids, outside media queries."""
    sheet: dict[str, dict[str, str]] = {}
    for style in list(tree.iter("style"))[:20]:
        text = AT_RULE.sub("", COMMENT.sub("", (style.text or "")[:200_000]))
        for selectors, body in RULE.findall(text):
            for selector in selectors.split(","):
                if SIMPLE.match(selector.strip()):
                    sheet.setdefault(selector.strip(), {}).update(_style(body))
    return {name: style for name, style in sheet.items() if _unseen(style) or _off_screen(style)}


def _outermost(elements: list[Any]) -> list[Any]:
    known = set(elements)
    return [element for element in elements if not any(parent in known for parent in element.iterancestors())]


def _is_chrome(element: Any) -> bool:
    return element.tag in CHROME or any(parent.tag in CHROME for parent in element.iterancestors())


def _length(element: Any) -> int:
    skipped = {"script", "style"}
    parts = (
        (part.text or "" if part.tag not in skipped else "") + (part.tail or "" if part is not element else "")
        for part in element.iter()
        if isinstance(part.tag, str)
    )
    return len(letters("".join(parts)))
