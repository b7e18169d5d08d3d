"""What every piece of Discord work needs, opened once and handed to all of them."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import discord

from adapters.discord.calls import Calls
from adapters.discord.channels import ChannelBudgets, Own
from adapters.discord.memberships import Memberships
from adapters.discord.thinking import Thinking
from adapters.downloads import Downloads
from adapters.pacing import Timing
from adapters.seats import Running, Seats
from bot.ports import Clock, Core, Inbox, RoomSettings


@dataclass(slots=True, kw_only=True)
class Parts:
    """The adapter's parts; `sees_content` changes when Discord does not grant it."""

    inbox: Inbox
    rooms: RoomSettings
    clock: Clock
    timing: Timing
    core: Core
    client: Callable[[], discord.Client]
    calls: Calls
    budgets: ChannelBudgets
    thinking: Thinking
    memberships: Memberships
    downloads: Downloads
    sees_content: bool = True
    """Whether messages in channels come with their words: the Message Content intent."""
    own: Own = field(default_factory=Own)
    seats: Seats = field(default_factory=Seats)
    running: Running = field(default_factory=Running)
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    @property
    def bot_id(self) -> int:
        """Our own user id; 0 before the first login."""
        user = self.client().user
        return user.id if user else 0

    def beside(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something small beside the main path, held until it ends."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task
