"""The adapter through the real aiogram, over a strict stand-in on loopback."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.telegram.polling import WEBHOOK_SET
from bot.domain.errors import BadInput, StorageTrouble
from bot.domain.memories import Memory
from bot.domain.messages import Action, Message
from bot.domain.replies import Button, Notice
from bot.domain.rooms import Person, Room, Scope
from bot.ports import Reply
from tests.fakes.core import ScriptedCore, answer, answer_with
from tests.fakes.inbox import MemoryInbox
from tests.fakes.telegram.harness import Hurried, MemoryRooms, listening, until
from tests.fakes.telegram.server import DATE, Fault, fake_telegram

ANA, BEN = 11, 12
CLUB = -1001
POISON = json.loads((Path(__file__).parents[2] / "payloads/telegram/unknown_origin.json").read_text())


async def test_a_question_in_a_private_chat_streams_as_a_draft_and_ends_as_one_message(tmp_path: Path) -> None:
    hurried = Hurried()
    core = ScriptedCore(answer_with("Flour ", "keeps ", "ten days [1].", trace_id="t1", pause_s=0.03))
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        telegram.say(ANA, ANA, "how long does flour keep?")
        await until(lambda: telegram.own(ANA))
        (sent,) = telegram.own(ANA)
        assert sent["text"] == "Flour keeps ten days [1]."
        assert [key["text"] for row in sent["reply_markup"]["inline_keyboard"] for key in row] == ["👍", "👎", "Why?"]
        assert len(telegram.made("sendMessageDraft")) >= 2
        assert {draft["can_stop"] for draft in telegram.made("sendMessageDraft")} == {True}
        assert telegram.made("editMessageText") == []
        (message,) = core.received
        assert (message.text, message.room.kind, message.addressed) == ("how long does flour keep?", "direct", True)
        assert telegram.violations == []


async def test_a_question_in_a_topic_is_answered_there_and_one_in_general_without_a_thread(tmp_path: Path) -> None:
    hurried = Hurried()
    core = ScriptedCore(answer_with("Ten ", "days.", pause_s=0.1))
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        telegram.group(CLUB, "Club", ANA, is_forum=True, topics=(4,))
        asked = telegram.say(CLUB, ANA, "/ask how long?", message_thread_id=4, is_topic_message=True)
        await until(lambda: telegram.own(CLUB) and telegram.own(CLUB)[0]["text"] == "Ten days.")
        telegram.say(CLUB, ANA, "@palace_bot how long?")
        await until(lambda: len(telegram.own(CLUB)) == 2 and telegram.own(CLUB)[1]["text"] == "Ten days.")
        in_topic, in_general = telegram.own(CLUB)
        assert in_topic["message_thread_id"] == 4
        assert in_topic["reply_to_message"]["message_id"] == asked["message_id"]
        assert "message_thread_id" not in in_general
        assert [message.room.thread for message in core.received] == ["4", None]
        assert telegram.made("sendMessageDraft") == []
        assert telegram.violations == []


async def test_a_question_in_a_private_chat_has_a_sign_before_it_is_known_whether_a_forward_follows(
    tmp_path: Path,
) -> None:
    hurried = Hurried(0.5)
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, ScriptedCore(answer_with("Ten days.")), tmp_path, timing=hurried.timing),
    ):
        telegram.say(ANA, ANA, "how long does flour keep?")
        await until(lambda: telegram.made("sendChatAction"))
        assert telegram.made("sendMessageDraft", "sendMessage") == []
        await until(lambda: telegram.own(ANA))
        assert len(telegram.made("sendChatAction")) == 1
        assert telegram.violations == []


async def test_questions_of_one_chat_are_answered_in_their_order(tmp_path: Path) -> None:
    hurried = Hurried()

    async def script(message: Message, reply: Reply) -> None:
        await asyncio.sleep(0.06 if "first" in message.text else 0.0)
        await reply.finish(answer(message.text))

    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, ScriptedCore(script), tmp_path, timing=hurried.timing),
    ):
        for word in ("first?", "second?", "third?"):
            telegram.say(ANA, ANA, word)
        await until(lambda: len(telegram.own(ANA)) == 3)
        assert [message["text"] for message in telegram.own(ANA)] == ["first?", "second?", "third?"]


async def test_many_questions_in_one_group_are_all_answered_inside_its_budget(tmp_path: Path) -> None:
    hurried = Hurried(0.01)
    words = [f"word{number} " for number in range(12)]
    core = ScriptedCore(answer_with(*words, pause_s=0.03))
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        telegram.group(CLUB, "Club", *range(20, 28))
        for person in range(20, 28):
            telegram.say(CLUB, person, "/ask what is it?")

        def whole() -> int:
            return sum(message["text"] == "".join(words).strip() for message in telegram.own(CLUB))

        await until(lambda: whole() == 8)
        assert len(telegram.own(CLUB)) == 8
        assert telegram.violations == []


async def test_an_update_that_nobody_can_read_is_set_aside_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    inbox, hurried = MemoryInbox(), Hurried()
    core = ScriptedCore(answer_with("Yes."))
    async with fake_telegram(hurried.now) as telegram:
        telegram.say(ANA, ANA, "before?")
        telegram.update(message=POISON["message"])
        telegram.update(message=POISON["message"] | {"forward_origin": None, "date": 10**30})
        telegram.say(BEN, BEN, "after?")
        async with listening(telegram, core, tmp_path, inbox=inbox, timing=hurried.timing) as adapter:
            await until(lambda: telegram.own(ANA) and telegram.own(BEN))
            await until(lambda: not telegram.pending)
            assert "2 updates could not be read" in adapter.health().note
        broken = [event for event in inbox.events.values() if event.state == "broken"]
        assert ["forward_origin" in event.error for event in broken] == [True, False]
        assert json.loads(broken[0].body)["message"] == POISON["message"]
        assert "forward_origin" in caplog.text


async def test_an_update_that_comes_twice_is_worked_once(tmp_path: Path) -> None:
    hurried = Hurried()
    core = ScriptedCore(answer_with("Yes."))
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        said = telegram.say(ANA, ANA, "once?")
        telegram.pending.append(telegram.pending[-1])
        telegram.update(message=said)
        await until(lambda: telegram.own(ANA) and not telegram.pending)
        await asyncio.sleep(0.05)
        assert len(core.received) == 1


async def test_nothing_is_confirmed_that_could_not_be_kept(tmp_path: Path) -> None:
    inbox, hurried = MemoryInbox(), Hurried()
    inbox.trouble = [StorageTrouble("The disk is full.")]
    core = ScriptedCore(answer_with("Yes."))
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, inbox=inbox, timing=hurried.timing),
    ):
        telegram.say(ANA, ANA, "kept?")
        await until(lambda: telegram.own(ANA))
        assert len(telegram.delivered) == 2
        assert len(core.received) == 1


async def test_what_a_killed_process_left_is_answered_once_by_the_next(tmp_path: Path) -> None:
    inbox, rooms, hurried = MemoryInbox(), MemoryRooms(), Hurried()
    started = asyncio.Event()

    async def hang(message: Message, reply: Reply) -> None:
        started.set()
        await reply.show("Flour")
        await asyncio.Event().wait()

    async with fake_telegram(hurried.now) as telegram:
        more: dict[str, Any] = {"inbox": inbox, "rooms": rooms, "timing": hurried.timing}
        async with listening(telegram, ScriptedCore(hang), tmp_path, **more) as adapter:
            telegram.group(CLUB, "Club", ANA)
            telegram.say(CLUB, ANA, "/ask how long?")
            await until(lambda: telegram.own(CLUB) and not telegram.pending)
            assert adapter._dispatcher is not None
            adapter._dispatcher._grace_s = 0.0
        assert inbox.states == ["working"]
        core = ScriptedCore(answer_with("Flour keeps ten days."))
        async with listening(telegram, core, tmp_path, **more):
            await until(lambda: inbox.states == ["done"])
        assert [message["text"] for message in telegram.own(CLUB)] == ["Flour keeps ten days."]
        assert telegram.violations == []


async def test_a_webhook_takes_updates_with_its_secret_only_and_keeps_before_it_answers(tmp_path: Path) -> None:
    inbox, hurried = MemoryInbox(), Hurried()
    core = ScriptedCore(answer_with("Yes."))
    more = {"webhook_url": "https://palace.example/telegram", "webhook_secret": "s3cret"}
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, inbox=inbox, timing=hurried.timing, **more) as adapter,
    ):
        url = f"http://127.0.0.1:{adapter.http_port}/telegram"
        telegram.say(ANA, ANA, "hello?")
        assert await telegram.deliver(url, secret="wrong") == [401]
        assert inbox.events == {}
        inbox.trouble = [StorageTrouble("The disk is full.")]
        assert await telegram.deliver(url) == [500]
        assert await telegram.deliver(url) == [200]
        await until(lambda: telegram.own(ANA))
        assert telegram.pending == []
        assert adapter.health().connected
        assert telegram.made("getUpdates") == []
        async with aiohttp.ClientSession() as session, session.get(url.replace("/telegram", "/health")) as response:
            told = await response.json()
        assert (told["name"], told["connected"]) == ("telegram", True)


async def test_a_port_that_is_taken_is_told_with_its_setting(tmp_path: Path) -> None:
    async with fake_telegram() as telegram:
        more = {"webhook_url": "https://palace.example/telegram", "webhook_secret": "s3cret"}
        port = int(telegram.base.rpartition(":")[2])
        with pytest.raises(BadInput, match="TELEGRAM_HTTP_PORT"):
            async with listening(telegram, ScriptedCore(), tmp_path, http_port=port, **more):
                pass


async def test_polling_beside_a_webhook_is_one_clear_sentence(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    hurried = Hurried()
    async with fake_telegram(hurried.now) as telegram:
        telegram.webhook = "https://elsewhere.example/hook"
        telegram._polling.set()
        async with listening(telegram, ScriptedCore(), tmp_path, timing=hurried.timing) as adapter:
            await until(lambda: adapter.health().note)
            assert adapter.health().note == WEBHOOK_SET
            await until(lambda: len(telegram.made("getUpdates")) == 3)
            telegram.webhook = ""
            await until(lambda: adapter.health().connected or telegram.made("getUpdates")[3:])
        assert [record.message for record in caplog.records].count(WEBHOOK_SET) == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"webhook_url": "https://a.example"}, "TELEGRAM_WEBHOOK_SECRET"),
        ({"token": "nonsense"}, "@BotFather"),
        ({"token": "99:unknown"}, "does not accept"),
    ],
)
async def test_settings_that_cannot_work_are_told_at_once(
    tmp_path: Path, options: dict[str, str], sentence: str
) -> None:
    async with fake_telegram() as telegram:
        with pytest.raises(BadInput, match=sentence):
            async with listening(telegram, ScriptedCore(), tmp_path, **options):
                pass


async def test_a_webhook_that_telegram_does_not_take_is_told_with_its_reason(tmp_path: Path) -> None:
    hurried = Hurried()
    more = {"webhook_url": "http://palace.example", "webhook_secret": "s3cret"}
    async with fake_telegram(hurried.now) as telegram:
        refused = Fault(400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook")
        telegram.faults["setWebhook"].extend([Fault(500, "Internal Server Error"), refused])
        with pytest.raises(BadInput, match="https url must be provided"):
            async with listening(telegram, ScriptedCore(), tmp_path, timing=hurried.timing, **more):
                pass


async def test_commands_are_registered_by_scope_and_language(tmp_path: Path) -> None:
    hurried = Hurried()
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, ScriptedCore(), tmp_path, timing=hurried.timing),
    ):
        await until(lambda: len(telegram.menu) == 9)
        scopes = {"all_private_chats", "all_group_chats", "all_chat_administrators"}
        assert {scope for scope, _ in telegram.menu} == scopes
        assert {language for _, language in telegram.menu} == {"", "de", "es"}
        english, german = (telegram.menu["all_private_chats", language][0] for language in ("", "de"))
        assert english["command"] == german["command"] == "ask"
        assert english["description"] != german["description"]


async def test_a_person_stops_an_answer_by_the_drafts_button_by_a_word_or_by_ours(tmp_path: Path) -> None:
    hurried = Hurried()

    async def endless(message: Message, reply: Reply) -> None:
        await reply.show("Flour keeps")
        while not reply.stopped:  # noqa: ASYNC110 - a reply tells nobody
            await asyncio.sleep(0.005)
        await reply.finish(answer("Flour keeps", stopped=True))

    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, ScriptedCore(endless), tmp_path, timing=hurried.timing),
    ):
        telegram.group(CLUB, "Club", ANA)
        telegram.say(ANA, ANA, "how long?")
        await until(lambda: telegram.drafts.get(ANA) == "Flour keeps")
        telegram.update(stopped_message_generation={"chat": telegram.chat(ANA), "draft_id": telegram.draft_ids[ANA]})
        await until(lambda: telegram.own(ANA))
        assert "Stopped" in telegram.own(ANA)[0]["text"]
        telegram.say(ANA, ANA, "and now?")
        await until(lambda: telegram.drafts.get(ANA) == "Flour keeps")
        telegram.say(ANA, ANA, "stop")
        await until(lambda: len(telegram.own(ANA)) == 2)
        telegram.say(CLUB, ANA, "/ask how long?")
        await until(lambda: telegram.own(CLUB))
        telegram.press(telegram.own(CLUB)[0], ANA, "Stop")
        await until(lambda: "Stopped" in telegram.own(CLUB)[0]["text"])
        assert len(telegram.toasts) == 1
        assert telegram.violations == []


async def test_a_wish_to_stop_with_nothing_under_way_is_answered(tmp_path: Path) -> None:
    hurried = Hurried()
    core = ScriptedCore()
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        telegram.say(ANA, ANA, "Stop!")
        await until(lambda: telegram.own(ANA))
        assert [message["text"] for message in telegram.own(ANA)] == ["There is no answer under way to stop."]
        assert core.received == []


async def test_both_news_of_a_migration_re_key_the_group_in_any_order(tmp_path: Path) -> None:
    hurried = Hurried()
    core = ScriptedCore()
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        telegram.group(-777, "Club", ANA, type="group")
        telegram.migrate(-777, -100777)
        telegram.pending.reverse()
        await until(lambda: len(core.moves) == 2)
        old, new = (Room(platform="telegram", channel=chat, kind="private") for chat in ("-777", "-100777"))
        assert core.moves == [(old, new), (old, new)]
        assert telegram.own(-100777) == []


async def test_an_answer_to_a_group_that_migrated_meanwhile_arrives_once(tmp_path: Path) -> None:
    hurried = Hurried()

    async def script(message: Message, reply: Reply) -> None:
        telegram.migrate(-777, -100777)
        await reply.finish(answer("Ten days."))

    core = ScriptedCore(script)
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        telegram.group(-777, "Club", ANA, type="group")
        telegram.say(-777, ANA, "/ask how long?")
        await until(lambda: telegram.own(-100777))
        assert [message["text"] for message in telegram.own(-100777)] == ["Ten days."]
        assert len(core.moves) >= 1


async def test_buttons_vote_by_a_toast_replace_a_receipt_and_ask_for_tags(tmp_path: Path) -> None:
    hurried = Hurried()

    async def keep(message: Message, reply: Reply) -> None:
        undo, edit = (Button(name=name, target=f"c{name}", label=name.title()) for name in ("undo", "edit"))
        await reply.say(Notice(text="Saved: *rye*", kind="receipt", buttons=(undo, edit)))

    async def act(action: Action, reply: Reply) -> None:
        await reply.say(Notice(text=f"Did **{action.name}** {action.value}".strip()))

    core = ScriptedCore(keep, act)
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        telegram.say(ANA, ANA, "https://mill.example/rye")
        await until(lambda: telegram.own(ANA))
        (receipt,) = telegram.own(ANA)
        telegram.press(receipt, ANA, "Tags")
        await until(lambda: len(telegram.own(ANA)) == 2)
        question = telegram.own(ANA)[1]
        telegram.say(ANA, ANA, "#rye #bread", reply_to_message=question)
        await until(lambda: len(telegram.own(ANA)) == 3)
        assert [(done.name, done.target, done.value) for done in core.actions] == [("tags", "cedit", "#rye #bread")]
        telegram.press(receipt, ANA, "Undo")
        await until(lambda: "Did undo" in telegram.toasts)
        assert telegram.own(ANA)[0]["text"] == "Did undo"
        assert "reply_markup" not in telegram.own(ANA)[0]
        vote = telegram.message(
            ANA, 0, "x", reply_markup={"inline_keyboard": [[{"text": "👍", "callback_data": "up:t1"}]]}
        )
        telegram.press(vote, BEN, "👍")
        await until(lambda: "Did up" in telegram.toasts)
        assert core.actions[-1].person == Person(platform="telegram", person_id=str(BEN), name=f"Person{BEN}")
        assert len(telegram.own(ANA)) == 3


async def test_forget_as_a_reply_to_a_receipt_takes_back_all_that_it_told_of(tmp_path: Path) -> None:
    hurried = Hurried()

    async def act(action: Action, reply: Reply) -> None:
        await reply.say(Notice(text=f"Taken back {action.target}"))

    core = ScriptedCore(on_action=act)
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        telegram.group(CLUB, "Club", ANA)
        keys = [{"text": f"Undo {number}", "callback_data": f"undo:c{number}"} for number in (1, 2)]
        receipt = telegram.message(CLUB, 0, "2 saved", reply_markup={"inline_keyboard": [keys]})
        receipt["from"] = {"id": 123456, "is_bot": True, "first_name": "Palace"}
        telegram.say(CLUB, ANA, "/forget@palace_bot", reply_to_message=receipt)
        await until(lambda: len(core.actions) == 2 and len(telegram.own(CLUB)) == 2)
        assert [(done.name, done.target) for done in core.actions] == [("undo", "c1"), ("undo", "c2")]
        assert telegram.own(CLUB)[1]["text"] == "1. Taken back c1\n2. Taken back c2"
        assert core.received == []


async def test_inline_results_are_ones_own_and_never_shared(tmp_path: Path) -> None:
    hurried = Hurried()
    core = ScriptedCore()
    scope = Scope(kind="person", key=f"telegram//@{ANA}")
    room = Room(platform="telegram", channel=str(ANA), kind="direct")
    person = Person(platform="telegram", person_id=str(ANA))
    core.found = tuple(
        Memory(
            memory_id=f"m{number}", scope=scope, kind="link", state="ready", url=f"https://a.example/{number}",
            key=f"a.example/{number}", title="x" * 600, person=person, room=room,
            shared_at=datetime.fromtimestamp(DATE, UTC),
        )
        for number in range(25)
    )  # fmt: skip
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        telegram.group(CLUB, "Club", ANA)
        telegram.say(CLUB, ANA, "https://mill.example/rye")
        await until(lambda: core.received)
        telegram.inline(ANA, "rye")
        telegram.inline(BEN, "rye")
        await until(lambda: len(telegram.found) == 2)
        club = Scope(kind="room", key=f"telegram//{CLUB}")
        assert dict(core.searches[:1]) == {"rye": (scope, club)}
        assert core.searches[1] == ("rye", (Scope(kind="person", key=f"telegram//@{BEN}"),))
        assert telegram.violations == []


async def test_a_members_private_chat_is_asked_with_memberships_checked_just_now(tmp_path: Path) -> None:
    hurried = Hurried()
    core = ScriptedCore(answer_with("Yes."))
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        telegram.group(CLUB, "Club", ANA)
        telegram.say(CLUB, ANA, "https://mill.example/rye")
        await until(lambda: core.received)
        for person in (ANA, BEN):
            telegram.say(person, person, "what is there?")
            await until(lambda person=person: telegram.own(person))
        assert [message.memberships for message in core.received[1:]] == [
            (Scope(kind="room", key=f"telegram//{CLUB}"),),
            (),
        ]
        assert not any(message.administrator for message in core.received)


async def test_who_runs_a_group_is_asked_from_telegram(tmp_path: Path) -> None:
    hurried = Hurried()
    core = ScriptedCore(answer_with("Yes."))
    async with (
        fake_telegram(hurried.now) as telegram,
        listening(telegram, core, tmp_path, timing=hurried.timing),
    ):
        telegram.group(CLUB, "Club", ANA, BEN)
        telegram.members[CLUB, BEN] = "administrator"
        for person in (ANA, BEN):
            telegram.say(CLUB, person, "/ask who may?")
        await until(lambda: len(core.received) == 2)
        assert {message.author.person_id: message.administrator for message in core.received} == {
            str(ANA): False,
            str(BEN): True,
        }


async def test_an_outage_is_waited_out(tmp_path: Path) -> None:
    hurried = Hurried()
    core = ScriptedCore(answer_with("Yes."))
    async with fake_telegram(hurried.now) as telegram:
        telegram.faults["getMe"].extend([Fault(502, html=True), Fault(500, "Internal Server Error")])
        telegram.faults["getUpdates"].extend(
            [Fault(502, html=True), Fault(lost=True), Fault(429, "x", {"retry_after": 2})]
        )
        telegram.say(ANA, ANA, "there?")
        async with listening(telegram, core, tmp_path, timing=hurried.timing) as adapter:
            await until(lambda: telegram.own(ANA))
            assert len(core.received) == 1
            await until(lambda: not telegram.pending)
            await until(lambda: adapter.health().waiting == 0)
