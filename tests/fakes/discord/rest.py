"""REST v10 of the stand-in: permissions, error codes, buckets with 429, nonces, interactions with their deadlines."""

import asyncio
import json
import re
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from aiohttp import web

from tests.fakes.discord import guild as g
from tests.fakes.discord.guild import BOT, DM, Channel, World, Written, iso, snowflake
from tests.fakes.discord.rules import ApiError, bad_form, check_commands, check_form, check_message

TOKEN = "test-discord-token"
BUCKETS = {"text": (5, 5.0), "reaction": (1, 0.25), "typing": (5, 5.0), "delete": (5, 1.0), "hook": (5, 2.0)}
EVERYWHERE = (50, 1.0)
"""Calls of one bot in all; answers to interactions are not counted."""
ANSWERS = {2: {4, 5, 9}, 3: {4, 5, 6, 7, 9}, 4: {8}, 5: {4, 5, 6, 7}}
"""By kind of interaction (a command, a button, a completion, a form): the types of answer that fit."""
CHANNEL, MESSAGE, HOOKED = r"(?P<channel>\d+)", r"(?P<message>\d+)", r"(?P<message>@original|\d+)"
ROUTES: list[tuple[str, re.Pattern[str], str, str]] = [
    (method, re.compile(f"^{pattern.format(C=CHANNEL, M=MESSAGE, N=HOOKED)}$"), name, bucket)
    for method, pattern, name, bucket in (
        ("GET", "/users/@me", "me", ""),
        ("GET", "/oauth2/applications/@me", "application", ""),
        ("PUT", r"/applications/(?P<app>\d+)/commands", "commands", ""),
        ("POST", "/users/@me/channels", "open_direct", ""),
        ("GET", r"/channels/{C}", "channel", ""),
        ("PATCH", r"/channels/{C}", "edit_channel", ""),
        ("GET", r"/channels/{C}/messages", "history", "history"),
        ("POST", r"/channels/{C}/messages", "post", "text"),
        ("GET", r"/channels/{C}/messages/{M}", "message", ""),
        ("PATCH", r"/channels/{C}/messages/{M}", "edit", "text"),
        ("DELETE", r"/channels/{C}/messages/{M}", "delete", "delete"),
        ("POST", r"/channels/{C}/typing", "typing", "typing"),
        ("POST", r"/channels/{C}/messages/{M}/threads", "open_thread", ""),
        ("PUT", r"/channels/{C}/messages/{M}/reactions/(?P<emoji>[^/]+)/@me", "react", "reaction"),
        ("DELETE", r"/channels/{C}/messages/{M}/reactions/(?P<emoji>[^/]+)/@me", "unreact", "reaction"),
        ("GET", r"/guilds/(?P<guild>\d+)/members/(?P<user>\d+)", "member", ""),
        ("POST", r"/interactions/(?P<interaction>\d+)/(?P<token>[^/]+)/callback", "callback", ""),
        ("PATCH", r"/webhooks/(?P<app>\d+)/(?P<token>[^/]+)/messages/{N}", "hook_edit", "hook"),
        ("DELETE", r"/webhooks/(?P<app>\d+)/(?P<token>[^/]+)/messages/{N}", "hook_delete", "hook"),
        ("POST", r"/webhooks/(?P<app>\d+)/(?P<token>[^/]+)", "hook_post", "hook"),
    )
]  # fmt: skip


@dataclass
class Fault:
    """What the next call of a route meets: a status, or a reply lost after (`done`) or before the work."""

    status: int = 0
    retry_after: float = 0.0
    lost: bool = False
    done: bool = True


@dataclass
class Call:
    at: float
    route: str
    ids: dict[str, str]
    body: Any = None
    status: int = 0


@dataclass
class Used:
    """One interaction: what was answered to it, and what it shows."""

    interaction_id: str
    token: str
    channel: str
    user: str
    kind: int = 2
    made: float = field(default_factory=time.monotonic)
    message: str = ""
    answer: int = 0
    answered_after: float = 0.0
    ephemeral: bool = False
    data: dict[str, Any] = field(default_factory=dict)
    original: Written | None = None
    shown: list[Written] = field(default_factory=list)
    """What only its person sees."""


