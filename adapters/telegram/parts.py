"""What every piece of Telegram work needs, opened once and handed to all of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.parts import CommonParts
from adapters.seats import Seats
from adapters.streaming import EditedReply
from adapters.telegram.budgets import Budgets
from adapters.telegram.calls import Calls
from adapters.telegram.files import Files
from adapters.telegram.groups import Groups
from adapters.telegram.inbound import Me
from adapters.telegram.outbound import Place, TelegramOutlet
from bot.domain.replies import Notice
from bot.domain.rooms import Room
from bot.ports import InboxEvent

SAVES_AT_ONCE = 64
"""Saving waits for pages, not for the processor; answers have seats of their own."""


@dataclass(slots=True, kw_only=True)
class Parts(CommonParts):
    """The adapter's parts."""

    calls: Calls
    me: Me
    files: Files
    groups: Groups
    budgets: Budgets
    saving_seats: Seats = field(default_factory=lambda: Seats(SAVES_AT_ONCE))

    @property
    def commands(self) -> frozenset[str]:
        """The names that are commands without `@bot` too."""
        return frozenset({"start", *(row.name for row in self.core.command_table)})

    def reply(self, events: tuple[InboxEvent, ...], place: Place, *, note: str = "") -> "NotedReply":
        """Return the reply to events that are answered together; `note` is said with what the core says."""
        return self.reply_to(events, self.outlet(place), NotedReply, note=note)

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
