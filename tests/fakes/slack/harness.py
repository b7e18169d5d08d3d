"""Run the Slack adapter against the stand-in, with a scripted core."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from adapters.slack.adapter import SlackAdapter, SlackOptions
from bot.ports import Core, Inbox, RoomSettings
from tests.fakes.inbox import MemoryInbox
from tests.fakes.listening import MemoryRooms, WallClock, running, until
from tests.fakes.slack.server import FakeSlack


def adapter_on(
    slack: FakeSlack, home: Path, *, inbox: Inbox | None = None, rooms: RoomSettings | None = None, **options: Any
) -> SlackAdapter:
    """Make an adapter whose Slack is the stand-in."""
    settings = {"bot_token": "xoxb-test", "app_token": "xapp-test", "api_url": slack.api_url, "http_port": 0} | options
    return SlackAdapter(
        SlackOptions(**settings),
        inbox=inbox or MemoryInbox(),
        rooms=rooms or MemoryRooms(),
        home=home,
        clock=WallClock(),
    )


@asynccontextmanager
async def listening(slack: FakeSlack, core: Core, home: Path, **options: Any) -> AsyncIterator[SlackAdapter]:
    """Run an adapter until the context closes; ready once it is connected."""
    adapter = adapter_on(slack, home, **options)
    async with running(adapter, core, ready=lambda: adapter.health().connected):
        yield adapter


__all__ = ["MemoryRooms", "adapter_on", "listening", "until"]
