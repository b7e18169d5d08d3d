"""A time that only moves when a test moves it."""

import asyncio
import heapq
from itertools import count

from adapters.pacing import Timing


class FakeTime:
    """`now` and `sleep` of `adapters.pacing.Timing`; `pass_time` lets sleepers wake in their order."""

    def __init__(self) -> None:
        self.moment = 1000.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = count()

    @property
    def timing(self) -> Timing:
        return Timing(now=lambda: self.moment, sleep=self.sleep)

    async def sleep(self, seconds: float) -> None:
        future = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.moment + seconds, next(self._order), future))
        await future

    async def pass_time(self, seconds: float) -> None:
        """Let so much time pass, with everything that happens in it."""
        end = self.moment + seconds
        await settle()
        while self._sleepers and self._sleepers[0][0] <= end:
            moment, _, future = heapq.heappop(self._sleepers)
            if future.done():
                continue
            self.moment = max(self.moment, moment)
            future.set_result(None)
            await settle()
        self.moment = end


async def settle() -> None:
    """Let everything happen that needs no time."""
    for _ in range(40):
        await asyncio.sleep(0)
