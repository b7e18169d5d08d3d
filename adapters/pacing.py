"""Decide when the next call to a platform may go: a pace a destination, and budgets that destinations share."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

Call = Literal["post", "edit", "status", "delete"]

WINDOW_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The time that passes, in seconds, so that a test can choose it."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Budget:
    """So many calls a minute that several destinations share, with `kept` of them for final texts alone.

    Live edits are spread over the minute once a short burst is spent, so that many answers at once all move,
    only slower; final texts may use everything at once, but for `gap_s`, a least time between any two calls.
    """

    def __init__(
        self, *, per_minute: int, kept: int, burst: int = 5, gap_s: float = 0.0, timing: Timing | None = None
    ) -> None:
        self._per_minute = per_minute
        self._kept = kept
        self._gap_s = WINDOW_S / (per_minute - kept)
        self._lead_s = self._gap_s * (burst - 1)
        self._timing = timing or Timing()
        self._made: deque[float] = deque()
        self._least_gap_s = gap_s
        self._next_live = 0.0
        self._cool_until = 0.0

    def delay(self, *, final: bool) -> float:
        """Return how many seconds the next call has to wait; 0 when it may go now."""
        now = self._timing.now()
        self._expire(now)
        waits = [self._cool_until - now]
        if self._made:
            waits.append(self._made[-1] + self._least_gap_s - now)
        if len(self._made) >= self._per_minute:
            waits.append(self._made[0] + WINDOW_S - now)
        if not final:
            waits.append(self._next_live - self._lead_s - now)
        return max(0.0, *waits)

    def count(self, *, final: bool) -> None:
        """Record a call that goes now."""
        now = self._timing.now()
        self._made.append(now)
        if not final:
            self._next_live = max(now, self._next_live) + self._gap_s

    def fill(self) -> None:
        """Believe that a former process has just used all but what is kept: it cannot be asked."""
        self._made.extend([self._timing.now()] * (self._per_minute - self._kept))

    def cool_off(self, seconds: float) -> None:
        """Let nothing go for so long: the platform asked for it."""
        self._cool_until = max(self._cool_until, self._timing.now() + seconds)

    def cooling(self) -> float:
        """Return for how many seconds more nothing may go at all."""
        return max(0.0, self._cool_until - self._timing.now())

    def _expire(self, now: float) -> None:
        while self._made and self._made[0] <= now - WINDOW_S:
            self._made.popleft()


class Pace:
    """The pace of one destination: one call in flight, a least time between two, shared budgets, cool-offs."""

    def __init__(
        self,
        *,
        every_s: float,
        posts: Budget | None = None,
        edits: Budget | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.every_s = every_s
        self.in_flight = asyncio.Lock()
        self._budgets: dict[Call, Budget | None] = {"post": posts, "edit": edits, "status": None, "delete": None}
        self._timing = timing or Timing()
        self._next = 0.0

    def delay(self, call: Call, *, final: bool) -> float:
        """Return how many seconds this call has to wait; 0 when it may go now."""
        own = max(0.0, self._next - self._timing.now())
        budget = self._budgets[call]
        return max(own, budget.delay(final=final)) if budget else own

    def count(self, call: Call, *, final: bool) -> None:
        """Record a call that goes now."""
        self._next = max(self._next, self._timing.now() + self.every_s)
        if budget := self._budgets[call]:
            budget.count(final=final)

    def cool_off(self, call: Call, seconds: float) -> None:
        """Obey a Retry-After: this destination is silent, and the shared budget of that call with it."""
        self._next = max(self._next, self._timing.now() + seconds)
        if budget := self._budgets[call]:
            budget.cool_off(seconds)

    def hold(self, seconds: float) -> None:
        """Leave this destination alone for a while, after a failure of its own."""
        self._next = max(self._next, self._timing.now() + seconds)
