"""The client of discord.py: which intents it asks for, and where each event goes."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

import discord

from adapters.discord.catching_up import CatchingUp
from adapters.discord.invoking import Invoking
from adapters.discord.listening import Listener
from adapters.discord.parts import Parts

_LOG = logging.getLogger(__name__)

LONGEST_LIMIT_S = 30.0
"""A longer wait for a rate limit is ours to plan, not the library's to sleep through."""


def wanted_intents(*, content: bool) -> discord.Intents:
    """Return the least that serves: guilds for rooms, messages, reactions, and content where it is granted."""
    return discord.Intents(
        guilds=True,
        guild_messages=True,
        dm_messages=True,
        guild_reactions=True,
        dm_reactions=True,
        message_content=content,
    )


class PalaceClient(discord.Client):
    """Hands every event on; keeps no messages and no members."""

    def __init__(
        self,
        parts: Parts,
        listener: Listener,
        invoking: Invoking,
        catching_up: CatchingUp,
        *,
        content: bool,
        ready_wait_s: float,
    ) -> None:
        super().__init__(
            intents=wanted_intents(content=content),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=LONGEST_LIMIT_S,
            guild_ready_timeout=ready_wait_s,
        )
        self._parts = parts
        self._listener = listener
        self._invoking = invoking
        self._catching_up = catching_up
        self._catching = asyncio.Lock()
        self.connected = False

    async def close(self) -> None:
        waiting = self._connection._ready_task  # noqa: SLF001 - the library leaves it running on a closed client
        if waiting is not None:
            waiting.cancel()
        await super().close()

    async def on_connect(self) -> None:
        """Hear of a new session before anything that happens in it."""
        self.connected = True
        self._catching_up.session_began()

    async def on_resumed(self) -> None:
        self.connected = True

    async def on_disconnect(self) -> None:
        self.connected = False

    async def on_ready(self) -> None:
        """Any number of these make one of everything: reading what was missed is all there is to do."""
        async with self._catching:
            await self._guarded(self._catching_up.run())

    async def on_message(self, message: discord.Message) -> None:
        await self._guarded(self._listener.message(message))

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        await self._guarded(self._listener.edited(payload.message))

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        await self._guarded(self._listener.deleted(payload.guild_id, payload.channel_id, (payload.message_id,)))

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        ids = tuple(payload.message_ids)
        await self._guarded(self._listener.deleted(payload.guild_id, payload.channel_id, ids))

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        await self._guarded(self._listener.reacted(payload))

    async def on_raw_reaction_remove(self, payload: discord.RawReactionActionEvent) -> None:
        await self._guarded(self._listener.reacted(payload))

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await self._guarded(self._invoking.take(interaction))

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Log what nobody expected; one bad event must not hide the next."""
        try:
            await work
        except Exception:  # noqa: BLE001 - the one place that logs what nobody expected
            _LOG.exception("An event of Discord could not be taken")
