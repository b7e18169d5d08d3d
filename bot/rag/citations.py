"""Numbers in the text -> sources: marks that name no passage go, code stays as it is (pure)."""

import re
from collections.abc import Callable, Sequence

from bot.domain.answers import Citation
from bot.domain.memories import Passage

MARK = re.compile(
    r"(?P<space>[ \t]*)\[(?P<numbers>\^?\d{1,3}(?:\s*(?:,|;|[-–—]|\bto\b)\s*\d{1,3})*)\](?!\(|:\s*(?:https?:|<))"
)
"""`[1]`, `[1, 2]`, `[1-3]`; not the words of a link."""
CODE = re.compile(
    r"(?P<fence>^[ \t]*(```+|~~~+)[^\n]*\n.*?(?:^[ \t]*\2[ \t]*$|\Z))|(?P<span>(`+)(?!`).+?(?<!`)\4(?!`))",
    re.DOTALL | re.MULTILINE,
)
LONGEST_RANGE = 20
QUOTE_CHARACTERS = 240


def cite(text: str, passages: Sequence[Passage]) -> tuple[str, tuple[Citation, ...]]:
    """Return the text with valid [n] marks only, and its sources in the order of their first mark.

    Passages are numbered from 1 in the given order and never renumbered. One memory has one source line, under the
    number of its passage cited first; its other passages' marks become that number.
    """
    lines: dict[str, int] = {}

    def marks(found: re.Match[str]) -> str:
        valid = [number for number in named(found["numbers"]) if 1 <= number <= len(passages)]
        kept = [lines.setdefault(passages[number - 1].memory_id, number) for number in valid]
        written = "".join(f"[{number}]" for number in dict.fromkeys(kept))
        return found["space"] + written if written else ""

    clean = outside_code(text, lambda prose: once_a_chain(MARK.sub(marks, prose)))
    return clean, tuple(citation(number, passages[number - 1]) for number in lines.values())


def named(numbers: str) -> tuple[int, ...]:
    """Return the numbers that the inside of a mark names: `1, 3-5` is 1, 3, 4, 5."""
    found: list[int] = []
    for part in re.split(r"[,;]", numbers):
        ends = [int(digits) for digits in re.findall(r"\d+", part)]
        wide = len(ends) > 1 and 0 <= ends[-1] - ends[0] <= LONGEST_RANGE
        found.extend(range(ends[0], ends[-1] + 1) if wide else ends)
    return tuple(found)


def once_a_chain(text: str) -> str:
    """Return the text with each number once in a chain of marks: `[1][2][1]` is `[1][2]`."""

    def unique(chain: re.Match[str]) -> str:
        return "".join(dict.fromkeys(re.findall(r"\[\d+\]", chain[0])))

    return re.sub(r"\[\d+\](?:\[\d+\])+", unique, text)


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return the text with `change` applied to everything that is not a code block or a code span."""
    parts, start = [], 0
    for code in CODE.finditer(text):
        parts += [change(text[start : code.start()]), code[0]]
        start = code.end()
    return "".join((*parts, change(text[start:])))


def cited_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers that the marks of a text name, in order, code left out."""
    found: list[int] = []

    def collect(prose: str) -> str:
        found.extend(number for mark in MARK.finditer(prose) for number in named(mark["numbers"]))
        return prose

    outside_code(text, collect)
    return tuple(dict.fromkeys(found))


def citation(number: int, passage: Passage) -> Citation:
    """Return the source line of a passage under its number."""
    quote = " ".join(passage.text.split())
    return Citation(
        number=number,
        memory_id=passage.memory_id,
        title=passage.title,
        url=passage.url,
        quote=quote if len(quote) <= QUOTE_CHARACTERS else quote[: QUOTE_CHARACTERS - 1].rsplit(" ", 1)[0] + "…",
        person_name=passage.person_name,
        room_name=passage.room_name,
        shared_at=passage.shared_at,
        permalink=passage.permalink,
    )
