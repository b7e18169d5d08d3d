"""Read what Telegram sends: which update it is, its keys and order, and the Message in it (pure)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from aiogram.enums import ContentType
from aiogram.types import (
    Chat,
    MessageEntity,
    Update,
    User,
)
from aiogram.types import Message as TelegramMessage

from adapters.telegram.contents import (
    entities_of,
    entity_links,
    links_of,
    moment,
    origin_of,
    permalink,
    preview_url,
    text_of,
)
from adapters.telegram.entities import cut
from adapters.telegram.media import attachments_of
from bot.domain.messages import Link, Message
from bot.domain.rooms import Person, Room, Scope

Kind = Literal["message", "edited", "button", "inline", "migrated", "member", "stopped", "ignored"]

ANONYMOUS_ADMIN = 1087968824
"""GroupAnonymousBot: stands in `from` for an administrator who writes as the group."""
CHANNEL_BOT = 136817688
"""Channel_Bot: stands in `from` for whoever writes in a group as a channel."""
SERVICE = 777000
"""Telegram: stands in `from` of what a channel forwards into its discussion group."""
STAND_INS = {ANONYMOUS_ADMIN, CHANNEL_BOT, SERVICE}
BROUGHT = {ContentType.CONTACT, ContentType.LOCATION, ContentType.VENUE, ContentType.POLL, ContentType.STORY}
"""What a person may send to have it kept, without words or a file in it."""
DEEP_LINKS = {"show"}
"""Commands that `t.me/bot?start=<command>_<argument>` may carry: those that change nothing by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """Who the bot is."""

    bot_id: int
    username: str
    sees_everything: bool = False
    """Privacy mode is off: groups deliver all of their messages."""


def kind_of(update: Update, me: Me) -> Kind:
    """Say what an update is to us; other bots and service messages are nothing."""
    if update.callback_query is not None:
        return "button"
    if update.inline_query is not None:
        return "inline"
    if update.my_chat_member is not None:
        return "member"
    if update.stopped_message_generation is not None:
        return "stopped"
    message = message_of(update)
    if message is None:
        return "ignored"
    if message.migrate_to_chat_id or message.migrate_from_chat_id:
        return "migrated"
    if _by_bot(message, me) or not _says_something(message):
        return "ignored"
    return "edited" if update.edited_message or update.edited_channel_post else "message"


def message_of(update: Update) -> TelegramMessage | None:
    """Return the message of an update, new or edited, of a chat or a channel."""
    return update.message or update.channel_post or update.edited_message or update.edited_channel_post


def keys_of(update: Update) -> tuple[str, ...]:
    """Return every id under which the same thing may come again."""
    keys = [f"update:{update.update_id}"]
    message = message_of(update)
    if message is not None:
        edited = f":{message.edit_date}" if update.edited_message or update.edited_channel_post else ""
        keys.append(f"message:{message.chat.id}:{message.message_id}{edited}")
    if update.callback_query is not None:
        keys.append(f"callback:{update.callback_query.id}")
    return tuple(keys)


def order_key(update: Update) -> str:
    """Return what is worked in order: a message with its edits. Answers are put in order when they are worked."""
    message = message_of(update)
    return f"{message.chat.id}:{message.message_id}" if message is not None else f"update:{update.update_id}"


def addressed(message: TelegramMessage, me: Me, commands: frozenset[str]) -> bool:
    """Whether somebody expects an answer: a private chat, a mention, a reply to the bot, a command for it."""
    if message.chat.type == "private":
        return True
    replied = message.reply_to_message
    if replied is not None and replied.from_user is not None and replied.from_user.id == me.bot_id:
        return True
    return any(_calls(message, entity, me, commands) for entity in entities_of(message))


def for_another(message: TelegramMessage, me: Me) -> bool:
    """Whether a message begins with a command for another bot."""
    first = next(iter(entities_of(message)), None)
    if first is None or first.type != "bot_command" or first.offset:
        return False
    _, at, name = cut(text_of(message), 0, first.length).partition("@")
    return bool(at) and name.casefold() != me.username.casefold()


def message_from(
    message: TelegramMessage,
    *,
    me: Me,
    addressed: bool,
    memberships: tuple[Scope, ...] = (),
    administrator: bool = False,
) -> Message:
    """Return a Telegram message as a Message; links and mentions are cut out in UTF-16 units."""
    replied = message.reply_to_message
    links = links_of(message)
    return Message(
        message_id=str(message.message_id),
        room=room_of(message),
        author=author_of(message),
        text=spoken(message, me),
        sent_at=moment(message.date),
        links=links,
        attachments=attachments_of(message, with_links=bool(links)),
        origin=origin_of(message.forward_origin) if message.forward_origin else None,
        addressed=addressed,
        replying_to_bot=replied is not None and replied.from_user is not None and replied.from_user.id == me.bot_id,
        replied=_replied(message, me),
        memberships=memberships,
        language=(message.from_user.language_code or "") if message.from_user else "",
        permalink=permalink(message.chat, message.message_id, thread_of(message)),
        mentioned=tuple(_mentioned(message, me)),
        administrator=administrator,
    )


