"""Open one SQLite file with a writer thread and readers beside it; the only file that names the driver."""

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import apsw
import sqlite_vec

from bot.domain.errors import StorageTrouble

T = TypeVar("T")


class Rows(Protocol):
    """What a statement returned; a row is a tuple, its values are as the schema says."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return the remaining rows."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """The part of the driver's connection that the storage uses."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""

    def execute(self, statements: str, bindings: Sequence[Any] | dict[str, Any] = ()) -> Rows:
        """Run one statement, or several without bindings."""

    def executemany(self, statements: str, sequenceofbindings: Iterable[Sequence[Any]]) -> Rows:
        """Run one statement for every set of bindings."""

    def changes(self) -> int:
        """Return the rows that the last statement changed."""

    def last_insert_rowid(self) -> int:
        """Return the row number of the last insert."""

    def fts5_tokenizer(self, name: str, args: list[str] | None = None) -> Any:
        """Return a tokenizer of FTS5, to be called with bytes."""

    def close(self) -> None:
        """Close the file."""


DRIVER = f"apsw {apsw.apsw_version()}, sqlite-vec {sqlite_vec.__version__}"
SQLITE_VERSION: str = apsw.sqlite_lib_version()
READERS = 2
BUSY_MS = 30_000
CACHE_KIB = 16_000
"""Each connection's pages: as fast as mapping the file, at a tenth of the memory."""
WAL_BYTES = 16 << 20
TOKENIZER_PURPOSE: int = apsw.FTS5_TOKENIZE_QUERY

_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=NORMAL",
    "foreign_keys=ON",
    "secure_delete=ON",
    f"cache_size=-{CACHE_KIB}",
    f"journal_size_limit={WAL_BYTES}",
)

FULL = "The disk is full: {} could not be written."
LEAST_FREE = 64 * 1024
"""Bytes under which not even the log's index (32 KB) and a page fit."""

_WORDS: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, FULL),
    (apsw.ReadOnlyError, "{} cannot be written: the file or its folder is read-only."),
    (apsw.CantOpenError, "{} cannot be opened: its folder is missing or may not be written."),
    (apsw.PermissionsError, "{} may not be opened by this user."),
    (apsw.NotADBError, "{} is not a palace database: move it away, or name another file."),
    (apsw.CorruptError, "{} is damaged: restore it from a copy, or from an export."),
    (apsw.BusyError, "{} is locked by another program; try again when it has finished."),
    (apsw.LockedError, "{} is locked by another program; try again when it has finished."),
    (apsw.IOError, "{} could not be read or written: the disk reports an error."),
)


class Database:
    """One file: every write is one whole transaction on one thread, every read a snapshot on one of two others."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="palace-write")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="palace-read")
        self._own = threading.local()
        self._opened: list[Connection] = []

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` inside BEGIN IMMEDIATE … COMMIT; whatever it raises rolls everything back."""
        return await self._run(self._writer, lambda: self._inside(work, begin="BEGIN IMMEDIATE"))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on one snapshot, beside any writing."""
        return await self._run(self._readers, lambda: self._inside(work, begin="BEGIN"))

    async def alone(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on the writer's thread outside of any transaction, as VACUUM must."""
        return await self._run(self._writer, lambda: work(self._connection()))

    def close(self) -> None:
        """Wait for what is running, then close every connection."""
        self._readers.shutdown()
        self._writer.shutdown()
        for connection in reversed(self._opened):
            connection.close()

    async def _run(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, work)
        except apsw.Error as error:
            trouble = _trouble(error, self.path)
            if trouble is None:
                raise
            raise trouble from error

    def _inside(self, work: Callable[[Connection], T], *, begin: str) -> T:
        connection = self._connection()
        connection.execute(begin)
        try:
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return result

    def _connection(self) -> Connection:
        connection: Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = _connect(self.path)
            self._opened.append(connection)
        return connection


@asynccontextmanager
async def open_database(path: Path) -> AsyncIterator[Database]:
    """Open (or make) the file at `path`. Raises StorageTrouble with one sentence."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # what people keep is theirs alone
    except OSError as error:
        raise StorageTrouble(f"{path} cannot be made: {error.strerror}.") from error
    database = Database(path)
    try:
        yield database
    finally:
        await asyncio.get_running_loop().run_in_executor(None, database.close)


def _connect(path: Path) -> Connection:
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(BUSY_MS)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").fetchall()
    return cast("Connection", connection)


def _trouble(error: apsw.Error, path: Path) -> StorageTrouble | None:
    if isinstance(error, apsw.IOError | apsw.CantOpenError) and _disk_full(path):
        return StorageTrouble(FULL.format(path))
    for kind, words in _WORDS:
        if isinstance(error, kind):
            return StorageTrouble(words.format(path))
    return None


def _disk_full(path: Path) -> bool:
    """Whether no page fits any more: SQLite calls it an error of the disk where its log cannot grow."""
    try:
        return shutil.disk_usage(path.parent).free < LEAST_FREE
    except OSError:
        return False
