"""Compare the chunks that were found with the question once more: by meaning, by words, and as a copy of it (pure)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from bot.domain.answers import RetrievalParameters
from bot.domain.memories import Passage
from bot.ports import Vectors
from bot.rag.fusion import Fused, Ranking, blend
from bot.rag.lexicon import FUNCTION_WORDS, TOKEN, fold
from bot.rag.weights import coverage

EVEN = 0.3
"""What the second look leans to: half way from the intent's weight of meaning."""
OTHER_WORDING = 0.5
"""How much another wording counts, where it says more for a chunk than the original: a wording may be wrong.
At .8 the corpus' own words made scientific claims harder to find than no other wording at all."""
RANKS = 0.05
"""How much the fused ranks of all wordings count beside meaning and words, which together weigh 1."""
FIRST, NEAR_FIRST = 3, 0.2
"""How many of the first chunks tell what the answer is about, and how much nearness to them counts."""
COPIED = 0.5
"""What is added for a passage that holds the whole question word for word."""
LEAST_COPIED, SHORTEST_COPY = 0.5, 4
"""Share of the question's content, and number of words, from which a run of words is a copy and no coincidence."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that may be chosen, how it was found, its stored vector, and its cosines to the wordings."""

    passage: Passage
    fused: Fused
    vector: Vectors
    nearest: float
    """To the wording that is nearest."""
    near: float
    """The original counting most."""


@dataclass(frozen=True, slots=True)
class Words:
    """A text's words as they stand, and those of them that tell something, folded."""

    tokens: tuple[str, ...]
    telling: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the words of a text."""
        tokens = tuple(TOKEN.findall(text.lower()))
        return cls(tokens, frozenset(map(fold, set(tokens) - FUNCTION_WORDS)))

    def in_order(self) -> tuple[str, ...]:
        """Return every word, folded."""
        return tuple(map(fold, self.tokens))


def candidate(passage: Passage, fused: Fused, vector: Vectors, wordings: Vectors, alike: int) -> Candidate:
    """Return a passage with what found it and how near it is; the first `alike` wordings are the original's."""
    near = wordings @ vector
    nearest = float(near.max())
    return Candidate(passage, fused, vector, nearest, max(float(near[:alike].mean()), OTHER_WORDING * nearest))


def look_again(
    candidates: Sequence[Candidate],
    words: Sequence[Ranking],
    wanted: Sequence[Mapping[str, float]],
    parameters: RetrievalParameters,
    alike: int,
) -> dict[int, float]:
    """Return each chunk's score: nearness, words, ranks and copies blended, then nearness to the first few.

    `words` and `wanted` hold, for each wording, its ranking by words and its terms with their rarity.
    """
    if not candidates:
        return {}
    ids = [one.passage.chunk_id for one in candidates]
    texts = {one.passage.chunk_id: Words.of(whole(one.passage)) for one in candidates}
    covered = [{at: coverage(terms, text.telling) for at, text in texts.items()} for terms in wanted]
    both = (parameters.by_meaning + parameters.by_words) or 1.0
    by_meaning = (parameters.by_meaning / both + EVEN) / 2
    by_words = (1 - by_meaning) / 2
    near = {one.passage.chunk_id: one.near for one in candidates}
    ranks = {one.passage.chunk_id: one.fused.score for one in candidates}
    scores = blend(((by_meaning, near), (RANKS, ranks)))
    matched = from_zero(best_of([bm25(ranking, ids) for ranking in words], alike))
    held = from_zero(best_of(covered, alike))
    asked = Words.of(words[0].wording).in_order()
    first = {
        at: score + by_words * (matched[at] + held[at]) + COPIED * copied(asked, wanted[0], texts[at])
        for at, score in scores.items()
    }
    return blend(((1.0 + RANKS, first), (NEAR_FIRST, resembling(candidates, first))))


def resembling(candidates: Sequence[Candidate], scores: Mapping[int, float]) -> dict[int, float]:
    """Return each chunk's nearness to the middle of those with the best scores."""
    leading = sorted(candidates, key=lambda one: -scores[one.passage.chunk_id])[:FIRST]
    centre = np.asarray(np.mean([one.vector for one in leading], axis=0), dtype=np.float32)
    return {one.passage.chunk_id: float(one.vector @ centre) for one in candidates}


def copied(asked: Sequence[str], wanted: Mapping[str, float], text: Words) -> float:
    """Return in [0, 1] how much of a question stands in a text word for word; 0 where that may be a coincidence.

    Counted is the longest run of the same words in the same order, each word weighing what it tells: ordered features
    find what no bag of words tells apart (Metzler and Croft 2005), here for sentences that were copied from a page.
    """
    total = sum(wanted.get(word, 0.0) for word in asked)
    if total <= 0 or len(asked) < SHORTEST_COPY:
        return 0.0
    # A run holds no more than the whole text does: most passages need no look at their order.
    if sum(wanted.get(word, 0.0) for word in asked if word in text.telling) <= LEAST_COPIED * total:
        return 0.0
    share = heaviest_run(asked, wanted, text.in_order()) / total
    return max(0.0, share - LEAST_COPIED) / (1 - LEAST_COPIED)


def heaviest_run(asked: Sequence[str], weights: Mapping[str, float], text: Sequence[str]) -> float:
    """Return what the heaviest run of words weighs that both texts hold, of those that are long enough."""
    places: dict[str, list[int]] = {word: [] for word in asked}
    for at, word in enumerate(text):
        if word in places:
            places[word].append(at)
    heaviest = 0.0
    ending: dict[int, tuple[int, float]] = {}
    for word in asked:
        runs = [(at, *ending.get(at - 1, (0, 0.0))) for at in places[word]]
        ending = {at: (length + 1, weight + weights.get(word, 0.0)) for at, length, weight in runs}
        long = (weight for length, weight in ending.values() if length >= SHORTEST_COPY)
        heaviest = max(heaviest, max(long, default=0.0))
    return heaviest


def from_zero(scores: Mapping[int, float]) -> dict[int, float]:
    """Return the scores with the best as 1 and nothing as 0, unlike a stretch from the least of them."""
    best = max(scores.values(), default=0.0)
    return {chunk_id: score / best if best > 0 else 0.0 for chunk_id, score in scores.items()}


def bm25(words: Ranking, chunk_ids: Sequence[int]) -> dict[int, float]:
    """Return what a ranking by words gives each chunk, its best hit 1."""
    scores = {hit.chunk_id: hit.score for hit in words.hits}
    best = max(scores.values(), default=0.0)
    return {chunk_id: scores.get(chunk_id, 0.0) / best if best > 0 else 0.0 for chunk_id in chunk_ids}


def best_of(wordings: Sequence[dict[int, float]], alike: int) -> dict[int, float]:
    """Return each chunk's mean value over the first `alike` wordings, or its best over the others, which count less."""
    return {
        chunk_id: max(
            sum(one[chunk_id] for one in wordings[:alike]) / alike,
            *(OTHER_WORDING * other[chunk_id] for other in wordings[alike:]),
            0.0,
        )
        for chunk_id in wordings[0]
    }


def whole(passage: Passage) -> str:
    """Return everything of a passage that its index holds."""
    return f"{passage.title}\n{passage.heading}\n{passage.note}\n{passage.url}\n{passage.text}"
