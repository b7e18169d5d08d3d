"""Model calls are paid by fresh, written, read and produced tokens, each at its own price."""

import pytest

from bot.domain.answers import ModelUse
from bot.rag.costs import PRICES, dollars, price_of
from bot.settings import Settings


def used(model="claude-sonnet-5-5"):
    return ModelUse(
        model=model,
        step="plan",
        input_tokens=1_000_000,
        cache_write_tokens=1_000_000,
        cache_read_tokens=1_000_000,
        output_tokens=1_000_000,
    )


def test_every_kind_of_token_counts_at_its_own_price():
    assert dollars(used()) == pytest.approx(2 + 2.5 + 0.1 + 10)


def test_a_dated_name_has_the_price_of_its_model():
    assert price_of("claude-haiku-4-5-20251001") == PRICES["claude-haiku-4-5"]
    assert price_of("claude-sonnet-5-5") != price_of("claude-sonnet-5")


def test_a_model_without_a_price_costs_nothing_we_could_say():
    assert dollars(used("someone-elses-model")) is None


def test_the_default_models_have_a_price():
    settings = Settings(_env_file=None)
    assert price_of(settings.palace_planning_model)
    assert price_of(settings.palace_answering_model)
