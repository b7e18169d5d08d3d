"""Find out which rooms somebody may read just now, for a question asked in a direct chat."""

import asyncio
import logging
from collections.abc import Callable, Iterator

import aiohttp
import discord

from adapters.discord.rooms import is_public
from adapters.pacing import Timing
from bot.domain.rooms import Room, Scope, room_scope, space_scope

_LOG = logging.getLogger(__name__)

MEMBER_KEPT_S = 2.0
"""Memberships open other rooms' memories: asked anew for each question; what one question asks twice is asked once."""
STRANGER_KEPT_S = 30.0
PATIENCE_S = 5.0
MOST_GUILDS = 100
AT_ONCE = 5
MOST_KEPT = 5000


class Untold(Exception):
    """Discord did not tell just now whether somebody is a member."""


class Memberships:
    """Asks the guilds that the bot is in; where Discord does not tell, the answer is no."""

    def __init__(self, client: Callable[[], discord.Client], timing: Timing) -> None:
        self._client = client
        self._timing = timing
        self._kept: dict[tuple[int, int], tuple[float, tuple[Scope, ...]]] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def of(self, person_id: str) -> tuple[Scope, ...]:
        """Return the guilds this person is a member of, and the private channels there that the person may read."""
        guilds = tuple(self._client().guilds)[:MOST_GUILDS]
        found = await asyncio.gather(*(self._in_guild(guild, int(person_id)) for guild in guilds))
        return tuple(scope for scopes in found for scope in scopes)

    async def _in_guild(self, guild: discord.Guild, person: int) -> tuple[Scope, ...]:
        until, scopes = self._kept.get((guild.id, person), (0.0, ()))
        if until > self._timing.now():
            return scopes
        try:
            member = await self._member(guild, person)
        except Untold:
            return ()
        scopes = tuple(scopes_of(guild, member)) if member else ()
        kept_s = MEMBER_KEPT_S if member else STRANGER_KEPT_S
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[guild.id, person] = (self._timing.now() + kept_s, scopes)
        return scopes

    async def _member(self, guild: discord.Guild, person: int) -> discord.Member | None:
        """Return the member, None for a stranger. Raises Untold where Discord does not tell."""
        try:
            async with self._turns, asyncio.timeout(PATIENCE_S):
                return await guild.fetch_member(person)
        except discord.NotFound:
            return None
        except (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError) as error:
            _LOG.info("A membership could not be checked: %s", type(error).__name__)
            raise Untold from error


def scopes_of(guild: discord.Guild, member: discord.Member) -> Iterator[Scope]:
    """Yield what a member may read: the guild's public memories, and each private channel's with its history."""
    guild_id = str(guild.id)
    yield space_scope(Room(platform="discord", space=guild_id, channel="", kind="public"))
    for channel in guild.channels:
        if isinstance(channel, discord.CategoryChannel) or is_public(channel):
            continue
        allowed = channel.permissions_for(member)
        if allowed.view_channel and allowed.read_message_history:
            yield room_scope(Room(platform="discord", space=guild_id, channel=str(channel.id), kind="private"))