def spoken(message: TelegramMessage, me: Me) -> str:
    """Return the text without the bot's own mention; `/start` becomes what it stands for."""
    text = text_of(message)
    encoded = text.encode("utf-16-le", "surrogatepass")
    for entity in reversed(entities_of(message)):
        start, end = 2 * entity.offset, 2 * (entity.offset + entity.length)
        if entity.type in {"mention", "text_mention"} and _is_me(message, entity, me):
            encoded = encoded[:start] + encoded[end:]
    return started(encoded.decode("utf-16-le", "replace").strip())


def started(text: str) -> str:
    """Return what `/start` asks for: help, or the command that a deep link carries."""
    command, _, payload = text.partition(" ")
    if command.partition("@")[0] != "/start":
        return text
    name, _, argument = payload.strip().replace("-", "_").partition("_")
    return f"/{name} {argument}" if name in DEEP_LINKS and argument else "/help"


def room_of(message: TelegramMessage) -> Room:
    """Return the room of a message; a topic is a thread of it, General is not."""
    return chat_room(message.chat, thread_of(message))


def chat_room(chat: Chat, thread: int | None = None) -> Room:
    """Return a chat as a room: groups and channels are walls, whatever Telegram calls public."""
    return Room(
        platform="telegram",
        channel=str(chat.id),
        kind="direct" if chat.type == "private" else "private",
        thread=str(thread) if thread else None,
        name=chat.title or "",
    )


def thread_of(message: TelegramMessage) -> int | None:
    """Return the topic; replies in ordinary groups carry a thread id too, and it is none."""
    return message.message_thread_id if message.is_topic_message else None


def author_of(message: TelegramMessage) -> Person:
    """Return who wrote a message: a person, or a chat in whose name somebody writes."""
    chat = message.sender_chat or (message.chat if message.from_user is None else None)
    if chat is not None:
        return Person(platform="telegram", person_id=str(chat.id), name=chat.title or chat.username or "")
    return person_of(message.from_user)


def person_of(user: User | None) -> Person:
    """Return a Telegram user as a person."""
    if user is None:
        return Person(platform="telegram", person_id="0")
    return Person(platform="telegram", person_id=str(user.id), name=user.full_name)


def _calls(message: TelegramMessage, entity: MessageEntity, me: Me, commands: frozenset[str]) -> bool:
    if entity.type in {"mention", "text_mention"}:
        return _is_me(message, entity, me)
    if entity.type != "bot_command" or entity.offset:
        return False
    name, at, whose = cut(text_of(message), 0, entity.length)[1:].partition("@")
    return whose.casefold() == me.username.casefold() if at else name.lower() in commands


def _is_me(message: TelegramMessage, entity: MessageEntity, me: Me) -> bool:
    if entity.type == "text_mention":
        return entity.user is not None and entity.user.id == me.bot_id
    return cut(text_of(message), entity.offset, entity.length).casefold() == f"@{me.username}".casefold()


def _mentioned(message: TelegramMessage, me: Me) -> Iterator[Person]:
    for entity in entities_of(message):
        if entity.type == "text_mention" and entity.user is not None and entity.user.id != me.bot_id:
            yield person_of(entity.user)


def _replied(message: TelegramMessage, me: Me) -> Message | None:
    """Return the message replied to. The topic's own first message is no reply of anybody's."""
    replied = message.reply_to_message
    if replied is None:
        return _quoted(message)
    if replied.forum_topic_created is not None:
        return None
    read = message_from(replied.model_copy(update={"reply_to_message": None}), me=me, addressed=False)
    return replace(read, room=room_of(message))


def _quoted(message: TelegramMessage) -> Message | None:
    """Return what was quoted from another chat."""
    there, quote = message.external_reply, message.quote
    if there is None:
        return None
    found = list(entity_links(quote.text, quote.entities or ())) if quote is not None else []
    preview = preview_url(there.link_preview_options)
    return Message(
        message_id=f"{message.message_id}:quoted",
        room=room_of(message),
        author=author_of(message),
        text=quote.text if quote is not None else "",
        sent_at=moment(message.date),
        links=tuple({link.url: link for link in (*found, *([Link(url=preview)] if preview else ()))}.values()),
        origin=origin_of(there.origin),
    )


def _by_bot(message: TelegramMessage, me: Me) -> bool:
    """Whether another bot wrote this, or it is one of our own inline results."""
    sender = message.from_user
    by_bot = sender is not None and sender.is_bot and sender.id not in STAND_INS
    return by_bot or (message.via_bot is not None and message.via_bot.id == me.bot_id)


def _says_something(message: TelegramMessage) -> bool:
    """Whether there is something to act on. What is brought and cannot be kept is answered, a sticker is not."""
    if text_of(message) or attachments_of(message, with_links=False):
        return True
    brought = message.forward_origin is not None or message.content_type in BROUGHT
    return message.chat.type == "private" and brought
