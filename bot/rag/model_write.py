"""Ask the model to write the answer: the question in its own words, passages and conversation as data."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from bot.domain.answers import Intent, Question, Unsupported
from bot.domain.errors import ModelTrouble
from bot.domain.memories import Passage
from bot.domain.messages import Turn
from bot.ports import LanguageModel, ModelRequest
from bot.prompts import load
from bot.rag.budget import estimate_tokens
from bot.rag.fence import Fence, numbered, told
from bot.rag.model_plan import today
from bot.rag.pump import Pump
from bot.rag.steps import Steps

ANSWER_TOKENS: Final = 4096
"""Room for a long answer, and for a model that thinks first whether asked to or not."""
SHOWN_EVERY_S: Final = 0.05
"""Each showing reads the whole text: one a piece would cost a long answer the square of its length."""
KINDS: Final[dict[Intent, str]] = {
    "comparison": "a comparison, both sides treated alike",
    "summarization": "a summary",
    "analytical": "an analysis: reasons and what follows",
}


def writing_request(
    question: Question,
    passages: Sequence[Passage],
    turns: Sequence[Turn],
    *,
    standalone: str,
    intent: Intent,
    language: str,
    draft: str = "",
    faults: Sequence[Unsupported] = (),
) -> ModelRequest:
    """Return the call; `draft` and `faults` ask for a second writing without those faults."""
    prompt, fence = load("write"), Fence()
    content = prompt.fill(
        code=fence.code,
        today=today(question.asked_at, question.timezone),
        language=f"the question's own{f' ({language})' if language else ''}",
        intent=KINDS.get(intent, "a direct answer"),
        history=fence.around("the conversation before, oldest first", told(turns)),
        passages=fence.around("passages", numbered(passages)),
        remarks="\n\n".join(
            part for part in (meaning(question, standalone, fence), again(draft, faults, fence)) if part
        ),
        question=question.text,
    )
    return ModelRequest(
        role="answering", step="generate", system=prompt.system, content=content, max_tokens=ANSWER_TOKENS
    )


def meaning(question: Question, standalone: str, fence: Fence) -> str:
    """Say what a follow-up means, where it does not say so itself."""
    return "" if standalone == question.text else fence.around("what the question means", standalone)


def again(draft: str, faults: Sequence[Unsupported], fence: Fence) -> str:
    """Ask for the answer once more, with the faults of the draft named."""
    if not faults:
        return ""
    named = "\n".join(f"- {fault.sentence}\n  ({fault.why})" for fault in faults)
    return (
        "An earlier draft said things that the passages do not carry. Write the whole answer again: correct these "
        f"sentences from the passages or leave them out, and keep what was right.\n\n{fence.around('the draft', draft)}"
        f"\n\n{fence.around('its sentences that the passages do not carry', named)}"
    )


async def collected(
    model: LanguageModel, request: ModelRequest, steps: Steps, *, show: Callable[[str], None] | None = None
) -> tuple[str, bool]:
    """Return a streamed text and whether it ran out of room. Raises ModelTrouble and Late."""
    pieces = Pump(model.write(request))
    text, use, cut, due = "", None, False, 0.0
    try:
        while (piece := await pieces.next(steps.watch.for_words())) is not None:
            text, use, cut = text + piece.text, piece.use or use, piece.cut
            if piece.text:
                steps.watch.heard()
            if show and piece.text and time.monotonic() >= due:
                show(text)
                due = time.monotonic() + SHOWN_EVERY_S
    except ModelTrouble as trouble:
        use = None if trouble.use else use
        raise
    finally:
        pieces.stop()
        if show:
            show(text)
        steps.journal.spend(use)
    return text, cut


def fixed_tokens() -> int:
    """Return about how many tokens of the prompt are there whatever is asked, and those kept for the answer."""
    prompt = load("write")
    return estimate_tokens(prompt.system) + estimate_tokens(prompt.turn) + ANSWER_TOKENS
