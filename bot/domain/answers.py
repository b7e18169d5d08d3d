"""From a question to a cited answer: the values that the steps hand on, and the events that they emit."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.domain.memories import Filters, Memory, Passage
from bot.domain.messages import Turn
from bot.domain.rooms import Person, Room, Scope

Intent = Literal[
    "no_retrieval",
    "simple_lookup",
    "comparison",
    "summarization",
    "analytical",
    "follow_up",
    "count_or_list",
]
VerdictName = Literal["sufficient", "needs_expansion", "no_relevant_sources", "ungraded", "not_needed"]
Relevance = Literal["relevant", "partly", "irrelevant", "ungraded"]
StepName = Literal[
    "route",
    "parameters",
    "rewrite",
    "expand",
    "recall",
    "retrieve",
    "grade",
    "budget",
    "generate",
    "cite",
    "reflect",
    "list",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What was asked, by whom, where, and which scopes an answer may use."""

    text: str
    room: Room
    person: Person
    scopes: tuple[Scope, ...]
    asked_at: datetime
    timezone: str = "UTC"
    history: tuple[Turn, ...] = ()
    """The last turns of this thread or room, oldest first."""
    filters: Filters = field(default_factory=Filters)
    """What the platform resolved already (a named pocket, mentioned people and channels)."""
    recall: bool = True
    """Whether older turns may be recalled (per room)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Step 1: what kind of answer is wanted."""

    intent: Intent
    confidence: float
    """In [0, 1]."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalParameters:
    """Step 2: how to search for this intent."""

    passages: int
    by_meaning: float
    by_words: float
    wordings: int
    """Extra wordings beside the original."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """Step 3: the question made to stand alone. Unchanged, byte for byte, where it already does."""

    standalone: str
    needed_context: bool
    added: tuple[str, ...] = ()
    """The terms taken from the history."""
    hints: tuple[str, ...] = ()
    """The same question in the words of its conversation, searched beside `standalone` and counting like it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Steps 1 to 4 together: everything decided before the search."""

    route: Route
    parameters: RetrievalParameters
    standalone: str
    needed_context: bool
    queries: tuple[str, ...]
    """Every wording to search, the standalone question first."""
    filters: Filters = field(default_factory=Filters)
    entities: tuple[str, ...] = ()
    language: str = ""
    """ISO 639-1 code of the question: the answer's language."""
    alike: int = 1
    """How many of the first queries ask the same and count the same: `standalone` and the rewriter's hints."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """Step 6: one passage judged, with the reason written before the score."""

    chunk_id: int
    relevance: Relevance
    score: float = 0.0
    """In [0, 1]."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """Step 6: every passage judged, and what follows."""

    verdict: VerdictName
    grades: tuple[Grade, ...] = ()
    passages: tuple[Passage, ...] = ()
    """Those that go on, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A source of the answer, under the number that stands in its text."""

    number: int
    memory_id: str
    title: str
    url: str
    quote: str = ""
    person_name: str = ""
    room_name: str = ""
    shared_at: datetime | None = None
    permalink: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsupported:
    """Step 8: a sentence of the answer that its sources do not carry."""

    sentence: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallback:
    """A step that went another way than planned, in words for the trace."""

    step: StepName
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse:
    """Tokens of one model call (input = fresh + cache writes + cache reads)."""

    model: str
    step: str
    input_tokens: int = 0
    cache_write_tokens: int = 0
    cache_read_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The whole answer, as Markdown with [n] marks, and how it came about."""

    text: str
    intent: Intent
    confidence: float
    standalone: str
    queries: tuple[str, ...] = ()
    verdict: VerdictName = "not_needed"
    citations: tuple[Citation, ...] = ()
    memory_ids: tuple[str, ...] = ()
    """Every memory that it was written from, cited or not."""
    took_ms: int = 0
    fallbacks: tuple[Fallback, ...] = ()
    trace_id: str = ""
    unsupported: tuple[Unsupported, ...] = ()
    items: tuple[Memory, ...] = ()
    """The page of a list (`count_or_list`)."""
    total: int | None = None
    """The exact count (`count_or_list`)."""
    stopped: bool = False
    """The person stopped it; the text is what was there by then."""
    language: str = ""
    """Of the question (ISO 639-1), so that what stands around the answer is in it, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepStarted:
    """A step has begun; `detail` is a few words for a status line."""

    step: StepName
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFinished:
    """A step has ended, with what it decided in words and as named values."""

    step: StepName
    took_ms: int
    summary: str
    way: Literal["local", "model"] = "local"
    fallback: str = ""
    """Why the planned way was not taken; empty when it was."""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSoFar:
    """The whole text of the answer so far; some may be skipped, the last one counts."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The end of the stream."""

    answer: Answer


AnswerEvent = StepStarted | StepFinished | TextSoFar | Answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The recorded event stream of one question."""

    trace_id: str
    asked_at: datetime
    question: str
    room_key: str
    person_key: str
    scope_keys: tuple[str, ...]
    answer: Answer
    steps: tuple[StepFinished, ...]
    passages: tuple[Passage, ...] = ()
    """Those that the answer was written from."""
    grades: tuple[Grade, ...] = ()
    uses: tuple[ModelUse, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """A thumb under an answer."""

    trace_id: str
    person_key: str
    value: Literal[-1, 1]
    reason: str
    at: datetime
    vote_id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class VotedPassage:
    """What the votes say of one chunk, for questions like one asked before."""

    chunk_id: int
    memory_id: str
    value: int
    """-1 or 1 a vote, summed."""
    similarity: float
    """Cosine of the question now and the question voted on."""
