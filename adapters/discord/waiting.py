"""Show who waits which place in line: a typing line has no words, so the message that the answer will fill says it."""

from adapters.drafting import Wanted
from adapters.streaming import EditedReply
from adapters.wording import stopped_text, waiting_text


class WaitingReply(EditedReply):
    """A reply that stands in its channel from the moment it has to wait."""

    _waits = False
    """Whether the message shows what is going on, and no words of the answer yet."""

    def stop(self) -> None:
        super().stop()
        if self._waits:
            self._want(Wanted(text=stopped_text(), stage="live"))  # its turn may be long in coming

    async def wait(self, place: int) -> None:
        """Show the first place and the last one: every move of a long line would cost an edit of each message."""
        if place == 1 or not self._waits:
            await self._show_instead(waiting_text(place))

    async def status(self, text: str) -> None:
        await (self._show_instead(f"{text}…") if self._waits else super().status(text))

    async def show(self, text_so_far: str) -> None:
        self._waits = False
        await super().show(text_so_far)

    async def _show_instead(self, text: str) -> None:
        await super().show(f"*{text}*")
        self._waits = True
