"""Search every wording by words and by meaning, fuse what was found, and choose the passages to read."""

import asyncio
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.domain.answers import RetrievalParameters, VotedPassage
from bot.domain.memories import Filters, Passage
from bot.domain.rooms import Scope
from bot.ports import Embedder, Feedback, PassageSearch, Vectors
from bot.rag.fusion import VOTED_DOWN, Fused, Ranking, blend, diversify, fuse, keep_in_front, wording_weights
from bot.rag.lexicon import FUNCTION_WORDS, TOKEN, fold, terms
from bot.rag.weights import coverage

DEPTH = 100
"""Hits of each wording in each way."""
CANDIDATES = 50
"""Fused chunks that are compared with the question again, by its stored vector and its words."""
EVEN = 0.5
"""What the second look leans back to: half way from the intent's weight of meaning."""
OTHER_WORDING = 0.8
"""How much nearness to another wording counts, where it is greater than nearness to the original."""
RANKS = 0.05
"""How much the fused ranks of all wordings count beside meaning and words, which together weigh 1."""
FIRST, NEAR_FIRST = 3, 0.2
"""How many of the first chunks tell what the answer is about, and how much nearness to them counts."""
IN_ORDER = 0.4
"""How much it counts that the question's words stand in the passage in its order (Metzler and Croft 2005)."""
RUN = 3
"""Words of such a run."""
LITERAL = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])[\w./:#-]{4,}|\d{5,}")
"""A term that people copy rather than think up: a part number, an error code, an id."""
RARE = 3
"""Chunks that hold a literal at most, for a hit by it to be sure."""
SAME_QUESTION = 0.6
"""Cosine of two questions from which a vote on one counts for the other."""
STEP_BACK = 0.05
VOTE = 0.5
"""What a full vote takes from or adds to a score, as a share of the best score."""


def in_order(question: str, text: str) -> float:
    """Return the share of the question's runs of three words that stand in the text; 0 for a question too short."""
    asked = runs(question)
    return len(asked & runs(text)) / len(asked) if asked else 0.0


def runs(text: str) -> set[tuple[str, ...]]:
    """Return every run of three words, without case and accents."""
    words = [fold(token.lower()) for token in TOKEN.findall(text)]
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that may be chosen, its stored vector, and its cosine to the wordings, the original counting most."""

    passage: Passage
    vector: Vectors
    near: float


class Retriever:
    """The search of the palace for a question in all its wordings."""

    def __init__(self, search: PassageSearch, embedder: Embedder, feedback: Feedback | None) -> None:
        self._search = search
        self._embedder = embedder
        self._feedback = feedback

    async def retrieve(
        self,
        queries: Sequence[str],
        parameters: RetrievalParameters,
        scopes: Sequence[Scope],
        filters: Filters,
        *,
        alike: int = 1,
    ) -> tuple[Passage, ...]:
        """Return the best passages for the first wording, with the others' help, best first.

        The first `alike` wordings count the same: a follow-up as typed, and with its context. Raises StorageTrouble,
        and what the embedder raises.
        """
        if not queries or not scopes or parameters.passages < 1:
            return ()
        vectors = await self._embedder.embed_queries(queries)
        rankings = await self._rankings(queries, vectors, parameters, scopes, filters, alike)
        fused = fuse(rankings)
        if not fused:
            return ()
        candidates = await self._candidates(fused[:CANDIDATES], vectors, scopes, alike)
        words = [ranking for ranking in rankings if ranking.way == "words"]
        scores = await self._rescored(candidates, words, parameters, scopes, alike)
        votes = await self._votes(vectors[0], scopes)
        scores = {
            one.passage.chunk_id: scores[one.passage.chunk_id] + IN_ORDER * in_order(queries[0], whole(one.passage))
            for one in candidates
        }
        scores = with_votes(scores, votes)
        sure = await self._sure(queries[0], words[0], candidates, votes, scopes)
        lowered = {vote.chunk_id for vote in votes if vote.value < 0}
        passages = [told(one.passage, scores[one.passage.chunk_id], lowered) for one in candidates]
        return chosen(sorted(passages, key=lambda one: -one.score), sure, limit=parameters.passages)

    async def _rankings(
        self,
        queries: Sequence[str],
        vectors: Vectors,
        parameters: RetrievalParameters,
        scopes: Sequence[Scope],
        filters: Filters,
        alike: int,
    ) -> tuple[Ranking, ...]:
        async def by_words(query: str, weight: float) -> Ranking:
            hits = await self._search.by_words(query, scopes, filters, limit=DEPTH)
            return Ranking(way="words", wording=query, hits=hits, weight=weight * parameters.by_words)

        async def by_meaning(query: str, vector: Vectors, weight: float) -> Ranking:
            hits = await self._search.by_meaning(vector, scopes, filters, limit=DEPTH)
            return Ranking(way="meaning", wording=query, hits=hits, weight=weight * parameters.by_meaning)

        weights = wording_weights(len(queries), alike)
        both = [
            search
            for query, vector, weight in zip(queries, vectors, weights, strict=True)
            for search in (by_words(query, weight), by_meaning(query, vector, weight))
        ]
        return tuple(await asyncio.gather(*both))

    async def _candidates(
        self, fused: Sequence[Fused], wordings: Vectors, scopes: Sequence[Scope], alike: int
    ) -> tuple[Candidate, ...]:
        """Return the fused chunks as passages, with their stored vectors; best first by fused score."""
        chunk_ids = [one.chunk_id for one in fused]
        read, stored = await asyncio.gather(self._search.passages(chunk_ids, scopes), self._search.vectors(chunk_ids))
        by_id = {one.chunk_id: (one, vector) for one, vector in zip(fused, stored, strict=True)}
        return tuple(candidate(passage, *by_id[passage.chunk_id], wordings, alike) for passage in read)

    async def _rescored(
        self,
        candidates: Sequence[Candidate],
        words: Sequence[Ranking],
        parameters: RetrievalParameters,
        scopes: Sequence[Scope],
        alike: int,
    ) -> dict[int, float]:
        """Return scores that blend nearness, BM25, rare words covered and ranks, then nearness to the first few."""
        wanted = [await self._wanted(ranking.wording, scopes) for ranking in words]
        ids = [one.passage.chunk_id for one in candidates]
        covered = [
            {one.passage.chunk_id: coverage(of_one, set(terms(whole(one.passage)))) for one in candidates}
            for of_one in wanted
        ]
        both = (parameters.by_meaning + parameters.by_words) or 1.0
        by_meaning = (parameters.by_meaning / both + EVEN) / 2
        by_words = (1 - by_meaning) / 2
        first = blend(
            (
                (by_meaning, {one.passage.chunk_id: one.near for one in candidates}),
                (by_words, best_of([bm25(ranking, ids) for ranking in words], alike)),
                (by_words, best_of(covered, alike)),
                (RANKS, {one.passage.chunk_id: one.passage.score for one in candidates}),
            )
        )
        leading = sorted(candidates, key=lambda one: -first[one.passage.chunk_id])[:FIRST]
        if not leading:
            return {}
        centre = np.asarray(np.mean([one.vector for one in leading], axis=0), dtype=np.float32)
        resembling = {one.passage.chunk_id: float(one.vector @ centre) for one in candidates}
        return blend(((1.0 + RANKS, first), (NEAR_FIRST, resembling)))

    async def _wanted(self, question: str, scopes: Sequence[Scope]) -> dict[str, float]:
        """Return the question's terms, each with how rare it is in the index (inverse document frequency)."""
        tokens = [token.lower() for token in TOKEN.findall(question) if token.lower() not in FUNCTION_WORDS]
        frequency, total = await asyncio.gather(
            self._search.document_frequency(tokens, scopes), self._search.chunk_total()
        )
        return {
            fold(token): math.log1p(max(0.0, total - frequency.get(token, 0) + 0.5) / (frequency.get(token, 0) + 0.5))
            for token in tokens
        }

    async def _votes(self, question: Vectors, scopes: Sequence[Scope]) -> tuple[VotedPassage, ...]:
        if self._feedback is None:
            return ()
        return await self._feedback.for_question(question, scopes, floor=SAME_QUESTION)

    async def _sure(
        self,
        question: str,
        words: Ranking,
        candidates: Sequence[Candidate],
        votes: Sequence[VotedPassage],
        scopes: Sequence[Scope],
    ) -> tuple[int, ...]:
        """Return the chunk that the question's own words put first because it holds a rare literal of theirs."""
        literals = [literal.strip(".:/#-").lower() for literal in LITERAL.findall(question)]
        voted_down = {vote.chunk_id for vote in votes if vote.value < 0}
        if not literals or not words.hits or words.hits[0].chunk_id in voted_down:
            return ()
        frequency = await self._search.document_frequency(literals, scopes)
        rare = [literal for literal in literals if 0 < frequency.get(literal, 0) <= RARE]
        first = words.hits[0].chunk_id
        return tuple(first for one in candidates if one.passage.chunk_id == first and any(held(one.passage, rare)))


def candidate(passage: Passage, fused: Fused, vector: Vectors, wordings: Vectors, alike: int) -> Candidate:
    """Return a passage with its fused score, its greatest cosine to a wording, and what found it."""
    near = wordings @ vector
    found = replace(passage, score=fused.score, similarity=float(near.max()), found_by=fused.found_by)
    return Candidate(found, vector, max(float(near[:alike].mean()), OTHER_WORDING * float(near.max())))


def told(passage: Passage, score: float, lowered: set[int]) -> Passage:
    """Return a passage with its final score, and the vote against it where there is one."""
    by = (*passage.found_by, VOTED_DOWN) if passage.chunk_id in lowered else passage.found_by
    return replace(passage, score=score, found_by=by)


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


def chosen(passages: Sequence[Passage], sure: Sequence[int], *, limit: int) -> tuple[Passage, ...]:
    """Return the passages to read: diverse, best first, a sure hit among the first three."""
    scores = {one.chunk_id: one.score for one in passages}
    order = keep_in_front([one.chunk_id for one in passages], sure)
    by_id = {one.chunk_id: one for one in passages}
    # A hit brought forward takes the score of the place it holds, so that the order by score stays one order.
    ceilings = dict(zip(order, sorted(scores.values(), reverse=True), strict=True))
    placed = [replace(by_id[chunk_id], score=ceilings[chunk_id]) for chunk_id in order]
    return diversify(placed, limit=limit)


def with_votes(scores: dict[int, float], votes: Iterable[VotedPassage]) -> dict[int, float]:
    """Return the scores raised and lowered by votes on questions that mean the same.

    A chunk voted down falls well below the best one that no vote lowered, so that it is not cited first.
    """
    changed = dict(scores)
    best = max(scores.values(), default=0.0)
    for vote in votes:
        if vote.chunk_id in changed:
            changed[vote.chunk_id] += VOTE * best * vote.similarity * max(-2, min(2, vote.value))
    lowered = {vote.chunk_id for vote in votes if vote.value < 0} & changed.keys()
    kept = [score for chunk_id, score in changed.items() if chunk_id not in lowered]
    for chunk_id in lowered:
        if kept:
            changed[chunk_id] = min(changed[chunk_id], max(kept) / 2 - STEP_BACK)
    return changed


def held(passage: Passage, literals: Sequence[str]) -> Iterable[bool]:
    """Yield for each literal whether the passage holds it, letter by letter."""
    text = whole(passage).lower()
    return (literal in text for literal in literals)


def whole(passage: Passage) -> str:
    """Return everything of a passage that its index holds."""
    return f"{passage.title}\n{passage.heading}\n{passage.note}\n{passage.url}\n{passage.text}"
