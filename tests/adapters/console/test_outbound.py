"""Replies in a terminal: a status, the growing text, and at the end the whole answer once."""

import io

from rich.console import Console

from adapters.console.outbound import TerminalReply
from bot.domain.answers import Citation
from bot.domain.replies import Notice
from tests.fakes.core import answer


def terminal() -> tuple[Console, io.StringIO]:
    out = io.StringIO()
    return Console(file=out, force_terminal=True, width=80, height=20, color_system="standard"), out


async def test_the_end_of_a_long_text_is_shown_while_it_grows() -> None:
    console, out = terminal()
    reply = TerminalReply(console, clock=lambda: 0.0)
    await reply.status("Writing")
    await reply.show("\n".join(f"line {number}" for number in range(100)))
    console.print(reply._drawn())
    reply.close()
    assert "line 99" in out.getvalue()
    assert "line 2\n" not in out.getvalue()
    assert "Writing" in out.getvalue()


async def test_an_answer_ends_with_numbered_sources_that_open_their_pages() -> None:
    console, out = terminal()
    reply = TerminalReply(console)
    sources = (Citation(number=1, memory_id="m", title="Owls\x1b[2J", url="https://o.example/"),)
    await reply.finish(answer("They hunt [1].", citations=sources))
    text = out.getvalue()
    assert "They hunt [1]." in text
    assert "[1] Owls · https://o.example/" in text
    assert "\x1b]8;" in text
    assert "Owls\x1b[2J" not in text


async def test_a_stopped_answer_says_so_and_a_failure_is_marked() -> None:
    console, out = terminal()
    reply = TerminalReply(console)
    reply.stop()
    assert reply.stopped
    await reply.finish(answer("Half an", stopped=True))
    failing = TerminalReply(console)
    await failing.fail("No room on the disk.")
    await TerminalReply(console).say(Notice(text="**Saved**"))
    text = out.getvalue()
    assert "Stopped." in text
    assert "✗ No room on the disk." in text
    assert "Saved" in text
    assert failing.failed
