"""Write a page's elements as Markdown blocks: headings, paragraphs, list items, tables, quotes and code as they stand.

The tree is walked without recursion, so depth is no danger. Emphasis and link targets are left out: what is kept is
read by people, quoted in answers and embedded, and none of the three gains from them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from lxml import etree

Kind = Literal["heading", "paragraph", "item", "code", "table"]

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
        "header",
        "hgroup",
        "hr",
        "html",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "optgroup",
        "option",
        "p",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "template",
        "caption",
        "legend",
        "slot",
    ]
) | set(HEADINGS)
SKIPPED = frozenset(
    [
        "script",
        "style",
        "noscript",
        "head",
        "svg",
        "iframe",
        "object",
        "embed",
        "canvas",
        "audio",
        "video",
        "map",
        "button",
        "select",
        "input",
        "textarea",
        "datalist",
        "link",
        "meta",
        "title",
        "base",
        "rp",
        "rt",
        "nav",
    ]
)
MULTILINE = frozenset(
    [
        "p",
        "div",
        "li",
        "td",
        "th",
        "dd",
        "dt",
        "blockquote",
        "section",
        "article",
        "ul",
        "ol",
        "table",
        "pre",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
    ]
)
SPACE = re.compile(r"[ \t\r\n\f\v\u00a0\u2028\u2029]+")
INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|brush:|sourceCode)[-\s]?([a-z0-9+#]+)", re.IGNORECASE)
MARK_AT_START = re.compile(r"^(#{1,6}\s|>|```)")
LONGEST_HEADING = 250
"""Letters; a longer "heading" is a paragraph that was styled as one."""
VERSE_LINES, VERSE_LENGTH = 4, 60
"""At least so many lines of at most so many characters on average are meant as lines."""
PERMALINK = re.compile(r"\s*[¶#§🔗]\s*$")


@dataclass(slots=True, kw_only=True)
class Block:
    """One line of thought on the page, with where it stands and how much of it is links."""

    kind: Kind
    text: str
    element: Any
    """The nearest block element around it."""
    level: int = 0
    """Of a heading, 1 to 6; of an item, its depth from 0."""
    marker: str = ""
    """What stands before an item's first line; empty on the lines that continue it."""
    quoted: bool = False
    language: str = ""
    linked: int = 0
    """Letters inside links."""
    key: str = field(default="")
    """Letters and digits only, lower case: how it is recognised in another reading of the page."""

    def __post_init__(self) -> None:
        self.key = letters(self.text)

    @property
    def link_share(self) -> float:
        """Of its letters, how many are inside links, in [0, 1]."""
        return min(1.0, self.linked / max(1, len(self.key)))


def letters(text: str) -> str:
    """Letters and digits of the text, in lower case."""
    return "".join(character for character in text if character.isalnum()).lower()


def blocks_of(tree: Any) -> list[Block]:
    """Every visible block of the tree, in reading order."""
    writer = _Writer()
    walk = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            if not isinstance(element.tag, str) or writer.open(element):
                walk.skip_subtree()
        else:
            writer.close(element)
    writer.flush()
    return writer.blocks


def markdown(blocks: Iterable[Block]) -> str:
    """The blocks as one Markdown text: a blank line between blocks, none between the items of a list."""
    parts: list[str] = []
    before: Block | None = None
    for block in blocks:
        together = before is not None and before.kind == block.kind == "item" and before.quoted == block.quoted
        if before is not None:
            parts.append("\n" if together else "\n\n")
        parts.append(_written(block))
        before = block
    return "".join(parts)


def _written(block: Block) -> str:
    match block.kind:
        case "heading":
            text = f"{'#' * block.level} {block.text}"
        case "item":
            indent = "  " * block.level
            text = f"{indent}{block.marker or '  '}{block.text}".replace("\n", f"\n{indent}  ")
        case "code":
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", block.text)), default=0))
            text = f"{fence}{block.language}\n{block.text}\n{fence}"
        case "paragraph":
            text = "\n".join(MARK_AT_START.sub(r"\\\1", line) for line in block.text.split("\n"))
        case "table":
            text = block.text
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n")) if block.quoted else text


