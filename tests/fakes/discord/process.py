"""`palace run` as a process of its own, with nothing but environment variables."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fakes.discord.rest import TOKEN
from tests.fakes.discord.server import FakeDiscord

ROOT = Path(__file__).parents[3]


@asynccontextmanager
async def palace_process(discord: FakeDiscord, home: Path, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run until the context closes; connected when it opens."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "OMP_NUM_THREADS") if name in os.environ}
    environment = kept | {
        "DISCORD_BOT_TOKEN": TOKEN,
        "DISCORD_API_URL": discord.api_url,
        "DISCORD_GATEWAY_URL": discord.gateway_url,
        "PALACE_HOME": str(home),
        "PALACE_TRUSTED_HOSTS": discord.base.removeprefix("http://"),
    }
    with (home.parent / f"{home.name}.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", env=environment | more, cwd=ROOT, stdout=log, stderr=log
        )
        try:
            await discord.connected(60)
            yield process
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()
