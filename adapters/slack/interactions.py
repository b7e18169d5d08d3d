"""Work commands, buttons and forms: what was pressed or typed becomes a Message or an Action of the core."""

import re
from dataclasses import replace
from typing import Any

from adapters.aside import REPLACING, AsideReply
from adapters.dispatch import hand_over
from adapters.slack.deliveries import Delivery
from adapters.slack.envelopes import Home, Json
from adapters.slack.forms import submitted
from adapters.slack.homepage import HomePage
from adapters.slack.inbound import message_from, person_of, room_of
from adapters.slack.outbound import Place
from adapters.slack.parts import Parts
from adapters.slack.saving import SAVE_REACTION
from adapters.slack.writing import private_reply, thread_reply
from adapters.streaming import EditedReply
from bot.domain.messages import Action
from bot.domain.replies import Notice
from bot.domain.rooms import Room
from bot.ports import InboxEvent

ONLY_FORMS = {"edit", "tags"}
"""Buttons that do nothing but open a form; a bad vote counts at once, and its form asks why."""
EMOJI_NAME = re.compile(r"[a-z0-9_+'-]{1,100}", re.IGNORECASE)


class Interactions:
    """Everything that comes from a form of Slack's own instead of a message."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._page = HomePage(parts)

    async def command(self, event: InboxEvent, delivery: Delivery) -> None:
        """Work `/palace …`; only the person sees what comes of it."""
        body = delivery.body
        home = await self._parts.workspaces.home(delivery.home)
        channel, user = str(body["channel_id"]), str(body["user_id"])
        calls = self._parts.workspaces.calls(home)
        typed = {
            "channel": channel,
            "user": user,
            "text": str(body.get("text") or ""),
            "ts": f"{event.received_at.timestamp():.6f}",
            "channel_type": "im" if body.get("channel_name") == "directmessage" else "",
        }
        known = await self._parts.names.known(calls, home, people=(user,), rooms=(channel,))
        direct = typed["channel_type"] == "im" or channel.startswith("D")
        memberships = await self._parts.names.memberships(calls, home, user) if direct else ()
        read = message_from(typed, home=home, known=known, addressed=True, surface="command", memberships=memberships)
        message = replace(
            read,
            message_id=str(body.get("trigger_id") or typed["ts"]),
            room=read.room.channel_room,
            text=command_text(read.text, {row.name for row in self._parts.core.command_table}),
            private_reply=True,
            permalink="",
        )
        place = Place(channel=channel, person=user)
        reply = private_reply(self._parts, event, place, home, response_url=str(body.get("response_url") or ""))
        if read.text.split()[:1] == ["reaction"]:
            runs = message.administrator or message.room.kind == "direct"
            await self._choose_reaction(message.room, read.text, reply, may=runs)
            return
        await hand_over(self._parts.core, message, reply, seats=self._parts.seats, running=self._parts.running)

    async def _choose_reaction(self, room: Room, typed: str, reply: EditedReply, *, may: bool) -> None:
        """Say or set which reaction saves a message in this room: `/palace reaction :pushpin:`."""
        wanted = typed.partition(" ")[2].strip().strip(":")
        if wanted and not may:
            await reply.fail("Only somebody who runs this workspace can change that.")
            return
        if wanted and not EMOJI_NAME.fullmatch(wanted):
            await reply.fail("Name one emoji, such as `/palace reaction :pushpin:`.")
            return
        if wanted:
            await self._parts.rooms.set(room.key, "reaction", wanted)
        chosen = await self._parts.rooms.get(room.key, "reaction") or SAVE_REACTION
        await reply.say(Notice(text=f"The reaction :{chosen.strip(':')}: saves a message in this room."))

    async def button(self, event: InboxEvent, delivery: Delivery) -> None:
        """Work a button under something of ours, or on the App Home."""
        home = await self._parts.workspaces.home(delivery.home)
        body = delivery.body
        pressed = next(iter(body.get("actions") or ()), None) or {}
        if str(pressed.get("action_id", "")).startswith("palace:home:"):
            await self._page.pressed(pressed, body, home)
            return
        name, target = delivery.button
        if name in ONLY_FORMS:
            return  # its form was opened when the press came in; what is typed there comes as a delivery of its own
        container: Json = body.get("container") or {}
        channel = str((body.get("channel") or {}).get("id") or container.get("channel_id") or "")
        thread = str(container.get("thread_ts") or (body.get("message") or {}).get("thread_ts") or "")
        if name and channel:
            await self._act(event, home, body, name=name, target=target, channel=channel, thread=thread)

    async def form(self, event: InboxEvent, delivery: Delivery) -> None:
        """Work a form that was sent off."""
        home = await self._parts.workspaces.home(delivery.home)
        carried, value = submitted(delivery.body.get("view") or {})
        if not carried or not value:
            return
        body = {**delivery.body, "response_url": carried["response_url"]}
        await self._act(
            event,
            home,
            body,
            name=carried["name"],
            target=carried["target"],
            channel=carried["channel"],
            thread=carried["thread"],
            value=value,
        )

    async def _act(self, event: InboxEvent, home: Home, body: Json, *, value: str = "", **pressed: str) -> None:
        parts = self._parts
        user, channel = str(body["user"]["id"]), pressed["channel"]
        calls = parts.workspaces.calls(home)
        known = await parts.names.known(calls, home, people=(user,), rooms=(channel,))
        where: dict[str, Any] = {"channel": channel, "thread_ts": pressed["thread"] or None}
        room = room_of(where, home=home, known=known)
        info = known.people.get(user)
        public = pressed["name"] == "share"
        action = Action(
            name=pressed["name"],
            target=pressed["target"],
            person=person_of(user, home=home, known=known),
            room=room,
            at=event.received_at,
            value=value,
            private_reply=not public,
            memberships=await parts.names.memberships(calls, home, user) if room.kind == "direct" else (),
            administrator=bool(info and info.administrator),
            timezone=info.timezone if info else "",
        )
        place = Place(channel=channel, thread=pressed["thread"], person=user)
        response_url = str(body.get("response_url") or "")
        aside = private_reply(parts, event, place, home, response_url=response_url)
        if aside.done:
            return
        if public:
            shown, _ = thread_reply(parts, event, place, home, streams=False)
            await parts.core.act(action, AsideReply(shown, aside))
        elif pressed["name"] in REPLACING:
            instead = private_reply(parts, event, place, home, response_url=response_url, replacing=True)
            await parts.core.act(action, AsideReply(instead, aside))
        else:
            await parts.core.act(action, aside)


def command_text(typed: str, names: set[str]) -> str:
    """Return what `/palace …` says as a command of the core.

    Words that begin with none are a question; a single one is a command that the core knows, or says it does not.
    """
    first, _, rest = typed.strip().partition(" ")
    if not first:
        return "/help"
    if first.lower().lstrip("/") in names:
        return f"/{first.lower().lstrip('/')} {rest.strip()}".rstrip()
    if not rest.strip() and first.lstrip("/").isalpha():
        return f"/{first.lower().lstrip('/')}"
    return f"/ask {typed.strip()}"
