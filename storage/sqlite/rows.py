"""Turn memories' rows into values and values into columns."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import urlsplit

from pydantic import TypeAdapter

from bot.domain.memories import Memory, MemoryKind, Reason, State
from bot.domain.messages import Origin
from bot.domain.rooms import Person, Room, Scope, ScopeKind
from storage.sqlite.database import Connection
from storage.sqlite.words import sound

PERSON = TypeAdapter(Person)
ROOM = TypeAdapter(Room)
ORIGIN = TypeAdapter(Origin)

MEMORY_SQL = """
SELECT m.memory_id, s.kind, s.key, m.kind, m.state, m.url, m.key, m.title, f.person, f.room, m.shared_at, f.source,
       m.reason, m.detail, m.note, m.pocket, m.pinned, m.author, m.site, m.language, m.published, m.description,
       m.media_type, m.etag, m.last_modified, m.hidden_text, m.content_hash, m.version, m.attempts, m.next_try, m.path,
       f.origin, f.permalink, m.read_at,
       (SELECT count(*) FROM chunks c WHERE c.memory_row = m.memory_row),
       (SELECT count(*) FROM shares a WHERE a.memory_row = m.memory_row),
       (SELECT json_group_array(tag) FROM (SELECT tag FROM tags t WHERE t.memory_row = m.memory_row ORDER BY tag)),
       m.memory_row
FROM memories m
JOIN scopes s USING (scope_id)
JOIN shares f ON f.share_id = (
    SELECT share_id FROM shares a WHERE a.memory_row = m.memory_row ORDER BY a.shared_at, a.share_id LIMIT 1
)
"""
_TAGS = TypeAdapter(tuple[str, ...])


def memory(row: Sequence[Any], *, text: str = "") -> Memory:
    """Return the memory of a row of `MEMORY_SQL`."""
    return Memory(
        memory_id=row[0],
        scope=Scope(kind=cast("ScopeKind", row[1]), key=row[2]),
        kind=cast("MemoryKind", row[3]),
        state=cast("State", row[4]),
        url=row[5],
        key=row[6],
        title=row[7],
        person=PERSON.validate_json(row[8]),
        room=ROOM.validate_json(row[9]),
        shared_at=moment(row[10]),
        source=row[11],
        reason=cast("Reason", row[12]),
        detail=row[13],
        note=row[14],
        text=text,
        tags=_TAGS.validate_json(row[36]),
        pocket=row[15],
        pinned=bool(row[16]),
        author=row[17],
        site=row[18],
        language=row[19],
        published=row[20],
        description=row[21],
        media_type=row[22],
        etag=row[23],
        last_modified=row[24],
        hidden_text=bool(row[25]),
        content_hash=row[26],
        version=row[27],
        chunks=row[34],
        shares=row[35],
        attempts=row[28],
        next_try=None if row[29] is None else moment(row[29]),
        path=row[30],
        origin=ORIGIN.validate_json(row[31]) if row[31] else None,
        permalink=row[32],
        read_at=None if row[33] is None else moment(row[33]),
    )


def memory_at(connection: Connection, memory_row: int, *, text: bool = False) -> Memory:
    """Return the memory of one row number, which must exist."""
    row = connection.execute(f"{MEMORY_SQL} WHERE m.memory_row = ?", (memory_row,)).fetchone()
    return memory(row, text=text_of(connection, memory_row) if text else "")


def text_of(connection: Connection, memory_row: int) -> str:
    """Return a memory's readable text, or nothing."""
    row = connection.execute("SELECT text FROM texts WHERE memory_row = ?", (memory_row,)).fetchone()
    return row[0] if row else ""


def previous_text(connection: Connection, memory_id: str) -> str:
    """Return the text of the version before the present one, or nothing."""
    row = connection.execute(
        "SELECT previous FROM texts JOIN memories USING (memory_row) WHERE memory_id = ?", (memory_id,)
    ).fetchone()
    return row[0] if row else ""


def row_of(connection: Connection, memory_id: str) -> int | None:
    """Return the row number of a memory's whole id."""
    row = connection.execute("SELECT memory_row FROM memories WHERE memory_id = ?", (memory_id,)).fetchone()
    return row[0] if row else None


def scope_id(connection: Connection, scope: Scope) -> int:
    """Return the number of a scope, giving it one where it has none yet."""
    connection.execute("INSERT OR IGNORE INTO scopes (kind, key) VALUES (?, ?)", (scope.kind, scope.key))
    return int(
        connection.execute(
            "SELECT scope_id FROM scopes WHERE kind = ? AND key = ?", (scope.kind, scope.key)
        ).fetchone()[0]
    )


def scope_ids(connection: Connection, scopes: Sequence[Scope]) -> tuple[int, ...]:
    """Return the numbers of those scopes in which anything was ever written."""
    found = []
    for scope in dict.fromkeys(scopes):
        row = connection.execute(
            "SELECT scope_id FROM scopes WHERE kind = ? AND key = ?", (scope.kind, scope.key)
        ).fetchone()
        if row:
            found.append(row[0])
    return tuple(found)


def marks(values: Sequence[object]) -> str:
    """Return `?, ?, …`, one a value."""
    return ", ".join("?" * len(values))


def microseconds(at: datetime) -> int:
    """Return a moment as whole microseconds since 1970, exactly."""
    since = at.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def moment(value: int) -> datetime:
    """Return the moment of `microseconds`, in UTC."""
    seconds, rest = divmod(value, 1_000_000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest)


def fingerprint(text: str) -> str:
    """Return the SHA-256 of a text as hexadecimal digits: `Memory.content_hash`."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def host_of(url: str) -> str:
    """Return an address's host without `www.`, or nothing."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def name_fold(name: str) -> str:
    """Return a person's or room's name as it is compared: without case and without the sign in front."""
    return sound(name).strip().lstrip("@#").casefold()
