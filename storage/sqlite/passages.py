"""Fetch chunks with what is needed to judge, quote and cite them."""

from collections.abc import Sequence
from typing import Any

from bot.domain.memories import Passage
from bot.domain.rooms import Scope
from storage.sqlite.database import Connection
from storage.sqlite.filtering import in_scopes
from storage.sqlite.rows import PERSON, ROOM, moment

_FROM_MEMORY = """
m.memory_id, m.title, m.url, m.note, f.person, f.room, f.shared_at, m.site, m.kind, f.permalink, m.description
FROM memories m
JOIN shares f ON f.share_id = (
    SELECT share_id FROM shares a WHERE a.memory_row = m.memory_row ORDER BY a.shared_at, a.share_id LIMIT 1
)
"""


def passages(connection: Connection, chunk_ids: Sequence[int], scopes: Sequence[Scope]) -> tuple[Passage, ...]:
    """Return the readable ones of these chunks, in the given order; `-row` stands for a memory not yet read."""
    scoped, numbers = in_scopes(connection, scopes, "m.scope_id")
    found = []
    for chunk_id in dict.fromkeys(map(int, chunk_ids)):
        row = (_of_chunk if chunk_id > 0 else _of_memory)(connection, chunk_id, scoped, numbers)
        if row is not None:
            found.append(_passage(chunk_id, row))
    return tuple(found)


def _of_chunk(connection: Connection, chunk_id: int, scoped: str, numbers: Sequence[int]) -> Any:
    return connection.execute(
        f"SELECT c.number, c.text, c.heading, {_FROM_MEMORY} JOIN chunks c ON c.memory_row = m.memory_row "
        f"WHERE c.chunk_id = ? AND {scoped}",
        (chunk_id, *numbers),
    ).fetchone()


def _of_memory(connection: Connection, chunk_id: int, scoped: str, numbers: Sequence[int]) -> Any:
    return connection.execute(
        "SELECT 0, coalesce((SELECT text FROM texts x WHERE x.memory_row = m.memory_row), ''), '', "
        f"{_FROM_MEMORY} WHERE m.memory_row = ? AND {scoped}",
        (-chunk_id, *numbers),
    ).fetchone()


def _passage(chunk_id: int, row: Sequence[Any]) -> Passage:
    number, text, heading, memory_id, title, url, note, person, room, shared_at, site, kind, permalink, described = row
    return Passage(
        chunk_id=chunk_id,
        memory_id=memory_id,
        number=number,
        text=text or described or note or title or url,
        title=title,
        url=url,
        heading=heading,
        note=note,
        person_name=PERSON.validate_json(person).name,
        room_name=ROOM.validate_json(room).name,
        shared_at=moment(shared_at),
        site=site,
        kind=kind,
        permalink=permalink,
    )
