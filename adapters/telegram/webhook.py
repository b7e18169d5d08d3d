"""Receive updates by webhook: each is kept before it is answered with 200."""

import hmac
import logging

from aiohttp import web

from adapters.telegram.polling import Take
from bot.domain.errors import StorageTrouble

_LOG = logging.getLogger(__name__)

PATH = "/telegram"
HEADER = "X-Telegram-Bot-Api-Secret-Token"


def webhook_route(take: Take, *, secret: str) -> web.RouteDef:
    """Return what Telegram calls with every update and the secret that it was given."""

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

    return web.post(PATH, update)
