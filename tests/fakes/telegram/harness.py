"""Run the Telegram adapter against the stand-in, with a core of the test's choice."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from aiogram.client.session.aiohttp import AiohttpSession

from adapters.pacing import Timing
from adapters.telegram.adapter import TelegramAdapter, TelegramOptions
from bot.ports import Core, Inbox, RoomSettings
from tests.fakes.inbox import MemoryInbox
from tests.fakes.telegram.server import TOKEN, FakeTelegram


class MemoryRooms:
    """`bot.ports.RoomSettings` in a dictionary."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], str] = {}

    async def get(self, key: str, name: str) -> str | None:
        return self.values.get((key, name))

    async def set(self, key: str, name: str, value: str | None) -> None:
        if value is None:
            self.values.pop((key, name), None)
        else:
            self.values[key, name] = value


class WallClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


class Hurried:
    """A time in which every wait takes a fraction of itself, for both sides alike."""

    def __init__(self, factor: float = 0.02) -> None:
        self._factor = factor

    def now(self) -> float:
        return asyncio.get_running_loop().time() / self._factor

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds * self._factor)

    @property
    def timing(self) -> Timing:
        return Timing(now=self.now, sleep=self.sleep)


async def _close_at_once(session: AiohttpSession) -> None:
    """Close without the quarter of a second that aiogram leaves to TLS: loopback has none."""
    if session._session is not None:
        await session._session.close()


@asynccontextmanager
async def listening(
    telegram: FakeTelegram,
    core: Core,
    home: Path,
    *,
    inbox: Inbox | None = None,
    rooms: RoomSettings | None = None,
    timing: Timing | None = None,
    **options: Any,
) -> AsyncIterator[TelegramAdapter]:
    """Run an adapter until the context closes; ready once it listens."""
    adapter = TelegramAdapter(
        TelegramOptions(**({"token": TOKEN, "api_url": telegram.base, "http_port": 0} | options)),
        inbox=inbox or MemoryInbox(),
        rooms=rooms or MemoryRooms(),
        home=home,
        clock=WallClock(),
        timing=timing or Hurried().timing,
    )
    fast = patch.object(AiohttpSession, "close", _close_at_once)
    fast.start()
    task = asyncio.create_task(adapter.run(core))
    try:
        waiting = asyncio.create_task(telegram.connected())
        await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if task.done():
            task.result()
        yield adapter
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        fast.stop()


async def until(condition: Callable[[], Any], *, within_s: float = 10.0) -> None:
    """Wait until something has happened."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - nobody tells when a stand-in has been called
            await asyncio.sleep(0.005)
