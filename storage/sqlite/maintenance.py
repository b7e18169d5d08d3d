"""Give the space of what was forgotten back, and leave none of its words in the file."""

from datetime import datetime, timedelta

from storage.sqlite import facts
from storage.sqlite.database import Connection, Database
from storage.sqlite.forgetting import FORGOTTEN
from storage.sqlite.rows import microseconds
from storage.sqlite.statistics import bytes_of

MAINTAINED = "maintained_at"
PAUSE = timedelta(days=1)
"""Words of what was forgotten may stand in free pages of the file for so long, not longer."""
LOOSE_SHARE = 0.25
"""A file with more free pages than this is rebuilt without waiting."""
SMALL_PAGES = 256

_INDEXES = ("chunk_words", "memory_words", "turn_words")


async def maintain(database: Database, now: datetime) -> dict[str, int]:
    """Merge the word indexes, rebuild the file, empty its log; each step is whole or not done at all.

    FTS5 keeps deleted words in its segments until they are merged, SQLite deleted rows in pages until VACUUM.
    """
    before = bytes_of(database.path)
    for name in _INDEXES:
        await database.write(lambda db, table=name: _merge(db, table))  # type: ignore[misc]
    await database.alone(lambda db: db.execute("VACUUM"))
    emptied = await database.alone(_empty_log)
    if emptied:
        await database.write(lambda db: _record(db, now))
    await database.alone(_empty_log)
    return {"bytes_before": before, "bytes_after": bytes_of(database.path), "complete": int(emptied)}


def due(connection: Connection, now: datetime) -> bool:
    """Whether something was forgotten long enough ago, or so much that the file is loose."""
    pages = int(connection.execute("PRAGMA page_count").fetchone()[0])
    free = int(connection.execute("PRAGMA freelist_count").fetchone()[0])
    if pages > SMALL_PAGES and free > LOOSE_SHARE * pages:
        return True
    if facts.get(connection, FORGOTTEN) is None:
        return False
    last = int(facts.get(connection, MAINTAINED) or 0)
    return microseconds(now) - last >= PAUSE // timedelta(microseconds=1)


def _merge(connection: Connection, table: str) -> None:
    connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")


def _empty_log(connection: Connection) -> bool:
    """Empty the write-ahead log; False while another program's reader holds it."""
    busy: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return busy == 0


def _record(connection: Connection, now: datetime) -> None:
    facts.remove(connection, FORGOTTEN)
    facts.put(connection, MAINTAINED, str(microseconds(now)))
