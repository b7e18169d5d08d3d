"""Cut an answer into its sentences as they stand, and take some of them out (pure)."""

import re
from collections.abc import Collection, Iterator, Sequence

from bot.domain.answers import Unsupported
from bot.rag.sentences import split_sentences

FENCE = re.compile(r"^\s*(?:```|~~~)")
LEAD = re.compile(r"^(\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|>\s?)*)(.*)$", re.DOTALL)
MARKS_FIRST = re.compile(r"^((?:\s*\[\d+\])+)(.*)$", re.DOTALL)
MARK = re.compile(r"\[\d+\]")


def statements(text: str) -> tuple[str, ...]:
    """Return the sentences of an answer as they stand in it, code left out."""
    return tuple(piece for line, is_code in lines(text) if not is_code for piece in pieces(line)[1])


def without(text: str, faults: Sequence[Unsupported]) -> str:
    """Return the text without the sentences at fault, and without what they leave empty."""
    wrong = {key(fault.sentence) for fault in faults} - {""}
    kept = [line if is_code else mended(line, wrong) for line, is_code in lines(text)]
    joined = "\n".join(line for line in kept if line is not None)
    return re.sub(r"\n{3,}", "\n\n", joined).strip()


def whole_sentences(text: str) -> str:
    """Return a text that broke off without its last, unfinished sentence."""
    body, _, last = text.rstrip().rpartition("\n")
    lead, said = pieces(last)
    if said and not re.search(r"[.!?。！？…|)\]\"”]\s*$", said[-1]):
        said = said[:-1]
    return f"{body}\n{lead}{' '.join(said)}".strip() if said else body.strip()


def mended(line: str, wrong: Collection[str]) -> str | None:
    """Return a line without the sentences at fault; None when nothing of it is left."""
    lead, said = pieces(line)
    if not said:
        return line
    kept = [piece for piece in said if key(piece) not in wrong]
    if len(kept) == len(said):
        return line
    return f"{lead}{' '.join(kept)}" if kept else None


def pieces(line: str) -> tuple[str, tuple[str, ...]]:
    """Return what a line begins with (bullet, number) and its sentences; marks after a full stop stay with theirs."""
    found = LEAD.match(line)
    lead, rest = (found[1], found[2]) if found else ("", line)
    said: list[str] = []
    for piece in split_sentences(rest):
        first = MARKS_FIRST.match(piece) if said else None
        if first:
            said[-1] += f" {first[1].strip()}"
        if words := first[2].strip() if first else piece:
            said.append(words)
    return lead, tuple(said)


def key(sentence: str) -> str:
    """Return a sentence in the form in which two renderings of it compare: letters and digits without marks."""
    return re.sub(r"\W+", "", MARK.sub("", sentence)).lower()


def lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield (line, whether it is code)."""
    inside = False
    for line in text.split("\n"):
        fence = FENCE.match(line) is not None
        yield line, inside or fence
        inside = inside != fence
