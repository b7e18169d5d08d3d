"""What goes out to Telegram, in a time that the test moves, through the real aiogram."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramNetworkError
from aiogram.methods import GetMe

from adapters.outlet import Lost
from adapters.telegram.budgets import Budgets
from adapters.telegram.calls import Calls, translated
from adapters.telegram.keyboards import keyboard
from adapters.telegram.outbound import Place, TelegramOutlet
from adapters.telegram.parts import NotedReply
from bot.domain.replies import Button, Notice
from tests.fakes.core import answer
from tests.fakes.telegram.rules import units
from tests.fakes.telegram.server import TOKEN, FakeTelegram, Fault, fake_telegram
from tests.fakes.timing import FakeTime

ANA = 11
CLUB = -1001


@dataclass
class Desk:
    """A bot's calls and budgets, and the time they live in."""

    telegram: FakeTelegram
    calls: Calls
    time: FakeTime
    budgets: Budgets
    moves: list[tuple[int, int]] = field(default_factory=list)

    def reply(self, chat: int, *, message: int | None = None, thread: int | None = None, **more: Any) -> NotedReply:
        async def moved(old: int, new: int) -> None:
            self.moves.append((old, new))

        place = Place(chat=chat, direct=chat > 0, message=message, thread=thread)
        outlet = TelegramOutlet(self.calls, place, self.budgets, moved=moved)
        return NotedReply(outlet, note="", key="telegram-1", timing=self.time.timing, **more)

    async def until(self, work: asyncio.Future[Any] | asyncio.Task[Any], *, most_s: float = 600.0) -> None:
        """Let time pass, as fast as calls are answered, until some work is done."""
        end = self.time.moment + most_s
        while not work.done():
            assert self.time.moment < end, "took too long"
            await asyncio.sleep(0.003)
            await self.time.pass_time(0.25)
        work.result()

    async def pass_time(self, seconds: float) -> None:
        for _ in range(int(seconds * 4)):
            await asyncio.sleep(0.003)
            await self.time.pass_time(0.25)


@asynccontextmanager
async def at_desk() -> AsyncIterator[Desk]:
    time = FakeTime()
    async with fake_telegram(lambda: time.moment) as telegram:
        telegram.group(CLUB, "Garden club", ANA)
        session = AiohttpSession(api=TelegramAPIServer.from_base(telegram.base))
        desk = Desk(telegram, Calls(Bot(TOKEN, session=session)), time, Budgets(time.timing))
        try:
            yield desk
        finally:
            await (await session.create_session()).close()


def test_a_broken_connection_is_told_without_the_address_that_carries_the_token() -> None:
    error = TelegramNetworkError(method=GetMe(), message=f"TooManyRedirects: https://api.telegram.org/bot{TOKEN}/getMe")
    error.__cause__ = OSError("the same address")
    lost = translated(error)
    assert isinstance(lost, Lost)
    assert str(lost) == "OSError"


async def test_a_place_in_line_is_shown_as_it_is_said() -> None:
    async with at_desk() as desk:
        reply = desk.reply(ANA, message=1)
        await reply.wait(1)
        await desk.pass_time(2)
        assert desk.telegram.drafts[ANA] == "Waiting: next in line…"
        await reply.close()


LONG = "\n\n".join(
    [
        "**Every 🐝 hums.** " * 200,
        "A literal <b> stays.",
        "```python\n" + "\n".join(f"hum({number})  # 🐝" for number in range(200)) + "\n```",
        "[the field](https://field.example/a_(b)) " * 160,
        "And the last word. " * 260,
    ]
)


@pytest.mark.parametrize("chat", [ANA, CLUB])
async def test_a_long_answer_is_sent_once_a_part_with_nothing_lost(chat: int) -> None:
    async with at_desk() as desk:
        reply = desk.reply(chat)
        for end in range(1200, len(LONG), 1200):
            await reply.show(LONG[:end])
            await desk.pass_time(0.5)
        await desk.until(asyncio.ensure_future(reply.finish(answer(LONG))))
        sent = desk.telegram.own(chat)
        assert sum(units(message["text"]) for message in sent) >= 12_000
        assert len(desk.telegram.made("sendMessage")) == len(sent) >= 3
        words = "".join("".join(message["text"].split()) for message in sent)
        assert words.count("hum(") == 200
        assert words.count("lastword") == 260
        assert words.count("thefield") == 160
        assert "Aliteral<b>stays." in words
        assert desk.telegram.violations == []


