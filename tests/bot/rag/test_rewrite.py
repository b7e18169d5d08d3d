"""Follow-ups made to stand alone, and questions that already do left alone."""

from datetime import UTC, datetime

import pytest

from bot.domain.answers import Rewrite
from bot.domain.messages import Turn
from bot.rag.generate import nothing_found
from bot.rag.leaning import leaning
from bot.rag.rewrite import SURE, UNCLEAR, Rewriter, join_last, rewritten

NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)


def said(*texts):
    """The person and the bot in turn, the person first."""
    return tuple(Turn(speaker="bot" if place % 2 else "person", text=text, at=NOON) for place, text in enumerate(texts))


@pytest.fixture(scope="module")
def rewrite(embedder):
    return Rewriter(embedder).rewrite


KAYAK = said("What does the Orca 4 kayak weigh?", "It weighs 21 kg [1]. Do you want the price of the paddle as well?")


@pytest.mark.parametrize(
    ("text", "history", "needed"),
    [
        ("What about their revenue?", said("Compare Apple and Google AI", "Both grow [1]."), ("Apple", "Google")),
        ("And Google?", said("What is Apple's revenue?", "High [1]."), ("revenue",)),
        ("Why?", said("Why does sourdough collapse?", "Gluten weakens [1]."), ("sourdough", "collapse")),
        ("How long is it?", KAYAK, ("Orca 4",)),
        ("yes please", KAYAK, ("price", "paddle", "Orca 4")),
        ("Und was kostet sie?", said("Was ist die Bahncard 50?", "Ein Rabatt [1]."), ("Bahncard 50",)),
        ("¿y cuánto cuesta?", said("¿Qué es la tarjeta Renfe?", "Un abono [1]."), ("Renfe",)),
    ],
)
async def test_a_follow_up_gets_what_it_lacks(rewrite, text, history, needed):
    made = await rewrite(text, history)
    assert made.needed_context
    assert made.added
    for words in needed:
        assert words in made.standalone


async def test_the_first_follow_up_is_rewritten_with_one_turn_of_history(rewrite):
    made = await rewrite("How long is it?", KAYAK[:1])
    assert "Orca 4" in made.standalone


@pytest.mark.parametrize(
    "text",
    [
        "How does caching work in Redis?",
        "What is the capital of France?",
        "  Where is the guide for the Shimpo pottery wheel?  ",
        "thanks!",
        "page 2",
    ],
)
async def test_what_stands_alone_is_searched_byte_for_byte(rewrite, text):
    assert (await rewrite(text, KAYAK)).standalone == text


@pytest.mark.parametrize("text", ["What about it?", "yes", "why?"])
async def test_without_a_history_nothing_is_added(rewrite, text):
    made = await rewrite(text, ())
    assert (made.standalone, made.needed_context, made.added) == (text, False, ())


async def test_a_yes_is_never_searched_bare_when_something_was_offered(rewrite):
    assert not (await rewrite("yes", KAYAK)).standalone.lower().startswith("yes")


async def test_no_word_is_added_twice(rewrite):
    made = await rewrite(
        "how heavy is the other one", said("Is the Orca kayak light?", "Yes [1].", "the Orca kayak?", "Yes.")
    )
    words = made.standalone.lower().replace(",", " ").replace("(", " ").replace(")", " ").split()
    assert words.count("orca") == 1


def test_the_joined_question_is_the_last_one_and_the_new_one():
    assert join_last("and its price?", KAYAK) == "What does the Orca 4 kayak weigh? and its price?"
    assert join_last("and its price?", ()) == "and its price?"


async def test_a_follow_up_is_also_searched_as_typed_and_behind_the_last_question(rewrite):
    history = said("What does the Orca 4 kayak weigh?", "It weighs 21 kg [1].")
    made = await rewrite("How long is it?", history)
    assert made.hints[:2] == ("How long is it?", "What does the Orca 4 kayak weigh? How long is it?")
    assert made.standalone in made.hints


PORT = said("What is PostgreSQL's default port?", "PostgreSQL listens on port 5432 by default [1].")


@pytest.mark.parametrize(
    "text",
    [
        "How do I bake sourdough bread?",
        "What is the capital of France?",
        "Where is the deployment guide for Kubernetes?",
        "What did Ana say about the offsite in Lisbon?",
        "how long does flour keep",
        "Which port does Redis use?",
        "Wie backe ich Sauerteigbrot?",
    ],
)
async def test_a_change_of_subject_is_searched_as_it_is_and_by_nothing_else(rewrite, text):
    made = await rewrite(text, PORT)
    assert (made.standalone, made.hints) == (text, ())


@pytest.mark.parametrize(
    "text", ["How do I change it?", "Why?", "And MySQL?", "¿y cómo lo cambio?", "Und wie ändere ich ihn?"]
)
async def test_a_follow_up_after_one_question_hears_its_subject(rewrite, text):
    made = await rewrite(text, PORT)
    assert "PostgreSQL" in made.standalone
    assert len(made.hints) == 3


BREWING = said("How long does green tea steep?", "Green tea steeps for three minutes [1].")


def unclear(text, history):
    return rewritten(text, history).standalone == text and UNCLEAR <= leaning(text, history) < SURE


async def test_a_likely_follow_up_stays_as_typed_and_is_heard_behind_the_last_question_as_well(rewrite):
    text = "Is milk fine?"
    assert unclear(text, BREWING)
    made = await rewrite(text, BREWING)
    assert made.standalone == text
    assert "How long does green tea steep? Is milk fine?" in made.hints


async def test_a_name_not_heard_before_makes_a_likely_follow_up_a_question_of_its_own(rewrite):
    text = "How much does Oolong cost?"
    assert unclear(text, BREWING)
    assert (await rewrite(text, BREWING)).hints == ()


@pytest.mark.parametrize(("text", "history"), [("What is kelp?", ()), ("thanks!", KAYAK), ("yes please", KAYAK)])
async def test_without_a_question_or_a_conversation_there_is_no_further_wording(rewrite, text, history):
    assert (await rewrite(text, history)).hints == ()


async def test_the_words_that_nothing_was_found_are_never_taken_over(rewrite):
    history = said("What colour is the Volta Kite?", nothing_found("en"))
    made = await rewrite("and its weight?", history)
    assert "Volta Kite" in made.standalone
    assert "saved" not in made.standalone


async def test_a_question_about_a_thing_as_a_whole_stands_alone_where_it_names_it(rewrite):
    text = "what do we know about the winter garden?"
    assert await rewrite(text, KAYAK) == Rewrite(standalone=text, needed_context=False)
    assert "Orca" in (await rewrite("summarize it", KAYAK)).standalone
