"""Read what was written while no session heard it: after a new session, channel by channel, the oldest first."""

import logging
from collections.abc import Iterator

import aiohttp
import discord

from adapters.discord.listening import Listener
from adapters.discord.parts import Parts
from adapters.discord.seen import Points, Seen

_LOG = logging.getLogger(__name__)

Room = discord.TextChannel | discord.VoiceChannel | discord.Thread
MOST_MESSAGES = 500
"""In one channel; older ones are left."""
MOST_LIVELY = 50
"""Channels read in any case: a message that comes twice makes the library forget which was the last one."""


class CatchingUp:
    """One catching up at a time; a resumed session needs none, since Discord repeats what was missed."""

    def __init__(self, parts: Parts, listener: Listener, seen: Seen) -> None:
        self._parts = parts
        self._listener = listener
        self._seen = seen
        self._points: Points | None = None

    def session_began(self) -> None:
        """Note from where to read, before the new session's own messages move it on."""
        if self._points is None and self._seen.begun:
            self._points = self._seen.points()

    async def run(self) -> None:
        """Read what was missed. What comes twice is known by its id."""
        points, self._points = self._points, None
        if points is None:
            self._seen.begin(max((room.last_message_id or 0 for room in self._rooms()), default=0))
            return
        for channel, after in self._missed(points):
            await self._read(channel, after)

    def _missed(self, points: Points) -> Iterator[tuple[discord.abc.Messageable, int]]:
        """Yield where something may have been missed, and after what: guilds tell each channel's last message."""
        rooms = {room.id: room for room in self._rooms()}
        lively = set(points.known[-MOST_LIVELY:])
        for room in rooms.values():
            newer = room.last_message_id is None or room.last_message_id > points.after(room.id)
            if (newer or room.id in lively) and _may_read(room):
                yield room, points.after(room.id)
        client = self._parts.client()
        yield from (
            (client.get_partial_messageable(channel), points.after(channel))
            for channel in points.known
            if channel not in rooms and client.get_channel(channel) is None
        )

    def _rooms(self) -> Iterator[Room]:
        for guild in self._parts.client().guilds:
            yield from guild.text_channels
            yield from guild.voice_channels
            yield from guild.threads

    async def _read(self, channel: discord.abc.Messageable, after: int) -> None:
        try:
            async for message in channel.history(limit=MOST_MESSAGES, after=discord.Object(after), oldest_first=True):
                await self._listener.message(message)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            _LOG.warning("A channel could not be caught up: %s", type(error).__name__)


def _may_read(room: Room) -> bool:
    ourselves = room.guild.me
    return ourselves is None or room.permissions_for(ourselves).read_message_history
