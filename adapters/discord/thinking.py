"""Show in a channel that an answer is being thought about: the typing line, once a channel however many wait."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.discord.calls import Calls
from adapters.outlet import Lost, MessageGone, RetryLater, Undeliverable
from adapters.pacing import Timing

TYPING_EVERY_S = 8.0
"""The line goes out by itself after 10 s (trigger typing indicator, API documentation)."""


class Thinking:
    """The typing lines of all channels."""

    def __init__(self, calls: Calls, timing: Timing) -> None:
        self._calls = calls
        self._timing = timing
        self._waiting: Counter[str] = Counter()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @asynccontextmanager
    async def shown(self, channel: str) -> AsyncIterator[None]:
        """Show the line as long as the context is open."""
        self._waiting[channel] += 1
        if channel not in self._tasks:
            self._tasks[channel] = asyncio.create_task(self._show(channel))
        try:
            yield
        finally:
            self._waiting[channel] -= 1
            if self._waiting[channel] <= 0:
                del self._waiting[channel]
                self._tasks.pop(channel).cancel()

    async def _show(self, channel: str) -> None:
        while True:
            try:
                await self._calls("POST", "/channels/{channel_id}/typing", channel_id=channel)
            except (Lost, RetryLater):
                pass
            except (MessageGone, Undeliverable):
                return  # not here; who waits sees the answer come
            await self._timing.sleep(TYPING_EVERY_S)
