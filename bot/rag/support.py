"""How well saved text carries a claim: words, order of words, numbers, names, negation (pure)."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from bot.rag.lexicon import TOKEN, fold, names, numbers
from bot.rag.weights import WordWeights

MOST_CHOSEN = 6
"""Sentences that may carry a claim together."""
SENTENCE_COST = 0.002
"""Taken from a sentence for each of its words, so that of two equals the shorter is chosen."""
NEGATIONS_TEXT = """
not no never none nobody nothing neither nor without cannot nicht kein keine keinen keiner nie niemals ohne nunca
jamás sin ningún ninguna jamais sans aucun aucune
"""
NEGATIONS = frozenset(NEGATIONS_TEXT.split())
ASIDE = re.compile(r"\b(?:i|i'm|i've|my|me|you|your|we|let's|ich|du|mein|yo|tú|je|tu|vous)\b", re.IGNORECASE)
LONGEST_COMPARED = 400
"""Words of evidence that are compared in order: the common subsequence costs their product."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What speaks for and against a claim standing in a text. Shares are in [0, 1]."""

    all_words: float
    """Share of all its words, function words too, that stand in the chosen sentences."""
    order: float
    """Longest common subsequence of words, as a share of the claim."""
    near: float
    """Weighted share of its content words within three neighbouring sentences."""
    trailing: int
    """Words at its end that stand nowhere: where a claim goes on beyond its evidence."""
    missing_words: tuple[str, ...]
    missing_numbers: tuple[str, ...]
    missing_names: tuple[str, ...]
    negation: bool
    """One of them denies what the other says."""
    question: bool
    aside: bool
    """It speaks of the speakers, and the evidence does not."""


def supporting(claim: str, sentences: Sequence[str], weights: WordWeights) -> tuple[int, ...]:
    """Return the places of the sentences that carry most of the claim's words together, the telling ones first."""
    wanted = weights.terms(claim)
    held = [frozenset(folded(sentence)) for sentence in sentences]
    count = len(sentences)
    rarity = {
        term: weight * (0.3 + 0.7 * math.log1p(count / (1 + sum(term in there for there in held))) / math.log1p(count))
        for term, weight in wanted.items()
        if count
    }
    left = dict(rarity)
    chosen: list[int] = []
    while left and len(chosen) < min(MOST_CHOSEN, count):
        gains = {
            at: sum(left.get(term, 0.0) + 0.15 * rarity.get(term, 0.0) for term in there) - SENTENCE_COST * len(there)
            for at, there in enumerate(held)
            if at not in chosen
        }
        place = max(gains, key=lambda at: (gains[at], -at))
        if gains[place] <= 0:
            break
        chosen.append(place)
        left = {term: weight for term, weight in left.items() if term not in held[place]}
    return tuple(chosen)


def support(claim: str, sentences: Sequence[str], chosen: Sequence[int], weights: WordWeights) -> Support:
    """Return what the chosen sentences, and all of them, say of the claim."""
    said = folded(claim)
    held = [folded(sentence) for sentence in sentences]
    best = [held[at] for at in chosen]
    text = [word for sentence in best for word in sentence]
    there, everywhere = set(text), {word for sentence in held for word in sentence}
    wanted = weights.terms(claim)
    raw = " ".join(sentences[at] for at in chosen)
    return Support(
        all_words=sum(word in there for word in said) / max(1, len(said)),
        order=common_subsequence(said, text[:LONGEST_COMPARED]) / max(1, len(said)),
        near=max((share(wanted, window) for window in windows(held)), default=0.0),
        trailing=sum(1 for _ in takewhile(lambda word: word not in everywhere, reversed(said))),
        missing_words=tuple(term for term in wanted if term not in everywhere),
        missing_numbers=tuple(number for number in numbers(claim) if number not in everywhere),
        missing_names=tuple(name for name in names(claim) if name not in everywhere),
        negation=denials(claim) != denials(raw) and denials(claim) + denials(raw) == 1,
        question="?" in claim,
        aside=bool(ASIDE.search(claim)) and not ASIDE.search(raw),
    )


def windows(held: Sequence[Sequence[str]]) -> Iterator[set[str]]:
    """Yield the words of every three neighbouring sentences."""
    for at in range(max(1, len(held) - 2)):
        yield {word for sentence in held[at : at + 3] for word in sentence}


def share(wanted: dict[str, float], there: set[str]) -> float:
    """Return the weighted share of the wanted words that are there; 1 where nothing is wanted."""
    total = sum(wanted.values())
    return sum(weight for term, weight in wanted.items() if term in there) / total if total else 1.0


def folded(text: str) -> list[str]:
    """Return every word of a text as `fold` leaves it, function words too."""
    return [fold(token) for token in TOKEN.findall(text)]


def denials(text: str) -> int:
    """Return 1 where a text denies something, else 0."""
    return int(any(word in NEGATIONS or word.endswith("n't") for word in re.findall(r"[\w']+", text.lower())))


def common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for at, there in enumerate(other, start=1):
            above = row[at]
            row[at] = before + 1 if word == there else max(above, row[at - 1])
            before = above
    return row[-1]
