"""Check, pack and record vectors: one model's at a time, whole, finite, of one length."""

from collections.abc import Sequence
from typing import cast

import numpy as np

from bot.ports import Vectors
from storage.sqlite import facts, signs
from storage.sqlite.database import Connection

MODEL = "embedding_model"
DIMENSIONS = "embedding_dimensions"

FOREIGN = "restored_embedding_model"
"""The model of the export being restored."""

LONGEST_LINE = 100
"""Characters of a title, heading, note or list of tags in front of a chunk, which leaves room for its own text."""


def checked(connection: Connection, vectors: Vectors, *, count: int) -> Vectors:
    """Return `vectors` as (count, dimensions) float32, or raise ValueError before any SQL sees them.

    SQLite would take anything: float64 bytes pass as twice as many float32, and NaN is stored without a word.
    """
    if not isinstance(vectors, np.ndarray) or vectors.dtype != np.float32:
        raise ValueError(f"vectors must be a float32 array, not {getattr(vectors, 'dtype', type(vectors).__name__)}")
    if vectors.ndim != 2 or vectors.shape[0] != count:  # noqa: PLR2004 - rows and columns
        raise ValueError(f"{count} vectors were expected, the array has the shape {vectors.shape}")
    if not np.isfinite(vectors).all():
        raise ValueError("a vector holds a value that is no number")
    _same_length(connection, vectors.shape[1])
    return cast("Vectors", np.ascontiguousarray(vectors))


def one(connection: Connection, vector: Vectors) -> Vectors:
    """Return one vector of shape (dimensions,), checked like the rest."""
    shaped = vector.reshape(1, -1) if isinstance(vector, np.ndarray) else vector
    return cast("Vectors", checked(connection, shaped, count=1)[0])


def bits(vectors: Vectors) -> tuple[bytes, ...]:
    """Return each vector's signs, one bit a dimension: what a large scope is scanned by."""
    packed = np.packbits(vectors > 0, axis=-1, bitorder="little")
    return tuple(row.tobytes() for row in np.atleast_2d(packed))


def unpacked(blob: bytes) -> Vectors:
    """Return the vector of a stored blob."""
    return np.frombuffer(blob, dtype=np.float32)


def dimensions(connection: Connection) -> int:
    """Return the recorded length of a vector; 0 before the first."""
    return int(facts.get(connection, DIMENSIONS) or 0)


def restorable(connection: Connection) -> bool:
    """Whether the export being restored was made with the model recorded here, so that its vectors can stay."""
    own = f"{facts.get(connection, MODEL)} {dimensions(connection)}"
    return facts.get(connection, FOREIGN) == own


def write(connection: Connection, chunk_ids: Sequence[int], vectors: Vectors) -> None:
    """Write the vectors of chunks that exist, in place of former ones."""
    sound = checked(connection, vectors, count=len(chunk_ids))
    if not dimensions(connection):
        facts.put(connection, DIMENSIONS, str(sound.shape[1]))
    connection.executemany(
        "INSERT OR REPLACE INTO vectors (chunk_id, memory_row, scope_id, bits, vector) "
        "SELECT chunk_id, memory_row, scope_id, ?, ? FROM chunks WHERE chunk_id = ?",
        (
            (sign, row.tobytes(), int(chunk_id))
            for sign, row, chunk_id in zip(bits(sound), sound, chunk_ids, strict=True)
        ),
    )
    signs.pack(connection, map(int, chunk_ids))


def prepare(connection: Connection, model_name: str, dimensions: int) -> bool:
    """Record the model; where it is another one, drop every vector of the former. True when some must be made."""
    recorded = (facts.get(connection, MODEL), facts.get(connection, DIMENSIONS))
    if recorded != (model_name, str(dimensions)):
        if recorded != (None, str(dimensions)):
            connection.execute("DELETE FROM vectors; DELETE FROM signs")
            connection.execute("UPDATE turns SET vector = NULL; UPDATE votes SET vector = NULL")
        facts.put(connection, MODEL, model_name)
        facts.put(connection, DIMENSIONS, str(dimensions))
    return _some_missing(connection)


def _some_missing(connection: Connection) -> bool:
    """Whether a chunk has no vector: no vector is without a chunk, so their numbers tell, 20 times faster."""
    row = connection.execute("SELECT (SELECT count(*) FROM chunks) > (SELECT count(*) FROM vectors)").fetchone()
    return bool(row[0])


def stale(connection: Connection, limit: int) -> tuple[tuple[int, str], ...]:
    """Return chunks without a vector, with the text to embed."""
    if not _some_missing(connection):
        return ()
    rows = connection.execute(
        "SELECT c.chunk_id, c.text, m.title, c.heading, m.note, "
        "coalesce((SELECT group_concat(tag, ', ') FROM tags t WHERE t.memory_row = m.memory_row), '') "
        "FROM chunks c JOIN memories m USING (memory_row) "
        "WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.chunk_id = c.chunk_id) ORDER BY c.chunk_id LIMIT ?",
        (limit,),
    ).fetchall()
    return tuple((row[0], _to_embed(*row[1:])) for row in rows)


def _to_embed(text: str, title: str, heading: str, note: str, tags: str) -> str:
    """Return what the embedding model reads of a chunk: the lines that ingest puts in front of it, then its text."""
    lines = (title, "" if heading == title else heading, note, tags)
    return "\n".join([*(" ".join(line.split())[:LONGEST_LINE] for line in lines if line), text])


def _same_length(connection: Connection, length: int) -> None:
    recorded = dimensions(connection)
    if recorded not in (0, length):
        raise ValueError(f"vectors of {recorded} values were expected, these have {length}")
