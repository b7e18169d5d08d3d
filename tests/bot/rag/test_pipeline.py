"""The recipe of an answer, with a model that follows a script: what it asks, shows, keeps and stores."""

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest

from bot.domain.answers import Answered, StepStarted, TextSoFar
from bot.domain.errors import ModelReplyBroken, ModelUnavailable, PromptTooLong
from tests.fakes.answering import (
    PLAN,
    all_graded,
    answering,
    events_of,
    finished,
    model,
    numbers_in,
    passage,
    question,
    save,
    texts,
    turn,
)
from tests.fakes.palace import ANA, OPS

PAGES = {
    "Rye": "Rye dough sours slowly and wants a warm place.\n\nA rye loaf keeps ten days.",
    "Wheat": "Wheat dough rises fast.\n\nA wheat loaf keeps three days.",
    "Town hall": "The town hall opens at nine.",
}
ASKED = "How fast does rye dough sour?"


async def test_a_question_is_planned_graded_written_and_checked_in_four_calls(tmp_path):
    scripted = model()
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, storage):
        events, answer = await events_of(pipeline, question(ASKED))
        trace = await storage.traces.get(answer.trace_id)
    assert [request.step for request in scripted.requests] == ["plan", "grade", "generate", "reflect"]
    assert answer.text == "Rye dough sours slowly [1]."
    assert answer.verdict == "sufficient"
    assert [citation.number for citation in answer.citations] == [1]
    assert answer.fallbacks == ()
    assert texts(events)[-1] == answer.text
    assert {one.step: one.way for one in finished(events)} | {"generate": "model"} == {
        one.step: one.way for one in finished(events)
    }
    assert {use.step for use in trace.uses} == {"plan", "grade", "generate", "reflect"}
    assert trace.answer == answer


async def test_at_most_two_trips_to_the_model_come_before_the_first_word(tmp_path):
    scripted = model()
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        async for event in pipeline.answer(question(ASKED)):
            if isinstance(event, TextSoFar):
                break
        assert [request.step for request in scripted.requests][:3] == ["plan", "grade", "generate"]


async def test_every_step_that_starts_before_a_word_is_told_with_its_end(tmp_path):
    async with answering(tmp_path, PAGES, model=model()) as (pipeline, _):
        events, _ = await events_of(pipeline, question(ASKED))
    ended = {one.step for one in finished(events)}
    assert ended >= {
        "route",
        "rewrite",
        "parameters",
        "expand",
        "recall",
        "retrieve",
        "grade",
        "budget",
        "generate",
        "cite",
    }
    assert {one.step for one in events if isinstance(one, StepStarted)} == ended
    assert isinstance(events[-1], Answered)


async def test_small_talk_looks_nothing_up_and_shows_no_sources(tmp_path):
    scripted = model(plan=lambda request: PLAN | {"intent": "no_retrieval"})
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        events, answer = await events_of(pipeline, question("hello there"))
    assert answer.citations == ()
    assert answer.text
    assert not finished(events, "retrieve")
    assert not scripted.of_step("generate")


@pytest.mark.parametrize(
    "reply",
    [
        PLAN | {"intent": "chitchat"},
        {key: PLAN[key] for key in PLAN if key != "intent"},
        ModelReplyBroken("cut", raw="hm"),
    ],
)
async def test_a_plan_without_a_readable_intent_means_retrieve(tmp_path, reply):
    async with answering(tmp_path, PAGES, model=model(plan=lambda request: reply)) as (pipeline, _):
        events, answer = await events_of(pipeline, question("hi"))
    assert answer.intent != "no_retrieval"
    assert finished(events, "retrieve")
    assert any(one.step == "route" for one in answer.fallbacks)


async def test_a_question_that_stands_alone_is_searched_byte_for_byte(tmp_path):
    asked = "How  fast does RYE dough sour ?"
    scripted = model(plan=lambda request: PLAN | {"standalone": "At what speed?", "needs_context": "false"})
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        _, answer = await events_of(pipeline, question(asked, turn("Tell me of wheat.")))
    assert answer.standalone == asked
    assert answer.queries[0] == asked


async def test_a_follow_up_is_searched_as_what_it_means_and_asked_in_its_own_words(tmp_path):
    meant = "How long does a rye loaf keep?"
    plan = PLAN | {"intent": "follow_up", "needs_context": True, "standalone": meant}
    scripted = model(plan=lambda request: plan)
    history = (turn("Tell me of the rye loaf"), turn("It is sour [1].", speaker="bot"))
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        _, answer = await events_of(pipeline, question("how long?", *history))
    assert answer.standalone == meant
    written = scripted.of_step("generate")[0].content
    assert "how long?" in written[written.index("## Question") :]
    assert meant in written


