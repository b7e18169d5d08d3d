"""Fetch the files people share: with the bot's token, which Slack's own hosts alone are shown."""

import asyncio
from dataclasses import replace

from adapters.documents import is_document
from adapters.downloads import Downloads
from adapters.slack.envelopes import Json
from adapters.slack.inbound import attachments_of, readable_files
from bot.domain.messages import Attachment

SLACK_HOSTS = ("slack.com", "slack-files.com", "slack-gov.com")


async def fetched(downloads: Downloads, event: Json, token: str, *, documents: bool = False) -> tuple[Attachment, ...]:
    """Return the message's attachments (its documents alone), each with a local copy where it could be had."""
    both = zip(readable_files(event), attachments_of(event), strict=True)
    wanted = [(file, one) for file, one in both if not documents or is_document(one)]
    paths = await asyncio.gather(*(_copy(downloads, file, token) for file, _ in wanted))
    return tuple(replace(one, path=path) for (_, one), path in zip(wanted, paths, strict=True))


async def _copy(downloads: Downloads, file: Json, token: str) -> str:
    return await downloads.copy(
        str(file.get("url_private_download") or file["url_private"]),
        stem=str(file.get("id") or "file"),
        name=str(file.get("name") or ""),
        size=int(file.get("size") or 0),
        headers={"Authorization": f"Bearer {token}"},
        html="html" in str(file.get("mimetype")),  # without the right scope Slack answers 200 with its login page
    )
