"""A whole day in Discord through the real discord.py: with the real core in this process, and as `palace run`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from bot.domain.memories import Filters
from tests.fakes.answering import PLAN
from tests.fakes.discord.guild import BOT, Written
from tests.fakes.discord.harness import fast_timing, listening, until
from tests.fakes.discord.process import page, palace_process
from tests.fakes.discord.rest import Used
from tests.fakes.discord.server import (
    ANA,
    BEN,
    DEV,
    ELSEWHERE,
    GUS,
    OPS,
    SECRET,
    STAFF,
    FakeDiscord,
    fake_discord,
)
from tests.fakes.house import House, open_house
from tests.fakes.messages_api import KEY, Breaks, Fills, Says, by_step, messages_api

MENTION = f"<@{BOT}>"
FLOUR = (
    "Whole rye flour keeps for ten days in a paper bag, because the oils of the germ turn rancid in the air.",
    "In the freezer the same flour keeps for three months.",
)


@asynccontextmanager
async def living(house: House) -> AsyncIterator[None]:
    """Read what is saved, as long as the context is open."""
    task = asyncio.create_task(house.worker.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def answered(discord: FakeDiscord, channel: str, user: str, text: str, *, within_s: float = 30.0) -> str:
    """Ask, and return the whole answer once it stands."""
    before = {one.message_id for one in discord.world.own(channel)}
    discord.says(channel, user, text)

    def new() -> list[Written]:
        return [one for one in discord.world.own(channel) if one.message_id not in before]

    await until(lambda: bool(new()) and "palace:stop" not in str([one.components for one in new()]), within_s=within_s)
    await asyncio.sleep(0.1)
    return "\n".join(one.content for one in new())


async def shown(used: Used, *, within_s: float = 30.0) -> Written:
    """Return what an interaction was answered with."""
    await until(lambda: bool(used.shown) or used.original is not None, within_s=within_s)
    return used.shown[-1] if used.shown else used.original  # type: ignore[return-value]


async def saved(house: House, count: int) -> None:
    """Wait until so many memories are read."""
    ready = Filters(states=("ready",))
    async with asyncio.timeout(20):
        while await house.storage.memories.count(ready, None) < count:  # noqa: ASYNC110 - the worker tells nobody
            await asyncio.sleep(0.02)


async def test_the_journeys_of_a_day(tmp_path: Path) -> None:
    async with fake_discord() as discord, open_house(tmp_path) as house, living(house):
        inbox, rooms = house.storage.inbox, house.storage.rooms
        house.web.put("https://mill.example.org/flour", "Keeping flour fresh", "\n\n".join(FLOUR))
        house.web.put("https://mill.example.org/oven", "Stone ovens", "A stone oven holds its heat for two days.")
        house.web.put("https://mill.example.org/salt", "Salt", "Salt slows the yeast of a dough down.")
        async with listening(discord, house.bot, tmp_path, inbox=inbox, rooms=rooms):
            watched = discord.says(DEV, ANA, "worth reading: <https://mill.example.org/flour> #flour")
            await until(lambda: ("💾", BOT) in watched.reactions)
            old = discord.says(OPS, BEN, "see https://mill.example.org/oven", told=False)
            receipt = await shown(discord.menu(old, ANA))
            assert "Stone ovens" in receipt.content or "mill.example.org/oven" in receipt.content
            discord.forwards(DEV, BEN, "from another place: https://mill.example.org/salt")
            await saved(house, 3)

            answer = await answered(discord, OPS, BEN, f"{MENTION} how long does rye flour keep in a paper bag?")
            assert "ten days" in answer
            assert answer.count("**Sources**") == 1
            assert "Ana" in answer
            thread = discord.world.thread(OPS, "740000000000000009", "Flour", owner=BOT)
            discord.tell("THREAD_CREATE", thread.payload())
            first = await answered(discord, thread.channel_id, BEN, "how long does rye flour keep in a paper bag?")
            assert "ten days" in first
            follow_up = await answered(discord, thread.channel_id, BEN, "and in the freezer?")
            assert "three months" in follow_up
            asked = discord.slash(DEV, BEN, "ask", "how long does a stone oven hold its heat?")
            assert "two days" in (await shown(asked)).content
            assert asked.answer == 5

        async with listening(discord, house.bot, tmp_path, inbox=inbox, rooms=rooms):
            posted = next(one for one in discord.world.own(OPS) if "ten days" in one.content)
            voted = await shown(discord.presses(posted, BEN, "up"))
            assert "prefer these sources" in voted.content
            undone = await shown(discord.uses(OPS, ANA, 3, {**receipt.button("undo"), "component_type": 2}))
            assert "Taken back" in undone.content
            listed = await shown(discord.slash(DEV, BEN, "list"))
            assert "oven" not in listed.content
            assert "flour" in listed.content
            discord.removes(watched)
            await until(lambda: not discord.world.channels[DEV].messages.get(watched.message_id))
            await asyncio.sleep(0.1)
            assert "flour" not in (await shown(discord.slash(DEV, BEN, "list"))).content
        assert (discord.violations, discord.limited) == ([], [])


ROOMS = {DEV: ANA, OPS: BEN, SECRET: ANA, STAFF: ANA, ELSEWHERE: GUS}
READABLE = {
    (DEV, BEN): {DEV, OPS},
    (OPS, ANA): {DEV, OPS},
    (SECRET, ANA): {DEV, OPS, SECRET},
    (STAFF, ANA): {DEV, OPS, STAFF},
    (ELSEWHERE, ANA): {ELSEWHERE},
    ("direct", ANA): {DEV, OPS, SECRET, STAFF, ELSEWHERE, f"direct-{ANA}"},
    ("direct", BEN): {DEV, OPS, f"direct-{BEN}"},
}
"""Which rooms' memories somebody may see where: the whole matrix."""


