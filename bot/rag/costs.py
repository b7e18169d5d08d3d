"""Say what model calls cost, from list prices (which may change: see platform.claude.com, "Pricing")."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.domain.answers import ModelUse

MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars a million tokens."""

    fresh: float
    cache_write: float
    """Kept for five minutes, which is what we ask for."""
    cache_read: float
    output: float


PRICES: Final[Mapping[str, Price]] = {
    "claude-fable-5": Price(fresh=10, cache_write=12.5, cache_read=1, output=50),
    "claude-fable-5-1": Price(fresh=10, cache_write=12.5, cache_read=0.25, output=50),
    "claude-haiku-4-5": Price(fresh=1, cache_write=1.25, cache_read=0.1, output=5),
    "claude-haiku-5-5": Price(fresh=0.1, cache_write=0.125, cache_read=0.01, output=0.5),
    "claude-opus-4-5": Price(fresh=5, cache_write=6.25, cache_read=0.5, output=25),
    "claude-opus-4-6": Price(fresh=5, cache_write=6.25, cache_read=0.5, output=25),
    "claude-opus-4-7": Price(fresh=5, cache_write=6.25, cache_read=0.5, output=25),
    "claude-opus-4-8": Price(fresh=5, cache_write=6.25, cache_read=0.5, output=25),
    "claude-opus-5": Price(fresh=5, cache_write=6.25, cache_read=0.5, output=25),
    "claude-opus-5-5": Price(fresh=4, cache_write=5, cache_read=0.2, output=20),
    "claude-sonnet-4-5": Price(fresh=3, cache_write=3.75, cache_read=0.3, output=15),
    "claude-sonnet-4-6": Price(fresh=3, cache_write=3.75, cache_read=0.3, output=15),
    "claude-sonnet-5": Price(fresh=2, cache_write=2.5, cache_read=0.2, output=10),
    "claude-sonnet-5-5": Price(fresh=2, cache_write=2.5, cache_read=0.1, output=10),
}
"""List prices seen in November 2026, for prompts of up to 100,000 tokens. A dated name has the price of its model."""


def price_of(model: str) -> Price | None:
    """Return the list price of a model by its name, dated or not; None for one we do not know."""
    return PRICES.get(re.sub(r"-\d{8}$", "", model))


def dollars(use: ModelUse) -> float | None:
    """Return what a call, or a sum of calls of one model, cost in US dollars; None for a model we have no price of."""
    price = price_of(use.model)
    if price is None:
        return None
    total = (
        use.input_tokens * price.fresh
        + use.cache_write_tokens * price.cache_write
        + use.cache_read_tokens * price.cache_read
        + use.output_tokens * price.output
    )
    return total / MILLION
