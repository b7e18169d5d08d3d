"""`palace run` with Telegram alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fakes.process import page, palace_run
from tests.fakes.telegram.server import TOKEN, FakeTelegram


@asynccontextmanager
async def palace_process(telegram: FakeTelegram, home: Path, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run until the context closes; polling when it opens."""
    environment = {
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "TELEGRAM_API_URL": telegram.base,
        "PALACE_TRUSTED_HOSTS": telegram.base.removeprefix("http://"),
    }
    telegram.nobody_listens()
    async with palace_run(home, environment | more, ready=lambda: telegram.connected(60)) as process:
        yield process


__all__ = ["page", "palace_process"]
