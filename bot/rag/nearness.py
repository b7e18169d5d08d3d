"""How near the words of a conversation come in meaning to what it is about: read once for a follow-up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.domain.messages import Turn
from bot.ports import Embedder

READ_ASKED, READ_ANSWER = 600, 400
"""Characters of what people asked, from the end, and of an answer, from its beginning, that tell what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """Cosines of one word, in [-1, 1]."""

    asked: float = 0.0
    """To what people asked, the question included."""
    answered: float = 0.0
    """To the bot's last answer."""


UNKNOWN = Nearness()


async def nearness(
    embedder: Embedder, text: str, history: Sequence[Turn], answer: str, words: Sequence[str]
) -> Mapping[str, Nearness]:
    """Return how near each of `words` is, in lower case, to what is spoken of; waits until the model is loaded."""
    lowered = list(dict.fromkeys(word.lower() for word in words))
    asked = " ".join((*(turn.text for turn in history if turn.speaker == "person"), text))[-READ_ASKED:]
    subjects = await embedder.embed_queries([asked, answer[:READ_ANSWER]] if answer else [asked])
    found = (await embedder.embed_queries(lowered)) @ subjects.T
    return {
        word: Nearness(asked=float(row[0]), answered=float(row[1]) if answer else 0.0)
        for word, row in zip(lowered, found, strict=True)
    }
