"""Read memories: one, by key, by message, in lists; count them; what they are called and tagged."""

from collections.abc import Sequence
from typing import Literal

from bot.domain.memories import Filters, Memory
from bot.domain.rooms import Scope
from storage.sqlite import words
from storage.sqlite.database import Connection
from storage.sqlite.filtering import Condition, in_scopes, memory_conditions
from storage.sqlite.rows import MEMORY_SQL, memory, memory_at

SHORTEST_ID = 4


def get(connection: Connection, memory_id: str, scopes: Sequence[Scope] | None) -> Memory | None:
    """Return one memory with its text by its id or a unique beginning of it."""
    sql, values = _readable(connection, scopes)
    rows = connection.execute(
        f"SELECT m.memory_row FROM memories m WHERE (m.memory_id = ? OR (length(?) >= ? AND "
        f"substr(m.memory_id, 1, ?) = ?)) AND {sql} ORDER BY m.memory_id = ? DESC LIMIT 2",
        (memory_id, memory_id, SHORTEST_ID, len(memory_id), memory_id, *values, memory_id),
    ).fetchall()
    if not rows:
        return None
    found = memory_at(connection, rows[0][0], text=True)
    return found if len(rows) == 1 or found.memory_id == memory_id else None


def find(connection: Connection, key: str, scopes: Sequence[Scope] | None) -> tuple[Memory, ...]:
    """Return the memories that have this key or alias."""
    sql, values = _readable(connection, scopes)
    rows = connection.execute(
        f"SELECT m.memory_row FROM aliases a JOIN memories m USING (memory_row) WHERE a.key = ? AND {sql} "
        "ORDER BY m.memory_row",
        (key, *values),
    ).fetchall()
    return tuple(memory_at(connection, row[0]) for row in rows)


def of_source(connection: Connection, source: str) -> tuple[Memory, ...]:
    """Return what one message shared, in the order it did."""
    rows = connection.execute("SELECT memory_row FROM shares WHERE source = ? ORDER BY share_id", (source,)).fetchall()
    return tuple(memory_at(connection, row[0]) for row in dict.fromkeys(rows))


def last_source(connection: Connection, person_key: str, room_key: str) -> str:
    """Return the source of a person's newest share in a room, or nothing."""
    row = connection.execute(
        "SELECT source FROM shares WHERE room_key = ? AND person_key = ? "
        "ORDER BY shared_at DESC, share_id DESC LIMIT 1",
        (room_key, person_key),
    ).fetchone()
    return row[0] if row else ""


def listed(
    connection: Connection,
    filters: Filters,
    scopes: Sequence[Scope] | None,
    *,
    limit: int,
    offset: int,
    matching: str,
) -> tuple[Memory, ...]:
    """Return a page of memories: pinned ones, then newest first."""
    sql, values = _wanted(connection, filters, scopes, matching)
    rows = connection.execute(
        f"{MEMORY_SQL} WHERE {sql} ORDER BY m.pinned DESC, m.shared_at DESC, m.memory_row DESC LIMIT ? OFFSET ?",
        (*values, limit, offset),
    )
    return tuple(memory(row) for row in rows)


def count(connection: Connection, filters: Filters, scopes: Sequence[Scope] | None, *, matching: str) -> int:
    """Return how many memories `listed` would page through."""
    sql, values = _wanted(connection, filters, scopes, matching)
    return int(connection.execute(f"SELECT count(*) FROM memories m WHERE {sql}", values).fetchone()[0])


def vocabulary(
    connection: Connection, scopes: Sequence[Scope], *, kind: Literal["tag", "pocket", "title"], starting: str
) -> tuple[str, ...]:
    """Return tags, pockets or titles, most used first, titles newest first among equals."""
    sql, values = _readable(connection, scopes)
    column, source = {
        "tag": ("t.tag", "memories m JOIN tags t USING (memory_row)"),
        "pocket": ("m.pocket", "memories m"),
        "title": ("m.title", "memories m"),
    }[kind]
    rows = connection.execute(
        f"SELECT {column} FROM {source} WHERE {column} <> '' AND {sql} "
        f"GROUP BY {column} ORDER BY count(*) DESC, max(m.shared_at) DESC, {column}",
        values,
    )
    beginning = starting.strip().lstrip("#").casefold()
    return tuple(word for (word,) in rows if word.casefold().startswith(beginning))


def names(connection: Connection, scopes: Sequence[Scope], *, kind: Literal["person", "room"]) -> tuple[str, ...]:
    """Return the names of people who shared, or of rooms where something was shared, most often first."""
    sql, values = _readable(connection, scopes)
    rows = connection.execute(
        f"SELECT max(json_extract(f.{kind}, '$.name')) AS name FROM shares f JOIN memories m USING (memory_row) "
        f"WHERE f.{kind}_fold <> '' AND {sql} GROUP BY f.{kind}_fold ORDER BY count(*) DESC, name",
        values,
    )
    return tuple(name for (name,) in rows)


def with_words(text: str) -> Condition | None:
    """Return the condition that a memory holds every one of these words somewhere, or None where there are none."""
    terms = words.terms(text)
    if not terms:
        return None
    one = (
        "m.memory_row IN (SELECT c.memory_row FROM chunk_words w JOIN chunks c ON c.chunk_id = w.rowid "
        "WHERE chunk_words MATCH ? UNION SELECT rowid FROM memory_words WHERE memory_words MATCH ?)"
    )
    return " AND ".join([one] * len(terms)), [words.quoted(term) for term in terms for _ in range(2)]


def _wanted(connection: Connection, filters: Filters, scopes: Sequence[Scope] | None, matching: str) -> Condition:
    sql, values = _readable(connection, scopes)
    filtered, more = memory_conditions(filters)
    sql, values = f"{sql} AND {filtered}", [*values, *more]
    if matching.strip():
        holding, terms = with_words(matching) or ("0", [])
        sql, values = f"{sql} AND {holding}", [*values, *terms]
    return sql, values


def _readable(connection: Connection, scopes: Sequence[Scope] | None) -> Condition:
    return ("1", []) if scopes is None else in_scopes(connection, scopes, "m.scope_id")
