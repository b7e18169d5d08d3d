"""Run the Discord adapter against the stand-in, with a scripted core."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from adapters.discord.adapter import DiscordAdapter, DiscordOptions
from adapters.pacing import Timing
from bot.ports import Core, Inbox, RoomSettings
from tests.fakes.discord.rest import TOKEN
from tests.fakes.discord.server import FakeDiscord
from tests.fakes.inbox import MemoryInbox
from tests.fakes.listening import MemoryRooms, running, until

SPEED = 10.0
"""Tests pace themselves, and the stand-in refills its buckets, so many times faster."""


def fast_timing(speed: float = SPEED) -> Timing:
    return Timing(now=lambda: time.monotonic() * speed, sleep=lambda seconds: asyncio.sleep(seconds / speed))


class WallClock:
    """The real time, and as much later as a test wants."""

    def __init__(self) -> None:
        self.later = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.later


@asynccontextmanager
async def listening(
    discord: FakeDiscord,
    core: Core,
    home: Path,
    *,
    inbox: Inbox | None = None,
    rooms: RoomSettings | None = None,
    clock: WallClock | None = None,
    timing: Timing | None = None,
    **options: Any,
) -> AsyncIterator[DiscordAdapter]:
    """Run an adapter until the context closes; ready once it is connected and knows its guilds."""
    discord.speed = 1.0 if timing else SPEED
    settings = {
        "token": TOKEN,
        "api_url": discord.api_url,
        "gateway_url": discord.gateway_url,
        "ready_wait_s": 0.1,
    } | options
    adapter = DiscordAdapter(
        DiscordOptions(**settings),
        inbox=inbox or MemoryInbox(),
        rooms=rooms or MemoryRooms(),
        home=home,
        clock=clock or WallClock(),
        timing=timing or fast_timing(),
    )
    async with running(adapter, core, ready=lambda: knows_guilds(adapter, discord)):
        yield adapter


def knows_guilds(adapter: DiscordAdapter, discord: FakeDiscord) -> bool:
    client = adapter._client
    if client is None or not adapter.health().connected:
        return False
    return sum(not guild.unavailable for guild in client.guilds) == len(discord.world.guilds)


__all__ = ["MemoryRooms", "WallClock", "listening", "until"]
