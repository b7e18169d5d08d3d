"""Keep the word index in step with memories and chunks: whoever changes one calls this in the same transaction."""

from collections.abc import Sequence
from urllib.parse import unquote

from bot.domain.memories import Chunk
from bot.ports import Vectors
from storage.sqlite import signs
from storage.sqlite import vectors as stored
from storage.sqlite.database import Connection
from storage.sqlite.words import indexed


def write_chunks(connection: Connection, memory_row: int, chunks: Sequence[Chunk], vectors: Vectors | None) -> None:
    """Replace a memory's chunks, their words and vectors. A chunk whose text stays keeps its id, and its votes."""
    former: dict[str, int] = dict(
        connection.execute("SELECT text, chunk_id FROM chunks WHERE memory_row = ?", (memory_row,)).fetchall()
    )
    remove_chunks(connection, memory_row)
    ids = [
        _insert(connection, memory_row, chunk, chunk_id=former.pop(chunk.text, None))
        for chunk in sorted(chunks, key=lambda chunk: chunk.number)
    ]
    connection.execute(
        "DELETE FROM vote_passages WHERE memory_row = ?1 AND chunk_id NOT IN "
        "(SELECT chunk_id FROM chunks WHERE memory_row = ?1)",
        (memory_row,),
    )
    if vectors is not None and ids:
        stored.write(connection, ids, vectors)
    write_words(connection, memory_row)


def remove_chunks(connection: Connection, memory_row: int) -> dict[str, int]:
    """Remove a memory's chunks, words and vectors; returns the rows removed by table."""
    ids = [row[0] for row in connection.execute("SELECT chunk_id FROM chunks WHERE memory_row = ?", (memory_row,))]
    counts = {"chunk_words": 0, "vectors": 0, "chunks": 0}
    for chunk_id in ids:
        for table, column in (("chunk_words", "rowid"), ("vectors", "chunk_id"), ("chunks", "chunk_id")):
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (chunk_id,))
            counts[table] += connection.changes()
    signs.pack(connection, ids)
    return counts


def write_words(connection: Connection, memory_row: int) -> None:
    """Write the words of a memory: in front of each of its chunks, or on their own while it has none."""
    head, body = _own_words(connection, memory_row)
    rows = connection.execute(
        "SELECT chunk_id, heading, text FROM chunks WHERE memory_row = ?", (memory_row,)
    ).fetchall()
    connection.execute("DELETE FROM memory_words WHERE rowid = ?", (memory_row,))
    if not rows:
        connection.execute("INSERT INTO memory_words (rowid, head, body) VALUES (?, ?, ?)", (memory_row, head, body))
    connection.executemany("DELETE FROM chunk_words WHERE rowid = ?", ((chunk_id,) for chunk_id, _, _ in rows))
    connection.executemany(
        "INSERT INTO chunk_words (rowid, head, body) VALUES (?, ?, ?)",
        ((chunk_id, f"{head} {indexed(heading)}", indexed(text)) for chunk_id, heading, text in rows),
    )


def _insert(connection: Connection, memory_row: int, chunk: Chunk, *, chunk_id: int | None) -> int:
    connection.execute(
        "INSERT INTO chunks (chunk_id, memory_row, scope_id, number, heading, text) "
        "SELECT ?, memory_row, scope_id, ?, ?, ? FROM memories WHERE memory_row = ?",
        (chunk_id, chunk.number, chunk.heading, chunk.text, memory_row),
    )
    return connection.last_insert_rowid()


def _own_words(connection: Connection, memory_row: int) -> tuple[str, str]:
    title, author, site, note, url, description, tags, text = connection.execute(
        "SELECT title, author, site, note, url, description, "
        "(SELECT group_concat(tag, ' ') FROM tags t WHERE t.memory_row = m.memory_row), "
        "(SELECT text FROM texts x WHERE x.memory_row = m.memory_row) FROM memories m WHERE memory_row = ?",
        (memory_row,),
    ).fetchone()
    address = unquote(url.partition("://")[2] or url).replace("_", " ")
    head = " ".join(part for part in (title, author, site, note, tags, address) if part)
    return indexed(head), indexed(f"{description} {text or ''}")
