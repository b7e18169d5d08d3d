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
from bot.rag.weights import WordWeights

FEWEST_WORDS = 3
"""Content words from which a sentence claims something."""
LEAD_IN = re.compile(r":\s*$")
LABEL = re.compile(r"^\s*(?:\*\*[^*]+\*\*|__[^_]+__):?\s*$")

WORDS, ALL_WORDS, MISSING, NUMBER, NAME, ORDER, QUESTION, ASIDE, DENIAL, OFFSET = (
    2.0,
    3.0,
    -1.0,
    -0.8,
    -0.6,
    1.5,
    -1.5,
    -1.0,
    -0.7,
    -2.0,
)
SUPPORTED = 0.5


class Checker:
    """The local way: words and their order, numbers, names and negation of each sentence beside its sources."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def check(self, text: str, passages: Sequence[Passage]) -> tuple[Unsupported, ...]:
        """Return the sentences that their sources do not carry, with why; raises what the embedder raises."""
        await self._embedder.load()
        weights = WordWeights(self._embedder.tokenizer)
        faults = []
        for sentence in statements(text):
            if not is_claim(sentence):
                continue
            found = judge(bare(sentence), evidence_for(sentence, passages), weights)
            if probability(found) < SUPPORTED:
                faults.append(Unsupported(sentence=sentence, why=reason(found)))
        return tuple(faults)


def judge(claim: str, passages: Sequence[Passage], weights: WordWeights) -> Support:
    """Return what these passages say of a claim."""
    told = [piece.text for passage in passages for piece in sentences(passage.text)]
    context = [line for passage in passages for line in (passage.title, passage.heading, passage.note) if line]
    texts = list(dict.fromkeys((*told, *context)))
    return support(claim, texts, supporting(claim, texts, weights), weights)


def evidence_for(sentence: str, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return the passages that a sentence cites, with their memories' other passages; all of them if it cites none."""
    memories = {passages[number - 1].memory_id for number in cited_numbers(sentence) if 1 <= number <= len(passages)}
    return tuple(passage for passage in passages if passage.memory_id in memories) if memories else tuple(passages)


def is_claim(sentence: str) -> bool:
    """Whether a sentence says something that a source could carry: no label, no lead-in, no question back."""
    said = bare(sentence)
    if LABEL.match(sentence) or LEAD_IN.search(sentence) or said.endswith("?"):
        return False
    return len(terms(said)) >= FEWEST_WORDS


def bare(sentence: str) -> str:
    """Return a sentence without marks and Markdown."""
    return re.sub(r"\s+([.!?,;])", r"\1", without_marks(sentence))


def probability(found: Support) -> float:
    """Return how likely the claim is carried, in [0, 1]."""
    total = (
        WORDS * found.words
        + ALL_WORDS * found.all_words
        + MISSING * math.log1p(len(found.missing_words))
        + NUMBER * min(2, len(found.missing_numbers))
        + NAME * min(3, len(found.missing_names))
        + ORDER * found.order
        + QUESTION * found.question
        + ASIDE * found.aside
        + DENIAL * found.negation
        + OFFSET
    )
    return 1.0 / (1.0 + math.exp(-total))


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
