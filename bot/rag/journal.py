"""Write down what happens while a question is answered: events for who listens, the trace for later."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bot.domain.answers import (
    Answer,
    AnswerEvent,
    Citation,
    Fallback,
    Grade,
    ModelUse,
    Plan,
    Question,
    StepFinished,
    StepName,
    StepStarted,
    TextSoFar,
    Trace,
    VerdictName,
)
from bot.domain.memories import Passage

WayName = Literal["local", "model"]


@dataclass(slots=True, kw_only=True)
class Journal:
    """The record of one question, filled as its steps run. `tell` hands an event to who listens, at once."""

    question: Question
    trace_id: str
    tell: Callable[[AnswerEvent], None]
    steps: list[StepFinished] = field(default_factory=list)
    fallbacks: list[Fallback] = field(default_factory=list)
    uses: list[ModelUse] = field(default_factory=list)
    passages: tuple[Passage, ...] = ()
    grades: tuple[Grade, ...] = ()
    plan: Plan | None = None
    verdict: VerdictName = "not_needed"
    text: str = ""
    started: float = field(default_factory=time.monotonic)
    began: dict[StepName, float] = field(default_factory=dict)

    def start(self, step: StepName, detail: str = "") -> None:
        """Note that a step begins."""
        self.began[step] = time.monotonic()
        self.tell(StepStarted(step=step, detail=detail))

    def fall_back(self, step: StepName, why: str) -> None:
        """Note that a step goes another way than planned."""
        self.fallbacks.append(Fallback(step=step, why=why))

    def finish(
        self,
        step: StepName,
        summary: str,
        *,
        way: WayName = "local",
        fallback: str = "",
        facts: Mapping[str, object] | None = None,
    ) -> None:
        """Note how a step has ended."""
        took = time.monotonic() - self.began.pop(step, time.monotonic())
        told = tuple((name, str(value)) for name, value in (facts or {}).items())
        finished = StepFinished(
            step=step, took_ms=round(took * 1000), summary=summary, way=way, fallback=fallback, facts=told
        )
        self.steps.append(finished)
        self.tell(finished)

    def spend(self, use: ModelUse | None) -> None:
        """Note what a model was paid for, used or not."""
        if use is not None:
            self.uses.append(use)

    def show(self, text: str) -> None:
        """Note how the answer reads now."""
        if text and text != self.text:
            self.text = text
            self.tell(TextSoFar(text=text))

    def answer(self, text: str, *, citations: Sequence[Citation] = (), **values: object) -> Answer:
        """Return the answer, with what is known of how it came about."""
        plan = self.plan
        known: dict[str, object] = {
            "intent": plan.route.intent if plan else "simple_lookup",
            "confidence": plan.route.confidence if plan else 0.0,
            "standalone": plan.standalone if plan else self.question.text,
            "queries": plan.queries if plan else (),
            "verdict": self.verdict,
            "language": plan.language if plan else "",
            "citations": tuple(citations),
            "memory_ids": tuple(
                dict.fromkeys([*(p.memory_id for p in self.passages), *(c.memory_id for c in citations)])
            ),
        }
        took_ms = round((time.monotonic() - self.started) * 1000)
        fallbacks = tuple(self.fallbacks)
        return Answer(text=text, took_ms=took_ms, fallbacks=fallbacks, trace_id=self.trace_id, **(known | values))  # type: ignore[arg-type] # the names are those of Answer's fields

    def trace(self, answer: Answer) -> Trace:
        """Return everything as it is kept."""
        question = self.question
        return Trace(
            trace_id=self.trace_id,
            asked_at=question.asked_at,
            question=question.text,
            room_key=question.room.key,
            person_key=question.person.key,
            scope_keys=tuple(scope.key for scope in question.scopes),
            answer=answer,
            steps=tuple(self.steps),
            passages=self.passages,
            grades=self.grades,
            uses=tuple(self.uses),
        )
