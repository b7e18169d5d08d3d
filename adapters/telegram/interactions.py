"""Work buttons: the action is the core's, what comes of it is a toast, the receipt's new text, or a message."""

import json
import logging
from collections.abc import Sequence

from aiogram.methods import AnswerCallbackQuery, SendMessage
from aiogram.types import CallbackQuery, ForceReply, InaccessibleMessage
from aiogram.types import Message as TelegramMessage

from adapters.escaping import escaped
from adapters.outlet import Draft, Trouble
from adapters.rendering import parse, plain
from adapters.streaming import EditedReply
from adapters.telegram.contents import text_of
from adapters.telegram.inbound import author_of, chat_room, person_of, room_of, thread_of
from adapters.telegram.outbound import Place
from adapters.telegram.parts import Parts
from adapters.telegram.receipts import Collected, joined
from bot.domain.messages import Action
from bot.domain.replies import Button, Notice
from bot.domain.rooms import Person, Room
from bot.ports import InboxEvent

_LOG = logging.getLogger(__name__)

TOAST_UNITS = 200
"""The greatest length of an answer to a button (answerCallbackQuery)."""
TOASTS = {"up", "down"}
REPLACING = {"undo", "confirm", "cancel", "retry"}
"""Actions whose result stands where the button was."""
ASK_FOR_TAGS = "Reply to this message with the tags, such as `#garden #soil`."


class Interactions:
    """Everything that people press, and what they type because of it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def button(self, event: InboxEvent, query: CallbackQuery) -> None:
        """Work a pressed button."""
        name, _, target = (query.data or "").partition(":")
        message = query.message
        if not name or message is None:
            await self._toast(query, "")
            return
        thread = None if isinstance(message, InaccessibleMessage) else thread_of(message)
        place = Place(chat=message.chat.id, direct=message.chat.type == "private", thread=thread)
        if name == "tags":
            await self._toast(query, "")
            await self._ask_for_tags(place, query, target)
            return
        room = chat_room(message.chat, thread)
        person = person_of(query.from_user)
        said = await self._done(event, name=name, target=target, person=person, room=room)
        await self._tell(event, query, name, place, said)

    async def typed(self, event: InboxEvent, message: TelegramMessage) -> bool:
        """Work a reply to a question of a button's, or `/forget` to a receipt; False for any other message."""
        replied = message.reply_to_message
        if replied is None or replied.from_user is None or replied.from_user.id != self._parts.me.bot_id:
            return False
        undone = [button.target for button in _buttons_of(replied) if button.name == "undo"]
        if undone and text_of(message).partition("@")[0].strip() == "/forget":
            await self._take_back(event, message, undone)
            return True
        kept = await self._parts.inbox.value("telegram", _asked(message.chat.id, replied.message_id))
        if not kept:
            return False
        asked = json.loads(kept)
        await self._parts.inbox.set_value("telegram", _asked(message.chat.id, replied.message_id), "")
        place = Place(chat=message.chat.id, direct=message.chat.type == "private", thread=thread_of(message))
        reply = self._parts.reply((event,), place)
        said = await self._done(
            event,
            name=asked["name"],
            target=asked["target"],
            person=author_of(message),
            room=room_of(message),
            value=text_of(message),
        )
        await reply.say(joined(said.notices))
        return True

    async def _take_back(self, event: InboxEvent, message: TelegramMessage, codes: Sequence[str]) -> None:
        """Undo everything that a receipt told of."""
        person, room = author_of(message), room_of(message)
        said = [await self._done(event, name="undo", target=code, person=person, room=room) for code in codes]
        place = Place(chat=message.chat.id, direct=message.chat.type == "private", thread=thread_of(message))
        await self._parts.reply((event,), place).say(joined([notice for one in said for notice in one.notices]))

    async def _done(
        self, event: InboxEvent, *, name: str, target: str, person: Person, room: Room, value: str = ""
    ) -> Collected:
        groups = self._parts.groups
        direct = room.kind == "direct"
        action = Action(
            name=name,
            target=target,
            person=person,
            room=room,
            at=event.received_at,
            value=value,
            private_reply=False,
            memberships=await groups.memberships(int(person.person_id)) if direct else (),
            administrator=not direct and await groups.manages(int(room.channel), int(person.person_id)),
        )
        said = Collected()
        await self._parts.core.act(action, said)
        return said

    async def _tell(self, event: InboxEvent, query: CallbackQuery, name: str, place: Place, said: Collected) -> None:
        notice = joined(said.notices) if said.notices else Notice(text="")
        text = plain(parse(notice.text))
        brief = len(text.encode("utf-16-le")) // 2 <= TOAST_UNITS
        replaced = name in REPLACING and query.message is not None and await self._replace(query, name, place, notice)
        await self._toast(query, text if brief and (name in TOASTS or replaced) else "")
        if notice.text and not replaced and not (brief and name in TOASTS):
            await self._reply(event, place).say(notice)

    async def _replace(self, query: CallbackQuery, name: str, place: Place, notice: Notice) -> bool:
        """Put the result in the place of the message with the button, where it speaks of one thing only."""
        message = query.message
        if message is None or isinstance(message, InaccessibleMessage) or _several(message):
            return False
        buttons = notice.buttons or (_buttons_of(message) if name == "retry" else ())
        draft = Draft(markdown=notice.text, stage="final", key=query.id, buttons=buttons, kind=notice.kind)
        try:
            await self._parts.outlet(place).edit(str(message.message_id), draft)
        except Trouble as error:
            _LOG.info("A receipt could not be changed: %s", error)
            return False
        return True

    async def _ask_for_tags(self, place: Place, query: CallbackQuery, target: str) -> None:
        """Ask for words: Telegram has no forms, a reply to a message of ours is one."""
        name = escaped(query.from_user.first_name)
        question = SendMessage(
            chat_id=place.chat,
            message_thread_id=place.thread,
            text=f"{plain(parse(name))}: {plain(parse(ASK_FOR_TAGS))}",
            reply_markup=ForceReply(force_reply=True, input_field_placeholder="#tags"),
        )
        try:
            message_id = await self._parts.calls.sent(question)
        except Trouble as error:
            _LOG.info("Tags could not be asked for: %s", error)
            return
        value = json.dumps({"name": "tags", "target": target})
        await self._parts.inbox.set_value("telegram", _asked(place.chat, message_id), value)

    async def _toast(self, query: CallbackQuery, text: str) -> None:
        try:
            await self._parts.calls(AnswerCallbackQuery(callback_query_id=query.id, text=text or None))
        except Trouble as error:
            _LOG.info("A button was pressed too long ago to answer: %s", error)

    def _reply(self, event: InboxEvent, place: Place) -> EditedReply:
        return self._parts.reply((event,), place)


def _buttons_of(message: TelegramMessage) -> tuple[Button, ...]:
    """Return the buttons that stand under a message."""
    rows = message.reply_markup.inline_keyboard if message.reply_markup else []
    data = [(key.text, *(key.callback_data or "").partition(":")) for row in rows for key in row]
    return tuple(Button(name=name, target=target, label=label) for label, name, _, target in data if target)


def _several(message: TelegramMessage) -> bool:
    """Whether a receipt speaks of several things: then one of them does not replace it."""
    rows = message.reply_markup.inline_keyboard if message.reply_markup else []
    undo = [key for row in rows for key in row if (key.callback_data or "").startswith("undo:")]
    return len(undo) > 1


def _asked(chat_id: int, message_id: int) -> str:
    return f"asked:{chat_id}:{message_id}"
