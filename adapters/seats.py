"""Bound the answers written at once, show who waits their place, and find a running answer to stop it."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from adapters.streaming import EditedReply

ANSWERS_AT_ONCE = 4
MOST_HEARD = 200
STOP_WORDS = frozenset({"stop", "halt", "cancel", "stopp", "arrête", "arrete", "basta", "para", "стоп", "停止"})


class Seats:
    """So many answers at once; who waits is told the place in the queue."""

    def __init__(self, count: int = ANSWERS_AT_ONCE) -> None:
        self._free = count
        self._queue: deque[_Waiting] = deque()

    @asynccontextmanager
    async def seat(self, show: Callable[[int], Awaitable[None]]) -> AsyncIterator[None]:
        """Hold a seat; `show` is called with the place in the queue (1 is next) whenever it changes."""
        if self._free > 0:
            self._free -= 1
        else:
            await self._wait(_Waiting(show))
        try:
            yield
        finally:
            await self._hand_on()

    async def _wait(self, waiting: "_Waiting") -> None:
        self._queue.append(waiting)
        await waiting.show(len(self._queue))
        try:
            await waiting.called.wait()
        except asyncio.CancelledError:
            if waiting in self._queue:
                self._queue.remove(waiting)
            else:
                await self._hand_on()
            raise

    async def _hand_on(self) -> None:
        """Give the seat to whoever waits longest, and tell the others that they moved up."""
        if not self._queue:
            self._free += 1
            return
        self._queue.popleft().called.set()
        for place, waiting in enumerate(tuple(self._queue), start=1):
            await waiting.show(place)


class _Waiting:
    """Somebody in the queue."""

    def __init__(self, show: Callable[[int], Awaitable[None]]) -> None:
        self.show = show
        self.called = asyncio.Event()


class Running:
    """The replies that are being written, so that a stop button or a "stop" finds them."""

    def __init__(self) -> None:
        self._replies: dict[str, tuple[str, str, EditedReply]] = {}
        self._heard: deque[tuple[str, str]] = deque(maxlen=MOST_HEARD)

    def add(self, reply: EditedReply, *, thread_key: str, person_id: str) -> None:
        """Note a reply to a person in a thread."""
        self._replies[reply.key] = (thread_key, person_id, reply)

    def remove(self, reply: EditedReply) -> None:
        """Forget a reply that has ended."""
        self._replies.pop(reply.key, None)

    def stop(self, key: str) -> bool:
        """Stop the reply whose button was pressed; False when it has ended already."""
        known = self._replies.get(key)
        if known is not None:
            known[2].stop()
        return known is not None

    def stop_in(self, thread_key: str, *, person_id: str = "") -> bool:
        """Stop the replies of a thread (those to one person); False when there are none."""
        found = [
            reply
            for thread, person, reply in self._replies.values()
            if thread == thread_key and person_id in {"", person}
        ]
        for reply in found:
            reply.stop()
        return bool(found)

    def hear_stop(self, text: str, thread_key: str, *, person_id: str, message_id: str) -> bool:
        """Stop the replies to a person who asks for it; False for other words and where there is nothing to stop.

        A message that comes twice, as itself and as a mention say, is heard both times.
        """
        if not asks_to_stop(text):
            return False
        asked = (thread_key, message_id)
        if self.stop_in(thread_key, person_id=person_id):
            self._heard.append(asked)
        return asked in self._heard


def asks_to_stop(text: str) -> bool:
    """Whether a message says nothing but that the answer under way should end."""
    return text.strip().strip(".!/").casefold() in STOP_WORDS
