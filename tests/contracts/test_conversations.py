"""What every store of conversations promises: turns, traces, votes and settings."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.answers import Answer, Fallback, Grade, ModelUse, StepFinished, Trace, Vote
from bot.domain.errors import BadInput
from bot.domain.memories import Filters, Passage
from bot.domain.messages import Turn
from tests.fakes.palace import ANA, BEN, DEV, NOON, OPS, OWN, SECRET, TEAM, direction, saved


def said(text, **other):
    return Turn(**({"speaker": "person", "text": text, "at": NOON, "name": "Ana"} | other))


async def test_the_last_turns_are_of_this_thread_oldest_first(storage):
    thread = replace(DEV, thread="17")
    for text in ("one", "two", "three"):
        await storage.transcript.add(DEV, said(text), TEAM)
    answer = await storage.transcript.add(
        thread, said("in thread", speaker="bot", standalone="s", memory_ids=("a1", "b2")), TEAM
    )
    assert [turn.text for turn in await storage.transcript.last(DEV, limit=2)] == ["two", "three"]
    assert await storage.transcript.last(thread, limit=9) == (answer,)
    assert (answer.memory_ids, answer.turn_id > 0) == (("a1", "b2"), True)


async def test_an_empty_turn_is_refused(storage):
    with pytest.raises(BadInput):
        await storage.transcript.add(DEV, said(" \n"), TEAM)


async def test_older_turns_are_recalled_by_words_and_by_meaning_inside_the_scopes(storage):
    await storage.transcript.add(DEV, said("the boiler broke on Monday"), TEAM, vector=direction(0))
    await storage.transcript.add(DEV, said("heating is out again"), TEAM, vector=direction(1))
    await storage.transcript.add(DEV, said("boiler secret"), SECRET, vector=direction(0))
    await storage.transcript.add(OPS, said("boiler elsewhere"), TEAM, vector=direction(0))
    newest = await storage.transcript.add(DEV, said("boiler now"), TEAM, vector=direction(0))
    found = await storage.transcript.similar(
        DEV, [TEAM], "what about the boiler?", direction(1), limit=5, before_id=newest.turn_id
    )
    assert [turn.text for turn, _ in found] == ["the boiler broke on Monday", "heating is out again"] or [
        turn.text for turn, _ in found
    ] == ["heating is out again", "the boiler broke on Monday"]
    only_words = await storage.transcript.similar(DEV, [TEAM], "boiler", None, limit=5, before_id=newest.turn_id)
    assert [turn.text for turn, _ in only_words] == ["the boiler broke on Monday"]
    assert await storage.transcript.similar(DEV, [OWN], "boiler", direction(0), limit=5, before_id=0) == ()


async def test_a_room_is_forgotten_with_its_words(storage):
    await storage.transcript.add(replace(DEV, thread="1"), said("boiler"), TEAM, vector=direction(0))
    await storage.transcript.add(OPS, said("boiler"), TEAM)
    assert await storage.transcript.forget_room(DEV) == 1
    assert await storage.transcript.similar(DEV, [TEAM], "boiler", direction(0), limit=5, before_id=0) == ()
    assert len(await storage.transcript.last(OPS, limit=5)) == 1


def answered(trace_id="t1", **other):
    answer = Answer(
        text="It was [1].", intent="comparison", confidence=0.5, standalone="q", verdict="sufficient", took_ms=40,
        fallbacks=(Fallback(step="grade", why="late"),),
    )  # fmt: skip
    values = {
        "trace_id": trace_id, "asked_at": NOON, "question": "q?", "room_key": DEV.key, "person_key": ANA.key,
        "scope_keys": (TEAM.key,), "answer": answer,
        "steps": (StepFinished(step="route", took_ms=3, summary="s", facts=(("a", "b"),)),),
        "grades": (Grade(chunk_id=1, relevance="partly", score=0.5),),
        "uses": (ModelUse(model="m", step="plan", input_tokens=10, output_tokens=2),),
    }  # fmt: skip
    return Trace(**(values | other))


async def test_a_trace_comes_back_whole(storage):
    trace = answered()
    await storage.traces.add(trace)
    await storage.traces.add(trace)
    assert await storage.traces.get("t1") == trace
    assert await storage.traces.get("t2") is None


async def test_the_newest_trace_of_a_room_and_of_a_person_there(storage):
    await storage.traces.add(answered("a"))
    await storage.traces.add(answered("b", person_key=BEN.key))
    await storage.traces.add(answered("c", room_key=OPS.key))
    assert (await storage.traces.last(DEV)).trace_id == "b"
    assert (await storage.traces.last(DEV, person_key=ANA.key)).trace_id == "a"
    assert await storage.traces.last(replace(DEV, channel="C7")) is None


async def test_answers_add_up(storage):
    await storage.traces.add(answered("a"))
    await storage.traces.add(answered("b", asked_at=NOON + timedelta(days=1)))
    summary = await storage.traces.summary()
    assert (summary.answers, summary.took_ms_median) == (2, 40)
    assert summary.verdicts == (("sufficient", 2),)
    assert summary.fallbacks == (("grade", 2),)
    assert summary.calls == (("m", 2),)
    assert (summary.uses[0].input_tokens, summary.uses[0].output_tokens) == (20, 4)
    assert (await storage.traces.summary(since=NOON + timedelta(hours=1))).answers == 1


def vote(value=-1, **other):
    return Vote(**({"trace_id": "t1", "person_key": ANA.key, "value": value, "reason": "old", "at": NOON} | other))


async def passages(storage):
    hits = await storage.search.by_meaning(direction(0), [TEAM], Filters(), limit=9)
    return await storage.search.passages([hit.chunk_id for hit in hits], [TEAM])


async def test_a_vote_speaks_of_its_passages_for_questions_that_mean_the_same_in_its_scope(storage):
    memory = await saved(storage, "owls", "one")
    await storage.traces.add(answered())
    await storage.feedback.vote(vote(), question_vector=direction(0), scope=TEAM, passages=await passages(storage))
    (voted,) = await storage.feedback.for_question(direction(0, tilt=0.1), [TEAM], floor=0.9)
    assert (voted.memory_id, voted.value) == (memory.memory_id, -1)
    assert voted.similarity == pytest.approx(0.995, abs=0.001)
    assert await storage.feedback.for_question(direction(1), [TEAM], floor=0.9) == ()
    assert await storage.feedback.for_question(direction(0), [SECRET], floor=0.9) == ()


async def test_a_second_vote_of_the_same_person_replaces_the_first_and_can_be_undone_by_them(storage):
    await saved(storage, "owls", "one")
    await storage.traces.add(answered())
    for value in (-1, 1):
        given = await storage.feedback.vote(
            vote(value), question_vector=direction(0), scope=TEAM, passages=await passages(storage)
        )
    assert await storage.feedback.list([TEAM]) == ((given, "q?"),)
    assert [v.value for v in await storage.feedback.for_question(direction(0), [TEAM], floor=0.9)] == [1]
    assert not await storage.feedback.undo(given.vote_id, person_key=BEN.key)
    assert await storage.feedback.undo(given.vote_id, person_key=ANA.key)
    assert await storage.feedback.for_question(direction(0), [TEAM], floor=0.9) == ()


async def test_votes_of_several_people_are_summed(storage):
    await saved(storage, "owls", "one")
    for person, value in ((ANA, -1), (BEN, -1)):
        await storage.feedback.vote(
            vote(value, person_key=person.key), question_vector=direction(0), scope=TEAM,
            passages=await passages(storage),
        )  # fmt: skip
    assert [v.value for v in await storage.feedback.for_question(direction(0), [TEAM], floor=0.9)] == [-2]


async def test_a_vote_on_a_passage_that_is_gone_is_kept_without_it(storage):
    gone = Passage(chunk_id=5, memory_id="gone", number=0, text="x", title="x", url="x")
    await storage.feedback.vote(vote(), question_vector=direction(0), scope=TEAM, passages=[gone])
    assert len(await storage.feedback.list([TEAM])) == 1


async def test_settings_are_written_read_and_removed(storage):
    assert await storage.rooms.get(DEV.key, "recall") is None
    await storage.rooms.set(DEV.key, "recall", "off")
    await storage.rooms.set(DEV.key, "recall", "on")
    assert await storage.rooms.get(DEV.key, "recall") == "on"
    await storage.rooms.set(DEV.key, "recall", None)
    assert await storage.rooms.get(DEV.key, "recall") is None
