"""`palace run` as a process of its own, with nothing but environment variables; and pages for it to read."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = ("PATH", "HOME", "LANG", "OMP_NUM_THREADS")


@asynccontextmanager
async def palace_run(
    home: Path, environment: Mapping[str, str], *, ready: Callable[[], Awaitable[None]]
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run until the context closes; ready when it opens. What it says is in a file beside its home."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    with (home.parent / f"{home.name}.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot", "run"),
            env={**kept, "PALACE_HOME": str(home), **environment},
            cwd=ROOT,
            stdout=log,
            stderr=log,
        )
        try:
            await ready()
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
