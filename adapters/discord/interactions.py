"""Work commands, menus, buttons and forms: what was used becomes a Message or an Action of the core."""

from dataclasses import replace

from adapters.aside import REPLACING, AsideReply
from adapters.discord.channels import Destination
from adapters.discord.inbound import message_from, person_of
from adapters.discord.keeping import Asked, Kept
from adapters.discord.parts import Parts
from adapters.discord.saving import Saving
from adapters.discord.writing import channel_reply, fallbacks_of, interaction_reply
from adapters.dispatch import hand_over
from adapters.streaming import EditedReply
from bot.domain.answers import Answer
from bot.domain.messages import Action
from bot.domain.replies import Notice, Sign
from bot.domain.rooms import Scope
from bot.ports import InboxEvent

PUBLIC_ACTIONS = {"share"}
SILENT = "silent"
"""The option of an action whose form was opened: there is nothing to answer yet."""


class Interactions:
    """Everything that comes from a form of Discord's own instead of a message."""

    def __init__(self, parts: Parts, saving: Saving) -> None:
        self._parts = parts
        self._saving = saving

    async def command(self, event: InboxEvent, kept: Kept) -> None:
        """Work a slash command."""
        asked = _asked(kept)
        read = message_from(
            kept.record, kept.around, surface="command", memberships=await self._memberships(kept, asked)
        )
        message = replace(
            read,
            text=asked.value,
            addressed=True,
            private_reply=asked.private and read.room.kind != "direct",
            permalink="",
            language=asked.language,
        )
        message = await self._saving.with_files(message, kept.record)
        reply = self.reply(event, kept)
        await hand_over(self._parts.core, message, reply, seats=self._parts.seats, running=self._parts.running)

    async def menu(self, event: InboxEvent, kept: Kept) -> None:
        """Save the message somebody chose "Save to memory" on; the receipt is theirs alone."""
        asked = _asked(kept)
        memberships = await self._memberships(kept, asked)
        message = await self._saving.pointed_at(
            kept.record, kept.around, asked.person, surface="menu", mark="menu", memberships=memberships
        )
        reply = self.reply(event, kept)
        if not reply.done:
            await self._parts.core.receive(replace(message, language=asked.language), reply)

    async def act(self, event: InboxEvent, kept: Kept) -> None:
        """Work a button, or a form that was sent off."""
        asked = _asked(kept)
        action = Action(
            name=asked.name,
            target=asked.target,
            person=person_of(asked.person),
            room=kept.around.place.room,
            at=event.received_at,
            value=asked.value,
            private_reply=asked.private or asked.name in REPLACING,
            memberships=await self._memberships(kept, asked),
            administrator=kept.around.administrator,
        )
        if asked.options.get(SILENT):
            await self._parts.core.act(action, SilentReply())
            return
        reply = self.reply(event, kept)
        if reply.done:
            return
        if asked.name in PUBLIC_ACTIONS | REPLACING:
            aside = interaction_reply(self._parts, event, replace(asked, private=True), kept.around.place, beside=True)
            await self._parts.core.act(action, AsideReply(reply, aside))
        else:
            await self._parts.core.act(action, reply)

    def reply(self, event: InboxEvent, kept: Kept) -> EditedReply:
        """Return the reply to an interaction; what is shared goes to everybody in the place."""
        asked, place = _asked(kept), kept.around.place
        if asked.name in PUBLIC_ACTIONS:
            destination = Destination(
                channel=place.channel, person=str(asked.person["id"]), fallbacks=fallbacks_of(place)
            )
            return channel_reply(self._parts, event, destination)
        return interaction_reply(self._parts, event, asked, place)

    async def _memberships(self, kept: Kept, asked: Asked) -> tuple[Scope, ...]:
        direct = kept.around.place.kind == "direct"
        return await self._parts.memberships.of(str(asked.person["id"])) if direct else ()


class SilentReply:
    """A `bot.ports.Reply` to nobody."""

    stopped = False

    async def status(self, text: str) -> None:
        """Nothing."""

    async def show(self, text_so_far: str) -> None:
        """Nothing."""

    async def finish(self, answer: Answer) -> None:
        """Nothing."""

    async def fail(self, reason: str) -> None:
        """Nothing."""

    async def say(self, notice: Notice) -> None:
        """Nothing."""

    async def mark(self, sign: Sign) -> None:
        """Nothing."""


def _asked(kept: Kept) -> Asked:
    if kept.asked is None:
        raise ValueError(f"a {kept.kind} without its interaction")
    return kept.asked
