"""Recall what was said: the last turns always, and older ones that mean the same, in time order."""

from collections.abc import Sequence

from bot.domain.answers import Question
from bot.domain.messages import Turn
from bot.ports import Embedder, Transcript, Vectors
from bot.rag.context_words import FUNCTION
from bot.rag.leaning import WORD, plain

FLOOR = 0.2
"""Score from which an older turn is worth the answer's attention: a word or two in common, or one and the meaning."""
CANDIDATES = 100
NEIGHBOUR = 0.3
"""What a turn gains from the better of the turns just before and after it: an answer seldom repeats its question."""


class Recall:
    """The conversation as an answer needs it."""

    def __init__(self, transcript: Transcript, embedder: Embedder, *, older: int = 5) -> None:
        self._transcript = transcript
        self._embedder = embedder
        self._older = older

    async def recall(self, question: Question) -> tuple[Turn, ...]:
        """Return the last turns with up to `older` recalled ones before them, each once, oldest first.

        Only turns inside the question's scopes are recalled; rooms that switched recall off keep their last turns.
        """
        last = question.history
        if not question.recall or not question.text.strip():
            return last
        known = {turn.turn_id for turn in last if turn.turn_id}
        text, vector = await recall_query(self._embedder, question.text)
        found = await self._transcript.similar(
            question.room,
            question.scopes,
            text,
            vector,
            limit=CANDIDATES,
            before_id=min(known, default=0),
        )
        older = [turn for turn, score in lifted(found) if score >= FLOOR and turn.turn_id not in known][: self._older]
        return (*sorted(older, key=lambda turn: (turn.at, turn.turn_id)), *last)


def lifted(found: Sequence[tuple[Turn, float]]) -> tuple[tuple[Turn, float], ...]:
    """Return the turns with what their neighbours in the conversation lend them, best first."""
    scores = {turn.turn_id: score for turn, score in found}
    raised = [
        (turn, score + NEIGHBOUR * max(scores.get(turn.turn_id - 1, 0.0), scores.get(turn.turn_id + 1, 0.0)))
        for turn, score in found
    ]
    return tuple(sorted(raised, key=lambda pair: -pair[1]))


async def recall_query(embedder: Embedder, text: str) -> tuple[str, Vectors]:
    """Return the words and the vector to look for.

    Of the words only those with content: short chat turns share function words by chance.
    """
    words = " ".join(word for word in WORD.findall(text) if plain(word) not in FUNCTION) or text
    return words, (await embedder.embed_queries([text]))[0]
