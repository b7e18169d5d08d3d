"""The local grader tells a passage that answers from one that only speaks of the same thing."""

import pytest

from bot.domain.memories import Passage
from bot.rag.evidence import compare
from bot.rag.grade import Grader, says_all, ungraded


def passage(number: int, title: str, text: str) -> Passage:
    return Passage(chunk_id=number, memory_id=f"m{number}", number=0, text=text, title=title, url="", score=number / 10)


TEA = passage(
    1,
    "Steeping guide",
    "Green tea is steeped at eighty degrees for two minutes. Black tea takes boiling water and four minutes.",
)
ROOF = passage(
    2, "Roof repair", "The slates on the north side were replaced in spring. The gutter leaks at the corner."
)


@pytest.fixture
def grader(embedder):
    return Grader(embedder)


async def test_a_passage_that_answers_is_relevant_and_another_is_not(grader):
    grading = await grader.grade("How long should green tea be steeped?", [ROOF, TEA])
    by_chunk = {grade.chunk_id: grade for grade in grading.grades}
    assert grading.verdict == "sufficient"
    assert by_chunk[1].relevance == "relevant"
    assert by_chunk[2].relevance == "irrelevant"
    assert [one.chunk_id for one in grading.passages] == [1]


async def test_every_grade_has_its_reason_and_a_score_between_nought_and_one(grader):
    grading = await grader.grade("How long should green tea be steeped?", [ROOF, TEA])
    assert all(grade.why and 0 <= grade.score <= 1 for grade in grading.grades)
    assert len(grading.grades) == 2


async def test_nothing_that_answers_is_said_to_be_nothing(grader):
    grading = await grader.grade("Who won the chess tournament in Oslo?", [ROOF, TEA])
    assert grading.verdict == "no_relevant_sources"
    assert grading.passages == ()


async def test_no_passage_is_no_source(grader):
    assert (await grader.grade("Anything?", [])).verdict == "no_relevant_sources"


async def test_a_passage_without_a_sentence_or_a_title_is_judged_all_the_same(grader):
    grading = await grader.grade("green tea", [passage(3, "", "   "), passage(4, "", "Green tea")])
    assert len(grading.grades) == 2


async def test_each_side_of_a_comparison_is_judged_by_itself(grader):
    question = "Compare the gutter of the north side and the steeping of green tea"
    alone = await grader.grade(question, [ROOF, TEA])
    sided = await grader.grade(question, [ROOF, TEA], also=("gutter of the north side", "steeping of green tea"))
    scores = {grade.chunk_id: grade.score for grade in alone.grades}
    assert all(grade.score >= scores[grade.chunk_id] for grade in sided.grades)
    assert {one.chunk_id for one in sided.passages} == {1, 2}


async def test_a_sentence_that_names_all_that_is_asked_goes_on_unless_it_lacks_the_sort_of_thing_asked_for(
    grader, embedder
):
    news = passage(5, "Line 7 returns", "OSLO (Wire) — The council voted on Tuesday to bring back the tram.")
    (evidence,) = await compare(embedder, "what did the council vote for?", [news])
    assert says_all("what did the council vote for?", evidence)
    assert not says_all("how much did the council vote for?", evidence)
    assert not says_all("a vote", evidence)
    assert (await grader.grade("what did the council vote for?", [news])).verdict == "needs_expansion"


def test_ungraded_passages_go_on_by_score_and_nothing_is_claimed_of_them():
    grading = ungraded([TEA, ROOF])
    assert grading.verdict == "ungraded"
    assert {grade.relevance for grade in grading.grades} == {"ungraded"}
    assert [one.chunk_id for one in grading.passages] == [2, 1]


SHED = passage(
    6,
    "PotteryLib",
    "# PotteryLib\n\nPotteryLib is a small library to plan the firing of clay.\n\n"
    "## Backups\n\nThe .copy command makes a consistent copy while others go on.\n\n"
    "## Licence\n\nIt is free software under the MIT licence.",
)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What licence does PotteryLib have?", "sufficient"),
        ("How do I back up PotteryLib?", "sufficient"),
        ("What licence does GlazeDB have?", "no_relevant_sources"),
        ("what licence does glazedb have?", "no_relevant_sources"),
        ("What licence does PotteryLib 4711 have?", "no_relevant_sources"),
    ],
)
async def test_a_neighbour_does_not_answer_for_what_is_named(grader, question, verdict):
    assert (await grader.grade(question, [SHED, ROOF])).verdict == verdict


async def test_a_code_of_the_question_in_a_sentence_is_heard_in_any_language(grader):
    table = passage(
        7, "Prices", "All in euros.\n\n| Plan | Price |\n|---|---|\n| Borin32 | 47.50 |\n| Borin64 | 92.00 |"
    )
    assert (await grader.grade("Was kostet Borin32?", [table])).passages == (table,)


KITE = passage(
    5,
    "Volta Kite",
    "# Volta Kite\n\nThe Volta Kite is a delivery drone with a range of 42 km. Its battery weighs 3.1 kg and charges "
    "in 50 minutes.\n\n## Price\n\n| Model | Price |\n|---|---|\n| Kite S | 1,900 EUR |\n| Kite L | 2,700 EUR |",
)


async def test_the_right_thing_without_what_is_asked_of_it_answers_nothing(grader):
    assert (await grader.grade("What colour is the Volta Kite?", [KITE])).verdict == "no_relevant_sources"
    assert (await grader.grade("What is the range of the Volta Kite?", [KITE])).verdict == "sufficient"


async def test_what_a_follow_up_took_over_is_no_answer_to_its_own_words(grader):
    guessed = "who is the yeast supplier? (range, Volta Kite, drone)"
    own = "who is the yeast supplier?"
    assert (await grader.grade(guessed, [KITE], own=own)).verdict == "no_relevant_sources"
    assert (await grader.grade("and its battery? (Volta Kite)", [KITE], own="and its battery?")).passages


async def test_a_question_about_a_whole_thing_is_judged_by_what_a_passage_is_about(grader):
    for question in ("Summarize the steeping guide", "tell me about green tea", "what do we know about tea?"):
        grading = await grader.grade(question, [ROOF, TEA])
        assert [one.chunk_id for one in grading.passages] == [1], question
    assert (await grader.grade("tell me about astronomy", [ROOF, TEA])).verdict == "no_relevant_sources"
    assert (await grader.grade("tell me about TEA-4711", [ROOF, TEA])).verdict == "no_relevant_sources"


async def test_a_side_that_is_a_thing_as_a_whole_is_judged_by_what_a_passage_is_about(grader):
    sides = ("the steeping guide", "the roof repair")
    grading = await grader.grade(f"Compare {sides[0]} and {sides[1]}", [ROOF, TEA], also=sides)
    assert {one.chunk_id for one in grading.passages} == {1, 2}
