"""Replies into places that are closed, and over Discord's other pitfalls; in fake time."""

import asyncio
import itertools
from pathlib import Path
from types import SimpleNamespace

import discord
import pytest

from adapters.discord.calls import Refused, translated
from adapters.discord.channels import ChannelBudgets, Destination, Own
from adapters.discord.outbound import LIMIT, SAME_NONCE_S, DiscordOutlet
from adapters.outlet import Draft, Lost, MaybeSent, MessageGone, RetryLater, TooLong
from adapters.streaming import EditedReply
from tests.fakes.core import ScriptedCore, answer, answer_with
from tests.fakes.discord.guild import BOT, HISTORY, REACT, SEND, SEND_IN_THREADS, VIEW
from tests.fakes.discord.harness import listening, until
from tests.fakes.discord.rest import Fault
from tests.fakes.discord.server import ANA, BEN, CLEO, DEV, SECRET, FakeDiscord, fake_discord
from tests.fakes.timing import FakeTime

MENTION = f"<@{BOT}>"


def started(discord_: FakeDiscord, parent: str, thread: str, *, private: bool = False):
    made = discord_.world.thread(parent, thread, "A talk", owner=CLEO, private=private)
    discord_.tell("THREAD_CREATE", made.payload())
    return made


async def test_an_archived_thread_is_opened_again(tmp_path: Path) -> None:
    async with fake_discord() as server, listening(server, ScriptedCore(answer_with("Here.")), tmp_path):
        thread = started(server, DEV, "750000000000000001")
        thread.archived = True
        server.says(thread.channel_id, BEN, f"{MENTION} still there?")
        await until(lambda: bool(server.world.own(thread.channel_id)))
        assert not thread.archived
        assert server.world.own(DEV) == []


@pytest.mark.parametrize("what", ["locked", "deleted"])
async def test_a_closed_thread_is_answered_in_its_channel(tmp_path: Path, what: str) -> None:
    async with fake_discord() as server, listening(server, ScriptedCore(answer_with("Here.")), tmp_path):
        thread = started(server, DEV, "750000000000000002")
        server.says(thread.channel_id, BEN, f"{MENTION} still there?")
        if what == "locked":
            thread.locked = thread.archived = True
        else:
            del server.world.channels[thread.channel_id]
        await until(lambda: bool(server.world.own(DEV)))
        (posted,) = server.world.own(DEV)
        assert posted.content.startswith(f"*I could not write in <#{thread.channel_id}>: it is ")
        assert posted.content.endswith("Here.")


async def test_what_was_asked_in_a_private_thread_never_goes_to_its_parent(tmp_path: Path) -> None:
    async with fake_discord() as server, listening(server, ScriptedCore(answer_with("A secret.")), tmp_path):
        thread = started(server, DEV, "750000000000000003", private=True)
        thread.members.add(BEN)
        server.says(thread.channel_id, BEN, f"{MENTION} what is it?")
        thread.locked = True
        direct = server.world.direct(BEN).channel_id
        await until(lambda: bool(server.world.own(direct)))
        assert server.world.own(DEV) == []
        assert "A secret." in server.world.own(direct)[0].content


@pytest.mark.parametrize("missing", [SEND, VIEW])
async def test_without_permission_the_answer_comes_as_a_direct_message(tmp_path: Path, missing: int) -> None:
    async with fake_discord() as server, listening(server, ScriptedCore(answer_with("Ten ", "days.")), tmp_path):
        server.world.deny_bot(SECRET, missing)
        server.says(SECRET, ANA, f"{MENTION} how long?")
        direct = server.world.direct(ANA).channel_id
        await until(lambda: any("Ten days." in one.content for one in server.world.own(direct)))
        (posted,) = server.world.own(direct)
        assert f"<#{SECRET}>" in posted.content


