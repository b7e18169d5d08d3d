"""How near each word of a claim comes to a word of its evidence, both as the model reads them in their sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import Tokenizer

from bot.ports import Embedder, Vectors
from bot.rag.lexicon import FUNCTION_WORDS, NUMBER_WORDS, TOKEN, fold, names
from bot.rag.support import folded
from bot.rag.weights import WordWeights, coverage

MOST_COMPARED = 10
"""Sentences whose words are compared; with 6 or with 22 the judgement is as good."""
WORD_COST = 0.001
"""Taken for each word of a sentence, so that of two that cover as much the shorter is compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """Cosines in [-1, 1] of a claim's words to the nearest words of the evidence. 1 where there is no such word."""

    named: float = 1.0
    """Mean over its names and numbers."""
    figures: float = 1.0
    """Mean over its numbers, each beside the same number; 0 for a number that is not there."""
    loosest: float = 1.0
    """Of its content words: what the worse quarter reaches."""
    weakest: float = 1.0
    """Of all its words: what the worst tenth reaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of a text in order, and one normalised vector each."""

    words: tuple[str, ...]
    vectors: Vectors


async def nearness(embedder: Embedder, claim: str, sentences: Sequence[str]) -> Nearness:
    """Return how near the claim's words come to those of the sentences. Raises what the embedder raises."""
    texts = (claim, *sentences)
    rows = await embedder.embed_tokens(texts)
    said, *told = (words_of(text, tokens, embedder.tokenizer) for text, tokens in zip(texts, rows, strict=True))
    there = tuple(fold(word) for one in told for word in one.words)
    if not said.words or not there:
        return Nearness() if not said.words else Nearness(named=0.0, figures=0.0, loosest=0.0, weakest=0.0)
    cosines = said.vectors @ np.concatenate([one.vectors for one in told]).T
    return compared(said.words, names(claim), there, cosines)


def compared(said: Sequence[str], named: Sequence[str], there: Sequence[str], cosines: Vectors) -> Nearness:
    """Put the figures together. `cosines`: a row for each word said, a column for each word there."""
    nearest = cosines.max(axis=1)
    numeric = np.array([word[0].isdigit() or word.lower() in NUMBER_WORDS for word in said])
    telling = numeric | np.array([fold(word) in named for word in said])
    content = np.array([word.lower() not in FUNCTION_WORDS for word in said])
    same = np.array([[fold(word) == other for other in there] for word in said])
    beside = np.where(same, cosines, 0.0).max(axis=1)
    return Nearness(
        named=float(nearest[telling].mean()) if telling.any() else 1.0,
        figures=float(beside[numeric].mean()) if numeric.any() else 1.0,
        loosest=float(np.quantile(nearest[content], 0.25)) if content.any() else 1.0,
        weakest=float(np.quantile(nearest, 0.1)),
    )


def words_of(text: str, rows: Vectors, tokenizer: Tokenizer) -> Words:
    """Return a text's words, each the mean of its tokens; words that the model did not read are left out."""
    spans = tokenizer.encode(text, add_special_tokens=False).offsets[: len(rows)]
    words, vectors = [], []
    for match in TOKEN.finditer(text):
        places = [at for at, (start, end) in enumerate(spans) if start < match.end() and end > match.start()]
        if places:
            vector = rows[places].mean(axis=0)
            words.append(match[0])
            vectors.append(vector / max(float(np.linalg.norm(vector)), 1e-9))
    return Words(words=tuple(words), vectors=np.stack(vectors) if vectors else rows[:0])


def worth_comparing(claim: str, sentences: Sequence[str], chosen: Sequence[int], weights: WordWeights) -> list[str]:
    """Return the chosen sentences and those that cover most of the claim's words each."""
    wanted = weights.terms(claim)
    worth = [coverage(wanted, set(folded(text))) - WORD_COST * len(text.split()) for text in sentences]
    by_worth = sorted(range(len(sentences)), key=lambda at: -worth[at])
    return [sentences[at] for at in list(dict.fromkeys((*chosen, *by_worth)))[:MOST_COMPARED]]
