"""Take what the gateway tells: messages, edits, deletes, reactions, each written down before it is worked."""

import asyncio
import logging
from collections import OrderedDict
from datetime import datetime

import discord

from adapters.discord.inbound import Around, Json, content_of, is_addressed, worth_keeping
from adapters.discord.keeping import Kept, Kind, inbox_event, order_key
from adapters.discord.parts import Parts
from adapters.discord.recording import around, record_of, user_record
from adapters.discord.rooms import place_of
from adapters.discord.saving import SAVE_REACTION
from adapters.discord.seen import Seen
from adapters.dispatch import Dispatcher
from bot.domain.errors import StorageTrouble
from bot.ports import InboxEvent

_LOG = logging.getLogger(__name__)

TRY_AGAIN_S = 2.0
MOST_REACTIONS = 2000
TRIES = 30
"""Discord does not tell twice: what the disk refuses is tried again for a minute."""


class Listener:
    """The gateway's events, in the order in which they come."""

    def __init__(self, parts: Parts, dispatcher: Dispatcher, seen: Seen) -> None:
        self._parts = parts
        self._dispatcher = dispatcher
        self._seen = seen
        self._turn = asyncio.Lock()
        self._reactions: OrderedDict[tuple[int, int], Kind] = OrderedDict()
        self.last_event_at: datetime | None = None

    async def message(self, message: discord.Message) -> None:
        """Take a new message, or one that was missed."""
        self.last_event_at = self._parts.clock.now()
        if message.author.id == self._parts.bot_id:
            if message.nonce is not None:
                self._parts.own.add(str(message.nonce), f"{message.channel.id}/{message.id}")
            return
        known = around(message, self._parts.bot_id)
        record = record_of(message)
        addressed = is_addressed(record, known)
        if self._stops(record, known):
            return
        if worth_keeping(record, known):
            kept = Kept(kind="message", around=known, record=record)
            order = order_key(record, known, addressed=addressed)
            await self.keep(kept, f"message:{message.id}", order)
        async with self._turn:  # behind what is being kept, so that nothing older can be lost
            self._seen.add(message.channel.id, message.id)

    async def edited(self, message: discord.Message) -> None:
        """Take a person's edit; a card that appears under a link is an update too, without a time of editing."""
        if message.author.bot or message.edited_at is None:
            return
        known, record = around(message, self._parts.bot_id), record_of(message)
        addressed = is_addressed(record, known)
        if not (self._parts.sees_content or addressed):
            return  # its words are hidden from us: that its links are gone is not what it says
        order = order_key(record, known, addressed=addressed)
        kept = Kept(kind="edited", around=known, record=record)
        await self.keep(kept, f"edited:{message.id}:{message.edited_at.isoformat()}", order)

    async def deleted(self, guild_id: int | None, channel_id: int, message_ids: tuple[int, ...]) -> None:
        """Take a delete, of one message or of many at once: each behind its message, which may be worked just now."""
        around = self._place(guild_id, channel_id)
        for message_id in map(str, sorted(message_ids)):
            kept = Kept(kind="deleted", around=around, message_id=message_id)
            order = f"{channel_id}:{message_id}"
            await self.keep(kept, f"deleted:{message_id}", order, behind=f"message:{message_id}")

    async def reacted(self, payload: discord.RawReactionActionEvent) -> None:
        """Take the saving reaction, put on or taken away; these have no id, so a repeat is told by its state."""
        if payload.user_id == self._parts.bot_id or str(payload.emoji) != SAVE_REACTION:
            return
        added = payload.event_type == "REACTION_ADD"
        kind: Kind = "reacted" if added else "unreacted"
        if self._reactions.get((payload.message_id, payload.user_id)) == kind:
            return
        self._reactions[payload.message_id, payload.user_id] = kind
        if len(self._reactions) > MOST_REACTIONS:
            self._reactions.popitem(last=False)
        kept = Kept(
            kind=kind,
            around=self._place(payload.guild_id, payload.channel_id),
            message_id=str(payload.message_id),
            person=user_record(payload.member) if payload.member else {"id": str(payload.user_id)},
        )
        moment = self._parts.clock.now().isoformat()
        key = f"{kind}:{payload.message_id}:{payload.user_id}:{moment}"
        await self.keep(kept, key, f"{payload.channel_id}:{payload.message_id}")

    def _stops(self, record: Json, known: Around) -> bool:
        """Hear a wish to stop at once: in line behind the answer it would come too late."""
        return self._parts.running.hear_stop(
            content_of(record, known).text,
            known.place.room.thread_key,
            person_id=record["author"]["id"],
            message_id=record["id"],
        )

    def _place(self, guild_id: int | None, channel_id: int) -> Around:
        bot_id = self._parts.bot_id
        guild = self._parts.client().get_guild(guild_id) if guild_id else None
        place = place_of(guild, channel_id, bot_id=bot_id, direct=guild_id is None)
        return Around(place=place, bot_id=str(bot_id))

    async def keep(self, kept: Kept, key: str, order: str, *, behind: str = "") -> None:
        """Write something down to be worked, behind the event of that key where it is still there."""
        async with self._turn:
            order = self._dispatcher.order_of(behind) or order
            await self._put(inbox_event(kept, keys=(key,), order_key=order, now=self._parts.clock.now()))

    async def _put(self, event: InboxEvent) -> None:
        for _ in range(TRIES):
            try:
                await self._dispatcher.accept(event)
            except StorageTrouble:
                _LOG.exception("An event could not be kept; trying again")
                await self._parts.timing.sleep(TRY_AGAIN_S)
            else:
                return
