"""Run the Slack adapter against the stand-in, with a scripted core."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.slack.adapter import SlackAdapter, SlackOptions
from bot.ports import Core, Inbox, RoomSettings
from tests.fakes.inbox import MemoryInbox
from tests.fakes.slack.server import FakeSlack


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


@asynccontextmanager
async def listening(
    slack: FakeSlack,
    core: Core,
    home: Path,
    *,
    inbox: Inbox | None = None,
    rooms: RoomSettings | None = None,
    **options: Any,
) -> AsyncIterator[SlackAdapter]:
    """Run an adapter until the context closes; ready once it is connected."""
    settings = {"bot_token": "xoxb-test", "app_token": "xapp-test", "api_url": slack.api_url, "http_port": 0} | options
    adapter = SlackAdapter(
        SlackOptions(**settings),
        inbox=inbox or MemoryInbox(),
        rooms=rooms or MemoryRooms(),
        home=home,
        clock=WallClock(),
    )
    task = asyncio.create_task(adapter.run(core))
    try:
        await until(lambda: task.done() or adapter.health().connected)
        if task.done():
            task.result()
        yield adapter
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def until(condition: Callable[[], bool], *, within_s: float = 10.0) -> None:
    """Wait until something has happened."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - nobody tells when a stand-in has been called
            await asyncio.sleep(0.005)
