"""Everything on disk, opened together: the storage port on one SQLite file."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bot.ports import Clock, Feedback, Inbox, MemoryStore, PassageSearch, RoomSettings, TraceLog, Transcript, Vectors
from storage.sqlite import maintenance, statistics
from storage.sqlite import vectors as stored
from storage.sqlite.database import Database, open_database
from storage.sqlite.feedback import SqliteFeedback
from storage.sqlite.inbox import SqliteInbox
from storage.sqlite.memories import SqliteMemories
from storage.sqlite.migrations import migrate
from storage.sqlite.queue import this_process
from storage.sqlite.room_settings import SqliteRoomSettings
from storage.sqlite.search import SqliteSearch
from storage.sqlite.traces import SqliteTraces
from storage.sqlite.transcripts import SqliteTranscript


def new_memory_id() -> str:
    """Return an id of ten hexadecimal digits: short enough to be typed, a collision is refused by the table."""
    return secrets.token_hex(5)


class SqliteStorage:
    """The ports of one open file."""

    def __init__(self, database: Database, clock: Clock, *, new_id: Callable[[], str], owner: str, home: Path) -> None:
        self._database = database
        self._clock = clock
        self.memories: MemoryStore = SqliteMemories(database, new_id=new_id, owner=owner, home=home)
        self.search: PassageSearch = SqliteSearch(database)
        self.transcript: Transcript = SqliteTranscript(database)
        self.traces: TraceLog = SqliteTraces(database)
        self.feedback: Feedback = SqliteFeedback(database)
        self.rooms: RoomSettings = SqliteRoomSettings(database)
        self.inbox: Inbox = SqliteInbox(database)

    async def describe(self) -> Mapping[str, str]:
        size = await asyncio.to_thread(statistics.bytes_of, self._database.path)
        inside = await self._database.read(statistics.description)
        return {"file": str(self._database.path), "size": f"{size / 1e6:.1f} MB", **inside}

    async def prepare_embeddings(self, *, model_name: str, dimensions: int) -> bool:
        return await self._database.write(lambda db: stored.prepare(db, model_name, dimensions))

    async def stale_chunks(self, *, limit: int) -> tuple[tuple[int, str], ...]:
        return await self._database.read(lambda db: stored.stale(db, limit))

    async def write_vectors(self, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        await self._database.write(lambda db: stored.write(db, chunk_ids, vectors))

    async def maintain(self) -> Mapping[str, int]:
        return await maintenance.maintain(self._database, self._clock.now())

    async def maintenance_due(self) -> bool:
        return await self._database.read(lambda db: maintenance.due(db, self._clock.now()))


@asynccontextmanager
async def open_sqlite(
    path: Path, clock: Clock, *, new_id: Callable[[], str] = new_memory_id, owner: str = "", home: Path | None = None
) -> AsyncIterator[SqliteStorage]:
    """Open (or make) the palace in the file at `path`, brought to the present schema. Raises StorageTrouble."""
    async with open_database(path) as database:
        await migrate(database)
        yield SqliteStorage(database, clock, new_id=new_id, owner=owner or this_process(), home=home or path.parent)
