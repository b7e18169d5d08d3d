"""`palace run` with Discord alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fakes.discord.rest import TOKEN
from tests.fakes.discord.server import FakeDiscord
from tests.fakes.process import page, palace_run


@asynccontextmanager
async def palace_process(discord: FakeDiscord, home: Path, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run until the context closes; connected when it opens."""
    environment = {
        "DISCORD_BOT_TOKEN": TOKEN,
        "DISCORD_API_URL": discord.api_url,
        "DISCORD_GATEWAY_URL": discord.gateway_url,
        "PALACE_TRUSTED_HOSTS": discord.base.removeprefix("http://"),
    }
    async with palace_run(home, environment | more, ready=lambda: discord.connected(60)) as process:
        yield process


__all__ = ["page", "palace_process"]
