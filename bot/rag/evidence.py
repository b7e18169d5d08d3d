"""What each sentence of the passages says to the question: by meaning, alone and under its title, and by words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.domain.memories import Passage
from bot.ports import Embedder, Vectors
from bot.rag.lexicon import terms
from bot.rag.sentences import Sentence, sentences
from bot.rag.weights import WordWeights, coverage

MOST_SENTENCES, FEWEST_SENTENCES = 12, 3
"""Of one passage that are compared by meaning: those with most of the question's words, then the first."""
SENTENCES_TOGETHER = 72
"""Over all passages, so that twenty of them are judged in about the time of six."""
TITLED = 3
"""Sentences a passage that are also read under its title, where they fill in what the title leaves open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A passage beside a question. Similarities are cosines in [-1, 1], coverages shares in [0, 1]."""

    passage: Passage
    sentences: tuple[Sentence, ...]
    similarities: tuple[float, ...]
    """Of each sentence to the question."""
    coverages: tuple[float, ...]
    """Of the question's words in each sentence."""
    passage_similarity: float
    """Of the whole passage: the search's own figure, where it was found by meaning."""
    gain: float
    """How much nearer the best sentence under its title is than the title alone: what it adds to the topic."""
    best: int
    """The sentence that says most; -1 where there is none."""


async def compare(embedder: Embedder, question: str, passages: Sequence[Passage]) -> tuple[Evidence, ...]:
    """Return the evidence of each passage, in order; one batch of embedding for sentences, one for titles."""
    await embedder.load()
    weights = WordWeights(embedder.tokenizer)
    wanted = weights.terms(question)
    most = max(FEWEST_SENTENCES, min(MOST_SENTENCES, SENTENCES_TOGETHER // max(1, len(passages))))
    chosen = [choose(sentences(passage.text), wanted, most=most) for passage in passages]
    texts = [question]
    for passage, pieces in zip(passages, chosen, strict=True):
        texts += [passage.title or question, *(piece.text for piece in pieces)]
        texts += [] if passage.similarity is not None else [in_context(passage)]
    vectors = dict(zip(texts, await embedder.embed_queries(texts), strict=True))
    asked = vectors[question]
    ranked = [nearest(pieces, vectors, asked) for pieces in chosen]
    titled = [
        f"{passage.title}: {pieces[at].text}"
        for passage, pieces, order in zip(passages, chosen, ranked, strict=True)
        for at in order[:TITLED]
    ]
    vectors |= dict(zip(titled, await embedder.embed_queries(titled), strict=True))
    return tuple(
        evidence(passage, pieces, vectors, asked, wanted) for passage, pieces in zip(passages, chosen, strict=True)
    )


def choose(pieces: Sequence[Sentence], wanted: dict[str, float], *, most: int) -> tuple[Sentence, ...]:
    """Return the pieces worth comparing, in reading order: no headings, the promising ones of a long passage."""
    told = [piece for piece in pieces if piece.kind != "heading"] or list(pieces)
    scores = [coverage(wanted, set(terms(piece.text))) for piece in told]
    best = sorted(range(len(told)), key=lambda at: (-scores[at], at))[:most]
    return tuple(told[at] for at in sorted(best))


def nearest(pieces: Sequence[Sentence], vectors: dict[str, Vectors], asked: Vectors) -> list[int]:
    """Return the places of the pieces, nearest to the question first."""
    return sorted(range(len(pieces)), key=lambda at: -float(vectors[pieces[at].text] @ asked))


def evidence(
    passage: Passage,
    pieces: tuple[Sentence, ...],
    vectors: dict[str, Vectors],
    asked: Vectors,
    wanted: dict[str, float],
) -> Evidence:
    """Put one passage's figures together."""
    similarities = [float(vectors[piece.text] @ asked) for piece in pieces]
    title = float(vectors[passage.title] @ asked) if passage.title else 0.0
    titled = [
        float(vectors[f"{passage.title}: {pieces[at].text}"] @ asked) for at in nearest(pieces, vectors, asked)[:TITLED]
    ]
    return Evidence(
        passage=passage,
        sentences=pieces,
        similarities=tuple(similarities),
        coverages=tuple(coverage(wanted, set(terms(piece.text))) for piece in pieces),
        passage_similarity=(
            float(vectors[in_context(passage)] @ asked) if passage.similarity is None else passage.similarity
        ),
        gain=max(titled, default=title) - title,
        best=int(np.argmax(similarities)) if similarities else -1,
    )


def in_context(passage: Passage) -> str:
    """Return a passage's text under its title, as it is embedded for the index."""
    return f"{passage.title}\n{passage.text}" if passage.title else passage.text
