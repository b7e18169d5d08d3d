"""Fuse rankings into one, and choose from it what is worth reading: no document fills every place (pure)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.domain.memories import Passage
from bot.ports import Hit

RANK_OFFSET = 10
"""The constant k of reciprocal-rank fusion; small, so that the first places count (chosen by measurement)."""
EXTRA_WORDINGS_WEIGHT = 0.5
"""What all extra wordings together weigh; the original weighs 1."""
VOTED_DOWN = "votes:down"
"""In `Passage.found_by`: people voted it down for a question like this one, so it is never the first to be cited."""
SHINGLE = 4
NEAR_DUPLICATE = 0.85
"""Share of the smaller text's word 4-grams that the other holds too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """What one wording found in one way, best first."""

    way: Literal["words", "meaning"]
    wording: str
    hits: tuple[Hit, ...]
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fused:
    """A chunk with its fused score and which wordings found it, in which way."""

    chunk_id: int
    memory_id: str
    score: float
    found_by: tuple[str, ...]


def wording_weights(count: int, alike: int = 1) -> tuple[float, ...]:
    """Return the weight of each wording: the first `alike` share 1, all the others share one half of that."""
    extra = count - alike
    return (*(1.0 / alike for _ in range(alike)), *(EXTRA_WORDINGS_WEIGHT / extra for _ in range(extra)))


def fuse(rankings: Sequence[Ranking], *, k: int = RANK_OFFSET) -> tuple[Fused, ...]:
    """Sum `weight / (k + rank)` over the rankings (Cormack, Clarke and Büttcher 2009), best first.

    Every term is positive: agreement between wordings raises a chunk and nothing lowers it.
    """
    scores: Counter[int] = Counter()
    found_by: dict[int, list[str]] = {}
    memory_ids: dict[int, str] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking.hits, start=1):
            scores[hit.chunk_id] += ranking.weight / (k + rank)  # type: ignore[assignment]
            found_by.setdefault(hit.chunk_id, []).append(f"{ranking.way}:{ranking.wording}")
            memory_ids[hit.chunk_id] = hit.memory_id
    ordered = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))
    return tuple(
        Fused(
            chunk_id=chunk_id,
            memory_id=memory_ids[chunk_id],
            score=scores[chunk_id],
            found_by=tuple(found_by[chunk_id]),
        )
        for chunk_id in ordered
    )


def diversify(passages: Sequence[Passage], *, limit: int, per_document: int | None = None) -> tuple[Passage, ...]:
    """Return at most `limit` passages, best first: near-duplicates once, two in five of one document.

    Places that no other document can take go back to the documents that are full.
    """
    cap = per_document or max(1, round(limit * 2 / 5))
    taken: Counter[str] = Counter()
    first: list[Passage] = []
    spare: list[Passage] = []
    for passage in distinct(sorted(passages, key=lambda passage: -passage.score)):
        (first if taken[passage.memory_id] < cap else spare).append(passage)
        taken[passage.memory_id] += 1
        if len(first) == limit:
            break
    chosen = first[:limit] + spare[: max(0, limit - len(first))]
    return tuple(sorted(chosen, key=lambda passage: -passage.score))


def distinct(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield the first of passages that say the same in nearly the same words; no more is compared than is taken."""
    kept: list[frozenset[tuple[str, ...]]] = []
    for passage in passages:
        shingles = word_shingles(passage.text)
        if not any(overlap(shingles, other) >= NEAR_DUPLICATE for other in kept):
            kept.append(shingles)
            yield passage


def word_shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of four words of a text; all its words as one run where there are fewer."""
    words = re.findall(r"\w+", text.lower())
    return frozenset(tuple(words[at : at + SHINGLE]) for at in range(max(1, len(words) - SHINGLE + 1)))


def overlap(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    """Return the share of the smaller set that the other holds."""
    return len(one & other) / max(1, min(len(one), len(other)))


def keep_in_front(order: Sequence[int], sure: Sequence[int], *, places: int = 3) -> tuple[int, ...]:
    """Return the order with every sure hit among the first `places`, behind what outranks it there already."""
    late = [chunk_id for chunk_id in sure if chunk_id in order[places:]]
    rest = [chunk_id for chunk_id in order if chunk_id not in late]
    room = max(0, places - len(late))
    return (*rest[:room], *late, *rest[room:])


def blend(parts: Sequence[tuple[float, Mapping[int, float]]]) -> dict[int, float]:
    """Return the weighted sum of scores, each part stretched to [0, 1] over its own values first.

    A convex combination keeps distances that ranks lose (Bruch, Gai and Ingber 2023); what a part lacks counts 0.
    """
    total: dict[int, float] = {}
    for weight, scores in parts:
        low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
        for chunk_id, score in scores.items():
            share = (score - low) / (high - low) if high > low else 1.0
            total[chunk_id] = total.get(chunk_id, 0.0) + weight * share
    return total