class _Writer:
    """What has been read of the current block, and the elements it stands in."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.text: list[str] = []
        self.linked = 0
        self.links = 0
        self.within: list[Any] = []
        self.heading = 0
        self.quotes = 0
        self.lists: list[int] = []
        """For each list around: its next number, or -1 where it has bullets."""
        self.marker = ""

    def open(self, element: Any) -> bool:
        """Begin an element; True when its inside is done with already."""
        tag = element.tag
        if tag in SKIPPED:
            return True
        if tag == "br":
            self.text.append("\n")
        elif tag == "pre" or (tag == "code" and _stands_alone(element)):
            self._code(element)
            return True
        elif tag == "table" and (table := _data_table(element)) is not None:
            self.flush()
            self._add(table)
            return True
        elif tag in BLOCKS or element.get("role") == "heading":
            self.flush()
            self.within.append(element)
            self._open_block(element, tag)
        elif tag == "a":
            self.links += _leads_away(element)
        elif tag == "figcaption":
            self.text.append(" ")
        elif tag in {"code", "kbd", "samp"}:
            self.text.append("`")
        elif tag in {"q"}:
            self.text.append("“")
        self._say(element.text)
        return False

    def close(self, element: Any) -> None:
        """End an element: its block is whole, and the words behind it go on."""
        tag = element.tag
        if isinstance(tag, str) and self._was_opened(element, tag):
            if self.within and self.within[-1] is element:
                self.flush()
                self.within.pop()
                self._close_block(element, tag)
            elif tag == "a":
                self.links -= _leads_away(element)
            elif tag in {"code", "kbd", "samp"}:
                self.text.append("`")
            elif tag == "q":
                self.text.append("”")
        self._say(element.tail)

    def flush(self) -> None:
        """End the block that was being read."""
        text = "".join(self.text)
        self.text.clear()
        linked, self.linked = self.linked, 0
        for paragraph in _paragraphs(text):
            self._add_text(paragraph, linked)

    def _was_opened(self, element: Any, tag: str) -> bool:
        return tag not in SKIPPED and tag not in {"pre", "br"} and not (self.within and self.within[-1] is None)

    def _open_block(self, element: Any, tag: str) -> None:
        level = HEADINGS.get(tag, 0) or (element.get("role") == "heading" and _aria_level(element)) or 0
        if level:
            self.heading = level
        elif tag == "blockquote":
            self.quotes += 1
        elif tag in {"ul", "menu", "dl"}:
            self.lists.append(-1)
        elif tag == "ol":
            self.lists.append(_number(element.get("start"), 1))
        elif tag in {"li", "dd"}:
            self.marker = self._next_marker()

    def _close_block(self, element: Any, tag: str) -> None:
        if tag in HEADINGS or element.get("role") == "heading":
            self.heading = 0
        elif tag == "blockquote":
            self.quotes -= 1
        elif tag in {"ul", "menu", "dl", "ol"}:
            self.lists.pop()
        elif tag in {"li", "dd"}:
            self.marker = ""

    def _next_marker(self) -> str:
        if not self.lists or self.lists[-1] < 0:
            return "- "
        self.lists[-1] += 1
        return f"{self.lists[-1] - 1}. "

    def _say(self, text: str | None) -> None:
        if text:
            self.text.append(SPACE.sub(" ", text))
            if self.links:
                self.linked += sum(character.isalnum() for character in text)

    def _add_text(self, text: str, linked: int) -> None:
        element = self.within[-1] if self.within else None
        if self.heading and len(text) <= LONGEST_HEADING:
            text = PERMALINK.sub("", text.replace("\n", " "))
            block = Block(kind="heading", text=text, element=element, level=self.heading)
        elif self._in_item():
            marker, self.marker = self.marker, ""
            depth = max(0, len(self.lists) - 1)
            block = Block(kind="item", text=text, element=element, level=depth, marker=marker)
        else:
            block = Block(kind="paragraph", text=text, element=element)
        block.linked = linked
        self._add(block)

    def _in_item(self) -> bool:
        return any(element.tag in {"li", "dd"} for element in self.within[-12:])

    def _code(self, element: Any) -> None:
        self.flush()
        text = _code_text(element)
        if text.strip() and not re.fullmatch(r"[\d\s]+", text):
            self._add(Block(kind="code", text=text, element=element, language=_code_language(element)))

    def _add(self, block: Block) -> None:
        block.quoted = self.quotes > 0 and block.kind in {"paragraph", "heading"}
        if block.key or block.kind == "code":
            self.blocks.append(block)


def _paragraphs(text: str) -> Iterator[str]:
    """Cut at an empty line (two <br>). One <br> is a space, but verse, addresses and lists by hand keep their lines."""
    for paragraph in re.split(r"\n[ \n]*\n", text):
        lines = [SPACE.sub(" ", INVISIBLE.sub("", line)).strip().replace("``", "") for line in paragraph.split("\n")]
        lines = [line for line in lines if line]
        short = len(lines) >= VERSE_LINES and sum(map(len, lines)) / len(lines) < VERSE_LENGTH
        if lines:
            yield ("\n" if short else " ").join(lines)


def _leads_away(link: Any) -> bool:
    """Whether a link goes to another page: a table of contents or a footnote's mark stays on this one."""
    return not (link.get("href") or "#").startswith("#")


