"""Keep an answer within its time: what hangs is left behind, never waited for."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from bot.ports import Deadlines

Result = TypeVar("Result")

KEPT_BACK: Final = 0.05
"""Share of the total time kept for putting the answer together after its last word."""


LONGEST_S: Final = 300.0
"""No answer takes longer, however steadily its words come."""


class Late(TimeoutError):
    """Something did not come in time."""


class Watch:
    """How much time one question has left, in seconds: while words of its answer come, it goes on."""

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines
        self._started = time.monotonic()
        self._ends = self._started + deadlines.total_s
        self._heard = False

    def took_s(self) -> float:
        """Return the time since the question came."""
        return time.monotonic() - self._started

    def heard(self) -> None:
        """Note that words of the answer came: what follows may take as long as after a last moment's first word."""
        self._heard = True
        grace = self._deadlines.total_s - self._deadlines.first_word_s
        self._ends = max(self._ends, min(time.monotonic() + grace, self._started + LONGEST_S))

    def for_step(self) -> float:
        """Return what a step may take before the first word of the answer."""
        return max(0.0, min(self._deadlines.step_s, self._deadlines.first_word_s - self.took_s()))

    def for_words(self) -> float:
        """Return how long the next words of an answer may take."""
        return self.for_rest() if self._heard else self.for_step()

    def for_rest(self) -> float:
        """Return what a step may take while or after the answer is written."""
        kept_back = self._deadlines.total_s * KEPT_BACK
        return max(0.0, min(self._deadlines.step_s, self.for_all() - kept_back))

    def for_quoting(self) -> float:
        """Return what the sources' own sentences may take, which stand in for what did not come."""
        return max(self.for_rest(), self.for_all() / 2)

    def for_all(self) -> float:
        """Return what is left of the whole time."""
        return max(0.0, self._ends - time.monotonic())


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
