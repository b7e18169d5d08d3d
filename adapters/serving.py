"""Serve what a platform calls over HTTP, and beside it how its adapter is."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any

from aiohttp import web

from bot.domain.errors import BadInput
from bot.ports import AdapterHealth

LARGEST_BODY = 2 * 1024 * 1024
HEALTH_PATH = "/health"


@asynccontextmanager
async def serving(
    routes: Iterable[web.RouteDef], health: Callable[[], AdapterHealth], *, host: str, port: int, setting: str
) -> AsyncIterator[int]:
    """Listen as long as the context is open; gives the port. Raises BadInput, naming its `setting`, for one taken."""

    async def healthy(_request: web.Request) -> web.Response:
        return web.json_response(health_value(health()))

    application = web.Application(client_max_size=LARGEST_BODY)
    application.add_routes([*routes, web.get(HEALTH_PATH, healthy)])
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        await _listen(web.TCPSite(runner, host, port), f"{host}:{port}", setting)
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


async def _listen(site: web.TCPSite, where: str, setting: str) -> None:
    try:
        await site.start()
    except OSError as error:
        raise BadInput(f"HTTP requests cannot be taken at {where}: set {setting} to a free port.") from error


def health_value(found: AdapterHealth) -> dict[str, Any]:
    """Return what `/health` tells: whether we are connected, the last event, how many wait, what is lacking."""
    last = found.last_event_at.isoformat() if found.last_event_at else None
    return {**asdict(found), "last_event_at": last}
