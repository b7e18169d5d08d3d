"""Which kind of answer a message wants; small talk only when it is nothing else."""

from datetime import UTC, datetime

import pytest

from bot.domain.messages import Turn
from bot.rag.route import Router

NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def router(embedder):
    return Router(embedder)


def said(*texts):
    return tuple(Turn(speaker="bot" if place % 2 else "person", text=text, at=NOON) for place, text in enumerate(texts))


@pytest.mark.parametrize(
    "text",
    ["hey", "thank you!!", "🙏", "good evening everyone", "what can you do?", "danke dir", "buenos días", "tahnks"],
)
async def test_small_talk_alone_retrieves_nothing(router, text):
    assert (await router.route(text, ())).intent == "no_retrieval"


@pytest.mark.parametrize(
    "text",
    [
        "hey, where is the kiln manual?",
        "thanks, and the glaze temperature?",
        "good evening! who fixed the kiln",
        "hello kitty stencil",
        "Jon moved the firing to Friday, right",
        "hola, ¿dónde está el manual?",
        "hallo, was haben wir zu Glasuren?",
        "спасибо, а где инструкция к печи?",
        "thank you card template",
    ],
)
async def test_a_greeting_before_a_question_retrieves(router, text):
    assert (await router.route(text, ())).intent != "no_retrieval"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Hello, can you compare the two kilns?", "comparison"),
        ("stoneware vs earthenware", "comparison"),
        ("Was ist der Unterschied zwischen Ton und Lehm?", "comparison"),
        ("sum up the safety guide", "summarization"),
        ("resume la guía de seguridad", "summarization"),
        ("why do glazes crack?", "analytical"),
        ("warum reißen Glasuren?", "analytical"),
        ("how many links did we save in May", "count_or_list"),
        ("what did Ana post in #clay last week about kilns", "count_or_list"),
        ("zeig alle Notizen über Ton", "count_or_list"),
        ("lista todos los enlaces", "count_or_list"),
        ("how many seats does the van have", "simple_lookup"),
        ("cone 6 schedule", "simple_lookup"),
    ],
)
async def test_a_question_is_routed_by_what_it_asks(router, text, intent):
    assert (await router.route(text, ())).intent == intent


@pytest.mark.parametrize("text", ["Who is investigating WeWork?", "Hello, who is suing DeepMind?"])
async def test_a_question_that_names_something_is_no_small_talk_by_a_narrow_lead(router, text):
    assert (await router.route(text, ())).intent != "no_retrieval"


async def test_a_question_that_leans_on_the_history_is_a_follow_up(router):
    history = said("What does the Orca 4 kayak weigh?", "21 kg [1]. Shall I look up the price?")
    for text in ("how long is it?", "and the Orca 5?", "yes"):
        assert (await router.route(text, history)).intent == "follow_up"
    assert (await router.route("thanks!", history)).intent == "no_retrieval"


async def test_more_continues_a_list_and_nothing_else(router):
    assert (await router.route("more", said("list all links", "There are 30 links"))).intent == "count_or_list"
    assert (await router.route("more", ())).intent != "count_or_list"
