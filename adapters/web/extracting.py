"""Read pages in processes of their own: a page that hangs or crashes its reader takes nothing else with it."""

import asyncio
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from adapters.web.process import receive, send
from bot.domain.errors import Unreadable

T = TypeVar("T")
TRIES = 2
"""A process may be killed from outside; the second time it is the page."""
KEPT_NAMES = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "TEMP", "TMP", "TMPDIR", "TZ")
"""What the processes see of our environment: a stranger's page is read beside no token and no key."""


class Processes:
    """A few processes, started when first needed and replaced when they die, each doing one thing at a time."""

    def __init__(self, *, count: int, seconds: float) -> None:
        """`seconds`: how long one call may take before its process is ended."""
        self._seconds = seconds
        self._threads = ThreadPoolExecutor(max_workers=count, thread_name_prefix="reading")
        self._all = [Worker() for _ in range(count)]
        self._free: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        for worker in self._all:
            self._free.put_nowait(worker)

    def warm(self) -> None:
        """Start the process that takes the next job; it loads what it needs by itself meanwhile."""
        self._all[-1].start()

    async def run(self, job: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Return `job`'s result, which must be importable. Raises what it raises; Unreadable if it hangs or crashes."""
        worker = await self._free.get()
        try:
            return await self._run_on(worker, partial(job, *arguments, **named))
        finally:
            self._free.put_nowait(worker)

    async def _run_on(self, worker: "Worker", job: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        for _ in range(TRIES):
            worker.start()
            try:
                async with asyncio.timeout(self._seconds):
                    done = await loop.run_in_executor(self._threads, worker.do, job)
            except Broken:
                worker.start_anew()
            except TimeoutError as error:
                worker.start_anew()
                raise Unreadable("It takes too long to read.", reason="timed_out") from error
            except asyncio.CancelledError:
                worker.end()
                raise
            else:
                return done()
        raise Unreadable("It cannot be read: the reader broke down on it.")

    def close(self) -> None:
        """End every process."""
        for worker in self._all:
            worker.end()
        self._threads.shutdown()


class Worker:
    """One process, known by its number from the first moment, so that it can be ended at any."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process if there is none."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "adapters.web.process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment(),
                start_new_session=True,  # Ctrl-C in the terminal is for the main process alone
            )

    def do(self, job: Callable[[], T]) -> Callable[[], T]:
        """Have one job done, and wait for it; returns what gives its result or raises its error. Raises Broken."""
        process = self._process
        if process is None:
            raise Broken
        try:
            send(process.stdin, pickle.dumps(job))
            value, error = pickle.loads(receive(process.stdout))  # noqa: S301 - from our own process
        except (OSError, EOFError, ValueError) as trouble:
            raise Broken from trouble
        return partial(outcome, value, error)

    def end(self) -> None:
        """End the process, whatever it is doing; the next job starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in filter(None, (process.stdin, process.stdout)):
                with suppress(OSError):
                    pipe.close()  # a thread that waits at it meets its end now

    def start_anew(self) -> None:
        """End the process and start another, so that the next job finds it ready."""
        self.end()
        self.start()


class Broken(Exception):
    """The process has ended while it did a job, or before."""


def outcome(value: T, error: Exception | None) -> T:
    """Return a job's result or raise what it raised."""
    if error is not None:
        raise error
    return value


def environment() -> dict[str, str]:
    """Return what a process is given: where to find things, and nothing secret."""
    kept = {name: os.environ[name] for name in KEPT_NAMES if name in os.environ}
    return kept | {"PYTHONPATH": os.pathsep.join(sys.path)}
