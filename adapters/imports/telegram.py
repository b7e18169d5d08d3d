"""Read Telegram Desktop's result.json: one chat, or all of an account's."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from adapters.imports.records import Keeper, Record, Skipped, dicts, moment_of
from bot.domain.lines import one_line
from bot.domain.messages import Attachment, Link, Message, Origin, OriginKind
from bot.domain.rooms import Person, Room

SAVED = "saved_messages"
DIRECT = {SAVED, "personal_chat", "bot_chat"}
CODE = {"code", "pre"}


def is_telegram(data: object) -> bool:
    """Whether this is an account's export or a single chat's."""
    if not isinstance(data, dict):
        return False
    chats = data.get("chats")
    whole = isinstance(chats, dict) and isinstance(chats.get("list"), list)
    single = isinstance(data.get("messages"), list) and "type" in data and "guild" not in data
    return whole or single


def read_telegram(data: Mapping[str, Any], folder: Path, keeper: Keeper) -> Iterator[Record]:
    """Yield every message with an address or a file, and all of Saved Messages."""
    chats = data.get("chats")
    for chat in dicts(chats.get("list")) if isinstance(chats, dict) else [data]:
        room = room_of(chat, keeper)
        for entry in dicts(chat.get("messages")):
            yield from read_message(entry, room, folder, keeper, saved=chat.get("type") == SAVED)


def room_of(chat: Mapping[str, Any], keeper: Keeper) -> Room:
    """Return a chat as the bot knows it: the export's bare id becomes the Bot API's.

    Groups are negative, supergroups and channels start with -100 (https://core.telegram.org/api/bots/ids).
    """
    kind, number = str(chat.get("type") or ""), str(chat.get("id") or "")
    if kind == SAVED:
        return keeper.room
    if kind in DIRECT:
        return Room(platform="telegram", channel=number, kind="direct", name=one_line(str(chat.get("name") or "")))
    prefix = "-" if kind in {"private_group", "public_group"} else "-100"
    return Room(
        platform="telegram", channel=f"{prefix}{number}", kind="private", name=one_line(str(chat.get("name") or ""))
    )


def read_message(
    entry: Mapping[str, Any], room: Room, folder: Path, keeper: Keeper, *, saved: bool
) -> Iterator[Record]:
    """Yield one message, if it shares something."""
    sent_at = moment_of(entry.get("date_unixtime") or entry.get("date"))
    if entry.get("type") != "message" or sent_at is None:
        return
    text, links = words_of(entry)
    file = file_of(entry, folder, caption=text)
    if isinstance(file, Skipped):
        yield file
    attachments = (file,) if isinstance(file, Attachment) else ()
    if links or attachments or (saved and text.strip()):
        yield Message(
            message_id=str(entry.get("id")),
            room=room,
            author=keeper.person if saved else author_of(entry),
            text=text,
            sent_at=sent_at,
            links=links,
            attachments=attachments,
            origin=origin_of(entry),
            surface="import",
        )


def words_of(entry: Mapping[str, Any]) -> tuple[str, tuple[Link, ...]]:
    """Return the text, code fenced as code, and the addresses that Telegram marked in it."""
    pieces = entry.get("text_entities") or entry.get("text") or ""
    text, links = "", []
    for piece in pieces if isinstance(pieces, list) else [pieces]:
        marked = piece if isinstance(piece, dict) else {"type": "plain", "text": piece}
        words, kind = str(marked.get("text") or ""), marked.get("type")
        text += f"`{words}`" if kind in CODE else words
        if kind == "link":
            links.append(Link(url=words))
        elif kind == "text_link":
            links.append(Link(url=str(marked.get("href") or ""), label=words))
    return text, tuple(link for link in links if link.url)


def file_of(entry: Mapping[str, Any], folder: Path, *, caption: str) -> Attachment | Skipped | None:
    """Return the document (or the photo with words to it) that lies beside the export."""
    held = entry.get("file") if not entry.get("media_type") else None
    held = held or (entry.get("photo") if caption.strip() else None)
    if not held:
        return None
    path = (folder / str(held)).resolve()
    name = str(entry.get("file_name") or path.name)
    if not path.is_relative_to(folder.resolve()) or not path.is_file():
        return Skipped(what=name if name[0] != "(" else "a file", why="the file is not in the export")
    return Attachment(
        name=name,
        media_type=str(entry.get("mime_type") or ""),
        size=path.stat().st_size,
        path=str(path),
        caption=caption,
    )


def author_of(entry: Mapping[str, Any]) -> Person:
    """Return who wrote it; `from_id` is `user123` or `channel123`."""
    number = str(entry.get("from_id") or "unknown").removeprefix("user")
    return Person(platform="telegram", person_id=number, name=one_line(str(entry.get("from") or "Deleted account")))


def origin_of(entry: Mapping[str, Any]) -> Origin | None:
    """Return where a forward was first written, as far as the export tells."""
    name = entry.get("forwarded_from")
    if name is None:
        return None
    known = str(entry.get("forwarded_from_id") or "")
    kind: OriginKind = "channel" if known.startswith("channel") else "person" if known else "hidden"
    return Origin(kind=kind, name=one_line(str(name)))
