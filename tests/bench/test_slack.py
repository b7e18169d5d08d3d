"""How the Slack adapter stands under load: a storm with drops and a kill, a slow model, the pace of its signs."""

import asyncio
import random
import signal
import sqlite3
import statistics
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from bot.domain.messages import Message
from bot.ports import Reply
from tests.fakes.core import ScriptedCore, answer
from tests.fakes.slack.harness import listening, until
from tests.fakes.slack.process import page, palace_process
from tests.fakes.slack.server import FakeSlack, fake_slack

pytestmark = pytest.mark.bench

MENTION = "<@U0BOT>"
CHANNELS = 20
MESSAGES = 200
SECONDS = 10.0


def storm(slack: FakeSlack) -> list[tuple[str, str]]:
    """Return 200 (channel, text): three links to one question."""
    for number in range(CHANNELS):
        slack.workspace.channel(f"C{number:04}", "channel", f"room{number}", ("U0ANA", "U0BEN"))
    messages = []
    for number in range(MESSAGES):
        channel = f"C{number % CHANNELS:04}"
        if number % 4 == 3:
            messages.append((channel, f"{MENTION} what is known about lamp number {number}?"))
        else:
            slack.pages[f"p{number}"] = page(f"Lamp {number}", f"Lamp number {number} burns on corner {number}.")
            messages.append((channel, f"<{slack.base}/page/p{number}>"))
    return messages


async def write_all(slack: FakeSlack, messages: list[tuple[str, str]], *, events: dict[int, object]) -> list:
    posted = []
    started = time.monotonic()
    for number, (channel, text) in enumerate(messages):
        await asyncio.sleep(max(0.0, started + number * SECONDS / len(messages) - time.monotonic()))
        posted.append(slack.written(channel, random.choice(("U0ANA", "U0BEN")), text))
        if number in events:
            await events[number]()
    return posted


async def test_a_storm_with_drops_and_a_kill_loses_and_doubles_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with fake_slack() as slack:
        slack.duplicate_every = 10
        messages = storm(slack)
        async with palace_process(slack, home) as first:
            await asyncio.sleep(6)

            async def kill() -> None:
                first.send_signal(signal.SIGKILL)
                await first.wait()
                await slack.drop_sockets()
                restarted.set()

            restarted = asyncio.Event()
            drops = {50: slack.drop_sockets, 100: kill, 150: slack.drop_sockets}
            writing = asyncio.create_task(write_all(slack, messages, events=drops))
            await restarted.wait()
            async with palace_process(slack, home):
                posted = await writing
                await asyncio.wait_for(slack.delivered(), 60)
                asked = [one for one in posted if MENTION in one.text]
                await until(lambda: all(slack.workspace.own(one.channel, one.ts) for one in asked), within_s=240)
                await until(lambda: unfinished(home) == 0, within_s=240)
        answers = {one.ts: [m.text for m in slack.workspace.own(one.channel, one.ts)] for one in asked}
        links = [text[1:-1] for _, text in messages if MENTION not in text]
        saved, shares = memories(home)
        print(
            f"\n{len(links)} links -> {saved} memories, {shares} shares; {len(asked)} questions -> "
            f"{sum(map(len, answers.values()))} answers; slowest ack {max(slack.ack_times) * 1000:.0f} ms; "
            f"violations {Counter(slack.violations)}; 429s {Counter(slack.limited)}; "
            f"unacknowledged {slack.unacknowledged}"
        )
        assert (saved, shares) == (len(links), len(links))
        assert {ts: len(texts) for ts, texts in answers.items()} == {one.ts: 1 for one in asked}
        assert not [text for texts in answers.values() for text in texts if text.endswith("…")]
        assert slack.violations == []
        assert slack.unacknowledged == []


def unfinished(home: Path) -> int:
    with sqlite3.connect(home / "palace.db") as database:
        return database.execute("select count(*) from events where state in ('waiting', 'working')").fetchone()[0]


def memories(home: Path) -> tuple[int, int]:
    with sqlite3.connect(home / "palace.db") as database:
        count = database.execute("select count(*) from memories").fetchone()[0]
        return count, database.execute("select count(*) from shares").fetchone()[0]


