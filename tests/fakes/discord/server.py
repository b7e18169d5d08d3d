"""Discord on loopback: the gateway and REST v10 for the real discord.py, and what people do there."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from aiohttp import WSMsgType, web

from tests.fakes.discord.guild import BOT, FORUM, MANAGE_GUILD, World, Written, iso, snowflake
from tests.fakes.discord.rest import TOKEN, Rest, Used

GUILDS, GUILD_MESSAGES, GUILD_REACTIONS = 1 << 0, 1 << 9, 1 << 10
DIRECT_MESSAGES, DIRECT_REACTIONS, CONTENT = 1 << 12, 1 << 13, 1 << 15
PRIVILEGED = (1 << 1) | (1 << 8) | CONTENT
HOME, OTHER = "700000000000000001", "700000000000000002"
DEV, OPS, SECRET, STAFF, FORUM_ID, ELSEWHERE = (f"71000000000000000{number}" for number in range(1, 7))
ANA, BEN, CLEO, GUS = (f"72000000000000000{number}" for number in range(1, 5))
STAFF_ROLE = "730000000000000001"


@dataclass
class Session:
    session_id: str
    intents: int
    sequence: int = 0
    sent: list[dict[str, Any]] = field(default_factory=list)
    socket: web.WebSocketResponse | None = None
    valid: bool = True


class FakeDiscord(Rest):
    """The stand-in; open it with `fake_discord`."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.base = ""
        self.sessions: dict[str, Session] = {}
        self.identifies: list[int] = []
        self.resumes = 0
        self.refuses_resume = False
        self.duplicate_every = 0
        self.locale = "en-US"
        self.pages: dict[str, bytes] = {}
        self.served: list[str] = []
        self.dispatch = self.tell
        self._count = count(1)
        self._connected = asyncio.Event()

    @property
    def api_url(self) -> str:
        return f"{self.base}/api/v10"

    @property
    def gateway_url(self) -> str:
        return f"{self.base.replace('http', 'ws')}/gateway"

    async def connected(self, within_s: float = 10.0) -> None:
        async with asyncio.timeout(within_s):
            await self._connected.wait()

    # -- the gateway ------------------------------------------------------------------------------------

    async def gateway(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41250}})
        session: Session | None = None
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            received = json.loads(message.data)
            match received["op"]:
                case 1:
                    await socket.send_json({"op": 11, "d": None})
                case 2:
                    session = await self._identify(socket, received["d"])
                case 6:
                    session = await self._resume(socket, received["d"])
        if session is not None and session.socket is socket:
            session.socket = None
            if not any(one.socket for one in self.sessions.values()):
                self._connected.clear()
        return socket

    async def _identify(self, socket: web.WebSocketResponse, data: dict[str, Any]) -> Session | None:
        intents = int(data["intents"])
        self.identifies.append(intents)
        if data["token"] != TOKEN:
            await socket.close(code=4004, message=b"Authentication failed.")
            return None
        if intents & PRIVILEGED & ~(CONTENT if self.content_granted else 0):
            await socket.close(code=4014, message=b"Disallowed intent(s).")
            return None
        session = Session(f"s{next(self._count)}", intents, socket=socket)
        self.sessions[session.session_id] = session
        ready = {
            "v": 10,
            "user": self.world.users[BOT],
            "guilds": [{"id": guild, "unavailable": True} for guild in self.world.guilds],
            "session_id": session.session_id,
            "resume_gateway_url": self.gateway_url,
            "application": {"id": BOT, "flags": 0},
        }
        self._send(session, "READY", ready)
        for guild in self.world.guilds:
            self._send(session, "GUILD_CREATE", self.world.guild_payload(guild))
        self._connected.set()
        return session

    async def _resume(self, socket: web.WebSocketResponse, data: dict[str, Any]) -> Session | None:
        session = self.sessions.get(data["session_id"])
        if session is None or not session.valid or self.refuses_resume:
            await socket.send_json({"op": 9, "d": False})
            return None
        self.resumes += 1
        session.socket = socket
        for event in [one for one in session.sent if one["s"] > data["seq"]]:
            await socket.send_json(event)
        self._send(session, "RESUMED", {})
        self._connected.set()
        return session

    def _send(self, session: Session, name: str, data: dict[str, Any]) -> None:
        session.sequence += 1
        event = {"op": 0, "t": name, "s": session.sequence, "d": data}
        session.sent.append(event)
        if session.socket is not None and not session.socket.closed:
            asyncio.ensure_future(self._push(session.socket, event))  # noqa: RUF006 - ended with the loop

    async def _push(self, socket: web.WebSocketResponse, event: dict[str, Any]) -> None:
        with contextlib.suppress(ConnectionError, RuntimeError):
            await socket.send_json(event)

    def tell(self, name: str, data: dict[str, Any]) -> None:
        """Dispatch to every session that asked for such events, with the content that it may see."""
        needed = self._intent(name, data)
        times = 2 if self.duplicate_every and next(self._count) % self.duplicate_every == 0 else 1
        for session in self.sessions.values():
            if session.valid and (needed == 0 or session.intents & needed):
                for _ in range(times):
                    self._send(session, name, self._filtered(session, name, data))

    def _intent(self, name: str, data: dict[str, Any]) -> int:
        direct = not data.get("guild_id")
        if name.startswith("MESSAGE_REACTION"):
            return DIRECT_REACTIONS if direct else GUILD_REACTIONS
        if name.startswith("MESSAGE"):
            return DIRECT_MESSAGES if direct else GUILD_MESSAGES
        return 0 if name == "INTERACTION_CREATE" else GUILDS

    def _filtered(self, session: Session, name: str, data: dict[str, Any]) -> dict[str, Any]:
        if name not in {"MESSAGE_CREATE", "MESSAGE_UPDATE"} or session.intents & CONTENT or not data.get("guild_id"):
            return data
        if data["author"]["id"] == BOT or any(user["id"] == BOT for user in data["mentions"]):
            return data
        return data | {"content": "", "embeds": [], "attachments": [], "components": [], "message_snapshots": []}

    async def drop(self, *, forget: bool = False) -> None:
        """Cut every connection without a word; `forget`: no session can be resumed after it."""
        for session in self.sessions.values():
            session.valid = session.valid and not forget
            socket, session.socket = session.socket, None
            if socket is not None and socket._req is not None and socket._req.transport is not None:
                socket._req.transport.abort()
        self._connected.clear()

    async def invalidate(self) -> None:
        """Say that the session is over: a new one has to begin."""
        for session in self.sessions.values():
            session.valid = False
            if session.socket is not None:
                await session.socket.send_json({"op": 9, "d": False})
                session.socket = None
        self._connected.clear()

    async def ask_to_reconnect(self) -> None:
        for session in self.sessions.values():
            if session.socket is not None:
                await session.socket.send_json({"op": 7, "d": None})

    # -- what people do ---------------------------------------------------------------------------------

    def says(
        self, channel: str, user: str, text: str, *, reply_to: Written | None = None, told: bool = True, **more: Any
    ) -> Written:
        """A person writes; `told` False: while no session hears it."""
        if reply_to is not None:
            more["message_reference"] = {"message_id": reply_to.message_id, "channel_id": channel}
        made = Written(snowflake(), channel, user, text, more=more)
        self.world.channels[channel].messages[made.message_id] = made
        if told:
            self.tell("MESSAGE_CREATE", self._from_person(made))
        return made

    def _from_person(self, made: Written) -> dict[str, Any]:
        payload = self.world.message(made)
        guild = self.world.channels[made.channel].guild
        if guild and made.author in self.world.members[guild]:
            payload["member"] = {
                key: value for key, value in self.world.member(guild, made.author).items() if key != "user"
            }
        return payload

    def again(self, made: Written) -> None:
        """The same message, dispatched once more."""
        self.tell("MESSAGE_CREATE", self._from_person(made))

    def forwards(self, channel: str, user: str, text: str, **inner: Any) -> Written:
        """A person forwards a message from elsewhere."""
        snapshot = {
            "type": 0, "content": text, "timestamp": "2026-01-05T10:00:00+00:00", "edited_timestamp": None, "flags": 0,
            "mentions": [], "mention_roles": [], "attachments": [], "embeds": [], "components": [], **inner,
        }  # fmt: skip
        reference = {"type": 1, "message_id": "710", "channel_id": ELSEWHERE, "guild_id": OTHER}
        return self.says(channel, user, "", message_snapshots=[{"message": snapshot}], message_reference=reference)

    def rewrites(self, made: Written, text: str) -> None:
        made.content, made.edited_at = text, iso()
        self.tell("MESSAGE_UPDATE", self._from_person(made))

    def unfolds(self, made: Written, **card: Any) -> None:
        """A preview appears under a message: an update that nobody made."""
        made.more["embeds"] = [{"type": "link", **card}]
        self.tell("MESSAGE_UPDATE", self._from_person(made))

    def removes(self, *made: Written) -> None:
        where = {"channel_id": made[0].channel, "guild_id": self.world.channels[made[0].channel].guild}
        for one in made:
            self.world.channels[one.channel].messages.pop(one.message_id, None)
        if len(made) == 1:
            self.tell("MESSAGE_DELETE", {"id": made[0].message_id, **where})
        else:
            self.tell("MESSAGE_DELETE_BULK", {"ids": [one.message_id for one in made], **where})

    def reacts(self, made: Written, user: str, emoji: str = "🧠", *, away: bool = False) -> None:
        (made.reactions.discard if away else made.reactions.add)((emoji, user))
        guild = self.world.channels[made.channel].guild
        data = {
            "user_id": user, "channel_id": made.channel, "message_id": made.message_id,
            "emoji": {"id": None, "name": emoji}, "burst": False, "type": 0,
        }  # fmt: skip
        if guild:
            data["guild_id"] = guild
            if not away:
                data["member"] = self.world.member(guild, user)
        self.tell("MESSAGE_REACTION_REMOVE" if away else "MESSAGE_REACTION_ADD", data)

    def uses(
        self,
        channel: str,
        user: str,
        kind: int,
        data: dict[str, Any],
        *,
        message: Written | None = None,
        tells: int = 1,
    ) -> Used:
        """Somebody uses a command (2), a button (3), a completion (4) or a form (5)."""
        used = Used(
            snowflake(),
            f"token{next(self._count)}",
            channel,
            user,
            kind=kind,
            message=message.message_id if message else "",
        )
        self.used[used.token] = used
        place = self.world.channels[channel]
        payload: dict[str, Any] = {
            "id": used.interaction_id, "application_id": BOT, "type": kind, "data": data, "channel_id": channel,
            "channel": place.payload(self.world.users.get(place.recipient)), "token": used.token, "version": 1,
            "locale": self.locale, "entitlements": [], "authorizing_integration_owners": {}, "attachment_size_limit": 1,
            "app_permissions": str(self.world.permissions(place, BOT)), "context": 0 if place.guild else 1,
        }  # fmt: skip
        if place.guild:
            may = str(self.world.permissions(place, user))
            payload |= {"guild_id": place.guild, "guild": {"id": place.guild, "features": [], "locale": "en-US"}}
            payload["member"] = self.world.member(place.guild, user) | {"permissions": may}
        else:
            payload["user"] = self.world.users[user]
        if message is not None:
            payload["message"] = self.world.message(message)
        for _ in range(tells):
            self.tell("INTERACTION_CREATE", payload)
        return used

    def slash(self, channel: str, user: str, name: str, text: str = "", *, tells: int = 1, **options: Any) -> Used:
        given = ({"text": text} if text else {}) | options
        kinds = {bool: 5, str: 3}
        data: dict[str, Any] = {
            "id": "1", "name": name, "type": 1,
            "options": [{"name": key, "type": kinds[type(value)], "value": value} for key, value in given.items()],
        }  # fmt: skip
        return self.uses(channel, user, 2, data, tells=tells)

    def completes(self, channel: str, user: str, name: str, typed: str) -> Used:
        options = [{"name": "text", "type": 3, "value": typed, "focused": True}]
        return self.uses(channel, user, 4, {"id": "1", "name": name, "type": 1, "options": options})

    def menu(self, made: Written, user: str) -> Used:
        data = {
            "id": "2", "name": "Save to memory", "type": 3, "target_id": made.message_id,
            "resolved": {"messages": {made.message_id: self.world.message(made)}},
        }  # fmt: skip
        return self.uses(made.channel, user, 2, data)

    def presses(self, made: Written, user: str, name: str) -> Used:
        data = {"custom_id": made.button(name)["custom_id"], "component_type": 2}
        return self.uses(made.channel, user, 3, data, message=made)

    def fills(self, opened: Used, user: str, **typed: str) -> Used:
        rows = [
            {"type": 1, "components": [{"type": 4, "custom_id": key, "value": value}]} for key, value in typed.items()
        ]
        return self.uses(opened.channel, user, 5, {"custom_id": opened.data["custom_id"], "components": rows})

    # -- over HTTP --------------------------------------------------------------------------------------

    async def page(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        self.served.append(name)
        if name not in self.pages:
            return web.Response(status=404)
        return web.Response(body=self.pages[name], content_type="text/html")

    async def file(self, request: web.Request) -> web.Response:
        return web.Response(body=self.pages[request.match_info["name"]], content_type="application/octet-stream")


@asynccontextmanager
async def fake_discord(world: World | None = None) -> AsyncIterator[FakeDiscord]:
    """Run the stand-in on a free loopback port."""
    discord = FakeDiscord(world or bakery())
    application = web.Application()
    application.router.add_route("*", "/api/v10/{path:.*}", discord.handle)
    application.router.add_get("/gateway/", discord.gateway)
    application.router.add_get("/gateway", discord.gateway)
    application.router.add_get("/page/{name}", discord.page)
    application.router.add_get("/files/{name}", discord.file)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    discord.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield discord
    finally:
        await discord.drop()
        await runner.cleanup()


def bakery() -> World:
    """A guild with two open channels, a closed one, one for staff, a forum; and a guild elsewhere."""
    world = World()
    for user, name in ((ANA, "Ana"), (BEN, "Ben"), (CLEO, "Cleo"), (GUS, "Gus")):
        world.user(user, name)
    world.guild(HOME, "Bakery")
    world.guild(OTHER, "Elsewhere")
    world.role(HOME, STAFF_ROLE, MANAGE_GUILD)
    world.join(HOME, ANA, STAFF_ROLE)
    world.join(HOME, BEN)
    world.join(HOME, CLEO)
    world.join(OTHER, GUS)
    world.join(OTHER, ANA)
    world.channel(HOME, DEV, "dev")
    world.channel(HOME, OPS, "ops")
    world.channel(HOME, SECRET, "secret", only=(ANA,))
    world.channel(HOME, STAFF, "staff", only=(STAFF_ROLE,))
    world.channel(HOME, FORUM_ID, "questions", kind=FORUM)
    world.channel(OTHER, ELSEWHERE, "lobby")
    for user in (ANA, BEN, CLEO):
        world.direct(user)
    return world
