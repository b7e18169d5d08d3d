"""The memories port on SQLite: each method is one transaction of a function that lives beside this file."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from bot.domain.memories import Chunk, Filters, Forgotten, Kept, Memory, Page, Reason, Shared, State
from bot.domain.rooms import Room, Scope
from bot.ports import Vectors
from storage.sqlite import copies, editing, exchange, forgetting, keeping, listing, queue, rows, statistics
from storage.sqlite.database import Database


class SqliteMemories:
    """Memories in one SQLite file."""

    def __init__(self, database: Database, *, new_id: Callable[[], str], owner: str, home: Path) -> None:
        self._database = database
        self._new_id = new_id
        self._owner = owner
        self._home = home

    async def keep(self, shared: Shared, *, state: State = "queued") -> Kept:
        memory_id = self._new_id()
        return await self._database.write(lambda db: keeping.keep(db, shared, state=state, memory_id=memory_id))

    async def claim(self, now: datetime, *, limit: int) -> tuple[Memory, ...]:
        return await self._database.write(lambda db: queue.claim(db, now, limit=limit, owner=self._owner))

    async def release_stale(self) -> int:
        return await self._database.write(queue.release_stale)

    async def write_version(
        self, memory_id: str, page: Page, chunks: Sequence[Chunk], vectors: Vectors | None, *, now: datetime
    ) -> Memory | None:
        return await self._database.write(
            lambda db: keeping.write_version(db, memory_id, page, chunks, vectors, now=now)
        )

    async def set_state(
        self,
        memory_id: str,
        state: State,
        *,
        reason: Reason = "",
        detail: str = "",
        next_try: datetime | None = None,
        page: Page | None = None,
        chunks: Sequence[Chunk] = (),
        vectors: Vectors | None = None,
    ) -> None:
        outcome = keeping.Outcome(state=state, reason=reason, detail=detail, next_try=next_try)
        await self._database.write(
            lambda db: keeping.set_state(db, memory_id, outcome, page=page, chunks=chunks, vectors=vectors)
        )

    async def add_aliases(self, memory_id: str, keys: Sequence[str]) -> str | None:
        return await self._database.write(lambda db: keeping.add_aliases(db, memory_id, keys))

    async def merge(self, memory_id: str, into: str) -> Memory:
        return await self._database.write(lambda db: editing.merge(db, memory_id, into))

    async def get(self, memory_id: str, scopes: Sequence[Scope] | None = None) -> Memory | None:
        return await self._database.read(lambda db: listing.get(db, memory_id, scopes))

    async def find(self, key: str, scopes: Sequence[Scope] | None = None) -> tuple[Memory, ...]:
        return await self._database.read(lambda db: listing.find(db, key, scopes))

    async def of_source(self, source: str) -> tuple[Memory, ...]:
        return await self._database.read(lambda db: listing.of_source(db, source))

    async def last_source(self, *, person_key: str, room_key: str) -> str:
        return await self._database.read(lambda db: listing.last_source(db, person_key, room_key))

    async def previous_text(self, memory_id: str) -> str:
        return await self._database.read(lambda db: rows.previous_text(db, memory_id))

    async def list(
        self,
        filters: Filters,
        scopes: Sequence[Scope] | None,
        *,
        limit: int = 50,
        offset: int = 0,
        matching: str = "",
    ) -> tuple[Memory, ...]:
        return await self._database.read(
            lambda db: listing.listed(db, filters, scopes, limit=limit, offset=offset, matching=matching)
        )

    async def count(self, filters: Filters, scopes: Sequence[Scope] | None, *, matching: str = "") -> int:
        return await self._database.read(lambda db: listing.count(db, filters, scopes, matching=matching))

    async def edit(
        self,
        memory_id: str,
        *,
        title: str | None = None,
        note: str | None = None,
        tags: Sequence[str] | None = None,
        pocket: str | None = None,
        pinned: bool | None = None,
    ) -> Memory | None:
        return await self._database.write(
            lambda db: editing.edit(db, memory_id, title=title, note=note, tags=tags, pocket=pocket, pinned=pinned)
        )

    async def retry(self, memory_id: str) -> Memory | None:
        return await self._database.write(lambda db: editing.retry(db, memory_id))

    async def vocabulary(
        self, scopes: Sequence[Scope], *, kind: Literal["tag", "pocket", "title"], starting: str = ""
    ) -> tuple[str, ...]:
        return await self._database.read(lambda db: listing.vocabulary(db, scopes, kind=kind, starting=starting))

    async def unshare(self, source: str, *, key: str = "") -> Forgotten:
        orphans = await self._database.read(lambda db: forgetting.orphans_of(db, source, key=key))
        paths = await self._database.read(lambda db: forgetting.copies_of(db, orphans))
        gone = await self._database.write(lambda db: forgetting.unshare(db, source, key=key))
        return await self._without_copies(gone, paths)

    async def forget(self, memory_ids: Sequence[str]) -> Forgotten:
        paths = await self._database.read(lambda db: forgetting.copies_of(db, memory_ids))
        gone = await self._database.write(lambda db: forgetting.forget(db, memory_ids))
        return await self._without_copies(gone, paths)

    async def move_room(self, old: Room, new: Room) -> int:
        return await self._database.write(lambda db: editing.move_room(db, old, new))

    async def person_names(self, scopes: Sequence[Scope]) -> tuple[str, ...]:
        return await self._database.read(lambda db: listing.names(db, scopes, kind="person"))

    async def room_names(self, scopes: Sequence[Scope]) -> tuple[str, ...]:
        return await self._database.read(lambda db: listing.names(db, scopes, kind="room"))

    def export(self) -> AsyncIterator[Mapping[str, Any]]:
        return exchange.export(self._database)

    async def restore(self, record: Mapping[str, Any]) -> bool:
        return await self._database.write(lambda db: exchange.restore(db, record))

    async def _without_copies(self, gone: Forgotten, paths: Sequence[str]) -> Forgotten:
        removed = await asyncio.to_thread(copies.remove, self._home, paths)
        return replace(gone, rows=(*gone.rows, ("copies", removed))) if removed else gone

    async def stats(self) -> Mapping[str, int]:
        counts = await self._database.read(statistics.counts)
        return {**counts, "bytes": await asyncio.to_thread(statistics.bytes_of, self._database.path)}
