"""Take memories out of every table, index, vector, trace and conversation, and count the rows that went."""

from collections import Counter
from collections.abc import Iterable, Sequence

from bot.domain.memories import Forgotten
from storage.sqlite import facts, index
from storage.sqlite.database import Connection
from storage.sqlite.keeping import follow_shares
from storage.sqlite.rows import marks, row_of

FORGOTTEN = "forgotten_since_maintenance"
"""Set when something went, until the file is cleaned of its words."""


def forget(connection: Connection, memory_ids: Sequence[str]) -> Forgotten:
    """Remove these memories and everything that was made of them."""
    counts: Counter[str] = Counter()
    titles = []
    for memory_id in dict.fromkeys(memory_ids):
        memory_row = row_of(connection, memory_id)
        if memory_row is not None:
            titles.append(_title(connection, memory_row))
            counts.update(_forget_one(connection, memory_row, memory_id))
    if titles:
        mark(connection)
    return Forgotten(memories=len(titles), titles=tuple(titles), rows=tuple(sorted((+counts).items())))


def unshare(connection: Connection, source: str, *, key: str) -> Forgotten:
    """Take back what one message shared; a memory that somebody else shared too stays, without this note."""
    gone = forget(connection, orphans_of(connection, source, key=key))
    rows = connection.execute(
        "SELECT share_id, memory_row FROM shares WHERE source = ?1 AND (?2 = '' OR key = ?2 OR memory_row IN "
        "(SELECT memory_row FROM aliases WHERE key = ?2))",
        (source, key),
    ).fetchall()
    for share_id, memory_row in rows:
        connection.execute("DELETE FROM shares WHERE share_id = ?", (share_id,))
        follow_shares(connection, memory_row)
        index.write_words(connection, memory_row)
        mark(connection)
    more = tuple(sorted((Counter(dict(gone.rows)) + Counter(shares=len(rows))).items()))
    return Forgotten(memories=gone.memories, titles=gone.titles, rows=more)


def mark(connection: Connection) -> None:
    """Remember that the file holds words of something that went."""
    facts.put(connection, FORGOTTEN, "yes")


def copies_of(connection: Connection, memory_ids: Sequence[str]) -> tuple[str, ...]:
    """Return where the files of these memories lie."""
    rows = connection.execute(
        f"SELECT path FROM memories WHERE path <> '' AND memory_id IN ({marks(memory_ids)})", tuple(memory_ids)
    )
    return tuple(row[0] for row in rows)


def orphans_of(connection: Connection, source: str, *, key: str) -> tuple[str, ...]:
    """Return the memories that nobody shares any more once this is taken back."""
    rows = connection.execute(
        "SELECT m.memory_id FROM shares s JOIN memories m USING (memory_row) WHERE s.source = ?1 AND "
        "(?2 = '' OR s.key = ?2 OR m.memory_row IN (SELECT memory_row FROM aliases WHERE key = ?2)) AND "
        "(SELECT count(*) FROM shares a WHERE a.memory_row = m.memory_row) = 1 ORDER BY s.share_id",
        (source, key),
    )
    return tuple(row[0] for row in rows)


def _forget_one(connection: Connection, memory_row: int, memory_id: str) -> Counter[str]:
    counts = Counter(_forget_answers(connection, memory_id))
    votes = connection.execute("SELECT vote_id FROM vote_passages WHERE memory_row = ?", (memory_row,)).fetchall()
    counts.update(index.remove_chunks(connection, memory_row))
    for table, column in (
        ("vote_passages", "memory_row"),
        ("memory_words", "rowid"),
        ("texts", "memory_row"),
        ("tags", "memory_row"),
        ("aliases", "memory_row"),
        ("shares", "memory_row"),
        ("memories", "memory_row"),
    ):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (memory_row,))
        counts[table] += connection.changes()
    counts["votes"] += _forget_votes(connection, dict.fromkeys(vote_id for (vote_id,) in votes))
    return counts


def _forget_votes(connection: Connection, vote_ids: Iterable[int]) -> int:
    """Remove those of these votes that are on nothing any more; returns how many there were."""
    removed = 0
    for vote_id in vote_ids:
        connection.execute(
            "DELETE FROM votes WHERE vote_id = ?1 AND NOT EXISTS (SELECT 1 FROM vote_passages WHERE vote_id = ?1)",
            (vote_id,),
        )
        removed += connection.changes()
    return removed


def _forget_answers(connection: Connection, memory_id: str) -> dict[str, int]:
    """Remove the answers that were written from this memory: their traces, their turns, and the questions before."""
    turns = connection.execute("SELECT turn_id FROM turn_memories WHERE memory_id = ?", (memory_id,)).fetchall()
    connection.execute(
        "DELETE FROM traces WHERE trace_row IN (SELECT trace_row FROM trace_memories WHERE memory_id = ?)",
        (memory_id,),
    )
    return {"traces": connection.changes(), "turns": remove_turns(connection, (turn_id for (turn_id,) in turns))}


def remove_turns(connection: Connection, turn_ids: Iterable[int]) -> int:
    """Remove turns with their words; returns how many there were."""
    removed = 0
    for turn_id in dict.fromkeys(turn_ids):
        connection.execute("DELETE FROM turn_words WHERE rowid = ?", (turn_id,))
        connection.execute("DELETE FROM turns WHERE turn_id = ?", (turn_id,))
        removed += connection.changes()
    return removed


def _title(connection: Connection, memory_row: int) -> str:
    return str(connection.execute("SELECT title FROM memories WHERE memory_row = ?", (memory_row,)).fetchone()[0])
