"""Give many messages one receipt: what the core says of each is collected and said once."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from adapters.wording import answer_text
from bot.domain.answers import Answer
from bot.domain.replies import Button, Notice, Sign
from bot.ports import Reply

NUMBERED = {"undo", "retry"}
"""What is offered for each of several items; the rest needs one to be meant."""


@dataclass
class Collected:
    """A `bot.ports.Reply` that keeps what it is told."""

    notices: list[Notice] = field(default_factory=list)
    signs: list[Sign] = field(default_factory=list)
    stopped: bool = False

    async def status(self, text: str) -> None:
        """Nothing is shown for one of many."""

    async def show(self, text_so_far: str) -> None:
        """Nothing is shown for one of many."""

    async def finish(self, answer: Answer) -> None:
        self.notices.append(Notice(text=answer_text(answer)))

    async def fail(self, reason: str) -> None:
        self.notices.append(Notice(text=reason))

    async def say(self, notice: Notice) -> None:
        self.notices.append(notice)

    async def mark(self, sign: Sign) -> None:
        self.signs.append(sign)


async def tell(collected: Sequence[Collected], reply: Reply) -> None:
    """Say what was collected: one receipt, one sign."""
    notices = [notice for one in collected for notice in one.notices]
    signs = [sign for one in collected for sign in one.signs]
    if signs:
        await reply.mark(next((sign for sign in ("failed", "saved", "known") if sign in signs), signs[0]))
    if notices:
        await reply.say(joined(notices))


def joined(notices: Sequence[Notice]) -> Notice:
    """Return several receipts as one, its buttons numbered like its lines."""
    if len(notices) == 1:
        return notices[0]
    lines = [f"{number}\\. {notice.text}" for number, notice in enumerate(notices, 1)]
    buttons = [
        replace(button, label=f"{button.label} {number}")
        for number, notice in enumerate(notices, 1)
        for button in notice.buttons
        if button.name in NUMBERED
    ]
    memory_ids = tuple(memory_id for notice in notices for memory_id in notice.memory_ids)
    return Notice(text="\n".join(lines), buttons=_sorted(buttons), kind="receipt", memory_ids=memory_ids)


def _sorted(buttons: Sequence[Button]) -> tuple[Button, ...]:
    return tuple(sorted(buttons, key=lambda button: button.name, reverse=True))
