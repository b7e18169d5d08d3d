"""Find other wordings of a question: each side of a comparison, and the rare words of what the question finds."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from bot.domain.memories import Filters, Passage
from bot.domain.rooms import Scope
from bot.ports import Embedder, PassageSearch
from bot.rag.context_words import FUNCTION, GENERIC
from bot.rag.leaning import WORD, plain, stem
from bot.rag.sides import sides

FEEDBACK_PASSAGES = 6
ADDED_WORDS = 4
LEAST_SHARED = 2
"""Of the passages found, those that must hold a word before it may widen the question."""
LONGEST = 300
"""Characters of a wording: a longer one is no question."""
MARK = re.compile(r"^\s*(?:[-*+•‣◦>]+|\(?\d{1,2}\s*[.):]|[a-z][.)])\s+", re.IGNORECASE)
COMPARES = re.compile(
    r"\b(?:compar\w*|versus|vs|differ\w*|better|worse|vergl\w+|unterschied\w*|besser|diferencia\w*|mejor|peor)\b",
    re.IGNORECASE,
)
CARRIED = re.compile(r"(?P<question>.+?)\s*\((?P<subjects>[^()]+,[^()]+)\)$", re.DOTALL)
"""A question that the rewriter has added subjects to."""
MOST_SIDES = 4
QUOTES = "\"'“”„«»`"


class Expander:
    """Pseudo-relevance feedback (Lavrenko and Croft 2001, in the plain form of Rocchio): the corpus' own words."""

    def __init__(self, embedder: Embedder, search: PassageSearch) -> None:
        self._embedder = embedder
        self._search = search

    async def expand(
        self, standalone: str, *, count: int, scopes: Sequence[Scope], filters: Filters
    ) -> tuple[str, ...]:
        """Return at most `count` wordings beside the question itself; none where the corpus has nothing to add."""
        if count < 1:
            return ()
        wordings = list(sub_questions(standalone))
        if len(wordings) < count:
            passages = await self._found(standalone, scopes, filters)
            words = await self._telling(standalone, passages, scopes)
            wordings += widened(standalone, words, count=count - len(wordings))
        return clean_wordings(standalone, wordings, limit=count + 1)[1:]

    async def _found(self, text: str, scopes: Sequence[Scope], filters: Filters) -> tuple[Passage, ...]:
        hits = await self._search.by_words(text, scopes, filters, limit=FEEDBACK_PASSAGES)
        return await self._search.passages([hit.chunk_id for hit in hits], scopes)

    async def _telling(self, text: str, passages: Sequence[Passage], scopes: Sequence[Scope]) -> tuple[str, ...]:
        """Return the words that several found passages share and the corpus has seldom, most telling first."""
        counts, forms = shared_words(text, passages)
        if not counts:
            return ()
        frequencies = await self._search.document_frequency([forms[key] for key in counts], scopes)
        total = max(1, await self._search.chunk_total())
        weights = {
            key: count * math.log((total + 1) / (frequencies.get(forms[key], 0) + 0.5)) for key, count in counts.items()
        }
        best = sorted(weights, key=lambda key: (-weights[key], key))
        return tuple(forms[key] for key in best)


def shared_words(text: str, passages: Sequence[Passage]) -> tuple[dict[str, int], dict[str, str]]:
    """Return in how many passages each word occurs that the question lacks, and how it is written; keys are stems."""
    own = {stem(word) for word in WORD.findall(text)}
    counts: Counter[str] = Counter()
    forms: dict[str, str] = {}
    for passage in passages:
        words = {stem(word): word for word in WORD.findall(f"{passage.title} {passage.text}") if telling(word)}
        counts.update(words.keys() - own)
        forms |= {key: word.lower() for key, word in words.items()}
    return {key: count for key, count in counts.items() if count >= LEAST_SHARED}, forms


def telling(word: str) -> bool:
    """Return whether a word may widen a question: no function word, no number, no single letter."""
    return len(word) > 2 and not word[0].isdigit() and not {plain(word), stem(word)} & (FUNCTION | GENERIC)  # noqa: PLR2004 - shorter ones say little


def sub_questions(text: str) -> tuple[str, ...]:
    """Return one wording a side of a comparison, with what is compared; none for other questions.

    A follow-up with several subjects in brackets behind it asks the same of each of them.
    """
    if carried := CARRIED.match(text):
        parts = tuple(part.strip() for part in carried["subjects"].split(","))
        text = carried["question"]
    else:
        parts = sides(text) if COMPARES.search(text) else ()
    if not 1 < len(parts) <= MOST_SIDES:
        return ()
    rest = [word for word in WORD.findall(text) if plain(word) not in FUNCTION | COMPARING]
    taken = {stem(word) for part in parts for word in WORD.findall(part)}
    common = " ".join(word for word in rest if stem(word) not in taken)
    return tuple(f"{part} {common}".strip() for part in parts)


COMPARING_TEXT = """
compare compared comparing comparison difference differences differ versus vs better worse
vergleiche vergleich unterschied compara diferencia
"""
COMPARING = frozenset(COMPARING_TEXT.split())


def widened(text: str, words: Sequence[str], *, count: int) -> tuple[str, ...]:
    """Return the question with telling words behind it, each wording with others."""
    groups = [words[at : at + ADDED_WORDS] for at in range(0, len(words), ADDED_WORDS)]
    return tuple(f"{text} {' '.join(group)}" for group in groups[: max(0, count)])


def clean_wordings(original: str, raw: str | Sequence[str], *, limit: int) -> tuple[str, ...]:
    """Return the original and then the other wordings without marks, blanks, duplicates and overlong ones.

    Two wordings are one if they differ in case, spaces and punctuation only. At most `limit`, the original included.
    """
    lines = raw.splitlines() if isinstance(raw, str) else [line for one in raw for line in one.splitlines()]
    kept = {same(original): original}
    for line in lines:
        wording = " ".join(MARK.sub("", line).strip().strip(QUOTES).split())
        if same(wording) and len(wording) <= LONGEST:
            kept.setdefault(same(wording), wording)
    return tuple(kept.values())[: max(1, limit)]


def same(text: str) -> str:
    """Return what two wordings have in common when they are one."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())
