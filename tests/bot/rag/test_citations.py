"""Marks in an answer become sources, and only where they name one."""

import pytest

from bot.domain.memories import Passage
from bot.rag.citations import cite, cited_numbers

PASSAGES = tuple(
    Passage(chunk_id=at, memory_id=memory, number=at, text=f"Text {at}.", title=f"Title {memory}", url=f"https://x.test/{memory}")
    for at, memory in enumerate(["tea", "tea", "mill", "oven"], start=1)
)  # fmt: skip


def numbers(text):
    return [citation.number for citation in cite(text, PASSAGES)[1]]


@pytest.mark.parametrize(
    ("written", "clean", "sources"),
    [
        ("It steeps [1].", "It steeps [1].", [1]),
        ("Both say so [1][3].", "Both say so [1][3].", [1, 3]),
        ("Both say so [3, 4].", "Both say so [3][4].", [3, 4]),
        ("All of them [1-4].", "All of them [1][3][4].", [1, 3, 4]),
        ("All of them [3–4].", "All of them [3][4].", [3, 4]),
        ("No such source [7] here.", "No such source here.", []),
        ("One of two [3, 9].", "One of two [3].", [3]),
        ("Nought is no source [0].", "Nought is no source.", []),
        ("No mark at all.", "No mark at all.", []),
    ],
)
def test_marks_become_sources_and_numbers_that_name_no_passage_go(written, clean, sources):
    text, citations = cite(written, PASSAGES)
    assert text == clean
    assert [citation.number for citation in citations] == sources


def test_two_passages_of_one_memory_are_one_source_line():
    text, citations = cite("First [2]. Then [1]. Last [2][1].", PASSAGES)
    assert [(citation.number, citation.memory_id) for citation in citations] == [(2, "tea")]
    assert text == "First [2]. Then [2]. Last [2]."


@pytest.mark.parametrize(
    "code",
    ["```python\nrow = table[1]\nlast = table[9]\n```", "~~~\ntable[9]\n~~~", "Use `table[9]` here.", "``a`[9]` ``"],
)
def test_code_stays_as_it_is_and_cites_nothing(code):
    text, citations = cite(code, PASSAGES)
    assert text == code
    assert citations == ()


def test_a_mark_after_code_still_counts():
    assert numbers("```\nx[1]\n```\nAs the page says [3].") == [3]


def test_a_fence_that_is_never_closed_hides_no_more_than_itself():
    text, citations = cite("Before [3].\n```\nx[1]", PASSAGES)
    assert text == "Before [3].\n```\nx[1]"
    assert [citation.number for citation in citations] == [3]


def test_the_words_of_a_link_are_no_mark():
    assert cite("See [1](https://x.test/one).", PASSAGES) == ("See [1](https://x.test/one).", ())


def test_sources_come_in_the_order_of_their_first_mark_with_a_quote():
    citations = cite("Heat [4], then grind [3].", PASSAGES)[1]
    assert [citation.title for citation in citations] == ["Title oven", "Title mill"]
    assert citations[0].quote == "Text 4."


def test_cited_numbers_leave_code_out():
    assert cited_numbers("One [2] and `[3]` and [1-2].") == (2, 1)
