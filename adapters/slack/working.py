"""Do what a kept delivery asks for: hand messages and actions to the core, each with its reply."""

from dataclasses import replace

from adapters.dispatch import hand_over
from adapters.seats import asks_to_stop
from adapters.slack.deliveries import Delivery, kept_delivery
from adapters.slack.entities import Reader
from adapters.slack.envelopes import Home, Json, kind_of, thread_of
from adapters.slack.events import OtherEvents
from adapters.slack.inbound import message_from, room_of
from adapters.slack.interactions import Interactions
from adapters.slack.outbound import SlackOutlet
from adapters.slack.parts import Parts
from adapters.slack.saving import Saving
from adapters.slack.writing import place_of, place_used, private_reply, thread_reply
from adapters.streaming import EditedReply
from adapters.wording import NOTHING_TO_STOP
from bot.domain.messages import Message
from bot.ports import InboxEvent

LONGEST_SAVE_THIS = 60
"""Characters of "@palace please save this", in any language."""


class Working:
    """The `work` of the dispatcher."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._saving = Saving(parts)
        self._interactions = Interactions(parts)
        self._others = OtherEvents(parts)

    async def __call__(self, event: InboxEvent) -> None:
        """Work one event; safe to call again with the same one after a crash."""
        delivery = kept_delivery(event)
        match delivery.kind:
            case "event":
                await self._event(event, delivery)
            case "command":
                await self._interactions.command(event, delivery)
            case "shortcut":
                await self._saving.shortcut(event, delivery)
            case "action":
                await self._interactions.button(event, delivery)
            case "form":
                await self._interactions.form(event, delivery)
            case "other":
                pass

    async def held(self, event: InboxEvent) -> None:
        """Show that a question was heard which has to wait for the one before it in its thread."""
        delivery = kept_delivery(event)
        if delivery.kind != "event":
            return
        home = await self._parts.workspaces.home(delivery.home)
        inner = delivery.event
        wants_stop = asks_to_stop(Reader(home.bot_user).read(inner.get("text") or "").text)
        if kind_of(inner, home) == "message" and _mentions(inner, home) and not wants_stop:
            reply, _ = self._reply(event, inner, home)
            await reply.mark("seen")

    async def give_up(self, event: InboxEvent, reason: str) -> None:
        """Tell the person that this cannot be done, where somebody waits for an answer."""
        delivery = kept_delivery(event)
        home = await self._parts.workspaces.home(delivery.home)
        if delivery.kind != "event":
            place, response_url = place_used(delivery)
            await private_reply(self._parts, event, place, home, response_url=response_url).fail(reason)
        elif kind_of(delivery.event, home) == "message" and (event.reply_ref or _mentions(delivery.event, home)):
            reply, _ = self._reply(event, delivery.event, home)
            await reply.fail(reason)

    async def _event(self, event: InboxEvent, delivery: Delivery) -> None:
        home = await self._parts.workspaces.home(delivery.home)
        inner = delivery.event
        match kind_of(inner, home):
            case "message":
                whole = await self._saving.whole(inner, home)
                await self._message(event, replace(delivery, body={**delivery.body, "event": whole}), home)
            case "edited":
                await self._edited(event, delivery, home)
            case "deleted":
                await self._saving.deleted(delivery, home)
            case "reaction_added":
                await self._saving.reaction_added(event, inner, home)
            case "reaction_removed":
                await self._saving.reaction_removed(inner, home)
            case kind:
                await self._others.work(kind, delivery, home)

    async def _message(self, event: InboxEvent, delivery: Delivery, home: Home) -> None:
        inner = delivery.event
        found = Reader(home.bot_user).read(inner.get("text") or "")
        addressed = _mentions(inner, home)
        follow_up = not addressed and await self._parts.threads.follows_up(home, inner, names_others=bool(found.people))
        reply, outlet = self._reply(event, inner, home)
        if asks_to_stop(found.text) and (addressed or follow_up):
            # Where there was something to stop, that was heard when it came in.
            await reply.fail(NOTHING_TO_STOP)
            return
        expected = (addressed or follow_up) and not reply.done
        sign = self._parts.beside(reply.mark("seen")) if expected else None
        message = await self._read(delivery, home, follow_up=follow_up)
        if message.addressed and message.room.thread:
            await self._parts.threads.asked(home, message.room.channel, message.room.thread, message.author.person_id)
        await hand_over(self._parts.core, message, reply, seats=self._parts.seats, running=self._parts.running)
        if sign is not None:
            await sign
            await outlet.unmark("seen")

    async def _edited(self, event: InboxEvent, delivery: Delivery, home: Home) -> None:
        inner = {**delivery.event["message"], "channel": delivery.event["channel"]}
        self._parts.recent.add(home, inner)
        reply, _ = self._reply(event, inner, home)
        message = await self._named(typed_as(inner, delivery), home, external=shared_outside(delivery))
        await self._parts.core.edited(replace(message, attachments=()), reply)  # an edit brings no files

    async def _read(self, delivery: Delivery, home: Home, *, follow_up: bool = False) -> Message:
        """Put a message together: the names around it, its files, and what it replies to."""
        event, external = delivery.event, shared_outside(delivery)
        typed = typed_as(event, delivery)
        message = await self._named(typed, home, external=external, follow_up=follow_up)
        root = thread_of(event)
        if message.addressed and root and root != message.message_id:
            message = replace(message, replied=await self._replied(typed, root, home, external=external))
        return await self._saving.with_files(message, event, home)

    async def _named(self, event: Json, home: Home, *, external: bool, follow_up: bool = False) -> Message:
        """Return a message with people and rooms by name, and what its author may read in a direct chat."""
        parts, user = self._parts, str(event.get("user") or "")
        calls = parts.workspaces.calls(home)
        found = Reader(home.bot_user).read(event.get("text") or "")
        known = await parts.names.known(
            calls, home, people={user, *found.people} - {""}, rooms={event["channel"], *found.rooms}
        )
        direct = room_of(event, home=home, known=known).kind == "direct"
        return message_from(
            event,
            home=home,
            known=known,
            external=external,
            addressed=_mentions(event, home),
            follow_up=follow_up,
            memberships=await parts.names.memberships(calls, home, user) if direct else (),
        )

    async def _replied(self, event: Json, root: str, home: Home, *, external: bool) -> Message | None:
        """Return the first message of a thread, for "save this" below it; a gap is filled if that may be done now."""
        parts, channel = self._parts, str(event["channel"])
        first = await parts.recent.fetch(parts.workspaces.calls(home), home, channel, root, wait=False)
        if first is None or not first.get("user"):
            return None
        replied = await self._named({**first, "channel_type": event["channel_type"]}, home, external=external)
        if not may_mean_this(str(event.get("text") or "")):
            return replied
        fetched = await self._saving.with_files(replace(replied, addressed=True), first, home)
        return replace(replied, attachments=fetched.attachments)

    def _reply(self, event: InboxEvent, inner: Json, home: Home) -> tuple[EditedReply, SlackOutlet]:
        return thread_reply(self._parts, event, place_of(inner, home), home)


def may_mean_this(text: str) -> bool:
    """Whether a message may be a "save this", for which the files above it are worth fetching."""
    return len(text) <= LONGEST_SAVE_THIS and "?" not in text


def typed_as(event: Json, delivery: Delivery) -> Json:
    """Return a message with the type of its channel, which an edited one carries outside only."""
    return {**event, "channel_type": event.get("channel_type") or delivery.event.get("channel_type") or ""}


def shared_outside(delivery: Delivery) -> bool:
    """Whether the channel is shared with another organisation (Slack Connect)."""
    return bool(delivery.body.get("is_ext_shared_channel"))


def _mentions(event: Json, home: Home) -> bool:
    """Whether a message is for the bot by its form: a mention, or a direct chat."""
    mentioned = bool(home.bot_user) and Reader(home.bot_user).read(event.get("text") or "").addressed
    direct = event.get("channel_type") == "im" or str(event.get("channel") or "").startswith("D")
    return event.get("type") == "app_mention" or mentioned or direct
