"""Conversations, traces, votes and settings as records of an export."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.domain.rooms import Scope
from storage.sqlite import traces, transcripts, vectors
from storage.sqlite.database import Connection
from storage.sqlite.exchange_values import PAGE, as_json, insert
from storage.sqlite.rows import scope_id

_TURN = "turn_id room_key thread speaker name text at standalone vector".split()
_VOTE = "vote_id trace_id person_key value reason at question vector".split()

Records = Sequence[Mapping[str, Any]]


def turns_after(connection: Connection, row: int) -> Records:
    """Return the next turns."""
    records = _scoped(connection, "turns", "turn_id", _TURN, row)
    return [{"record": "turn", **record, "memory_ids": _told_of(connection, record["row"])} for record in records]


def traces_after(connection: Connection, row: int) -> Records:
    """Return the next traces."""
    rows = connection.execute(
        "SELECT trace_row, body FROM traces WHERE trace_row > ? ORDER BY trace_row LIMIT ?", (row, PAGE)
    ).fetchall()
    return [{"record": "trace", **as_json(("row", "body"), one)} for one in rows]


def votes_after(connection: Connection, row: int) -> Records:
    """Return the next votes, with the chunks that they are on."""
    records = _scoped(connection, "votes", "vote_id", _VOTE, row)
    return [{"record": "vote", **record, "passages": _passages(connection, record["row"])} for record in records]


def settings(connection: Connection) -> Records:
    """Return every setting of rooms and people."""
    rows = connection.execute("SELECT key, name, value FROM room_settings ORDER BY key, name")
    return [{"record": "setting", "key": key, "name": name, "value": value} for key, name, value in rows]


def restore_turn(connection: Connection, record: Mapping[str, Any]) -> bool:
    """Write a turn with its words."""
    own = _own_number(connection, "turns", "turn_id", record, same=("room_key", "text", "speaker"))
    if own is None:
        return False
    scope = scope_id(connection, Scope(kind=record["scope_kind"], key=record["scope_key"]))
    insert(connection, "turns", _TURN, own, scope_id=scope)
    transcripts.index_turn(connection, connection.last_insert_rowid(), record["text"], record["memory_ids"])
    return True


def restore_trace(connection: Connection, record: Mapping[str, Any]) -> bool:
    """Write a trace."""
    return traces.add(connection, traces.TRACE.validate_python(record["body"]))


def restore_vote(connection: Connection, record: Mapping[str, Any]) -> bool:
    """Write a vote on those of its chunks that are here."""
    own = _own_number(connection, "votes", "vote_id", record, same=("trace_id", "person_key"))
    if own is None:
        return False
    scope = scope_id(connection, Scope(kind=record["scope_kind"], key=record["scope_key"]))
    if not insert(connection, "votes", _VOTE, own, scope_id=scope):
        return False
    vote_id = connection.last_insert_rowid()
    connection.executemany(
        "INSERT INTO vote_passages SELECT ?, c.chunk_id, c.memory_row FROM chunks c JOIN memories m USING (memory_row) "
        "WHERE m.memory_id = ? AND c.number = ?",
        ((vote_id, passage["memory_id"], passage["number"]) for passage in record["passages"]),
    )
    return True


def restore_setting(connection: Connection, record: Mapping[str, Any]) -> bool:
    """Write a setting where none stands."""
    return insert(connection, "room_settings", ("key", "name", "value"), record)


def _scoped(connection: Connection, table: str, number: str, names: Sequence[str], row: int) -> list[dict[str, Any]]:
    columns = ", ".join("t." + name for name in names)
    rows = connection.execute(
        f"SELECT t.{number}, s.kind, s.key, {columns} FROM {table} t JOIN scopes s USING (scope_id) "
        f"WHERE t.{number} > ? ORDER BY t.{number} LIMIT ?",
        (row, PAGE),
    ).fetchall()
    return [as_json(("row", "scope_kind", "scope_key", *names), one) for one in rows]


def _own_number(
    connection: Connection, table: str, number: str, record: Mapping[str, Any], *, same: Sequence[str]
) -> dict[str, Any] | None:
    """Return the record with a number that is free, without vectors of another model; None where it is here."""
    row = connection.execute(
        f"SELECT {', '.join(same)} FROM {table} WHERE {number} = ?",
        (record[number],),
    ).fetchone()
    if row is not None and list(row) == [record[name] for name in same]:
        return None
    own = dict(record)
    if row is not None:
        own[number] = None
    if not vectors.restorable(connection):
        own["vector"] = None
    return own


def _told_of(connection: Connection, turn_id: int) -> list[str]:
    rows = connection.execute("SELECT memory_id FROM turn_memories WHERE turn_id = ? ORDER BY memory_id", (turn_id,))
    return [row[0] for row in rows]


def _passages(connection: Connection, vote_id: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        "SELECT m.memory_id, c.number FROM vote_passages p JOIN chunks c USING (chunk_id) "
        "JOIN memories m ON m.memory_row = c.memory_row WHERE vote_id = ? ORDER BY m.memory_id, c.number",
        (vote_id,),
    )
    return [as_json(("memory_id", "number"), row) for row in rows]
