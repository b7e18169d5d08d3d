"""The prompt of the terminal chat: editing, history, completion, and how to leave."""

import os
from collections.abc import Sequence
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.history import History, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.text import Text

from adapters.console.completion import CommandCompleter, QuestionHistory
from adapters.console.outbound import TerminalReply
from bot.domain.rooms import Scope
from bot.ports import Core


class Prompt:
    """Reads lines from the person at the terminal."""

    def __init__(self, core: Core, scopes: Sequence[Scope], *, home: Path) -> None:
        self._console = Console(highlight=False)
        self._session: PromptSession[str] = PromptSession(
            history=history_in(home), completer=CommandCompleter(core, scopes), complete_while_typing=True
        )

    async def line(self) -> str | None:
        """Return the next line that is not empty; None when the person leaves (Ctrl-D, or Ctrl-C twice)."""
        interrupted = False
        while True:
            try:
                with patch_stdout(raw=True):
                    line = await self._session.prompt_async("› ")
            except EOFError:
                return None
            except KeyboardInterrupt:
                if interrupted:
                    return None
                interrupted = True
                self.tell("Ctrl-C again, or Ctrl-D, leaves.")
                continue
            if line.strip():
                return line
            interrupted = False

    def reply(self) -> TerminalReply:
        """Return a reply that is drawn under the prompt."""
        return TerminalReply(self._console)

    def tell(self, text: str) -> None:
        """Say something quietly."""
        self._console.print(Text(text, style="dim"))

    def complain(self, text: str) -> None:
        """Say what is wrong with a line."""
        self._console.print(Text(f"✗ {text}", style="red"))


def history_in(home: Path) -> History:
    """Return the history kept in the palace's home, readable by its owner alone; of this session where it cannot be."""
    path = home / "history"
    try:
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
    except OSError:
        return InMemoryHistory()
    return QuestionHistory(str(path))
