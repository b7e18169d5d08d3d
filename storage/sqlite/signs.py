"""Keep the signs of vectors side by side in blocks, so that a large scope is scanned in few reads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.domain.rooms import Scope
from storage.sqlite.database import Connection
from storage.sqlite.filtering import in_scopes

BLOCK = 256
"""Chunks with neighbouring ids in one row, a scope: few enough to be packed again with every save (.3 ms)."""
READ_AT_ONCE = 32
"""Blocks compared together: 400 KB of signs, which stay in the processor's cache; memory does not grow with a scope."""

# Rows and not Python: a block is always made from the vectors that are there, whatever was done to them.
_PACK = f"""
INSERT INTO signs (scope_id, block, places, memory_rows, bits)
SELECT scope_id, ?1, unhex(group_concat(printf('%02X', chunk_id % {BLOCK}), '' ORDER BY chunk_id)),
       unhex(group_concat(printf('%08X', memory_row), '' ORDER BY chunk_id)),
       unhex(group_concat(hex(bits), '' ORDER BY chunk_id))
FROM vectors WHERE chunk_id >= ?1 * {BLOCK} AND chunk_id < (?1 + 1) * {BLOCK} GROUP BY scope_id
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scanned:
    """Chunks, whose they are, and in how many signs each differs from what was asked."""

    chunk_ids: NDArray[np.int64]
    memory_rows: NDArray[np.uint32]
    distances: NDArray[np.uint16]

    def of(self, memory_rows: NDArray[np.int64]) -> "Scanned":
        """Return only the chunks of these memories."""
        highest = max(self.memory_rows.max(initial=0), memory_rows.max(initial=0))
        wanted = np.zeros(int(highest) + 1, dtype=np.bool_)
        wanted[memory_rows] = True
        kept = wanted[self.memory_rows]
        return Scanned(
            chunk_ids=self.chunk_ids[kept], memory_rows=self.memory_rows[kept], distances=self.distances[kept]
        )

    def nearest(self, count: int) -> NDArray[np.int64]:
        """Return the chunks that differ least; of those that differ alike at the end, the oldest."""
        so_many = np.cumsum(np.bincount(self.distances))
        last = np.searchsorted(so_many, count)
        before = np.flatnonzero(self.distances < last)
        alike = np.flatnonzero(self.distances == last)[: count - len(before)]
        return self.chunk_ids[np.concatenate((before, alike))]


def pack(connection: Connection, chunk_ids: Iterable[int]) -> None:
    """Make the blocks of these chunks again: whoever writes or removes vectors calls this in the same transaction."""
    for block in sorted({chunk_id // BLOCK for chunk_id in chunk_ids}):
        connection.execute("DELETE FROM signs WHERE block = ?", (block,))
        connection.execute(_PACK, (block,))


def scan(connection: Connection, scopes: Sequence[Scope], asked: bytes) -> Scanned:
    """Return every chunk of these scopes that has a vector, compared with the signs of another."""
    scoped, numbers = in_scopes(connection, scopes, "scope_id")
    rows = iter(
        connection.execute(f"SELECT block, places, memory_rows, bits FROM signs WHERE {scoped} ORDER BY block", numbers)
    )
    parts = [_compared((), asked)]
    while some := list(islice(rows, READ_AT_ONCE)):
        parts.append(_compared(some, asked))
    return Scanned(
        chunk_ids=np.concatenate([part.chunk_ids for part in parts]),
        memory_rows=np.concatenate([part.memory_rows for part in parts]),
        distances=np.concatenate([part.distances for part in parts]),
    )


def _compared(rows: Sequence[Any], asked: bytes) -> Scanned:
    first = np.array([row[0] * BLOCK for row in rows], dtype=np.int64)
    counts = np.array([len(row[1]) for row in rows], dtype=np.int64)
    places = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.uint8)
    return Scanned(
        chunk_ids=np.repeat(first, counts) + places,
        memory_rows=np.frombuffer(b"".join(row[2] for row in rows), dtype=">u4").astype(np.uint32),
        distances=_differing(b"".join(row[3] for row in rows), asked),
    )


def _differing(bits: bytes, asked: bytes) -> NDArray[np.uint16]:
    """Return in how many bits each of these differs, eight bytes at a time where the length allows it."""
    unit = np.uint64 if len(asked) % 8 == 0 else np.uint8
    wanted = np.frombuffer(asked, dtype=unit)
    columns = np.frombuffer(bits, dtype=unit).reshape(-1, len(wanted)).T
    total = np.zeros(columns.shape[1], dtype=np.uint16)
    for column, word in zip(columns, wanted, strict=True):
        total += np.bitwise_count(column ^ word)
    return total
