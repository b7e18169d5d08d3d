"""Fetch the files people share: with the bot's token, to Slack's own hosts only, within a size."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

from adapters.documents import is_document
from adapters.slack.envelopes import Json
from adapters.slack.inbound import attachments_of, readable_files
from bot.domain.messages import Attachment

_LOG = logging.getLogger(__name__)

MOST_BYTES = 20 * 1024 * 1024
CHUNK = 64 * 1024
SLACK_HOSTS = ("slack.com", "slack-files.com", "slack-gov.com")


class Files:
    """Downloads for one palace; copies lie under its home until they are read."""

    def __init__(self, session: Callable[[], aiohttp.ClientSession], folder: Path, api_url: str) -> None:
        self._session = session
        self._folder = folder
        self._api_host = urlsplit(api_url).netloc

    async def fetch(self, event: Json, token: str, *, documents: bool = False) -> tuple[Attachment, ...]:
        """Return the message's attachments (its documents alone), each with a local copy where it could be had."""
        both = zip(readable_files(event), attachments_of(event), strict=True)
        wanted = [(file, one) for file, one in both if not documents or is_document(one)]
        paths = await asyncio.gather(*(self._fetch(file, token) for file, _ in wanted))
        return tuple(replace(one, path=path) for (_, one), path in zip(wanted, paths, strict=True))

    async def _fetch(self, file: Json, token: str) -> str:
        url = str(file.get("url_private_download") or file["url_private"])
        if int(file.get("size") or 0) > MOST_BYTES or not self._trusted(url):
            return ""
        path = self._folder / f"{file.get('id', 'file')}{Path(str(file.get('name') or '')).suffix[:12]}"
        try:
            return await self._save(url, token, path, wants_html="html" in str(file.get("mimetype")))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            _LOG.warning("A shared file could not be fetched: %s", type(error).__name__)
            return ""

    async def _save(self, url: str, token: str, path: Path, *, wants_html: bool) -> str:
        headers = {"Authorization": f"Bearer {token}"}
        async with self._session().get(url, headers=headers, allow_redirects=False) as response:
            # Without the right scope Slack answers 200 with its login page.
            if not response.ok or ("text/html" in response.content_type and not wants_html):
                _LOG.warning(
                    "Slack gave no file (%s %s): is files:read granted?", response.status, response.content_type
                )
                return ""
            content = bytearray()
            async for chunk in response.content.iter_chunked(CHUNK):
                content.extend(chunk)
                if len(content) > MOST_BYTES:
                    return ""
        await asyncio.to_thread(_write, path, bytes(content))
        return str(path)

    def _trusted(self, url: str) -> bool:
        """Whether our token may be shown to this address: Slack's own, or where its API is."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        slack = parts.scheme == "https" and any(host == known or host.endswith(f".{known}") for known in SLACK_HOSTS)
        return slack or parts.netloc == self._api_host


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
