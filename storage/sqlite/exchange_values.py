"""Columns as JSON values and back: moments as ISO 8601, JSON columns as objects, vectors as base64."""

import base64
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from storage.sqlite.database import Connection
from storage.sqlite.rows import marks, microseconds, moment

_MOMENTS = frozenset({"shared_at", "next_try", "read_at", "at", "asked_at"})
_OBJECTS = frozenset({"person", "room", "origin", "body"})
_BYTES = frozenset({"vector"})

PAGE = 50
"""Records read in one go while exporting."""


def as_json(names: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
    """Return a row as a record."""
    return {name: _out(name, value) for name, value in zip(names, row, strict=True)}


def insert(connection: Connection, table: str, names: Sequence[str], record: Mapping[str, Any], **more: Any) -> bool:
    """Write a record's named values, and `more`, as a row; False where its key is taken."""
    values = {name: _in(name, record[name]) for name in names} | more
    connection.execute(
        f"INSERT OR IGNORE INTO {table} ({', '.join(values)}) VALUES ({marks(list(values))})",
        tuple(values.values()),
    )
    return bool(connection.changes())


def _out(name: str, value: Any) -> Any:
    if name in _MOMENTS and value is not None:
        return moment(value).isoformat()
    if name in _OBJECTS:
        return json.loads(value) if value else None
    if name in _BYTES and value is not None:
        return base64.b64encode(value).decode("ascii")
    return value


def _in(name: str, value: Any) -> Any:
    if name in _MOMENTS and value is not None:
        return microseconds(datetime.fromisoformat(value))
    if name in _OBJECTS:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value is not None else ""
    if name in _BYTES and value is not None:
        return base64.b64decode(value, validate=True)
    return value
