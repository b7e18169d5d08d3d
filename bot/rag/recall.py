"""Recall what was said: the last turns always, and older ones that mean the same, in time order."""

from bot.domain.answers import Question
from bot.domain.messages import Turn
from bot.ports import Embedder, Transcript

FLOOR = 0.35
"""Score of `Transcript.similar` from which an older turn is worth the model's attention: about half of a full match
by words, or a strong one by meaning with a word in common."""
CANDIDATES = 20


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
        vector = (await self._embedder.embed_queries([question.text]))[0]
        found = await self._transcript.similar(
            question.room,
            question.scopes,
            question.text,
            vector,
            limit=CANDIDATES,
            before_id=min(known, default=0),
        )
        older = [turn for turn, score in found if score >= FLOOR and turn.turn_id not in known][: self._older]
        return (*sorted(older, key=lambda turn: (turn.at, turn.turn_id)), *last)
