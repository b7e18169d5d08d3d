"""Memories as records of an export, with their text, shares, aliases, tags and chunks."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.domain.rooms import Scope
from storage.sqlite import editing, index, keeping
from storage.sqlite.database import Connection
from storage.sqlite.exchange_values import PAGE, as_json, insert
from storage.sqlite.rows import row_of, scope_id

_MEMORY = (
    "memory_id kind state url host key title title_by_person note pocket pinned shared_at reason detail author site "
    "language published description media_type etag last_modified hidden_text content_hash version attempts next_try "
    "path read_at"
).split()
_SHARE = "source key shared_at note person person_key person_fold room room_key room_fold origin permalink".split()
_CHUNK = "chunk_id number heading text".split()
_TEXT = "text previous".split()


def memories_after(connection: Connection, row: int) -> Sequence[Mapping[str, Any]]:
    """Return the next memories; what is being read just now is one that waits."""
    names = ("row", "scope_kind", "scope_key", *_MEMORY)
    rows = connection.execute(
        f"SELECT m.memory_row, s.kind, s.key, {', '.join('m.' + name for name in _MEMORY)} "
        "FROM memories m JOIN scopes s USING (scope_id) WHERE memory_row > ? ORDER BY memory_row LIMIT ?",
        (row, PAGE),
    ).fetchall()
    records = [as_json(names, one) for one in rows]
    for record in records:
        record["state"] = "queued" if record["state"] == "fetching" else record["state"]
    return [{"record": "memory", **record, **_belongings(connection, record["row"])} for record in records]


def restore(connection: Connection, record: Mapping[str, Any]) -> bool:
    """Write a memory; where its page is a memory of that scope already, that one receives what people gave."""
    if row_of(connection, record["memory_id"]) is not None:
        return False
    scope = scope_id(connection, Scope(kind=record["scope_kind"], key=record["scope_key"]))
    insert(connection, "memories", _MEMORY, record, scope_id=scope)
    memory_row = connection.last_insert_rowid()
    shares = [insert(connection, "shares", _SHARE, share, memory_row=memory_row) for share in record["shares"]]
    if not any(shares):
        connection.execute("DELETE FROM memories WHERE memory_row = ?", (memory_row,))
        return False
    for text in record["texts"]:
        insert(connection, "texts", _TEXT, text, memory_row=memory_row)
    keeping.add_tags(connection, memory_row, record["tags"])
    for chunk in record["chunks"]:
        _insert_chunk(connection, memory_row, scope, chunk)
    index.write_words(connection, memory_row)
    other = keeping.add_aliases(connection, record["memory_id"], record["aliases"])
    if other is not None:
        editing.merge(connection, record["memory_id"], other)
    return True


def _insert_chunk(connection: Connection, memory_row: int, scope: int, chunk: Mapping[str, Any]) -> None:
    taken = connection.execute("SELECT 1 FROM chunks WHERE chunk_id = ?", (chunk["chunk_id"],)).fetchone()
    own = dict(chunk) | ({"chunk_id": None} if taken else {})
    insert(connection, "chunks", _CHUNK, own, memory_row=memory_row, scope_id=scope)


def _belongings(connection: Connection, memory_row: int) -> dict[str, Any]:
    def rows(names: Sequence[str], table: str, order: str) -> list[Any]:
        found = connection.execute(
            f"SELECT {', '.join(names)} FROM {table} WHERE memory_row = ? ORDER BY {order}",
            (memory_row,),
        )
        return [as_json(names, row) for row in found]

    return {
        "texts": rows(_TEXT, "texts", "memory_row"),
        "shares": rows(_SHARE, "shares", "share_id"),
        "aliases": [row["key"] for row in rows(["key"], "aliases", "key")],
        "tags": [row["tag"] for row in rows(["tag"], "tags", "tag")],
        "chunks": rows(_CHUNK, "chunks", "number"),
    }
