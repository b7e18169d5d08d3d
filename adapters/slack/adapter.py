"""Connect to Slack and listen: Socket Mode, HTTP, or both on the same code."""

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import aiohttp
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow

from adapters.dispatch import Dispatcher
from adapters.downloads import Downloads
from adapters.pacing import Timing
from adapters.serving import serving
from adapters.slack.files import SLACK_HOSTS
from adapters.slack.following import Recent, Threads
from adapters.slack.install import EncryptedInstallations, oauth_flow
from adapters.slack.listening import Listener
from adapters.slack.manifest import scope_sentence, wanted_scopes
from adapters.slack.names import Names
from adapters.slack.parts import Parts
from adapters.slack.socket import Socket
from adapters.slack.web import slack_routes
from adapters.slack.working import Working
from adapters.slack.workspaces import Workspaces
from bot.domain.errors import BadInput
from bot.ports import AdapterHealth, Clock, Core, Inbox, Platform, RoomSettings
from bot.settings import Settings

_LOG = logging.getLogger(__name__)

TRY_AGAIN_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackOptions:
    """What of the settings concerns Slack."""

    bot_token: str = ""
    app_token: str = ""
    signing_secret: str = ""
    client_id: str = ""
    client_secret: str = ""
    api_url: str = "https://slack.com/api/"
    http_host: str = "127.0.0.1"
    http_port: int = 3000
    streams: bool = True


class SlackAdapter:
    """Slack as a `bot.ports.Platform`."""

    name = "slack"

    def __init__(
        self,
        options: SlackOptions,
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
        self._installations = EncryptedInstallations(home) if options.client_id else None
        self._socket: Socket | None = None
        self._listener: Listener | None = None
        self._dispatcher: Dispatcher | None = None
        self._notes: tuple[str, ...] = ()
        self.http_port: int | None = None
        """Where HTTP requests are taken, once it is open."""

    async def run(self, core: Core) -> None:
        """Listen until cancelled. Raises BadInput when the settings cannot work."""
        self._check_options()
        async with AsyncExitStack() as stack:
            session = await stack.enter_async_context(aiohttp.ClientSession())
            cut = await self._inbox.waiting(self.name) > 0
            workspaces = self._workspaces(after_crash=cut)
            await self._introduce_ourselves(workspaces)
            parts = self._parts(core, workspaces, session)
            stack.push_async_callback(parts.wind_up)
            working = Working(parts)
            self._dispatcher = Dispatcher(
                self._inbox, source=self.name, work=working, give_up=working.give_up, held=working.held
            )
            self._listener = Listener(parts, self._dispatcher)
            app = self._listener.app(signing_secret=self._options.signing_secret)
            await stack.enter_async_context(self._dispatcher.running())
            if self._options.signing_secret:
                await self._serve(stack, app)
            if self._options.app_token:
                self._socket = Socket(app, self._options.app_token)
                await self._socket.run()
            await asyncio.Event().wait()

    async def _serve(self, stack: AsyncExitStack, app: AsyncApp) -> None:
        """Take HTTP requests; with Socket Mode beside it, a port that is taken is only worth a warning."""
        routes, options = slack_routes(app, self._flow()), self._options
        opened = serving(routes, self.health, host=options.http_host, port=options.http_port, setting="SLACK_HTTP_PORT")
        try:
            self.http_port = await stack.enter_async_context(opened)
        except BadInput as error:
            if not options.app_token:
                raise
            self._notes = (*self._notes, str(error))
            _LOG.warning("%s", error)

    def health(self) -> AdapterHealth:
        return AdapterHealth(
            name=self.name,
            connected=self._socket.connected if self._socket else self.http_port is not None,
            last_event_at=self._last_event_at(),
            waiting=self._dispatcher.waiting if self._dispatcher else 0,
            note=" ".join(self._notes),
        )

    async def examine(self) -> AdapterHealth:
        self._check_options()
        await self._introduce_ourselves(self._workspaces())
        return replace(self.health(), connected=True)

    def _last_event_at(self) -> datetime | None:
        return self._listener.last_event_at if self._listener else None

    def _check_options(self) -> None:
        options = self._options
        if not options.bot_token and not options.client_id:
            raise BadInput("Slack needs SLACK_BOT_TOKEN, or SLACK_CLIENT_ID and SLACK_CLIENT_SECRET for installs.")
        if not options.app_token and not options.signing_secret:
            raise BadInput("Slack needs SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP events.")
        if options.client_id and not (options.client_secret and options.signing_secret):
            raise BadInput("Slack installs need SLACK_CLIENT_SECRET and SLACK_SIGNING_SECRET beside SLACK_CLIENT_ID.")

    async def _introduce_ourselves(self, workspaces: Workspaces) -> None:
        """Check token and scopes; while Slack cannot be reached, try again."""
        while True:
            try:
                missing = await workspaces.check(wanted_scopes())
            except BadInput:
                raise
            except Exception as error:  # noqa: BLE001 - whatever the network does, it is tried again
                _LOG.warning("Slack cannot be reached (%s); trying again", type(error).__name__)
                await self._timing.sleep(TRY_AGAIN_S)
            else:
                self._notes = tuple(map(scope_sentence, missing))
                for sentence in self._notes:
                    _LOG.warning("%s", sentence)
                return

    def _workspaces(self, *, after_crash: bool = False) -> Workspaces:
        options = self._options
        return Workspaces(
            token=options.bot_token,
            api_url=options.api_url,
            installations=self._installations,
            client_id=options.client_id,
            client_secret=options.client_secret,
            timing=self._timing,
            after_crash=after_crash,
        )

    def _flow(self) -> AsyncOAuthFlow | None:
        if self._installations is None:
            return None
        return oauth_flow(
            client_id=self._options.client_id,
            client_secret=self._options.client_secret,
            scopes=wanted_scopes(),
            installations=self._installations,
            api_url=self._options.api_url,
        )

    def _parts(self, core: Core, workspaces: Workspaces, session: aiohttp.ClientSession) -> Parts:
        return Parts(
            inbox=self._inbox,
            rooms=self._rooms,
            clock=self._clock,
            timing=self._timing,
            workspaces=workspaces,
            names=Names(self._timing),
            recent=Recent(self._timing),
            threads=Threads(self._inbox),
            downloads=Downloads(
                lambda: session, self._home / "files" / self.name, hosts=SLACK_HOSTS, api_url=self._options.api_url
            ),
            core=core,
            session=session,
            streams=self._options.streams,
        )


def open_adapter(settings: Settings, *, inbox: Inbox, rooms: RoomSettings, clock: Clock) -> Platform:
    """Make the adapter that these settings describe; nothing is connected before it runs."""
    options = SlackOptions(
        bot_token=settings.slack_bot_token.get_secret_value(),
        app_token=settings.slack_app_token.get_secret_value(),
        signing_secret=settings.slack_signing_secret.get_secret_value(),
        client_id=settings.slack_client_id,
        client_secret=settings.slack_client_secret.get_secret_value(),
        api_url=settings.slack_api_url,
        http_host=settings.slack_http_host,
        http_port=settings.slack_http_port,
    )
    return SlackAdapter(options, inbox=inbox, rooms=rooms, home=settings.palace_home, clock=clock)
