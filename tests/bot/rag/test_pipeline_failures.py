"""Every known failure of the Messages API, over the wire, at every step: an answer or one plain sentence, on time."""

import time
from contextlib import asynccontextmanager
from functools import partial

import pytest

from adapters.models.language import open_anthropic
from bot.ports import Deadlines
from tests.fakes.answering import PLAN, answering, events_of, finished, question, texts, turn
from tests.fakes.messages_api import (
    KEY,
    Breaks,
    Empty,
    Fails,
    Fills,
    Garbled,
    Hangs,
    Refuses,
    Says,
    by_step,
    messages_api,
)

PAGES = {"Rye": "Rye dough sours slowly and wants a warm place.", "Wheat": "Wheat dough rises fast."}
ASKED = "How fast does rye dough sour?"
GRADES = {"grades": [{"id": n, "reasoning": "so", "relevance": "relevant", "score": 0.9} for n in (1, 2)]}
GOOD = {
    "plan": Fills(value=PLAN),
    "grade": Fills(value=GRADES),
    "generate": Says(text="Rye dough sours slowly [1]."),
    "reflect": Fills(value={"verdicts": []}),
}
QUICK = Deadlines(step_s=0.5, first_word_s=1.5, total_s=1.8)
OVERLOADED = Fails(status=529, kind="overloaded_error", headers={"retry-after": "0.01"})
TROUBLES = {
    "overloaded": OVERLOADED,
    "slowed down": Fails(status=429, kind="rate_limit_error", headers={"retry-after": "0.01"}),
    "asked to wait for long": Fails(status=429, kind="rate_limit_error", headers={"retry-after": "50"}),
    "wrong key": Fails(status=401, kind="authentication_error"),
    "server error": Fails(status=500, headers={"retry-after": "0.01"}),
    "half a body": Garbled(),
    "a page of a proxy": Garbled(body="<html>no</html>", kind="text/html"),
    "cut body": Breaks(text="", how="cut"),
    "refusal": Refuses(),
    "empty": Empty(),
    "cut tool call": Fills(value={"grades": [], "verdicts": []}, stop_reason="max_tokens"),
    "words": Says(text="incorrect"),
    "wrong types": Fills(value={"grades": 3, "intent": ["x"], "wordings": 7, "verdicts": "none"}),
    "hang": Hangs(),
}


@pytest.fixture
async def palace(tmp_path, embedder):
    """Open the pipeline over a stand-in with these replies; the local ways run on the real embedding model."""
    await embedder.load()
    return partial(opened, tmp_path, embedder)


@asynccontextmanager
async def opened(folder, embedder, *, deadlines=QUICK, **replies):
    async with (
        messages_api(by_step(**(GOOD | replies))) as api,
        open_anthropic(api_key=KEY, base_url=api.url, planning_model="small", answering_model="large") as model,
        answering(folder, PAGES, model=model, embedder=embedder, deadlines=deadlines) as (pipeline, storage),
    ):
        await model._opening
        await pipeline.warm()
        yield pipeline, storage, api


async def test_the_whole_pipeline_speaks_with_the_service(palace):
    async with palace(deadlines=Deadlines()) as (pipeline, storage, _api):
        events, answer = await events_of(pipeline, question(ASKED))
        trace = await storage.traces.get(answer.trace_id)
    assert answer.text == "Rye dough sours slowly [1]."
    assert answer.fallbacks == ()
    assert len(texts(events)) > 1
    assert all(use.input_tokens and use.output_tokens for use in trace.uses)
    assert len(trace.uses) == 4


@pytest.mark.parametrize(
    ("step", "trouble"),
    [(step, name) for step in ("plan", "grade", "reflect") for name in TROUBLES if (step, name) != ("grade", "words")],
)
async def test_a_failing_step_gives_over_and_the_trace_names_it(palace, step, trouble):
    async with palace(**{step: TROUBLES[trouble]}) as (pipeline, storage, _):
        started = time.monotonic()
        _, answer = await events_of(pipeline, question(ASKED))
        took = time.monotonic() - started
        trace = await storage.traces.get(answer.trace_id)
    assert answer.text.startswith("Rye dough sours slowly")
    named = {"plan": "route"}.get(step, step)
    assert named in {one.step for one in trace.answer.fallbacks}
    assert took < QUICK.total_s
    assert not any("Traceback" in one.why or KEY in one.why for one in trace.answer.fallbacks)


async def test_a_grader_that_says_no_of_everything_is_taken_at_its_word(palace):
    async with palace(grade=Says(text="incorrect")) as (pipeline, _, api):
        _, answer = await events_of(pipeline, question(ASKED))
    assert answer.verdict == "no_relevant_sources"
    assert answer.citations == ()
    assert not api.of_step("generate")


@pytest.mark.parametrize(
    "trouble", [name for name in TROUBLES if name not in {"refusal", "words", "cut tool call", "wrong types"}]
)
async def test_a_failing_writer_gives_over_to_quoting(palace, trouble):
    async with palace(generate=TROUBLES[trouble]) as (pipeline, _storage, _):
        events, answer = await events_of(pipeline, question(ASKED))
    assert "Rye dough sours slowly" in answer.text
    assert answer.citations
    assert "generate" in {one.step for one in answer.fallbacks}
    assert texts(events)[-1] == answer.text


