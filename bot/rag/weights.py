"""How much a word tells: rare ones more, by their place in the embedding model's own vocabulary."""

import math
from collections.abc import Mapping
from functools import lru_cache

from tokenizers import Tokenizer

from bot.rag.lexicon import FUNCTION_WORDS, TOKEN, fold

COMMONEST, RAREST = 2_000, 30_522
"""WordPiece vocabularies list whole words by falling frequency; the first 2,000 are signs and the commonest."""
LEAST, MOST = 0.2, 1.6


class WordWeights:
    """Weights of words by a WordPiece vocabulary: log of the place, summed over the pieces of a word it lacks."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.of = lru_cache(maxsize=65_536)(self._weigh)

    def _weigh(self, word: str) -> float:
        pieces = self._tokenizer.encode(word.lower(), add_special_tokens=False).ids
        total = sum(math.log(max(piece, COMMONEST) / COMMONEST * 2) for piece in pieces)
        return min(MOST, max(LEAST, total / math.log(RAREST / COMMONEST * 2)))

    def knows(self, word: str) -> bool:
        """Whether the vocabulary holds this word as a whole."""
        return len(self._tokenizer.encode(word.lower(), add_special_tokens=False).ids) == 1

    def terms(self, text: str) -> dict[str, float]:
        """Return the content words of a text as `fold` leaves them, each with its weight."""
        return {fold(token): self.of(token) for token in TOKEN.findall(text) if token.lower() not in FUNCTION_WORDS}


def coverage(wanted: Mapping[str, float], there: frozenset[str] | set[str]) -> float:
    """Return the weighted share of the wanted terms that are there; 0 where nothing is wanted."""
    total = sum(wanted.values())
    return sum(weight for term, weight in wanted.items() if term in there) / total if total else 0.0
