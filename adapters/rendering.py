"""Read an answer's Markdown into one neutral document, which each platform writes in its own dialect."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

Cell = tuple["Run", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A stretch of text in one style; `url` makes it a link."""

    text: str
    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Running text; `indent` counts the list levels around it, `quote` the quotes."""

    runs: tuple[Run, ...]
    indent: int = 0
    quote: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading of level 1 to 6."""

    runs: tuple[Run, ...]
    level: int = 1
    quote: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The first paragraph of a list item; `marker` is `-` or a number with its dot, `indent` starts at 0."""

    runs: tuple[Run, ...]
    marker: str = "-"
    indent: int = 0
    quote: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A block of code, without its fences and its last line break."""

    text: str
    language: str = ""
    quote: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table; every row has as many cells as the header."""

    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    quote: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A line across."""

    quote: int = 0


Block = Paragraph | Heading | Item | Code | Table | Rule


def parse(markdown: str) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text in reading order, lists and quotes laid flat.

    CommonMark with tables and strikethrough; HTML, reference links and indented code are read as plain text, so
    that a piece cut out of an answer reads the same alone.
    """
    return tuple(_blocks(_MARKDOWN.parse(markdown)))


def plain(blocks: Sequence[Block]) -> str:
    """Return the visible text, one block a line, for notifications and comparisons."""
    return "\n".join(_plain_block(block) for block in blocks)


def table_text(table: Table) -> str:
    """Return a table as lines of equal columns, for platforms that have none (shown as code)."""
    rows = [[runs_text(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(map(_columns, column)) for column in zip_longest(*rows, fillvalue="")]
    lines = [" | ".join(map(_padded, row, widths)).rstrip() for row in rows]
    return "\n".join([lines[0], "-+-".join("-" * width for width in widths), *lines[1:]])


def runs_text(runs: Sequence[Run]) -> str:
    """Return the visible text of runs."""
    return "".join(run.text for run in runs)


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    around = _Around()
    position = 0
    while position < len(tokens):
        token = tokens[position]
        match token.type:
            case "fence" if token.content.strip():
                yield Code(text=token.content.removesuffix("\n"), language=_language(token.info), quote=around.quote)
            case "hr":
                yield Rule(quote=around.quote)
            case "table_open":
                end = _closing(tokens, position)
                yield _table(tokens[position:end], around.quote)
                position = end
            case "inline":
                yield _text_block(tokens[position - 1], _runs(token.children or []), around)
            case _:
                around.follow(token)
        position += 1


class _Around:
    """The lists and quotes around the reader's place in the text."""

    def __init__(self) -> None:
        self.lists: list[int | None] = []
        """The next number of each list; None where it has none."""
        self.marker = ""
        """The marker of the item that begins, until its first text."""
        self.quote = 0

    def follow(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self.lists.append(None)
            case "ordered_list_open":
                self.lists.append(int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
            case "list_item_open":
                self.marker = self._next_marker()
            case "blockquote_open" | "blockquote_close":
                self.quote += token.nesting

    def _next_marker(self) -> str:
        number = self.lists[-1]
        if number is None:
            return "-"
        self.lists[-1] = number + 1
        return f"{number}."


def _text_block(opening: Token, runs: tuple[Run, ...], around: _Around) -> Block:
    if opening.type == "heading_open":
        return Heading(runs=runs, level=int(opening.tag[1]), quote=around.quote)
    marker, around.marker = around.marker, ""
    if marker:
        return Item(runs=runs, marker=marker, indent=len(around.lists) - 1, quote=around.quote)
    return Paragraph(runs=runs, indent=len(around.lists), quote=around.quote)


def _language(info: str) -> str:
    return info.split(maxsplit=1)[0] if info.split() else ""


def _closing(tokens: Sequence[Token], position: int) -> int:
    return next(at for at in range(position, len(tokens)) if tokens[at].type == "table_close")


def _table(tokens: Sequence[Token], quote: int) -> Table:
    rows: list[list[Cell]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_runs(token.children or []))
    header, *body = (tuple(row) for row in rows)
    return Table(header=header, rows=tuple(body), quote=quote)


def _runs(children: Sequence[Token]) -> tuple[Run, ...]:
    style = Run(text="")
    found: list[Run] = []
    for token in children:
        match token.type:
            case "strong_open" | "strong_close":
                style = replace(style, bold=token.nesting > 0)
            case "em_open" | "em_close":
                style = replace(style, italic=token.nesting > 0)
            case "s_open" | "s_close":
                style = replace(style, strike=token.nesting > 0)
            case "link_open":
                style = replace(style, url=str(token.attrs["href"]))
            case "link_close":
                style = replace(style, url="")
            case "softbreak" | "hardbreak":
                found.append(replace(style, text="\n"))
            case "code_inline":
                found.append(replace(style, text=token.content, code=True))
            case "image":
                url = str(token.attrs["src"])
                found.append(replace(style, text=token.content or url, url=style.url or url))
            case _:
                found.extend(_with_addresses(replace(style, text=token.content)))
    return tuple(_honest(run) for run in _joined(found) if run.text)


def _with_addresses(run: Run) -> Iterator[Run]:
    """Make a link of every bare address in a text run."""
    if run.url:
        yield run
        return
    position = 0
    for match in _ADDRESS.finditer(run.text):
        url = _trimmed(match[0])
        yield replace(run, text=run.text[position : match.start()])
        yield replace(run, text=url, url=url)
        position = match.start() + len(url)
    yield replace(run, text=run.text[position:])


def _trimmed(url: str) -> str:
    """Take the sentence's own punctuation off an address; a closing bracket stays if it was opened inside."""
    while url:
        unopened = url[-1] == ")" and url.count(")") > url.count("(")
        if url[-1] not in ".,;:!?'\"*_~" and not unopened:
            break
        url = url[:-1]
    return url


def _joined(runs: Sequence[Run]) -> Iterator[Run]:
    """Join neighbours of one style."""
    for style, group in groupby(runs, key=lambda run: replace(run, text="")):
        yield replace(style, text="".join(run.text for run in group))


def _honest(run: Run) -> Run:
    """Show the true address of a link whose words pretend to be an address elsewhere."""
    claimed = _ADDRESS.match(run.text) if run.url else None
    if claimed is None or _host(claimed[0]) == _host(run.url):
        return run
    return replace(run, text=run.url)


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _plain_block(block: Block) -> str:
    match block:
        case Code():
            return block.text
        case Table():
            return table_text(block)
        case Rule():
            return ""
        case Item():
            return f"{'  ' * block.indent}{block.marker} {runs_text(block.runs)}"
        case _:
            return runs_text(block.runs)


def _columns(text: str) -> int:
    """Return how many columns a monospaced font gives a text: wide East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_MARKDOWN.disable(["reference", "code", "lheading", "html_block", "html_inline", "entity"])
_ADDRESS = re.compile(r"https?://[^\s<>]+", re.IGNORECASE)
