"""What each sentence of the passages says to the question: by meaning, alone and in its place, and by words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bot.domain.memories import Passage
from bot.ports import Embedder, Vectors
from bot.rag.lexicon import terms
from bot.rag.sections import Placed, asked_rows, placed, sections, spoken
from bot.rag.sentences import Sentence
from bot.rag.weights import WordWeights, coverage

MOST_SENTENCES, FEWEST_SENTENCES = 12, 3
"""Of one passage that are compared by meaning: those with most of the question's words, then the first."""
SENTENCES_TOGETHER = 72
"""Over all passages, so that twenty of them are judged in about the time of six."""
LEADING, MOST_SECTIONS = 6, 6
"""Passages that come first are looked at more closely than those behind them; sections of one that are compared."""
TITLED = 3
"""Sentences a passage that are also read in their place: title and heading fill in what they leave open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A passage beside a question. Similarities are cosines in [-1, 1], coverages shares in [0, 1]."""

    passage: Passage
    pieces: tuple[Placed, ...]
    similarities: tuple[float, ...]
    """Of each sentence to the question."""
    in_place: tuple[float, ...]
    """Of each sentence under its title and heading; the sentence's own figure where it was not read there."""
    coverages: tuple[float, ...]
    """Of the question's words in each sentence."""
    under: tuple[float, ...]
    """Of the question's words in each sentence with its heading and title."""
    passage_similarity: float
    """Of the whole passage, or of its nearest section: the search's own figure, where it was found by meaning."""
    gain: float
    """How much nearer the best sentence in its place is than the title alone: what it adds to the topic."""
    best: int
    """The sentence that says most; -1 where there is none."""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The pieces compared, in reading order."""
        return tuple(one.piece for one in self.pieces)


async def compare(
    embedder: Embedder, question: str, passages: Sequence[Passage], *, every: bool = False
) -> tuple[Evidence, ...]:
    """Return the evidence of each passage, in order; one batch of embedding for sentences, one for their places.

    `every`: read every sentence in its place, not only the nearest ones of each passage.
    """
    await embedder.load()
    weights = WordWeights(embedder.tokenizer)
    wanted = weights.terms(question)
    most = shares_of(len(passages))
    chosen = [choose(passage, wanted, most=count) for passage, count in zip(passages, most, strict=True)]
    parts = [parts_of(passage, most=MOST_SECTIONS if at < LEADING else 0) for at, passage in enumerate(passages)]
    texts = [question]
    for passage, pieces, own in zip(passages, chosen, parts, strict=True):
        texts += [passage.title or question, *(spoken(one.piece) for one in pieces), *own]
        texts += [] if passage.similarity is not None else [in_context(passage)]
    vectors = dict(zip(texts, await embedder.embed_queries(texts), strict=True))
    asked = vectors[question]
    titled = [
        in_its_place(passage, pieces[at])
        for passage, pieces in zip(passages, chosen, strict=True)
        for at in nearest(pieces, vectors, asked)[: None if every else TITLED]
    ]
    vectors |= dict(zip(titled, await embedder.embed_queries(titled), strict=True))
    return tuple(
        evidence(passage, pieces, own, vectors, asked, wanted)
        for passage, pieces, own in zip(passages, chosen, parts, strict=True)
    )


def shares_of(count: int) -> list[int]:
    """Return how many sentences of each passage are compared: more of those in front."""
    leading = min(count, LEADING)
    behind = (count - leading) * FEWEST_SENTENCES
    each = (SENTENCES_TOGETHER - behind) // max(1, leading)
    return [
        max(FEWEST_SENTENCES, min(MOST_SENTENCES, each if at < leading else FEWEST_SENTENCES)) for at in range(count)
    ]


def choose(passage: Passage, wanted: Mapping[str, float], *, most: int) -> tuple[Placed, ...]:
    """Return the pieces worth comparing, in reading order: no headings, the promising ones of a long passage."""
    told = [asked_rows(one, wanted) for one in placed(passage.text, above=passage.heading.rpartition(" > ")[2])]
    scores = [coverage(wanted, set(terms(f"{one.heading} {one.piece.text}"))) for one in told]
    best = sorted(range(len(told)), key=lambda at: (-scores[at], at))[:most]
    return tuple(told[at] for at in sorted(best))


def parts_of(passage: Passage, *, most: int) -> tuple[str, ...]:
    """Return the sections of a passage that has several, each under its title and heading."""
    found = sections(placed(passage.text, above=passage.heading.rpartition(" > ")[2]))
    if len(found) == 1:
        return ()
    return tuple("\n".join(filter(None, (passage.title, *part))) for part in found[:most])


def nearest(pieces: Sequence[Placed], vectors: Mapping[str, Vectors], asked: Vectors) -> list[int]:
    """Return the places of the pieces, nearest to the question first."""
    return sorted(range(len(pieces)), key=lambda at: -float(vectors[spoken(pieces[at].piece)] @ asked))


def evidence(
    passage: Passage,
    pieces: tuple[Placed, ...],
    parts: tuple[str, ...],
    vectors: Mapping[str, Vectors],
    asked: Vectors,
    wanted: Mapping[str, float],
) -> Evidence:
    """Put one passage's figures together."""

    def near(text: str) -> float | None:
        return float(vectors[text] @ asked) if text in vectors else None

    similarities = [near(spoken(one.piece)) or 0.0 for one in pieces]
    title = (near(passage.title) or 0.0) if passage.title else 0.0
    titled = [near(in_its_place(passage, one)) for one in pieces]
    above = passage.similarity if passage.similarity is not None else near(in_context(passage))
    return Evidence(
        passage=passage,
        pieces=pieces,
        similarities=tuple(similarities),
        in_place=tuple(own if there is None else there for own, there in zip(similarities, titled, strict=True)),
        coverages=tuple(coverage(wanted, set(terms(one.piece.text))) for one in pieces),
        under=tuple(coverage(wanted, set(terms(f"{passage.title} {one.heading} {one.piece.text}"))) for one in pieces),
        passage_similarity=max([above or 0.0, *(near(part) or 0.0 for part in parts)]),
        gain=max([there for there in titled if there is not None], default=title) - title,
        best=int(np.argmax(similarities)) if similarities else -1,
    )


def in_its_place(passage: Passage, one: Placed) -> str:
    """Return a sentence under its title and its heading."""
    heading = "" if one.heading == passage.title else one.heading
    above = ", ".join(filter(None, (passage.title, heading)))
    return f"{above}: {spoken(one.piece)}"


def in_context(passage: Passage) -> str:
    """Return a passage's text under its title, as it is embedded for the index."""
    return f"{passage.title}\n{passage.text}" if passage.title else passage.text
