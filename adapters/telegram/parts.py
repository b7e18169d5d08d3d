"""What every piece of Telegram work needs, opened once and handed to all of them."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.pacing import Timing
from adapters.seats import Running, Seats
from adapters.streaming import EditedReply
from adapters.telegram.budgets import Budgets
from adapters.telegram.calls import Calls
from adapters.telegram.files import Files
from adapters.telegram.groups import Groups
from adapters.telegram.inbound import Me
from adapters.telegram.outbound import Place, TelegramOutlet
from bot.domain.replies import Notice
from bot.domain.rooms import Room
from bot.ports import Clock, Core, Inbox, InboxEvent, RoomSettings

SAVES_AT_ONCE = 64
"""Saving waits for pages, not for the processor; answers have seats of their own."""


@dataclass(slots=True, kw_only=True)
class Parts:
    """The adapter's parts."""

    inbox: Inbox
    rooms: RoomSettings
    clock: Clock
    timing: Timing
    calls: Calls
    me: Me
    core: Core
    files: Files
    groups: Groups
    budgets: Budgets
    seats: Seats = field(default_factory=Seats)
    saving_seats: Seats = field(default_factory=lambda: Seats(SAVES_AT_ONCE))
    running: Running = field(default_factory=Running)
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    @property
    def commands(self) -> frozenset[str]:
        """The names that are commands without `@bot` too."""
        return frozenset({"start", *(row.name for row in self.core.command_table)})

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

    def reply(self, events: tuple[InboxEvent, ...], place: Place, *, note: str = "") -> "NotedReply":
        """Return the reply to events that are answered together; each of them remembers it over a restart.

        `note` is said with what the core says.
        """

        async def remember(reference: str) -> None:
            for event in events:
                await self.inbox.set_reply(event.event_id, reference)

        first = events[0]
        return NotedReply(
            self.outlet(place),
            note=note,
            key=f"{first.source}-{first.event_id}",
            remember=remember,
            remembered=first.reply_ref,
            timing=self.timing,
        )

    def outlet(self, place: Place) -> TelegramOutlet:
        """Return a place to write to."""
        return TelegramOutlet(self.calls, place, self.budgets, moved=self.moved)

    async def moved(self, old: int, new: int) -> None:
        """Re-key everything of a group that has become a supergroup; safe to call again."""
        rooms = [Room(platform="telegram", channel=str(chat), kind="private") for chat in (old, new)]
        await self.core.moved(*rooms)
        await self.groups.moved(old, new)


class NotedReply(EditedReply):
    """A reply that adds something of the platform's own to notices."""

    def __init__(self, outlet: TelegramOutlet, *, note: str, **more: Any) -> None:
        super().__init__(outlet, **more)
        self._draft = outlet.draft
        self._note_of_ours = note

    @asynccontextmanager
    async def in_sight(self) -> AsyncIterator[None]:
        """Keep what is shown from fading while the answer pauses, as long as the context is open."""
        task = asyncio.create_task(self._draft.stay_in_sight())
        try:
            yield
        finally:
            task.cancel()

    async def say(self, notice: Notice) -> None:
        text = "\n\n".join(part for part in (notice.text, self._note_of_ours) if part)
        await super().say(replace(notice, text=text))
