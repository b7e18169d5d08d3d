"""The durable inbox: an event is written under all its keys before anybody acknowledges it, and worked from here."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.ports import InboxEvent
from storage.sqlite.database import Connection, Database
from storage.sqlite.rows import marks, microseconds, moment
from storage.sqlite.words import sound


class SqliteInbox:
    """Platform events in one SQLite file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, event: InboxEvent) -> InboxEvent | None:
        return await self._database.write(lambda db: _put(db, event))

    async def unfinished(self, source: str) -> tuple[InboxEvent, ...]:
        return await self._database.read(lambda db: _unfinished(db, source))

    async def start(self, event_id: int) -> None:
        await self._change("UPDATE events SET state = 'working', attempts = attempts + 1 WHERE event_id = ?", event_id)

    async def set_reply(self, event_id: int, reply_ref: str) -> None:
        await self._change("UPDATE events SET reply_ref = ? WHERE event_id = ?", reply_ref, event_id)

    async def finish(self, event_id: int, *, error: str = "") -> None:
        """Mark as done; what was written in it is kept no longer than the work needed it."""
        state = "broken" if error else "done"
        await self._change(
            "UPDATE events SET state = ?, error = ?, body = '' WHERE event_id = ?", state, sound(error), event_id
        )

    async def waiting(self, source: str) -> int:
        return await self._database.read(
            lambda db: int(
                db.execute(
                    "SELECT count(*) FROM events WHERE source = ? AND state IN ('waiting', 'working')", (source,)
                ).fetchone()[0]
            )
        )

    async def value(self, source: str, name: str) -> str | None:
        row = await self._database.read(
            lambda db: db.execute(
                "SELECT value FROM adapter_values WHERE source = ? AND name = ?", (source, name)
            ).fetchone()
        )
        return row[0] if row else None

    async def set_value(self, source: str, name: str, value: str) -> None:
        await self._change(
            "INSERT INTO adapter_values VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            source,
            name,
            value,
        )

    async def prune(self, *, before: datetime) -> int:
        return await self._change(
            "DELETE FROM events WHERE state IN ('done', 'broken') AND received_at < ?", microseconds(before)
        )

    async def _change(self, sql: str, *values: str | int) -> int:
        def work(connection: Connection) -> int:
            connection.execute(sql, values)
            return connection.changes()

        return await self._database.write(work)


def _put(connection: Connection, event: InboxEvent) -> InboxEvent | None:
    known = connection.execute(
        f"SELECT EXISTS (SELECT 1 FROM event_keys WHERE source = ? AND key IN ({marks(event.keys)}))",
        (event.source, *event.keys),
    ).fetchone()[0]
    if known:
        return None
    connection.execute(
        "INSERT INTO events (source, body, order_key, received_at) VALUES (?, ?, ?, ?)",
        (event.source, sound(event.body), event.order_key, microseconds(event.received_at)),
    )
    event_id = connection.last_insert_rowid()
    connection.executemany(
        "INSERT INTO event_keys VALUES (?, ?, ?)", ((event.source, key, event_id) for key in dict.fromkeys(event.keys))
    )
    return _event(connection.execute(f"{_EVENT} WHERE event_id = ?", (event_id,)).fetchone(), event.keys)


_EVENT = "SELECT event_id, source, body, order_key, received_at, attempts, reply_ref, state, error FROM events"


def _unfinished(connection: Connection, source: str) -> tuple[InboxEvent, ...]:
    rows = connection.execute(
        f"{_EVENT} WHERE source = ? AND state IN ('waiting', 'working') ORDER BY event_id", (source,)
    ).fetchall()
    return tuple(_event(row, _keys(connection, row[0])) for row in rows)


def _keys(connection: Connection, event_id: int) -> tuple[str, ...]:
    rows = connection.execute("SELECT key FROM event_keys WHERE event_id = ? ORDER BY key", (event_id,))
    return tuple(row[0] for row in rows)


def _event(row: Sequence[Any], keys: tuple[str, ...]) -> InboxEvent:
    event_id, source, body, order_key, received_at, attempts, reply_ref, state, error = row
    return InboxEvent(
        source=source, keys=keys, body=body, order_key=order_key, received_at=moment(received_at), event_id=event_id,
        attempts=attempts, reply_ref=reply_ref, state=state, error=error,
    )  # fmt: skip
