"""A grader's reply is read strictly: what it does not clearly grade stays ungraded, never relevant."""

import pytest

from adapters.models.replies import object_in
from bot.rag.model_grade import SCHEMA, grading_of, read_grades, request_for
from tests.fakes.answering import passage

PASSAGES = [passage("Rye.", chunk_id=11), passage("Wheat.", chunk_id=12), passage("Oats.", chunk_id=13)]


def read(raw):
    grades = read_grades(object_in(raw, wanted=SCHEMA["required"]) or raw, PASSAGES)
    return [grades[one.chunk_id].relevance if one.chunk_id in grades else "ungraded" for one in PASSAGES]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Incorrect.", ["irrelevant"] * 3),
        ("NOT RELEVANT", ["irrelevant"] * 3),
        ("relevant", ["ungraded"] * 3),
        ("I think they are all correct", ["ungraded"] * 3),
        ("", ["ungraded"] * 3),
        ('{"grades": [', ["ungraded"] * 3),
        ('{"grades": null}', ["ungraded"] * 3),
        ('{"grades": "relevant"}', ["ungraded"] * 3),
        (
            'Here:\n```json\n{"grades":[{"id":2,"relevance":"relevant"},{"id":1,"relevance":"partly"}]}\n```',
            ["partly", "relevant", "ungraded"],
        ),
        (
            '{"grades":[{"id":"1","relevant":"false"},{"id":"[2]","relevant":"Yes"},{"id":3.0,"relevant":false}]} Bye',
            ["irrelevant", "relevant", "irrelevant"],
        ),
        ('{"grades":[{"id":7,"relevant":true},{"id":3,"relevant":true}]}', ["ungraded", "ungraded", "relevant"]),
        ('{"grades":{"1":false,"2":"relevant","3":{"relevance":"partly"}}}', ["irrelevant", "relevant", "partly"]),
        ('{"grades":[{"id":true,"relevant":true},{"relevant":true},null,"x"]}', ["ungraded"] * 3),
        ('{"grades":[{"id":1,"relevance":"maybe"},{"id":2,"relevant":1}]}', ["ungraded"] * 3),
        ('[{"id":1,"relevant":true},{"id":2,"relevant":false}]', ["relevant", "irrelevant", "ungraded"]),
        ('{"1":true,"2":false}', ["relevant", "irrelevant", "ungraded"]),
        ('{"note":1} {"grades":[{"id":2,"relevant":true}]}', ["ungraded", "relevant", "ungraded"]),
        ('{"grades":[{"id":"passage 2","relevance":"highly relevant"}]}', ["ungraded", "relevant", "ungraded"]),
        ('{"grades":[{"id":1,"relevant":true},{"id":1,"relevant":false}]}', ["ungraded"] * 3),
        ("None of these are relevant.", ["irrelevant"] * 3),
        ("Not correct", ["irrelevant"] * 3),
    ],
)
def test_a_reply_is_read_as_what_it_really_says(raw, expected):
    assert read(raw) == expected


def test_a_score_is_kept_between_nought_and_one():
    reply = {
        "grades": [
            {"id": 1, "relevance": "relevant", "score": 7},
            {"id": 2, "relevance": "partly", "score": "high"},
            {"id": 3, "relevance": "relevant", "score": "0.75", "reasoning": "says so"},
        ]
    }
    grades = read_grades(reply, PASSAGES)
    assert [grades[one.chunk_id].score for one in PASSAGES] == [1.0, 0.5, 0.75]
    assert grades[13].why == "says so"


@pytest.mark.parametrize(
    ("words", "verdict", "on"),
    [
        (["irrelevant", "relevant", "partly"], "sufficient", [12, 13]),
        (["irrelevant", "irrelevant", "partly"], "needs_expansion", [13]),
        (["irrelevant", "irrelevant", "irrelevant"], "no_relevant_sources", []),
        (["irrelevant", None, "partly"], "ungraded", [13, 12]),
        ([None, None, None], "ungraded", [11, 12, 13]),
    ],
)
def test_the_verdict_follows_from_the_grades_and_the_irrelevant_stay_behind(words, verdict, on):
    reply = {"grades": [{"id": n, "relevance": word} for n, word in enumerate(words, 1) if word]}
    grading = grading_of(PASSAGES, read_grades(reply, PASSAGES))
    assert grading.verdict == verdict
    assert [one.chunk_id for one in grading.passages] == on


def test_reasoning_is_written_before_the_grade():
    names = list(SCHEMA["properties"]["grades"]["items"]["properties"])
    assert names.index("reasoning") < names.index("relevance") < names.index("score")


def test_the_question_stands_outside_the_data_and_its_reading_inside():
    request = request_for("And rye?", "What about rye bread?", PASSAGES)
    outside = request.content[request.content.index("## Question") :]
    assert "And rye?" in outside.partition("<data-")[0]
    assert "What about rye bread?" not in outside.partition("<data-")[0]
    assert "Rye." not in request.system
