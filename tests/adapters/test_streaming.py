"""A reply is one message that grows: newest text wins, paced, whole at the end, whatever the platform does."""

import asyncio
import json
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from adapters.outlet import MaybeSent, MessageGone, RetryLater, TooLong, Undeliverable
from adapters.pacing import Budget
from adapters.streaming import EditedReply
from adapters.wording import CUT_OFF
from bot.domain.answers import Citation
from bot.domain.replies import Button, Notice
from tests.fakes.core import answer
from tests.fakes.outlet import FakeOutlet
from tests.fakes.timing import FakeTime, settle


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


def citation(number: int, memory_id: str, title: str = "Flour guide") -> Citation:
    return Citation(
        number=number,
        memory_id=memory_id,
        title=title,
        url=f"https://mill.example.org/{memory_id}",
        person_name="Ana",
        room_name="dev",
        shared_at=datetime(2026, 5, 3, tzinfo=UTC),
    )


async def done(time: FakeTime, work, *, within_s: float = 1000.0) -> float:
    """Run to the end in fake time; returns how long it took."""
    started = time.moment
    task = asyncio.ensure_future(work)
    while not task.done():
        await settle()
        if task.done():
            break
        await time.pass_time(0.1)
        assert time.moment - started < within_s
    await task
    return time.moment - started


async def test_newest_text_wins_and_nothing_waits_in_the_token_loop(time: FakeTime) -> None:
    outlet = FakeOutlet(time, limit=2000)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    await reply.status("Searching…")
    await settle()
    before = time.moment
    for count in range(1, 201):
        await reply.show("word " * count)
    assert time.moment == before
    await time.pass_time(1.0)
    assert outlet.texts == [("word " * 200).strip()]
    assert [name for _, name, _ in outlet.calls] == ["post", "edit"]


async def test_calls_keep_the_pace_and_the_final_text_comes_within_one_interval(time: FakeTime) -> None:
    outlet = FakeOutlet(time, every_s=1.3)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    for count in range(1, 60):
        await reply.show(f"word {count}")
        await time.pass_time(0.1)
    took = await done(time, reply.finish(answer("The end [1].", citations=(citation(1, "m1"),), trace_id="t")))
    assert took <= 1.4
    moments = [moment for moment, _, _ in outlet.calls]
    assert min(later - earlier for earlier, later in pairwise(moments)) >= 1.299
    assert outlet.whole.startswith("The end [1].\nSources\n[1] Flour guide · Ana · #dev · 3 May 2026")
    (draft,) = outlet.messages.values()
    assert [button.name for button in draft.buttons] == ["up", "down", "why"]


async def test_the_message_offers_to_stop_while_it_grows(time: FakeTime) -> None:
    outlet = FakeOutlet(time)
    reply = EditedReply(outlet, key="r7", timing=time.timing)
    await reply.show("So far")
    await settle()
    (draft,) = outlet.messages.values()
    assert draft.buttons == (Button(name="stop", target="r7", label="Stop"),)
    reply.stop()
    assert reply.stopped
    await reply.show("So far and more")
    await done(time, reply.finish(answer("So far", stopped=True)))
    assert outlet.whole == "So far\nStopped."


async def test_sources_stand_once_at_the_end_one_line_a_memory(time: FakeTime) -> None:
    outlet = FakeOutlet(time, limit=300)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    text = "\n\n".join(f"Paragraph {number} says something about flour [1]." for number in range(20))
    sources = (citation(1, "a"), citation(2, "b", "Evil *title* [x](y) <!here>"), citation(3, "a"))
    await done(time, reply.finish(answer(text, citations=sources)))
    assert len(outlet.messages) > 3
    assert [shown.count("Sources") for shown in outlet.texts] == [0] * (len(outlet.texts) - 1) + [1]
    assert "[1] [3] Flour guide" in outlet.texts[-1]
    assert "[2] Evil *title* [x](y) <!here> · Ana" in outlet.texts[-1]


async def test_a_long_answer_rolls_over_and_never_touches_a_full_part_again(time: FakeTime) -> None:
    outlet = FakeOutlet(time, limit=200)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    words = [f"Sentence number {number} is here. " for number in range(60)]
    for end in range(1, 61):
        await reply.show("".join(words[:end]))
        await time.pass_time(0.3)
    await done(time, reply.finish(answer("".join(words))))
    assert "".join(draft.markdown for draft in outlet.messages.values()) == "".join(words).rstrip()
    posts = [index for index, call in enumerate(outlet.calls) if call[1] == "post"]
    assert len(posts) == len(outlet.messages)


