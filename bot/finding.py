"""Find memories while somebody types: those with the words, then those that mean nearly the same."""

import asyncio
from collections.abc import Sequence
from typing import Final

from bot.domain.memories import Filters, Memory
from bot.domain.rooms import Scope
from bot.ports import Embedder, MemoryStore, PassageSearch

MOST: Final = 25
WITHIN_S: Final = 1.5
"""Who types does not wait for longer; what has the words is there at once."""
FLOOR: Final = 0.4
"""Cosine under which a passage is taken to be about something else; nine in ten answers to questions lie above."""


class Finder:
    """Answers a search box."""

    def __init__(self, *, memories: MemoryStore, search: PassageSearch, embedder: Embedder) -> None:
        self._memories = memories
        self._search = search
        self._embedder = embedder

    async def find(self, typed: str, scopes: Sequence[Scope]) -> tuple[Memory, ...]:
        """Return the newest memories without any words typed; else those with them before those that mean them."""
        text = typed.strip()
        named = await self._memories.list(Filters(), scopes, limit=MOST, matching=text)
        if not text or len(named) >= MOST or not self._embedder.ready:
            return named
        try:
            async with asyncio.timeout(WITHIN_S):
                meant = await self._meant(text, scopes)
        except TimeoutError:
            return named
        return tuple({memory.memory_id: memory for memory in (*named, *meant)}.values())[:MOST]

    async def _meant(self, text: str, scopes: Sequence[Scope]) -> tuple[Memory, ...]:
        (vector,) = await self._embedder.embed_queries((text,))
        hits = await self._search.by_meaning(vector, scopes, Filters(), limit=MOST)
        near = dict.fromkeys(hit.memory_id for hit in hits if hit.score >= FLOOR)
        found = [await self._memories.get(memory_id, scopes) for memory_id in near]
        return tuple(memory for memory in found if memory is not None)
