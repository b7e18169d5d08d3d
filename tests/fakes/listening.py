"""Run an adapter beside a test: until the context closes, with rooms and a clock that need no storage."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from bot.ports import Adapter, Core


class MemoryRooms:
    """`bot.ports.RoomSettings` in a dictionary."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], str] = {}

    async def get(self, key: str, name: str) -> str | None:
        return self.values.get((key, name))

    async def set(self, key: str, name: str, value: str | None) -> None:
        if value is None:
            self.values.pop((key, name), None)
        else:
            self.values[key, name] = value


class WallClock:
    """The real time."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@asynccontextmanager
async def running(adapter: Adapter, core: Core, *, ready: Callable[[], bool]) -> AsyncIterator[None]:
    """Run an adapter until the context closes; open once it is ready. Raises what ended it before."""
    task = asyncio.create_task(adapter.run(core))
    try:
        await until(lambda: task.done() or ready())
        if task.done():
            task.result()
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def until(condition: Callable[[], Any], *, within_s: float = 10.0) -> None:
    """Wait until something has happened."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - nobody tells when a stand-in has been called
            await asyncio.sleep(0.005)