async def test_where_the_history_is_closed_the_answer_stands_there_without_being_a_reply(tmp_path: Path) -> None:
    async with fake_discord() as server, listening(server, ScriptedCore(answer_with("Here.")), tmp_path):
        server.world.deny_bot(DEV, HISTORY)
        server.says(DEV, BEN, f"{MENTION} how long?")
        await until(lambda: bool(server.world.own(DEV)))
        (posted,) = server.world.own(DEV)
        assert (posted.content, posted.reply_to) == ("Here.", "")


async def test_who_takes_no_direct_messages_ends_it_without_a_storm(tmp_path: Path) -> None:
    async with fake_discord() as server, listening(server, ScriptedCore(answer_with("Ten days.")), tmp_path):
        server.world.deny_bot(DEV, SEND | SEND_IN_THREADS)
        server.world.users[BEN]["closed"] = True
        server.says(DEV, BEN, f"{MENTION} how long?")
        await until(lambda: any(call.route == "open_direct" for call in server.calls))
        await asyncio.sleep(0.3)
        assert len([call for call in server.calls if call.status == 403 and call.route != "typing"]) <= 3


async def test_where_no_sign_may_be_put_it_is_not_tried_again_and_again(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_discord() as server, listening(server, core, tmp_path):
        server.world.deny_bot(DEV, REACT)
        for number in range(6):
            server.says(DEV, BEN, f"https://mill.example.org/{number}")
            await until(lambda number=number: len(core.received) == number + 1)
        await asyncio.sleep(0.2)
        # One more may have been on its way while the first was refused.
        assert 1 <= len([call for call in server.calls if call.route == "react"]) <= 2


async def test_a_question_that_was_deleted_is_still_answered(tmp_path: Path) -> None:
    async with fake_discord() as server, listening(server, ScriptedCore(answer_with("Here.")), tmp_path):
        asked = server.says(DEV, BEN, f"{MENTION} how long?")
        del server.world.channels[DEV].messages[asked.message_id]
        await until(lambda: bool(server.world.own(DEV)))
        assert server.world.own(DEV)[0].content == "Here."


async def test_an_answer_that_somebody_deleted_is_posted_again_when_it_is_whole(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Half ", "and half.", pause_s=0.3))
    async with fake_discord() as server, listening(server, core, tmp_path):
        server.says(DEV, BEN, f"{MENTION} how long?")
        await until(lambda: bool(server.world.own(DEV)))
        first = server.world.own(DEV)[0]
        del server.world.channels[DEV].messages[first.message_id]
        await until(lambda: [one.content for one in server.world.own(DEV)] == ["Half and half."])


async def test_a_limit_of_discords_own_is_waited_for(tmp_path: Path) -> None:
    async with fake_discord() as server, listening(server, ScriptedCore(answer_with("Here.")), tmp_path):
        server.fail("post", Fault(status=429, retry_after=0.1))
        server.says(DEV, BEN, f"{MENTION} how long?")
        await until(lambda: bool(server.world.own(DEV)))
        assert len(server.world.own(DEV)) == 1
        assert server.limited == []


async def test_nine_thousand_characters_arrive_whole_in_order_and_at_the_pace(tmp_path: Path) -> None:
    code = "\n".join(f"    loaf_{line} = bake(dough[{line}])" for line in range(150))
    paragraphs = "\n\n".join(f"Paragraph {n} tells about the oven and its stones [1]. " * 3 for n in range(28))
    text = f"{paragraphs}\n\n```python\n{code}\n```\n\nThat was all [2]."
    assert len(text) > 9000
    pieces = [text[at : at + 90] for at in range(0, len(text), 90)]
    core = ScriptedCore(answer_with(*pieces, pause_s=0.003))
    async with fake_discord() as server, listening(server, core, tmp_path):
        server.says(DEV, BEN, f"{MENTION} everything?")
        await until(lambda: any("That was all [2]." in one.content for one in server.world.own(DEV)), within_s=20)
        parts = [one.content for one in server.world.own(DEV)]
        assert all(len(part) <= LIMIT and part.count("```") % 2 == 0 for part in parts)
        shown = "".join("".join(part.replace("```python", "").replace("```", "").split()) for part in parts)
        assert shown == "".join(text.replace("```python", "").replace("```", "").split())
        moments = [call.at for call in server.made("post", "edit")]
        # The pace here is 0.12; a busy machine stamps calls late.
        assert min(later - earlier for earlier, later in itertools.pairwise(moments)) > 0.08
        assert (server.limited, server.violations) == ([], [])


class ScriptedCalls:
    """The API as a list of what it does next."""

    def __init__(self, *steps: object) -> None:
        self.steps = list(steps)
        self.made: list[tuple[str, str, dict]] = []

    async def __call__(self, method: str, path: str, **more):
        self.made.append((method, path, more))
        step = self.steps.pop(0) if self.steps else {"id": "5", "content": (more.get("json") or {}).get("content")}
        if isinstance(step, Exception):
            raise step
        return step


def outlet(calls: ScriptedCalls, time: FakeTime) -> DiscordOutlet:
    destination = Destination(channel="1", question="2", person="3")
    return DiscordOutlet(calls, destination, ChannelBudgets(time.timing), Own())


async def test_a_repeat_after_the_nonce_is_forgotten_is_not_risked() -> None:
    time, calls = FakeTime(), ScriptedCalls(Lost("x"), Lost("x"))
    draft = Draft(markdown="text", stage="final", key="discord-1-0")
    target = outlet(calls, time)
    with pytest.raises(RetryLater):
        await target.post(draft)
    time.moment += SAME_NONCE_S + 1
    with pytest.raises(MaybeSent):
        await target.post(draft)
    nonces = {more["json"]["nonce"] for _, _, more in calls.made}
    assert len(nonces) == 1
    assert len(nonces.pop()) <= 25


async def test_a_post_that_had_arrived_with_older_words_is_brought_up_to_date() -> None:
    calls = ScriptedCalls({"id": "7", "content": "older"})
    reference = await outlet(calls, FakeTime()).post(Draft(markdown="newer", stage="final", key="k-0"))
    assert reference == "1/7"
    assert [(method, more["json"]["content"]) for method, _, more in calls.made] == [
        ("POST", "newer"),
        ("PATCH", "newer"),
    ]


async def test_a_lost_post_is_found_by_what_the_gateway_told() -> None:
    own, calls, time = Own(), ScriptedCalls(Lost("x")), FakeTime()
    target = DiscordOutlet(calls, Destination(channel="1", question="2"), ChannelBudgets(time.timing), own)
    with pytest.raises(RetryLater):
        await target.post(Draft(markdown="text", stage="final", key="k-0"))
    own.add(calls.made[0][2]["json"]["nonce"], "1/9")
    assert await target.find("k-0") == "1/9"


async def test_a_closed_place_with_a_long_answer_still_fits() -> None:
    calls = ScriptedCalls(Refused(50013), {"id": "99"})
    time = FakeTime()
    reply = EditedReply(outlet(calls, time), key="k", timing=time.timing)
    task = asyncio.ensure_future(reply.finish(answer("word " * 398)))
    for _ in range(100):
        await time.pass_time(0.5)
    await task
    sent = [more["json"]["content"] for method, path, more in calls.made if path.endswith("/messages")]
    assert all(len(content) <= LIMIT for content in sent)
    assert "".join(sent[1:]).count("word") == 398


@pytest.mark.parametrize(
    ("status", "code", "text", "expected"),
    [
        (404, 10008, "Unknown Message", MessageGone),
        (403, 50013, "Missing Permissions", Refused),
        (400, 50035, "In content: Must be 2000 or fewer in length.", TooLong),
        (400, 50035, "In components: wrong", Refused),
        (400, 30046, "Maximum number of edits", RetryLater),
        (503, 0, "", Lost),
        (429, 0, "", RetryLater),
    ],
)
def test_errors_have_our_words(status: int, code: int, text: str, expected: type[Exception]) -> None:
    response = SimpleNamespace(status=status, reason="", headers={"Retry-After": "2.5"})
    error = discord.HTTPException(response, {"code": code, "message": text})
    found = translated(error)
    assert type(found) is expected
    if status == 429:
        assert found.seconds == 2.5
