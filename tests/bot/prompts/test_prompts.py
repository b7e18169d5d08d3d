"""Prompts are files: a fixed part that is cached, and a turn whose every slot must be filled."""

from pathlib import Path

import pytest

import bot.prompts
from bot.prompts import Prompt, load

NAMES = sorted(path.stem for path in Path(bot.prompts.__file__).parent.glob("*.md"))


def test_a_slot_is_filled_by_name_once_and_never_again_inside_a_value():
    prompt = Prompt(system="", turn="{{a}} and {{b}}")
    assert prompt.fill(a="{{b}}", b="2") == "{{b}} and 2"


@pytest.mark.parametrize("values", [{}, {"a": "1"}, {"a": "1", "b": "2", "c": "3"}])
def test_a_value_missing_or_unknown_is_an_error(values):
    with pytest.raises(KeyError):
        Prompt(system="", turn="{{a}} {{b}}").fill(**values)


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_keeps_what_varies_out_of_the_cached_part(name):
    prompt = load(name)
    assert "{{" not in prompt.system
    assert "{{question}}" in prompt.turn or "{{code}}" in prompt.turn
    assert "<data-CODE>" in prompt.system


@pytest.mark.parametrize("name", NAMES)
def test_every_cached_part_is_long_enough_to_be_cached(name):
    assert len(load(name).system) / 4.5 > 400  # with the schema it passes the small model's least of 512 tokens
