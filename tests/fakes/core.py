"""A core that does what a test scripts, and records what an adapter handed to it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

from bot.domain.answers import Answer
from bot.domain.memories import Memory
from bot.domain.messages import Action, Message
from bot.domain.rooms import Room, Scope
from bot.ports import CommandRow, Reply

Script = Callable[[Message, Reply], Awaitable[None]]


class ScriptedCore:
    """`bot.ports.Core`: `on_message` decides what happens; without it addressed messages are answered at once."""

    def __init__(
        self, on_message: Script | None = None, on_action: Callable[..., Awaitable[None]] | None = None
    ) -> None:
        self._on_message = on_message or answer_with("All good.")
        self._on_action = on_action
        self.received: list[Message] = []
        self.edits: list[Message] = []
        self.deletes: list[tuple[Room, str]] = []
        self.actions: list[Action] = []
        self.moves: list[tuple[Room, Room]] = []
        self.completions: dict[str, tuple[str, ...]] = {}
        self.searches: list[tuple[str, tuple[Scope, ...]]] = []
        self.found: tuple[Memory, ...] = ()

    async def receive(self, message: Message, reply: Reply) -> None:
        self.received.append(message)
        await self._on_message(message, reply)

    async def edited(self, message: Message, reply: Reply) -> None:
        self.edits.append(message)

    async def deleted(self, room: Room, message_id: str) -> None:
        self.deletes.append((room, message_id))

    async def act(self, action: Action, reply: Reply) -> None:
        self.actions.append(action)
        if self._on_action is not None:
            await self._on_action(action, reply)

    async def suggest(
        self, typed: str, scopes: Sequence[Scope], *, kind: Literal["title", "tag", "pocket"]
    ) -> tuple[str, ...]:
        return tuple(word for word in self.completions.get(kind, ()) if word.startswith(typed))

    async def search(self, text: str, scopes: Sequence[Scope]) -> tuple[Memory, ...]:
        self.searches.append((text, tuple(scopes)))
        return self.found

    async def moved(self, old: Room, new: Room) -> None:
        self.moves.append((old, new))

    @property
    def command_table(self) -> Sequence[CommandRow]:
        return (
            CommandRow(name="ask", help="Ask what was saved.", argument="question"),
            CommandRow(name="save", help="Save a link or a note.", argument="link or note"),
            CommandRow(name="help", help="Say what I can do."),
        )


def answer(text: str, **more: Any) -> Answer:
    """Make an answer with what tests do not care about filled in."""
    return Answer(**{"text": text, "intent": "simple_lookup", "confidence": 1.0, "standalone": "", **more})


def answer_with(*words: str, pause_s: float = 0.0, **more: Any) -> Script:
    """Script an answer that grows by these pieces; links addressed to nobody get the sign that they were saved."""

    async def script(message: Message, reply: Reply) -> None:
        if not message.addressed:
            if message.links:
                await reply.mark("saved")
            return
        await reply.status("Searching…")
        for end in range(1, len(words) + 1):
            await reply.show("".join(words[:end]))
            await asyncio.sleep(pause_s)
        await reply.finish(answer("".join(words), **more))

    return script
