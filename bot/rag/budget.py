"""Fit what goes to the model into its window: the weakest passages leave first, then the oldest turns."""

import math
from collections.abc import Sequence

from bot.domain.memories import Passage
from bot.domain.messages import Turn

CHARACTERS_A_TOKEN = 3.5
"""Of English prose, on the cautious side; the model's own tokenizer is not at hand before the call."""
WIDE_TOKENS = 1.0
"""Tokens of one character outside the Latin, Greek and Cyrillic scripts."""
LAST_NARROW = 0x052F
PASSAGE_TOKENS = 24
"""Number, title line and fence around each passage."""
TURN_TOKENS = 12
"""Speaker and time before each turn."""


def fit(
    passages: Sequence[Passage], turns: Sequence[Turn], *, question: str, budget_tokens: int, fixed_tokens: int
) -> tuple[tuple[Passage, ...], tuple[Turn, ...]]:
    """Return the passages and turns that fit `budget_tokens` beside the question and `fixed_tokens` of prompt.

    `passages` come best first and keep their order; `turns` come oldest first. The question and the best passage
    stay even where they do not fit alone: the caller's window has a margin, and an answer from nothing is none.
    """
    kept, told = list(passages), list(turns)
    left = budget_tokens - fixed_tokens - estimate_tokens(question)
    size = sum(map(passage_tokens, kept)) + sum(map(turn_tokens, told))
    while size > left and len(kept) > 1:
        size -= passage_tokens(kept.pop())
    while size > left and told:
        size -= turn_tokens(told.pop(0))
    return tuple(kept), tuple(told)


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text is: 3.5 characters a token, one a character in scripts like Chinese."""
    wide = sum(ord(letter) > LAST_NARROW and letter.isalpha() for letter in text)
    return math.ceil((len(text) - wide) / CHARACTERS_A_TOKEN + wide * WIDE_TOKENS)


def passage_tokens(passage: Passage) -> int:
    """Return about how many tokens a passage is, with what stands around it."""
    return estimate_tokens(passage.text) + estimate_tokens(passage.title) + PASSAGE_TOKENS


def turn_tokens(turn: Turn) -> int:
    """Return about how many tokens a turn is, with its speaker and time."""
    return estimate_tokens(turn.text) + TURN_TOKENS
