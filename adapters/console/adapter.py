"""The terminal as a room: read what is typed or piped in, hand it to the core, show what it says."""

import asyncio
import contextlib
import importlib
import secrets
import signal
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import ModuleType

from adapters.console.inbound import message_of
from adapters.console.plain import PlainReply
from bot.domain.errors import BadInput
from bot.domain.lines import printable
from bot.domain.messages import Message
from bot.domain.rooms import Person, Room, readable
from bot.ports import AdapterHealth, Clock, Core

LOOK_EVERY_S = 0.05
STOPPING_S = 1.0
"""How long a stopped answer may take to end by itself before it is broken off."""
HINT = "Drop a link, a file or a thought (save: …), or ask. /help lists commands, Ctrl-D leaves."


class ConsoleAdapter:
    """One person at one terminal, or a program on the other end of a pipe."""

    name = "console"

    def __init__(
        self,
        *,
        room: Room,
        person: Person,
        clock: Clock,
        waiting: Callable[[], Awaitable[int]],
        home: Path,
        plain: bool = False,
    ) -> None:
        self.failures = 0
        self._room = room
        self._person = person
        self._clock = clock
        self._waiting = waiting
        self._home = home
        self._terminal = not plain and sys.stdin.isatty() and sys.stdout.isatty()
        if self._terminal:
            load_prompt()
        self._session = secrets.token_hex(4)
        self._lines = 0
        self._last_line_at: datetime | None = None

    async def run(self, core: Core) -> None:
        """Talk until the person leaves or the input ends."""
        await (self._talk(core) if self._terminal else self._read_pipe(core))

    def health(self) -> AdapterHealth:
        return AdapterHealth(name=self.name, connected=True, last_event_at=self._last_line_at)

    async def _read_pipe(self, core: Core) -> None:
        """Work one line after the other; a question waits until what was saved before it is read."""
        async for line in piped_lines():
            message = self._message(line)
            if isinstance(message, Message):
                if asks(message):
                    await self._until_read()
                reply = PlainReply()
                sys.stdout.write(f"> {printable(line)}\n")
                await core.receive(message, reply)
                self.failures += reply.failed
            else:
                await PlainReply().fail(message)
                self.failures += 1
        await self._until_read()

    async def _talk(self, core: Core) -> None:
        """Prompt, answer, prompt again."""
        prompt = load_prompt().Prompt(core, readable(self._room, self._person), home=self._home)
        prompt.tell(HINT)
        while (line := await prompt.line()) is not None:
            message = self._message(line)
            if isinstance(message, Message):
                reply = prompt.reply()
                with stopping(reply.stop) as stopped:
                    await until_stopped(core.receive(message, reply), stopped)
                reply.close()
            else:
                prompt.complain(message)

    def _message(self, line: str) -> Message | str:
        """Return a line as a message, or in a sentence why it cannot be one."""
        self._lines += 1
        self._last_line_at = self._clock.now()
        number = f"{self._session}-{self._lines}"
        try:
            return message_of(line, number=number, room=self._room, person=self._person, now=self._last_line_at)
        except BadInput as error:
            return str(error)

    async def _until_read(self) -> None:
        """Wait until everything saved is read."""
        while await self._waiting():  # noqa: ASYNC110 - the queue is on disk and tells nobody
            await asyncio.sleep(LOOK_EVERY_S)


def load_prompt() -> ModuleType:
    """Import what only a terminal needs; done before the loading of the model competes for the processor."""
    return importlib.import_module("adapters.console.prompting")


def asks(message: Message) -> bool:
    """Whether a line may need what was saved before it; links, files and thoughts do not."""
    saves = message.text.lower().startswith(("http://", "https://", "/save", "/note", "save:", "note:"))
    return not (saves or message.attachments)


async def piped_lines() -> AsyncIterator[str]:
    """Yield the lines of standard input that are not empty; a thread waits for them, since files cannot be polled."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[bytes | None]()

    def read() -> None:
        with contextlib.suppress(RuntimeError, ValueError):  # the loop or the input was closed meanwhile
            for line in sys.stdin.buffer:
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, name="standard input", daemon=True).start()
    while (line := await lines.get()) is not None:
        text = line.decode("utf-8", "replace").strip().removeprefix("\ufeff")
        if text:
            yield text


@contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[asyncio.Event]:
    """Let Ctrl-C ask an answer to stop, instead of ending the program, as long as it runs."""
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()

    def on_interrupt() -> None:
        stop()
        stopped.set()

    before = signal.getsignal(signal.SIGINT)
    loop.add_signal_handler(signal.SIGINT, on_interrupt)
    try:
        yield stopped
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)


async def until_stopped(work: Awaitable[None], stopped: asyncio.Event) -> None:
    """Wait for an answer; once stopped, it has a moment to end by itself before it is broken off."""
    answering = asyncio.ensure_future(work)
    waiting = asyncio.ensure_future(stopped.wait())
    try:
        await asyncio.wait({answering, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            await asyncio.wait({answering}, timeout=STOPPING_S)
    finally:
        waiting.cancel()
        if not answering.done():
            answering.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await answering
