"""Read what was written while no session heard it: after a new session, channel by channel, the oldest first."""

import logging
from collections.abc import Iterator

import aiohttp
import discord

from adapters.discord.listening import Listener
from adapters.discord.parts import Parts
from adapters.discord.seen import Seen

_LOG = logging.getLogger(__name__)

Written = discord.TextChannel | discord.VoiceChannel | discord.Thread
MOST_MESSAGES = 500
"""In one channel; older ones are left."""


class CatchingUp:
    """One catching up at a time; a resumed session needs none, since Discord repeats what was missed."""

    def __init__(self, parts: Parts, listener: Listener, seen: Seen) -> None:
        self._parts = parts
        self._listener = listener
        self._seen = seen
        self._after: int | None = None

    def session_began(self) -> None:
        """Note from where to read, before the new session's own messages move it on."""
        if self._after is None:
            self._after = self._seen.after

    async def run(self) -> None:
        """Read what was missed. What comes twice is known by its id."""
        after, self._after = self._after, None
        if not after:
            self._seen.add(discord.utils.time_snowflake(self._parts.clock.now()))
            return
        for channel_id in self._channels(after):
            await self._read(channel_id, after)

    def _channels(self, after: int) -> Iterator[int]:
        """Yield where something may have been missed: guilds tell each channel's last message."""
        for guild in self._parts.client().guilds:
            rooms: list[Written] = [*guild.text_channels, *guild.voice_channels, *guild.threads]
            for channel in rooms:
                if (channel.last_message_id or 0) > after and channel.permissions_for(guild.me).read_message_history:
                    yield channel.id
        yield from self._seen.direct

    async def _read(self, channel_id: int, after: int) -> None:
        client = self._parts.client()
        try:
            channel = client.get_channel(channel_id) or await client.fetch_channel(channel_id)
            if not isinstance(channel, discord.abc.Messageable):
                return
            history = channel.history(limit=MOST_MESSAGES, after=discord.Object(after), oldest_first=True)
            async for message in history:
                await self._listener.message(message)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            _LOG.warning("A channel could not be caught up: %s", type(error).__name__)
