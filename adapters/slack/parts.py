"""What every piece of Slack work needs, opened once and handed to all of them."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from adapters.downloads import Downloads
from adapters.pacing import Timing
from adapters.seats import Running, Seats
from adapters.slack.following import Recent, Threads
from adapters.slack.names import Names
from adapters.slack.workspaces import Workspaces
from bot.ports import Clock, Core, Inbox, RoomSettings


@dataclass(slots=True, kw_only=True)
class Parts:
    """The adapter's parts; `core` is set when it runs, `session` when it is open."""

    inbox: Inbox
    rooms: RoomSettings
    clock: Clock
    timing: Timing
    workspaces: Workspaces
    names: Names
    recent: Recent
    threads: Threads
    downloads: Downloads
    core: Core
    session: aiohttp.ClientSession
    streams: bool = True
    seats: Seats = field(default_factory=Seats)
    running: Running = field(default_factory=Running)
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    def beside(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something small beside the main path, held until it ends."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task
