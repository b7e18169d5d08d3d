"""Tell a failure to the one person whose press caused it, where what succeeds is shown to all who see the button."""

from typing import Final

from adapters.streaming import EditedReply
from bot.domain.answers import Answer
from bot.domain.replies import Notice, Sign

REPLACING: Final = frozenset({"undo", "confirm", "cancel"})
"""Buttons that are used up by a press: what came of it stands where they were."""


class AsideReply:
    """A `bot.ports.Reply`: `shown` takes what all see, `aside` why there is nothing to see."""

    def __init__(self, shown: EditedReply, aside: EditedReply) -> None:
        self._shown = shown
        self._aside = aside

    @property
    def stopped(self) -> bool:
        return self._shown.stopped

    async def status(self, text: str) -> None:
        await self._shown.status(text)

    async def show(self, text_so_far: str) -> None:
        await self._shown.show(text_so_far)

    async def finish(self, answer: Answer) -> None:
        await self._shown.finish(answer)

    async def fail(self, reason: str) -> None:
        await self._aside.fail(reason)

    async def say(self, notice: Notice) -> None:
        await self._shown.say(notice)

    async def mark(self, sign: Sign) -> None:
        await self._shown.mark(sign)
