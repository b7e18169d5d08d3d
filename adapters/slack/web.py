"""Serve Slack's HTTP requests: events, commands and buttons on one address, and the OAuth install."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow

LARGEST_BODY = 2 * 1024 * 1024
EVENTS_PATH = "/slack/events"


def add_routes(application: web.Application, app: AsyncApp, flow: AsyncOAuthFlow | None) -> None:
    """Add what Slack calls: every kind of request goes to /slack/events; signatures are checked there."""

    async def events(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await app.async_dispatch(await to_bolt_request(request)))

    application.router.add_post(EVENTS_PATH, events)
    if flow is None:
        return

    async def install(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await flow.handle_installation(await to_bolt_request(request)))

    async def redirect(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await flow.handle_callback(await to_bolt_request(request)))

    application.router.add_get(flow.install_path, install)
    application.router.add_get(flow.redirect_uri_path, redirect)


@asynccontextmanager
async def serving(app: AsyncApp, flow: AsyncOAuthFlow | None, *, host: str, port: int) -> AsyncIterator[int]:
    """Listen as long as the context is open; gives the port."""
    application = web.Application(client_max_size=LARGEST_BODY)
    add_routes(application, app, flow)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
