"""Decide what kind of answer a message wants: rules first, then its nearness to examples of each kind."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from bot.domain.answers import Intent, Route
from bot.domain.messages import Turn
from bot.ports import Embedder, Vectors
from bot.rag.context_words import ASSENT
from bot.rag.leaning import names
from bot.rag.paging import is_paging
from bot.rag.prototypes import PROTOTYPES
from bot.rag.rewrite import Rewriter, rewritten
from bot.rag.route_words import COMPARISON, GREETING, LOOKUP, REASONS, SUMMARY, about_saved, lists
from bot.rag.small_talk import is_small_talk, mended

NEAREST = 5
SMALL_TALK_LEAD = 0.1
"""How much nearer to small talk than to any question a message must be, its greeting included."""
CLEAR_LEAD = 0.25
NEAR = 0.3
"""Mean cosine below which the examples say nothing."""


class Router:
    """Seven kinds of answer, told apart by wording and by meaning."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._rewriter = Rewriter(embedder)
        self._examples: dict[Intent, Vectors] | None = None

    async def route(self, text: str, history: Sequence[Turn]) -> Route:
        """Return the intent of `text`, with how sure that is. In doubt it retrieves."""
        asked = GREETING.sub("", text, count=1).strip() or text
        body = spelled(asked)
        if ruled := by_rule(text, body, history):
            return ruled
        follows = (await self._rewriter.rewrite(text, history)).standalone != text
        return by_nearness(body, await self._nearness(text), clear=follows or bool(names(asked)), follows=follows)

    async def _nearness(self, text: str) -> dict[Intent, float]:
        """Return the mean cosine of `text` and the nearest examples of each kind."""
        if self._examples is None:
            names = list(PROTOTYPES)
            vectors = await self._embedder.embed([line for name in names for line in PROTOTYPES[name]])
            ends = np.cumsum([len(PROTOTYPES[name]) for name in names])
            self._examples = dict(zip(names, np.split(vectors, ends[:-1]), strict=True))
        vector = (await self._embedder.embed_queries([text]))[0]
        return {name: float(np.sort(examples @ vector)[-NEAREST:].mean()) for name, examples in self._examples.items()}


def spelled(text: str) -> str:
    """Return the text with the words that decide put right where a letter slipped."""
    return re.sub(
        r"\w{5,}", lambda word: mended(word[0], DECIDING) if word[0].lower() not in DECIDING else word[0], text
    )


DECIDING = ("compare", "difference", "differences", "better", "summarize", "summarise", "summary", "overview", "versus")


def by_rule(text: str, body: str, history: Sequence[Turn]) -> Route | None:
    """Return the route that the wording alone decides, or None. `body`: the text without a greeting before it."""
    if is_paging(text) and any(lists(turn.text) for turn in history if turn.speaker == "person"):
        return Route(intent="count_or_list", confidence=0.95, why="asks for another page of the list")
    if ASSENT.match(text) and rewritten(text, history).standalone != text:
        return Route(intent="follow_up", confidence=0.95, why="accepts what was offered")
    if is_small_talk(text):
        return Route(intent="no_retrieval", confidence=0.98, why="nothing but small talk")
    for intent, asks, why in RULES:
        if asks(body):
            return Route(intent=intent, confidence=0.9, why=why)
    return None


def needs_no_vectors(text: str, history: Sequence[Turn]) -> bool:
    """Return whether the wording alone makes a message small talk, a count or a list."""
    body = spelled(GREETING.sub("", text, count=1).strip() or text)
    ruled = by_rule(text, body, history)
    return ruled is not None and ruled.intent in {"no_retrieval", "count_or_list"}


RULES: tuple[tuple[Intent, Callable[[str], object], str], ...] = (
    ("count_or_list", lists, "asks for a count or a list of what is kept"),
    ("summarization", SUMMARY.search, "asks for a summary"),
    ("comparison", COMPARISON.search, "compares"),
)
"""Before the question of context: a comparison or a list that leans on the history is still one."""


def by_nearness(text: str, nearness: Mapping[Intent, float], *, follows: bool, clear: bool) -> Route:
    """Return the kind whose examples are nearest; small talk only by a clear lead, and never about what is kept.

    `follows`: the question was rewritten from its history; `clear`: only a very clear lead makes it small talk,
    since it was, or since it names something.
    """
    others = {intent: near for intent, near in nearness.items() if intent != "no_retrieval"}
    best = max(others, key=lambda intent: others[intent])
    lead = nearness["no_retrieval"] - others[best]
    if lead > (CLEAR_LEAD if clear else SMALL_TALK_LEAD) and not about_saved(text):
        return Route(intent="no_retrieval", confidence=min(1.0, 0.6 + lead), why="nearest to small talk")
    if follows:
        return Route(intent="follow_up", confidence=0.85, why="leans on what was said before")
    if REASONS.match(text):
        return Route(intent="analytical", confidence=0.8, why="asks for reasons or effects")
    if LOOKUP.match(text) or best == "count_or_list" or others[best] < NEAR:
        return Route(intent="simple_lookup", confidence=0.6, why="asks for one thing")
    return Route(intent=best, confidence=min(0.9, others[best]), why="nearest to such questions")