@pytest.mark.parametrize("chat", [ANA, CLUB])
async def test_a_penalty_holds_for_every_reply_in_its_chat(chat: int) -> None:
    async with at_desk() as desk:
        desk.telegram.faults["sendMessage"].append(Fault(429, "Too Many Requests", {"retry_after": 33}))
        first = asyncio.ensure_future(desk.reply(chat).finish(answer("One.")))
        await desk.pass_time(1)
        (refused_at,) = [moment for moment, method, _ in desk.telegram.calls if method == "sendMessage"]
        second = desk.reply(chat)
        await second.status("Thinking")
        await second.show("Two")
        await desk.until(asyncio.ensure_future(asyncio.gather(first, second.finish(answer("Two.")))))
        after = [moment for moment, _, _ in desk.telegram.calls if moment > refused_at]
        assert min(after) >= refused_at + 33
        assert sorted(message["text"] for message in desk.telegram.own(chat)) == ["One.", "Two."]


async def test_a_penalty_while_streaming_is_silence_and_then_the_whole_answer_once() -> None:
    async with at_desk() as desk:
        reply = desk.reply(CLUB)
        await reply.show("Flour keeps")
        await desk.pass_time(1)
        desk.telegram.faults["editMessageText"].append(Fault(429, "Too Many Requests", {"retry_after": 33}))
        await reply.show("Flour keeps ten **days**")
        await desk.pass_time(4)
        refused_at = desk.telegram.calls[-1][0]
        assert desk.telegram.calls[-1][1] == "editMessageText"
        done = asyncio.ensure_future(reply.finish(answer("Flour keeps ten **days** in a bag.")))
        await desk.until(done)
        after = [moment for moment, method, _ in desk.telegram.calls if moment > refused_at]
        assert min(after) >= refused_at + 33
        (message,) = desk.telegram.own(CLUB)
        assert message["text"] == "Flour keeps ten days in a bag."
        assert [entity["type"] for entity in message["entities"]] == ["bold"]
        assert len(after) == 1


async def test_a_penalty_for_a_draft_is_silence_too() -> None:
    async with at_desk() as desk:
        reply = desk.reply(ANA)
        desk.telegram.faults["sendMessageDraft"].append(Fault(429, "Too Many Requests", {"retry_after": 33}))
        await reply.show("Flour keeps")
        await desk.pass_time(1)
        refused_at = desk.telegram.calls[-1][0]
        await desk.until(asyncio.ensure_future(reply.finish(answer("Flour keeps ten days."))))
        assert desk.telegram.calls[-1][0] >= refused_at + 33
        assert [message["text"] for message in desk.telegram.own(ANA)] == ["Flour keeps ten days."]


async def test_an_edit_that_changes_nothing_is_a_success() -> None:
    async with at_desk() as desk:
        reply = desk.reply(CLUB)
        for text in ("Flour", "Flour\n", "Flour\n keeps ten days."):
            await reply.show(text)
            await desk.pass_time(7)
        await desk.until(asyncio.ensure_future(reply.finish(answer("Flour\n keeps ten days.  "))))
        (message,) = desk.telegram.own(CLUB)
        assert message["text"] == "Flour\nkeeps ten days."
        assert len(desk.telegram.made("sendMessage")) == 1


async def test_live_edits_leave_room_for_the_final_text_in_a_group() -> None:
    async with at_desk() as desk:
        reply = desk.reply(CLUB)
        for number in range(240):
            await reply.show("word " * (number + 1))
            await desk.pass_time(0.5)
        finishing = asyncio.ensure_future(reply.finish(answer("word " * 240)))
        await desk.until(finishing, most_s=5)
        assert desk.telegram.violations == []
        assert len(desk.telegram.made("editMessageText")) > 20


@pytest.mark.parametrize("chat", [ANA, CLUB])
async def test_a_final_text_whose_reply_was_lost_is_not_sent_again(chat: int) -> None:
    async with at_desk() as desk:
        desk.telegram.faults["sendMessage"].append(Fault(lost=True))
        reply = desk.reply(chat)
        if chat == ANA:
            await reply.show("Yes")
            await desk.pass_time(1)
        await desk.until(asyncio.ensure_future(reply.finish(answer("Yes."))))
        assert [message["text"] for message in desk.telegram.own(chat)] == ["Yes."]


@pytest.mark.parametrize(
    "fault",
    [
        Fault(502, html=True),
        Fault(500, "Internal Server Error"),
        Fault(500, "Internal Server Error: restart"),
        Fault(429, "Too Many Requests: retry after 3", {"retry_after": 3}),
    ],
)
async def test_a_server_in_trouble_is_tried_again(fault: Fault) -> None:
    async with at_desk() as desk:
        desk.telegram.faults["sendMessage"].append(fault)
        await desk.until(asyncio.ensure_future(desk.reply(ANA).finish(answer("Yes."))))
        assert [message["text"] for message in desk.telegram.own(ANA)] == ["Yes."]


