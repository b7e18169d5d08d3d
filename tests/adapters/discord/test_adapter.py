"""The adapter through the real discord.py, over a strict stand-in on loopback: what people write."""

import asyncio
from pathlib import Path

import pytest

from bot.domain.errors import BadInput
from bot.domain.messages import Message
from bot.domain.replies import Notice
from bot.domain.rooms import Scope
from bot.ports import Reply
from tests.fakes.core import ScriptedCore, answer, answer_with
from tests.fakes.discord.guild import BOT, HISTORY
from tests.fakes.discord.harness import MemoryRooms, listening, until
from tests.fakes.discord.rest import Fault
from tests.fakes.discord.server import (
    ANA,
    BEN,
    CLEO,
    DEV,
    FORUM_ID,
    HOME,
    OPS,
    OTHER,
    SECRET,
    STAFF,
    FakeDiscord,
    fake_discord,
)

MENTION = f"<@{BOT}>"


def contents(path: str) -> bytes:
    return Path(path).read_bytes()


def settled(discord: FakeDiscord, channel: str, count: int = 1) -> bool:
    """Whether so many answers stand in their last form: without a stop button."""
    own = discord.world.own(channel)
    return len(own) >= count and not any("palace:stop" in str(one.components) for one in own)


async def test_a_mention_gives_one_answer_beside_it(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Flour ", "keeps ", "ten days [1].", trace_id="t1", pause_s=0.05))
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        asked = discord.says(DEV, ANA, f"{MENTION} how long does flour keep?")
        await until(lambda: "palace:why" in str([one.components for one in discord.world.own(DEV)]))
        (posted,) = discord.world.own(DEV)
        assert posted.content == "Flour keeps ten days [1]."
        assert posted.reply_to == asked.message_id
        assert [one["label"] for one in posted.components[0]["components"]] == ["Good answer", "Bad answer", "Why?"]
        (message,) = core.received
        assert (message.text, message.author.name, message.room.kind) == ("how long does flour keep?", "Ana", "public")
        assert message.room.name == "dev"
        assert message.administrator
        assert discord.made("typing")
        assert (discord.violations, discord.limited) == ([], [])


async def test_a_link_in_a_channel_is_saved_with_a_sign_only(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        shared = discord.says(DEV, BEN, "look: [the mill](https://mill.example.org/a)")
        discord.says(DEV, BEN, "chatter about nothing")
        await until(lambda: bool(shared.reactions))
        (message,) = core.received
        assert [(link.url, link.label) for link in message.links] == [("https://mill.example.org/a", "the mill")]
        assert shared.reactions == {("💾", BOT)}
        assert not message.addressed
        assert message.watched
        assert discord.world.own() == []
        assert (discord.violations, discord.limited) == ([], [])


async def test_a_reply_to_the_bot_a_direct_message_and_its_own_thread_need_no_mention(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Yes."))
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.says(DEV, ANA, f"{MENTION} first?")
        await until(lambda: settled(discord, DEV))
        discord.says(DEV, BEN, "and the second?", reply_to=discord.world.own(DEV)[0], ping=False)
        direct = discord.world.direct(BEN).channel_id
        discord.says(direct, BEN, "and here?")
        await until(lambda: settled(discord, DEV, 2) and settled(discord, direct))
        assert [message.replying_to_bot for message in core.received] == [False, True, False]
        assert all(message.addressed for message in core.received)
        own = discord.world.thread(DEV, "740000000000000001", "Flour", owner=BOT)
        discord.tell("THREAD_CREATE", own.payload())
        others = discord.world.thread(DEV, "740000000000000002", "Chat", owner=CLEO)
        discord.tell("THREAD_CREATE", others.payload())
        discord.says(others.channel_id, CLEO, "not for the bot")
        discord.says(own.channel_id, CLEO, "and in the thread?")
        discord.says(own.channel_id, CLEO, f"what do you say, <@{ANA}>?")
        await until(lambda: settled(discord, own.channel_id))
        assert [message.text for message in core.received][3:] == ["and in the thread?"]
        assert core.received[3].room.key == core.received[0].room.key
        assert core.received[3].room.thread == own.channel_id
        assert discord.violations == []


async def test_every_kind_of_channel_is_the_room_that_it_is(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        hidden = discord.world.thread(DEV, "740000000000000003", "Closed circle", owner=CLEO, private=True)
        inside = discord.world.thread(SECRET, "740000000000000004", "Inside", owner=ANA)
        post = discord.world.thread(FORUM_ID, "740000000000000005", "Which flour for rye?", owner=BEN)
        for thread in (hidden, inside, post):
            discord.tell("THREAD_CREATE", thread.payload())
        without_past = discord.world.channels[OPS]
        without_past.overwrites = [{"id": HOME, "type": 0, "allow": "0", "deny": str(HISTORY)}]
        discord.tell("CHANNEL_UPDATE", without_past.payload())
        rooms = (DEV, SECRET, STAFF, hidden.channel_id, inside.channel_id, post.channel_id, OPS)
        for room in rooms:
            discord.says(room, ANA, f"https://mill.example.org/{room}")
        await until(lambda: len(core.received) == len(rooms))
        kinds = {message.links[0].url.rpartition("/")[2]: message.room for message in core.received}
        assert [kinds[room].kind for room in rooms] == ["public", *["private"] * 4, "public", "private"]
        assert kinds[hidden.channel_id].channel == hidden.channel_id
        assert kinds[inside.channel_id].key == kinds[SECRET].key
        assert kinds[post.channel_id].name == "Which flour for rye?"
        assert kinds[post.channel_id].channel == FORUM_ID


async def test_the_first_message_of_a_forum_post_carries_its_title(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        post = discord.world.thread(FORUM_ID, "740000000000000006", "Which flour for rye?", owner=BEN)
        discord.tell("THREAD_CREATE", post.payload())
        first = discord.says(post.channel_id, BEN, "I bake at night")
        first.message_id = post.channel_id
        post.messages = {post.channel_id: first}
        used = discord.menu(first, ANA)
        await until(lambda: used.answer == 5 and len(core.received) == 1)
        assert core.received[0].text == "Which flour for rye?\nI bake at night"


async def test_a_direct_chat_comes_with_the_memberships_that_guilds_confirm(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Here."))
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        for person in (ANA, BEN):
            discord.says(discord.world.direct(person).channel_id, person, "what do I have?")
        await until(lambda: len(core.received) == 2)
        allowed = {message.author.person_id: set(message.memberships) for message in core.received}
        everyone = {Scope(kind="space", key=f"discord/{HOME}")}
        assert allowed[BEN] == everyone
        assert allowed[ANA] == everyone | {
            Scope(kind="space", key=f"discord/{OTHER}"),
            Scope(kind="room", key=f"discord/{HOME}/{SECRET}"),
            Scope(kind="room", key=f"discord/{HOME}/{STAFF}"),
        }
        assert all(message.room.kind == "direct" for message in core.received)


async def test_no_membership_is_believed_when_discord_does_not_tell(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Here."))
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.fail("member", Fault(status=503), Fault(status=503))
        discord.says(discord.world.direct(ANA).channel_id, ANA, "what do I have?")
        await until(lambda: len(core.received) == 1)
        assert core.received[0].memberships == ()


async def test_edits_and_deletes_are_followed_previews_are_not(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        first = discord.says(DEV, BEN, "https://mill.example.org/a")
        second = discord.says(DEV, BEN, "https://mill.example.org/b")
        third = discord.says(DEV, BEN, "https://mill.example.org/c")
        await until(lambda: len(core.received) == 3)
        discord.unfolds(first, url="https://mill.example.org/a", title="The mill")
        discord.rewrites(first, "https://mill.example.org/better")
        await until(lambda: len(core.edits) == 1)
        assert core.edits[0].links[0].url == "https://mill.example.org/better"
        assert core.edits[0].key == core.received[0].key
        discord.removes(first)
        discord.removes(second, third)
        await until(lambda: len(core.deletes) == 3)
        assert {message_id for _, message_id in core.deletes} == {one.message_id for one in (first, second, third)}
        assert {room.key for room, _ in core.deletes} == {core.received[0].room.key}
        assert len(core.edits) == 1


async def test_what_is_deleted_while_it_is_saved_is_forgotten_after_that(tmp_path: Path) -> None:
    done: list[str] = []

    async def slowly(message: Message, reply: Reply) -> None:
        await asyncio.sleep(0.2)
        done.append(message.message_id)
        await reply.say(Notice(text="Saved."))

    core = ScriptedCore(slowly)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        said = [discord.says(DEV, BEN, f"{MENTION} save https://mill.example.org/{number}") for number in range(2)]
        said.append(discord.says(DEV, BEN, "https://mill.example.org/watched"))
        await until(lambda: len(core.received) == 2)
        core.deletes = Watched(done)
        discord.removes(*said)
        await until(lambda: len(core.deletes) == 3)
        assert core.deletes.early == []


class Watched(list):
    """Deletes, and which of them came before their message was done."""

    def __init__(self, done: list[str]) -> None:
        super().__init__()
        self.early: list[str] = []
        self._done = done

    def append(self, deleted) -> None:
        super().append(deleted)
        self.early += [deleted[1]] if deleted[1] not in self._done else []


async def test_a_forward_keeps_the_words_and_where_they_come_from(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.pages["bill.txt"] = b"three sacks of rye"
        file = {"id": "751", "filename": "bill.txt", "size": 18, "url": f"{discord.base}/files/bill.txt"}
        file |= {"content_type": "text/plain", "proxy_url": ""}
        direct = discord.world.direct(ANA).channel_id
        discord.forwards(direct, ANA, "the mill opens at nine: https://mill.example.org/hours", attachments=[file])
        await until(lambda: len(core.received) == 1)
        (message,) = core.received
        assert message.text == "the mill opens at nine: https://mill.example.org/hours"
        assert message.links[0].url == "https://mill.example.org/hours"
        assert message.origin is not None
        assert "/channels/" in message.origin.url
        (attachment,) = message.attachments
        assert contents(attachment.path) == b"three sacks of rye"
        discord.forwards(DEV, BEN, "a talk: https://mill.example.org/talk")
        await until(lambda: len(core.received) == 2)
        assert not core.received[1].addressed


async def test_files_are_taken_from_discords_own_hosts_only(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        bad = ("http://cdn.discordapp.com/x", "https://cdn.discordapp.com.evil.example/x", "file:///etc/hostname")
        files = [
            {"id": f"76{n}", "filename": "x.txt", "size": 3, "url": url, "proxy_url": ""} for n, url in enumerate(bad)
        ]
        files.append(
            {"id": "769", "filename": "y", "size": 30_000_000, "url": f"{discord.base}/files/y", "proxy_url": ""}
        )
        discord.says(DEV, ANA, f"{MENTION} save these", attachments=files)
        await until(lambda: len(core.received) == 1)
        assert [attachment.path for attachment in core.received[0].attachments] == ["", "", "", ""]


async def test_of_a_watched_channel_documents_are_kept_and_pictures_are_not(tmp_path: Path) -> None:
    core, rooms = ScriptedCore(), MemoryRooms()
    async with fake_discord() as discord, listening(discord, core, tmp_path, rooms=rooms):
        discord.pages["plan"] = b"%PDF three sacks of rye"
        files = [
            {"id": f"76{n}", "filename": name, "size": 30, "url": f"{discord.base}/page/plan", "proxy_url": ""}
            for n, name in enumerate(("cat.png", "plan.pdf", "server.log"))
        ]
        discord.says(DEV, ANA, "", attachments=files[:1])
        discord.says(DEV, ANA, "the plan", attachments=files)
        await until(lambda: len(core.received) == 1)
        (plan,) = core.received[0].attachments
        assert (plan.name, contents(plan.path)) == ("plan.pdf", b"%PDF three sacks of rye")
        assert not core.received[0].addressed
        await rooms.set(core.received[0].room.key, "watch", "off")
        discord.says(DEV, ANA, "", attachments=files)
        await until(lambda: len(core.received) == 2)
        assert core.received[1].attachments == ()
        assert discord.served == ["plan"]


async def test_the_reaction_saves_and_taking_it_back_undoes(tmp_path: Path) -> None:
    async def receive(message: Message, reply: Reply) -> None:
        await reply.say(Notice(text="Saved", kind="receipt"))

    core = ScriptedCore(receive)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        old = discord.says(DEV, BEN, "an old one https://mill.example.org/old", told=False)
        discord.reacts(old, CLEO, "👍")
        discord.reacts(old, CLEO)
        discord.reacts(old, CLEO)
        await until(lambda: ("🧠", BOT) in old.reactions)
        (message,) = core.received
        assert (message.surface, message.author.name, message.links[0].url) == (
            "reaction",
            "Cleo",
            "https://mill.example.org/old",
        )
        assert message.origin is not None
        assert message.origin.name == "Ben"
        discord.reacts(old, CLEO, away=True)
        await until(lambda: bool(core.deletes) and ("🧠", BOT) not in old.reactions)
        assert [(room.key, source) for room, source in core.deletes] == [(message.room.key, message.message_id)]
        discord.reacts(old, CLEO)
        await until(lambda: len(core.received) == 2)
        assert discord.world.own() == []


async def test_a_press_on_stop_or_the_word_ends_the_answer_at_once(tmp_path: Path) -> None:
    async def long_answer(message: Message, reply: Reply) -> None:
        text = "Word"
        for _ in range(400):
            if reply.stopped:
                break
            text += " word"
            await reply.show(text)
            await asyncio.sleep(0.01)
        await reply.finish(answer(text, stopped=reply.stopped))

    core = ScriptedCore(long_answer)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.says(DEV, ANA, f"{MENTION} tell me everything")
        await until(lambda: bool(discord.world.own(DEV)))
        (posted,) = discord.world.own(DEV)
        pressed = discord.presses(posted, ANA, "stop")
        await until(lambda: "Stopped." in posted.content)
        assert pressed.answer == 6
        assert posted.content.count("word") < 300
        discord.says(OPS, ANA, f"{MENTION} again")
        await until(lambda: bool(discord.world.own(OPS)))
        discord.says(OPS, BEN, "stop")
        discord.says(OPS, ANA, "stop")
        await until(lambda: "Stopped." in discord.world.own(OPS)[0].content)
        assert len(core.received) == 2
        assert discord.violations == []


async def test_a_wish_to_stop_with_nothing_under_way_is_answered(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.says(DEV, ANA, f"{MENTION} stop")
        await until(lambda: bool(discord.world.own(DEV)))
        assert discord.world.own(DEV)[0].content == "There is no answer under way to stop."
        discord.says(OPS, ANA, "stop")
        await asyncio.sleep(0.1)
        assert (core.received, discord.world.own(OPS)) == ([], [])


async def test_who_has_to_wait_sees_the_place_in_line_and_then_the_answer_in_the_same_message(tmp_path: Path) -> None:
    free = asyncio.Event()

    async def when_free(message: Message, reply: Reply) -> None:
        if reply.stopped:
            await reply.finish(answer("", stopped=True))
            return
        await reply.status("Searching")
        await free.wait()
        await reply.show(f"So far {message.text}")
        await reply.finish(answer(f"Answer to {message.text}"))

    core = ScriptedCore(when_free)
    channels = [f"78000000000000000{number}" for number in range(7)]
    async with fake_discord() as discord:
        for channel in channels:
            discord.world.channel(HOME, channel, "room")
        async with listening(discord, core, tmp_path):
            for channel in channels:
                asked = discord.says(channel, ANA, f"{MENTION} question {channel}")
                await until(lambda asked=asked: thinks_about(discord, asked.channel))
            await until(lambda: all(discord.world.own(channel) for channel in channels[4:]))
            shown = [discord.world.own(channel)[0].content for channel in channels[4:]]
            assert shown == ["*Waiting: next in line…*", "*Waiting: place 2 in line…*", "*Waiting: place 3 in line…*"]
            assert not any(discord.world.own(channel) for channel in channels[:4])
            (tired,) = discord.world.own(channels[6])
            discord.presses(tired, ANA, "stop")
            await until(lambda: tired.content == "*Stopped.*")
            free.set()
            await until(lambda: all(settled(discord, channel) for channel in channels))
        answers = [[one.content for one in discord.world.own(channel)] for channel in channels]
        assert answers == [*([f"Answer to question {channel}"] for channel in channels[:6]), ["*Stopped.*"]]
        assert (discord.violations, discord.limited) == ([], [])


def thinks_about(discord: FakeDiscord, channel: str) -> bool:
    return any(call.ids["channel"] == channel for call in discord.made("typing"))


async def test_where_a_room_wishes_so_each_answer_gets_its_own_thread(tmp_path: Path) -> None:
    core, rooms = ScriptedCore(answer_with("In the thread.")), MemoryRooms()
    async with fake_discord() as discord, listening(discord, core, tmp_path, rooms=rooms):
        refused = discord.slash(DEV, BEN, "threads", "on")
        await until(lambda: bool(refused.answer))
        assert "Only somebody who runs this server" in refused.data["content"]
        discord.slash(DEV, ANA, "threads", "on")
        await until(lambda: bool(rooms.values))
        asked = discord.says(DEV, BEN, f"{MENTION} how long does flour keep?")
        await until(lambda: asked.message_id in discord.world.channels and settled(discord, asked.message_id))
        thread = discord.world.channels[asked.message_id]
        assert thread.name == "how long does flour keep?"
        assert discord.world.own(DEV) == []
        discord.says(thread.channel_id, BEN, "and in the freezer?")
        await until(lambda: settled(discord, thread.channel_id, 2))
        assert {message.room.thread_key for message in core.received} == {f"discord/{HOME}/{DEV}#{thread.channel_id}"}


async def test_a_refused_token_is_told_in_one_sentence(tmp_path: Path) -> None:
    async with fake_discord() as discord:
        with pytest.raises(BadInput, match="DISCORD_BOT_TOKEN"):
            async with listening(discord, ScriptedCore(), tmp_path, token="wrong"):
                pass
