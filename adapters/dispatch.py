"""Work the durable inbox: put before the acknowledgement, in order a thread, threads in parallel, across restarts."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from adapters.seats import Running, Seats
from adapters.streaming import EditedReply
from adapters.wording import BROKEN, CUT_OFF
from bot.domain.errors import StorageTrouble
from bot.domain.messages import Message
from bot.ports import Core, Inbox, InboxEvent

Work = Callable[[InboxEvent], Coroutine[Any, Any, None]]
GiveUp = Callable[[InboxEvent, str], Awaitable[None]]

_LOG = logging.getLogger(__name__)

MOST_ATTEMPTS = 4
"""Starts of one event, over restarts, before it is given up: whatever it does ends the process."""
LONGEST_WORK_S = 1800.0
"""Beyond any answer with its cool-offs; one that hangs must not hold its thread for ever."""
GRACE_S = 5.0


class Dispatcher:
    """Takes events from one platform's connection and works each exactly once.

    `work` does what an event asks for; `give_up` tells the person, in the sentence it is given, when that ended the
    process again and again or could not be done; `held` gives a sign where one has to wait for those before it.
    """

    def __init__(
        self,
        inbox: Inbox,
        *,
        source: str,
        work: Work,
        give_up: GiveUp,
        held: Work | None = None,
        grace_s: float = GRACE_S,
    ) -> None:
        self._inbox = inbox
        self._source = source
        self._work = work
        self._give_up = give_up
        self._held = held
        self._grace_s = grace_s
        self._lanes: dict[str, deque[InboxEvent]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._working = False

    @property
    def waiting(self) -> int:
        """How many events are not finished."""
        return sum(len(lane) for lane in self._lanes.values())

    def order_of(self, key: str) -> str | None:
        """Return what the unfinished event with this key is put in order by; None where there is none."""
        waiting = (event for lane in self._lanes.values() for event in lane)
        return next((event.order_key for event in waiting if key in event.keys), None)

    async def accept(self, event: InboxEvent) -> bool:
        """Keep an event, then work it; False when it is known already. Acknowledge only after this has returned.

        Raises StorageTrouble when it could not be kept: then the platform has to send it again.
        """
        kept = await self._inbox.put(event)
        if kept is None:
            return False
        if self._held is not None and kept.order_key in self._lanes:
            self._start(self._held(kept))
        self._line_up(kept)
        return True

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Work events as long as the context is open; begins with what a former process left.

        At its end work under way gets a short grace; what is cut then stays in the inbox for the next start.
        """
        self._working = True
        for event in await self._inbox.unfinished(self._source):
            self._line_up(event)
        try:
            yield
        finally:
            self._working = False
            await self._wind_up()

    def _line_up(self, event: InboxEvent) -> None:
        lane = self._lanes.get(event.order_key)
        if lane is not None:
            lane.append(event)
            return
        self._lanes[event.order_key] = deque((event,))
        self._start(self._work_lane(event.order_key))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work_lane(self, order_key: str) -> None:
        """Work the events of one order key, oldest first, until there are no more."""
        lane = self._lanes[order_key]
        try:
            while lane and self._working:
                await self._work_event(lane[0])
                lane.popleft()
        finally:
            del self._lanes[order_key]

    async def _work_event(self, event: InboxEvent) -> None:
        error = ""
        try:
            await self._inbox.start(event.event_id)
            async with asyncio.timeout(LONGEST_WORK_S):
                if event.attempts >= MOST_ATTEMPTS:
                    error = f"ended the process {event.attempts} times"
                    await self._give_up(event, CUT_OFF)
                else:
                    await self._work(event)
        except Exception as trouble:  # noqa: BLE001 - one bad event must not end its lane
            _LOG.exception("An event of %s could not be worked", self._source)
            error = f"{type(trouble).__name__}: {trouble}"
            await self._apologise(event)
        await self._finish(event, error)

    async def _apologise(self, event: InboxEvent) -> None:
        try:
            async with asyncio.timeout(LONGEST_WORK_S):
                await self._give_up(event, BROKEN)
        except Exception:  # noqa: BLE001 - it is in the log; there is nobody left to tell
            _LOG.exception("Nor could that be said to anybody")

    async def _finish(self, event: InboxEvent, error: str) -> None:
        try:
            await self._inbox.finish(event.event_id, error=error)
        except StorageTrouble:
            _LOG.exception("An event of %s is done, but that could not be written", self._source)

    async def _wind_up(self) -> None:
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks, timeout=self._grace_s)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)


async def hand_over(core: Core, message: Message, reply: EditedReply, *, seats: Seats, running: Running) -> None:
    """Give a message to the core: with a seat where an answer is expected, and with an end in any case."""
    if reply.done:
        return
    if not message.addressed:
        await core.receive(message, reply)
        return
    running.add(reply, thread_key=message.room.thread_key, person_id=message.author.person_id)
    try:
        async with seats.seat(reply.wait):
            await core.receive(message, reply)
        if reply.unfinished:
            await reply.fail(BROKEN)
    finally:
        running.remove(reply)
        await reply.close()
