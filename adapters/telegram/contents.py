"""Read what stands in a Telegram message: its text, its links, where it was first written (pure)."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from aiogram.types import (
    Chat,
    LinkPreviewOptions,
    MessageEntity,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUnion,
    MessageOriginUser,
)
from aiogram.types import Message as TelegramMessage

from adapters.telegram.entities import cut
from adapters.telegram.media import rich_links, rich_text
from bot.domain.messages import Link, Origin

SUPERGROUP_PREFIX = "-100"


def text_of(message: TelegramMessage) -> str:
    """Return a message's text or caption as it was written."""
    return message.text or message.caption or rich_text(message)


def entities_of(message: TelegramMessage) -> Sequence[MessageEntity]:
    """Return the entities that belong to `text_of`."""
    return (message.entities if message.text else message.caption_entities) or ()


def links_of(message: TelegramMessage) -> tuple[Link, ...]:
    """Return the links that Telegram marked: in text or caption, in a rich message, and behind the preview."""
    text = text_of(message)
    found = [*entity_links(text, entities_of(message)), *rich_links(message)]
    preview = preview_url(message.link_preview_options)
    if preview and preview not in {link.url for link in found}:
        found.append(Link(url=preview))
    if not found and message.forward_origin is not None:
        found.extend(_button_links(message))
    return tuple({link.url: link for link in reversed(found)}.values())[::-1]


def origin_of(origin: MessageOriginUnion) -> Origin:
    """Return where a forward was first written; of the four kinds only channels give a permalink."""
    match origin:
        case MessageOriginUser():
            return Origin(kind="person", name=origin.sender_user.full_name, written_at=moment(origin.date))
        case MessageOriginHiddenUser():
            return Origin(kind="hidden", name=origin.sender_user_name, written_at=moment(origin.date))
        case MessageOriginChat():
            name = _signed(origin.sender_chat.title or "", origin.author_signature)
            return Origin(kind="room", name=name, written_at=moment(origin.date))
        case MessageOriginChannel():
            return Origin(
                kind="channel",
                name=_signed(origin.chat.title or "", origin.author_signature),
                url=permalink(origin.chat, origin.message_id),
                written_at=moment(origin.date),
            )


def permalink(chat: Chat, message_id: int, thread: int | None = None) -> str:
    """Return where people open a message: public by name, private supergroups and channels by id."""
    inside = f"{thread}/" if thread else ""
    if chat.username and chat.type != "private":
        return f"https://t.me/{chat.username}/{inside}{message_id}"
    if str(chat.id).startswith(SUPERGROUP_PREFIX):
        return f"https://t.me/c/{str(chat.id).removeprefix(SUPERGROUP_PREFIX)}/{inside}{message_id}"
    return ""


def entity_links(text: str, entities: Sequence[MessageEntity]) -> Iterator[Link]:
    """Yield the links among entities; people's profiles are none."""
    for entity in entities:
        shown = cut(text, entity.offset, entity.length)
        if entity.type == "url":
            yield Link(url=shown if "://" in shown else f"https://{shown}")
        elif entity.type == "text_link" and (entity.url or "").startswith(("http://", "https://")):
            yield Link(url=entity.url or "", label=shown)


def preview_url(options: LinkPreviewOptions | None) -> str:
    """Return the address that a preview shows, where it is not the first one of the text."""
    return (options.url or "") if options is not None and options.is_disabled is not True else ""


def _button_links(message: TelegramMessage) -> Iterator[Link]:
    """Yield the addresses of a forwarded post's buttons: where its text has none, its article is there."""
    for row in message.reply_markup.inline_keyboard if message.reply_markup else ():
        for button in row:
            if (button.url or "").startswith(("http://", "https://")):
                yield Link(url=button.url or "", label=button.text)


def _signed(name: str, signature: str | None) -> str:
    return f"{name} ({signature})" if signature else name


def moment(date: datetime | int) -> datetime:
    """Return a date of Telegram's in UTC; aiogram gives edit dates as numbers."""
    return date.astimezone(UTC) if isinstance(date, datetime) else datetime.fromtimestamp(date, UTC)
