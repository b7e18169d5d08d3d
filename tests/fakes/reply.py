"""A reply that writes down what it was told, and a clock that stands where it was put."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bot.domain.answers import Answer
from bot.domain.replies import Notice, Sign


@dataclass
class RecordingReply:
    """Everything said, in order; `stopped` is set by the test."""

    statuses: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    signs: list[Sign] = field(default_factory=list)
    stopped: bool = False

    async def status(self, text: str) -> None:
        self.statuses.append(text)

    async def show(self, text_so_far: str) -> None:
        self.shown.append(text_so_far)

    async def finish(self, answer: Answer) -> None:
        self.answers.append(answer)

    async def fail(self, reason: str) -> None:
        self.failures.append(reason)

    async def say(self, notice: Notice) -> None:
        self.notices.append(notice)

    async def mark(self, sign: Sign) -> None:
        self.signs.append(sign)

    @property
    def said(self) -> str:
        """The last notice's text."""
        return self.notices[-1].text


@dataclass
class StandingClock:
    """A clock that moves only when told to."""

    moment: datetime = datetime(2026, 5, 3, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def move(self, **by: float) -> None:
        self.moment += timedelta(**by)
