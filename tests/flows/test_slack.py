"""A whole day in Slack: `palace run` as a process, the real slack_bolt, the real core, on loopback."""

import asyncio
import time
from pathlib import Path

import pytest

from tests.fakes.slack.harness import until
from tests.fakes.slack.process import page, palace_process
from tests.fakes.slack.server import FakeSlack, fake_slack

MENTION = "<@U0BOT>"
ROOMS = ("C0DEV", "C0OPS", "G0SECRET", "C0SHARED", "D0ANA", "D0BEN")
READABLE = {
    ("C0DEV", "U0ANA"): {"C0DEV", "C0OPS"},
    ("C0DEV", "U0BEN"): {"C0DEV", "C0OPS"},
    ("C0OPS", "U0ANA"): {"C0DEV", "C0OPS"},
    ("G0SECRET", "U0ANA"): {"C0DEV", "C0OPS", "G0SECRET"},
    ("C0SHARED", "U0ANA"): {"C0SHARED"},
    ("C0SHARED", "U0GUEST"): {"C0SHARED"},
    ("D0ANA", "U0ANA"): {"C0DEV", "C0OPS", "G0SECRET", "C0SHARED", "D0ANA"},
    ("D0BEN", "U0BEN"): {"C0DEV", "C0OPS", "D0BEN"},
}
"""Which rooms' memories somebody may see where: the whole matrix."""


async def answered(slack: FakeSlack, channel: str, user: str, text: str, *, thread: str | None = None) -> str:
    """Ask, and return the whole answer once it stands."""
    before = {posted.ts for posted in slack.workspace.own(channel)}
    asked = slack.written(channel, user, text, thread=thread)
    await until(lambda: any(posted.ts not in before for posted in slack.workspace.own(channel)), within_s=60)
    await until(lambda: not asked.reactions, within_s=60)
    new = [posted for posted in slack.workspace.own(channel) if posted.ts not in before]
    return "\n".join(posted.text for posted in new)


async def searchable(slack: FakeSlack, name: str, words: str) -> float:
    """Share a page and search for it until it is found; returns the seconds since the page was served."""
    slack.written("C0DEV", "U0ANA", f"worth reading <{slack.base}/page/{name}>")
    async with asyncio.timeout(15):
        while not any(words in shown["text"] for shown in slack.workspace.ephemerals):
            seen = len(slack.workspace.ephemerals)
            slack.command("C0OPS", "U0BEN", f"search {words}")
            await until(lambda seen=seen: len(slack.workspace.ephemerals) > seen)
    return time.monotonic() - slack.served[name]


async def awake(slack: FakeSlack) -> None:
    """Wait until the embedding model is loaded."""
    await answered(slack, "D0BEN", "U0BEN", "what is saved about nothing at all?")


@pytest.mark.bench
async def test_a_link_is_saved_found_and_asked_on(tmp_path: Path) -> None:
    async with fake_slack() as slack, palace_process(slack, tmp_path / "home"):
        await awake(slack)
        slack.pages["flour"] = page(
            "Keeping flour fresh",
            "Whole rye flour keeps for ten days in a paper bag, because the oils of the germ turn rancid in the air.",
            "In the freezer the same flour keeps for three months.",
        )
        slack.pages["oats"] = page(
            "Rolling oats", "Oats are rolled between warm stones for a quarter of an hour at least."
        )
        for name, words in (("oats", "quarter of an hour"), ("flour", "ten days")):
            took = await searchable(slack, name, words)
            print(f"searchable {took:.2f} s after its page was served")
            assert took < 2
        listed = await answered(slack, "C0DEV", "U0BEN", f"{MENTION} what did we save about flour?")
        assert f"<{slack.base}/page/flour|Keeping flour fresh>" in listed

        asked = slack.written("C0DEV", "U0BEN", f"{MENTION} how long does rye flour keep in a paper bag?")
        await until(lambda: bool(slack.workspace.own("C0DEV", asked.ts)) and not asked.reactions, within_s=60)
        (answer,) = slack.workspace.own("C0DEV", asked.ts)
        assert "ten days" in answer.text
        assert answer.text.count("Sources") == 1
        assert "Ana" in answer.text
        follow_up = slack.written("C0DEV", "U0BEN", "and in the freezer?", thread=asked.ts)
        await until(lambda: len(slack.workspace.own("C0DEV", asked.ts)) == 2 and not follow_up.reactions, within_s=60)
        assert "three months" in slack.workspace.own("C0DEV", asked.ts)[1].text
        assert slack.violations == []
        assert max(slack.ack_times) < 1


@pytest.mark.bench
async def test_no_memory_shows_where_it_may_not_over_the_whole_matrix_of_rooms(tmp_path: Path) -> None:
    async with fake_slack() as slack, palace_process(slack, tmp_path / "home"):
        slack.workspace.person("U0GUEST", "Gus", team="T0PARTNER")
        writers = {"D0BEN": "U0BEN"}
        for room in ROOMS:
            slack.pages[room] = page(f"Lamp of {room}", f"The lamp of {room} burns all night on the quiet corner.")
            writer = writers.get(room, "U0ANA")
            shared = slack.written(room, writer, f"<{slack.base}/page/{room}>")
            await until(lambda shared=shared: bool(shared.reactions) or bool(slack.workspace.own(shared.channel)))
        await asyncio.sleep(3)
        for (room, person), expected in READABLE.items():
            text = "/list" if room.startswith("D") else f"{MENTION} /list"
            listed = await answered(slack, room, person, text)
            assert {name for name in ROOMS if f"page/{name}" in listed} == expected, (room, person)
            asked = await answered(slack, room, person, text.replace("/list", "where does the lamp burn all night?"))
            assert {name for name in ROOMS if f"page/{name}" in asked or f"lamp of {name}" in asked} <= expected
        assert slack.violations == []
