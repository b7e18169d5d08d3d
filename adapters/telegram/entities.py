"""Write a neutral document as text and entities, counted in UTF-16 units as Telegram counts (pure).

Entities instead of a parse mode: nothing has to be escaped, so nothing can be escaped wrongly.
https://core.telegram.org/bots/api#messageentity
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from adapters.escaping import defuse
from adapters.rendering import Block, Code, Heading, Item, Paragraph, Rule, Run, Table, parse, table_text
from adapters.source_words import HEADINGS

TEXT_UNITS = 4096
"""The greatest length of a message after its entities are taken out (sendMessage)."""
MOST_ENTITIES = 100
"""Telegram ignores those beyond (limits.tginfo.me); a part with more of them counts as too long."""
FOLDED_FROM = 4
"""Lines of sources from which they are folded away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """One stretch of formatting; `offset` and `length` in UTF-16 units."""

    kind: str
    offset: int
    length: int
    url: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A message as it is sent."""

    text: str
    entities: tuple[Entity, ...] = ()


def render(markdown: str) -> Rendered:
    """Return Markdown as text with entities, without white space at its ends (the server would cut it off)."""
    writer = _Writer()
    blocks = parse(markdown)
    before: Block | None = None
    for quote, group in groupby(blocks, key=lambda block: block.quote > 0):
        start = None
        for block in group:
            writer.text("" if before is None else "\n" if _tight(before, block) else "\n\n")
            start = writer.length if start is None else start
            _block(writer, block)
            before = block
        if quote and start is not None:
            writer.mark("blockquote", start)
    return writer.finished()


def size(markdown: str) -> int:
    """Return what counts against the limit: UTF-16 units, or the share of the entities allowed, if that is more."""
    rendered = render(markdown)
    return max(units(rendered.text), len(rendered.entities) * TEXT_UNITS // MOST_ENTITIES)


def units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)


def cut(text: str, offset: int, length: int) -> str:
    """Return a stretch of a text given in UTF-16 units."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    return encoded[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace")


class _Writer:
    """Collects text and entities."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._entities: list[Entity] = []
        self.length = 0

    def text(self, text: str) -> None:
        self._pieces.append(text)
        self.length += units(text)

    def mark(self, kind: str, start: int, *, url: str = "", language: str = "") -> None:
        """Put an entity over everything since `start`; neighbours of one kind become one."""
        if self.length == start:
            return
        self._entities.append(Entity(kind=kind, offset=start, length=self.length - start, url=url, language=language))

    def finished(self) -> Rendered:
        whole = "".join(self._pieces)
        text = whole.strip()
        lead = units(whole[: len(whole) - len(whole.lstrip())])
        clipped = (_clipped(entity, lead, units(text)) for entity in self._entities)
        ordered = sorted((entity for entity in clipped if entity), key=lambda one: (one.offset, -one.length))
        return Rendered(text=text, entities=tuple(ordered))


def _clipped(entity: Entity, lead: int, length: int) -> Entity | None:
    start, end = max(0, entity.offset - lead), min(length, entity.offset - lead + entity.length)
    if end <= start:
        return None
    return Entity(kind=entity.kind, offset=start, length=end - start, url=entity.url, language=entity.language)


def _tight(before: Block, block: Block) -> bool:
    return isinstance(before, Item) and (isinstance(block, Item) or (isinstance(block, Paragraph) and block.indent > 0))


def _block(writer: _Writer, block: Block) -> None:
    match block:
        case Heading():
            _runs(writer, block.runs, bold=True)
        case Paragraph():
            start = writer.length
            writer.text("    " * block.indent)
            _runs(writer, block.runs)
            if _folded(block):
                writer.mark("expandable_blockquote", start)
        case Item():
            marker = "•" if block.marker == "-" else block.marker
            writer.text(f"{'    ' * block.indent}{marker} ")
            _runs(writer, block.runs)
        case Code():
            _code(writer, block.text, block.language)
        case Table():
            _code(writer, table_text(block), "")
        case Rule():
            writer.text("———")


def _code(writer: _Writer, text: str, language: str) -> None:
    start = writer.length
    writer.text(text)
    writer.mark("pre", start, language=language)


def _runs(writer: _Writer, runs: Sequence[Run], *, bold: bool = False) -> None:
    """Write runs; marks that go on from one run to the next are one entity, unless it would overlap another's end."""
    opened: dict[tuple[str, str], int] = {}
    for run in runs:
        wanted = dict.fromkeys(_marks(run, bold=bold))
        ending = [key for key in opened if key not in wanted]
        outermost = min((opened[key] for key in ending), default=writer.length)
        for kind, url in [key for key, start in opened.items() if key in ending or start > outermost]:
            writer.mark(kind, opened.pop((kind, url)), url=url)
        for key in wanted:
            opened.setdefault(key, writer.length)
        writer.text(run.text if run.code else defuse(run.text))
    for (kind, url), start in opened.items():
        writer.mark(kind, start, url=url)


def _marks(run: Run, *, bold: bool) -> Iterator[tuple[str, str]]:
    """Yield the kinds of a run: code stands alone, even in a heading; everything else may be together."""
    if run.url.startswith(("http://", "https://")) and run.text != run.url:
        yield "text_link", run.url
    elif run.code:
        yield "code", ""
        return
    if run.bold or bold:
        yield "bold", ""
    if run.italic:
        yield "italic", ""
    if run.strike:
        yield "strikethrough", ""


def _folded(block: Paragraph) -> bool:
    """Whether this is the long list of sources under an answer."""
    lines = "".join(run.text for run in block.runs).split("\n")
    return block.quote == 0 and lines[0] in HEADINGS and block.runs[0].bold and len(lines) > FOLDED_FROM
