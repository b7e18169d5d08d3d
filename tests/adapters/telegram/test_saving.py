"""What people forward, send and share, through the real aiogram, with a scripted core."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from adapters.telegram.groups import sees_little
from adapters.telegram.inbound import Me
from bot.domain.messages import Message
from bot.domain.replies import Button, Notice
from bot.ports import Reply
from tests.fakes.core import ScriptedCore, answer
from tests.fakes.inbox import MemoryInbox
from tests.fakes.telegram.harness import Hurried, listening, until
from tests.fakes.telegram.server import DATE, FakeTelegram, fake_telegram

ANA, BEN = 11, 12
CLUB = -1001
PERSON = {
    "type": "user",
    "date": DATE - 60,
    "sender_user": {"id": 99, "is_bot": False, "first_name": "Cleo", "last_name": "K"},
}
HIDDEN = {"type": "hidden_user", "date": DATE - 60, "sender_user_name": "Somebody"}
CHAT = {"type": "chat", "date": DATE - 60, "sender_chat": {"id": -5, "type": "supergroup", "title": "Bakers"}}
POST = {
    "type": "channel",
    "date": DATE - 60,
    "chat": {"id": -100555, "type": "channel", "title": "Mill news"},
    "message_id": 8,
    "author_signature": "Dora",
}
PHOTO = [
    {"file_id": "small", "file_unique_id": "s", "width": 9, "height": 9},
    {"file_id": "p1", "file_unique_id": "u1", "width": 90, "height": 90},
]


def contents(path: Path) -> bytes:
    return path.read_bytes()


async def keeping(message: Message, reply: Reply) -> None:
    """Do as the real core does with what is saved, and answer the rest."""
    if not message.addressed:
        if message.links:
            await reply.mark("saved")
    elif message.text.startswith("/status"):
        await reply.say(Notice(text="12 memories"))
    elif message.links or message.attachments or message.origin or message.text.startswith("save"):
        undo = Button(name="undo", target=f"code{message.message_id}", label="Undo")
        await reply.say(Notice(text=f"Saved {message.message_id}", kind="receipt", buttons=(undo,)))
    else:
        await reply.finish(answer(f"You asked: {message.text}"))


@asynccontextmanager
async def club(home: Path) -> AsyncIterator[tuple[FakeTelegram, ScriptedCore]]:
    core, hurried = ScriptedCore(keeping), Hurried()
    async with fake_telegram(hurried.now) as telegram, listening(telegram, core, home, timing=hurried.timing):
        telegram.group(CLUB, "Garden club", ANA, BEN, topics=(4,))
        yield telegram, core
        assert telegram.violations == []


@pytest.mark.parametrize(
    ("origin", "kind", "name", "url"),
    [
        (PERSON, "person", "Cleo K", ""),
        (HIDDEN, "hidden", "Somebody", ""),
        (CHAT, "room", "Bakers", ""),
        (POST, "channel", "Mill news (Dora)", "https://t.me/c/555/8"),
    ],
)
async def test_a_forward_keeps_who_wrote_it_apart_from_who_saves_it(
    tmp_path: Path, origin: dict[str, Any], kind: str, name: str, url: str
) -> None:
    async with club(tmp_path) as (telegram, core):
        telegram.say(ANA, ANA, "Rye https://mill.example/rye", forward_origin=origin)
        await until(lambda: telegram.own(ANA))
        (message,) = core.received
        assert message.origin is not None
        assert (message.origin.kind, message.origin.name, message.origin.url) == (kind, name, url)
        assert message.author.name == f"Person{ANA}"
        assert [link.url for link in message.links] == ["https://mill.example/rye"]


async def test_a_comment_before_forwards_is_the_note_of_each_and_one_receipt_tells_of_all(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        telegram.say(ANA, ANA, "for the class")
        for number in range(3):
            telegram.say(ANA, ANA, f"https://mill.example/{number}", forward_origin=POST)
        await until(lambda: telegram.own(ANA))
        assert {message.comment for message in core.received} == {"for the class"}
        assert len(core.received) == 3
        (receipt,) = telegram.own(ANA)
        assert receipt["text"] == "1. Saved 2\n2. Saved 3\n3. Saved 4"
        keys = [key for row in receipt["reply_markup"]["inline_keyboard"] for key in row]
        assert [key["text"] for key in keys] == ["Undo 1", "Undo 2", "Undo 3"]


async def test_a_comment_after_a_forward_is_its_note_too(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        telegram.say(ANA, ANA, "A thought without a link", forward_origin=HIDDEN)
        telegram.say(ANA, ANA, "who said this?")
        await until(lambda: telegram.own(ANA))
        (message,) = core.received
        assert (message.text, message.comment) == ("A thought without a link", "who said this?")


async def test_a_forwarded_album_with_a_comment_is_noted_on_what_has_words_of_its_own(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        album = {"photo": PHOTO, "media_group_id": "78", "forward_origin": POST}
        telegram.say(ANA, ANA, "our shelves")
        telegram.say(ANA, ANA, caption="Shelf https://shelf.example/1", **album)
        telegram.say(ANA, ANA, **album)
        await until(lambda: telegram.own(ANA))
        (message,) = core.received
        assert (message.comment, message.links[0].url) == ("our shelves", "https://shelf.example/1")
        assert len(telegram.own(ANA)) == 1


async def test_words_long_before_a_forward_are_a_question_of_their_own(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, _):
        telegram.say(ANA, ANA, "what is rye?", date=DATE - 30)
        telegram.say(ANA, ANA, "https://mill.example/1", forward_origin=POST)
        await until(lambda: len(telegram.own(ANA)) == 2)
        assert sorted(message["text"] for message in telegram.own(ANA)) == ["Saved 2", "You asked: what is rye?"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
@pytest.mark.parametrize("mention", ["", "@palace_bot "])
async def test_an_album_is_one_message_with_the_links_of_each_caption(
    tmp_path: Path, order: tuple[int, ...], mention: str
) -> None:
    async with club(tmp_path) as (telegram, core):
        album = {"photo": PHOTO, "media_group_id": "77"}
        parts = [
            telegram.message(CLUB, ANA, caption="Shelf one https://shelf.example/1", **album),
            telegram.message(CLUB, ANA, **album),
            telegram.message(CLUB, ANA, caption=f"{mention}shelf three: https://shelf.example/3", **album),
        ]
        for place in order:
            telegram.update(message=parts[place])
        await until(lambda: telegram.own(CLUB) or telegram.reactions)
        shared = sorted((message.links[0].url, message.text) for message in core.received)
        assert shared == [
            ("https://shelf.example/1", "Shelf one https://shelf.example/1"),
            ("https://shelf.example/3", "shelf three: https://shelf.example/3"),
        ]
        assert {message.addressed for message in core.received} == {bool(mention)}
        assert (len(telegram.own(CLUB)), len(telegram.reactions)) == ((1, 0) if mention else (0, 1))


async def test_a_document_is_fetched_and_a_voice_note_kept_by_its_caption(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        telegram.files["d1"] = b"Rye flour keeps ten days."
        document = {"file_id": "d1", "file_unique_id": "ud", "file_name": "../../rye.txt", "mime_type": "text/plain"}
        telegram.say(ANA, ANA, document=document, caption="my notes #rye")
        await until(lambda: telegram.own(ANA))
        voice = {"file_id": "v1", "file_unique_id": "uv", "duration": 3, "mime_type": "audio/ogg"}
        telegram.say(ANA, ANA, voice=voice, caption="the tune")
        await until(lambda: len(telegram.own(ANA)) == 2)
        (file,), (tune,) = (message.attachments for message in core.received)
        path = Path(file.path)
        assert contents(path) == b"Rye flour keeps ten days."
        assert path.is_relative_to(tmp_path / "files" / "telegram")
        assert (file.media_type, file.caption) == ("text/plain", "my notes #rye")
        assert (tune.media_type, tune.caption, tune.path) == ("audio/ogg", "the tune", "")


async def test_a_file_that_is_too_large_is_kept_without_a_copy(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        document = {"file_id": "d1", "file_unique_id": "ud", "file_name": "all.zip", "file_size": 21_000_000}
        telegram.say(ANA, ANA, document=document, caption="everything")
        await until(lambda: telegram.own(ANA))
        assert core.received[0].attachments[0].path == ""
        assert telegram.made("getFile") == []


async def test_a_watched_link_in_a_group_gets_a_reaction_and_no_words(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        telegram.say(CLUB, BEN, "chatter about nothing")
        shared = telegram.say(CLUB, BEN, "🌱 look https://mill.example/rye")
        await until(lambda: telegram.reactions)
        assert telegram.reactions == {(CLUB, shared["message_id"]): "✍"}
        assert telegram.own(CLUB) == []
        (message,) = core.received
        assert (message.addressed, message.room.kind, message.room.name) == (False, "private", "Garden club")


async def test_of_a_watched_group_documents_are_kept_and_pictures_are_not(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        telegram.files["d1"] = b"%PDF three sacks of rye"
        plan = {"file_id": "d1", "file_unique_id": "ud", "file_name": "plan.pdf", "mime_type": "application/pdf"}
        photo = [{"file_id": "p", "file_unique_id": "up", "width": 1, "height": 1}]
        telegram.say(CLUB, BEN, photo=photo, caption="my cat")
        telegram.say(CLUB, BEN, document=plan | {"file_name": "cat.zip", "mime_type": "application/zip"})
        telegram.say(CLUB, BEN, document=plan, caption="the plan")
        await until(lambda: core.received)
        await asyncio.sleep(0.1)
        (message,) = core.received
        assert contents(Path(message.attachments[0].path)) == b"%PDF three sacks of rye"
        assert (message.addressed, message.attachments[0].caption) == (False, "the plan")


async def test_a_group_without_reactions_is_saved_from_in_silence(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        telegram.chats[CLUB]["no_reactions"] = True
        telegram.say(CLUB, BEN, "https://mill.example/rye")
        await until(lambda: telegram.made("setMessageReaction"))
        assert len(core.received) == 1
        assert telegram.own(CLUB) == []


async def test_an_edit_is_followed(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        shared = telegram.say(CLUB, BEN, "https://mill.example/rye")
        edited = {**shared, "text": "nothing", "entities": [], "edit_date": DATE + 5}
        telegram.update(edited_message=edited)
        await until(lambda: core.edits)
        assert (core.edits[0].key, core.edits[0].links) == (core.received[0].key, ())


async def test_a_channel_post_is_watched_as_a_private_room(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        telegram.chats[-100555] = {"id": -100555, "type": "channel", "title": "Mill news"}
        post = telegram.message(-100555, 0, "https://mill.example/rye")
        del post["from"]
        telegram.update(channel_post={**post, "sender_chat": telegram.chats[-100555]})
        await until(lambda: telegram.reactions)
        (message,) = core.received
        assert (message.room.kind, message.author.name) == ("private", "Mill news")
        assert message.permalink == f"https://t.me/c/555/{post['message_id']}"


async def test_a_reply_of_save_or_forget_carries_the_message_it_is_about(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        shared = telegram.message(CLUB, BEN, "https://mill.example/rye")
        telegram.say(CLUB, ANA, "/save", reply_to_message=shared)
        await until(lambda: core.received)
        (message,) = core.received
        assert message.replied is not None
        assert message.replied.key == f"telegram//{CLUB}/{shared['message_id']}"
        assert message.replied.author.name == f"Person{BEN}"


async def test_a_quote_from_elsewhere_can_be_saved_with_its_origin(tmp_path: Path) -> None:
    async with club(tmp_path) as (telegram, core):
        quote = {
            "text": "see https://mill.example/q",
            "position": 0,
            "entities": [{"type": "url", "offset": 4, "length": 22}],
        }
        telegram.say(ANA, ANA, "/save", external_reply={"origin": POST}, quote=quote)
        await until(lambda: core.received)
        replied = core.received[0].replied
        assert replied is not None
        assert replied.origin is not None
        assert (replied.links[0].url, replied.origin.name) == ("https://mill.example/q", "Mill news (Dora)")


async def test_the_bot_greets_a_group_once_and_says_what_privacy_mode_hides(tmp_path: Path) -> None:
    hurried = Hurried()
    async with fake_telegram(hurried.now) as telegram:
        telegram.privacy = True
        async with listening(telegram, ScriptedCore(keeping), tmp_path, timing=hurried.timing) as adapter:
            telegram.group(CLUB, "Garden club", ANA)
            me = {"id": 123456, "is_bot": True, "first_name": "Palace"}
            change = {
                "chat": telegram.chat(CLUB),
                "from": telegram.user(ANA),
                "date": DATE,
                "old_chat_member": {"user": me, "status": "left"},
                "new_chat_member": {"user": me, "status": "member"},
            }
            for _ in range(2):
                telegram.update(my_chat_member=change)
            await until(lambda: telegram.own(CLUB) and not telegram.pending)
            (greeting,) = telegram.own(CLUB)
            assert "/ask" in greeting["text"]
            assert "@BotFather" in greeting["text"].replace("\u2060", "")
            assert adapter.health().note == sees_little(Me(bot_id=123456, username="palace_bot"))
            telegram.say(CLUB, ANA, "@palace_bot what about rye?")
            assert telegram.unseen == ["@palace_bot what about rye?"]
            telegram.say(CLUB, ANA, "/ask what about rye?")
            await until(lambda: len(telegram.own(CLUB)) == 2)
            telegram.say(CLUB, ANA, "/status@palace_bot")
            telegram.say(ANA, ANA, "/status")
            await until(lambda: len(telegram.own(CLUB)) == 3 and telegram.own(ANA))
            assert all("/setprivacy" in said["text"] for said in (telegram.own(CLUB)[-1], *telegram.own(ANA)))
            other = {"id": 5, "is_bot": True, "first_name": "Weather", "username": "weather_bot"}
            telegram.message(CLUB, 5, "Rain.", **{"from": other})
            telegram.say(CLUB, ANA, "/ask who heard this?")
            assert telegram.unseen[-1] == "/ask who heard this?"
            telegram.members[CLUB, 123456] = "administrator"
            await asyncio.sleep(60 * 0.02 + 0.05)
            telegram.say(CLUB, ANA, "/status@palace_bot")
            await until(lambda: len(telegram.own(CLUB)) == 4)
            assert telegram.own(CLUB)[-1]["text"] == "12 memories"


async def test_what_was_kept_is_the_raw_update(tmp_path: Path) -> None:

    inbox, hurried = MemoryInbox(), Hurried()
    async with fake_telegram(hurried.now) as telegram:
        async with listening(telegram, ScriptedCore(keeping), tmp_path, inbox=inbox, timing=hurried.timing):
            said = telegram.say(ANA, ANA, "hello", unheard_of={"a": 1})
            await until(lambda: telegram.own(ANA))
        (event,) = inbox.events.values()
        assert json.loads(event.body)["message"] == said
