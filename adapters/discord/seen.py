"""Remember the newest message seen, so that a new session knows from where to catch up.

Discord's ids grow with time over all channels, so one number serves; a margin covers what was under way in parallel.
"""

import asyncio
import json

from bot.ports import Inbox

SOURCE = "discord"
NEWEST, DIRECT = "newest", "direct"
WRITE_EVERY_S = 1.0
MARGIN_MS = 60_000
TIME_SHIFT = 22
"""Bits of an id below its time in milliseconds (snowflakes, API reference)."""
MOST_DIRECT = 200


class Seen:
    """The newest id and the direct chats known; written a moment later, for chatter must not cost a write each."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._newest = 0
        self._direct: list[int] = []
        self._written = ""

    @property
    def after(self) -> int:
        """The id from which to catch up; 0 when nothing was ever seen."""
        return max(0, self._newest - (MARGIN_MS << TIME_SHIFT))

    @property
    def direct(self) -> tuple[int, ...]:
        """The direct chats in which somebody wrote, newest last."""
        return tuple(self._direct)

    def add(self, message_id: int, *, direct: int = 0) -> None:
        """Note a message; `direct` is the direct chat that it stands in."""
        self._newest = max(self._newest, message_id)
        if direct and direct not in self._direct[-1:]:
            self._direct = [*(known for known in self._direct if known != direct), direct][-MOST_DIRECT:]

    async def read(self) -> None:
        """Read what a former process left."""
        self._newest = int(await self._inbox.value(SOURCE, NEWEST) or 0)
        self._direct = json.loads(await self._inbox.value(SOURCE, DIRECT) or "[]")

    async def keep_written(self) -> None:
        """Write now and then, until cancelled."""
        while True:
            await asyncio.sleep(WRITE_EVERY_S)
            await self.write()

    async def write(self) -> None:
        """Write what has changed."""
        direct = json.dumps(self._direct)
        state = f"{self._newest} {direct}"
        if state != self._written:
            self._written = state
            await self._inbox.set_value(SOURCE, NEWEST, str(self._newest))
            await self._inbox.set_value(SOURCE, DIRECT, direct)
