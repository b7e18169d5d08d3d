"""Keep an answer within its time: what hangs is left behind, never waited for."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from bot.ports import Deadlines

Result = TypeVar("Result")

KEPT_BACK: Final = 0.05
"""Share of the total time kept for putting the answer together after its last word."""


class Late(TimeoutError):
    """Something did not come in time."""


class Watch:
    """How much time one question has left, in seconds."""

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines
        self._started = time.monotonic()

    def took_s(self) -> float:
        """Return the time since the question came."""
        return time.monotonic() - self._started

    def for_step(self) -> float:
        """Return what a step may take before the first word of the answer."""
        return max(0.0, min(self._deadlines.step_s, self._deadlines.first_word_s - self.took_s()))

    def for_rest(self) -> float:
        """Return what a step may take while or after the answer is written."""
        left = self._deadlines.total_s * (1 - KEPT_BACK) - self.took_s()
        return max(0.0, min(self._deadlines.step_s, left))

    def for_all(self) -> float:
        """Return what is left of the whole time."""
        return max(0.0, self._deadlines.total_s - self.took_s())


async def within(seconds: float, work: Coroutine[Any, Any, Result]) -> Result:
    """Return the result of `work`; raise Late when it is not there in time, without waiting for it to stop."""
    return await kept(seconds, asyncio.ensure_future(work))


async def kept(seconds: float, task: "asyncio.Future[Result]") -> Result:
    """Return the result of a running task in time, or leave it behind, cancelled. Raises Late."""
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        leave(task)
        raise
    if not done:
        leave(task)
        raise Late(f"no reply within {seconds:.3g} s")
    return task.result()


def leave(task: "asyncio.Future[Any]") -> None:
    """Cancel a task and take no more notice of how it ends."""
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    task.cancel()
