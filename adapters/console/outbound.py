"""Write replies into a terminal: a status while steps run, the text as it comes, sources as numbered links."""

import time
from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markdown import Markdown
from rich.spinner import Spinner
from rich.text import Text

from adapters.console.plain import source_line
from adapters.source_words import source_words
from bot.domain.answers import Answer, Citation
from bot.domain.lines import printable
from bot.domain.replies import Notice, Sign

REDRAWS_PER_S = 12
ROOM_FOR_STATUS = 4
"""Lines kept free under the growing text, so that redrawing never scrolls."""


class TerminalReply:
    """One reply, redrawn in place while it grows and printed for good when it is whole."""

    def __init__(self, console: Console, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.stopped = False
        self.failed = False
        self._console = console
        self._clock = clock
        self._started = clock()
        self._status = "Thinking"
        self._text = ""
        self._spinner = Spinner("dots")
        self._live = Live(get_renderable=self._drawn, console=console, transient=True, refresh_per_second=REDRAWS_PER_S)
        self._live.start()

    async def status(self, text: str) -> None:
        self._status = printable(text)

    async def show(self, text_so_far: str) -> None:
        self._text = printable(text_so_far)

    async def finish(self, answer: Answer) -> None:
        self.close()
        if answer.text.strip():
            self._console.print(Markdown(printable(answer.text), hyperlinks=False))
        if answer.stopped:
            self._console.print(Text(source_words(answer.language).stopped, style="dim"))
        if answer.citations:
            self._console.print()
        for citation in answer.citations:
            self._console.print(source(citation, answer.language))
        self._console.print()

    async def fail(self, reason: str) -> None:
        self.failed = True
        self.close()
        self._console.print(Text(f"✗ {printable(reason)}", style="red"))

    async def say(self, notice: Notice) -> None:
        self.close()
        self._console.print(Markdown(printable(notice.text), hyperlinks=False))

    async def mark(self, sign: Sign) -> None:
        self.close()
        self._console.print(Text({"seen": "…", "failed": "✗"}.get(sign, "✓"), style="dim"))

    def stop(self) -> None:
        """Ask the answer to stop."""
        self.stopped = True
        self._status = "Stopping"

    def close(self) -> None:
        """Take the status line away; may be called again."""
        self._live.stop()

    def _drawn(self) -> RenderableType:
        """Return the end of the text so far, as much as fits, over the status line."""
        seconds = int(self._clock() - self._started)
        self._spinner.text = Text(f"{self._status} … {f'{seconds} s' if seconds else ''}", style="dim")
        height = max(3, self._console.height - ROOM_FOR_STATUS)
        lines = Text(self._text).wrap(self._console, self._console.width)
        if not lines:
            return self._spinner
        return Group(*list(lines)[-height:], Text(""), self._spinner)


def source(citation: Citation, language: str = "") -> Text:
    """Return a source as a numbered line that opens its page where the terminal can."""
    address = citation.permalink or citation.url
    line = Text(printable(source_line(citation, language)), style="dim")
    if address.startswith(("http://", "https://")):
        line.stylize(f"link {address}")
    return line
