"""Notice that a question has changed the subject: it names one of its own, far in meaning from what was said."""

from collections.abc import Sequence

from bot.domain.messages import Turn
from bot.ports import Embedder
from bot.rag.carried import answer_before
from bot.rag.context_words import CHOICE, LEAD
from bot.rag.leaning import pronouns, specific
from bot.rag.naming import named

NEAR_ONE, NEAR_MORE = 0.10, 0.15
"""Cosine to what was said, from which a question with one word of its own, or with more, may go on with it. Of CAsT's
development follow-ups with more seven in eight lie above; of questions put after another conversation three in four lie
below."""
READ = 400
"""Characters of an answer that tell what it is about."""


async def changes_subject(embedder: Embedder, text: str, history: Sequence[Turn], *, unclear: bool = False) -> bool:
    """Return whether `text` says what it is about, points at nothing before it, and is about something else.

    `unclear`: its wording tells nothing either way, so that a name not heard before is enough.
    """
    said = spoken_of(history)
    if not said or not names_subject(text):
        return False
    if unclear and names_another(text, said):
        return True
    vector = (await embedder.embed_queries([text]))[0]
    near = NEAR_MORE if len(specific(text)) > 1 else NEAR_ONE
    return float((await embedder.embed_queries(said) @ vector).max()) < near


def names_subject(text: str) -> bool:
    """Return whether a question has a subject of its own and no word that stands for another."""
    return bool(specific(text)) and not (pronouns(text)[0] or CHOICE.search(text) or LEAD.match(text))


def names_another(text: str, said: Sequence[str]) -> bool:
    """Return whether a text names what none of these names: a product, a person, a code."""
    heard = " ".join(said).lower()
    return any(name.lower() not in heard for name in named(text))


def spoken_of(history: Sequence[Turn]) -> list[str]:
    """Return what tells the subject of a conversation: its first and its last question, and the last answer."""
    asked = [turn.text for turn in history if turn.speaker == "person"]
    answer = answer_before(history)[:READ]
    return list(dict.fromkeys((*asked[:1], *asked[-1:], *([answer] if answer else []))))
