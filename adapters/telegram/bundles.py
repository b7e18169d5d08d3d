"""Take together what people send together: an album's parts, forwards with their comment (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aiogram.types import Message as TelegramMessage

from adapters.telegram.contents import links_of, text_of
from adapters.telegram.inbound import thread_of
from adapters.telegram.media import media_of
from bot.domain.messages import Message
from bot.ports import InboxEvent

ALBUM_SETTLES_S = 1.0
FORWARDS_SETTLE_S = 1.0
WORDS_SETTLE_S = 0.8
QUESTION_SETTLES_S = 0.4
"""A comment and the forwards it belongs to arrive in one breath; a question must not wait for long."""
COMMENT_WITHIN_S = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One message of a bundle, with the event it came as, and the words that came with it."""

    event: InboxEvent
    sent: TelegramMessage
    comment: str = ""
    events: tuple[InboxEvent, ...] = ()
    """The events of its comments."""


def bundle_key(message: TelegramMessage) -> str:
    """Return what a message is gathered with: its album, or everything in a private chat; nothing for the rest."""
    if message.chat.type == "private":
        return f"{message.chat.id}:{thread_of(message) or ''}"
    return f"{message.chat.id}:album:{message.media_group_id}" if message.media_group_id else ""


def settles_in(message: TelegramMessage) -> float:
    """Return how many seconds to wait for what belongs to a message."""
    if message.media_group_id:
        return ALBUM_SETTLES_S
    if message.forward_origin is not None:
        return FORWARDS_SETTLE_S
    if not may_comment(message):
        return 0.0
    return QUESTION_SETTLES_S if text_of(message).rstrip().endswith(("?", "？")) else WORDS_SETTLE_S


def pieces_of(gathered: Sequence[tuple[InboxEvent, TelegramMessage]]) -> tuple[Piece, ...]:
    """Return the messages of a bundle in their order, comments joined to the forwards beside them.

    A comment stands before the forwards it belongs to (as the app sends it), or right after them.
    """
    ordered = sorted(gathered, key=lambda one: one[1].message_id)
    sent = [message for _, message in ordered]
    comment_of: dict[int, int] = {}
    for place, message in enumerate(sent):
        if may_comment(message):
            beside = _forwards(sent, place, 1) or _forwards(sent, place, -1)
            comment_of = {**dict.fromkeys(beside, place), **comment_of}
    pieces = [
        _piece(ordered, place, comment_of.get(place))
        for place in range(len(ordered))
        if place not in comment_of.values()
    ]
    return tuple(piece for piece in pieces if not _mute(piece, sent))


def is_save(piece: Piece) -> bool:
    """Whether a piece asks for nothing but to be kept."""
    return _is_forward(piece.sent) or media_of(piece.sent) is not None


def with_comment(message: Message, piece: Piece) -> Message:
    """Return the message with the words that came beside it."""
    return replace(message, comment=piece.comment) if piece.comment else message


def may_comment(message: TelegramMessage) -> bool:
    """Whether these may be words on a forward: no command, no reply, no link of their own."""
    plain = bool(message.text) and message.forward_origin is None and message.reply_to_message is None
    return plain and not text_of(message).startswith("/") and not links_of(message)


def _is_forward(message: TelegramMessage) -> bool:
    return message.forward_origin is not None


def _close(one: TelegramMessage, other: TelegramMessage) -> bool:
    return abs((one.date - other.date).total_seconds()) <= COMMENT_WITHIN_S


def _forwards(sent: Sequence[TelegramMessage], place: int, step: int) -> list[int]:
    """Return the places of the forwards directly after (or before) a comment."""
    found: list[int] = []
    beside = place + step
    while 0 <= beside < len(sent) and _is_forward(sent[beside]) and _close(sent[place], sent[beside]):
        found.append(beside)
        beside += step
    return found


def _piece(ordered: Sequence[tuple[InboxEvent, TelegramMessage]], place: int, comment: int | None) -> Piece:
    event, sent = ordered[place]
    if comment is None:
        return Piece(event=event, sent=sent)
    return Piece(event=event, sent=sent, comment=text_of(ordered[comment][1]), events=(ordered[comment][0],))


def _mute(piece: Piece, sent: Sequence[TelegramMessage]) -> bool:
    """Whether a picture has no words of its own while others of its album have."""
    album = piece.sent.media_group_id
    if not album or text_of(piece.sent) or piece.sent.document:
        return False
    return any(other.media_group_id == album and text_of(other) for other in sent)
