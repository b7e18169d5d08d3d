"""Count what is kept, and compare what must be equal: chunks, their words, their vectors, the vectors' signs."""

from pathlib import Path

from storage.sqlite import facts, vectors
from storage.sqlite.database import DRIVER, SQLITE_VERSION, Connection

_TABLES = ("chunks", "chunk_words", "vectors")
# A long text's words are there before its vectors are made.
_BEING_READ = """
SELECT count(*) FROM memories m JOIN chunks c USING (memory_row) WHERE m.state IN ('queued', 'fetching')
AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.chunk_id = c.chunk_id)
"""


def counts(connection: Connection) -> dict[str, int]:
    """Return memories by state (`state_ready` …) and kind (`kind_link` …), and rows of the tables that go together."""
    found = {"memories": _count(connection, "memories")}
    for column in ("state", "kind"):
        rows = connection.execute(f"SELECT {column}, count(*) FROM memories GROUP BY 1 ORDER BY 1")
        found.update({f"{column}_{value}": number for value, number in rows})
    return found | {table: _count(connection, table) for table in (*_TABLES, "shares", "turns", "traces", "votes")}


def description(connection: Connection) -> dict[str, str]:
    """Return what `doctor` says of the file's inside."""
    chunks, word_rows, vector_rows = (_count(connection, table) for table in _TABLES)
    packed = int(connection.execute("SELECT coalesce(sum(length(places)), 0) FROM signs").fetchone()[0])
    unread = int(connection.execute(_BEING_READ).fetchone()[0])
    equal = "equal" if chunks == word_rows and chunks - unread == vector_rows == packed else "not equal"
    waiting = f", {unread} chunks being read" if unread else ""
    rows = f"{chunks} chunks, {word_rows} in the word index, {vector_rows} vectors, {packed} signs{waiting}"
    model = facts.get(connection, vectors.MODEL) or "none yet"
    return {
        "driver": DRIVER,
        "sqlite": SQLITE_VERSION,
        "embedding model": f"{model} ({facts.get(connection, vectors.DIMENSIONS) or '?'} dimensions)",
        "embedded": f"{vector_rows} of {chunks} chunks",
        "rows": f"{rows}: {equal}",
        "migrations": ", ".join(row[0] for row in connection.execute("SELECT name FROM migrations ORDER BY number")),
        "integrity": str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0]),
    }


def bytes_of(path: Path) -> int:
    """Return the size of the file and its write-ahead log."""
    return sum(file.stat().st_size for file in (path, path.with_name(path.name + "-wal")) if file.exists())


def _count(connection: Connection, table: str) -> int:
    """Count rows; a contentless index is counted by its own table of documents, not by its content."""
    counted = f"{table}_docsize" if table.endswith("_words") else table
    return int(connection.execute(f"SELECT count(*) FROM {counted}").fetchone()[0])
