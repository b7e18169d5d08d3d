"""Do what a kept event asks for: hand messages and actions to the core, each with its reply."""

from dataclasses import replace

from adapters.discord.inbound import Around, Json, content_of, is_addressed, message_from
from adapters.discord.interactions import Interactions
from adapters.discord.keeping import Kept, kept_in
from adapters.discord.parts import Parts
from adapters.discord.saving import Saving
from adapters.discord.writing import channel_reply, destination_of
from adapters.dispatch import hand_over
from adapters.seats import asks_to_stop
from adapters.wording import NOTHING_TO_STOP
from bot.domain.messages import Message
from bot.ports import InboxEvent


class Working:
    """The `work` of the dispatcher."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._saving = Saving(parts)
        self._interactions = Interactions(parts, self._saving)

    async def __call__(self, event: InboxEvent) -> None:
        """Work one event; safe to call again with the same one after a crash."""
        kept = kept_in(event)
        match kept.kind:
            case "message":
                await self._message(event, kept)
            case "edited":
                await self._edited(event, kept)
            case "deleted":
                await self._saving.deleted(kept)
            case "reacted":
                await self._saving.reacted(kept)
            case "unreacted":
                await self._saving.unreacted(kept)
            case "command":
                await self._interactions.command(event, kept)
            case "menu":
                await self._interactions.menu(event, kept)
            case "button" | "form":
                await self._interactions.act(event, kept)

    async def give_up(self, event: InboxEvent, reason: str) -> None:
        """Tell the person that this cannot be done, where somebody waits for an answer."""
        kept = kept_in(event)
        if kept.asked is not None:
            await self._interactions.reply(event, kept).fail(reason)
        elif kept.kind == "message" and (event.reply_ref or is_addressed(kept.record, kept.around)):
            here = destination_of(kept.record, kept.around, own_thread=False)
            await channel_reply(self._parts, event, here).fail(reason)

    async def _message(self, event: InboxEvent, kept: Kept) -> None:
        record, around = kept.record, kept.around
        addressed = is_addressed(record, around)
        if addressed and asks_to_stop(content_of(record, around).text):
            # Where there was something to stop, that was heard when it came in.
            here = destination_of(record, around, own_thread=False)
            await channel_reply(self._parts, event, here).fail(NOTHING_TO_STOP)
            return
        own_thread = addressed and await self._wants_thread(around)
        reply = channel_reply(self._parts, event, destination_of(record, around, own_thread=own_thread))
        message = await self._read(record, around)
        if own_thread:
            message = replace(message, room=replace(message.room, thread=message.message_id))
        if not addressed:
            await hand_over(self._parts.core, message, reply, seats=self._parts.seats, running=self._parts.running)
            return
        async with self._parts.thinking.shown(around.place.channel):
            await hand_over(self._parts.core, message, reply, seats=self._parts.seats, running=self._parts.running)

    async def _edited(self, event: InboxEvent, kept: Kept) -> None:
        reply = channel_reply(self._parts, event, destination_of(kept.record, kept.around, own_thread=False))
        await self._parts.core.edited(await self._read(kept.record, kept.around), reply)

    async def _read(self, record: Json, around: Around) -> Message:
        """Find out what a direct chat may read, fetch the files, and put the message together."""
        direct = around.place.kind == "direct"
        memberships = await self._parts.memberships.of(str(record["author"]["id"])) if direct else ()
        message = message_from(record, around, memberships=memberships, watched=self._parts.sees_content)
        if not message.addressed and await self._parts.rooms.get(message.room.key, "watch") == "off":
            return replace(message, attachments=())
        return await self._saving.with_files(message, record)

    async def _wants_thread(self, around: Around) -> bool:
        """Whether this room wishes a thread for every answer; inside a thread there can be none."""
        place = around.place
        if not place.guild or place.thread or place.home != place.channel:
            return False
        return await self._parts.rooms.get(place.room.key, "threads") == "on"
