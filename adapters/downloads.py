"""Keep copies of the files people share: from the platform's own hosts only, followed nowhere else, within a size."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

_LOG = logging.getLogger(__name__)

MOST_BYTES = 20 * 1024 * 1024
CHUNK = 64 * 1024
LONGEST_SUFFIX = 12


class Downloads:
    """Downloads of one platform; the copies lie in its folder until they are read."""

    def __init__(
        self, session: Callable[[], aiohttp.ClientSession], folder: Path, *, hosts: Sequence[str], api_url: str
    ) -> None:
        self._session = session
        self._folder = folder
        self._hosts = hosts
        self._api = urlsplit(api_url)

    async def copy(
        self, url: str, *, stem: str, name: str, size: int, headers: Mapping[str, str] | None = None, html: bool = True
    ) -> str:
        """Return the path of a copy called `stem`, with the suffix of `name`; empty where it cannot be had.

        `html`: whether the file may be a web page; else one is what is served in its place.
        """
        if size > MOST_BYTES or not self._trusted(url):
            return ""
        try:
            content = await self._content(url, headers, html=html)
            return await written(self._folder / named(stem, name), content) if content is not None else ""
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            _LOG.warning("A shared file could not be fetched: %s", type(error).__name__)
            return ""

    async def _content(self, url: str, headers: Mapping[str, str] | None, *, html: bool) -> bytes | None:
        async with self._session().get(url, headers=headers, allow_redirects=False) as response:
            if not response.ok or ("text/html" in response.content_type and not html):
                _LOG.warning(
                    "No file was given (%s %s): may the bot read files?", response.status, response.content_type
                )
                return None
            content = bytearray()
            async for chunk in response.content.iter_chunked(CHUNK):
                content.extend(chunk)
                if len(content) > MOST_BYTES:
                    return None
        return bytes(content)

    def _trusted(self, url: str) -> bool:
        """Whether our token may be shown there: to the platform itself, where its API is, or beside a local API."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        own = parts.scheme == "https" and any(host == known or host.endswith(f".{known}") for known in self._hosts)
        beside = is_local(host) and is_local(self._api.hostname or "")
        return own or beside or (parts.scheme, parts.netloc) == (self._api.scheme, self._api.netloc)


def is_local(host: str) -> bool:
    """Whether a host is this machine by its spelling."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def named(stem: str, name: str) -> str:
    """Return what a copy is called: people's own names may be anything."""
    return f"{stem}{Path(name).suffix[:LONGEST_SUFFIX]}"


async def written(path: Path, content: bytes) -> str:
    """Write a copy and return its path. Raises OSError."""
    await asyncio.to_thread(_write, path, content)
    return str(path)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