async def test_retry_after_is_obeyed_and_then_the_final_text_arrives(time: FakeTime) -> None:
    outlet = FakeOutlet(time)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    await reply.show("one")
    await time.pass_time(2)
    outlet.fail(RetryLater(30))
    await reply.show("one two")
    await settle()
    refused = outlet.calls[-1][0]
    await reply.show("one two three")
    await done(time, reply.finish(answer("one two three four")))
    later = [moment for moment, _, _ in outlet.calls if moment > refused]
    assert later == [pytest.approx(refused + 30, abs=0.11)]
    assert outlet.whole == "one two three four"


async def test_a_platform_that_is_down_is_tried_again_with_growing_waits(time: FakeTime) -> None:
    outlet = FakeOutlet(time, every_s=0.1)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    outlet.fail(*[RetryLater() for _ in range(6)], OSError("surprise"))
    await done(time, reply.finish(answer("here")))
    moments = [moment for moment, _, _ in outlet.calls]
    waits = [later - earlier for earlier, later in pairwise(moments)]
    assert outlet.whole == "here"
    assert waits == sorted(waits)
    assert waits[-1] >= 32


async def test_a_lost_post_that_is_found_again_is_edited_not_repeated(time: FakeTime) -> None:
    outlet = FakeOutlet(time)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    outlet.fail(MaybeSent())
    await reply.status("Searching…")
    await done(time, reply.finish(answer("found")))
    assert outlet.texts == ["found"]


async def test_a_lost_final_post_that_nobody_can_find_is_believed(time: FakeTime) -> None:
    outlet = FakeOutlet(time)
    outlet.findable = False
    reply = EditedReply(outlet, key="r", timing=time.timing)
    outlet.fail(MaybeSent())
    await done(time, reply.finish(answer("once")))
    assert outlet.texts == ["once"]
    assert len(outlet.calls) == 1


async def test_a_message_that_somebody_deleted_comes_back_only_as_the_final_text(time: FakeTime) -> None:
    outlet = FakeOutlet(time)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    await reply.show("one")
    await settle()
    outlet.messages.clear()
    for count in range(5):
        await reply.show(f"one {count}")
        await time.pass_time(2)
    assert outlet.messages == {}
    await done(time, reply.finish(answer("one final")))
    assert outlet.texts == ["one final"]


async def test_where_nothing_can_be_written_the_answer_ends_quietly(time: FakeTime) -> None:
    outlet = FakeOutlet(time)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    outlet.fail(Undeliverable("not in channel"), Undeliverable("not in channel"))
    await reply.show("one")
    await done(time, reply.finish(answer("one two")))
    assert outlet.messages == {}


async def test_an_edit_that_would_change_nothing_is_not_made(time: FakeTime) -> None:
    outlet = FakeOutlet(time)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    for piece in ("Flour", "Flour\n", "Flour\n keeps ten days."):
        await reply.show(piece)
        await time.pass_time(2)
    await reply.show("Flour\n keeps ten days.")
    await time.pass_time(2)
    await done(time, reply.finish(answer("Flour\n keeps ten days.")))
    assert [name for _, name, _ in outlet.calls].count("post") == 1
    assert outlet.texts == ["Flour\nkeeps ten days."]


async def test_several_answers_share_a_budget_and_finals_have_room(time: FakeTime) -> None:
    budget = Budget(per_minute=50, kept=10, timing=time.timing)
    outlets = [FakeOutlet(time, every_s=1.0, budget=budget) for _ in range(6)]
    replies = [EditedReply(outlet, key=f"r{n}", timing=time.timing) for n, outlet in enumerate(outlets)]
    for count in range(900):
        for reply in replies:
            await reply.show(f"word {count}")
        await time.pass_time(0.1)
    started = time.moment
    took = await done(time, asyncio.gather(*(reply.finish(answer("end")) for reply in replies)))
    edits = sorted(call[0] for outlet in outlets for call in outlet.calls if call[1] == "edit")
    for moment in edits:
        assert sum(moment <= other < moment + 60 for other in edits) <= 50
    assert took <= 1.2
    assert all(outlet.whole == "end" for outlet in outlets)
    assert min(len([call for call in outlet.calls if call[0] < started]) for outlet in outlets) > 5