async def test_a_person_who_blocked_the_bot_is_left_alone() -> None:
    async with at_desk() as desk:
        desk.telegram.faults["sendMessage"].append(Fault(403, "Forbidden: bot was blocked by the user"))
        await desk.until(asyncio.ensure_future(desk.reply(ANA).finish(answer("Yes."))))
        assert len(desk.telegram.made("sendMessage")) == 1


async def test_a_group_that_has_become_a_supergroup_gets_its_message_once_under_its_new_id() -> None:
    async with at_desk() as desk:
        desk.telegram.group(-777, "Old", ANA, type="group")
        desk.telegram.migrate(-777, -100777)
        await desk.until(asyncio.ensure_future(desk.reply(-777, message=3).say(Notice(text="Good morning"))))
        assert [message["text"] for message in desk.telegram.own(-100777)] == ["Good morning"]
        assert desk.telegram.own(-777) == []
        assert desk.moves == [(-777, -100777)]


async def test_an_answer_goes_on_where_its_topic_was_closed() -> None:
    async with at_desk() as desk:
        await desk.until(asyncio.ensure_future(desk.reply(CLUB, thread=99).finish(answer("Yes."))))
        (message,) = desk.telegram.own(CLUB)
        assert "message_thread_id" not in message


async def test_a_long_pause_never_takes_the_shown_text_away_and_nothing_is_drawn_after_the_answer() -> None:
    async with at_desk() as desk:
        reply = desk.reply(ANA, message=7)
        async with reply.in_sight():
            await reply.show("Flour keeps ten days")
            await desk.pass_time(1)
            for _ in range(90):
                await desk.pass_time(1)
                assert desk.telegram.drafts == {ANA: "Flour keeps ten days"}
            assert len(desk.telegram.made("sendMessageDraft")) <= 6
            assert {draft["draft_id"] for draft in desk.telegram.made("sendMessageDraft")} == {7}
            await desk.until(asyncio.ensure_future(reply.finish(answer("Flour keeps ten days."))))
            drawn = len(desk.telegram.made("sendMessageDraft"))
            await desk.pass_time(60)
            assert len(desk.telegram.made("sendMessageDraft")) == drawn
        assert [message["text"] for message in desk.telegram.own(ANA)] == ["Flour keeps ten days."]


async def test_a_server_that_knows_no_drafts_gets_a_message_that_is_edited() -> None:
    async with at_desk() as desk:
        desk.telegram.drafts_known = False
        reply = desk.reply(ANA)
        await reply.status("Searching")
        await desk.pass_time(2)
        await reply.show("Flour keeps")
        await desk.pass_time(2)
        await desk.until(asyncio.ensure_future(reply.finish(answer("Flour keeps ten days."))))
        assert [message["text"] for message in desk.telegram.own(ANA)] == ["Flour keeps ten days."]
        assert len(desk.telegram.made("sendMessageDraft")) == 1
        assert desk.telegram.made("editMessageText")


async def test_a_restart_goes_on_with_the_message_that_was_there() -> None:
    async with at_desk() as desk:
        kept: list[str] = []

        async def remember(text: str) -> None:
            kept.append(text)

        first = desk.reply(CLUB, remember=remember)
        await first.show("Flour keeps")
        await desk.pass_time(2)
        await first.close()
        second = desk.reply(CLUB, remembered=kept[-1])
        await desk.until(asyncio.ensure_future(second.finish(answer("Flour keeps ten days."))))
        assert [message["text"] for message in desk.telegram.own(CLUB)] == ["Flour keeps ten days."]


async def test_our_messages_show_no_previews_and_answer_what_was_asked_in_a_group() -> None:
    async with at_desk() as desk:
        asked = desk.telegram.message(CLUB, ANA, "?")
        await desk.until(
            asyncio.ensure_future(desk.reply(CLUB, message=asked["message_id"]).finish(answer("https://a.example")))
        )
        (arguments,) = desk.telegram.made("sendMessage")
        assert arguments["link_preview_options"] == {"is_disabled": True}
        assert arguments["reply_parameters"]["message_id"] == asked["message_id"]


def test_buttons_stand_in_rows_and_their_data_fits() -> None:
    buttons = [Button(name="undo", target=f"{number:016}", label=f"Undo {number}") for number in range(6)]
    too_long = Button(name="why", target="x" * 62, label="Why?")
    markup = keyboard([*buttons, too_long, Button(name="edit", target="ab12", label="Edit")])
    assert markup is not None
    assert [len(row) for row in markup.inline_keyboard] == [4, 3]
    assert (markup.inline_keyboard[1][2].text, markup.inline_keyboard[1][2].callback_data) == ("Tags", "tags:ab12")
    assert keyboard([]) is None
