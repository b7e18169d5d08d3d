"""Search every wording by words and by meaning, fuse what was found, and choose the passages to read."""

import asyncio
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.domain.answers import RetrievalParameters, VotedPassage
from bot.domain.memories import Filters, Passage
from bot.domain.rooms import Scope
from bot.ports import Embedder, Feedback, PassageSearch, Vectors
from bot.rag.fusion import (
    VOTED_DOWN,
    Fused,
    Ranking,
    distinct,
    diversify,
    fuse,
    keep_in_front,
    wording_weights,
)
from bot.rag.lexicon import FUNCTION_WORDS, TOKEN, fold
from bot.rag.second_look import Candidate, candidate, look_again, whole

DEPTH = 100
"""Hits of each wording in each way."""
CANDIDATES = 50
"""Fused chunks that are compared with the question again, by its stored vector and its words."""
LITERAL = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])[\w./:#-]{4,}|\d{5,}")
"""A term that people copy rather than think up: a part number, an error code, an id."""
FEWEST_WITH_A_SEAT = 4
"""Passages from which the last is kept for what another wording found."""
RARE = 3
"""Chunks that hold a literal at most, for a hit by it to be sure."""
SAME_QUESTION = 0.6
"""Cosine of two questions from which a vote on one counts for the other."""
STEP_BACK = 0.05
VOTE = 0.5
"""What a full vote takes from or adds to a score, as a share of the best score."""


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
        rankings, wanted, votes = await asyncio.gather(
            self._rankings(queries, vectors, parameters, scopes, filters, alike),
            self._wanted(queries, scopes),
            self._votes(vectors[0], scopes),
        )
        fused = fuse(rankings)
        if not fused:
            return ()
        candidates = await self._candidates(fused[:CANDIDATES], vectors, scopes, alike)
        words = [ranking for ranking in rankings if ranking.way == "words"]
        scores = look_again(candidates, words, wanted, parameters, alike)
        scores = with_votes(scores, votes)
        sure = await self._sure(queries[0], words[0], candidates, votes, scopes)
        lowered = {vote.chunk_id for vote in votes if vote.value < 0}
        passages = [told(one, scores[one.passage.chunk_id], lowered) for one in candidates]
        brought = brought_by(rankings[2 * alike :])
        return chosen(sorted(passages, key=lambda one: -one.score), sure, brought, limit=parameters.passages)

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

    async def _wanted(self, queries: Sequence[str], scopes: Sequence[Scope]) -> tuple[dict[str, float], ...]:
        """Return each wording's terms, each with how rare it is in the index (inverse document frequency)."""
        tokens = [[token for token in TOKEN.findall(text.lower()) if token not in FUNCTION_WORDS] for text in queries]
        every = tuple(dict.fromkeys(token for of_one in tokens for token in of_one))
        frequency, total = await asyncio.gather(
            self._search.document_frequency(every, scopes), self._search.chunk_total()
        )
        rarity = {
            token: math.log1p(max(0.0, total - frequency.get(token, 0) + 0.5) / (frequency.get(token, 0) + 0.5))
            for token in every
        }
        return tuple({fold(token): rarity[token] for token in of_one} for of_one in tokens)

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


def told(found: Candidate, score: float, lowered: set[int]) -> Passage:
    """Return a passage with its final score, what found it, and the vote against it where there is one."""
    by = found.fused.found_by
    if found.passage.chunk_id in lowered:
        by = (*by, VOTED_DOWN)
    return replace(found.passage, score=score, similarity=found.nearest, found_by=by)


def brought_by(others: Sequence[Ranking]) -> tuple[int, ...]:
    """Return what another wording than the original put first, by its words and by its meaning alike."""
    firsts = [ranking.hits[0].chunk_id if ranking.hits else None for ranking in others]
    return tuple(
        word for word, near in zip(firsts[::2], firsts[1::2], strict=True) if word is not None and word == near
    )


def chosen(
    passages: Sequence[Passage], sure: Sequence[int], brought: Sequence[int], *, limit: int
) -> tuple[Passage, ...]:
    """Return the passages to read: diverse, best first, a sure hit among the first three.

    Of several, the last place is for what another wording brought: the question's own words may be the wrong ones.
    """
    scores = {one.chunk_id: one.score for one in passages}
    order = keep_in_front([one.chunk_id for one in passages], sure)
    by_id = {one.chunk_id: one for one in passages}
    # A hit brought forward takes the score of the place it holds, so that the order by score stays one order.
    ceilings = dict(zip(order, sorted(scores.values(), reverse=True), strict=True))
    placed = [scored(by_id[chunk_id], ceilings[chunk_id]) for chunk_id in order]
    found = diversify(placed, limit=limit)
    there = {one.chunk_id for one in found}
    missing = [by_id[chunk_id] for chunk_id in brought if chunk_id in by_id and chunk_id not in there]
    if not missing or len(found) < FEWEST_WITH_A_SEAT:
        return found
    seated = tuple(distinct((*found[:-1], scored(missing[0], found[-1].score))))
    return seated if len(seated) == len(found) else found


def scored(passage: Passage, score: float) -> Passage:
    """Return a passage with this score."""
    return passage if passage.score == score else replace(passage, score=score)


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
