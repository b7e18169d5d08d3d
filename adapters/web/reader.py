"""Read addresses and files into Markdown: fetched safely here, taken apart in a process of its own."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from adapters.web.extract import extract_page
from adapters.web.extracting import Processes
from adapters.web.fetching import Fetched, Fetcher, Limits
from adapters.web.guard import trusted_hosts as trusted_from
from adapters.web.inflating import too_large
from bot.domain.errors import BadInput, RefusedAddress, TemporarilyUnreadable, Unreadable
from bot.domain.memories import Page

EXTRACTION_S = 30.0
LONGEST_PAUSE_S = 3.0
"""A longer wait is the queue's business: nobody here waits for it."""


class WebReader:
    """The PageReader of `bot.ports` on aiohttp and the extraction of this folder."""

    def __init__(
        self,
        fetcher: Fetcher,
        processes: Processes,
        *,
        limit: int,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._fetcher = fetcher
        self._processes = processes
        self._limit = limit
        self._pause = pause

    async def read(self, url: str, *, etag: str = "", last_modified: str = "") -> Page | None:
        fetched = await self._fetch(url, etag, last_modified)
        if fetched is None:
            return None
        page = await self._extract(
            fetched.content, url=fetched.url, media_type=fetched.media_type, charset=fetched.charset
        )
        return replace(
            page,
            url=fetched.url,
            aliases=tuple(dict.fromkeys((*fetched.passed, *page.aliases))),
            media_type=page.media_type or fetched.media_type,
            etag=fetched.etag,
            last_modified=fetched.last_modified,
        )

    async def read_file(self, path: Path, *, name: str = "", media_type: str = "") -> Page:
        content = await asyncio.to_thread(file_content, path, self._limit)
        return await self._extract(content, url=name or path.name, media_type=media_type, name=name or path.name)

    async def read_bytes(self, content: bytes, *, url: str, media_type: str = "") -> Page:
        if len(content) > self._limit:
            raise too_large(self._limit)
        return await self._extract(content, url=url, media_type=media_type)

    def warm(self) -> None:
        self._processes.warm()

    async def _fetch(self, url: str, etag: str, last_modified: str) -> Fetched | None:
        """Fetch; what fails for a moment only gets a second chance at once, with a little jitter."""
        try:
            return await self._fetcher.fetch(url, etag=etag, last_modified=last_modified)
        except TemporarilyUnreadable as error:
            pause = 0.5 + random.random() / 2 if error.retry_after_s is None else error.retry_after_s  # noqa: S311 - jitter
            if error.reason == "timed_out" or pause > LONGEST_PAUSE_S:
                raise
        await self._pause(pause)
        return await self._fetcher.fetch(url, etag=etag, last_modified=last_modified)

    async def _extract(
        self, content: bytes, *, url: str, media_type: str = "", charset: str = "", name: str = ""
    ) -> Page:
        try:
            return await self._processes.run(
                extract_page, content, url=url, media_type=media_type, charset=charset, name=name
            )
        except RefusedAddress:
            raise
        except Unreadable as error:
            error.final_url = error.final_url or (url if "://" in url else "")
            raise


def file_content(path: Path, limit: int) -> bytes:
    """Return a file's bytes. Raises BadInput for no readable file, Unreadable (too_large) without reading it whole."""
    try:
        if path.is_dir():
            raise BadInput(f"{path} is a folder; name the files in it.")
        if not path.is_file():
            raise BadInput(f"There is no file {path}.")
        with path.open("rb") as opened:
            content = opened.read(limit + 1) if path.stat().st_size <= limit else None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be opened.") from error
    if content is None or len(content) > limit:
        raise too_large(limit)
    return content


@asynccontextmanager
async def open_reader(*, trusted_hosts: Iterable[str] = (), limits: Limits | None = None) -> AsyncIterator[WebReader]:
    """Open a reader; its connections and processes end with the block."""
    limits = limits or Limits()
    fetcher = Fetcher(trusted=trusted_from(trusted_hosts), limits=limits)
    processes = Processes(count=2, seconds=EXTRACTION_S)
    try:
        yield WebReader(fetcher, processes, limit=limits.bytes_held)
    finally:
        processes.close()
        await fetcher.close()
