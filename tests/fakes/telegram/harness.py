"""Run the Telegram adapter against the stand-in, with a core of the test's choice."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from aiogram.client.session.aiohttp import AiohttpSession

from adapters.pacing import Timing
from adapters.telegram.adapter import TelegramAdapter, TelegramOptions
from bot.ports import Core, Inbox, RoomSettings
from tests.fakes.inbox import MemoryInbox
from tests.fakes.listening import MemoryRooms, WallClock, running, until
from tests.fakes.telegram.server import TOKEN, FakeTelegram


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
    with patch.object(AiohttpSession, "close", _close_at_once):
        async with running(adapter, core, ready=telegram.listened_to):
            yield adapter


__all__ = ["Hurried", "MemoryRooms", "listening", "until"]
