"""`palace run` as a process of its own, with nothing but environment variables."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fakes.telegram.server import TOKEN, FakeTelegram

ROOT = Path(__file__).parents[3]


@asynccontextmanager
async def palace_process(telegram: FakeTelegram, home: Path, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run until the context closes; polling when it opens."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "OMP_NUM_THREADS") if name in os.environ}
    environment = kept | {
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "TELEGRAM_API_URL": telegram.base,
        "PALACE_HOME": str(home),
        "PALACE_TRUSTED_HOSTS": telegram.base.removeprefix("http://"),
    }
    telegram._polling.clear()
    with (home.parent / f"{home.name}.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", env=environment | more, cwd=ROOT, stdout=log, stderr=log
        )
        try:
            await telegram.connected(60)
            yield process
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


def page(title: str, *paragraphs: str) -> bytes:
    """Return a page that any reader can read."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    head = f"<head><title>{title}</title></head>"
    return f"<html>{head}<body><article><h1>{title}</h1>{text}</article></body></html>".encode()
