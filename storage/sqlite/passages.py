"""Fetch chunks with what is needed to judge, quote and cite them."""

import json
from collections.abc import Sequence
from typing import Any

from bot.domain.memories import Passage
from bot.domain.rooms import Scope
from storage.sqlite.database import Connection
from storage.sqlite.filtering import in_scopes
from storage.sqlite.rows import PERSON, ROOM, moment

_OF_MEMORY = (
    "m.memory_id, m.title, m.url, m.note, f.person, f.room, f.shared_at, m.site, m.kind, f.permalink, m.description"
)
_FIRST_SHARE = """
JOIN shares f ON f.share_id = (
    SELECT share_id FROM shares a WHERE a.memory_row = m.memory_row ORDER BY a.shared_at, a.share_id LIMIT 1
)
"""
_CHUNKS = f"""
SELECT c.chunk_id, c.number, c.text, c.heading, {_OF_MEMORY} FROM json_each(?) w
CROSS JOIN chunks c ON c.chunk_id = w.value JOIN memories m ON m.memory_row = c.memory_row {_FIRST_SHARE}
"""
_UNREAD = f"""
SELECT w.value, 0, coalesce((SELECT text FROM texts x WHERE x.memory_row = m.memory_row), ''), '', {_OF_MEMORY}
FROM json_each(?) w CROSS JOIN memories m ON m.memory_row = -w.value {_FIRST_SHARE}
"""


def passages(connection: Connection, chunk_ids: Sequence[int], scopes: Sequence[Scope]) -> tuple[Passage, ...]:
    """Return the readable ones of these chunks, in the given order; `-row` stands for a memory not yet read."""
    scoped, numbers = in_scopes(connection, scopes, "m.scope_id")
    wanted = list(dict.fromkeys(map(int, chunk_ids)))
    found: dict[int, Passage] = {}
    for sql, ids in ((_CHUNKS, [at for at in wanted if at > 0]), (_UNREAD, [at for at in wanted if at < 0])):
        if ids:
            rows = connection.execute(f"{sql} WHERE {scoped}", (json.dumps(ids), *numbers))
            found.update((row[0], _passage(row)) for row in rows)
    return tuple(found[chunk_id] for chunk_id in wanted if chunk_id in found)


def _passage(row: Sequence[Any]) -> Passage:
    (
        chunk_id, number, text, heading, memory_id, title, url, note, person, room, shared_at, site, kind, permalink,
        described,
    ) = row  # fmt: skip
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
