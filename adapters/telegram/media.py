"""Read the media of a Telegram message: its files, and the text and links of a rich message (pure)."""

import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aiogram.types import Message as TelegramMessage

from bot.domain.messages import Attachment, Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """One file of a message and how to get it."""

    attachment: Attachment
    file_id: str
    unique_id: str
    readable: bool
    """Whether there may be text in it: pictures and sounds are kept by their captions."""


def attachments_of(message: TelegramMessage, *, with_links: bool) -> tuple[Attachment, ...]:
    """Return what is a memory of its own: a document or voice note always, a picture where its caption has no link."""
    media = media_of(message)
    if media is None:
        return ()
    told = with_links or (message.forward_origin is not None and bool(message.caption))
    picture = not (message.document or message.voice)
    return () if picture and told else (media.attachment,)


def media_of(message: TelegramMessage) -> Media | None:
    """Return the file of a message; Telegram puts one in each."""
    number, caption = message.message_id, message.caption or ""
    if message.document is not None and message.animation is None:
        document = message.document
        name = document.file_name or f"document-{number}"
        return _media(document, name, document.mime_type or "", caption, readable=True)
    if message.photo:
        return _media(message.photo[-1], f"photo-{number}.jpg", "image/jpeg", caption)
    if message.voice is not None:
        return _media(message.voice, f"voice-{number}.ogg", message.voice.mime_type or "audio/ogg", caption)
    if message.audio is not None:
        name = message.audio.file_name or message.audio.title or f"audio-{number}"
        return _media(message.audio, name, message.audio.mime_type or "", caption)
    if (video := message.video or message.animation) is not None:
        return _media(video, video.file_name or f"video-{number}.mp4", video.mime_type or "video/mp4", caption)
    if message.video_note is not None:
        return _media(message.video_note, f"video-{number}.mp4", "video/mp4", caption)
    return None


def rich_text(message: TelegramMessage) -> str:
    """Return the plain text of a rich message, block by block, or nothing."""
    if message.rich_message is None:
        return ""
    return "\n".join(filter(None, ("".join(_texts(block)) for block in _dumped(message)["blocks"])))


def rich_links(message: TelegramMessage) -> Iterator[Link]:
    """Yield the addresses of a rich message."""
    if message.rich_message is not None:
        yield from _urls(_dumped(message))


def _media(file: Any, name: str, media_type: str, caption: str, *, readable: bool = False) -> Media:
    guessed = media_type or mimetypes.guess_type(name)[0] or ""
    return Media(
        attachment=Attachment(name=name, media_type=guessed, size=file.file_size or 0, caption=caption),
        file_id=file.file_id,
        unique_id=file.file_unique_id,
        readable=readable,
    )


def _dumped(message: TelegramMessage) -> Mapping[str, Any]:
    assert message.rich_message is not None  # noqa: S101 - asked before
    return message.rich_message.model_dump(exclude_none=True)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name in ("text", "caption", "blocks", "items", "cells", "rows", "label"):
            yield from _texts(value.get(name))
    elif isinstance(value, Sequence):
        for one in value:
            yield from _texts(one)


def _urls(value: Any) -> Iterator[Link]:
    if isinstance(value, Mapping):
        url = value.get("url")
        if isinstance(url, str) and url.startswith(("http://", "https://")):
            yield Link(url=url, label="".join(_texts(value.get("text"))))
        for one in value.values():
            yield from _urls(one)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for one in value:
            yield from _urls(one)