@pytest.mark.parametrize("how", ["ends", "overloaded", "cut", "hangs"])
async def test_a_stream_that_breaks_after_a_cited_sentence_keeps_it_and_says_so(palace, how):
    broken = Breaks(text="Rye dough sours slowly [1]. It wants a wa", how=how)
    async with palace(generate=broken) as (pipeline, _, api):
        events, answer = await events_of(pipeline, question(ASKED))
    assert answer.text.startswith("Rye dough sours slowly [1].")
    assert "broke off" in answer.text
    assert "wants a wa" not in answer.text
    assert answer.text.count("sours slowly") == 1
    assert texts(events)[-1] == answer.text
    assert len(api.of_step("generate")) == 1


@pytest.mark.parametrize("how", ["ends", "overloaded", "cut", "hangs"])
async def test_a_stream_that_breaks_before_anything_useful_is_replaced_by_quotes(palace, how):
    async with palace(generate=Breaks(text="Well, as for your", how=how)) as (pipeline, _, _api):
        events, answer = await events_of(pipeline, question(ASKED))
    assert "Well, as" not in answer.text
    assert "Rye dough sours slowly" in answer.text
    assert texts(events)[-1] == answer.text


async def test_an_answer_that_ran_out_of_room_says_so(palace):
    cut = Says(text="Rye dough sours slowly [1]. It wants a", stop_reason="max_tokens")
    async with palace(generate=cut) as (pipeline, _, _api):
        _, answer = await events_of(pipeline, question(ASKED))
    assert answer.text.startswith("Rye dough sours slowly [1].")
    assert "broke off" in answer.text


@pytest.mark.parametrize("words", ["", "Rye dough sours"])
async def test_a_refusal_is_one_polite_sentence_once_and_the_next_question_works(palace, words):
    replies = [Refuses(text=words), GOOD["generate"]]
    async with palace(generate=replies) as (pipeline, _, api):
        events, answer = await events_of(pipeline, question(ASKED))
        assert answer.text == "I am sorry, I cannot help with that question."
        assert answer.citations == ()
        assert texts(events)[-1] == answer.text
        assert len(api.of_step("generate")) == 1
        history = (turn(ASKED), turn(answer.text, speaker="bot"), turn("", speaker="bot"))
        _, second = await events_of(pipeline, question(ASKED, *history))
    assert second.text == "Rye dough sours slowly [1]."
    assert all(request.status == 200 for request in api.requests)


@pytest.mark.parametrize("step", ["plan", "grade", "generate", "reflect", "all"])
async def test_a_hang_costs_its_step_s_deadline_and_no_more(palace, step):
    hanging = dict.fromkeys(GOOD, Hangs()) if step == "all" else {step: Hangs()}
    deadlines = Deadlines(step_s=0.4, first_word_s=1.2, total_s=1.4)
    async with palace(deadlines=deadlines, **hanging) as (pipeline, _, _api):
        started = time.monotonic()
        _, answer = await events_of(pipeline, question(ASKED))
        took = time.monotonic() - started
    calls = 2 if step == "all" else 1  # the planning model is given up once, the answering model once
    assert took < calls * deadlines.step_s + 0.5
    assert "Rye dough sours slowly" in answer.text
    assert answer.fallbacks


SHORT = Deadlines(step_s=0.5, first_word_s=0.6, total_s=0.9)


async def test_an_answer_goes_on_past_the_whole_time_while_its_words_come(palace):
    long = Says(text="Rye dough sours slowly [1]. " * 30)
    async with palace(deadlines=SHORT, generate=long) as (pipeline, _, api):
        api.tokens_per_s = 150
        started = time.monotonic()
        _, answer = await events_of(pipeline, question(ASKED))
        took = time.monotonic() - started
    assert took > SHORT.total_s
    assert "broke off" not in answer.text
    assert answer.text.count("Rye dough sours slowly") == 30


async def test_words_that_stop_coming_end_the_answer_soon_after_the_whole_time(palace):
    stuck = Breaks(text="Rye dough sours slowly [1]. " * 20, how="hangs")
    async with palace(deadlines=SHORT, generate=stuck) as (pipeline, _, api):
        api.tokens_per_s = 100
        started = time.monotonic()
        _, answer = await events_of(pipeline, question(ASKED))
        took = time.monotonic() - started
    assert SHORT.total_s < took < 2.0 + SHORT.step_s + 0.3
    assert answer.text.startswith("Rye dough sours slowly [1].")
    assert answer.citations


async def test_no_answer_is_longer_than_the_longest_however_steadily_its_words_come(palace, monkeypatch):
    monkeypatch.setattr("bot.rag.deadlines.LONGEST_S", 1.5)
    async with palace(deadlines=SHORT, generate=Says(text="Rye dough sours slowly [1]. " * 200)) as (pipeline, _, api):
        api.tokens_per_s = 100
        started = time.monotonic()
        _, answer = await events_of(pipeline, question(ASKED))
        took = time.monotonic() - started
    assert took < 1.5 + 0.3
    assert "broke off" in answer.text
    assert answer.citations


async def test_a_model_given_up_for_one_question_is_asked_again_for_the_next(palace):
    async with palace(plan=[OVERLOADED] * 3 + [GOOD["plan"]]) as (pipeline, _, _api):
        events, first = await events_of(pipeline, question(ASKED))
        assert finished(events, "route")[0].way == "local"
        events, second = await events_of(pipeline, question(ASKED))
    assert first.fallbacks
    assert second.fallbacks == ()
    assert finished(events, "route")[0].way == "model"
