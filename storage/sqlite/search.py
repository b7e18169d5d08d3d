"""Find chunks by words and by meaning; scopes and filters stand inside every query, before any cut."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bot.domain.memories import Filters, Passage
from bot.domain.rooms import Scope
from bot.ports import Hit, Vectors
from storage.sqlite import by_meaning, by_words, passages, vectors
from storage.sqlite.database import Connection, Database
from storage.sqlite.signs import Signs


class SqliteSearch:
    """Search in one SQLite file."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._frequencies = by_words.Frequencies()
        self._signs = Signs()

    async def by_meaning(
        self, vector: Vectors, scopes: Sequence[Scope], filters: Filters, *, limit: int
    ) -> tuple[Hit, ...]:
        return await self._database.read(
            lambda db: by_meaning.nearest(db, self._signs, vector, scopes, filters, limit=limit)
        )

    async def by_words(self, text: str, scopes: Sequence[Scope], filters: Filters, *, limit: int) -> tuple[Hit, ...]:
        return await self._database.read(
            lambda db: by_words.matching(by_words.WordSearch(db, self._frequencies, scopes, filters), text, limit=limit)
        )

    async def passages(self, chunk_ids: Sequence[int], scopes: Sequence[Scope]) -> tuple[Passage, ...]:
        return await self._database.read(lambda db: passages.passages(db, chunk_ids, scopes))

    async def vectors(self, chunk_ids: Sequence[int]) -> Vectors:
        return await self._database.read(lambda db: _vectors(db, chunk_ids))

    async def document_frequency(self, terms: Sequence[str], scopes: Sequence[Scope]) -> Mapping[str, int]:  # noqa: ARG002 - a statistic of the whole index
        return await self._database.read(lambda db: self._frequencies.of(db, terms))

    async def chunk_total(self) -> int:
        return await self._database.read(
            lambda db: int(db.execute("SELECT count(*) FROM chunk_words_docsize").fetchone()[0])
        )


def _vectors(connection: Connection, chunk_ids: Sequence[int]) -> Vectors:
    dimensions = vectors.dimensions(connection)
    found = np.zeros((len(chunk_ids), dimensions), dtype=np.float32)
    for at, chunk_id in enumerate(chunk_ids):
        row: Any = connection.execute("SELECT vector FROM vectors WHERE chunk_id = ?", (int(chunk_id),)).fetchone()
        if row is not None:
            found[at] = vectors.unpacked(row[0])
    return found
