"""Wait a moment for what belongs together, and work it once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiogram.types import Message as TelegramMessage

from adapters.pacing import Timing
from bot.ports import InboxEvent

Gathered = tuple[tuple[InboxEvent, TelegramMessage], ...]

LONGEST_S = 5.0
"""A steady stream of forwards is worked in pieces of this length."""
MOST = 100


@dataclass(slots=True)
class _Bundle:
    latest: float
    until: float = 0.0
    items: list[tuple[InboxEvent, TelegramMessage]] = field(default_factory=list)
    done: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Gathering:
    """Bundles by key: who comes first waits and works for all, the others are done when it is."""

    def __init__(self, work: Callable[[Gathered], Awaitable[None]], timing: Timing) -> None:
        self._work = work
        self._timing = timing
        self._open: dict[str, _Bundle] = {}

    async def join(self, key: str, event: InboxEvent, message: TelegramMessage, *, settle_s: float) -> None:
        """Add a message to the bundle of its key and return when that has been worked."""
        bundle = self._open.get(key)
        first = bundle is None or len(bundle.items) >= MOST
        if bundle is None or first:
            bundle = self._open[key] = _Bundle(latest=self._timing.now() + LONGEST_S)
        bundle.items.append((event, message))
        bundle.until = min(bundle.latest, max(bundle.until, self._timing.now() + settle_s))
        if first:
            await self._lead(key, bundle)
        else:
            await asyncio.shield(bundle.done)

    async def _lead(self, key: str, bundle: _Bundle) -> None:
        """Work a bundle once it has settled. What is cut off or fails, fails for all of it: nothing is lost."""
        try:
            while (left := bundle.until - self._timing.now()) > 0:
                await self._timing.sleep(left)
            if self._open.get(key) is bundle:
                del self._open[key]
            await self._work(tuple(bundle.items))
        except asyncio.CancelledError:
            bundle.done.cancel()
            raise
        except Exception as error:
            bundle.done.set_exception(error)
            bundle.done.exception()  # heard, also where nobody else waits for it
            raise
        else:
            bundle.done.set_result(None)
