"""Count what is kept, and compare what must be equal: chunks, their words, their vectors, the vectors' signs."""

from pathlib import Path

from storage.sqlite import facts, vectors
from storage.sqlite.database import DRIVER, SQLITE_VERSION, Connection

_TABLES = ("chunks", "chunk_words", "vectors")


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
    equal = "equal" if chunks == word_rows == vector_rows == packed else "not equal"
    model = facts.get(connection, vectors.MODEL) or "none yet"
    return {
        "driver": DRIVER,
        "sqlite": SQLITE_VERSION,
        "embedding model": f"{model} ({facts.get(connection, vectors.DIMENSIONS) or '?'} dimensions)",
        "embedded": f"{vector_rows} of {chunks} chunks",
        "rows": f"{chunks} chunks, {word_rows} in the word index, {vector_rows} vectors, {packed} signs: {equal}",
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
