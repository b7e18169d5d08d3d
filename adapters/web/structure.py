"""Write a page's elements as Markdown blocks: headings, paragraphs, list items, tables, quotes and code as they stand.

The tree is walked without recursion, so depth is no danger. Emphasis and link targets are left out: what is kept is
read by people, quoted in answers and embedded, and none of the three gains from them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from lxml import etree

from adapters.web.codeblocks import INVISIBLE, code_language, code_text, is_code
from adapters.web.phrases import BLOCK_TAGS, SKIPPED_TAGS
from adapters.web.tables import one_line, pipe_table

Kind = Literal["heading", "paragraph", "item", "code", "table"]

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
SPACE = re.compile(r"[ \t\r\n\f\v\u00a0\u2028\u2029]+")
MARK_AT_START = re.compile(r"^(#{1,6}\s|>|```)")
LONGEST_HEADING = 250
"""Letters; a longer "heading" is a paragraph that was styled as one."""
NOT_LETTERS = re.compile(r"[\W_]+")
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
    return NOT_LETTERS.sub("", text).lower()


def blocks_of(tree: Any, *, inside: bool = False) -> list[Block]:
    """List every visible block of the tree, in reading order; `inside`: without what the element itself says."""
    writer = _Writer()
    walk = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            if writer.open(element):
                walk.skip_subtree()
        elif element is not tree or not inside:
            writer.close(element)
    writer.flush()
    return writer.blocks


def markdown(blocks: Iterable[Block]) -> str:
    """Write the blocks as one Markdown text: a blank line between blocks, none between the items of a list."""
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
        if tag in SKIPPED_TAGS:
            return True
        if tag == "br":
            self.text.append("\n")
        elif is_code(element):
            self._code(element)
            return True
        elif tag == "table" and (table := pipe_table(element, _cell_text)):
            self._table(element, table)
            return True
        elif tag in BLOCK_TAGS or element.get("role") == "heading":
            self.flush()
            self.within.append(element)
            self._open_block(element, tag)
        elif tag == "a":
            self.links += _leads_away(element)
        elif tag == "figcaption":
            self.text.append(" ")
        elif tag in {"code", "kbd", "samp"}:
            self.text.append("`")
        elif tag == "q":
            self.text.append("“")
        self._say(element.text)
        return False

    def close(self, element: Any) -> None:
        """End an element: its block is whole, and the words behind it go on."""
        tag = element.tag
        if isinstance(tag, str) and self._was_opened(tag):
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

    def _was_opened(self, tag: str) -> bool:
        return tag not in SKIPPED_TAGS and tag not in {"pre", "br"}

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
                self.linked += len(letters(text))

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
        if text := code_text(element):
            self._add(Block(kind="code", text=text, element=element, language=code_language(element)))

    def _table(self, element: Any, text: str) -> None:
        self.flush()
        linked = sum(len(letters("".join(link.itertext()))) for link in element.iter("a"))
        self._add(Block(kind="table", text=text, element=element, linked=linked))

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


def _cell_text(cell: Any) -> str:
    """Write a cell on one line; the items of a list inside it stay apart."""
    return one_line([block.text.replace("\n", " ") for block in blocks_of(cell, inside=True)])


def _aria_level(element: Any) -> int:
    return min(6, max(1, _number(element.get("aria-level"), 2)))


def _number(text: str | None, default: int) -> int:
    return int(text) if text and re.fullmatch(r"\d{1,6}", text.strip()) else default
