"""Follow what happens to groups: the bot joins and says once what it does, a group becomes a supergroup."""

import logging

from aiogram.types import ChatMemberUpdated
from aiogram.types import Message as TelegramMessage

from adapters.outlet import Draft, Trouble
from adapters.telegram.inbound import chat_room
from adapters.telegram.outbound import Place
from adapters.telegram.parts import Parts

_LOG = logging.getLogger(__name__)

INTRODUCTION = (
    "I am Palace: I keep the links shared here, and answer from them: `/ask` with a question, or reply to me. "
    "`/watch off` makes me stop saving unasked, `/help` tells the rest."
)
PRESENT = {"member", "administrator"}


class Members:
    """Each change has one small consequence."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def changed(self, change: ChatMemberUpdated) -> None:
        """Introduce the bot in one message, once a group."""
        joined = change.new_chat_member.status in PRESENT and change.chat.type in {"group", "supergroup"}
        room = chat_room(change.chat)
        if not joined or await self._parts.rooms.get(room.key, "introduced"):
            return
        await self._parts.groups.seen(change.chat.id)
        await self._parts.rooms.set(room.key, "introduced", "yes")
        note = await self._parts.groups.privacy_note(change.chat.id)
        text = "\n\n".join(part for part in (INTRODUCTION, note) if part)
        try:
            await self._parts.outlet(Place(chat=change.chat.id, direct=False)).post(
                Draft(markdown=text, stage="final", key="introduction", kind="help")
            )
        except Trouble as error:
            _LOG.info("A group could not be greeted: %s", error)

    async def migrated(self, message: TelegramMessage) -> None:
        """Re-key a group that has become a supergroup; the news comes from both of its ids."""
        old = message.migrate_from_chat_id or message.chat.id
        new = message.migrate_to_chat_id or message.chat.id
        await self._parts.moved(old, new)
