"""Connect to Discord and listen on its gateway, with the message content where Discord grants it."""

import asyncio
import contextlib
import hashlib
import json
import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.discord.calls import Calls
from adapters.discord.catching_up import CatchingUp
from adapters.discord.channels import ChannelBudgets
from adapters.discord.client import PalaceClient
from adapters.discord.commands import payload
from adapters.discord.files import DISCORD_HOSTS
from adapters.discord.invoking import Invoking
from adapters.discord.listening import Listener
from adapters.discord.memberships import Memberships
from adapters.discord.parts import Parts
from adapters.discord.seen import Seen
from adapters.discord.thinking import Thinking
from adapters.discord.working import Working
from adapters.dispatch import Dispatcher
from adapters.downloads import Downloads
from adapters.outlet import Lost, MessageGone, RetryLater, TooLong, Undeliverable
from adapters.pacing import Timing
from bot.domain.errors import BadInput
from bot.ports import AdapterHealth, Clock, Core, Inbox, Platform, RoomSettings
from bot.settings import Settings

_LOG = logging.getLogger(__name__)

TRY_AGAIN_S = 5.0
TRIES = 20
NO_CONTENT = (
    "Links in Discord channels are not saved unasked: switch on “Message Content Intent” on the Bot page of the "
    "Discord developer portal and restart; mentions, direct messages and commands work without it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordOptions:
    """What of the settings concerns Discord."""

    token: str
    api_url: str = Route.BASE
    gateway_url: str = ""
    ready_wait_s: float = 2.0
    """How long a pause in the guilds that arrive means that all are there."""


class DiscordAdapter:
    """Discord as a `bot.ports.Platform`."""

    name = "discord"

    def __init__(
        self,
        options: DiscordOptions,
        *,
        inbox: Inbox,
        rooms: RoomSettings,
        home: Path,
        clock: Clock,
        timing: Timing | None = None,
    ) -> None:
        self._options = options
        self._inbox = inbox
        self._rooms = rooms
        self._home = home
        self._clock = clock
        self._timing = timing or Timing()
        self._client: PalaceClient | None = None
        self._listener: Listener | None = None
        self._dispatcher: Dispatcher | None = None
        self._note = ""

    async def run(self, core: Core) -> None:
        """Listen until cancelled. Raises BadInput when Discord refuses the token."""
        _prepare_library(self._options)
        async with AsyncExitStack() as stack:
            session = await stack.enter_async_context(aiohttp.ClientSession())
            parts = self._parts(core, session)
            stack.push_async_callback(parts.wind_up)
            seen = Seen(self._inbox)
            await seen.read()
            working = Working(parts)
            dispatcher = Dispatcher(self._inbox, source=self.name, work=working, give_up=working.give_up)
            self._dispatcher, self._listener = dispatcher, Listener(parts, dispatcher, seen)
            writing = asyncio.create_task(seen.keep_written())
            stack.push_async_callback(_ended, writing, seen)
            for content in (True, False):
                parts.sees_content = content
                try:
                    await self._connect(parts, seen, content=content)
                except discord.PrivilegedIntentsRequired:
                    self._note = NO_CONTENT
                    _LOG.warning("%s", NO_CONTENT)

    def health(self) -> AdapterHealth:
        return AdapterHealth(
            name=self.name,
            connected=bool(self._client and self._client.connected),
            last_event_at=self._last_event_at(),
            waiting=self._dispatcher.waiting if self._dispatcher else 0,
            note=self._note,
        )

    async def examine(self) -> AdapterHealth:
        _prepare_library(self._options)
        async with discord.Client(intents=discord.Intents.none()) as client:
            await self._log_in(client)
        return replace(self.health(), connected=True)

    def _last_event_at(self) -> datetime | None:
        return self._listener.last_event_at if self._listener else None

    async def _connect(self, parts: Parts, seen: Seen, *, content: bool) -> None:
        """Log in, work what was left, and stay on the gateway. Raises PrivilegedIntentsRequired."""
        assert self._dispatcher is not None  # noqa: S101 - set by run just now
        assert self._listener is not None  # noqa: S101 - the same
        invoking = Invoking(parts, self._listener)
        catching_up = CatchingUp(parts, self._listener, seen)
        client = PalaceClient(
            parts,
            self._listener,
            invoking,
            catching_up,
            content=content,
            ready_wait_s=self._options.ready_wait_s,
        )
        self._client = client
        async with client:
            await self._log_in(client)
            parts.own.bot_id = str(parts.bot_id)
            parts.beside(self._tell_commands(parts, client))
            async with self._dispatcher.running():
                try:
                    await client.connect()
                except discord.ConnectionClosed as error:
                    raise BadInput(f"Discord closed the connection for good (code {error.code}).") from error

    async def _log_in(self, client: discord.Client) -> None:
        """Show the token; while Discord cannot be reached, try again."""
        while True:
            try:
                await client.login(self._options.token)
            except discord.LoginFailure as error:
                raise BadInput(
                    "Discord refuses the bot token: is DISCORD_BOT_TOKEN the one of the Bot page?"
                ) from error
            except (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError) as error:
                _LOG.warning("Discord cannot be reached (%s); trying again", type(error).__name__)
                await self._timing.sleep(TRY_AGAIN_S)
            else:
                return

    async def _tell_commands(self, parts: Parts, client: PalaceClient) -> None:
        """Tell Discord the command table, once as long as it stays the same."""
        commands = payload(parts.core.command_table)
        application = str(client.application_id)
        digest = hashlib.sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()
        name = f"commands:{application}"
        if await self._inbox.value(self.name, name) == digest:
            return
        path = "/applications/{application_id}/commands"
        for _ in range(TRIES):
            try:
                await parts.calls("PUT", path, application_id=application, json=commands)
            except (Lost, RetryLater) as error:
                await self._timing.sleep(getattr(error, "seconds", None) or TRY_AGAIN_S)
            except (MessageGone, TooLong, Undeliverable) as error:
                _LOG.warning("Discord does not take the commands: %s", error)
                return
            else:
                await self._inbox.set_value(self.name, name, digest)
                return

    def _parts(self, core: Core, session: aiohttp.ClientSession) -> Parts:
        calls = Calls(self._present_client)
        return Parts(
            inbox=self._inbox,
            rooms=self._rooms,
            clock=self._clock,
            timing=self._timing,
            core=core,
            client=self._present_client,
            calls=calls,
            budgets=ChannelBudgets(self._timing),
            thinking=Thinking(calls, self._timing),
            memberships=Memberships(self._present_client, self._timing),
            downloads=Downloads(
                lambda: session, self._home / "files" / self.name, hosts=DISCORD_HOSTS, api_url=self._options.api_url
            ),
        )

    def _present_client(self) -> discord.Client:
        if self._client is None:
            raise RuntimeError("Discord is used before it is connected")
        return self._client


def api_base(url: str) -> str:
    """Return the address of the API's tenth version; a host alone gets the path that Discord's own has."""
    base = url.rstrip("/")
    return f"{base}/api/v10" if yarl.URL(base).path in {"", "/"} else base


def _prepare_library(options: DiscordOptions) -> None:
    """Point discord.py at the API of these settings; they are the library's own globals."""
    Route.BASE = api_base(options.api_url)
    if options.gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(options.gateway_url)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # this bot has no voice
    logging.getLogger("discord").setLevel(logging.WARNING)
    # Its warnings name whole addresses, and an interaction's token is part of one.
    logging.getLogger("discord.http").setLevel(logging.ERROR)


async def _ended(writing: asyncio.Task[None], seen: Seen) -> None:
    writing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await writing
    await seen.write()


def open_adapter(settings: Settings, *, inbox: Inbox, rooms: RoomSettings, clock: Clock) -> Platform:
    """Make the adapter that these settings describe; nothing is connected before it runs."""
    options = DiscordOptions(
        token=settings.discord_bot_token.get_secret_value(),
        api_url=settings.discord_api_url,
        gateway_url=settings.discord_gateway_url,
    )
    return DiscordAdapter(options, inbox=inbox, rooms=rooms, home=settings.palace_home, clock=clock)
