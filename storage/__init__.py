"""The front door of the palace's memory: open the storage that a database address names."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from bot.domain.errors import BadInput
from bot.ports import Clock, Storage
from storage.sqlite.storage import open_sqlite

_SQLITE = "sqlite:///"


@asynccontextmanager
async def open_storage(url: str, *, clock: Clock | None = None, home: Path | None = None) -> AsyncIterator[Storage]:
    """Open the storage at `sqlite:///path` (three slashes, then the path). Raises BadInput and StorageTrouble.

    `home`: where copies of shared files lie; beside the database without it.
    """
    path = url.removeprefix(_SQLITE)
    if not url.startswith(_SQLITE) or not path:
        raise BadInput(f"{url!r} is no database address; write sqlite:///path/to/palace.db.")
    async with open_sqlite(Path(path), clock or _SystemClock(), home=home) as storage:
        yield storage


class _SystemClock:
    """The time of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)
