"""The adapter through the real aiogram, over a strict stand-in on loopback."""

from pathlib import Path

from tests.fakes.core import ScriptedCore, answer_with
from tests.fakes.telegram.harness import Hurried, listening, until
from tests.fakes.telegram.server import fake_telegram

ANA = 11


async def test_a_question_in_a_private_chat_streams_as_a_draft_and_ends_as_one_message(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Flour ", "keeps ", "ten days [1].", trace_id="t1", pause_s=0.02))
    async with fake_telegram(Hurried().now) as telegram, listening(telegram, core, tmp_path):
        telegram.say(ANA, ANA, "how long does flour keep?")
        await until(lambda: telegram.own(ANA))
        (sent,) = telegram.own(ANA)
        assert sent["text"] == "Flour keeps ten days [1]."
        assert [key["text"] for row in sent["reply_markup"]["inline_keyboard"] for key in row] == ["👍", "👎", "Why?"]
        assert len(telegram.made("sendMessageDraft")) >= 2
        assert telegram.made("editMessageText") == []
        (message,) = core.received
        assert (message.text, message.room.kind, message.addressed) == ("how long does flour keep?", "direct", True)
        assert telegram.violations == []
