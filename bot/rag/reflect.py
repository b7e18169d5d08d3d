"""Check whether every sentence of an answer is carried by the passages it cites."""

import math
import re
from collections.abc import Sequence

from bot.domain.answers import Unsupported
from bot.domain.memories import Passage
from bot.ports import Embedder
from bot.rag.citations import cited_numbers
from bot.rag.lexicon import terms
from bot.rag.mending import statements
from bot.rag.sentences import sentences, without_marks
from bot.rag.support import Support, support, supporting
from bot.rag.support_words import Nearness, nearness, worth_comparing
from bot.rag.weights import WordWeights
from bot.rag.wordings import NOTHING_ON_SIDE

FEWEST_WORDS = 3
"""Content words from which a sentence claims something."""
LEAD_IN = re.compile(r":\s*$")
LABEL = re.compile(r"^\s*(?:\*\*[^*]+\*\*|__[^_]+__):?\s*$")

A_FEW = 24
"""Sentences up to which a claim restates its evidence; beyond, it is drawn from here and there."""
SUPPORTED = 0.5


class Checker:
    """The local way: each sentence beside its sources, by its words, their order and how near they come in meaning."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def check(self, text: str, passages: Sequence[Passage]) -> tuple[Unsupported, ...]:
        """Return the sentences that their sources do not carry, with why; raises what the embedder raises."""
        weights = await self._weights()
        claims = [sentence for sentence in statements(text) if is_claim(sentence)]
        judged = [
            (sentence, await self._judge(bare(sentence), evidence_for(sentence, passages), weights))
            for sentence in claims
        ]
        return tuple(
            Unsupported(sentence=sentence, why=reason(found)) for sentence, (found, sure) in judged if sure < SUPPORTED
        )

    async def carries(self, claim: str, passages: Sequence[Passage]) -> bool:
        """Return whether these passages carry a claim as a whole, be it one sentence or several."""
        _, sure = await self._judge(bare(claim), passages, await self._weights())
        return sure >= SUPPORTED

    async def _judge(self, claim: str, passages: Sequence[Passage], weights: WordWeights) -> tuple[Support, float]:
        """Return what these passages say of a claim, and how likely they carry it."""
        texts = told(passages)
        chosen = supporting(claim, texts, weights)
        found = support(claim, texts, chosen, weights)
        if claim in texts:
            return found, 1.0
        near = await nearness(self._embedder, claim, worth_comparing(claim, texts, chosen, weights))
        return found, likelihood(restated(found, near) if len(texts) <= A_FEW else drawn(found, near))

    async def _weights(self) -> WordWeights:
        await self._embedder.load()
        return WordWeights(self._embedder.tokenizer)


def told(passages: Sequence[Passage]) -> tuple[str, ...]:
    """Return the sentences of the passages, then what stands above and beside them; each once."""
    said = [piece.text for passage in passages for piece in sentences(passage.text)]
    context = [line for passage in passages for line in (passage.title, passage.heading, passage.note) if line]
    return tuple(dict.fromkeys((*said, *context)))


def likelihood(log_odds: float) -> float:
    """Return log odds as a probability."""
    return 1.0 / (1.0 + math.exp(-log_odds))


def evidence_for(sentence: str, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return the passages that a sentence cites, with their memories' other passages; all of them if it cites none."""
    memories = {passages[number - 1].memory_id for number in cited_numbers(sentence) if 1 <= number <= len(passages)}
    return tuple(passage for passage in passages if passage.memory_id in memories) if memories else tuple(passages)


def is_claim(sentence: str) -> bool:
    """Whether a sentence says something that a source could carry: no label, no lead-in, no question back."""
    said = bare(sentence)
    if LABEL.match(sentence) or LEAD_IN.search(sentence) or said.endswith("?") or said in NOTHING_ON_SIDE.values():
        return False
    return len(terms(said)) >= FEWEST_WORDS


def bare(sentence: str) -> str:
    """Return a sentence without marks and Markdown."""
    return re.sub(r"\s+([.!?,;])", r"\1", without_marks(sentence))


def restated(found: Support, near: Nearness) -> float:
    """Return the log odds that a few sentences carry the claim: nearly all its words, in their order and sense.

    Weights from a logistic fit on half of BEGIN.
    """
    return (
        0.7 * found.all_words
        + 3.1 * found.order
        + 3.1 * near.weakest
        - 1.5 * math.log1p(len(found.missing_words))
        - 0.6 * min(2, len(found.missing_numbers))
        - 1.2 * math.log1p(found.trailing)
        - 2.9 * found.question
        - 1.0 * found.aside
        - 0.5 * found.negation
        - 1.9
    )


def drawn(found: Support, near: Nearness) -> float:
    """Return the log odds that a page carries the claim: its names and numbers in their sense, its words in one place.

    Weights from a logistic fit on half of WiCE (see `tests/evals/fitting.py`).
    """
    return 3.2 * near.named + 2.4 * near.figures + 2.6 * near.loosest + 1.7 * found.near - 7.2


def reason(found: Support) -> str:
    """Say in words what is not carried, the gravest first."""
    if found.missing_numbers:
        return f"the sources do not say {', '.join(found.missing_numbers)}"
    if found.missing_names:
        return f"the sources do not name {', '.join(found.missing_names)}"
    if found.negation:
        return "one of them denies what the other says"
    if found.missing_words:
        return f"the sources say nothing of {', '.join(found.missing_words[:5])}"
    return "the sources put it otherwise"
