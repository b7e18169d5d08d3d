"""Change memories: what people may edit, two that prove to be one page, a room that moved."""

from collections.abc import Sequence

from bot.domain.errors import BadInput
from bot.domain.memories import Memory
from bot.domain.rooms import Room, Scope, room_scope
from storage.sqlite import index, signs
from storage.sqlite.database import Connection
from storage.sqlite.keeping import add_tags, follow_shares
from storage.sqlite.rows import ROOM, memory_at, name_fold, row_of, scope_id
from storage.sqlite.words import sound


def edit(
    connection: Connection,
    memory_id: str,
    *,
    title: str | None,
    note: str | None,
    tags: Sequence[str] | None,
    pocket: str | None,
    pinned: bool | None,
) -> Memory | None:
    """Change what is given; a title given by a person outlives every re-reading."""
    memory_row = row_of(connection, memory_id)
    if memory_row is None:
        return None
    if title is not None:
        connection.execute(
            "UPDATE memories SET title = ?, title_by_person = 1 WHERE memory_row = ?", (sound(title), memory_row)
        )
    if note is not None:
        _write_note(connection, memory_row, sound(note))
    if tags is not None:
        connection.execute("DELETE FROM tags WHERE memory_row = ?", (memory_row,))
        add_tags(connection, memory_row, tags)
    connection.execute(
        "UPDATE memories SET pocket = coalesce(?, pocket), pinned = coalesce(?, pinned) WHERE memory_row = ?",
        (None if pocket is None else sound(pocket), pinned, memory_row),
    )
    index.write_words(connection, memory_row)
    return memory_at(connection, memory_row)


def retry(connection: Connection, memory_id: str) -> Memory | None:
    """Queue a memory to be read again now."""
    memory_row = row_of(connection, memory_id)
    if memory_row is None:
        return None
    connection.execute(
        "UPDATE memories SET state = 'queued', next_try = NULL, attempts = 0, claimed_by = '' WHERE memory_row = ?",
        (memory_row,),
    )
    return memory_at(connection, memory_row)


def merge(connection: Connection, memory_id: str, into: str) -> Memory:
    """Make two memories one: everything that people gave moves, what was read of the first goes."""
    source, target = row_of(connection, memory_id), row_of(connection, into)
    if source is None or target is None or source == target:
        raise BadInput("Two memories are needed to make one of them.")
    _merge_rows(connection, source, target)
    return memory_at(connection, target)


def move_room(connection: Connection, old: Room, new: Room) -> int:
    """Re-key everything of a room: its scope, shares, conversations, traces, settings; returns the rows changed."""
    changed = _move_scope(connection, room_scope(old), room_scope(new)) + _move_shares(connection, old, new)
    for table, column in (("turns", "room_key"), ("traces", "room_key")):
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (new.key, old.key))
        changed += connection.changes()
    connection.execute("UPDATE OR IGNORE room_settings SET key = ? WHERE key = ?", (new.key, old.key))
    return changed + connection.changes()


def _write_note(connection: Connection, memory_row: int, note: str) -> None:
    """Give the edited note to the first share; those of the others are part of it now."""
    connection.execute(
        "UPDATE shares SET note = CASE WHEN share_id = (SELECT share_id FROM shares WHERE memory_row = ?1 "
        "ORDER BY shared_at, share_id LIMIT 1) THEN ?2 ELSE '' END WHERE memory_row = ?1",
        (memory_row, note),
    )
    follow_shares(connection, memory_row)


def _merge_rows(connection: Connection, source: int, target: int) -> None:
    values = {"source": source, "target": target}
    for table in ("shares", "aliases", "tags"):
        connection.execute(
            f"UPDATE OR IGNORE {table} SET memory_row = :target WHERE memory_row = :source",
            values,
        )
    for table in ("trace_memories", "turn_memories"):
        connection.execute(
            f"UPDATE OR IGNORE {table} SET memory_id = (SELECT memory_id FROM memories WHERE memory_row = :target) "
            "WHERE memory_id = (SELECT memory_id FROM memories WHERE memory_row = :source)",
            values,
        )
    connection.execute(
        "UPDATE memories SET pinned = max(memories.pinned, s.pinned), "
        "pocket = CASE WHEN memories.pocket = '' THEN s.pocket ELSE memories.pocket END "
        "FROM (SELECT pinned, pocket FROM memories WHERE memory_row = :source) s WHERE memory_row = :target",
        values,
    )
    index.remove_chunks(connection, source)
    connection.execute("DELETE FROM memory_words WHERE rowid = ?", (source,))
    connection.execute("DELETE FROM memories WHERE memory_row = ?", (source,))
    follow_shares(connection, target)
    index.write_words(connection, target)


def _move_scope(connection: Connection, old: Scope, new: Scope) -> int:
    before, after = scope_id(connection, old), scope_id(connection, new)
    if before == after:
        return 0
    twice = connection.execute(
        "SELECT a.memory_row, b.memory_row FROM aliases a JOIN aliases b ON b.key = a.key AND b.scope_id = ? "
        "WHERE a.scope_id = ?",
        (after, before),
    ).fetchall()
    for source, target in dict(twice).items():
        _merge_moved(connection, source, target)
    moved = connection.execute("SELECT chunk_id FROM vectors WHERE scope_id = ?", (before,)).fetchall()
    changed = 0
    for table in ("memories", "aliases", "chunks", "vectors", "turns", "votes"):
        connection.execute(f"UPDATE {table} SET scope_id = ? WHERE scope_id = ?", (after, before))
        changed += connection.changes()
    signs.pack(connection, (chunk_id for (chunk_id,) in moved))
    return changed


def _merge_moved(connection: Connection, source: int, target: int) -> None:
    connection.execute(
        "DELETE FROM aliases WHERE memory_row = ?1 AND key IN (SELECT key FROM aliases WHERE memory_row = ?2)",
        (source, target),
    )
    _merge_rows(connection, source, target)


def _move_shares(connection: Connection, old: Room, new: Room) -> int:
    rows = connection.execute("SELECT share_id, room FROM shares WHERE room_key = ?", (old.key,)).fetchall()
    for share_id, room in rows:
        thread = ROOM.validate_json(room).thread
        moved = Room(
            platform=new.platform, space=new.space, channel=new.channel, kind=new.kind, thread=thread, name=new.name,
            external=new.external,
        )  # fmt: skip
        connection.execute(
            "UPDATE shares SET room = ?, room_key = ?, room_fold = ? WHERE share_id = ?",
            (ROOM.dump_json(moved).decode(), moved.key, name_fold(moved.name), share_id),
        )
    return len(rows)
