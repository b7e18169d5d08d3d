"""Fetch the files people share: from Discord's own hosts only, within a size."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

from adapters.discord.inbound import Json, attachments_of, files_of
from adapters.documents import is_document
from bot.domain.messages import Attachment

_LOG = logging.getLogger(__name__)

MOST_BYTES = 20 * 1024 * 1024
MOST_FILES = 10
CHUNK = 64 * 1024
DISCORD_HOSTS = ("cdn.discordapp.com", "media.discordapp.net")


class Files:
    """Downloads for one palace; copies lie under its home until they are read."""

    def __init__(self, session: Callable[[], aiohttp.ClientSession], folder: Path, api_url: str) -> None:
        self._session = session
        self._folder = folder
        self._api_host = urlsplit(api_url).netloc

    async def fetch(self, record: Json, *, documents: bool = False) -> tuple[Attachment, ...]:
        """Return a message's attachments (its documents alone), each with a local copy where it could be had."""
        both = zip(files_of(record), attachments_of(record), strict=True)
        wanted = [(file, one) for file, one in both if not documents or is_document(one)][:MOST_FILES]
        paths = await asyncio.gather(*(self._fetch(file) for file, _ in wanted))
        return tuple(replace(one, path=path) for (_, one), path in zip(wanted, paths, strict=True))

    async def _fetch(self, file: Json) -> str:
        url = str(file.get("url") or "")
        if int(file.get("size") or 0) > MOST_BYTES or not self._trusted(url):
            return ""
        path = self._folder / f"{int(file['id'])}{Path(str(file.get('filename') or '')).suffix[:12]}"
        try:
            return await self._save(url, path)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            _LOG.warning("A shared file could not be fetched: %s", type(error).__name__)
            return ""

    async def _save(self, url: str, path: Path) -> str:
        async with self._session().get(url, allow_redirects=False) as response:
            if not response.ok:
                _LOG.warning("Discord gave no file (%s)", response.status)
                return ""
            content = bytearray()
            async for chunk in response.content.iter_chunked(CHUNK):
                content.extend(chunk)
                if len(content) > MOST_BYTES:
                    return ""
        await asyncio.to_thread(_write, path, bytes(content))
        return str(path)

    def _trusted(self, url: str) -> bool:
        """Whether an address is Discord's own store of files, or where its API is."""
        parts = urlsplit(url)
        return (parts.scheme == "https" and parts.hostname in DISCORD_HOSTS) or parts.netloc == self._api_host


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
