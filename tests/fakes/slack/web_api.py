"""The Web API of the stand-in: strict about arguments, limits, tiers and streaming states; fails when told to."""

import asyncio
import json
import time
from collections import defaultdict, deque
from dataclasses import dataclass, replace
from typing import Any

from aiohttp import web

from tests.fakes.slack import rules
from tests.fakes.slack.workspace import Posted, Workspace, new_ts

ALL_SCOPES = (
    "app_mentions:read,assistant:write,channels:history,channels:read,chat:write,commands,files:read,groups:history,"
    "groups:read,im:history,im:read,im:write,mpim:history,mpim:read,reactions:read,reactions:write,users:read"
)


UNDER_WAY_S = 0.25
"""Calls sent before a 429 was received are no violation."""


@dataclass
class Fault:
    """What the next call of a method meets: a status, or a reply lost after (`done`) or before the work."""

    status: int = 0
    retry_after: float = 0.0
    lost: bool = False
    done: bool = True
    error: str = ""


@dataclass
class Call:
    at: float
    method: str
    arguments: dict[str, Any]
    error: str = ""


class ApiError(Exception):
    pass


class WebApi:
    """Methods by name over one workspace."""

    def __init__(self, workspace: Workspace, *, tokens: dict[str, str] | None = None) -> None:
        self.workspace = workspace
        self.tokens = tokens or {"xoxb-test": workspace.team}
        self.scopes = ALL_SCOPES
        self.calls: list[Call] = []
        self.violations: list[str] = []
        self.limited: list[str] = []
        self.faults: dict[str, deque[Fault | None]] = defaultdict(deque)
        self.closed_until: dict[str, float] = {}
        self.closed_since: dict[str, float] = {}
        self.stream_life_s = rules.STREAM_LIFE_S
        self.native = True
        self.status_works = True
        self.delay_s = 0.0
        self.triggers: dict[str, float] = {}
        self.response_uses: dict[str, int] = defaultdict(int)
        self.tiers = dict(rules.TIERS)
        self.refresh: dict[str, str] = {}
        self.withheld: dict[str, dict] = {}
        self._windows: dict[str, deque[float]] = defaultdict(deque)
        self._busy: set[tuple[str, str]] = set()

    def fail(self, method: str, *faults: Fault | None) -> None:
        self.faults[method].extend(faults)

    def made(self, *methods: str) -> list[Call]:
        return [call for call in self.calls if call.method in methods]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        arguments, as_json = await _arguments(request)
        call = Call(time.monotonic(), method, arguments)
        self.calls.append(call)
        if method in rules.READS and as_json:
            self.violations.append(f"{method} takes no JSON")
        limited = self._limited(method, call.at)
        if limited is not None:
            call.error = "ratelimited"
            return limited
        fault = self.faults[method].popleft() if self.faults[method] else None
        if fault and (fault.status or fault.error):
            return self._faulty(call, fault)
        if fault and not fault.done:
            _drop(request)
        body: dict[str, Any]
        try:
            body = {"ok": True, **await self._run(method, arguments, request)}
        except ApiError as error:
            call.error = str(error)
            body = {"ok": False, "error": str(error)}
        if fault and fault.lost:
            call.error = "lost"
            _drop(request)
        return web.json_response(body, headers={"x-oauth-scopes": self.scopes})

    def _faulty(self, call: Call, fault: Fault) -> web.Response:
        call.error = fault.error or str(fault.status)
        if fault.status == 429:
            self.closed_until[call.method] = call.at + fault.retry_after
            headers = {"Retry-After": f"{fault.retry_after:g}"}
            return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers=headers)
        if fault.status:
            return web.Response(text="<html>bad gateway</html>", status=fault.status, content_type="text/html")
        return web.json_response({"ok": False, "error": fault.error})

    def _limited(self, method: str, now: float) -> web.Response | None:
        closed = self.closed_until.get(method, 0.0)
        under_way = now < self.closed_since.get(method, 0.0) + UNDER_WAY_S
        if now < closed - 0.01 and not under_way:
            self.violations.append(f"{method} before Retry-After was over")
        window = self._windows[method]
        while window and window[0] <= now - 60:
            window.popleft()
        if method in self.tiers and len(window) >= self.tiers[method]:
            self.limited.append(method)
            self.closed_since[method] = now if closed < now else self.closed_since[method]
            self.closed_until[method] = max(closed, now + 5)
            return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers={"Retry-After": "5"})
        window.append(now)
        return None

    async def _run(self, method: str, arguments: dict[str, Any], request: web.Request) -> dict[str, Any]:
        self._check_token(method, request, arguments)
        if self.delay_s:
            await asyncio.sleep(self.delay_s)
        function = getattr(self, "_" + method.replace(".", "_"), None)
        if function is None:
            self.violations.append(f"unknown method {method}")
            raise ApiError("unknown_method")
        if rules.pings(arguments):
            self.violations.append(f"{method} calls somebody: {rules.pings(arguments)}")
        if "blocks" in arguments and (error := rules.block_error(arguments["blocks"])):
            self.violations.append(f"{method}: {error}")
            raise ApiError(error)
        return function(arguments)

    def _check_token(self, method: str, request: web.Request, arguments: dict[str, Any]) -> None:
        if method == "oauth.v2.access":
            return
        token = request.headers.get("Authorization", "").removeprefix("Bearer ") or arguments.get("token", "")
        if method == "apps.connections.open":
            if not token.startswith("xapp-"):
                raise ApiError("not_allowed_token_type")
        elif token not in self.tokens:
            raise ApiError("invalid_auth" if token else "not_authed")

    # -- identity ---------------------------------------------------------------------------------------

    def _auth_test(self, arguments: dict) -> dict:
        space = self.workspace
        return {
            "url": "https://garden.slack.com/",
            "team_id": space.team,
            "user_id": space.bot_user,
            "bot_id": space.bot_id,
            "is_enterprise_install": False,
        }

    def _apps_connections_open(self, arguments: dict) -> dict:
        return {"url": self.new_socket_url()}

    def new_socket_url(self) -> str:
        raise NotImplementedError

    def _oauth_v2_access(self, arguments: dict) -> dict:
        if arguments.get("grant_type") == "refresh_token":
            token = f"xoxe.xoxb-{len(self.tokens)}"
            self.tokens[token] = self.refresh[arguments["refresh_token"]]
            self.refresh[f"xoxe-{len(self.tokens)}"] = self.tokens[token]
            return {
                "access_token": token,
                "token_type": "bot",
                "bot_user_id": self.workspace.bot_user,
                "refresh_token": f"xoxe-{len(self.tokens)}",
                "expires_in": 43200,
                "team": {"id": self.workspace.team},
            }
        return json.loads(arguments["code"])

    # -- names ------------------------------------------------------------------------------------------

    def _files_info(self, arguments: dict) -> dict:
        if arguments["file"] not in self.withheld:
            raise ApiError("file_not_found")
        return {"file": self.withheld[arguments["file"]]}

    def _users_info(self, arguments: dict) -> dict:
        if arguments["user"] not in self.workspace.people:
            raise ApiError("user_not_found")
        return {"user": self.workspace.people[arguments["user"]]}

    def _conversations_info(self, arguments: dict) -> dict:
        channel = self.workspace.channels.get(arguments["channel"])
        if channel is None:
            raise ApiError("channel_not_found")
        return {"channel": channel.info()}

    def _users_conversations(self, arguments: dict) -> dict:
        found = [
            c.info() for c in self.workspace.channels.values() if arguments["user"] in c.members and c.kind != "im"
        ]
        return {"channels": found, "response_metadata": {"next_cursor": ""}}

    def _conversations_history(self, arguments: dict) -> dict:
        if int(arguments.get("limit", 100)) > 15:
            self.violations.append("history with more than 15 items")
        messages = [m for (channel, _), m in self.workspace.messages.items() if channel == arguments["channel"]]
        if "latest" in arguments:
            messages = [m for m in messages if float(m.ts) <= float(arguments["latest"]) and not m.thread]
        newest = sorted(messages, key=lambda m: float(m.ts), reverse=True)
        return {"messages": [m.event() for m in newest[: int(arguments.get("limit", 15))]]}

    def _conversations_replies(self, arguments: dict) -> dict:
        """The first message of the thread, then its replies after `oldest`, the oldest first."""
        if int(arguments.get("limit", 15)) > 15:
            self.violations.append("replies with more than 15 items")
        root, oldest = arguments["ts"], float(arguments.get("oldest") or 0)
        messages = [
            m
            for (channel, ts), m in self.workspace.messages.items()
            if channel == arguments["channel"] and (ts == root or (m.thread == root and float(ts) > oldest))
        ]
        return {"messages": [m.event() for m in messages[: int(arguments.get("limit", 15))]]}

    # -- writing ----------------------------------------------------------------------------------------

    def _place(self, arguments: dict) -> None:
        if arguments["channel"] not in self.workspace.channels:
            raise ApiError("channel_not_found")
        thread = arguments.get("thread_ts")
        if thread and (arguments["channel"], thread) not in self.workspace.messages:
            raise ApiError("thread_not_found")

    def _text(self, arguments: dict, method: str) -> str:
        text = arguments.get("text") or ""
        if "markdown_text" in arguments and ("text" in arguments or "blocks" in arguments):
            raise ApiError("markdown_text_conflict")
        if not text:
            raise ApiError("no_text")
        return text

    def _chat_postMessage(self, arguments: dict) -> dict:  # noqa: N802
        self._place(arguments)
        text = self._text(arguments, "chat.postMessage")
        self._posting(arguments["channel"])
        if len(text) > rules.POST_CHARACTERS:
            self.violations.append("a post that Slack splits")
        if "<http" in text and arguments.get("unfurl_links") is not False:
            self.violations.append("a post that unfurls")
        posted = self.workspace.post(
            arguments["channel"],
            self.workspace.bot_user,
            text,
            thread=arguments.get("thread_ts"),
            blocks=arguments.get("blocks") or [],
            metadata=arguments.get("metadata") or {},
        )
        return {"ts": posted.ts, "channel": posted.channel}

    def _chat_postEphemeral(self, arguments: dict) -> dict:  # noqa: N802
        self._place(arguments)
        self.workspace.ephemerals.append({**arguments, "via": "chat.postEphemeral"})
        return {"message_ts": new_ts()}

    def _posting(self, channel: str) -> None:
        """About one message a second a channel; a second one at once is forgiven, more are not."""
        now, window = time.monotonic(), self._windows[f"post {channel}"]
        while window and window[0] <= now - 2.9:
            window.popleft()
        window.append(now)
        if len(window) > 4:
            self.violations.append(f"{len(window)} posts in three seconds in {channel}")

    def _own(self, arguments: dict) -> Posted:
        posted = self.workspace.messages.get((arguments["channel"], arguments["ts"]))
        if posted is None:
            raise ApiError("message_not_found")
        if posted.user != self.workspace.bot_user:
            raise ApiError("cant_update_message")
        return posted

    def _chat_update(self, arguments: dict) -> dict:
        posted = self._own(arguments)
        text = self._text(arguments, "chat.update")
        if len(text.encode()) > rules.UPDATE_BYTES:
            self.violations.append("chat.update over 4,000 bytes")
            raise ApiError("msg_too_long")
        if self._streams(posted):
            raise ApiError("streaming_state_conflict")
        posted.text, posted.blocks = text, arguments.get("blocks") or []
        posted.edits += 1
        return {"ts": posted.ts}

    def _chat_delete(self, arguments: dict) -> dict:
        posted = self._own(arguments)
        del self.workspace.messages[posted.channel, posted.ts]
        return {}

    # -- streams ----------------------------------------------------------------------------------------

    def _streams(self, posted: Posted) -> bool:
        if posted.streaming and time.monotonic() - posted.stream_started > self.stream_life_s:
            posted.streaming = False
        return posted.streaming

    def _chat_startStream(self, arguments: dict) -> dict:  # noqa: N802
        if not self.native:
            raise ApiError("unknown_method")
        self._place(arguments)
        missing = {"thread_ts", "recipient_user_id", "recipient_team_id"} - {k for k, v in arguments.items() if v}
        if missing:
            self.violations.append(f"startStream without {missing}")
            raise ApiError("invalid_arguments")
        self._posting(arguments["channel"])
        posted = self.workspace.post(
            arguments["channel"],
            self.workspace.bot_user,
            arguments.get("markdown_text", ""),
            thread=arguments["thread_ts"],
        )
        posted.streaming, posted.stream_started = True, time.monotonic()
        return {"ts": posted.ts}

    def _chat_appendStream(self, arguments: dict) -> dict:  # noqa: N802
        posted = self._own(arguments)
        if not self._streams(posted):
            raise ApiError("message_not_in_streaming_state")
        posted.text += arguments["markdown_text"]
        posted.edits += 1
        if len(arguments["markdown_text"]) > 12_000 or len(posted.text) > rules.STREAM_CHARACTERS:
            self.violations.append("a stream over 12,000 characters")
            raise ApiError("msg_too_long")
        return {"ts": posted.ts}

    def _chat_stopStream(self, arguments: dict) -> dict:  # noqa: N802
        posted = self._own(arguments)
        if not self._streams(posted):
            raise ApiError("message_not_in_streaming_state")
        posted.text += arguments.get("markdown_text", "")
        posted.blocks = arguments.get("blocks") or []
        posted.streaming = False
        return {"ts": posted.ts}

    # -- the rest ---------------------------------------------------------------------------------------

    def _reactions_add(self, arguments: dict) -> dict:
        posted = self.workspace.messages.get((arguments["channel"], arguments["timestamp"]))
        if posted is None:
            raise ApiError("message_not_found")
        if (arguments["name"], self.workspace.bot_user) in posted.reactions:
            raise ApiError("already_reacted")
        posted.reactions.add((arguments["name"], self.workspace.bot_user))
        return {}

    def _reactions_remove(self, arguments: dict) -> dict:
        posted = self.workspace.messages.get((arguments["channel"], arguments["timestamp"]))
        if posted is None or (arguments["name"], self.workspace.bot_user) not in posted.reactions:
            raise ApiError("no_reaction")
        posted.reactions.remove((arguments["name"], self.workspace.bot_user))
        return {}

    def _assistant_threads_setStatus(self, arguments: dict) -> dict:  # noqa: N802
        if not self.status_works:
            raise ApiError("invalid_thread_ts")
        self.workspace.statuses.append((arguments["thread_ts"], arguments["status"]))
        return {}

    def _assistant_threads_setSuggestedPrompts(self, arguments: dict) -> dict:  # noqa: N802
        if len(arguments["prompts"]) > 4:
            raise ApiError("invalid_arguments")
        self.workspace.prompts.append(arguments)
        return {}

    def _agents_sessions_setStatus(self, arguments: dict) -> dict:  # noqa: N802
        if arguments["status"] not in {"active", "processing", "suspended", "closed"}:
            raise ApiError("invalid_arguments")
        return {}

    def _views_open(self, arguments: dict) -> dict:
        if time.monotonic() - self.triggers.pop(arguments["trigger_id"], -100.0) > 3:
            raise ApiError("expired_trigger_id")
        self.workspace.opened_views.append(arguments["view"])
        return {"view": {"id": "V1"}}

    def _views_publish(self, arguments: dict) -> dict:
        if arguments["view"]["type"] != "home" or len(arguments["view"]["blocks"]) > 100:
            raise ApiError("invalid_arguments")
        self.workspace.views[arguments["user_id"]] = arguments["view"]
        return {}

    async def respond(self, request: web.Request) -> web.Response:
        """Take a message for a response_url."""
        url = str(request.url)
        self.response_uses[url] += 1
        if self.response_uses[url] > 5:
            return web.json_response({"ok": False, "error": "used_url"}, status=404)
        body = await request.json()
        if body.get("blocks") and (error := rules.block_error(body["blocks"])):
            self.violations.append(f"response_url: {error}")
        if rules.pings(body):
            self.violations.append("response_url calls somebody")
        if body.get("replace_original"):
            if body.get("response_type") == "ephemeral":
                self.violations.append("response_url: an ephemeral message replaces nothing")
            self.workspace.replaced.append(body)
        else:
            self.workspace.ephemerals.append({**body, "via": "response_url"})
        return web.json_response({"ok": True})


async def _arguments(request: web.Request) -> tuple[dict[str, Any], bool]:
    arguments: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        return arguments | await request.json(), True
    form = dict(await request.post())
    parsed = {k: json.loads(v) if k in {"blocks", "metadata", "view"} else v for k, v in form.items()}
    return arguments | parsed, False


def _drop(request: web.Request) -> None:
    """Cut the connection without a reply."""
    assert request.transport is not None
    request.transport.abort()
    raise ConnectionResetError


__all__ = ["ApiError", "Call", "Fault", "WebApi", "replace"]
