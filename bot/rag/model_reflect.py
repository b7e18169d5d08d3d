"""Check an answer's sentences against its passages by one model call."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.domain.answers import ModelUse, Unsupported
from bot.domain.errors import ModelReplyBroken
from bot.domain.memories import Passage
from bot.ports import LanguageModel, ModelRequest
from bot.prompts import load
from bot.rag.fence import Fence, numbered
from bot.rag.mending import statements
from bot.rag.model_plan import text, truth

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "reasoning": {"type": "string"},
                    "supported": {"type": "boolean"},
                },
                "required": ["number", "reasoning", "supported"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["verdicts"],
    "additionalProperties": False,
}
TOKENS_PER_SENTENCE: Final = 100


async def check_by_model(
    model: LanguageModel, question: str, answer: str, passages: Sequence[Passage]
) -> tuple[tuple[Unsupported, ...], ModelUse | None]:
    """Return the sentences that the passages do not carry, and the cost. Raises ModelTrouble."""
    said = statements(answer)
    filled = await model.fill(request_for(question, said, passages))
    verdicts = filled.value.get("verdicts")
    if not isinstance(verdicts, list):
        raise ModelReplyBroken("The check came without verdicts.", use=filled.use)
    return tuple(faults(verdicts, said)), filled.use


def request_for(question: str, said: Sequence[str], passages: Sequence[Passage]) -> ModelRequest:
    """Return the call: everything but the question is data, the answer too."""
    prompt, fence = load("reflect"), Fence()
    listed = "\n".join(f"({number}) {sentence}" for number, sentence in enumerate(said, start=1))
    content = prompt.fill(
        code=fence.code,
        passages=fence.around("passages", numbered(passages)),
        sentences=fence.around("the answer's sentences", listed),
        question=question,
    )
    return ModelRequest(
        role="planning",
        step="reflect",
        system=prompt.system,
        content=content,
        schema=SCHEMA,
        max_tokens=512 + TOKENS_PER_SENTENCE * len(said),
    )


def faults(verdicts: Sequence[Any], said: Sequence[str]) -> list[Unsupported]:
    """Return the sentences with a clear no; unknown numbers and unreadable verdicts say nothing."""
    found: dict[int, Unsupported] = {}
    for verdict in verdicts:
        if not isinstance(verdict, Mapping) or truth(verdict.get("supported")) is not False:
            continue
        number = verdict.get("number")
        if isinstance(number, int) and 1 <= number <= len(said):
            found[number] = Unsupported(sentence=said[number - 1], why=text(verdict.get("reasoning")))
    return [found[number] for number in sorted(found)]
