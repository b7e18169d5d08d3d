"""A strict destination: refuses what is too long, too fast or out of place, and fails when told to."""

from collections import deque
from collections.abc import Callable

from adapters.outlet import Draft, MessageGone
from adapters.pacing import Budget, Pace
from adapters.rendering import parse, plain
from bot.domain.replies import Sign
from tests.fakes.timing import FakeTime


class FakeOutlet:
    """Keeps its messages in a dictionary and every call with its time; `fail` queues exceptions."""

    def __init__(
        self,
        time: FakeTime,
        *,
        limit: int = 400,
        measure: Callable[[str], int] = len,
        every_s: float = 1.0,
        live: bool = True,
        status_apart: bool = False,
        budget: Budget | None = None,
        delay_s: float = 0.0,
    ) -> None:
        self.limit = limit
        self.measure = measure
        self.pace = Pace(every_s=every_s, posts=None, edits=budget, timing=time.timing)
        self.live = live
        self.status_apart = status_apart
        self.messages: dict[str, Draft] = {}
        self.calls: list[tuple[float, str, str]] = []
        self.statuses: list[str] = []
        self.signs: list[Sign] = []
        self.lost_posts_arrive = True
        self.findable = True
        self._failures: deque[Exception | None] = deque()
        self._time = time
        self._delay_s = delay_s
        self._busy = False

    def fail(self, *errors: Exception | None) -> None:
        """Let the next calls fail, in order; None lets one pass."""
        self._failures.extend(errors)

    @property
    def texts(self) -> list[str]:
        return [plain(parse(draft.markdown)) for draft in self.messages.values()]

    @property
    def whole(self) -> str:
        return "\n".join(self.texts)

    async def status(self, text: str) -> None:
        await self._call("status", text)
        self.statuses.append(text)

    async def post(self, draft: Draft) -> str:
        reference = f"m{len([call for call in self.calls if call[1] == 'post']) + 1}"
        await self._call("post", draft.markdown, lambda: self.messages.update({reference: draft}))
        self.messages[reference] = draft
        return reference

    async def edit(self, reference: str, draft: Draft) -> None:
        await self._call("edit", draft.markdown)
        if reference not in self.messages:
            raise MessageGone(reference)
        self.messages[reference] = draft

    async def delete(self, reference: str) -> None:
        await self._call("delete", "")
        self.messages.pop(reference, None)

    async def find(self, key: str) -> str | None:
        found = (reference for reference, draft in self.messages.items() if draft.key == key)
        return next(found, None) if self.findable else None

    async def mark(self, sign: Sign) -> None:
        self.signs.append(sign)

    async def _call(self, name: str, markdown: str, arrive: Callable[[], None] = lambda: None) -> None:
        assert not self._busy, "two calls in flight"
        assert self.measure(markdown) <= self.limit, "message too long"
        assert name in {"status", "delete"} or markdown.strip(), "empty message"
        self.calls.append((self._time.moment, name, markdown))
        self._busy = True
        try:
            if self._delay_s:
                await self._time.sleep(self._delay_s)
            error = self._failures.popleft() if self._failures else None
            if error is not None:
                if type(error).__name__ == "MaybeSent" and self.lost_posts_arrive:
                    arrive()
                raise error
        finally:
            self._busy = False
