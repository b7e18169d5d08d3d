"""Read a stream in a task of its own, so that waiting for its next piece can be given up at any time."""

import asyncio
from collections.abc import AsyncIterator
from typing import Generic, TypeVar

from bot.rag.deadlines import Late, leave

Piece = TypeVar("Piece")


class Pump(Generic[Piece]):
    """The pieces of a stream, each within a time; one task reads the stream from its start to its end."""

    def __init__(self, pieces: AsyncIterator[Piece]) -> None:
        self._pieces: asyncio.Queue[Piece | None] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read(pieces))
        self._reading.add_done_callback(lambda _: self._pieces.put_nowait(None))

    async def _read(self, pieces: AsyncIterator[Piece]) -> None:
        async for piece in pieces:
            self._pieces.put_nowait(piece)

    async def next(self, seconds: float) -> Piece | None:
        """Return the next piece, None at the end. Raises Late, and whatever the stream raised."""
        try:
            async with asyncio.timeout(seconds):
                piece = await self._pieces.get()
        except TimeoutError:
            raise Late(f"no word within {seconds:.3g} s") from None
        if piece is None:
            self._reading.result()
        return piece

    def stop(self) -> None:
        """Leave the stream."""
        leave(self._reading)
