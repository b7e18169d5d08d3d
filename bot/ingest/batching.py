"""Embed what several pages need together, in lanes, so that what was just shared waits for no import and no book."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np

from bot.ports import Embedder, Vectors

Waiting = tuple[Sequence[str], "asyncio.Future[Vectors]"]
"""Texts, and where their vectors go."""
MOST_TEXTS = 128
"""In one go; the embedder cuts this into its own batches, alike in length."""
A_PART = 64
"""Of a long text; after each it stands in line again."""


class Lanes:
    """Three lines before one model, which works for all that wait in turn, batch by batch."""

    def __init__(self, embedder: Embedder) -> None:
        self._just_shared, self._pages, self._books = Batcher(embedder), Batcher(embedder), Batcher(embedder)

    async def embed(
        self, texts: Sequence[str], *, just_shared: bool, told: Callable[[int], None] | None = None
    ) -> Vectors:
        """Return one vector a text, in order; `told` hears after each part how many are made."""
        if len(texts) > MOST_TEXTS:
            return await self._books.embed(texts, told)
        return await (self._just_shared if just_shared else self._pages).embed(texts, told)


class Batcher:
    """Gathers texts while the model is busy, and hands them on together."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._waiting: list[Waiting] = []
        self._running: asyncio.Task[None] | None = None

    async def embed(self, texts: Sequence[str], told: Callable[[int], None] | None = None) -> Vectors:
        """Return one vector a text, in order. Raises what the embedder raises."""
        if not texts:
            return np.zeros((0, self._embedder.dimensions), dtype=np.float32)
        parts: list[Vectors] = []
        for at in range(0, len(texts), A_PART):
            parts.append(await self._part(texts[at : at + A_PART]))
            if told:
                told(at + len(parts[-1]))
        return np.concatenate(parts)

    async def _part(self, texts: Sequence[str]) -> Vectors:
        answer: asyncio.Future[Vectors] = asyncio.get_running_loop().create_future()
        self._waiting.append((texts, answer))
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._work())
        return await answer

    async def _work(self) -> None:
        while self._waiting:
            taken = self._take()
            try:
                vectors = await self._embedder.embed([text for texts, _ in taken for text in texts])
            except Exception as error:  # noqa: BLE001 - handed to everybody who waits for this batch
                for _, answer in taken:
                    settle(answer, error)
                continue
            start = 0
            for texts, answer in taken:
                settle(answer, vectors[start : start + len(texts)])
                start += len(texts)

    def _take(self) -> "list[Waiting]":
        """Take who waits longest, as many as fit; always at least one."""
        taken: list[Waiting] = []
        total = 0
        while self._waiting and (not taken or total + len(self._waiting[0][0]) <= MOST_TEXTS):
            taken.append(self._waiting.pop(0))
            total += len(taken[-1][0])
        return taken


def settle(answer: "asyncio.Future[Vectors]", outcome: "Vectors | Exception") -> None:
    """Give the answer, unless nobody waits for it any more."""
    with suppress(asyncio.InvalidStateError):
        if isinstance(outcome, Exception):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)
