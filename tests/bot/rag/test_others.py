"""Which one "the other one" is follows from what the conversation compared and asked about alone."""

from datetime import UTC, datetime

import pytest

from bot.domain.messages import Turn
from bot.rag.others import choosing

AT = datetime(2026, 5, 3, tzinfo=UTC)
COMPARED = "Compare Kiln and Forge"


def history(*questions: str, answer: str = "Such is known of it.") -> tuple[Turn, ...]:
    """Return a conversation in which the bot answers every question alike."""
    said = [(speaker, text) for question in questions for speaker, text in (("person", question), ("bot", answer))]
    return tuple(Turn(speaker=speaker, text=text, at=AT) for speaker, text in said)


@pytest.mark.parametrize(
    ("before", "text", "meant"),
    [
        ((COMPARED, "how hot is the Kiln?"), "and what about the other one?", "Forge"),
        (("how hot is the Kiln?", COMPARED), "and what about the other one?", "Forge"),
        (("how hot is the Forge?", COMPARED), "and what about the other one?", "Kiln"),
        ((COMPARED,), "and the other one?", "Forge"),
        (("how hot is the Kiln?", "what does the Forge cost?"), "and the other one?", "Kiln"),
        ((COMPARED, "how hot is the Kiln?", "and the other one?"), "and the other one again?", "Kiln"),
        ((COMPARED, "how hot is the Kiln?", "what does it cost?"), "and the other one?", "Forge"),
        ((COMPARED, "thanks!"), "tell me about the first one", "Kiln"),
        ((COMPARED,), "what does the second one cost?", "Forge"),
        ((COMPARED,), "is the former hot?", "Kiln"),
        ((COMPARED,), "is the latter hot?", "Forge"),
        (("Vergleiche Kiln und Forge",), "und was kostet die zweite?", "Forge"),
        (("Vergleiche Kiln und Forge", "wie heiß wird Forge?"), "und der andere?", "Kiln"),
        (("Compara Kiln y Forge", "¿cuánto cuesta Kiln?"), "¿y la otra?", "Forge"),
        (("Compara Kiln y Forge",), "¿qué cuesta el primero?", "Kiln"),
        ((COMPARED, "who won the Oslo regatta?", "when was the Bergen fair?"), "and the other one?", "Oslo regatta"),
    ],
)
def test_the_one_that_is_meant_is_asked_for_by_name(before, text, meant):
    standalone, subject = choosing(text, history(*before))
    assert subject == meant
    assert meant in standalone


def test_a_bare_choice_repeats_the_last_question_of_the_other_side():
    asked = history(COMPARED, "how hot is the Kiln?")
    assert choosing("and the other one?", asked) == ("how hot is the Forge?", "Forge")
    assert (
        choosing("what about the other one?", history("how hot is the Kiln?", COMPARED))[0] == "what about the Forge?"
    )


def test_an_answer_shows_what_a_question_without_a_name_was_about():
    asked = history(COMPARED, "which has the thicker stone?", answer="The Kiln has a stone of five centimetres.")
    assert choosing("and the other one?", asked)[1] == "Forge"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ((), "and the other one?"),
        (("how hot is the Kiln?",), "and the other one?"),
        ((COMPARED,), "the other day it rained"),
        ((COMPARED,), "der andere Teil des Buches"),
        ((COMPARED,), "what is the other reason?"),
        ((COMPARED,), "how hot is it?"),
    ],
)
def test_what_chooses_nothing_is_left_alone(before, text):
    assert choosing(text, history(*before)) == ("", "")
