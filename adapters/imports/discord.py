"""Read DiscordChatExporter's JSON: one channel a file."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from adapters.imports.records import Record, Skipped, dicts, moment_of, record
from bot.domain.lines import one_line
from bot.domain.messages import Attachment, Message, Preview
from bot.domain.rooms import Person, Room

SPOKEN = {"Default", "Reply", "0", "19"}
"""Message types that people wrote, by name, and by number in older exports."""
LINKS = re.compile(r"https?://", re.IGNORECASE)


def is_discord(data: object) -> bool:
    """Whether this is a channel's export."""
    return isinstance(data, dict) and all(name in data for name in ("guild", "channel", "messages"))


def read_discord(data: Mapping[str, Any], folder: Path) -> Iterator[Record]:
    """Yield every message with an address or a file."""
    room = room_of(data["guild"], data["channel"])
    for entry in dicts(data["messages"]):
        author = record(entry.get("author"))
        if str(entry.get("type", "Default")) in SPOKEN and not author.get("isBot"):
            yield from read_message(entry, author, room, folder)


def room_of(guild: Mapping[str, Any], channel: Mapping[str, Any]) -> Room:
    """Return the channel. An export does not tell who may read it, so it counts as private."""
    kind, number = str(channel.get("type") or ""), str(channel.get("id") or "")
    name = one_line(str(channel.get("name") or ""))
    if kind.startswith("Direct") or str(guild.get("id") or "0") == "0":
        return Room(platform="discord", channel=number, kind="direct", name=name)
    parent = str(channel.get("categoryId") or "") if kind.endswith("Thread") else ""
    return Room(
        platform="discord",
        channel=parent or number,
        kind="private",
        space=str(guild["id"]),
        thread=number if parent else None,
        name=f"#{channel.get('category') if parent else name}",
    )


def read_message(entry: Mapping[str, Any], author: Mapping[str, Any], room: Room, folder: Path) -> Iterator[Record]:
    """Yield one message, if it shares something."""
    files = [file_of(attached, folder) for attached in dicts(entry.get("attachments"))]
    yield from (file for file in files if isinstance(file, Skipped))
    attachments = tuple(file for file in files if isinstance(file, Attachment))
    text, number = str(entry.get("content") or ""), str(entry.get("id") or "")
    sent_at = moment_of(entry.get("timestamp"))
    if sent_at is None or not (attachments or LINKS.search(text)):
        return
    yield Message(
        message_id=number,
        room=room,
        author=Person(
            platform="discord",
            person_id=str(author.get("id") or "unknown"),
            name=one_line(str(author.get("nickname") or author.get("name") or "")),
        ),
        text=text,
        sent_at=sent_at,
        attachments=attachments,
        previews=tuple(previews(entry)),
        permalink=f"https://discord.com/channels/{room.space or '@me'}/{room.thread or room.channel}/{number}",
        surface="import",
    )


def file_of(attached: Mapping[str, Any], folder: Path) -> Attachment | Skipped:
    """Return an attachment that was exported with its file; Discord's own addresses of files expire."""
    name, held = str(attached.get("fileName") or "a file"), str(attached.get("url") or "")
    path = (folder / held).resolve()
    if not held or LINKS.match(held) or not path.is_relative_to(folder.resolve()) or not path.is_file():
        return Skipped(what=name, why="the file is not in the export")
    return Attachment(name=name, size=path.stat().st_size, path=str(path))


def previews(entry: Mapping[str, Any]) -> Iterator[Preview]:
    """Yield what Discord showed of the links."""
    for shown in dicts(entry.get("embeds")):
        if shown.get("url"):
            yield Preview(
                url=str(shown["url"]),
                title=one_line(str(shown.get("title") or "")),
                description=str(shown.get("description") or ""),
            )