def _stands_alone(code: Any) -> bool:
    """Whether a <code> outside <pre> is a block of several lines."""
    return code.getparent() is not None and any(child.tag in {"br", "div", "p"} for child in code)


def _code_text(element: Any) -> str:
    """The text of a code block, byte for byte but for blank lines around it."""
    parts: list[str] = []
    for event, part in etree.iterwalk(element, events=("start", "end")):
        if not isinstance(part.tag, str):
            parts.append((event == "end" and part is not element and part.tail) or "")
        elif event == "start":
            if part.tag in {"br"} or (
                part.tag in MULTILINE and parts and not parts[-1].endswith("\n") and part is not element
            ):
                parts.append("\n")
            parts.append(part.text or "")
        elif part is not element:
            if part.tag in MULTILINE and parts and not "".join(parts[-2:]).endswith("\n"):
                parts.append("\n")
            parts.append(part.tail or "")
    text = "".join(parts).replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    return re.sub(r"\A(?:[ \t]*\n)+|\s+\Z", "", INVISIBLE.sub("", text))


def _code_language(element: Any) -> str:
    for candidate in (element, *element.iterchildren("code"), *list(element.iterancestors())[:2]):
        if found := LANGUAGE.search(candidate.get("class") or ""):
            return found[1].lower()
    return ""


def _data_table(table: Any) -> Block | None:
    """A table of data as a pipe table; None where the table only lays out the page."""
    rows = [row for row in table.iter("tr") if _table_of(row) is table]
    cells = [[cell for cell in row if cell.tag in {"td", "th"}] for row in rows]
    width = max((len(row) for row in cells), default=0)
    if width < 2 or len(rows) < 2 or table.get("role") == "presentation":
        return None
    if next(table.iter("pre", "article", *HEADINGS), None) is not None or len(list(table.iter("table"))) > 1:
        return None
    texts = [[_cell_text(cell) for cell in row] for row in cells]
    filled = [text for row in texts for text in row if text]
    if not filled or max(map(len, filled)) > 1_500 or len(filled) < len(rows):
        return None
    lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in texts if any(row)]
    lines.insert(1, f"|{' --- |' * width}")
    caption = " ".join(SPACE.sub(" ", "".join(found.itertext())).strip() for found in table.iter("caption"))
    linked = sum(len(letters("".join(link.itertext()))) for link in table.iter("a"))
    return Block(kind="table", text="\n".join(([caption, ""] if caption else []) + lines), element=table, linked=linked)


def _table_of(row: Any) -> Any:
    return next(row.iterancestors("table"), None)


def _cell_text(cell: Any) -> str:
    """A cell on one line; the items of a list inside it stay apart."""
    parts = [block.text.replace("\n", "; " if block.kind == "item" else " ") for block in _inside(cell)]
    return re.sub(r"([.;:,!?])?; ", lambda end: f"{end[1]} " if end[1] else "; ", "; ".join(parts)).replace("|", "\\|")


def _inside(cell: Any) -> list[Block]:
    writer = _Writer()
    walk = etree.iterwalk(cell, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            if not isinstance(element.tag, str) or writer.open(element):
                walk.skip_subtree()
        elif element is not cell:
            writer.close(element)
    writer.flush()
    return writer.blocks


def _aria_level(element: Any) -> int:
    return min(6, max(1, _number(element.get("aria-level"), 2)))


def _number(text: str | None, default: int) -> int:
    return int(text) if text and re.fullmatch(r"\d{1,6}", text.strip()) else default
