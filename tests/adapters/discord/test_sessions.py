"""Sessions that break, repeat and begin anew: one of everything, whatever the gateway does."""

import asyncio
import logging
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.discord.client import PalaceClient
from adapters.outlet import Written
from bot.domain.errors import StorageTrouble
from bot.domain.messages import Message
from bot.ports import Reply
from tests.fakes.core import ScriptedCore, answer, answer_with
from tests.fakes.discord.guild import BOT, VIEW
from tests.fakes.discord.harness import knows_guilds, listening, until
from tests.fakes.discord.rest import Fault
from tests.fakes.discord.server import ANA, BEN, CONTENT, DEV, OPS, SECRET, fake_discord
from tests.fakes.inbox import MemoryInbox

MENTION = f"<@{BOT}>"


@pytest.fixture(autouse=True)
def quick_identify(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library waits five seconds before it identifies again; a test need not."""

    async def at_once(self: PalaceClient, shard_id: int | None, *, initial: bool = False) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(PalaceClient, "before_identify_hook", at_once)


async def test_a_message_dispatched_twice_is_answered_and_saved_once(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Once."))
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.duplicate_every = 1
        discord.says(DEV, ANA, f"{MENTION} how often?")
        shared = discord.says(DEV, BEN, "https://mill.example.org/once")
        used = discord.slash(OPS, ANA, "ask", "how often?", tells=2)
        await until(lambda: bool(shared.reactions) and used.original is not None and len(discord.world.own(DEV)) == 1)
        await asyncio.sleep(0.1)
        assert len(core.received) == 3
        assert [len(discord.world.own(channel)) for channel in (DEV, OPS)] == [1, 1]


async def test_a_resumed_session_misses_and_repeats_nothing(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Here."))
    async with fake_discord() as discord, listening(discord, core, tmp_path) as adapter:
        discord.says(DEV, ANA, "https://mill.example.org/before")
        await until(lambda: len(core.received) == 1)
        await discord.ask_to_reconnect()
        await until(lambda: discord.resumes == 1)
        await discord.drop()
        for number in range(5):
            discord.says(DEV, BEN, f"https://mill.example.org/missed/{number}")
        await until(lambda: len(core.received) == 6)
        assert discord.resumes == 2
        assert len(discord.identifies) == 1
        assert adapter.health().connected
        assert not discord.made("history")


@pytest.mark.parametrize("sessions", [1, 3])
async def test_a_new_session_catches_up_what_was_missed_once(tmp_path: Path, sessions: int) -> None:
    core = ScriptedCore(answer_with("Late, but here."))
    inbox = MemoryInbox()
    async with fake_discord() as discord, listening(discord, core, tmp_path, inbox=inbox) as adapter:
        direct = discord.world.direct(BEN).channel_id
        discord.says(DEV, ANA, "https://mill.example.org/heard")
        discord.says(direct, BEN, "are you there?")
        await until(lambda: len(core.received) == 2 and bool(adapter._client and adapter._client.is_ready()))
        for _ in range(sessions):
            await discord.invalidate()
            missed = [
                discord.says(channel, ANA, f"https://mill.example.org/{channel}/{number}", told=False)
                for channel in (DEV, OPS, SECRET)
                for number in range(8)
            ]
            discord.says(direct, BEN, "and now?", told=False)
            before = len(core.received)
            expected = before + len(missed) + 1
            await until(lambda expected=expected: len(core.received) >= expected, within_s=30)
        await asyncio.sleep(0.2)
        assert len(discord.identifies) == 1 + sessions
        assert len(core.received) == 2 + sessions * 25
        assert max(Counter(message.key for message in core.received).values()) == 1
        await until(lambda: len(discord.world.own(direct)) == 1 + sessions)
        assert discord.syncs == 1
        assert discord.violations == []


async def test_messages_written_while_the_process_was_down_are_caught_up(tmp_path: Path) -> None:
    inbox = MemoryInbox()
    async with fake_discord() as discord:
        first = ScriptedCore()
        async with listening(discord, first, tmp_path, inbox=inbox):
            discord.says(DEV, ANA, "https://mill.example.org/before")
            await until(lambda: len(first.received) == 1)
        discord.says(OPS, BEN, f"{MENTION} are you there?", told=False)
        core = ScriptedCore(answer_with("Now I am."))
        async with listening(discord, core, tmp_path, inbox=inbox):
            await until(lambda: bool(discord.world.own(OPS)))
            await asyncio.sleep(0.1)
            assert [message.text for message in core.received] == ["are you there?"]
            assert discord.syncs == 1


async def test_a_first_start_reads_nothing_that_is_older(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_discord() as discord:
        discord.says(DEV, ANA, "https://mill.example.org/ancient", told=False)
        async with listening(discord, core, tmp_path) as adapter:
            await until(lambda: bool(adapter._client and adapter._client.is_ready()))
            await asyncio.sleep(0.1)
            assert core.received == []
            assert not discord.made("history")


async def test_without_the_content_intent_one_sentence_says_so_and_the_rest_works(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    core = ScriptedCore(answer_with("Here."))
    async with fake_discord() as discord:
        discord.content_granted = False
        async with listening(discord, core, tmp_path) as adapter:
            told = [record.message for record in caplog.records if "Message Content Intent" in record.message]
            assert len(told) == 1
            assert "Message Content Intent" in adapter.health().note
            assert [bool(intents & CONTENT) for intents in discord.identifies] == [True, False]
            discord.says(DEV, BEN, "https://mill.example.org/unseen")
            discord.says(DEV, BEN, "an unseen answer", reply_to=discord.says(DEV, ANA, "quiet", told=False))
            discord.says(DEV, ANA, f"{MENTION} how long does flour keep?")
            direct = discord.world.direct(BEN).channel_id
            discord.says(direct, BEN, "https://mill.example.org/direct")
            used = discord.slash(OPS, BEN, "ask", "and rye?")
            await until(lambda: used.original is not None and bool(discord.world.own(direct)))
            await until(lambda: bool(discord.world.own(DEV)))
            assert len(core.received) == 3
            assert not any(message.watched for message in core.received if message.surface == "message")


async def test_an_edit_whose_words_are_hidden_takes_nothing_back(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Here."))
    async with fake_discord() as discord:
        discord.content_granted = False
        async with listening(discord, core, tmp_path):
            asked = discord.says(DEV, ANA, f"{MENTION} keep https://mill.example.org/flour")
            await until(lambda: len(core.received) == 1)
            discord.rewrites(asked, "keep https://mill.example.org/flour")
            discord.rewrites(asked, f"{MENTION} keep https://mill.example.org/rye")
            await until(lambda: bool(core.edits))
            assert ["rye" in message.text for message in core.edits] == [True]


async def test_an_answer_that_a_restart_cut_goes_on_in_its_own_message(tmp_path: Path) -> None:
    started = asyncio.Event()

    async def hangs(message: Message, reply: Reply) -> None:
        await reply.show("Half of it")
        started.set()
        await asyncio.Event().wait()

    inbox = MemoryInbox()
    async with fake_discord() as discord:
        async with listening(discord, ScriptedCore(hangs), tmp_path, inbox=inbox) as adapter:
            discord.says(DEV, ANA, f"{MENTION} everything?")
            await until(lambda: bool(discord.world.own(DEV)))
            adapter._dispatcher._grace_s = 0.05
        async with listening(discord, ScriptedCore(answer_with("The whole of it.")), tmp_path, inbox=inbox):
            await until(lambda: [one.content for one in discord.world.own(DEV)] == ["The whole of it."])
            await until(lambda: set(inbox.states) == {"done"})


async def test_a_post_whose_reply_was_lost_is_not_doubled(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    core = ScriptedCore(answer_with("Once ", "only.", pause_s=0.2))
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        for fault in (Fault(lost=True), Fault(status=503), Fault(lost=True, done=False)):
            before = len(discord.world.own())
            discord.fail("post", fault)
            discord.fail("edit", Fault(lost=True), Fault(status=503))
            discord.says(DEV, ANA, f"{MENTION} how often?")
            await until(
                lambda before=before: (
                    len(discord.world.own()) == before + 1 and discord.world.own()[-1].content == "Once only."
                ),
                within_s=20,
            )
            discord.faults["edit"].clear()
        assert len(discord.world.own(DEV)) == 3
        assert discord.violations == []


async def test_a_post_under_way_when_the_process_ended_is_taken_up_long_after(tmp_path: Path) -> None:
    inbox = MemoryInbox()
    async with fake_discord() as discord:
        async with listening(discord, ScriptedCore(answer_with("Half", pause_s=5)), tmp_path, inbox=inbox) as adapter:
            discord.says(DEV, ANA, f"{MENTION} everything?")
            await until(lambda: bool(discord.world.own(DEV)))
            adapter._dispatcher._grace_s = 0.05
        (event,) = inbox.events.values()
        pending = Written(pending=f"discord-{event.event_id}-0").written()
        inbox.events[event.event_id] = replace(event, reply_ref=pending)
        discord._nonces.clear()
        async with listening(discord, ScriptedCore(answer_with("The whole.")), tmp_path, inbox=inbox):
            await until(lambda: set(inbox.states) == {"done"})
            assert [one.content for one in discord.world.own(DEV)] == ["The whole."]


async def test_a_disk_that_refuses_for_a_moment_loses_no_message(tmp_path: Path) -> None:
    core, inbox = ScriptedCore(answer_with("Kept.")), MemoryInbox()
    async with fake_discord() as discord, listening(discord, core, tmp_path, inbox=inbox):
        inbox.trouble = [StorageTrouble("The disk is full."), StorageTrouble("The disk is full.")]
        discord.says(DEV, ANA, f"{MENTION} is it kept?")
        await until(lambda: bool(discord.world.own(DEV)))
        assert len(core.received) == 1


async def test_channels_that_may_not_be_read_are_left_out_of_catching_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    core = ScriptedCore()
    async with fake_discord() as discord, listening(discord, core, tmp_path) as adapter:
        discord.says(DEV, ANA, "https://mill.example.org/heard")
        await until(lambda: len(core.received) == 1 and bool(adapter._client and adapter._client.is_ready()))
        discord.world.deny_bot(OPS, VIEW)
        await discord.invalidate()
        discord.says(OPS, ANA, "https://mill.example.org/closed", told=False)
        discord.says(DEV, ANA, "https://mill.example.org/open", told=False)
        await until(lambda: len(core.received) == 2, within_s=20)
        await until(lambda: knows_guilds(adapter, discord))
        assert not [call for call in discord.calls if call.route == "history" and call.status == 403]


async def test_forty_answers_at_once_arrive_whole_and_nobody_is_slowed_down_by_us(tmp_path: Path) -> None:
    words = [f"Word {number} of the answer. " for number in range(15)]

    async def long_answer(message: Message, reply: Reply) -> None:
        for end in range(1, len(words) + 1):
            await reply.show("".join(words[:end]))
            await asyncio.sleep(0.01)
        await reply.finish(answer("".join(words) + message.text))

    core = ScriptedCore(long_answer)
    async with fake_discord() as discord:
        for number in range(10):
            discord.world.channel("700000000000000001", f"78000000000000000{number}", f"room {number}")
        async with listening(discord, core, tmp_path):
            for number in range(40):
                channel = f"78000000000000000{number % 10}"
                discord.says(channel, (ANA, BEN)[number // 20], f"{MENTION} question {number}")
            wanted = {f"question {number}" for number in range(40)}

            def arrived() -> bool:
                texts = [one.content for one in discord.world.own()]
                return {text.rpartition(". ")[2] for text in texts} >= wanted

            await until(arrived, within_s=60)
            assert len(discord.world.own()) == 40
            assert discord.limited == []
            assert discord.violations == []