async def test_half_a_minute_of_model_time_holds_up_no_acknowledgement(tmp_path: Path) -> None:
    async def slow(message: Message, reply: Reply) -> None:
        await reply.status("Thinking…")
        await asyncio.sleep(30)
        await reply.finish(answer("After half a minute."))

    core = ScriptedCore(slow)
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        posted = slack.workspace.post("C0DEV", "U0ANA", f"{MENTION} slowly?")
        event = {**posted.event(), "channel": "C0DEV", "channel_type": "channel", "team": "T0TEAM"}
        mention, twin = slack.envelope({**event, "type": "app_mention"}), slack.envelope(event)
        for body in (mention, twin, mention, mention):
            await slack.deliver(body)
            await asyncio.sleep(2)
        await until(lambda: bool(slack.workspace.own()), within_s=40)
        print(f"\nslowest of {len(slack.ack_times)} acknowledgements: {max(slack.ack_times) * 1000:.0f} ms; 1 answer")
        assert max(slack.ack_times) < 1
        assert len(core.received) == 1
        assert len(slack.workspace.own()) == 1


@pytest.mark.parametrize("streams", [True, False])
async def test_first_sign_pace_of_updates_and_last_word(tmp_path: Path, streams: bool) -> None:
    ended: list[float] = []

    async def model(message: Message, reply: Reply) -> None:
        await reply.status("Searching…")
        text = ""
        for number in range(120):
            text += f"word{number} "
            await reply.show(text)
            await asyncio.sleep(0.05)
        ended.append(time.monotonic())
        await reply.finish(answer(text, trace_id="t"))

    async with fake_slack() as slack, listening(slack, ScriptedCore(model), tmp_path, streams=streams):
        signs, lasts, gaps = [], [], []
        for _ in range(3):
            before = len(slack.calls)
            started = time.monotonic()
            asked = slack.written("C0DEV", "U0ANA", f"{MENTION} go")
            await until(lambda: bool(slack.workspace.own("C0DEV", asked.ts)), within_s=20)  # noqa: B023
            await until(lambda: not asked.reactions, within_s=20)  # noqa: B023
            calls = slack.calls[before:]
            visible = {"reactions.add", "assistant.threads.setStatus", "chat.postMessage"}
            signs.append(next(call.at for call in calls if call.method in visible) - started)
            texts = [c.at for c in calls if c.method in {"chat.update", "chat.appendStream", "chat.stopStream"}]
            gaps.extend(later - earlier for earlier, later in pairwise(texts))
            lasts.append(texts[-1] - ended[-1])
        print(
            f"\nnative streams {streams}: first sign {max(signs) * 1000:.0f} ms at worst, "
            f"between updates {statistics.median(gaps):.2f} s (least {min(gaps):.2f}), "
            f"final text {max(lasts):.2f} s after the last word at worst"
        )
        assert max(signs) < 0.3
        assert max(lasts) < (1.0 if streams else 1.3) + 0.15
        assert slack.violations == []


async def test_a_very_long_answer_arrives_whole(tmp_path: Path) -> None:
    links = [f"[source {n}](https://mill.example.org/page/{n}?a=1&b={n})" for n in range(12)]
    table = "| grain | days |\n|---|---|\n" + "\n".join(f"| grain {n} | {n} |" for n in range(30))
    code = "```python\n" + "\n".join(f"bake({n})  # loaf & <{n}>" for n in range(90)) + "\n```"
    nested = "\n".join(f"- step {n}\n  - detail {n}\n    1. fine point {n}" for n in range(40))
    prose = " ".join(f"Sentence {n} refers to {links[n % 12]} in passing." for n in range(120))
    text = f"# All of it\n\n{prose}\n\n{table}\n\n{nested}\n\n{code}\n\nThe very end [1]."
    assert len(text) >= 14_000

    async def model(message: Message, reply: Reply) -> None:
        for end in range(0, len(text), 200):
            await reply.show(text[:end])
            await asyncio.sleep(0.03)
        await reply.finish(answer(text, trace_id="t"))

    for streams in (True, False):
        async with fake_slack() as slack, listening(slack, ScriptedCore(model), tmp_path, streams=streams):
            asked = slack.written("C0DEV", "U0ANA", f"{MENTION} all of it")
            await until(lambda: bool(asked.reactions))  # noqa: B023
            await until(lambda: not asked.reactions, within_s=60)  # noqa: B023
            parts = slack.workspace.own("C0DEV", asked.ts)
            shown = "\n".join(part.text for part in parts)
            print(f"\n{len(text)} characters, native streams {streams}: {len(parts)} messages")
            assert "The very end [1]." in parts[-1].text
            for n in range(90):
                assert shown.count(f"bake({n})  #") == 1
            for n in range(40):
                assert shown.count(f"fine point {n}\n") + shown.count(f"fine point {n} ") == 1 or n == 39
            for n in range(120):
                assert f"Sentence {n} refers to" in shown
            assert all(part.text.count("```") % 2 == 0 for part in parts)
            assert slack.violations == []
