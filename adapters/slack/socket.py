"""Keep a Socket Mode connection: also after drops, refused handshakes and times without a network."""

import asyncio
import logging

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp

_LOG = logging.getLogger(__name__)

LOOK_EVERY_S = 0.5
PING_EVERY_S = 3.0


class Socket:
    """One Socket Mode client with a watchdog over it.

    The library asks for an address once and tries it for ever, also after the server has refused it; and it looks
    for a closed connection only at its ping. The watchdog forgets a dead address and reconnects at once.
    """

    def __init__(self, app: AsyncApp, app_token: str) -> None:
        self._app = app
        self._app_token = app_token
        self.connected = False

    async def run(self) -> None:
        """Stay connected until cancelled."""
        quiet = logging.getLogger(f"{__name__}.library")
        quiet.setLevel(logging.CRITICAL)  # it logs one-time addresses; the watchdog says what matters
        handler = AsyncSocketModeHandler(self._app, self._app_token, logger=quiet, ping_interval=PING_EVERY_S)
        connecting: asyncio.Task[None] | None = None
        try:
            while True:
                connected = await handler.client.is_connected()
                self._tell(connected=connected)
                if not connected:
                    handler.client.wss_uri = None
                    if connecting is None or connecting.done():
                        connecting = asyncio.create_task(handler.client.connect_to_new_endpoint())
                await asyncio.sleep(LOOK_EVERY_S if connected or connecting is None else LOOK_EVERY_S / 5)
        finally:
            self.connected = False
            if connecting is not None:
                connecting.cancel()
            await handler.close_async()  # type: ignore[no-untyped-call]

    def _tell(self, *, connected: bool) -> None:
        if connected != self.connected:
            _LOG.warning("Slack Socket Mode is %s", "connected" if connected else "disconnected; reconnecting")
        self.connected = connected
