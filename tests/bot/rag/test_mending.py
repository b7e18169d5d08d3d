"""Sentences are found as they stand in an answer, and can be taken out without leaving scars."""

import pytest

from bot.domain.answers import Unsupported
from bot.rag.mending import statements, whole_sentences, without


def fault(sentence):
    return Unsupported(sentence=sentence, why="not in the sources")


def test_marks_after_a_full_stop_stay_with_their_sentence():
    assert statements("Rye sours. [1] Wheat does not [2].") == ("Rye sours. [1]", "Wheat does not [2].")


def test_code_is_no_statement():
    assert statements("Run this:\n```\nbake. rye. now.\n```") == ("Run this:",)


def test_a_sentence_is_taken_out_whatever_its_marks_look_like():
    text = "**Rye** sours [1]. Wheat flies [2]. Oats sleep [3]."
    assert without(text, [fault("Wheat flies.")]) == "**Rye** sours [1]. Oats sleep [3]."
    assert without(text, [fault("Rye sours [1].")]) == "Wheat flies [2]. Oats sleep [3]."


def test_a_list_item_left_empty_goes_with_its_bullet():
    assert without("Two things:\n- Rye sours [1].\n- Wheat flies [2].", [fault("Wheat flies")]) == (
        "Two things:\n- Rye sours [1]."
    )


def test_code_survives_even_if_it_reads_like_the_fault():
    text = "Wheat flies [2].\n```\nWheat flies\n```"
    assert without(text, [fault("Wheat flies")]) == "```\nWheat flies\n```"


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("Rye sours [1]. Wheat does n", "Rye sours [1]."),
        ("Rye so", ""),
        ("- Rye sours [1].\n- Whe", "- Rye sours [1]."),
        ("Rye sours. [1]", "Rye sours. [1]"),
    ],
)
def test_a_text_that_broke_off_loses_its_unfinished_sentence(broken, whole):
    assert whole_sentences(broken) == whole