async def test_the_model_down_at_planning_leaves_the_joined_question_not_the_bare_one(tmp_path):
    searched = []

    def recording(search):
        class Recording:
            def __getattr__(self, name):
                return getattr(search, name)

            async def by_words(self, text, *rest, **named):
                searched.append(text)
                return await search.by_words(text, *rest, **named)

        return Recording()

    scripted = model(plan=lambda request: ModelUnavailable("down"), grade=lambda request: ModelUnavailable("down"))
    history = (
        turn("How long does the rye loaf keep?"),
        turn("Ten days [1]. Would you like to know about wheat too?", speaker="bot"),
    )
    async with answering(tmp_path, PAGES, model=scripted, search=recording) as (pipeline, _):
        _, answer = await events_of(pipeline, question("yes", *history))
    assert answer.standalone.strip().lower() != "yes"
    assert "yes" not in [one.strip().lower() for one in searched]
    assert "wheat" in answer.standalone.lower() or "rye" in answer.standalone.lower()


async def test_partly_fitting_passages_are_widened_once_and_then_answered_from(tmp_path):
    scripted = model(
        plan=lambda request: PLAN | {"intent": "comparison", "wordings": ["rye", "wheat"]}, grade=all_graded("partly")
    )
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        events, answer = await events_of(pipeline, question("Compare the sourness of rye and wheat."))
    assert len(finished(events, "retrieve")) == 2
    assert len(finished(events, "grade")) == 2
    assert len(scripted.of_step("grade")) == 1
    assert answer.text


async def test_nothing_relevant_is_one_honest_sentence_without_sources(tmp_path):
    scripted = model(grade=all_graded("irrelevant"))
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        _, answer = await events_of(pipeline, question(ASKED))
    assert answer.verdict == "no_relevant_sources"
    assert answer.citations == ()
    assert answer.text
    assert not scripted.of_step("generate")


@pytest.mark.parametrize("raw", ["", '{"grades": [', "gibberish"])
async def test_a_grading_that_cannot_be_read_lets_passages_on_ungraded(tmp_path, raw):
    scripted = model(grade=lambda request: ModelReplyBroken("unreadable", raw=raw))
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, storage):
        _, answer = await events_of(pipeline, question(ASKED))
        trace = await storage.traces.get(answer.trace_id)
    assert answer.verdict == "ungraded"
    assert {grade.relevance for grade in trace.grades} == {"ungraded"}
    assert answer.text == "Rye dough sours slowly [1]."
    assert any(one.step == "grade" for one in answer.fallbacks)


async def test_the_check_asks_for_one_second_writing_that_replaces_the_first(tmp_path):
    writings = [["Rye dough sours in an hour [1]."], ["Rye dough sours slowly [1]."]]
    verdicts = [{"verdicts": [{"number": 1, "reasoning": "an hour?", "supported": False}]}, {"verdicts": []}]
    scripted = model(generate=lambda request: writings.pop(0), reflect=lambda request: verdicts.pop(0))
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        events, answer = await events_of(pipeline, question(ASKED))
    again = scripted.of_step("generate")[1].content
    assert "an hour?" in again
    assert "an hour" not in scripted.of_step("generate")[0].content
    assert answer.text == "Rye dough sours slowly [1]."
    assert texts(events)[-1] == answer.text
    assert sum(isinstance(event, Answered) for event in events) == 1


async def test_a_sentence_still_unsupported_after_the_second_writing_is_taken_out(tmp_path):
    def objects(request):
        return {"verdicts": [{"number": 2, "reasoning": "not said", "supported": "false"}]}

    scripted = model(generate=lambda request: ["Rye dough sours slowly [1]. It cures colds [1]."], reflect=objects)
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        events, answer = await events_of(pipeline, question(ASKED))
    assert len(scripted.of_step("generate")) == 2
    assert answer.text == "Rye dough sours slowly [1]."
    assert answer.unsupported == ()
    assert texts(events)[-1] == answer.text


async def test_a_prompt_that_is_too_long_is_trimmed_and_sent_once_more(tmp_path):
    pages = {f"Rye {number}": f"Rye dough number {number} sours slowly. " * 8 for number in range(6)}
    tries = []

    def writes(request):
        tries.append(len(numbers_in(request)))
        return [PromptTooLong("too long")] if len(tries) == 1 else ["Rye sours [1]."]

    scripted = model(generate=writes)
    scripted.window_tokens = 7000
    async with answering(tmp_path, pages, model=scripted) as (pipeline, _):
        _, answer = await events_of(pipeline, question(ASKED))
    assert len(tries) == 2
    assert tries[1] < tries[0]
    assert answer.text == "Rye sours [1]."


