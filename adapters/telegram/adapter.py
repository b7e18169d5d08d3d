"""Connect to Telegram and listen: by polling, or by a webhook, on the same code."""

import asyncio
import logging
import re
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.methods import GetMe, SetWebhook
from aiogram.utils.token import TokenValidationError

from adapters.dispatch import Dispatcher
from adapters.outlet import Trouble
from adapters.pacing import Timing
from adapters.serving import serving
from adapters.telegram.budgets import Budgets
from adapters.telegram.calls import Calls, Refused
from adapters.telegram.files import Files
from adapters.telegram.groups import Groups, sees_little
from adapters.telegram.inbound import Me
from adapters.telegram.listening import Listener
from adapters.telegram.menu import register
from adapters.telegram.parts import Parts
from adapters.telegram.polling import Polling
from adapters.telegram.webhook import webhook_route
from adapters.telegram.working import Working
from bot.domain.errors import BadInput
from bot.ports import AdapterHealth, Clock, Core, Inbox, Platform, RoomSettings
from bot.settings import Settings

_LOG = logging.getLogger(__name__)

TRY_AGAIN_S = 5.0
ALLOWED = [
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "callback_query",
    "inline_query",
    "my_chat_member",
    "stopped_message_generation",
]
"""What is asked for by name: Telegram remembers an earlier list otherwise."""
SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramOptions:
    """What of the settings concerns Telegram."""

    token: str
    api_url: str = "https://api.telegram.org"
    webhook_url: str = ""
    webhook_secret: str = ""
    http_host: str = "127.0.0.1"
    http_port: int = 3001


class TelegramAdapter:
    """Telegram as a `bot.ports.Platform`."""

    name = "telegram"

    def __init__(
        self,
        options: TelegramOptions,
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
        self._polling: Polling | None = None
        self._listener: Listener | None = None
        self._dispatcher: Dispatcher | None = None
        self._me: Me | None = None
        self.http_port: int | None = None
        """Where the webhook is received, once it is open."""

    async def run(self, core: Core) -> None:
        """Listen until cancelled. Raises BadInput when the settings cannot work."""
        self._check_options()
        async with AsyncExitStack() as stack:
            bot = self._bot()
            stack.push_async_callback(bot.session.close)
            calls = Calls(bot)
            self._me = await self._introduce_ourselves(calls)
            parts = self._parts(core, calls, self._me)
            stack.push_async_callback(parts.wind_up)
            working = Working(parts)
            self._dispatcher = Dispatcher(self._inbox, source=self.name, work=working, give_up=working.give_up)
            self._listener = Listener(parts, self._dispatcher)
            await stack.enter_async_context(self._dispatcher.running())
            parts.beside(register(calls, core.command_table))
            if self._options.webhook_url:
                await self._receive(stack, calls, self._listener)
            else:
                self._polling = Polling(calls, self._listener.take, allowed=ALLOWED, timing=self._timing)
                await self._polling.run()

    def health(self) -> AdapterHealth:
        notes = (
            self._polling.note if self._polling else "",
            f"{self._listener.unreadable} updates could not be read."
            if self._listener and self._listener.unreadable
            else "",
            sees_little(self._me) if self._me and not self._me.sees_everything else "",
        )
        return AdapterHealth(
            name=self.name,
            connected=self._polling.connected if self._polling else self.http_port is not None,
            last_event_at=self._listener.last_event_at if self._listener else None,
            waiting=self._dispatcher.waiting if self._dispatcher else 0,
            note=" ".join(note for note in notes if note),
        )

    async def examine(self) -> AdapterHealth:
        self._check_options()
        bot = self._bot()
        try:
            self._me = await self._introduce_ourselves(Calls(bot))
        finally:
            await bot.session.close()
        return replace(self.health(), connected=True)

    def _check_options(self) -> None:
        if self._options.webhook_url and not SECRET.fullmatch(self._options.webhook_secret):
            raise BadInput(
                "A Telegram webhook needs TELEGRAM_WEBHOOK_SECRET: 1 to 256 letters, digits, underscores or hyphens."
            )

    def _bot(self) -> Bot:
        session = AiohttpSession(api=TelegramAPIServer.from_base(self._options.api_url))
        try:
            return Bot(self._options.token, session=session)
        except TokenValidationError as error:
            raise BadInput("TELEGRAM_BOT_TOKEN is no token of a Telegram bot: @BotFather gives one.") from error

    async def _introduce_ourselves(self, calls: Calls) -> Me:
        """Ask who we are; while Telegram cannot be reached, try again. Raises BadInput for a refused token."""
        while True:
            try:
                me = await calls(GetMe())
            except Refused as error:
                raise BadInput("Telegram does not accept TELEGRAM_BOT_TOKEN.") from error
            except Trouble as error:
                _LOG.warning("Telegram cannot be reached (%s); trying again", error)
                await self._timing.sleep(getattr(error, "seconds", None) or TRY_AGAIN_S)
            else:
                break
        found = Me(bot_id=me.id, username=me.username or "", sees_everything=bool(me.can_read_all_group_messages))
        if not found.sees_everything:
            _LOG.warning("%s", sees_little(found))
        return found

    async def _receive(self, stack: AsyncExitStack, calls: Calls, listener: Listener) -> None:
        options = self._options
        route = webhook_route(listener.take, secret=options.webhook_secret)
        opened = serving(
            (route,), self.health, host=options.http_host, port=options.http_port, setting="TELEGRAM_HTTP_PORT"
        )
        self.http_port = await stack.enter_async_context(opened)
        await self._set_webhook(calls)
        await asyncio.Event().wait()

    async def _set_webhook(self, calls: Calls) -> None:
        """Tell Telegram where to send updates. Raises BadInput where it does not take the address."""
        options = self._options
        webhook = SetWebhook(url=options.webhook_url, secret_token=options.webhook_secret, allowed_updates=ALLOWED)
        while True:
            try:
                await calls(webhook)
            except Refused as error:
                raise BadInput(f"Telegram does not take TELEGRAM_WEBHOOK_URL: {error.why}.") from error
            except Trouble as error:
                _LOG.warning("Telegram cannot be reached (%s); trying again", error)
                await self._timing.sleep(getattr(error, "seconds", None) or TRY_AGAIN_S)
            else:
                return

    def _parts(self, core: Core, calls: Calls, me: Me) -> Parts:
        return Parts(
            inbox=self._inbox,
            rooms=self._rooms,
            clock=self._clock,
            timing=self._timing,
            calls=calls,
            me=me,
            core=core,
            files=Files(calls, self._home / "files" / "telegram"),
            groups=Groups(calls, self._inbox, me, self._timing),
            budgets=Budgets(self._timing),
        )


def open_adapter(settings: Settings, *, inbox: Inbox, rooms: RoomSettings, clock: Clock) -> Platform:
    """Make the adapter that these settings describe; nothing is connected before it runs."""
    options = TelegramOptions(
        token=settings.telegram_bot_token.get_secret_value(),
        api_url=settings.telegram_api_url,
        webhook_url=settings.telegram_webhook_url,
        webhook_secret=settings.telegram_webhook_secret.get_secret_value(),
        http_host=settings.telegram_http_host,
        http_port=settings.telegram_http_port,
    )
    return TelegramAdapter(options, inbox=inbox, rooms=rooms, home=settings.palace_home, clock=clock)
