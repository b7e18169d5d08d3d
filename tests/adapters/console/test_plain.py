"""Plain replies: whole, without control codes, sources as numbered lines."""

from datetime import UTC, datetime

import pytest

from adapters.console.plain import PlainReply, plain
from bot.domain.answers import Citation
from bot.domain.lines import printable
from bot.domain.replies import Notice
from tests.fakes.core import answer


def test_markdown_becomes_plain_text_with_addresses_behind_their_words() -> None:
    text = plain("Saved: [The **owl**](<https://o.example/a_(b)>) · `1a2b` and ```\ncode\n```")
    assert text == "Saved: The owl (https://o.example/a_(b)) · 1a2b and ```\ncode\n```"


def test_other_peoples_text_cannot_send_control_codes() -> None:
    assert printable("a\x1b[2Jb\x1b]0;title\x07c\x08d\x9be\tf\n") == "abcde\tf\n"


async def test_an_answer_is_written_once_with_its_sources(capsys: pytest.CaptureFixture[str]) -> None:
    source = Citation(
        number=1,
        memory_id="m1",
        title="Owls\x1b[31m",
        url="https://o.example/",
        person_name="Ana",
        room_name="#dev",
        shared_at=datetime(2026, 5, 3, tzinfo=UTC),
    )
    reply = PlainReply()
    await reply.status("Searching")
    await reply.show("They")
    await reply.finish(answer("They hunt. [1]", citations=(source,)))
    out = capsys.readouterr().out
    assert out == "They hunt. [1]\n\nSources:\n[1] Owls · saved by Ana in #dev on 3 May 2026 · https://o.example/\n\n"


async def test_an_answer_without_sources_has_no_list_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    await PlainReply().finish(answer("Hello!"))
    await PlainReply().say(Notice(text="**Done**"))
    assert capsys.readouterr().out == "Hello!\n\nDone\n\n"


async def test_a_failure_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    reply = PlainReply()
    await reply.fail("That did not work.")
    captured = capsys.readouterr()
    assert (captured.out, captured.err, reply.failed) == ("", "That did not work.\n", True)
