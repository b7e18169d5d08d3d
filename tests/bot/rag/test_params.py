"""The table of search parameters, and what settings may change in it."""

from typing import get_args

import pytest

from bot.domain.answers import Intent
from bot.rag.params import parameters_for


@pytest.mark.parametrize("intent", get_args(Intent))
def test_every_intent_has_its_row(intent):
    parameters = parameters_for(intent)
    searched = intent not in {"no_retrieval", "count_or_list"}
    assert (parameters.passages > 0) == searched
    assert parameters.by_meaning + parameters.by_words == pytest.approx(1.0 if searched else 0.0)


def test_a_comparison_reads_more_and_asks_in_more_wordings_than_a_lookup():
    comparison, lookup = parameters_for("comparison"), parameters_for("simple_lookup")
    assert comparison.passages > lookup.passages
    assert comparison.wordings > lookup.wordings
    assert comparison.by_words > lookup.by_words


def test_settings_replace_a_row_and_leave_the_others():
    overrides = {"simple_lookup": (9, 0.2, 0.8, 1)}
    changed = parameters_for("simple_lookup", overrides)
    assert (changed.passages, changed.by_meaning, changed.by_words, changed.wordings) == (9, 0.2, 0.8, 1)
    assert parameters_for("comparison", overrides) == parameters_for("comparison")
