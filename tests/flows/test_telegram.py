"""A day in Telegram: the real aiogram, the real core and storage, on loopback; as a process in the bench."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.domain.memories import Filters
from bot.domain.rooms import Room
from tests.fakes.house import House, open_house
from tests.fakes.telegram.harness import Hurried, listening, until
from tests.fakes.telegram.process import page, palace_process
from tests.fakes.telegram.server import FakeTelegram, fake_telegram

POISON = json.loads((Path(__file__).parents[1] / "payloads/telegram/unknown_origin.json").read_text())["message"]
ANA, BEN = 11, 12
CLUB, OTHERS = -1001, -1002
CHANNEL = {
    "type": "channel",
    "date": 1_767_200_000,
    "chat": {"id": -1009, "type": "channel", "title": "Mill news", "username": "millnews"},
    "message_id": 5,
}


@asynccontextmanager
async def a_day(folder: Path, *, factor: float = 0.02) -> AsyncIterator[tuple[FakeTelegram, House]]:
    """Open a palace that listens to a Telegram with a club of two, and a group of one."""
    hurried = Hurried(factor)
    async with fake_telegram(hurried.now) as telegram, open_house(folder) as house:
        telegram.group(CLUB, "Garden club", ANA, BEN)
        telegram.group(OTHERS, "Other people", BEN)
        reading = asyncio.create_task(house.worker.run())
        storage = house.storage
        async with listening(
            telegram, house.bot, folder, inbox=storage.inbox, rooms=storage.rooms, timing=hurried.timing
        ):
            yield telegram, house
        reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reading


async def answered(telegram: FakeTelegram, chat: int, person: int, text: str, **more: Any) -> str:
    """Say something and return what the bot has said in the end."""
    before = len(telegram.own(chat))
    telegram.say(chat, person, text, **more)
    await until(lambda: len(telegram.own(chat)) > before, within_s=60)
    await asyncio.sleep(0.05)
    await until(lambda: not telegram.own(chat)[-1].get("reply_markup") or "Stop" not in str(telegram.own(chat)[-1]))
    return "\n".join(message["text"] for message in telegram.own(chat)[before:])


async def test_a_forward_is_saved_asked_on_found_inline_and_taken_back(tmp_path: Path) -> None:
    async with a_day(tmp_path) as (telegram, house):
        house.web.put("https://mill.example/rye", "Keeping rye flour", "Rye flour keeps ten days in a paper bag.")
        telegram.say(ANA, ANA, "for the baking class")
        telegram.say(ANA, ANA, "Read https://mill.example/rye", forward_origin=CHANNEL)
        await until(lambda: telegram.own(ANA))
        (receipt,) = telegram.own(ANA)
        assert "Keeping rye flour" in receipt["text"] or "mill.example/rye" in receipt["text"]
        (memory,) = await house.storage.memories.list(Filters(), None)
        assert memory.note == "for the baking class\nRead"
        assert memory.origin is not None
        assert (memory.origin.kind, memory.origin.name) == ("channel", "Mill news")
        assert memory.origin.url == "https://t.me/millnews/5"
        assert (memory.person.name, memory.scope.kind) == ("Person11", "person")
        await house.worker.drain()

        answer = await answered(telegram, ANA, ANA, "how long does rye flour keep in a paper bag?")
        assert "ten days" in answer
        assert answer.count("Sources") == 1

        telegram.inline(ANA, "rye")
        telegram.inline(BEN, "rye")
        await until(lambda: len(telegram.found) == 2)
        by_person = {one["inline_query_id"]: len(one["results"]) for one in telegram.found}
        assert sorted(by_person.values()) == [0, 1]
        assert all(one["is_personal"] is True and one["cache_time"] <= 10 for one in telegram.found)

        telegram.press(receipt, ANA, "Undo")
        await until(lambda: telegram.toasts)
        assert await house.storage.memories.count(Filters(), None) == 0
        assert "Taken back" in telegram.own(ANA)[0]["text"]
        assert telegram.violations == []


async def test_groups_are_walls_and_a_private_chat_shows_in_none(tmp_path: Path) -> None:
    async with a_day(tmp_path) as (telegram, house):
        for chat, person, lamp in ((CLUB, ANA, "green"), (OTHERS, BEN, "blue"), (ANA, ANA, "red"), (BEN, BEN, "white")):
            house.web.put(f"https://lamp.example/{lamp}", f"The {lamp} lamp", f"The {lamp} lamp burns all night.")
            telegram.say(chat, person, f"https://lamp.example/{lamp}")
        await until(lambda: len(telegram.reactions) == 2 and telegram.own(ANA) and telegram.own(BEN))
        await house.worker.drain()
        readable = {
            (CLUB, ANA): {"green"},
            (CLUB, BEN): {"green"},
            (OTHERS, BEN): {"blue"},
            (ANA, ANA): {"green", "red"},
            (BEN, BEN): {"green", "blue", "white"},
        }
        for (chat, person), lamps in readable.items():
            for question in ("/list", "/ask which lamp burns all night?", "/search lamp"):
                said = await answered(telegram, chat, person, question)
                seen = {
                    lamp
                    for lamp in ("green", "blue", "red", "white")
                    if f"lamp.example/{lamp}" in repr(telegram.own(chat)[-1])
                }
                assert seen <= lamps, (chat, person, question, said)
                assert question != "/list" or seen == lamps, (chat, person, said)
        telegram.inline(ANA, "lamp")
        await until(lambda: telegram.found)
        assert {result["title"] for result in telegram.found[0]["results"]} == {"The green lamp", "The red lamp"}
        telegram.members[CLUB, BEN] = "left"
        telegram.members[OTHERS, BEN] = "kicked"
        await asyncio.sleep(2 * 0.02 + 0.05)
        said = await answered(telegram, BEN, BEN, "/list")
        assert "green" not in said
        assert "blue" not in said


@pytest.mark.parametrize("news", [(0,), (1,), (0, 1), (1, 0)])
async def test_a_group_that_becomes_a_supergroup_keeps_everything(tmp_path: Path, news: tuple[int, ...]) -> None:
    small, large = -777, -100777
    async with a_day(tmp_path) as (telegram, house):
        telegram.group(small, "Bakers", ANA, type="group")
        for number in range(3):
            house.web.put(f"https://mill.example/{number}", f"Flour {number}", f"Flour number {number} keeps ten days.")
            telegram.say(small, ANA, f"https://mill.example/{number}")
        await until(lambda: len(telegram.reactions) == 3)
        await house.worker.drain()
        await answered(telegram, small, ANA, "/ask how long does flour number 1 keep?")
        await answered(telegram, small, ANA, "/recall off")
        asked = Room(platform="telegram", channel=str(large), kind="private")
        telegram.migrate(small, large)
        told, telegram.pending = telegram.pending[-2:], []
        for place in news:
            telegram.update(**{name: value for name, value in told[place].items() if name != "update_id"})
        said = await answered(telegram, large, ANA, "/list")
        assert said.startswith("There are 3 memories")
        assert "off" in await answered(telegram, large, ANA, "/recall")
        said_before = await house.storage.transcript.last(asked, limit=9)
        assert [turn.speaker for turn in said_before[:2]] == ["person", "bot"]
        assert said_before[0].text == "how long does flour number 1 keep?"
        assert len(telegram.own(small)) == 2
        assert telegram.violations == []


async def crowd(telegram: FakeTelegram, house: House, *, people: int, items: int) -> tuple[int, int]:
    """Let many people forward many things at once; returns what was saved, and of how many saves they were told."""
    started = time.monotonic()
    crowded = range(1, people + 1)
    for number in range(items):
        for person in crowded:
            telegram.say(person, person, f"https://mill.example/{person}/{number}", forward_origin=CHANNEL)
    await until(lambda: all(receipts(telegram, person) >= items for person in crowded), within_s=300)
    saved = await house.storage.memories.count(Filters(), None)
    messages = sum(len(telegram.own(person)) for person in crowded)
    print(f"{saved} saved, told in {messages} messages, {time.monotonic() - started:.1f} s")
    return saved, sum(receipts(telegram, person) for person in crowded)


def receipts(telegram: FakeTelegram, person: int) -> int:
    """Return of how many saves a person was told."""
    return sum(message["text"].count("Saved for") for message in telegram.own(person))


async def test_a_few_people_forward_many_things_at_once(tmp_path: Path) -> None:
    async with a_day(tmp_path) as (telegram, house):
        assert await crowd(telegram, house, people=4, items=6) == (24, 24)
        assert telegram.violations == []


@pytest.mark.bench
async def test_fifty_people_forward_twenty_things_each_at_once(tmp_path: Path) -> None:
    async with a_day(tmp_path, factor=1.0) as (telegram, house):
        assert await crowd(telegram, house, people=50, items=20) == (1000, 1000)
        assert telegram.violations == []


@pytest.mark.bench
async def test_the_process_saves_answers_follows_up_and_finds(tmp_path: Path) -> None:
    async with fake_telegram() as telegram, palace_process(telegram, tmp_path / "home"):
        telegram.group(CLUB, "Garden club", ANA, BEN, topics=(4,))
        await answered(telegram, BEN, BEN, "what is saved about nothing at all?")
        telegram.pages["flour"] = page(
            "Keeping flour fresh",
            "Whole rye flour keeps for ten days in a paper bag, because the oils of the germ turn rancid in the air.",
            "In the freezer the same flour keeps for three months.",
        )
        telegram.say(ANA, ANA, "for the class")
        telegram.say(ANA, ANA, f"{telegram.base}/page/flour", forward_origin=CHANNEL)
        await until(lambda: telegram.own(ANA), within_s=30)
        (receipt,) = telegram.own(ANA)
        assert "Keeping flour fresh" in receipt["text"] or "/page/flour" in receipt["text"]
        answer = await answered(telegram, ANA, ANA, "how long does rye flour keep in a paper bag?")
        assert "ten days" in answer
        assert "Sources" in answer
        assert telegram.made("sendMessageDraft")
        follow_up = await answered(telegram, ANA, ANA, "and in the freezer?")
        assert "three months" in follow_up
        telegram.inline(ANA, "flour")
        await until(lambda: telegram.found)
        assert [result["title"] for result in telegram.found[0]["results"]] == ["Keeping flour fresh"]
        telegram.say(CLUB, BEN, f"{telegram.base}/page/flour", message_thread_id=4, is_topic_message=True)
        await until(lambda: telegram.reactions, within_s=30)
        await asyncio.sleep(2)
        in_topic = {"message_thread_id": 4, "is_topic_message": True}
        answer = await answered(telegram, CLUB, ANA, "/ask how long does rye flour keep?", **in_topic)
        assert "ten days" in answer
        assert telegram.own(CLUB)[-1]["message_thread_id"] == 4
        telegram.press(receipt, ANA, "Undo")
        await until(lambda: "Taken back" in telegram.own(ANA)[0]["text"])
        assert telegram.violations == []


@pytest.mark.bench
async def test_a_process_killed_before_it_answered_answers_once_after_its_restart(tmp_path: Path) -> None:
    async with fake_telegram() as telegram:
        async with palace_process(telegram, tmp_path / "home") as process:
            telegram.say(ANA, ANA, "save: rye flour keeps ten days in a paper bag #flour")
            telegram.update(message=POISON)
            telegram.say(ANA, ANA, "what is saved about rye flour?")
            await until(lambda: len(telegram.delivered) >= 3, within_s=30)
            process.kill()
            await process.wait()
        async with palace_process(telegram, tmp_path / "home"):
            await until(lambda: len(telegram.own(ANA)) >= 2, within_s=60)
            await asyncio.sleep(3)
            texts = [message["text"] for message in telegram.own(ANA)]
            assert len(texts) == 2, texts
            listed = await answered(telegram, ANA, ANA, "/list")
            assert "1 memory" in listed
        assert telegram.violations == []
