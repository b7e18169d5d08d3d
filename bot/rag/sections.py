"""Tell under which heading each piece of a passage stands, and keep of a table the rows that are asked for (pure)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.rag.lexicon import terms
from bot.rag.sentences import Sentence, sentences
from bot.rag.weights import coverage

MOST_ROWS = 12
"""Of a table that is quoted because none of its rows is asked for by name."""
NEARLY = 0.75
"""Share of the best row's words from which another row is asked for, too."""
DIVIDER = re.compile(r"^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$")
HEAD_LINES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A piece of a passage, where it stands in it, and the heading above it."""

    piece: Sentence
    place: int
    heading: str = ""


def placed(text: str, *, above: str = "") -> tuple[Placed, ...]:
    """Return the pieces of a passage without its headings; `above` is the heading under which it begins.

    A passage that holds nothing but headings gives these.
    """
    found: list[Placed] = []
    heading, pieces = above, sentences(text)
    for place, piece in enumerate(pieces):
        if piece.kind == "heading":
            heading = piece.text
        else:
            found.append(Placed(piece=piece, place=place, heading=heading))
    return tuple(found) or tuple(Placed(piece=piece, place=place) for place, piece in enumerate(pieces))


def sections(pieces: Sequence[Placed]) -> tuple[tuple[str, str], ...]:
    """Return (heading, text) of each section, in reading order."""
    gathered: dict[str, list[str]] = {}
    for one in pieces:
        gathered.setdefault(one.heading, []).append(spoken(one.piece))
    return tuple((heading, " ".join(texts)) for heading, texts in gathered.items())


def asked_rows(one: Placed, wanted: Mapping[str, float]) -> Placed:
    """Return a table with the rows alone that name what is asked for, under its head; anything else as it is."""
    lines = one.piece.text.splitlines()
    if one.piece.kind != "table" or not has_head(lines):
        return one
    rows = lines[HEAD_LINES:]
    named = set(terms(" ".join(lines[:1])))
    cells = {term: weight for term, weight in wanted.items() if term not in named}
    shares = [coverage(cells, set(terms(row))) for row in rows]
    most = max(shares, default=0.0)
    kept = [row for row, share in zip(rows, shares, strict=True) if share >= NEARLY * most] if most else rows
    return replace(one, piece=replace(one.piece, text="\n".join([*lines[:HEAD_LINES], *kept[:MOST_ROWS]])))


def rows_that(table: Sentence, wanted: Callable[[str], bool]) -> Sentence | None:
    """Return a table with the rows alone that are wanted, under its head; None where there is none."""
    lines = table.text.splitlines()
    if not has_head(lines):
        return table if wanted(table.text) else None
    kept = [row for row in lines[HEAD_LINES:] if wanted(row)]
    return replace(table, text="\n".join([*lines[:HEAD_LINES], *kept])) if kept else None


def has_head(lines: Sequence[str]) -> bool:
    """Whether a table has a head, a line below it, and rows."""
    return len(lines) > HEAD_LINES and DIVIDER.match(lines[1]) is not None


def spoken(piece: Sentence) -> str:
    """Return a piece as it would be said: a table row by row, each cell behind the name of its column."""
    lines = piece.text.splitlines()
    if piece.kind != "table" or not has_head(lines):
        return piece.text
    head = cells_of(lines[0])
    said = (
        ", ".join(f"{name} {cell}".strip() for name, cell in zip(head, cells_of(row), strict=False) if cell)
        for row in lines[HEAD_LINES:]
    )
    return ". ".join(said)


def cells_of(row: str) -> list[str]:
    """Return the cells of a table's row."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]
