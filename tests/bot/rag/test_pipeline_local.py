"""Answering without any model: the local ways together, on the real embedding model and a real file."""

import asyncio

import pytest

from bot.domain.answers import Vote
from bot.domain.errors import NotReady, StorageTrouble
from bot.domain.rooms import scope_of
from bot.ports import Deadlines
from tests.fakes.answering import answering, events_of, finished, question, texts, turn
from tests.fakes.palace import ANA, DEV, NOON

PAGES = {
    "Apple and AI": (
        "Apple puts its AI models on the device, for privacy.\n\nApple's revenue was 391 billion dollars in 2024."
    ),
    "Google and AI": (
        "Google runs its AI models in the cloud, on its own chips.\n\nGoogle's revenue was 350 billion dollars in 2024."
    ),
    "Rye guide": "A rye loaf keeps ten days in a linen bag.\n\nRye dough wants twelve hours to sour.",
    "Baker's notes": "My rye loaf stayed good for about a week, wrapped in paper.",
}


@pytest.fixture
async def palace(tmp_path, embedder):
    await embedder.load()
    async with answering(tmp_path, PAGES, embedder=embedder) as opened:
        yield opened


async def test_a_lookup_quotes_the_right_page_first_with_its_source(palace):
    pipeline, storage = palace
    events, answer = await events_of(pipeline, question("How long does a rye loaf keep?"))
    assert answer.citations[0].title in {"Rye guide", "Baker's notes"}
    assert "[" in answer.text
    assert {one.way for one in finished(events)} == {"local"}
    assert answer.fallbacks == ()
    assert texts(events)[-1] == answer.text
    assert (await storage.traces.get(answer.trace_id)).answer.text == answer.text


@pytest.mark.parametrize("text", ["hi", "thanks!", "👍", "good morning everybody", "bye", "what are you?"])
async def test_a_greeting_is_answered_without_sources(palace, text):
    events, answer = await events_of(palace[0], question(text))
    assert answer.intent == "no_retrieval"
    assert answer.citations == ()
    assert answer.text
    assert not finished(events, "retrieve")


@pytest.mark.parametrize(
    "text",
    [
        "Hello, can you compare the AI strategies?",
        "good evening! how long does a rye loaf keep?",
        "thanks, and how long does the dough want?",
        "hello google revenue",
    ],
)
async def test_a_greeting_before_a_question_is_a_question(palace, text):
    events, answer = await events_of(palace[0], question(text))
    assert answer.intent != "no_retrieval"
    assert finished(events, "retrieve")


async def test_a_follow_up_is_searched_with_the_subjects_of_the_turn_before(palace):
    history = (
        turn("Compare Apple and Google AI", standalone="Compare Apple and Google AI"),
        turn("Apple puts its models on the device [1], Google runs them in the cloud [2].", speaker="bot"),
    )
    _, answer = await events_of(palace[0], question("What about their revenue?", *history))
    searched = answer.standalone.lower()
    assert "apple" in searched
    assert "google" in searched
    assert "revenue" in searched
    assert {"Apple and AI", "Google and AI"} <= {citation.title for citation in answer.citations}


async def test_a_yes_to_the_bots_own_offer_is_searched_as_the_offer(palace):
    history = (
        turn("How long does a rye loaf keep?"),
        turn("Ten days [1]. Would you like to know how long rye dough wants to sour?", speaker="bot"),
    )
    _, answer = await events_of(palace[0], question("yes", *history))
    assert "dough" in answer.standalone.lower() or "sour" in answer.standalone.lower()
    assert "rye" in answer.standalone.lower()


async def test_a_count_is_exact_and_comes_from_the_table(palace):
    _, answer = await events_of(palace[0], question("How many links did we save?"))
    assert answer.intent == "count_or_list"
    assert answer.total == len(PAGES)
    assert str(len(PAGES)) in answer.text


async def test_nothing_saved_is_an_answer_in_one_sentence(palace):
    _, answer = await events_of(palace[0], question("Who won the chess olympiad of 1972?"))
    assert answer.verdict == "no_relevant_sources"
    assert answer.citations == ()
    assert len(answer.text) < 200


async def test_a_passage_voted_down_is_not_cited_first_for_a_paraphrase_until_undone(palace, embedder):
    pipeline, storage = palace
    asked, paraphrase = "How long does a rye loaf keep?", "How long will a rye loaf keep?"
    _, first = await events_of(pipeline, question(asked))
    trace = await storage.traces.get(first.trace_id)
    disliked = first.citations[0].memory_id
    scope = scope_of(DEV, ANA)
    vector = (await embedder.embed_queries([first.standalone]))[0]
    vote = await storage.feedback.vote(
        Vote(trace_id=first.trace_id, person_key=ANA.key, value=-1, reason="old", at=NOON),
        question_vector=vector,
        scope=scope,
        passages=[one for one in trace.passages if one.memory_id == disliked],
    )
    _, second = await events_of(pipeline, question(paraphrase))
    assert second.citations
    assert second.citations[0].memory_id != disliked
    assert await storage.feedback.undo(vote.vote_id, person_key=ANA.key)
    _, third = await events_of(pipeline, question(paraphrase))
    assert third.citations[0].memory_id == disliked


class Asleep:
    """An embedding model that never gets ready."""

    def __init__(self, embedder):
        self._embedder = embedder
        self.ready = False

    def __getattr__(self, name):
        return getattr(self._embedder, name)

    async def load(self):
        await asyncio.sleep(60)

    async def embed(self, texts):
        raise NotReady("The embedding model is still loading.")

    embed_queries = embed


async def test_without_its_embedding_model_the_palace_still_answers_by_words(tmp_path, embedder):
    await embedder.load()
    deadlines = Deadlines(step_s=0.5, first_word_s=1.0, total_s=2.0)
    async with answering(tmp_path, PAGES, embedder=embedder, deadlines=deadlines) as (pipeline, _):
        await pipeline.warm()
        for part in (pipeline, pipeline._recall, pipeline._seeker):
            part._embedder = Asleep(embedder)
        _, answer = await events_of(pipeline, question("How long does a rye loaf keep?"))
    assert answer.citations
    assert answer.verdict == "ungraded"
    assert {"route", "retrieve", "grade"} <= {one.step for one in answer.fallbacks}


async def test_a_search_that_cannot_be_read_is_said_plainly_not_answered(tmp_path, embedder):
    def broken(search):
        class Broken:
            def __getattr__(self, name):
                async def fail(*_, **__):
                    raise StorageTrouble("The database cannot be read.")

                return fail

        return Broken()

    await embedder.load()
    async with answering(tmp_path, PAGES, embedder=embedder, search=broken) as (pipeline, _):
        with pytest.raises(StorageTrouble):
            await events_of(pipeline, question("How long does a rye loaf keep?"))