def reply(body: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """JSON with the exact content type that discord.py looks for."""
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers, content_type="application/json")


class Rest:
    """Routes by name over one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.calls: list[Call] = []
        self.limited: list[str] = []
        self.violations: list[str] = []
        self.faults: dict[str, deque[Fault | None]] = defaultdict(deque)
        self.commands: list[dict[str, Any]] = []
        self.syncs = 0
        self.used: dict[str, Used] = {}
        self.deadline_s = 3.0
        self.token_life_s = 900.0
        self.content_granted = True
        self.enforces_buckets = True
        self.speed = 1.0
        """How much faster than real the buckets refill, for tests with a faster time."""
        self.dispatch: Callable[[str, dict[str, Any]], None] = lambda _name, _data: None
        self._windows: dict[str, deque[float]] = defaultdict(deque)
        self._all: deque[float] = deque()
        self._nonces: dict[tuple[str, str], str] = {}

    def made(self, *routes: str) -> list[Call]:
        return [call for call in self.calls if call.route in routes and call.status < 300]

    def fail(self, route: str, *faults: Fault | None) -> None:
        self.faults[route].extend(faults)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix("/api/v10")
        for method, pattern, name, bucket in ROUTES:
            match = pattern.match(path)
            if method == request.method and match:
                return await self._call(
                    request, name, bucket, {key: unquote(value) for key, value in match.groupdict().items()}
                )
        self.violations.append(f"no route {request.method} {path}")
        return reply({"code": 0, "message": "404: Not Found"}, status=404)

    async def _call(self, request: web.Request, name: str, bucket: str, ids: dict[str, str]) -> web.StreamResponse:
        raw = await request.text()
        body = json.loads(raw) if raw else {}
        call = Call(time.monotonic(), name, ids, body)
        self.calls.append(call)
        if request.headers.get("Authorization") != f"Bot {TOKEN}" and name != "callback":
            call.status = 401
            return reply({"code": 0, "message": "401: Unauthorized"}, status=401)
        headers = self._headers(bucket, ids)
        if name != "callback" and self._too_many_in_all():
            return self._too_many(call, headers, 0.5, ours=True, everywhere=True)
        fault = self.faults[name].popleft() if self.faults[name] else None
        if headers.get("limited") or (fault and fault.status == 429):
            wait = fault.retry_after if fault else float(headers["X-RateLimit-Reset-After"])
            return self._too_many(call, headers, wait, ours=fault is None)
        if fault is not None and fault.lost and not fault.done:
            return await self._hang_up(request)
        if fault is not None and fault.status:
            call.status = fault.status
            return web.Response(status=fault.status, text="upstream trouble")
        try:
            result = getattr(self, f"_{name}")(ids, body, request)
        except ApiError as error:
            call.status = error.status
            return reply(error.body, status=error.status, headers=headers)
        if fault is not None and fault.lost:
            return await self._hang_up(request)
        call.status = 200
        return web.Response(status=204, headers=headers) if result is None else reply(result, headers=headers)

    async def _hang_up(self, request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        await asyncio.sleep(0)
        return web.Response(status=500)

    def _headers(self, bucket: str, ids: dict[str, str]) -> dict[str, str]:
        """Count a call in its bucket; `limited` says that it is one too many."""
        if not self.enforces_buckets or bucket not in BUCKETS:
            return {}
        limit, window_s = BUCKETS[bucket][0], BUCKETS[bucket][1] / self.speed
        now = time.monotonic()
        made = self._windows[f"{bucket}:{ids.get('channel') or ids.get('token')}"]
        while made and made[0] <= now - window_s:
            made.popleft()
        too_many = len(made) >= limit
        if not too_many:
            made.append(now)
        reset = max(0.01, made[0] + window_s - now)
        return {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(limit - len(made)),
            "X-RateLimit-Reset": f"{time.time() + reset:.3f}",
            "X-RateLimit-Reset-After": f"{reset:.3f}",
            "X-RateLimit-Bucket": bucket,
        } | ({"limited": "yes"} if too_many else {})

    def _too_many_in_all(self) -> bool:
        now = time.monotonic()
        while self._all and self._all[0] <= now - EVERYWHERE[1] / self.speed:
            self._all.popleft()
        self._all.append(now)
        return self.enforces_buckets and len(self._all) > EVERYWHERE[0]

    def _too_many(
        self, call: Call, headers: dict[str, str], wait: float, *, ours: bool, everywhere: bool = False
    ) -> web.Response:
        call.status = 429
        if ours:
            self.limited.append(f"{call.route} {call.ids}")
        headers.pop("limited", None)
        body = {"message": "You are being rate limited.", "retry_after": wait, "global": everywhere}
        return reply(body, status=429, headers=headers | {"Via": "1.1 google", "Retry-After": f"{wait:.3f}"})

    # -- who we are -------------------------------------------------------------------------------------

    def _me(self, _ids, _body, _request) -> dict[str, Any]:
        return self.world.users[BOT]

    def _application(self, _ids, _body, _request) -> dict[str, Any]:
        return {
            "id": BOT, "name": "Palace", "icon": None, "description": "", "bot_public": True,
            "bot_require_code_grant": False, "verify_key": "00", "owner": self.world.users[BOT], "team": None,
            "flags": 0, "rpc_origins": [], "summary": "",
        }  # fmt: skip

    def _commands(self, _ids, body, _request) -> list[dict[str, Any]]:
        check_commands(body)
        self.commands, self.syncs = body, self.syncs + 1
        return [{**command, "id": snowflake(), "application_id": BOT, "version": "1"} for command in body]

    def _member(self, ids, _body, _request) -> dict[str, Any]:
        if ids["guild"] not in self.world.guilds:
            raise ApiError(403, 50001, "Missing Access")
        if ids["user"] not in self.world.members[ids["guild"]]:
            raise ApiError(404, 10007, "Unknown Member")
        return self.world.member(ids["guild"], ids["user"])

    # -- channels ---------------------------------------------------------------------------------------

    def place(self, ids: dict[str, str], *needs: int) -> Channel:
        channel = self.world.channels.get(ids["channel"])
        if channel is None:
            raise ApiError(404, 10003, "Unknown Channel")
        may = self.world.permissions(channel, BOT)
        if not may & g.VIEW:
            raise ApiError(403, 50001, "Missing Access")
        if any(not may & need for need in needs):
            raise ApiError(403, 50013, "Missing Permissions")
        return channel

    def _channel(self, ids, _body, _request) -> dict[str, Any]:
        channel = self.place(ids)
        return channel.payload(self.world.users.get(channel.recipient))

    def _edit_channel(self, ids, body, _request) -> dict[str, Any]:
        channel = self.place(ids)
        if channel.locked and not self.world.permissions(channel, BOT) & g.MANAGE_THREADS:
            raise ApiError(403, 50013, "Missing Permissions")
        channel.archived = bool(body.get("archived", channel.archived))
        return channel.payload()

    def _open_direct(self, _ids, body, _request) -> dict[str, Any]:
        user = str(body["recipient_id"])
        if self.world.users[user].get("closed"):
            raise ApiError(403, 50007, "Cannot send messages to this user")
        return self.world.direct(user).payload(self.world.users[user])

    def _typing(self, ids, _body, _request) -> None:
        self.place(ids, g.SEND)

    def _history(self, ids, _body, request) -> list[dict[str, Any]]:
        channel = self.place(ids, g.HISTORY)
        after, before = int(request.query.get("after", 0)), int(request.query.get("before", 1 << 62))
        limit = int(request.query.get("limit", 50))
        found = [
            one
            for key, one in sorted(channel.messages.items(), key=lambda item: int(item[0]))
            if after < int(key) < before
        ]
        chosen = found[:limit] if "after" in request.query else found[-limit:]
        return [self._visible(one) | {"nonce": None} for one in reversed(chosen)]

    def _visible(self, written: Written) -> dict[str, Any]:
        """A message without what the Message Content intent would open."""
        payload = self.world.message(written)
        direct = self.world.channels[written.channel].kind == DM
        named = any(user["id"] == BOT for user in payload["mentions"])
        if self.content_granted or direct or named or written.author == BOT:
            return payload
        return payload | {"content": "", "embeds": [], "attachments": [], "components": []}

    def written(self, channel: Channel, message: str) -> Written:
        found = channel.messages.get(message)
        if found is None:
            raise ApiError(404, 10008, "Unknown Message")
        return found

    def _message(self, ids, _body, _request) -> dict[str, Any]:
        return self._visible(self.written(self.place(ids, g.HISTORY), ids["message"]))

    def _post(self, ids, body, _request) -> dict[str, Any]:
        channel = self.place(ids)
        need = g.SEND_IN_THREADS if channel.is_thread else g.SEND
        if not self.world.permissions(channel, BOT) & need:
            raise ApiError(403, 50013, "Missing Permissions")
        if channel.locked:
            raise ApiError(403, 160005, "Thread is locked")
        if channel.archived:
            raise ApiError(400, 50083, "Thread is archived")
        check_message(body)
        nonce = str(body.get("nonce") or "")
        if body.get("enforce_nonce") and (channel.channel_id, nonce) in self._nonces:
            return self.world.message(channel.messages[self._nonces[channel.channel_id, nonce]])
        reference = body.get("message_reference")
        if reference and not self.world.permissions(channel, BOT) & g.HISTORY:
            raise ApiError(403, 160002, "Cannot reply without permission to read message history")
        if reference and reference["message_id"] not in channel.messages:
            if reference.get("fail_if_not_exists", True):
                raise ApiError(400, 50035, "Unknown message")
            reference = None
        more = {"message_reference": {**reference, "channel_id": channel.channel_id}} if reference else {}
        if reference:
            more["ping"] = bool(body.get("allowed_mentions", {}).get("replied_user"))
        written = self.add(channel, body, nonce=nonce, **more)
        self._nonces[channel.channel_id, nonce] = written.message_id
        return self.world.message(written)

    def add(
        self, channel: Channel, body: dict[str, Any], *, nonce: str = "", quiet: bool = False, **more: Any
    ) -> Written:
        """Put a message of the bot's there and tell the gateway, as Discord does of one's own."""
        self._check_mentions(body)
        written = Written(
            snowflake(), channel.channel_id, BOT, body["content"], nonce=nonce or None,
            components=body.get("components") or [], flags=int(body.get("flags") or 0), more=more,
        )  # fmt: skip
        if not quiet:
            channel.messages[written.message_id] = written
            self.dispatch("MESSAGE_CREATE", self.world.message(written) | {"nonce": nonce or None})
        return written

    def _check_mentions(self, body: dict[str, Any]) -> None:
        if (body.get("allowed_mentions") or {}).get("parse") != []:
            self.violations.append("a message that may call people")
        if not int(body.get("flags") or 0) & 4:
            self.violations.append("a message with open previews")

    def _edit(self, ids, body, _request) -> dict[str, Any]:
        channel = self.place(ids)
        written = self.written(channel, ids["message"])
        if written.author != BOT:
            raise ApiError(403, 50005, "Cannot edit a message authored by another user")
        if channel.archived:
            raise ApiError(400, 50083, "Thread is archived")
        check_message(body)
        self.change(written, body)
        self.dispatch("MESSAGE_UPDATE", self.world.message(written))
        return self.world.message(written)

    def change(self, written: Written, body: dict[str, Any]) -> None:
        self._check_mentions(body)
        written.content = body["content"]
        written.components = body.get("components") or []
        written.edited_at = iso()
        written.edits.append((time.monotonic(), body["content"]))

    def _delete(self, ids, _body, _request) -> None:
        channel = self.place(ids)
        self.written(channel, ids["message"])
        del channel.messages[ids["message"]]

    def _react(self, ids, _body, _request) -> None:
        channel = self.place(ids, g.HISTORY, g.REACT)
        self.written(channel, ids["message"]).reactions.add((ids["emoji"], BOT))

    def _unreact(self, ids, _body, _request) -> None:
        self.written(self.place(ids), ids["message"]).reactions.discard((ids["emoji"], BOT))

    def _open_thread(self, ids, body, _request) -> dict[str, Any]:
        channel = self.place(ids, g.PUBLIC_THREADS)
        self.written(channel, ids["message"])
        if ids["message"] in self.world.channels:
            raise ApiError(400, 160004, "A thread has already been created for this message")
        thread = self.world.thread(channel.channel_id, ids["message"], body["name"], owner=BOT)
        self.dispatch("THREAD_CREATE", thread.payload() | {"newly_created": True})
        return thread.payload()

    # -- interactions -----------------------------------------------------------------------------------

    def _callback(self, ids, body, _request) -> None:
        used = self.used.get(ids["token"])
        if used is None or used.interaction_id != ids["interaction"]:
            raise ApiError(404, 10062, "Unknown interaction")
        after = time.monotonic() - used.made
        if used.answer:
            raise ApiError(400, 40060, "Interaction has already been acknowledged.")
        if after > self.deadline_s:
            raise ApiError(404, 10062, "Unknown interaction")
        if int(body["type"]) not in ANSWERS[used.kind]:
            raise bad_form("type", "This is no answer to such an interaction", "BASE_TYPE_CHOICES")
        data = body.get("data") or {}
        used.answer, used.answered_after, used.data = int(body["type"]), after, data
        used.ephemeral = bool(int(data.get("flags") or 0) & 64)
        match used.answer:
            case 4:
                check_message(data)
                used.shown.append(Written(snowflake(), used.channel, BOT, data["content"]))
            case 8:
                assert len(data["choices"]) <= 25
                assert all(1 <= len(one["name"]) <= 100 and len(one["value"]) <= 100 for one in data["choices"])
            case 9:
                check_form(data)
            case 6 if used.message:
                used.original = self.world.channels[used.channel].messages.get(used.message)

    def _hook(self, ids: dict[str, str]) -> Used:
        used = self.used.get(ids["token"])
        if used is None:
            raise ApiError(404, 10015, "Unknown Webhook")
        if time.monotonic() - used.made > self.token_life_s:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        return used

    def _hook_edit(self, ids, body, _request) -> dict[str, Any]:
        used = self._hook(ids)
        check_message(body)
        if ids["message"] != "@original":
            hidden = {one.message_id: one for one in used.shown}
            written = hidden.get(ids["message"]) or self.written(self.world.channels[used.channel], ids["message"])
            self.change(written, body)
            return self.world.message(written)
        if used.answer != 5 and not (used.answer == 6 and used.original):  # a button's original is its message
            raise ApiError(404, 10008, "Unknown Message")
        if used.original is None:
            used.original = self._hook_add(used, body, hidden=used.ephemeral)
        else:
            self.change(used.original, body)
        return self.world.message(used.original)

    def _hook_add(self, used: Used, body: dict[str, Any], *, hidden: bool) -> Written:
        written = self.add(self.world.channels[used.channel], body, quiet=hidden)
        if hidden:
            used.shown.append(written)
        return written

    def _hook_post(self, ids, body, _request) -> dict[str, Any]:
        used = self._hook(ids)
        if not used.answer:
            raise ApiError(404, 10015, "Unknown Webhook")
        check_message(body)
        return self.world.message(self._hook_add(used, body, hidden=bool(int(body.get("flags") or 0) & 64)))

    def _hook_delete(self, ids, _body, _request) -> None:
        used = self._hook(ids)
        used.shown = [one for one in used.shown if one.message_id != ids["message"]]
        self.world.channels[used.channel].messages.pop(ids["message"], None)
