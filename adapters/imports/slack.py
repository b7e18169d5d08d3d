"""Read a Slack export (a zip): what people linked to, by channel and day."""

import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

from adapters.imports.records import Keeper, Record, Skipped, dicts, record
from bot.domain.lines import one_line
from bot.domain.messages import Message, Preview
from bot.domain.rooms import Person, Room, RoomKind

LISTS: dict[str, RoomKind] = {
    "channels.json": "public",
    "groups.json": "private",
    "mpims.json": "private",
    "dms.json": "direct",
}
LARGEST_MEMBER = 200 * 1024 * 1024
MENTION = re.compile(r"<(?P<mark>[@#!])(?P<id>[^>|]+)(?:\|(?P<label>[^>]*))?>")
SPOKEN = {"", "thread_broadcast", "me_message", "file_share"}
"""Subtypes of messages that people wrote; the others are notices (https://api.slack.com/events/message)."""
LINKS = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """The people and rooms of an export."""

    people: Mapping[str, Person]
    rooms: Mapping[str, Room]
    """By the name of the folder that holds a room's days."""


def is_slack(archive: zipfile.ZipFile) -> bool:
    """Whether a zip holds a list of people and one of rooms."""
    held = set(archive.namelist())
    return "users.json" in held and not held.isdisjoint(LISTS)


def read_slack(path: Path, keeper: Keeper) -> Iterator[Record]:
    """Yield every message with an address, room by room, oldest day first."""
    with zipfile.ZipFile(path) as archive:
        workspace = workspace_of(archive, keeper)
        for name in sorted(archive.namelist()):
            folder, _, day = name.rpartition("/")
            room = workspace.rooms.get(folder)
            if room is None or not day.endswith(".json"):
                continue
            for entry in dicts(member(archive, name)):
                yield from read_message(entry, room, workspace)


def workspace_of(archive: zipfile.ZipFile, keeper: Keeper) -> Workspace:
    """Read who is there and where they write."""
    users = dicts(member(archive, "users.json"))
    team = next((str(user["team_id"]) for user in users if user.get("team_id")), "")
    people = {str(user.get("id")): person_of(user, team) for user in users}
    rooms = {
        folder: room
        for listing, kind in LISTS.items()
        if listing in archive.namelist()
        for entry in dicts(member(archive, listing))
        for folder, room in named_rooms(entry, kind, team)
    }
    return Workspace(people={keeper.person.person_id: keeper.person, **people}, rooms=rooms)


def named_rooms(entry: Mapping[str, Any], kind: RoomKind, team: str) -> Iterator[tuple[str, Room]]:
    """Yield a room under each name its folder may have: its own, or its id."""
    channel, name = str(entry.get("id") or ""), str(entry.get("name") or "")
    shown = f"#{name}" if name and kind == "public" else name
    room = Room(platform="slack", channel=channel, kind=kind, space=team, name=shown)
    yield from ((folder, room) for folder in (name, channel) if folder)


def person_of(user: Mapping[str, Any], team: str) -> Person:
    """Return a person under the name that people see."""
    profile = record(user.get("profile"))
    shown = profile.get("display_name") or profile.get("real_name") or user.get("real_name") or user.get("name") or ""
    return Person(
        platform="slack",
        person_id=str(user.get("id")),
        space=str(user.get("team_id") or team),
        name=one_line(str(shown)),
    )


def read_message(entry: Mapping[str, Any], room: Room, workspace: Workspace) -> Iterator[Record]:
    """Yield a message that shares something; notices and bots are passed over."""
    if entry.get("type") != "message" or str(entry.get("subtype") or "") not in SPOKEN or entry.get("bot_id"):
        return
    for file in dicts(entry.get("files")):
        yield Skipped(what=str(file.get("name") or "a file"), why="Slack exports hold no files")
    text = plain(str(entry.get("text") or ""), workspace)
    sent_at = spoken_at(entry.get("ts"))
    if not LINKS.search(text) or sent_at is None:
        return
    user = str(entry.get("user") or "")
    ts, thread = str(entry["ts"]), entry.get("thread_ts")
    yield Message(
        message_id=ts,
        room=replace(room, thread=str(thread)) if thread else room,
        author=workspace.people.get(user, Person(platform="slack", person_id=user or "unknown", space=room.space)),
        text=text,
        sent_at=sent_at,
        previews=tuple(previews(entry)),
        surface="import",
    )


def plain(text: str, workspace: Workspace) -> str:
    """Write mentions as names and undo Slack's three escapes; `<address|words>` stays for the bot to read."""

    def spoken(mention: re.Match[str]) -> str:
        label, mark, given = mention["label"], mention["mark"], mention["id"]
        if mark == "@":
            person = workspace.people.get(given)
            return f"@{label or (person.name if person else '') or given}"
        if mark == "#":
            return f"#{label or given}"
        return label or f"@{given.split('^')[0]}"

    return unescape(MENTION.sub(spoken, text))


def previews(entry: Mapping[str, Any]) -> Iterator[Preview]:
    """Yield what Slack showed of the links."""
    for shown in dicts(entry.get("attachments")):
        url = shown.get("original_url") or shown.get("from_url")
        if url:
            yield Preview(
                url=str(url),
                title=one_line(str(shown.get("title") or "")),
                description=unescape(str(shown.get("text") or "")),
                site=str(shown.get("service_name") or ""),
            )


def spoken_at(ts: object) -> datetime | None:
    """Return when a message was written; its `ts` is its id and its time at once."""
    try:
        return datetime.fromtimestamp(float(str(ts)), UTC)
    except (ValueError, OverflowError, OSError):
        return None


def member(archive: zipfile.ZipFile, name: str) -> object:
    """Return the JSON of one file of the zip; nothing for one too large or broken, so that the others are read."""
    if archive.getinfo(name).file_size > LARGEST_MEMBER:
        return None
    try:
        return json.loads(archive.read(name))
    except (ValueError, zipfile.BadZipFile):
        return None