class Pausing:
    """A model that stops to think after its first words."""

    def __init__(self):
        self._model = model()

    def __getattr__(self, name):
        return getattr(self._model, name)

    async def write(self, request):
        async for piece in self._model.write(request):
            yield piece
            await asyncio.sleep(60)


async def test_a_stopped_answer_is_stored_as_stopped_with_what_was_there(tmp_path):
    async with answering(tmp_path, PAGES, model=Pausing()) as (pipeline, storage):
        asked = question(ASKED)
        async with aclosing(pipeline.answer(asked)) as events:
            async for event in events:
                if isinstance(event, TextSoFar):
                    break
        trace = await storage.traces.last(asked.room)
    assert trace.answer.stopped
    assert trace.answer.text == "Rye dough "


async def test_a_cancelled_answer_is_stored_too(tmp_path):
    async with answering(tmp_path, PAGES, model=Pausing()) as (pipeline, storage):
        asked = question(ASKED)

        async def run():
            async for event in pipeline.answer(asked):
                if isinstance(event, TextSoFar):
                    seen.set()

        seen = asyncio.Event()
        task = asyncio.create_task(run())
        await seen.wait()
        task.cancel()
        await asyncio.wait({task})
        trace = await storage.traces.last(asked.room)
    assert trace.answer.stopped


async def test_only_what_this_room_may_read_reaches_the_model(tmp_path):
    scripted = model()
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, storage):
        await save(storage, pipeline._embedder, "Secret rye", "Rye dough sours by a secret.", room=OPS, person=ANA)
        await events_of(pipeline, question(ASKED))
    assert not any("secret" in request.content.lower() for request in scripted.requests)


async def test_the_cached_part_is_the_same_bytes_in_every_call(tmp_path):
    scripted = model()
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        await events_of(pipeline, question(ASKED))
        await events_of(pipeline, replace(question("Wie lange hält Weizen?"), timezone="Asia/Tokyo"))
    for step in ("plan", "grade", "generate", "reflect"):
        first, second = (request for request in scripted.of_step(step))
        assert first.system == second.system
        assert first.schema == second.schema
        assert first.content != second.content


async def test_the_asker_s_own_words_and_language_are_in_the_prompt(tmp_path):
    scripted = model()
    asked = "Wie lange hält sich ein Roggenbrot im Schrank?"
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        await events_of(pipeline, question(asked))
    written = scripted.of_step("generate")[0].content
    assert asked in written
    assert "(de)" in written


async def test_a_word_too_short_to_tell_keeps_the_language_spoken_before(tmp_path):
    scripted = model()
    history = (turn("Wie lange hält sich ein Roggenbrot im Schrank?"), turn("Zehn Tage [1].", speaker="bot"))
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        await events_of(pipeline, question("OK", *history))
    assert "(de)" in scripted.of_step("generate")[0].content


async def test_links_and_pings_that_a_model_lets_through_have_no_teeth_while_streaming_either(tmp_path):
    scripted = model(generate=lambda request: ["Rye sours [1]. @every", "one see https://evil.example/", "?d=1 now."])
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        events, answer = await events_of(pipeline, question(ASKED))
    for text in (*texts(events), answer.text):
        assert "@everyone" not in text
        assert "https://evil" not in text


async def test_numbers_that_name_no_passage_are_dropped(tmp_path):
    scripted = model(generate=lambda request: ["Rye dough sours slowly [1][99]."])
    async with answering(tmp_path, PAGES, model=scripted) as (pipeline, _):
        _, answer = await events_of(pipeline, question(ASKED))
    assert answer.text == "Rye dough sours slowly [1]."
    assert len(answer.citations) == 1


async def test_a_collection_or_tag_that_is_not_here_does_not_hide_everything_and_is_mentioned(tmp_path):
    async with answering(tmp_path, PAGES, model=model()) as (pipeline, storage):
        await save(storage, pipeline._embedder, "Oats", "Oat dough does not sour.", tags=("oats",))
        _, answer = await events_of(pipeline, question("Which dough of the complete collection sours, see #sourness?"))
        assert answer.citations
        assert "sourness" in answer.text
        _, tagged = await events_of(pipeline, question("Which dough tagged #oats sours?"))
    assert [citation.title for citation in tagged.citations] == ["Oats"]


def test_passage_helper_gives_each_its_own_id():
    assert passage("a").chunk_id != passage("b").chunk_id
