"""Plan by one model call, and read its reply field by field: what is missing or malformed is decided locally."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.domain.answers import Intent, Question
from bot.domain.messages import Turn
from bot.ports import ModelRequest
from bot.prompts import load
from bot.rag.fence import Fence, told

INTENTS: Final[tuple[Intent, ...]] = get_args(Intent)
SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string"},
        "intent": {"type": "string", "enum": list(INTENTS)},
        "confidence": {"type": "number"},
        "needs_context": {"type": "boolean"},
        "standalone": {"type": "string"},
        "entities": {"type": "array", "items": {"type": "string"}},
        "wordings": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["reasoning", "intent", "confidence", "needs_context", "standalone", "entities", "wordings"],
    "additionalProperties": False,
}
YES, NO = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What a planning reply really says; None where it says nothing that can be read."""

    intent: Intent | None
    confidence: float
    why: str
    needs_context: bool | None
    standalone: str | None
    entities: tuple[str, ...]
    wordings: tuple[str, ...]

    @property
    def faults(self) -> tuple[str, ...]:
        """Name what could not be read."""
        read = {"intent": self.intent, "needs_context": self.needs_context}
        lacking = tuple(name for name, value in read.items() if value is None)
        return (*lacking, "standalone") if self.needs_context and not self.standalone else lacking


def planning_request(question: Question, history: Sequence[Turn]) -> ModelRequest:
    """Return the call: the message in its own words, the conversation as data."""
    prompt, fence = load("plan"), Fence()
    content = prompt.fill(
        code=fence.code,
        today=today(question.asked_at, question.timezone),
        history=fence.around("the conversation before, oldest first", told(history)),
        question=question.text,
    )
    return ModelRequest(
        role="planning", step="plan", system=prompt.system, content=content, schema=SCHEMA, max_tokens=1024
    )


def read_plan(value: Mapping[str, Any]) -> Planned:
    """Return what a reply says, each field checked for itself."""
    intent = value.get("intent")
    standalone = text(value.get("standalone"))
    return Planned(
        intent=next((known for known in INTENTS if known == intent), None),
        confidence=share(value.get("confidence")),
        why=text(value.get("reasoning")),
        needs_context=truth(value.get("needs_context")),
        standalone=standalone or None,
        entities=texts(value.get("entities")),
        wordings=texts(value.get("wordings")),
    )


def truth(value: Any) -> bool | None:
    """Return what a yes or no says, also one written as text: bool("false") would be True."""
    if isinstance(value, bool):
        return value
    word = value.strip().lower() if isinstance(value, str) else ""
    return True if word in YES else False if word in NO else None


def share(value: Any) -> float:
    """Return a number between 0 and 1; 0.5 where none can be read."""
    try:
        return min(1.0, max(0.0, float(value)))
    except (TypeError, ValueError):
        return 0.5


def text(value: Any) -> str:
    """Return a text on one line; empty for anything else."""
    return " ".join(value.split()) if isinstance(value, str) else ""


def texts(value: Any) -> tuple[str, ...]:
    """Return the texts of a list; a single text counts as a list of one."""
    values = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(found for one in values if (found := text(one)))


def today(now: datetime, timezone: str) -> str:
    """Return the asker's day and time in words."""
    try:
        return f"{now.astimezone(ZoneInfo(timezone)):%A %Y-%m-%d %H:%M} ({timezone})"
    except (ZoneInfoNotFoundError, ValueError):
        return f"{now:%A %Y-%m-%d %H:%M} (UTC)"
