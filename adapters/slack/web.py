"""Take what Slack sends over HTTP: events, commands and buttons on one address, and the OAuth install."""

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow

EVENTS_PATH = "/slack/events"


def slack_routes(app: AsyncApp, flow: AsyncOAuthFlow | None) -> tuple[web.RouteDef, ...]:
    """Return what Slack calls: every kind of request goes to /slack/events; signatures are checked there."""

    async def events(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await app.async_dispatch(await to_bolt_request(request)))

    if flow is None:
        return (web.post(EVENTS_PATH, events),)

    async def install(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await flow.handle_installation(await to_bolt_request(request)))

    async def redirect(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await flow.handle_callback(await to_bolt_request(request)))

    return (
        web.post(EVENTS_PATH, events),
        web.get(flow.install_path, install),
        web.get(flow.redirect_uri_path, redirect),
    )
