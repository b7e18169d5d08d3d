"""What an export holds, in the bot's words: a bookmark's share, a chat's message, or what was left out and why."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.domain.keys import digest, text_key
from bot.domain.lines import one_line
from bot.domain.links import opened_url, page_key
from bot.domain.memories import Shared
from bot.domain.messages import Message
from bot.domain.rooms import Person, Room, scope_of

LATEST_SECONDS = 32_503_680_000
"""The year 3000: a larger number counts milli- or microseconds (Chrome writes some dates so)."""
LATEST_MICROSECONDS = LATEST_SECONDS * 1_000_000
LONGEST_TITLE = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An entry of an export that is not imported."""

    what: str
    why: str


Record = Shared | Message | Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    """Who imports, and into which room what has no room of its own goes."""

    person: Person
    room: Room
    undated: datetime
    """The date of entries that carry none: when the export was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A recognised export; `records` reads it from the start at each call."""

    format: str
    path: Path
    records: Callable[[], Iterator[Record]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What a service keeps beside an address or a text."""

    title: str = ""
    note: str = ""
    tags: tuple[str, ...] = ()
    pocket: str = ""
    shared_at: datetime | None = None


def bookmark(keeper: Keeper, source: str, url: str, details: Details) -> Record:
    """Return a bookmark as a share of the keeper's, or why it is none."""
    address, title = url.strip(), one_line(details.title)
    if not address.lower().startswith(("http://", "https://")):
        return Skipped(what=title or address[:LONGEST_TITLE], why="not a web address")
    told = f"{address} {details.shared_at} {details.pocket}"
    return replace(
        share(keeper, f"import:{source}/{digest(told)}", details),
        url=opened_url(address),
        key=page_key(address),
        title="" if title == address else title,
    )


def thought(keeper: Keeper, source: str, text: str, details: Details) -> Record:
    """Return a text of the keeper's own as a note, or why it is none."""
    if not text.strip():
        return Skipped(what=details.title or "an entry", why="no text")
    return replace(
        share(keeper, f"import:{source}/{digest(text)}", details),
        kind="note",
        key=text_key(text),
        title=one_line(details.title) or one_line(text.strip().splitlines()[0], longest=LONGEST_TITLE),
        text=text.strip(),
    )


def share(keeper: Keeper, source: str, details: Details) -> Shared:
    """Return what is the same for everything that the keeper shares."""
    return Shared(
        kind="link",
        scope=scope_of(keeper.room, keeper.person),
        room=keeper.room,
        person=keeper.person,
        shared_at=details.shared_at or keeper.undated,
        source=source,
        note=details.note.strip(),
        tags=clean_tags(details.tags),
        pocket=one_line(details.pocket),
    )


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags as the bot writes them: lower case, one word each, each once."""
    words = ("-".join(tag.strip().lstrip("#").lower().split()) for tag in tags)
    return tuple(dict.fromkeys(word for word in words if word))


def moment_of(value: object) -> datetime | None:
    """Read a date as exports write it: seconds, milli- or microseconds, or ISO 8601; None where it is none."""
    text = str(value if value is not None else "").strip()
    try:
        number = float(text)
    except ValueError:
        return iso_moment(text)
    if not 0 < number < LATEST_MICROSECONDS:
        return None
    while number >= LATEST_SECONDS:
        number /= 1000
    return datetime.fromtimestamp(number, UTC)


def iso_moment(text: str) -> datetime | None:
    """Read an ISO 8601 date; one without a zone is taken as UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def record(value: object) -> dict[str, Any]:
    """Return a JSON object; an empty one for whatever else stands there."""
    return value if isinstance(value, dict) else {}


def dicts(values: object) -> list[dict[str, Any]]:
    """Return the objects of a JSON list, leaving out whatever else stands there."""
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []
