"""Fetch the files people share: from Discord's own hosts only."""

import asyncio
from dataclasses import replace

from adapters.discord.inbound import Json, attachments_of, files_of
from adapters.documents import is_document
from adapters.downloads import Downloads
from bot.domain.messages import Attachment

MOST_FILES = 10
DISCORD_HOSTS = ("cdn.discordapp.com", "media.discordapp.net")


async def fetched(downloads: Downloads, record: Json, *, documents: bool = False) -> tuple[Attachment, ...]:
    """Return a message's attachments (its documents alone), each with a local copy where it could be had."""
    both = zip(files_of(record), attachments_of(record), strict=True)
    wanted = [(file, one) for file, one in both if not documents or is_document(one)][:MOST_FILES]
    paths = await asyncio.gather(*(_copy(downloads, file) for file, _ in wanted))
    return tuple(replace(one, path=path) for (_, one), path in zip(wanted, paths, strict=True))


async def _copy(downloads: Downloads, file: Json) -> str:
    return await downloads.copy(
        str(file.get("url") or ""),
        stem=str(int(file["id"])),
        name=str(file.get("filename") or ""),
        size=int(file.get("size") or 0),
    )
