"""Receive updates by webhook: each is kept before it is answered with 200."""

import hmac
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from adapters.telegram.polling import Take
from bot.domain.errors import StorageTrouble

_LOG = logging.getLogger(__name__)

LARGEST_BODY = 2 * 1024 * 1024
PATH = "/telegram"
HEADER = "X-Telegram-Bot-Api-Secret-Token"


@asynccontextmanager
async def receiving(take: Take, *, secret: str, host: str, port: int) -> AsyncIterator[int]:
    """Listen as long as the context is open; gives the port."""

    async def update(request: web.Request) -> web.Response:
        given = request.headers.get(HEADER, "")
        if not hmac.compare_digest(given.encode(), secret.encode()):
            return web.Response(status=401)
        try:
            raw = await request.json()
        except ValueError:
            return web.Response(status=400)
        if not isinstance(raw, dict):
            return web.Response(status=400)
        try:
            await take(raw)
        except StorageTrouble:
            _LOG.exception("An update could not be kept; Telegram will send it again")
            return web.Response(status=500)
        return web.Response()

    application = web.Application(client_max_size=LARGEST_BODY)
    application.router.add_post(PATH, update)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
