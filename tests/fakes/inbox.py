"""An inbox in memory with the promises of the port; shared by two adapters, it is a restart."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.ports import InboxEvent


class MemoryInbox:
    """`bot.ports.Inbox` in dictionaries."""

    def __init__(self) -> None:
        self.events: dict[int, InboxEvent] = {}
        self.values: dict[tuple[str, str], str] = {}
        self.trouble: list[Exception] = []

    async def put(self, event: InboxEvent) -> InboxEvent | None:
        if self.trouble:
            raise self.trouble.pop(0)
        known = {key for kept in self.events.values() if kept.source == event.source for key in kept.keys}
        if known & set(event.keys):
            return None
        kept = replace(event, event_id=len(self.events) + 1)
        self.events[kept.event_id] = kept
        return kept

    async def unfinished(self, source: str) -> tuple[InboxEvent, ...]:
        return tuple(
            event for event in self.events.values() if event.source == source and event.state in {"waiting", "working"}
        )

    async def start(self, event_id: int) -> None:
        event = self.events[event_id]
        self.events[event_id] = replace(event, state="working", attempts=event.attempts + 1)

    async def set_reply(self, event_id: int, reply_ref: str) -> None:
        self.events[event_id] = replace(self.events[event_id], reply_ref=reply_ref)

    async def finish(self, event_id: int, *, error: str = "") -> None:
        state = "broken" if error else "done"
        self.events[event_id] = replace(self.events[event_id], state=state, error=error)

    async def waiting(self, source: str) -> int:
        return len(await self.unfinished(source))

    async def value(self, source: str, name: str) -> str | None:
        return self.values.get((source, name))

    async def set_value(self, source: str, name: str, value: str) -> None:
        self.values[source, name] = value

    async def prune(self, *, before: datetime) -> int:
        return 0

    @property
    def states(self) -> Sequence[str]:
        return [event.state for event in self.events.values()]
