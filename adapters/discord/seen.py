"""Remember the newest message seen in each channel, so that a new session knows from where to catch up."""

import asyncio
import json
from collections import OrderedDict

from bot.ports import Inbox

SOURCE = "discord"
NEWEST, CHANNELS = "newest", "channels"
WRITE_EVERY_S = 1.0
MARGIN_MS = 60_000
"""What may have been under way in parallel elsewhere; ids grow with time over all channels."""
TIME_SHIFT = 22
"""Bits of an id below its time in milliseconds (snowflakes, API reference)."""
MOST_CHANNELS = 1000


class Seen:
    """The newest ids; written a moment later, for chatter must not cost a write each."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._newest: int | None = None
        self._channels: OrderedDict[int, int] = OrderedDict()
        self._written = ""

    @property
    def begun(self) -> bool:
        """Whether there is a point from which to catch up at all."""
        return self._newest is not None

    def begin(self, message_id: int) -> None:
        """Note the newest message there is; what is older is not read, ever."""
        self._newest = max(self._newest or 0, message_id)

    def add(self, channel: int, message_id: int) -> None:
        """Note a message that was taken."""
        self.begin(message_id)
        self._channels[channel] = max(self._channels.pop(channel, 0), message_id)
        if len(self._channels) > MOST_CHANNELS:
            self._channels.popitem(last=False)

    def points(self) -> "Points":
        """Return from where to catch up now, whatever comes meanwhile."""
        elsewhere = max(0, (self._newest or 0) - (MARGIN_MS << TIME_SHIFT))
        return Points(dict(self._channels), elsewhere)

    async def read(self) -> None:
        """Read what a former process left."""
        newest = await self._inbox.value(SOURCE, NEWEST)
        self._newest = int(newest) if newest else None
        kept = json.loads(await self._inbox.value(SOURCE, CHANNELS) or "{}")
        self._channels = OrderedDict((int(channel), message_id) for channel, message_id in kept.items())

    async def keep_written(self) -> None:
        """Write now and then, until cancelled."""
        while True:
            await asyncio.sleep(WRITE_EVERY_S)
            await self.write()

    async def write(self) -> None:
        """Write what has changed."""
        channels = json.dumps(self._channels)
        state = f"{self._newest} {channels}"
        if self._newest is not None and state != self._written:
            self._written = state
            await self._inbox.set_value(SOURCE, CHANNELS, channels)
            await self._inbox.set_value(SOURCE, NEWEST, str(self._newest))


class Points:
    """From where to read: after the last message taken in a channel; in others after about the last one anywhere."""

    def __init__(self, channels: dict[int, int], elsewhere: int) -> None:
        self._channels = channels
        self._elsewhere = elsewhere

    @property
    def known(self) -> tuple[int, ...]:
        """The channels in which something was taken, direct chats too."""
        return tuple(self._channels)

    def after(self, channel: int) -> int:
        """Return the id after which to read this channel."""
        return self._channels.get(channel, self._elsewhere)
