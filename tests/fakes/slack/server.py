"""Slack on loopback: Web API, Socket Mode, files and signed requests, for the real slack_bolt and slack_sdk."""

import asyncio
import contextlib
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any
from urllib.parse import urlencode

import aiohttp
from aiohttp import WSMsgType, web

from tests.fakes.slack.web_api import WebApi
from tests.fakes.slack.workspace import Posted, Workspace, new_ts

SECRET = "test-signing-secret"
ACK_S = 3.0
RETRIES = 3


class FakeSlack(WebApi):
    """The stand-in; open it with `fake_slack`."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.base = ""
        self.refuse_handshakes = 0
        self.duplicate_every = 0
        self.ack_times: list[float] = []
        self.unacknowledged: list[str] = []
        self.pages: dict[str, bytes] = {}
        self.served: dict[str, float] = {}
        self.sockets: list[web.WebSocketResponse] = []
        self._acks: dict[str, asyncio.Future[Any]] = {}
        self._tickets: set[str] = set()
        self._ids = count(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._connected = asyncio.Event()

    @property
    def api_url(self) -> str:
        return f"{self.base}/api/"

    def new_socket_url(self) -> str:
        ticket = f"t{next(self._ids)}"
        self._tickets.add(ticket)
        return f"{self.base.replace('http', 'ws')}/link?ticket={ticket}"

    async def connected(self, within_s: float = 5.0) -> None:
        async with asyncio.timeout(within_s):
            await self._connected.wait()

    async def link(self, request: web.Request) -> web.StreamResponse:
        ticket = request.query["ticket"]
        if ticket not in self._tickets:
            self.violations.append("a socket address used twice")
            return web.Response(status=403)
        self._tickets.discard(ticket)
        if self.refuse_handshakes:
            self.refuse_handshakes -= 1
            return web.Response(status=503)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.sockets.append(socket)
        self._connected.set()
        await socket.send_json({"type": "hello", "num_connections": len(self.sockets)})
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                reply = json.loads(message.data)
                future = self._acks.get(reply.get("envelope_id", ""))
                if future is not None and not future.done():
                    future.set_result(reply.get("payload"))
        if socket in self.sockets:
            self.sockets.remove(socket)
        if not self.sockets:
            self._connected.clear()
        return socket

    async def drop_sockets(self) -> None:
        """Cut every connection without a word."""
        for socket in list(self.sockets):
            self.sockets.remove(socket)
            transport = socket._req.transport if socket._req else None
            if transport is not None:
                transport.abort()
        self._connected.clear()

    def deliver(self, payload: dict[str, Any], kind: str = "events_api") -> "asyncio.Task[Any]":
        """Deliver over a socket until acknowledged, at most four times; the task gives the ack's payload."""
        task = asyncio.create_task(self._deliver(payload, kind))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        number = next(self._ids)
        if self.duplicate_every and number % self.duplicate_every == 0:
            twin = asyncio.create_task(self._deliver(payload, kind))
            self._tasks.add(twin)
            twin.add_done_callback(self._tasks.discard)
        return task

    async def delivered(self) -> None:
        """Wait until everything is acknowledged or given up."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def _deliver(self, payload: dict[str, Any], kind: str) -> Any:
        for attempt in range(RETRIES + 1):
            await self._connected.wait()
            envelope = f"e{next(self._ids)}"
            future = asyncio.get_running_loop().create_future()
            self._acks[envelope] = future
            started = time.monotonic()
            body = {
                "envelope_id": envelope,
                "type": kind,
                "accepts_response_payload": kind != "events_api",
                "payload": payload,
                "retry_attempt": attempt,
                "retry_reason": "timeout" if attempt else "",
            }
            try:
                await self.sockets[-1].send_json(body)
                async with asyncio.timeout(ACK_S):
                    result = await future
            except (TimeoutError, ConnectionError, IndexError, aiohttp.ClientError):
                continue
            self.ack_times.append(time.monotonic() - started)
            return result
        self.unacknowledged.append(str(payload.get("event_id")))
        return None

    # -- what people do ---------------------------------------------------------------------------------

    def envelope(self, event: dict[str, Any], **more: Any) -> dict[str, Any]:
        space = self.workspace
        return {
            "token": "verification",
            "team_id": space.team,
            "api_app_id": "A0APP",
            "type": "event_callback",
            "event_id": f"Ev{next(self._ids)}",
            "event_time": int(time.time()),
            "authorizations": [
                {
                    "enterprise_id": None,
                    "team_id": space.team,
                    "user_id": space.bot_user,
                    "is_bot": True,
                    "is_enterprise_install": False,
                }
            ],
            "is_ext_shared_channel": False,
            "event": event,
            **more,
        }

    def written(self, channel: str, user: str, text: str, *, thread: str | None = None, **more: Any) -> Posted:
        """A person writes: one event, or two with one ts where the bot is mentioned in a channel."""
        posted = self.workspace.post(channel, user, text, thread=thread, files=more.pop("files", []))
        room = self.workspace.channels[channel]
        event = {
            **posted.event(),
            "channel": channel,
            "channel_type": room.kind,
            "event_ts": posted.ts,
            "team": self.workspace.people.get(user, {}).get("team_id", self.workspace.team),
            "client_msg_id": f"c{posted.ts}",
            **more,
        }
        outer = {"is_ext_shared_channel": room.external}
        if f"<@{self.workspace.bot_user}>" in text and room.kind != "im":
            mention = {**event, "type": "app_mention"}
            mention.pop("channel_type")
            self.deliver(self.envelope(mention, **outer))
        self.deliver(self.envelope(event, **outer))
        return posted

    def event(self, event: dict[str, Any], **more: Any) -> "asyncio.Task[Any]":
        return self.deliver(self.envelope(event, **more))

    def command(self, channel: str, user: str, text: str) -> "asyncio.Task[Any]":
        room = self.workspace.channels[channel]
        names = {"im": "directmessage", "group": "privategroup"}
        body = {
            "token": "verification",
            "command": "/palace",
            "text": text,
            "team_id": self.workspace.team,
            "channel_id": channel,
            "channel_name": names.get(room.kind, room.name),
            "user_id": user,
            "trigger_id": self.new_trigger(),
            "response_url": self.new_response_url(),
        }
        return self.deliver(body, kind="slash_commands")

    def shortcut(self, posted: Posted, user: str) -> "asyncio.Task[Any]":
        body = {
            "type": "message_action",
            "callback_id": "save_memory",
            "team": {"id": self.workspace.team},
            "user": {"id": user},
            "channel": {"id": posted.channel},
            "message": posted.event(),
            "message_ts": posted.ts,
            "trigger_id": self.new_trigger(),
            "response_url": self.new_response_url(),
        }
        return self.deliver(body, kind="interactive")

    def pressed(self, element: dict[str, Any], user: str, *, channel: str, ts: str = "", **more: Any):
        """Press a button; a thumb is an element with its `value`."""
        body = {
            "type": "block_actions",
            "team": {"id": self.workspace.team},
            "user": {"id": user},
            "channel": {"id": channel},
            "container": {"type": "message", "message_ts": ts, "channel_id": channel, **more.pop("container", {})},
            "actions": [{**element, "action_ts": new_ts()}],
            "trigger_id": self.new_trigger(),
            "response_url": self.new_response_url(),
            **more,
        }
        return self.deliver(body, kind="interactive")

    def new_trigger(self) -> str:
        trigger = f"trigger{next(self._ids)}"
        self.triggers[trigger] = time.monotonic()
        return trigger

    def new_response_url(self) -> str:
        return f"{self.base}/respond/{next(self._ids)}"

    # -- over HTTP --------------------------------------------------------------------------------------

    async def post_signed(
        self,
        url: str,
        body: dict[str, Any],
        *,
        form: bool = False,
        secret: str = SECRET,
        age_s: float = 0.0,
        retry: int = 0,
    ) -> tuple[int, str, float]:
        """Send a request as Slack does over HTTP; returns status, body and seconds."""
        raw = (
            urlencode({"payload": json.dumps(body)} if "type" in body and form else body) if form else json.dumps(body)
        )
        stamp = str(int(time.time() - age_s))
        digest = hmac.new(secret.encode(), f"v0:{stamp}:{raw}".encode(), hashlib.sha256).hexdigest()
        headers = {
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": f"v0={digest}",
            "Content-Type": "application/x-www-form-urlencoded" if form else "application/json",
        }
        if retry:
            headers |= {"X-Slack-Retry-Num": str(retry), "X-Slack-Retry-Reason": "http_timeout"}
        started = time.monotonic()
        async with aiohttp.ClientSession() as session, session.post(url, data=raw, headers=headers) as response:
            return response.status, await response.text(), time.monotonic() - started

    async def file(self, request: web.Request) -> web.Response:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if token not in self.tokens:
            return web.Response(text="<html>Sign in to Slack</html>", content_type="text/html")
        return web.Response(body=self.pages[request.match_info["name"]], content_type="application/octet-stream")

    async def page(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        self.served.setdefault(name, time.monotonic())
        return web.Response(body=self.pages[name], content_type="text/html")


@asynccontextmanager
async def fake_slack(workspace: Workspace | None = None) -> AsyncIterator[FakeSlack]:
    """Run the stand-in on a free loopback port."""
    slack = FakeSlack(workspace or garden())
    application = web.Application()
    application.router.add_route("*", "/api/{method}", slack.handle)
    application.router.add_get("/link", slack.link)
    application.router.add_post("/respond/{number}", slack.respond)
    application.router.add_get("/files/{name}", slack.file)
    application.router.add_get("/page/{name}", slack.page)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    slack.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield slack
    finally:
        for task in list(slack._tasks):
            task.cancel()
        for socket in list(slack.sockets):
            with contextlib.suppress(Exception):
                await asyncio.wait_for(socket.close(), 0.2)
        await runner.cleanup()


def garden() -> Workspace:
    """A workspace with three people, a guest, and a room of every kind."""
    space = Workspace()
    for user, name in (("U0ANA", "Ana"), ("U0BEN", "Ben"), ("U0CLEO", "Cleo")):
        space.person(user, name)
    space.channel("C0DEV", "channel", "dev", ("U0ANA", "U0BEN", "U0CLEO"))
    space.channel("C0OPS", "channel", "ops", ("U0ANA", "U0BEN"))
    space.channel("G0SECRET", "group", "secret", ("U0ANA",))
    space.channel("C0SHARED", "channel", "shared", ("U0ANA", "U0GUEST"), external=True)
    space.channel("D0ANA", "im", "", ("U0ANA",))
    space.channel("D0BEN", "im", "", ("U0BEN",))
    return space