async def test_no_memory_shows_where_it_may_not_over_the_whole_matrix_of_rooms(tmp_path: Path) -> None:
    async with fake_discord() as discord, open_house(tmp_path) as house, living(house):
        rooms = dict(ROOMS) | {f"direct-{person}": person for person in (ANA, BEN)}
        for room in rooms:
            house.web.put(f"https://lamp.example.org/{room}", f"Lamp of {room}", f"The lamp of {room} burns all night.")
        async with listening(
            discord, house.bot, tmp_path, inbox=house.storage.inbox, rooms=house.storage.rooms, timing=fast_timing()
        ):
            discord.speed = 10.0
            for room, writer in rooms.items():
                channel = discord.world.direct(writer).channel_id if room.startswith("direct") else room
                discord.says(channel, writer, f"https://lamp.example.org/{room}")
            await saved(house, len(rooms))
            for (place, person), expected in READABLE.items():
                channel = discord.world.direct(person).channel_id if place == "direct" else place
                before = "" if place == "direct" else f"{MENTION} "
                listed = await answered(discord, channel, person, f"{before}/list")
                assert {room for room in rooms if f"lamp.example.org/{room}>" in listed} == expected, (place, person)
                asked = await answered(discord, channel, person, f"{before}where does the lamp burn all night?")
                assert {room for room in rooms if f"lamp of {room} " in asked.lower()} <= expected, (place, person)
        assert discord.violations == []


@pytest.mark.bench
async def test_palace_run_saves_answers_and_survives_a_kill_in_the_middle(tmp_path: Path) -> None:
    async with fake_discord() as discord:
        discord.pages["flour"] = page("Keeping flour fresh", *FLOUR)
        direct = discord.world.direct(BEN).channel_id
        async with palace_process(discord, tmp_path / "home"):
            await answered(discord, direct, BEN, "what is saved about nothing at all?", within_s=90)
            shared = discord.says(DEV, ANA, f"worth reading <{discord.base}/page/flour>")
            await until(lambda: ("💾", BOT) in shared.reactions, within_s=20)
            await until(lambda: "flour" in discord.served, within_s=20)
            await asyncio.sleep(2)
            answer = await answered(discord, OPS, BEN, f"{MENTION} how long does rye flour keep in a paper bag?")
            assert "ten days" in answer
            assert "Ana" in answer
        async with palace_process(discord, tmp_path / "home") as process:
            before = len(discord.world.own(DEV))
            discord.says(DEV, BEN, f"{MENTION} how long does rye flour keep in the freezer?")
            await until(lambda: any(call.route == "typing" for call in discord.calls[-5:]), within_s=30)
            process.kill()
            await process.wait()
        missed = [discord.says(OPS, ANA, f"<{discord.base}/page/flour?n={n}>", told=False) for n in range(25)]
        async with palace_process(discord, tmp_path / "home"):
            await until(lambda: len(discord.world.own(DEV)) > before, within_s=60)
            await until(lambda: "three months" in discord.world.own(DEV)[-1].content, within_s=30)
            await until(lambda: all(one.reactions for one in missed), within_s=30)
            await asyncio.sleep(1)
            assert len(discord.world.own(DEV)) == before + 1
            listed = await shown(discord.slash(DEV, BEN, "status"), within_s=30)
            assert "26 memories" in listed.content or "1 memory" in listed.content
        assert discord.limited == []
        assert discord.violations == []


HALF = "Rye flour keeps for ten days in a paper bag [1]. "


@pytest.mark.bench
async def test_a_kill_while_an_answer_is_being_written_leaves_one_whole_answer(tmp_path: Path) -> None:
    grades = [{"id": n, "reasoning": "so", "relevance": "relevant", "score": 0.9} for n in range(1, 6)]
    steps = {
        "plan": Fills(value={**PLAN, "intent": "simple_lookup"}),
        "grade": Fills(value={"grades": grades}),
        "generate": [Breaks(text=HALF, how="hangs"), Says(text=f"{HALF}In the freezer it keeps longer [1].")],
        "reflect": Fills(value={"verdicts": []}),
    }
    async with fake_discord() as discord, messages_api(by_step(**steps)) as api:
        discord.pages["flour"] = page("Keeping flour fresh", *FLOUR)
        model = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url}
        async with palace_process(discord, tmp_path / "home", **model) as process:
            shared = discord.says(DEV, ANA, f"<{discord.base}/page/flour>")
            await until(lambda: bool(shared.reactions) and "flour" in discord.served, within_s=60)
            await asyncio.sleep(8)
            asked = discord.says(OPS, BEN, f"{MENTION} how long does rye flour keep?")
            await until(lambda: bool(discord.world.own(OPS)), within_s=60)
            begun = discord.world.own(OPS)[0]
            assert begun.button("stop")
            process.kill()
            await process.wait()
        missed = [discord.says(OPS, ANA, f"<{discord.base}/page/flour?n={n}>", told=False) for n in range(3)]
        discord.again(asked)
        async with palace_process(discord, tmp_path / "home", **model):
            discord.again(asked)
            await until(lambda: "keeps longer" in discord.world.own(OPS)[0].content, within_s=90)
            await until(lambda: all(one.reactions for one in missed), within_s=30)
            await until(lambda: "palace:stop" not in str(discord.world.own(OPS)[0].components), within_s=30)
            await asyncio.sleep(1)
            (whole,) = discord.world.own(OPS)
            assert whole.message_id == begun.message_id
        assert (discord.limited, discord.violations) == ([], [])
