"""Saving, following edits and undoing, on a real file."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.domain.errors import BadInput, NotAllowed
from bot.domain.memories import Filters
from bot.domain.messages import Action, Message
from bot.domain.rooms import Person, Room
from bot.keeper import Keeper
from bot.ports import Storage
from bot.words.english import ENGLISH
from storage import open_storage
from tests.fakes.reply import RecordingReply, StandingClock

ANA = Person(platform="slack", space="T1", person_id="U1", name="Ana")
BEN = Person(platform="slack", space="T1", person_id="U2", name="Ben")
DEV = Room(platform="slack", space="T1", channel="C1", kind="public", name="dev")


@dataclass
class House:
    storage: Storage
    keeper: Keeper
    clock: StandingClock
    nudges: list[str]
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def titles(self) -> list[str]:
        return [memory.url or memory.title for memory in await self.storage.memories.list(Filters(), None)]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    clock, nudges = StandingClock(), []
    async with open_storage(f"sqlite:///{tmp_path / 'palace.db'}", clock=clock) as storage:
        keeper = Keeper(
            memories=storage.memories,
            rooms=storage.rooms,
            clock=clock,
            nudge=lambda: nudges.append("nudge"),
            timezone="UTC",
            receipt_wait_s=0.0,
        )
        yield House(storage, keeper, clock, nudges)


def message(text: str, *, message_id: str = "1", author: Person = ANA, **more: object) -> Message:
    return Message(
        message_id=message_id, room=DEV, author=author, text=text, sent_at=datetime(2026, 5, 3, tzinfo=UTC), **more
    )  # type: ignore[arg-type]


async def test_a_watched_link_is_kept_and_only_marked(house: House) -> None:
    reply = RecordingReply()
    await house.keeper.keep_silently(message("https://a.example/one"), reply)
    assert (reply.signs, reply.notices, house.nudges) == (["saved"], [], ["nudge"])
    assert await house.titles() == ["https://a.example/one"]


async def test_the_same_message_twice_is_one_share(house: House) -> None:
    for _ in range(2):
        await house.keeper.keep(message("https://a.example/one"))
    (memory,) = await house.storage.memories.list(Filters(), None)
    assert memory.shares == 1


async def test_sharing_a_known_page_says_who_saved_it_and_adds_the_note(house: House) -> None:
    await house.keeper.keep(message("https://a.example/one first"))
    reply = RecordingReply()
    again = message("the oven test https://www.a.example/one/?utm_source=x", message_id="2", author=BEN)
    await house.keeper.keep_on_request(again, reply)
    assert "Already saved by Ana in dev on 3 May 2026" in reply.said
    (memory,) = await house.storage.memories.list(Filters(), None)
    assert "the oven test" in memory.note
    assert memory.shares == 2


async def test_a_known_page_without_a_note_claims_none(house: House) -> None:
    await house.keeper.keep(message("https://a.example/one"))
    reply = RecordingReply()
    await house.keeper.keep_on_request(message("https://a.example/one", message_id="2"), reply)
    assert "Already saved by Ana in dev on 3 May 2026:" in reply.said
    assert "note" not in reply.said


async def test_an_edit_saves_added_links_and_drops_removed_ones(house: House) -> None:
    await house.keeper.keep(message("https://a.example/one https://a.example/two"))
    await house.keeper.follow_edit(message("https://a.example/two https://a.example/three"))
    assert sorted(await house.titles()) == ["https://a.example/three", "https://a.example/two"]


@pytest.mark.parametrize(
    ("first", "then", "kept"),
    [
        ("save: the spare key is with Kim", "save: the spare key is with Lea", "the spare key is with Lea"),
        ("/note the spare key is with Kim", "/note the spare key is with Lea", "the spare key is with Lea"),
        ("save: the spare key is with Kim", "the spare key is with Lea", "the spare key is with Lea"),
        ("save: the spare key is with Kim", "save:", "the spare key is with Kim"),
        ("save: the spare key is with Kim", "save: https://a.example/key", "https://a.example/key"),
    ],
)
async def test_a_thought_is_kept_as_it_reads_after_an_edit(house: House, first: str, then: str, kept: str) -> None:
    typed = first.removeprefix("/note ")
    await house.keeper.keep(message(typed), as_note=True)
    await house.keeper.follow_edit(message(then))
    await house.keeper.follow_edit(message(then))
    assert await house.titles() == [kept]


async def test_an_edit_by_its_writer_leaves_what_somebody_else_kept_of_a_message(house: House) -> None:
    await house.keeper.keep(message("the spare key is with Kim", surface="shortcut", author=BEN))
    await house.keeper.follow_edit(message("the spare key is with Lea"))
    assert await house.titles() == ["the spare key is with Kim"]


async def test_the_beginning_of_an_address_is_no_thought(house: House) -> None:
    for text in ("http://", "save: https://", "HTTP:/"):
        with pytest.raises(BadInput, match="no whole address"):
            await house.keeper.keep_on_request(message(text), RecordingReply())
    assert await house.titles() == []


async def test_an_edit_keeps_what_somebody_else_shared_too(house: House) -> None:
    await house.keeper.keep(message("https://a.example/one"))
    await house.keeper.keep(message("https://a.example/one", message_id="2", author=BEN))
    await house.keeper.follow_edit(message("never mind"))
    assert await house.titles() == ["https://a.example/one"]


async def test_undo_takes_back_the_whole_message_and_only_for_its_saver(house: House) -> None:
    reply = RecordingReply()
    await house.keeper.keep_on_request(message("https://a.example/one https://a.example/two"), reply)
    (button,) = reply.notices[0].buttons
    undo = Action(name="undo", target=button.target, person=BEN, room=DEV, at=house.clock.now())
    with pytest.raises(NotAllowed):
        await house.keeper.undo(undo, ENGLISH)
    await house.keeper.undo(replace(undo, person=ANA), ENGLISH)
    assert await house.titles() == []
    assert "already" in await house.keeper.undo(replace(undo, person=ANA), ENGLISH)


async def test_undo_last_takes_one_s_own_newest(house: House) -> None:
    await house.keeper.keep(message("https://a.example/one"))
    await house.keeper.keep(replace(message("https://a.example/two", message_id="2"), sent_at=house.clock.now()))
    await house.keeper.keep(
        replace(message("https://b.example/", message_id="3", author=BEN), sent_at=house.clock.now())
    )
    await house.keeper.undo_last(message("/undo"))
    assert sorted(await house.titles()) == ["https://a.example/one", "https://b.example/"]


async def test_undo_last_takes_back_one_s_own_share_of_what_somebody_else_saved_first(house: House) -> None:
    await house.keeper.keep(message("https://a.example/one for the course"))
    await house.keeper.keep(message("https://a.example/one my own note", message_id="2", author=BEN))
    said = await house.keeper.undo_last(message("/undo", author=BEN))
    assert said == "Taken back: your note on it; others saved it too."
    (memory,) = await house.storage.memories.list(Filters(), None)
    assert (memory.person, memory.note) == (ANA, "for the course")
    assert "no save of yours" in await house.keeper.undo_last(message("/undo", author=BEN))


async def test_the_room_s_pocket_takes_what_is_saved_there(house: House) -> None:
    await house.storage.rooms.set(DEV.key, "pocket", "thesis")
    await house.keeper.keep(message("https://a.example/one"))
    (memory,) = await house.storage.memories.list(Filters(pocket="thesis"), None)
    assert memory.pocket == "thesis"


async def test_a_thought_is_saved_without_waiting_for_anything_to_be_read(house: House) -> None:
    house.keeper._receipt_wait_s = 60.0
    reply = RecordingReply()
    await house.keeper.keep_on_request(message("save: the key is with Kim #house"), reply, as_note=True)
    assert "**the key is with Kim** · #house" in reply.said
    assert "being read" not in reply.said


async def test_a_message_with_nothing_in_it_is_said_so(house: House) -> None:
    with pytest.raises(BadInput, match="nothing to save"):
        await house.keeper.keep_on_request(message("  "), RecordingReply())


async def test_a_short_link_to_a_known_page_says_what_it_turned_out_to_be(house: House) -> None:
    await house.keeper.keep(message("https://a.example/one"))
    (known,) = await house.storage.memories.list(Filters(), None)

    async def read_short_link() -> None:
        (short,) = await house.storage.memories.find("https://s.example/1", None)
        await house.storage.memories.merge(short.memory_id, known.memory_id)

    reply = RecordingReply()
    house.keeper._nudge = lambda: house.tasks.append(asyncio.create_task(read_short_link()))
    house.keeper._receipt_wait_s = 1.0
    await house.keeper.keep_on_request(message("https://s.example/1", message_id="2"), reply)
    assert known.memory_id in reply.said
