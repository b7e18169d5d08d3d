"""How soon the first word comes when every call of the model takes a second and it writes 40 tokens a second."""

import statistics
import time
from contextlib import aclosing

import pytest

from adapters.models.language import open_anthropic
from bot.domain.answers import TextSoFar
from tests.fakes.answering import PLAN, answering, question
from tests.fakes.messages_api import KEY, Fills, Says, by_step, messages_api

PAGES = {f"Bread {n}": f"Bread number {n} keeps {n + 2} days. Its dough sours slowly." for n in range(30)}
GRADES = {"grades": [{"id": n, "reasoning": "so", "relevance": "relevant", "score": 0.9} for n in range(1, 6)]}
REPLIES = {
    "plan": Fills(value=PLAN),
    "grade": Fills(value=GRADES),
    "generate": Says(text="Its dough sours slowly [1]."),
    "reflect": Fills(value={"verdicts": []}),
}
QUESTIONS = 20
WITHIN_S = 2.6


@pytest.mark.bench
async def test_the_first_word_comes_within_two_trips_and_a_half(tmp_path, embedder, capsys):
    await embedder.load()
    async with (
        messages_api(by_step(**REPLIES)) as api,
        open_anthropic(api_key=KEY, base_url=api.url, planning_model="small", answering_model="large") as model,
        answering(tmp_path, PAGES, model=model, embedder=embedder) as (pipeline, _),
    ):
        await pipeline.warm()
        await first_word(pipeline, 0)
        api.latency_s, api.tokens_per_s = 1.0, 40.0
        beside = [await first_word(pipeline, n) for n in range(QUESTIONS)]
        pipeline._seeker.guess = no_guess
        one_by_one = [await first_word(pipeline, n) for n in range(QUESTIONS)]
    with capsys.disabled():
        print(
            f"\nfirst word, median of {QUESTIONS}: {statistics.median(beside):.2f} s, worst {max(beside):.2f} s; "
            f"the same steps one after the other: {statistics.median(one_by_one):.2f} s"
        )
    assert statistics.median(beside) < WITHIN_S
    assert statistics.median(beside) < statistics.median(one_by_one)


async def no_guess(*_):
    return None


async def first_word(pipeline, number):
    """Seconds from the question to the first word, each question another one."""
    started = time.monotonic()
    async with aclosing(pipeline.answer(question(f"How many days does bread number {number} keep?"))) as events:
        async for event in events:
            if isinstance(event, TextSoFar):
                return time.monotonic() - started
    return float("inf")
