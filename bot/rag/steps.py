"""Take one step by the best way that works: one that is late or fails gives over to the next, and the trace says so."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.domain.answers import StepName
from bot.domain.errors import ModelTrouble, ModelUnavailable, NotReady, PalaceError
from bot.rag.deadlines import Late, Watch, within
from bot.rag.journal import Journal, WayName

Result = TypeVar("Result")
Said = tuple[str, Mapping[str, object]]
"""What a step decided, in words and as named values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way(Generic[Result]):
    """One way to take a step."""

    run: Callable[[], Coroutine[Any, Any, Result]]
    name: WayName = "local"
    needs: str = ""
    """What it depends on ("planning", "answering", "meaning"): once late or down, not asked again for this question."""


class Steps:
    """The steps of one question, with its journal and its watch."""

    def __init__(self, journal: Journal, watch: Watch) -> None:
        self.journal = journal
        self.watch = watch
        self.down: dict[str, str] = {}
        """What is not to be asked again for this question, and why."""

    async def take(
        self,
        step: StepName,
        *ways: Way[Result],
        say: Callable[[Result], Said],
        detail: str = "",
        seconds: Callable[[], float] | None = None,
    ) -> Result:
        """Return the first way's result that comes in time. Raises the last way's trouble when none does."""
        self.journal.start(step, detail)
        value, way, why = await self.first(step, *ways, seconds=seconds)
        summary, facts = say(value)
        self.journal.finish(step, summary, way=way.name, fallback=why, facts=facts)
        return value

    async def first(
        self, step: StepName, *ways: Way[Result], seconds: Callable[[], float] | None = None
    ) -> tuple[Result, Way[Result], str]:
        """Return the result, the way it came, and why not the first way."""
        reasons: list[str] = []
        trouble: Exception = NotReady(f"Nothing could {step} just now.")
        for way in ways:
            if way.needs in self.down:
                reasons.append(self.down[way.needs])
                continue
            try:
                value = await within((seconds or self.watch.for_step)(), way.run())
            except (PalaceError, Late) as error:
                trouble = error
                reasons.append(self.failed(way.needs, error))
                continue
            why = "; ".join(dict.fromkeys(reasons))
            if why:
                self.journal.fall_back(step, why)
            return value, way, why
        raise trouble

    def failed(self, needs: str, error: Exception) -> str:
        """Return why a way failed; what is late or unreachable is not asked again for this question."""
        why = f"{needs or 'local'}: {error}"
        if isinstance(error, ModelTrouble):
            self.journal.spend(error.use)
        if needs and isinstance(error, Late | ModelUnavailable | NotReady):
            self.down[needs] = why
        return why
