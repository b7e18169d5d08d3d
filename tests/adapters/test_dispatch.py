"""Every event is worked once, in order in its thread, in parallel over threads, also across restarts."""

import asyncio
from datetime import UTC, datetime

import pytest

from adapters.dispatch import MOST_ATTEMPTS, Dispatcher, hand_over
from adapters.seats import Running, Seats, asks_to_stop
from adapters.streaming import EditedReply
from adapters.wording import BROKEN, CUT_OFF
from bot.domain.errors import StorageTrouble
from bot.domain.messages import Message
from bot.domain.rooms import Person, Room
from bot.ports import InboxEvent
from tests.fakes.core import ScriptedCore, answer
from tests.fakes.inbox import MemoryInbox
from tests.fakes.outlet import FakeOutlet
from tests.fakes.timing import FakeTime, settle


def event(key: str, order: str = "a", *more_keys: str) -> InboxEvent:
    return InboxEvent(
        source="slack", keys=(key, *more_keys), body=key, order_key=order, received_at=datetime(2026, 1, 1, tzinfo=UTC)
    )


class Work:
    """Records what was worked; events named `slow…` wait until released."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.ended: list[str] = []
        self.given_up: list[tuple[str, str]] = []
        self.release = asyncio.Event()

    async def __call__(self, event: InboxEvent) -> None:
        self.started.append(event.body)
        if event.body.startswith("slow"):
            await self.release.wait()
        if event.body.startswith("bad"):
            raise ValueError(event.body)
        self.ended.append(event.body)

    async def give_up(self, event: InboxEvent, reason: str) -> None:
        self.given_up.append((event.body, reason))


def dispatcher(inbox: MemoryInbox, work: Work) -> Dispatcher:
    return Dispatcher(inbox, source="slack", work=work, give_up=work.give_up, grace_s=0.05)


async def test_an_event_known_under_any_of_its_keys_is_worked_once() -> None:
    inbox, work = MemoryInbox(), Work()
    line = dispatcher(inbox, work)
    async with line.running():
        assert await line.accept(event("Ev1", "a", "C1/1.0"))
        assert not await line.accept(event("Ev1"))
        assert not await line.accept(event("Ev2", "a", "C1/1.0"))
        await settle()
    assert work.ended == ["Ev1"]
    assert inbox.states == ["done"]


async def test_one_thread_is_worked_in_order_and_others_beside_it() -> None:
    work = Work()
    line = dispatcher(MemoryInbox(), work)
    async with line.running():
        for key, order in (("slow1", "a"), ("two", "a"), ("three", "b")):
            await line.accept(event(key, order))
        await settle()
        assert work.started == ["slow1", "three"]
        assert line.waiting == 2
        work.release.set()
        await settle()
        assert work.ended == ["three", "slow1", "two"]
        assert line.waiting == 0


async def test_an_event_that_cannot_be_kept_is_not_acknowledged() -> None:
    inbox, work = MemoryInbox(), Work()
    inbox.trouble.append(StorageTrouble("disk full"))
    line = dispatcher(inbox, work)
    async with line.running():
        with pytest.raises(StorageTrouble):
            await line.accept(event("Ev1"))
        assert await line.accept(event("Ev1"))
        await settle()
    assert work.ended == ["Ev1"]


async def test_a_restart_works_what_was_cut_and_nothing_that_was_done() -> None:
    inbox, work = MemoryInbox(), Work()
    line = dispatcher(inbox, work)
    async with line.running():
        for key, order in (("done", "a"), ("slow", "b"), ("waiting", "b")):
            await line.accept(event(key, order))
        await settle()
    assert inbox.states == ["done", "working", "waiting"]
    again = Work()
    again.release.set()
    line = dispatcher(inbox, again)
    async with line.running():
        await settle()
    assert again.ended == ["slow", "waiting"]
    assert inbox.states == ["done"] * 3


async def test_work_under_way_gets_a_grace_at_the_end() -> None:
    inbox, work = MemoryInbox(), Work()
    line = Dispatcher(inbox, source="slack", work=work, give_up=work.give_up, grace_s=5)
    async with line.running():
        await line.accept(event("slow"))
        await settle()
        asyncio.get_running_loop().call_later(0.02, work.release.set)
    assert inbox.states == ["done"]


async def test_a_bad_event_is_said_and_never_blocks_its_thread() -> None:
    inbox, work = MemoryInbox(), Work()
    line = dispatcher(inbox, work)
    async with line.running():
        await line.accept(event("bad"))
        await line.accept(event("good"))
        await settle()
    assert work.given_up == [("bad", BROKEN)]
    assert work.ended == ["good"]
    assert inbox.states == ["broken", "done"]
    assert "ValueError" in inbox.events[1].error


async def test_an_event_that_ends_the_process_again_and_again_is_given_up() -> None:
    inbox, work = MemoryInbox(), Work()
    await inbox.put(event("slow"))
    for _ in range(MOST_ATTEMPTS):
        await inbox.start(1)
    line = dispatcher(inbox, work)
    async with line.running():
        await settle()
    assert work.given_up == [("slow", CUT_OFF)]
    assert inbox.states == ["broken"]


async def test_seats_bound_the_answers_and_show_the_place_in_the_queue() -> None:
    seats = Seats(1)
    places: dict[str, list[int]] = {"a": [], "b": [], "c": []}
    leave = {name: asyncio.Event() for name in places}
    sat: list[str] = []

    async def sit(name: str) -> None:
        async def show(place: int) -> None:
            places[name].append(place)

        async with seats.seat(show):
            sat.append(name)
            await leave[name].wait()

    tasks = [asyncio.create_task(sit(name)) for name in places]
    await settle()
    assert sat == ["a"]
    leave["a"].set()
    await settle()
    assert sat == ["a", "b"]
    assert places == {"a": [], "b": [1], "c": [2, 1]}
    tasks[1].cancel()
    await settle()
    assert sat == ["a", "b", "c"]
    leave["c"].set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert seats._free == 1


def question(text: str = "what?", *, addressed: bool = True) -> Message:
    return Message(
        message_id="1",
        room=Room(platform="slack", space="T", channel="C", kind="public", thread="1"),
        author=Person(platform="slack", person_id="U1", space="T"),
        text=text,
        sent_at=datetime(2026, 1, 1, tzinfo=UTC),
        addressed=addressed,
    )


async def test_a_running_answer_is_found_by_its_button_and_by_its_thread() -> None:
    time, running = FakeTime(), Running()
    outlet = FakeOutlet(time)

    async def until_stopped(message, reply) -> None:
        await reply.show("so far")
        while not reply.stopped:  # noqa: ASYNC110 - a core looks now and then, as it writes
            await asyncio.sleep(0)
        await reply.finish(answer("so far", stopped=True))

    for way in ("button", "word"):
        reply = EditedReply(outlet, key="r1", timing=time.timing)
        core = ScriptedCore(until_stopped)
        task = asyncio.create_task(hand_over(core, question(), reply, seats=Seats(), running=running))
        await settle()
        assert not running.stop("another")
        assert not running.stop_in(question().room.thread_key, person_id="U2")
        if way == "button":
            assert running.stop("r1")
        else:
            asked = {"person_id": question().author.person_id, "message_id": "2"}
            assert not running.hear_stop("halfway?", question().room.thread_key, **asked)
            assert running.hear_stop("Stop!", question().room.thread_key, **asked)
        await settle()
        await time.pass_time(3)
        await task
        assert not running.stop("r1")
        assert outlet.texts[-1] == "so far\nStopped."
    assert running.hear_stop("Stop!", question().room.thread_key, **asked), "delivered twice, heard twice"
    assert not running.hear_stop("Stop!", question().room.thread_key, **(asked | {"message_id": "3"}))


async def test_a_status_is_never_left_standing_when_the_core_says_nothing() -> None:
    time = FakeTime()
    outlet = FakeOutlet(time)

    async def forgetful(message, reply) -> None:
        await reply.status("Thinking…")

    reply = EditedReply(outlet, key="r", timing=time.timing)
    task = asyncio.create_task(hand_over(ScriptedCore(forgetful), question(), reply, seats=Seats(), running=Running()))
    await settle()
    await time.pass_time(3)
    await task
    assert "went wrong" in outlet.whole


async def test_an_answer_that_had_arrived_is_not_made_again() -> None:
    core = ScriptedCore()
    finished = '{"references": ["m1"], "pending": "", "done": true}'
    reply = EditedReply(FakeOutlet(FakeTime()), key="r", remembered=finished)
    await hand_over(core, question(), reply, seats=Seats(), running=Running())
    assert core.received == []


def test_only_a_bare_stop_is_a_stop() -> None:
    assert asks_to_stop(" Stop! ")
    assert not asks_to_stop("how do I stop the mill?")
