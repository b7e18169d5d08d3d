"""What the work of every platform needs, opened once and handed to all of it; each platform adds its own."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from adapters.outlet import Outlet
from adapters.pacing import Timing
from adapters.seats import Running, Seats
from adapters.streaming import EditedReply
from bot.ports import Clock, Core, Inbox, InboxEvent, RoomSettings

Kind = TypeVar("Kind", bound=EditedReply)


@dataclass(slots=True, kw_only=True)
class CommonParts:
    """What no platform goes without."""

    inbox: Inbox
    rooms: RoomSettings
    clock: Clock
    timing: Timing
    core: Core
    seats: Seats = field(default_factory=Seats)
    running: Running = field(default_factory=Running)
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    def beside(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something small beside the main path, held until it ends."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def wind_up(self) -> None:
        """End what runs beside the main path."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def reply_to(self, events: tuple[InboxEvent, ...], outlet: Outlet, kind: type[Kind], **more: Any) -> Kind:
        """Return the reply to events that are answered together; each of them remembers it over a restart."""

        async def remember(reference: str) -> None:
            for event in events:
                await self.inbox.set_reply(event.event_id, reference)

        first = events[0]
        return kind(
            outlet,
            key=f"{first.source}-{first.event_id}",
            remember=remember,
            remembered=first.reply_ref,
            timing=self.timing,
            **more,
        )
