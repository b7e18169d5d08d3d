"""The chat over a pipe and at a terminal, against a core that does what the test scripts."""

import asyncio
import io
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from adapters.console.adapter import ConsoleAdapter, stopping, until_stopped
from adapters.console.completion import CommandCompleter, QuestionHistory
from bot.domain.messages import Message
from bot.domain.replies import Notice
from bot.domain.rooms import Person, Room
from bot.ports import CommandRow, Reply
from tests.fakes.core import ScriptedCore, answer_with
from tests.fakes.reply import StandingClock

ROOM = Room(platform="console", channel="terminal", kind="direct")
ME = Person(platform="console", person_id="owner")


class Queue:
    """Counts down the memories that wait, one a look."""

    def __init__(self, waiting: int = 0) -> None:
        self.waiting = waiting
        self.looks = 0

    async def left(self) -> int:
        self.looks += 1
        self.waiting -= self.waiting > 0
        return self.waiting


async def piped(
    monkeypatch: pytest.MonkeyPatch, home: Path, core: ScriptedCore, lines: bytes, queue: Queue | None = None
) -> ConsoleAdapter:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    adapter = ConsoleAdapter(room=ROOM, person=ME, clock=StandingClock(), waiting=(queue or Queue()).left, home=home)
    await adapter.run(core)
    return adapter


async def test_each_piped_line_is_a_message_and_the_end_of_input_ends_the_chat(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    core = ScriptedCore(answer_with("All ", "good."))
    adapter = await piped(monkeypatch, tmp_path, core, "\ufeffhello\r\n\n  what else?  \nlast".encode())
    assert [message.text for message in core.received] == ["hello", "what else?", "last"]
    assert len({message.key for message in core.received}) == 3
    assert all(message.addressed and message.administrator for message in core.received)
    out = capsys.readouterr().out
    assert out == "> hello\nAll good.\n\n> what else?\nAll good.\n\n> last\nAll good.\n\n"
    assert adapter.failures == 0


async def test_a_piped_question_waits_until_what_was_saved_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    queue = Queue(waiting=4)
    seen: list[tuple[str, int]] = []

    async def script(message: Message, reply: Reply) -> None:
        seen.append((message.text, queue.waiting))
        await reply.say(Notice(text="ok"))

    await piped(monkeypatch, tmp_path, ScriptedCore(script), b"https://a.example/x\nWhat is it?\nsave: y\n", queue)
    assert [text for text, _ in seen] == ["https://a.example/x", "What is it?", "save: y"]
    assert seen[0][1] > 0
    assert seen[1][1] == 0


async def test_what_could_not_be_done_is_counted_and_does_not_stop_the_rest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(message: Message, reply: Reply) -> None:
        await (reply.fail("There is no command /x.") if message.text == "/x" else reply.say(Notice(text="ok")))

    adapter = await piped(monkeypatch, tmp_path, ScriptedCore(script), b"/x\n./gone.txt\nfine \xff\n")
    captured = capsys.readouterr()
    assert adapter.failures == 2
    assert captured.err == "There is no command /x.\nThere is no file gone.txt.\n"
    assert "ok" in captured.out


async def test_interrupting_an_answer_stops_it_and_not_the_program() -> None:
    asked_to_stop = asyncio.Event()

    async def work() -> None:
        await asked_to_stop.wait()

    before = signal.getsignal(signal.SIGINT)
    with stopping(asked_to_stop.set) as stopped:
        asyncio.get_running_loop().call_later(0.01, os.kill, os.getpid(), signal.SIGINT)
        await until_stopped(work(), stopped)
    assert asked_to_stop.is_set()
    assert signal.getsignal(signal.SIGINT) == before


async def test_an_answer_that_does_not_stop_by_itself_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.console.adapter.STOPPING_S", 0.01)
    ended: list[str] = []

    async def deaf() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cleaned up")

    stopped = asyncio.Event()
    stopped.set()
    await until_stopped(deaf(), stopped)
    assert ended == ["cleaned up"]


class TitledCore(ScriptedCore):
    @property
    def command_table(self) -> list[CommandRow]:
        return [CommandRow(name="show", help="Show one.", completes="title"), CommandRow(name="search", help="Find.")]


async def completed(core: ScriptedCore, line: str) -> list[str]:
    completer = CommandCompleter(core, ())
    found = completer.get_completions_async(Document(line), CompleteEvent())
    return [completion.text async for completion in found]


async def test_commands_and_titles_are_completed() -> None:
    core: Any = TitledCore()
    core.completions = {"title": ("Owls at night", "Otters")}
    assert await completed(core, "/s") == ["/show", "/search"]
    assert await completed(core, "/show Ow") == ["Owls at night"]
    assert await completed(core, "/search Ow") == []
    assert await completed(core, "what") == []


def test_history_remembers_questions_and_no_thoughts(tmp_path: Path) -> None:
    path = tmp_path / "history"
    history = QuestionHistory(str(path))
    for line in ("what do owls eat?", "/note the code is 1234", "save: my secret", "/list"):
        history.append_string(line)
    assert list(QuestionHistory(str(path)).load_history_strings()) == ["/list", "what do owls eat?"]
