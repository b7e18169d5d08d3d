"""Keep the signs of vectors side by side in blocks, so that a large scope is scanned in few reads."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from bot.domain.rooms import Scope
from storage.sqlite.database import Connection
from storage.sqlite.filtering import in_scopes

BLOCK = 256
"""Chunks with neighbouring ids in one row, a scope: few enough to be packed again with every save (.3 ms)."""
TOGETHER = 32
"""Blocks compared together: 400 KB of signs."""
KEPT = 200
"""Groups kept in memory, the latest used: 1,600,000 chunks in 100 MB at most; more are read with every search."""

# Rows and not Python: a block is always made from the vectors that are there, whatever was done to them.
_PACK = f"""
INSERT INTO signs (stamp, scope_id, block, places, memory_rows, bits)
SELECT random(), scope_id, ?1, unhex(group_concat(printf('%02X', chunk_id % {BLOCK}), '' ORDER BY chunk_id)),
       unhex(group_concat(printf('%08X', memory_row), '' ORDER BY chunk_id)),
       unhex(group_concat(hex(bits), '' ORDER BY chunk_id))
FROM vectors WHERE chunk_id >= ?1 * {BLOCK} AND chunk_id < (?1 + 1) * {BLOCK} GROUP BY scope_id
"""

_Place = tuple[int, int]
"""A scope's number, and which of its groups."""
_Stamps = tuple[tuple[int, int, int], ...]
_NO_IDS, _NO_ROWS, _NO_DISTANCES = (np.empty(0, dtype=kind) for kind in (np.int64, np.uint32, np.uint16))


class Signs:
    """The blocks, each group of them kept in memory for as long as none of its stamps changes.

    Which stamps there are is read with every scan, in its own snapshot: nothing here can outlive what is in the file,
    whichever process changed it.
    """

    def __init__(self) -> None:
        self._kept: dict[_Place, tuple[_Stamps, Group]] = {}
        self._lock = threading.Lock()

    def scan(self, connection: Connection, scopes: Sequence[Scope], asked: bytes) -> "Scanned":
        """Return every chunk of these scopes that has a vector, compared with the signs of another."""
        scoped, numbers = in_scopes(connection, scopes, "scope_id")
        rows = connection.execute(
            f"SELECT scope_id, block, stamp FROM signs INDEXED BY signs_by_stamp WHERE {scoped} "
            "ORDER BY scope_id, block",
            numbers,
        )
        places = groupby(rows, key=lambda row: (row[0], row[1] // TOGETHER))
        groups = [self._group(connection, place, tuple(stamps)) for place, stamps in places]
        return Scanned(
            chunk_ids=np.concatenate([_NO_IDS, *(group.chunk_ids for group in groups)]),
            memory_rows=np.concatenate([_NO_ROWS, *(group.memory_rows for group in groups)]),
            distances=np.concatenate([_NO_DISTANCES, *(group.distances(asked) for group in groups)]),
        )

    def _group(self, connection: Connection, place: _Place, stamps: _Stamps) -> "Group":
        with self._lock:
            known, group = self._kept.get(place, ((), None))
        if group is None or known != stamps:
            group = _read(connection, place)
        with self._lock:
            self._kept.pop(place, None)
            self._kept[place] = (stamps, group)
            if len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
        return group


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """The chunks of neighbouring blocks, and their signs, a row for every eight bytes (or one) of them."""

    chunk_ids: NDArray[np.int64]
    memory_rows: NDArray[np.uint32]
    signs: NDArray[np.uint64] | NDArray[np.uint8]

    def distances(self, asked: bytes) -> NDArray[np.uint16]:
        """Return in how many signs each chunk differs."""
        total = np.zeros(len(self.chunk_ids), dtype=np.uint16)
        for row, word in zip(self.signs, np.frombuffer(asked, dtype=self.signs.dtype), strict=True):
            total += np.bitwise_count(row ^ word)
        return total


def _read(connection: Connection, place: _Place) -> Group:
    scope_id, group = place
    rows = connection.execute(
        "SELECT block, places, memory_rows, bits FROM signs WHERE scope_id = ? AND block >= ? AND block < ? "
        "ORDER BY block",
        (scope_id, group * TOGETHER, (group + 1) * TOGETHER),
    ).fetchall()
    first = np.array([block * BLOCK for block, *_ in rows], dtype=np.int64)
    counts = np.array([len(places) for _, places, *_ in rows], dtype=np.int64)
    places, memory_rows, bits = (b"".join(row[at] for row in rows) for at in (1, 2, 3))
    unit = np.uint64 if len(bits) // len(places) % 8 == 0 else np.uint8
    signs = np.frombuffer(bits, dtype=unit).reshape(len(places), -1).T
    return Group(
        chunk_ids=np.repeat(first, counts) + np.frombuffer(places, dtype=np.uint8),
        memory_rows=np.frombuffer(memory_rows, dtype=">u4").astype(np.uint32),
        signs=np.ascontiguousarray(signs),
    )


def pack(connection: Connection, chunk_ids: Iterable[int]) -> None:
    """Make the blocks of these chunks again: whoever writes or removes vectors calls this in the same transaction."""
    for block in sorted({chunk_id // BLOCK for chunk_id in chunk_ids}):
        connection.execute("DELETE FROM signs WHERE block = ?", (block,))
        connection.execute(_PACK, (block,))
