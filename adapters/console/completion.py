"""Complete commands, and the titles, tags and pockets that they take, while a person types."""

import re
from collections.abc import AsyncGenerator, Iterable, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory

from bot.domain.rooms import Scope
from bot.ports import Core

KEEPS_WORDS = re.compile(r"\s*(?:/(?:note|save|edit)\b|(?:save|note|remember|keep)\b)", re.IGNORECASE)


class CommandCompleter(Completer):
    """Completes from the core's command table and from what was saved."""

    def __init__(self, core: Core, scopes: Sequence[Scope]) -> None:
        self._core = core
        self._scopes = scopes

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Nothing: completions are looked up without holding up the loop."""
        del document, complete_event
        return ()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        del complete_event
        line = document.text_before_cursor
        if not line.startswith("/"):
            return
        name, space, argument = line[1:].partition(" ")
        for row in self._core.command_table:
            if not space and row.name.startswith(name.lower()):
                yield Completion(f"/{row.name}", start_position=-len(line), display_meta=row.help)
            elif space and row.name == name.lower() and row.completes:
                for word in await self._core.suggest(argument, self._scopes, kind=row.completes):
                    yield Completion(word, start_position=-len(argument))


class QuestionHistory(FileHistory):
    """Remembers what was typed, but for thoughts and notes: those are in the palace, where they can be forgotten."""

    def store_string(self, string: str) -> None:
        if not KEEPS_WORDS.match(string):
            super().store_string(string)
