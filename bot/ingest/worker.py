"""Work the durable queue: several pages at once, a bad one never in the way of another."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import structlog

from bot.domain.errors import NotReady, PalaceError, StorageTrouble
from bot.domain.memories import Filters, Memory, State
from bot.ingest.pipeline import Ingest
from bot.ports import Clock, MemoryStore

AT_ONCE = 96
"""Under way at once, most of them waiting for the model: see READ_AT_ONCE in pipeline.py."""
LOOK_EVERY_S = 2.0
"""For memories whose next try has come; what is shared now wakes the worker at once."""
AFTER_TROUBLE_S = 5.0
AFTER_SURPRISE = timedelta(minutes=30)
SURPRISES = 3

log = structlog.get_logger(__name__)
Progress = Callable[[int, int, Memory], None]


class Worker:
    """Claims memories and has them read, forever (`run`) or until none is left (`drain`)."""

    def __init__(self, *, memories: MemoryStore, ingest: Ingest, clock: Clock, at_once: int = AT_ONCE) -> None:
        self._memories = memories
        self._ingest = ingest
        self._clock = clock
        self._at_once = at_once
        self._active: dict[asyncio.Task[None], Memory] = {}
        self._wake = asyncio.Event()
        self._released = False
        self._done = 0

    def nudge(self) -> None:
        """Look at the queue now."""
        self._wake.set()

    async def run(self) -> None:
        """Work the queue until cancelled; what is under way then goes back into it."""
        await self._work(None, until_empty=False)

    async def drain(self, progress: Progress | None = None) -> None:
        """Work the queue until nothing is due. `progress(done, total, memory)` is called after each memory."""
        await self._work(progress, until_empty=True)

    async def _work(self, progress: Progress | None, *, until_empty: bool) -> None:
        self._done = 0
        try:
            await self._release()
            while await self._fill(progress) or self._active or not until_empty:
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_EVERY_S):  # wait_for of 3.11 may lose a cancelling
                        await self._wake.wait()
                self._wake.clear()
        finally:
            await self._put_back()

    async def _release(self) -> None:
        """Take over what a killed process left, once."""
        if not self._released:
            await self._memories.release_stale()
            self._released = True

    async def _fill(self, progress: Progress | None) -> bool:
        """Start as many readings as there is room for; returns whether any was started."""
        room = self._at_once - len(self._active)
        try:
            claimed = await self._memories.claim(self._clock.now(), limit=room) if room else ()
        except StorageTrouble as error:
            log.warning("queue not readable", why=str(error))
            await asyncio.sleep(AFTER_TROUBLE_S)
            return False
        active = {memory.memory_id for memory in self._active.values()}
        for memory in claimed:
            if memory.memory_id in active:  # its lease ran out: a long book
                continue
            task = asyncio.create_task(self._one(memory, progress), name=f"read {memory.memory_id}")
            self._active[task] = memory
            task.add_done_callback(self._finished)
        return bool(claimed)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._active.pop(task, None)
        self._wake.set()

    async def _one(self, memory: Memory, progress: Progress | None) -> None:
        try:
            after = await self._ingest.process(memory)
        except Exception as error:  # noqa: BLE001 - whatever one page does, the others are read
            after = await self._set_aside(memory, error)
        left = await self._left() if progress else 0
        self._done += 1
        if progress:
            progress(self._done, self._done + left, after)

    async def _set_aside(self, memory: Memory, error: Exception) -> Memory:
        """Record a failure that is not the page's, to be tried a few times more."""
        ours = isinstance(error, PalaceError)
        if ours:  # a full disk or a missing model would be told once a page: whoever waits for the pages says it once
            log.info("reading failed", memory=memory.memory_id, why=str(error))
        else:
            log.error("reading failed", memory=memory.memory_id, why=repr(error), exc_info=error)
        again = memory.attempts < SURPRISES or isinstance(error, StorageTrouble | NotReady)
        state: State = "failed" if again else "link_only"
        with suppress(StorageTrouble):
            await self._memories.set_state(
                memory.memory_id,
                "ready" if memory.read_at else state,
                reason=memory.reason if memory.read_at else "unreadable",
                detail=str(error) if ours else "Reading it failed for a reason nobody foresaw; it is in the log.",
                next_try=self._clock.now() + AFTER_SURPRISE if again else None,
            )
        return memory

    async def _left(self) -> int:
        """Return how many are still to be read, those under way included."""
        return await self._memories.count(Filters(states=("queued", "fetching")), None)

    async def _put_back(self) -> None:
        """Stop what is under way and queue it again, so that nothing is left half read."""
        under_way = dict(self._active)
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        for task, memory in under_way.items():
            if task.cancelled():
                with suppress(StorageTrouble):
                    await self._memories.set_state(memory.memory_id, "queued")
