"""Serve Slack's HTTP requests: events, commands and buttons on one address, the OAuth install, and our health."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow

from bot.ports import AdapterHealth

LARGEST_BODY = 2 * 1024 * 1024
EVENTS_PATH = "/slack/events"
HEALTH_PATH = "/health"
Health = Callable[[], AdapterHealth]


def add_routes(application: web.Application, app: AsyncApp, flow: AsyncOAuthFlow | None, health: Health) -> None:
    """Add what Slack calls: every kind of request goes to /slack/events; signatures are checked there."""

    async def events(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await app.async_dispatch(await to_bolt_request(request)))

    async def healthy(_request: web.Request) -> web.Response:
        return web.json_response(health_value(health()))

    application.router.add_post(EVENTS_PATH, events)
    application.router.add_get(HEALTH_PATH, healthy)
    if flow is None:
        return

    async def install(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await flow.handle_installation(await to_bolt_request(request)))

    async def redirect(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await flow.handle_callback(await to_bolt_request(request)))

    application.router.add_get(flow.install_path, install)
    application.router.add_get(flow.redirect_uri_path, redirect)


def health_value(found: AdapterHealth) -> dict[str, Any]:
    """Return what `/health` tells: whether we are connected, the last event, how many wait, what is lacking."""
    last = found.last_event_at.isoformat() if found.last_event_at else None
    return {**asdict(found), "last_event_at": last}


@asynccontextmanager
async def serving(
    app: AsyncApp, flow: AsyncOAuthFlow | None, health: Health, *, host: str, port: int
) -> AsyncIterator[int]:
    """Listen as long as the context is open; gives the port."""
    application = web.Application(client_max_size=LARGEST_BODY)
    add_routes(application, app, flow, health)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
