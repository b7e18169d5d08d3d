"""Grade passages by one model call, and read its reply strictly: what it did not grade stays ungraded."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from bot.domain.answers import Grade, Grading, ModelUse, Relevance, VerdictName
from bot.domain.errors import ModelReplyBroken
from bot.domain.memories import Passage
from bot.ports import LanguageModel, ModelRequest
from bot.prompts import load
from bot.rag.fence import Fence, numbered
from bot.rag.fusion import VOTED_DOWN

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "grades": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "integer"},
                    "reasoning": {"type": "string"},
                    "relevance": {"type": "string", "enum": ["relevant", "partly", "irrelevant"]},
                    "score": {"type": "number"},
                },
                "required": ["id", "reasoning", "relevance", "score"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["grades"],
    "additionalProperties": False,
}
MEANINGS: Final[Mapping[str, Relevance]] = {
    **dict.fromkeys(("relevant", "yes", "true", "correct"), "relevant"),
    **dict.fromkeys(("fully relevant", "very relevant", "highly relevant"), "relevant"),
    **dict.fromkeys(("partly", "partial", "partially"), "partly"),
    **dict.fromkeys(("partly relevant", "partially relevant", "somewhat relevant"), "partly"),
    **dict.fromkeys(("irrelevant", "no", "false", "incorrect", "not relevant", "not correct", "none"), "irrelevant"),
}  # fmt: skip
"""Whole words only: "correct" stands inside "incorrect"."""
NONE_OF_THEM: Final = re.compile(
    r"(?:none|not one)(?: of (?:these|them|those|the passages))? (?:is|are) (?:relevant|correct)"
)
SCORES: Final[Mapping[Relevance, float]] = {"relevant": 0.85, "partly": 0.5, "irrelevant": 0.1, "ungraded": 0.0}
"""Where a grade came without a score."""
NUMBER: Final = r"\[?\s*(?:(?i:passage|source|id|no\.?|#)\s*)?(\d{1,4})(?:\.0)?\s*\]?"
"""How a passage is named: 2, "2", "[2]", "passage 2"."""
TOKENS_PER_GRADE: Final = 120


async def grade_by_model(
    model: LanguageModel, question: str, standalone: str, passages: Sequence[Passage]
) -> tuple[Grading, ModelUse | None, str]:
    """Return the grading, its cost, and what was wrong with the reply (empty: nothing).

    Raises ModelUnavailable, ModelRefused and PromptTooLong; a reply that cannot be read leaves its passages ungraded.
    """
    request = request_for(question, standalone, passages)
    try:
        filled = await model.fill(request)
    except ModelReplyBroken as broken:
        grades = read_grades(broken.raw, passages)
        return grading_of(passages, grades), broken.use, str(broken)
    grades = read_grades(filled.value, passages)
    missing = len(passages) - len(grades)
    return grading_of(passages, grades), filled.use, f"{missing} passages were not graded" if missing else ""


def request_for(question: str, standalone: str, passages: Sequence[Passage]) -> ModelRequest:
    """Return the call: the question in its own words, everything else as data."""
    prompt, fence = load("grade"), Fence()
    meant = fence.around("what the question means in its conversation", standalone) if standalone != question else ""
    content = prompt.fill(
        code=fence.code, passages=fence.around("passages", numbered(passages)), question=question, meant=meant
    )
    return ModelRequest(
        role="planning",
        step="grade",
        system=prompt.system,
        content=content,
        schema=SCHEMA,
        max_tokens=512 + TOKENS_PER_GRADE * len(passages),
    )


def read_grades(reply: Mapping[str, Any] | str, passages: Sequence[Passage]) -> dict[int, Grade]:
    """Return the grades that a reply really gives, by chunk id.

    Passages are named by their number from 1; unknown numbers are dropped. A bare "not relevant" is said of all; a bare
    "relevant" of none, since it does not say which.
    """
    if isinstance(reply, str):
        if relevance_of(reply) == "irrelevant":
            return {one.chunk_id: Grade(chunk_id=one.chunk_id, relevance="irrelevant", why=reply) for one in passages}
        return read_grades({"grades": listed(reply)}, passages)
    given = agreed(entries(reply.get("grades", reply)))
    grades: dict[int, Grade] = {}
    for number, passage in enumerate(passages, start=1):
        relevance = relevance_of(given.get(number))
        if relevance is not None:
            grades[passage.chunk_id] = grade_of(passage, relevance, given[number])
    return grades


def listed(text: str) -> Any:
    """Return the list that a reply in words begins with or holds, where the schema asked for an object around it."""
    start = text.find("[")
    try:
        return json.JSONDecoder().raw_decode(text, start)[0] if start >= 0 else None
    except ValueError:
        return None


def agreed(named: Iterable[tuple[int, Any]]) -> dict[int, Any]:
    """Return the entries by number, without those that contradict each other."""
    given: dict[int, Any] = {}
    for number, entry in named:
        same = number not in given or relevance_of(given[number]) == relevance_of(entry)
        given[number] = entry if same else None
    return given


def entries(grades: Any) -> Iterator[tuple[int, Any]]:
    """Yield (number, entry) of grades given as a list of objects or as an object by number."""
    pairs: Iterable[tuple[Any, Any]] = ()
    if isinstance(grades, Mapping):
        pairs = grades.items()
    elif isinstance(grades, list):
        pairs = ((entry.get("id"), entry) for entry in grades if isinstance(entry, Mapping))
    for name, entry in pairs:
        digits = re.fullmatch(NUMBER, str(name)) if not isinstance(name, bool) else None
        if digits:
            yield int(digits[1]), entry


def relevance_of(entry: Any) -> Relevance | None:
    """Return the relevance that an entry states; None when it states none that we know."""
    match entry:
        case str() if NONE_OF_THEM.fullmatch(plainly(entry)):
            return "irrelevant"
        case bool():
            return "relevant" if entry else "irrelevant"
        case str():
            return MEANINGS.get(plainly(entry))
        case Mapping():
            stated = (entry.get(name) for name in ("relevance", "relevant", "grade", "verdict"))
            return next((found for one in stated if (found := relevance_of(one))), None)
        case _:
            return None


def plainly(words: str) -> str:
    """Return words in lower case, without what stands around them."""
    return re.sub(r"[\s_.!*\"'`-]+", " ", words).strip().lower()


def grade_of(passage: Passage, relevance: Relevance, entry: Any) -> Grade:
    """Return a grade with its score, the usual one of its relevance where none can be read."""
    stated = entry if isinstance(entry, Mapping) else {}
    try:
        score = min(1.0, max(0.0, float(stated["score"])))
    except (KeyError, TypeError, ValueError):
        score = SCORES[relevance]
    why = stated.get("reasoning")
    return Grade(chunk_id=passage.chunk_id, relevance=relevance, score=score, why=why if isinstance(why, str) else "")


def grading_of(passages: Sequence[Passage], grades: Mapping[int, Grade]) -> Grading:
    """Return the verdict, and the passages that go on: relevant, then partly, then ungraded; voted down ones last."""
    all_grades = tuple(grades.get(one.chunk_id, Grade(chunk_id=one.chunk_id, relevance="ungraded")) for one in passages)
    by_place = list(zip(passages, all_grades, strict=True))
    on: list[Passage] = []
    for wanted in ("relevant", "partly", "ungraded"):
        group = [(passage, grade) for passage, grade in by_place if grade.relevance == wanted]
        on.extend(passage for passage, _ in sorted(group, key=lambda pair: -pair[1].score))
    on.sort(key=lambda passage: VOTED_DOWN in passage.found_by)
    return Grading(verdict=verdict_of(all_grades), grades=all_grades, passages=tuple(on))


def verdict_of(grades: Sequence[Grade]) -> VerdictName:
    """Return what follows from the grades together."""
    found = {grade.relevance for grade in grades}
    if "relevant" in found:
        return "sufficient"
    if "ungraded" in found:
        return "ungraded"
    return "needs_expansion" if "partly" in found else "no_relevant_sources"