async def test_what_a_restart_needs_is_remembered_before_and_after_each_post(time: FakeTime) -> None:
    kept: list[str] = []

    async def remember(text: str) -> None:
        kept.append(text)

    outlet = FakeOutlet(time)
    reply = EditedReply(outlet, key="7", remember=remember, timing=time.timing)
    await reply.status("Searching…")
    await settle()
    assert [json.loads(text) for text in kept] == [
        {"references": [], "pending": "7-0", "done": False},
        {"references": ["m1"], "pending": "", "done": False},
    ]

    again = EditedReply(outlet, key="7", remember=remember, remembered=kept[-1], timing=time.timing)
    await done(time, again.finish(answer("finished after the restart")))
    assert outlet.texts == ["finished after the restart"]
    assert EditedReply(outlet, key="7", remembered=kept[-1]).done
    await reply.close()


async def test_a_post_cut_by_a_crash_is_found_and_edited(time: FakeTime) -> None:
    outlet = FakeOutlet(time)
    first = EditedReply(outlet, key="7", timing=time.timing)
    await first.status("Searching…")
    await settle()
    crashed = json.dumps({"references": [], "pending": "7-0", "done": False})
    again = EditedReply(outlet, key="7", remembered=crashed, timing=time.timing)
    await done(time, again.fail(CUT_OFF))
    assert len(outlet.messages) == 1
    assert "restarted" in outlet.whole
    await first.close()


async def test_a_shorter_final_text_takes_away_the_parts_too_many(time: FakeTime) -> None:
    outlet = FakeOutlet(time, limit=100)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    await reply.show("word " * 60)
    await time.pass_time(10)
    assert len(outlet.messages) > 2
    await done(time, reply.finish(answer("short")))
    assert outlet.texts == ["short"]


async def test_notices_take_the_place_of_the_status_and_then_follow_each_other(time: FakeTime) -> None:
    outlet = FakeOutlet(time)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    await reply.status("Saving…")
    await settle()
    await done(time, reply.say(Notice(text="Saved **one**", buttons=(Button(name="undo", target="m", label="Undo"),))))
    await done(time, reply.say(Notice(text="Saved two")))
    assert outlet.texts == ["Saved one", "Saved two"]


async def test_a_typing_line_is_no_message(time: FakeTime) -> None:
    outlet = FakeOutlet(time, status_apart=True)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    await reply.status("Searching…")
    await time.pass_time(2)
    await reply.status("Reading 3 pages…")
    await time.pass_time(2)
    assert outlet.messages == {}
    assert outlet.statuses == ["Searching…", "Reading 3 pages…"]
    await done(time, reply.finish(answer("text")))
    assert outlet.texts == ["text"]


async def test_a_private_reply_shows_one_status_and_the_final_text_only(time: FakeTime) -> None:
    outlet = FakeOutlet(time, live=False)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    for word in ("Searching…", "Reading…", "Writing…"):
        await reply.status(word)
        await time.pass_time(2)
    await reply.show("part")
    await time.pass_time(2)
    await done(time, reply.finish(answer("whole")))
    assert [name for _, name, _ in outlet.calls] == ["post", "edit"]
    assert outlet.texts == ["whole"]


async def test_slow_calls_never_overlap(time: FakeTime) -> None:
    outlet = FakeOutlet(time, delay_s=3.0)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    for count in range(40):
        await reply.show(f"word {count}")
        await time.pass_time(0.25)
    await done(time, reply.finish(answer("end")))
    assert outlet.whole == "end"


async def test_a_message_gone_during_the_final_edit_is_posted_again(time: FakeTime) -> None:
    outlet = FakeOutlet(time)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    await reply.show("one")
    await settle()
    outlet.fail(MessageGone("m1"))
    await done(time, reply.finish(answer("final")))
    assert outlet.texts[-1] == "final"


async def test_a_platform_that_counts_otherwise_still_gets_the_whole_text(time: FakeTime) -> None:
    outlet = FakeOutlet(time, limit=400)
    reply = EditedReply(outlet, key="r", timing=time.timing)
    outlet.fail(TooLong(), TooLong())
    text = "Sentences of some length. " * 30
    await done(time, reply.finish(answer(text)))
    assert "".join(draft.markdown for draft in outlet.messages.values()) == text.rstrip()
    assert max(len(draft.markdown) for draft in outlet.messages.values()) <= 256


async def test_a_lost_post_is_looked_for_until_the_platform_lets_us(time: FakeTime) -> None:
    outlet = FakeOutlet(time)
    looked: list[float] = []
    find = outlet.find

    async def busy(key: str) -> str | None:
        looked.append(time.moment)
        if len(looked) < 3:
            raise RetryLater(20)
        return await find(key)

    outlet.find = busy
    outlet.fail(MaybeSent())
    reply = EditedReply(outlet, key="r", timing=time.timing)
    await done(time, reply.finish(answer("once")))
    assert outlet.texts == ["once"]
    assert len(outlet.messages) == 1
    assert looked[-1] - looked[0] >= 40
