"""Fetch the files people send: what may hold text, within Telegram's 20 MB, to copies under the palace's home."""

import logging
from dataclasses import replace
from pathlib import Path

import aiohttp
from aiogram.exceptions import TelegramAPIError
from aiogram.methods import GetFile
from aiogram.types import Message as TelegramMessage

from adapters.downloads import named, written
from adapters.outlet import Trouble
from adapters.telegram.calls import Calls
from adapters.telegram.media import media_of
from bot.domain.messages import Message

_LOG = logging.getLogger(__name__)

MOST_BYTES = 20 * 1000 * 1000
"""getFile refuses more than 20 MB (bots/api#getfile)."""


class Files:
    """Downloads for one palace; copies lie under its home until they are forgotten."""

    def __init__(self, calls: Calls, folder: Path) -> None:
        self._calls = calls
        self._folder = folder

    async def fetched(self, message: Message, sent: TelegramMessage) -> Message:
        """Return the message with a local copy of its file, where there is one that can be read."""
        media = media_of(sent)
        if not message.attachments or media is None or not media.readable or media.attachment.size > MOST_BYTES:
            return message
        stem = f"{sent.chat.id}-{sent.message_id}-{media.unique_id}"
        path = self._folder / named(stem, media.attachment.name)
        if await self._save(media.file_id, path):
            return replace(message, attachments=(replace(message.attachments[0], path=str(path)),))
        return message

    async def _save(self, file_id: str, path: Path) -> bool:
        try:
            file = await self._calls(GetFile(file_id=file_id))
            if not file.file_path:
                return False
            content = await self._calls.bot.download_file(file.file_path)
        except (Trouble, TelegramAPIError, aiohttp.ClientError, TimeoutError, OSError) as error:
            _LOG.warning("A file could not be fetched: %s", type(error).__name__)
            return False
        if content is None:
            return False
        await written(path, content.read())
        return True
