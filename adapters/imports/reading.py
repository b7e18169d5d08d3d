"""Recognise an export by what is in it, whatever its name, and open it for reading."""

import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.imports.bookmarks import read_bookmarks
from adapters.imports.discord import is_discord, read_discord
from adapters.imports.records import Export, Keeper, Record
from adapters.imports.services import is_karakeep, is_linkwarden, read_karakeep, read_linkwarden
from adapters.imports.slack import is_slack, read_slack
from adapters.imports.tables import is_table, read_table
from adapters.imports.telegram import is_telegram, read_telegram
from bot.domain.errors import BadInput
from bot.domain.rooms import Person, Room

LARGEST_TEXT = 2 * 1024**3
"""A larger text would not fit the memory of a small machine while it is read."""
KNOWN = (
    "a palace export (.jsonl), bookmarks.html, a Pocket or Raindrop CSV, Karakeep or Linkwarden JSON, a Slack export "
    "zip, Telegram's result.json or DiscordChatExporter JSON"
)


def open_export(path: Path, *, person: Person, room: Room) -> Export:
    """Recognise an export. `person` and `room`: whose its entries are where it tells nothing else.

    Raises BadInput, in a sentence, for what is missing, unreadable, or none of the known formats.
    """
    try:
        written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        keeper = Keeper(person=person, room=room, undated=written)
        if path.is_dir():
            raise BadInput(f"{path} is a folder; name a file: {KNOWN}")
        if zipfile.is_zipfile(path):
            return open_archive(path, keeper)
        if path.stat().st_size > LARGEST_TEXT:
            raise BadInput(f"{path} is larger than 2 GB; export single chats instead")
        return open_text(path, path.read_text(encoding="utf-8-sig"), keeper)
    except FileNotFoundError:
        raise BadInput(f"{path} does not exist") from None
    except PermissionError:
        raise BadInput(f"{path} may not be read by you") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not a text; known are {KNOWN}") from None


def open_archive(path: Path, keeper: Keeper) -> Export:
    """Open a zip: a Slack export."""
    try:
        with zipfile.ZipFile(path) as archive:
            known = is_slack(archive)
    except zipfile.BadZipFile:
        raise BadInput(f"{path} is a broken zip") from None
    if not known:
        raise BadInput(f"{path} is a zip, but no Slack export (users.json and channels.json are not in it)")
    return Export(format="Slack export", path=path, records=lambda: read_slack(path, keeper))


def open_text(path: Path, text: str, keeper: Keeper) -> Export:
    """Open a text by what it starts with: markup, JSON or a table."""
    head = text[:4096].lstrip()
    if not head:
        raise BadInput(f"{path} is empty")
    if head.startswith("<") and any(mark in text[:200_000].lower() for mark in ("<dt><a", "<dl", "time_added=")):
        return Export(format="bookmarks", path=path, records=lambda: read_bookmarks(text, keeper))
    if head[0] in "{[":
        return open_json(path, parsed(path, text), keeper)
    if is_table(head):
        return Export(format="table of bookmarks", path=path, records=lambda: read_table(text, keeper))
    raise BadInput(f"{path} is none of what can be imported: {KNOWN}")


def open_json(path: Path, data: Any, keeper: Keeper) -> Export:
    """Open JSON by the names in it."""
    formats: tuple[tuple[str, Callable[[object], bool], Callable[[], Iterator[Record]]], ...] = (
        ("DiscordChatExporter export", is_discord, lambda: read_discord(data, path.parent)),
        ("Telegram export", is_telegram, lambda: read_telegram(data, path.parent, keeper)),
        ("Karakeep export", is_karakeep, lambda: read_karakeep(data, keeper)),
        ("Linkwarden export", is_linkwarden, lambda: read_linkwarden(data, keeper)),
    )
    for name, recognises, records in formats:
        if recognises(data):
            return Export(format=name, path=path, records=records)
    raise BadInput(f"{path} is JSON, but none of what can be imported: {KNOWN}")


def parsed(path: Path, text: str) -> Any:
    """Parse JSON; a broken one is said with its line."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"{path} is broken JSON at line {error.lineno}: {error.msg}") from None
