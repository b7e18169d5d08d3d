"""Read pages in processes of their own: a page that hangs or crashes its reader takes nothing else with it."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from bot.domain.errors import Unreadable

T = TypeVar("T")
POLITENESS = 10
TRIES = 2
"""A process may be killed from outside; the second time it is the page."""


class Processes:
    """A few processes, started when first needed and replaced when they die, each doing one thing at a time."""

    def __init__(self, *, count: int, seconds: float) -> None:
        """`seconds`: how long one call may take before its process is ended."""
        self._seconds = seconds
        self._free: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        self._all = [Worker() for _ in range(count)]
        for worker in self._all:
            self._free.put_nowait(worker)

    async def run(self, job: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Return `job`'s result, which must be importable. Raises what it raises; Unreadable if it hangs or crashes."""
        worker = await self._free.get()
        try:
            return await self._run_on(worker, partial(job, *arguments, **named))
        finally:
            self._free.put_nowait(worker)

    async def _run_on(self, worker: "Worker", job: Callable[[], T]) -> T:
        for _ in range(TRIES):
            try:
                async with asyncio.timeout(self._seconds):
                    return await asyncio.wrap_future(worker.submit(job))
            except BrokenProcessPool:
                worker.end()
            except TimeoutError as error:
                worker.end()
                raise Unreadable("It takes too long to read.", reason="timed_out") from error
            except asyncio.CancelledError:
                worker.end()
                raise
        raise Unreadable("It cannot be read: the reader broke down on it.")

    def close(self) -> None:
        """End every process."""
        for worker in self._all:
            worker.end()


class Worker:
    """One process behind an executor of its own, whose number is known so that it can be ended."""

    def __init__(self) -> None:
        self._executor: ProcessPoolExecutor | None = None
        self._number: Future[int] | None = None

    def submit(self, job: Callable[[], T]) -> "Future[T]":
        """Start the process if there is none, and hand it the job."""
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                max_workers=1, mp_context=multiprocessing.get_context("spawn"), initializer=step_back
            )
            self._number = self._executor.submit(os.getpid)
        return self._executor.submit(job)

    def end(self) -> None:
        """End the process, whatever it is doing; the next job starts another."""
        if self._executor is None or self._number is None:
            return
        if self._number.done() and not self._number.cancelled() and self._number.exception() is None:
            with suppress(ProcessLookupError):
                os.kill(self._number.result(), signal.SIGKILL)
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._number = None


def step_back() -> None:
    """Leave Ctrl-C to the main process, the processor to whoever answers people; end when the main process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(POLITENESS)
    threading.Thread(target=end_with_parent, name="end with parent", daemon=True).start()


def end_with_parent() -> None:
    """Wait for the main process's end, however sudden: an executor's process would wait for its next job for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
