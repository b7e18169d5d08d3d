"""Save what somebody points at: a shortcut, a reaction; and take back what was deleted or un-reacted."""

import logging
from dataclasses import replace

from adapters.outlet import Trouble
from adapters.slack.calls import Calls
from adapters.slack.deliveries import Delivery
from adapters.slack.envelopes import Home, Json, deleted_ts, thread_of
from adapters.slack.files import fetched
from adapters.slack.inbound import is_withheld, message_from, permalink, person_of, room_of
from adapters.slack.outbound import Place
from adapters.slack.parts import Parts
from adapters.slack.writing import private_reply
from bot.domain.messages import Message, Origin, Surface
from bot.domain.rooms import Person, Room
from bot.ports import InboxEvent

_LOG = logging.getLogger(__name__)

SAVE_REACTION = "brain"


class Saving:
    """Everything that saves or forgets without words to the bot."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def shortcut(self, event: InboxEvent, delivery: Delivery) -> None:
        """Save the message somebody chose "Save to memory" on; the receipt is theirs alone."""
        body = delivery.body
        home = await self._parts.workspaces.home(delivery.home)
        inner = {**body["message"], "channel": body["channel"]["id"]}
        inner.setdefault("ts", body.get("message_ts"))
        inner = dict(await self.whole(inner, home))
        user = str(body["user"]["id"])
        message = await self._pointed_at(inner, home, user, surface="shortcut", mark="shortcut")
        place = Place(channel=inner["channel"], thread=thread_of(inner) or "", person=user)
        reply = private_reply(self._parts, event, place, home, response_url=body.get("response_url") or "")
        if not reply.done:
            await self._parts.core.receive(message, reply)

    async def reaction_added(self, event: InboxEvent, inner: Json, home: Home) -> None:
        """Save the message that got the chosen reaction."""
        item = inner["item"]
        if not await self._chosen(inner, home):
            return
        calls = self._parts.workspaces.calls(home)
        pointed = await self._parts.recent.fetch(calls, home, item["channel"], item["ts"])
        if pointed is None:
            return
        pointed = await self.whole(pointed, home)
        user = str(inner["user"])
        message = await self._pointed_at(pointed, home, user, surface="reaction", mark=str(inner["reaction"]))
        place = Place(channel=item["channel"], thread=thread_of(pointed) or "", person=user)
        reply = private_reply(self._parts, event, place, home, response_url="")
        if not reply.done:
            await self._parts.core.receive(message, reply)

    async def reaction_removed(self, inner: Json, home: Home) -> None:
        """Take back what this person's reaction saved; what others saved stays."""
        item = inner["item"]
        if await self._chosen(inner, home):
            room = await self._room(item["channel"], home)
            await self._parts.core.deleted(room, _source(item["ts"], str(inner["reaction"]), str(inner["user"])))

    async def deleted(self, delivery: Delivery, home: Home) -> None:
        """Forget what a deleted message alone shared."""
        inner = delivery.event
        room = await self._room(inner["channel"], home, channel_type=str(inner.get("channel_type") or ""))
        await self._parts.core.deleted(room, deleted_ts(inner))

    async def whole(self, event: Json, home: Home) -> Json:
        """Return a message with what Slack Connect leaves out of its files: they are asked for by their ids."""
        files = event.get("files") or ()
        if not any(map(is_withheld, files)):
            return event
        calls = self._parts.workspaces.calls(home)
        return {**event, "files": [await self._told(file, calls) if is_withheld(file) else file for file in files]}

    async def _told(self, file: Json, calls: Calls) -> Json:
        try:
            found: Json = (await calls("files.info", file=file["id"])).get("file") or file
        except Trouble as error:
            _LOG.info("Nothing is told of a file: %s", error)
            return file
        return found

    async def with_files(self, message: Message, inner: Json, home: Home) -> Message:
        """Return the message with local copies of its files: unasked, only of the documents of a watched room."""
        if not message.attachments:
            return message
        if not message.addressed and await self._parts.rooms.get(message.room.key, "watch") == "off":
            return replace(message, attachments=())
        client = await self._parts.workspaces.client(home)
        downloads, token = self._parts.downloads, client.token or ""
        return replace(message, attachments=await fetched(downloads, inner, token, documents=not message.addressed))

    async def _pointed_at(self, inner: Json, home: Home, user: str, *, surface: Surface, mark: str) -> Message:
        """Return somebody's message as saved by another: who acts is the author, who wrote it the origin."""
        parts = self._parts
        calls = parts.workspaces.calls(home)
        writer = str(inner.get("user") or "")
        known = await parts.names.known(calls, home, people={user, writer} - {""}, rooms={inner["channel"]})
        direct = room_of(inner, home=home, known=known).kind == "direct"
        memberships = await parts.names.memberships(calls, home, user) if direct else ()
        message = message_from(inner, home=home, known=known, addressed=True, surface=surface, memberships=memberships)
        saved = replace(
            message,
            message_id=_source(message.message_id, mark, user),
            author=person_of(user, home=home, known=known),
            origin=message.origin or _origin(message.author, inner, home, user),
            private_reply=True,
            mentioned=(),
            mentioned_rooms=(),
        )
        return await self.with_files(saved, inner, home)

    async def _chosen(self, inner: Json, home: Home) -> bool:
        room = await self._room(inner["item"]["channel"], home)
        chosen = await self._parts.rooms.get(room.key, "reaction") or SAVE_REACTION
        return str(inner.get("reaction")).partition("::")[0] == chosen.strip(":")

    async def _room(self, channel: str, home: Home, *, channel_type: str = "") -> Room:
        known = await self._parts.names.known(self._parts.workspaces.calls(home), home, people=(), rooms=(channel,))
        event = {"channel": channel, "channel_type": channel_type}
        return room_of(event, home=home, known=known, threaded=False)


def _source(ts: str, mark: str, user: str) -> str:
    """Return the id of a save by somebody else than the writer: its own act of sharing, undone alone."""
    return f"{ts}:{mark}:{user}"


def _origin(writer: Person, inner: Json, home: Home, saver: str) -> Origin | None:
    if writer.person_id == saver:
        return None
    url = permalink(home, str(inner["channel"]), str(inner["ts"]), thread_of(inner))
    return Origin(kind="person", name=writer.name, url=url)
