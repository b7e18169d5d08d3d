"""Forgetting on request: what is shown, who may, and what is proved afterwards; on a real file."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.domain.errors import BadInput
from bot.domain.memories import Filters
from bot.domain.messages import Message, Turn
from bot.domain.rooms import Person, Room, readable, scope_of
from bot.forgetting import Forgetting
from bot.ports import Storage
from bot.saving import shared_in
from storage import open_storage
from tests.fakes.reply import StandingClock

ANA = Person(platform="slack", space="T1", person_id="U1", name="Ana")
BEN = Person(platform="slack", space="T1", person_id="U2", name="Ben")
DEV = Room(platform="slack", space="T1", channel="C1", kind="public", name="dev")


@dataclass
class House:
    storage: Storage
    forgetting: Forgetting
    clock: StandingClock

    async def keep(self, message: Message, *, as_note: bool = False) -> None:
        for shared in shared_in(message, as_note=as_note):
            await self.storage.memories.keep(shared)

    async def titles(self) -> list[str]:
        return [memory.url or memory.title for memory in await self.storage.memories.list(Filters(), None)]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    clock = StandingClock()
    async with open_storage(f"sqlite:///{tmp_path / 'palace.db'}", clock=clock) as storage:
        forgetting = Forgetting(
            memories=storage.memories, rooms=storage.rooms, transcript=storage.transcript, clock=clock, timezone="UTC"
        )
        yield House(storage, forgetting, clock)


def message(text: str, *, message_id: str = "1", author: Person = ANA, **more: object) -> Message:
    return Message(
        message_id=message_id, room=DEV, author=author, text=text, sent_at=datetime(2026, 5, 3, tzinfo=UTC), **more
    )  # type: ignore[arg-type]


async def test_forgetting_shows_what_will_go_and_goes_only_after_a_confirmation(house: House) -> None:
    await house.keep(message("https://a.example/one"))
    await house.keep(message("https://a.example/two", message_id="2"))
    asked = message("/forget https://a.example/one", message_id="3")
    notice = await house.forgetting.propose(asked, "https://a.example/one", readable(DEV, ANA))
    assert "https://a.example/one" in notice.text
    assert "https://a.example/two" not in notice.text
    assert len(await house.titles()) == 2
    said = await house.forgetting.confirm(message("yes"), notice.buttons[0].target, readable(DEV, ANA))
    assert "Forgotten: 1 memory (1 alias, 1 memory, 1 memory word, 1 share)." in said
    assert "finds none" in said
    assert await house.titles() == ["https://a.example/two"]


async def test_words_of_a_title_never_forget_anything(house: House) -> None:
    await house.keep(message("scratch notes on ovens"), as_note=True)
    notice = await house.forgetting.propose(message("x"), "scratch notes", readable(DEV, ANA))
    assert notice.buttons == ()
    assert len(await house.titles()) == 1


async def test_a_confirmation_is_for_one_person_once_and_for_an_hour(house: House) -> None:
    await house.keep(message("https://a.example/one"))
    scopes = readable(DEV, ANA)
    notice = await house.forgetting.propose(message("x"), "mine", scopes)
    code = notice.buttons[0].target
    with pytest.raises(BadInput):
        await house.forgetting.confirm(message("yes", author=BEN), code, scopes)
    house.clock.move(hours=2)
    with pytest.raises(BadInput, match="hour ago"):
        await house.forgetting.confirm(message("yes"), code, scopes)
    assert len(await house.titles()) == 1


async def test_somebody_else_s_memory_of_a_shared_room_is_not_mine_to_forget(house: House) -> None:
    await house.keep(message("https://a.example/one"))
    notice = await house.forgetting.propose(message("x", author=BEN), "https://a.example/one", readable(DEV, BEN))
    assert notice.buttons == ()


async def test_a_whole_title_names_what_shall_go(house: House) -> None:
    await house.keep(message("scratch notes on ovens"), as_note=True)
    notice = await house.forgetting.propose(message("x"), "Scratch notes on ovens", readable(DEV, ANA))
    assert notice.buttons


async def say(house: House, text: str) -> None:
    turn = Turn(speaker="person", text=text, at=house.clock.now())
    await house.storage.transcript.add(DEV, turn, scope_of(DEV, ANA))


async def found(house: House, text: str) -> int:
    scopes = readable(DEV, ANA)
    return len(await house.storage.transcript.similar(DEV, scopes, text, None, limit=5, before_id=0))


async def test_a_room_that_is_forgotten_loses_its_conversation_too(house: House) -> None:
    await say(house, "what is the code of the alarm?")
    asked = message("/forget room", administrator=True)
    notice = await house.forgetting.propose(asked, "room", readable(DEV, ANA))
    assert "asked and answered in this room" in notice.text
    assert await found(house, "alarm") == 1
    said = await house.forgetting.confirm(asked, notice.buttons[0].target, readable(DEV, ANA))
    assert "conversation in this room is gone too (1 turns)" in said
    assert await found(house, "alarm") == 0


async def test_only_who_runs_a_room_forgets_its_conversation(house: House) -> None:
    await say(house, "what is the code of the alarm?")
    await house.keep(message("https://a.example/one"))
    asked = message("/forget room")
    notice = await house.forgetting.propose(asked, "room", readable(DEV, ANA))
    await house.forgetting.confirm(asked, notice.buttons[0].target, readable(DEV, ANA))
    assert await house.titles() == []
    assert await found(house, "alarm") == 1
