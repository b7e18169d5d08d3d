"""Speed in Discord at its real pace: many answers at once, one very long one, and how soon a message is taken."""

import asyncio
import itertools
import re
import time
from pathlib import Path

import pytest

from adapters.discord.channels import EVERY_S
from adapters.discord.outbound import LIMIT
from adapters.pacing import Timing
from bot.domain.messages import Message
from bot.ports import Reply
from tests.fakes.core import ScriptedCore, answer
from tests.fakes.discord.guild import BOT
from tests.fakes.discord.harness import listening, until
from tests.fakes.discord.server import ANA, BEN, CLEO, DEV, HOME, fake_discord

pytestmark = pytest.mark.bench

MENTION = f"<@{BOT}>"
WORDS = [f"Word {number} of an answer that grows. " for number in range(120)]


async def grow(message: Message, reply: Reply) -> None:
    """Write for three seconds."""
    for end in range(1, len(WORDS) + 1):
        await reply.show("".join(WORDS[:end]))
        await asyncio.sleep(0.025)
    await reply.finish(answer("".join(WORDS) + message.text))


async def test_forty_answers_at_once_over_ten_channels(tmp_path: Path) -> None:
    core = ScriptedCore(grow)
    async with fake_discord() as discord:
        rooms = [f"78000000000000000{number}" for number in range(10)]
        for number, room in enumerate(rooms):
            discord.world.channel(HOME, room, f"room {number}")
        async with listening(discord, core, tmp_path, timing=Timing()):
            started = time.monotonic()
            people = (ANA, BEN, CLEO)
            for number in range(40):
                discord.says(rooms[number % 10], people[number // 10 % 3], f"{MENTION} question {number}")
            wanted = {f"question {number}" for number in range(40)}

            def arrived() -> bool:
                return {one.content.rpartition(". ")[2] for one in discord.world.own()} >= wanted

            await until(arrived, within_s=120)
            print(
                f"40 answers in {time.monotonic() - started:.1f} s, {len(discord.calls)} calls, 429s {discord.limited}"
            )
            assert discord.limited == []
            assert discord.violations == []
            assert len(list(discord.made("post"))) >= 40


async def test_nine_thousand_characters_at_the_real_pace(tmp_path: Path) -> None:
    code = "\n".join(f"    loaf_{line} = bake(dough[{line}])" for line in range(150))
    text = "\n\n".join(f"Paragraph {n} tells about the oven and its stones [1]. " * 3 for n in range(28))
    text = f"{text}\n\n```python\n{code}\n```\n\nThat was all [2]."

    async def long_answer(_message: Message, reply: Reply) -> None:
        for end in range(90, len(text), 90):
            await reply.show(text[:end])
            await asyncio.sleep(0.05)
        await reply.finish(answer(text))

    async with fake_discord() as discord, listening(discord, ScriptedCore(long_answer), tmp_path, timing=Timing()):
        started = time.monotonic()
        discord.says(DEV, ANA, f"{MENTION} everything?")
        await until(lambda: any("That was all [2]." in one.content for one in discord.world.own(DEV)), within_s=60)
        parts = [one.content for one in discord.world.own(DEV)]
        moments = [call.at for call in discord.made("post", "edit")]
        least = min(later - earlier for earlier, later in itertools.pairwise(moments))
        print(f"{len(text)} characters in {len(parts)} parts, {len(moments)} calls, {time.monotonic() - started:.1f} s")
        assert least >= EVERY_S - 0.05
        assert all(len(part) <= LIMIT and part.count("```") % 2 == 0 for part in parts)
        joined = "".join(re.sub(r"```(?:python)?", "", part) for part in parts)
        assert "".join(joined.split()) == "".join(re.sub(r"```(?:python)?", "", text).split())
        assert discord.limited == []


async def test_a_message_is_taken_in_milliseconds(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_discord() as discord, listening(discord, core, tmp_path, timing=Timing()):
        started = time.monotonic()
        for number in range(300):
            discord.says(DEV, BEN, f"https://mill.example.org/{number}")
        await until(lambda: len(core.received) == 300, within_s=30)
        print(f"300 messages taken and handed on in {time.monotonic() - started:.2f} s")
