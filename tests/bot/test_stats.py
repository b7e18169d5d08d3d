"""What `palace stats` says of model calls: tokens of every kind, and what they cost at list price."""

from bot.commandline.health import cost_of, tokens_of
from bot.domain.answers import ModelUse


def test_tokens_from_the_cache_count_too():
    use = ModelUse(
        model="m", step="", input_tokens=10, cache_write_tokens=200, cache_read_tokens=3_000, output_tokens=40_000
    )
    assert tokens_of(use) == 43_210


def test_a_model_costs_its_list_price_and_an_unknown_one_nothing_that_could_be_said():
    use = ModelUse(model="claude-haiku-4-5-20251001", step="", input_tokens=1_000_000, output_tokens=100_000)
    assert cost_of(use) == 1.5
    assert cost_of(ModelUse(model="somebody-elses", step="", input_tokens=1)) is None
