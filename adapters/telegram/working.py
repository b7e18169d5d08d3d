"""Do what a kept update asks for: hand messages and actions to the core, each with its reply."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakValueDictionary

from aiogram.types import Message as TelegramMessage
from aiogram.types import Update

from adapters.dispatch import hand_over
from adapters.documents import is_document
from adapters.outlet import Written
from adapters.seats import Seats, asks_to_stop
from adapters.telegram.bundles import (
    Piece,
    bundle_key,
    is_save,
    may_comment,
    pieces_of,
    settles_in,
    with_comment,
)
from adapters.telegram.contents import links_of
from adapters.telegram.gathering import Gathered, Gathering
from adapters.telegram.inbound import addressed, kind_of, message_from, message_of, room_of, spoken, thread_of
from adapters.telegram.inline import Inline
from adapters.telegram.interactions import Interactions
from adapters.telegram.members import Members
from adapters.telegram.outbound import Place
from adapters.telegram.parts import NotedReply, Parts
from adapters.telegram.receipts import Collected, tell
from adapters.wording import NOTHING_TO_STOP
from bot.domain.messages import Message
from bot.ports import InboxEvent


class Working:
    """The `work` of the dispatcher."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._gathering = Gathering(self._bundle, parts.timing)
        self._interactions = Interactions(parts)
        self._inline = Inline(parts)
        self._members = Members(parts)
        self._lanes: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def __call__(self, event: InboxEvent) -> None:
        """Work one update; safe to call again with the same one after a crash."""
        update = Update.model_validate_json(event.body)
        message = message_of(update)
        match kind_of(update, self._parts.me):
            case "message" if message is not None and not Written.read(event.reply_ref).done:
                await self._message(event, message)
            case "edited" if message is not None:
                await self._edited(event, message)
            case "migrated" if message is not None:
                await self._members.migrated(message)
            case "member" if update.my_chat_member is not None:
                await self._members.changed(update.my_chat_member)
            case "button" if update.callback_query is not None:
                await self._interactions.button(event, update.callback_query)
            case "inline" if update.inline_query is not None:
                await self._inline.find(update.inline_query)
            case _:
                pass

    async def give_up(self, event: InboxEvent, reason: str) -> None:
        """Tell the person that this cannot be done, where somebody waits for an answer."""
        update = Update.model_validate_json(event.body)
        message = message_of(update)
        if kind_of(update, self._parts.me) != "message" or message is None:
            return
        if event.reply_ref or addressed(message, self._parts.me, self._parts.commands):
            await self._parts.reply((event,), place_of(message)).fail(reason)

    async def _message(self, event: InboxEvent, message: TelegramMessage) -> None:
        await self._parts.groups.seen(message.chat.id)
        if await self._interactions.typed(event, message):
            return
        key = bundle_key(message)
        if key and may_comment(message):
            self._parts.beside(self._parts.outlet(place_of(message)).typing())
        if key:
            await self._gathering.join(key, event, message, settle_s=settles_in(message))
        else:
            await self._bundle(((event, message),))

    async def _edited(self, event: InboxEvent, message: TelegramMessage) -> None:
        read = await self._read(message, called=addressed(message, self._parts.me, self._parts.commands))
        await self._parts.core.edited(read, self._parts.reply((event,), place_of(message)))

    async def _bundle(self, gathered: Gathered) -> None:
        """Keep what is to be kept with one receipt, then answer the rest in its order."""
        called = any(addressed(message, self._parts.me, self._parts.commands) for _, message in gathered)
        pieces = pieces_of(gathered)
        saves = [piece for piece in pieces if is_save(piece)]
        if saves:
            await self._save(saves, called=called)
        for piece in pieces:
            if not is_save(piece):
                await self._one(piece, called=called)

    async def _save(self, pieces: Sequence[Piece], *, called: bool) -> None:
        if len(pieces) == 1:
            await self._one(pieces[0], called=called)
            return
        messages = [await self._read_piece(piece, called=called) for piece in pieces]
        events = tuple(event for piece in pieces for event in (piece.event, *piece.events))
        signed = next((piece.sent for piece in pieces if links_of(piece.sent)), pieces[0].sent)
        reply = self._parts.reply(events, place_of(signed))
        collected = [Collected() for _ in messages]
        async with self._parts.saving_seats.seat(_unseen):
            received = zip(messages, collected, strict=True)
            await asyncio.gather(*(self._parts.core.receive(message, one) for message, one in received))
        await tell(collected, reply)

    async def _one(self, piece: Piece, *, called: bool) -> None:
        """Hand one message over; questions of one chat or topic are answered in their order."""
        if called and asks_to_stop(spoken(piece.sent, self._parts.me)):
            # Where there was something to stop, that was heard when it came in.
            await self._parts.reply((piece.event,), place_of(piece.sent)).fail(NOTHING_TO_STOP)
            return
        if is_save(piece) or links_of(piece.sent) or not called:
            await self._hand_over(piece, self._parts.saving_seats, called=called)
            return
        key = room_of(piece.sent).thread_key
        lane = self._lanes.get(key) or asyncio.Lock()
        self._lanes[key] = lane
        async with lane:
            await self._hand_over(piece, self._parts.seats, called=called)

    async def _hand_over(self, piece: Piece, seats: Seats, *, called: bool) -> None:
        message = await self._read_piece(piece, called=called)
        reply = await self._reply(piece, message)
        async with reply.in_sight():
            await hand_over(self._parts.core, message, reply, seats=seats, running=self._parts.running)

    async def _reply(self, piece: Piece, message: Message) -> NotedReply:
        events = (piece.event, *piece.events)
        note = ""
        if message.text.partition("@")[0] == "/status":
            direct = message.room.kind == "direct"
            note = await self._parts.groups.privacy_note(None if direct else piece.sent.chat.id)
        return self._parts.reply(events, place_of(piece.sent), note=note)

    async def _read_piece(self, piece: Piece, *, called: bool) -> Message:
        return with_comment(await self._read(piece.sent, called=called), piece)

    async def _read(self, sent: TelegramMessage, *, called: bool) -> Message:
        """Find out what is around a message, fetch its file, and put it together."""
        parts = self._parts
        direct = sent.chat.type == "private"
        message = message_from(sent, me=parts.me, addressed=called)
        if called or await self._keeps_file(message):
            message = await parts.files.fetched(message, sent)
        if called and message.replied is not None and sent.reply_to_message is not None:
            message = replace(message, replied=await parts.files.fetched(message.replied, sent.reply_to_message))
        user = sent.from_user
        return replace(
            message,
            memberships=await parts.groups.memberships(user.id) if direct and user and not is_saved(message) else (),
            administrator=called and await parts.groups.runs(sent),
        )

    async def _keeps_file(self, message: Message) -> bool:
        """Whether a file is kept without being asked for: a document, where the room is watched."""
        documents = any(map(is_document, message.attachments))
        return documents and await self._parts.rooms.get(message.room.key, "watch") != "off"


def is_saved(message: Message) -> bool:
    """Whether a message only brings something: nothing has to be known of what its writer may read."""
    return message.origin is not None or bool(message.attachments)


def place_of(message: TelegramMessage) -> Place:
    """Return where a message is answered: in its chat, in its topic."""
    return Place(
        chat=message.chat.id,
        direct=message.chat.type == "private",
        thread=thread_of(message),
        message=message.message_id,
    )


async def _unseen(_place: int) -> None:
    """Nobody is told the place in line of a save: it is kept already, and read soon."""
