"""What a message is for, and the one place where every platform's messages are acted on."""

import re
from collections.abc import Awaitable, Sequence
from typing import Final, Literal

import structlog

from bot.command_runner import CommandRunner
from bot.commands import COMMANDS, parse_command
from bot.domain.errors import BadInput, NotAllowed, PalaceError
from bot.domain.links import addresses_in
from bot.domain.memories import Memory
from bot.domain.messages import Action, Message
from bot.domain.replies import Notice
from bot.domain.rooms import Person, Room, Scope
from bot.finding import Finder
from bot.keeper import Keeper
from bot.ports import CommandRow, MemoryStore, Reply, RoomSettings
from bot.responder import Responder
from bot.saving import asked_to_keep, note_of, replied_instead, tags_in
from bot.wording import UNEXPECTED

Purpose = Literal["save", "note", "watch", "answer", "command", "ignore"]

CONSOLE_ROOM: Final = Room(platform="console", channel="terminal", kind="direct")
"""Where the command line and the terminal chat save and ask."""
OWNER: Final = Person(platform="console", person_id="owner")
"""Who types there: whoever may open the palace's file."""

QUESTION = re.compile(
    r"[?？¿]|^\s*(?:who|what|when|where|which|why|how|is|are|does|do|did|can|compare|summari[sz]e|explain)\b",
    re.IGNORECASE,
)
SAVE_THIS = re.compile(
    r"^\s*(?:please\s+)?(?:save|keep|remember|speicher\w*|merk\w*|guarda\w*)(?:\s+(?:this|that|it|das|dies|esto))?\s*[.!]?\s*$",
    re.IGNORECASE,
)

log = structlog.get_logger(__name__)


def purpose(message: Message) -> Purpose:
    """Decide what a message is for. Nobody is answered who did not address the bot."""
    if message.surface in {"shortcut", "menu", "reaction", "import"}:
        return "save"
    command = parse_command(message.text)
    if command and (command.known or message.addressed):
        return "command"
    links = message.links or addresses_in(message.text)
    if not message.addressed:
        return "watch" if links and message.watched else "ignore"
    if message.origin is not None or message.attachments:
        return "save"
    if SAVE_THIS.match(message.text) and message.replied is not None:
        return "save"
    if asked_to_keep(message.text):
        return "save" if links else "note"
    if links:
        words = note_of(message.text, tuple(links))
        return "answer" if QUESTION.search(words) else "save"
    if message.room.kind == "direct" and tags_in(message.text) and not QUESTION.search(message.text):
        return "note"
    return "answer"


class Bot:
    """The conversation core: every adapter calls this, whatever its platform. Implements `bot.ports.Core`."""

    def __init__(
        self,
        *,
        keeper: Keeper,
        responder: Responder,
        runner: CommandRunner,
        finder: Finder,
        memories: MemoryStore,
        rooms: RoomSettings,
    ) -> None:
        self._keeper = keeper
        self._responder = responder
        self._runner = runner
        self._finder = finder
        self._memories = memories
        self._rooms = rooms

    @property
    def command_table(self) -> Sequence[CommandRow]:
        return COMMANDS

    async def receive(self, message: Message, reply: Reply) -> None:
        match purpose(message):
            case "watch":
                await self._guarded(self._watch(message, reply), reply, silent=True)
            case "save":
                await self._guarded(self._keeper.keep_on_request(to_keep(message), reply), reply)
            case "note":
                await self._guarded(self._keeper.keep_on_request(message, reply, as_note=True), reply)
            case "command":
                await self._guarded(self._runner.run(message, reply), reply)
            case "answer":
                await self._guarded(self._responder.answer(message, message.text, reply), reply)
            case "ignore":
                pass

    async def edited(self, message: Message, reply: Reply) -> None:
        await self._guarded(self._keeper.follow_edit(message), reply, silent=True)

    async def deleted(self, room: Room, message_id: str) -> None:
        await self._keeper.undo_source(f"{room.key}/{message_id}")

    async def act(self, action: Action, reply: Reply) -> None:
        await self._guarded(self._act(action, reply), reply)

    async def suggest(
        self, typed: str, scopes: Sequence[Scope], *, kind: Literal["title", "tag", "pocket"]
    ) -> tuple[str, ...]:
        return (await self._memories.vocabulary(scopes, kind=kind, starting=typed))[:25]

    async def search(self, text: str, scopes: Sequence[Scope]) -> tuple[Memory, ...]:
        return await self._finder.find(text, scopes)

    async def moved(self, old: Room, new: Room) -> None:
        await self._memories.move_room(old, new)

    async def _watch(self, message: Message, reply: Reply) -> None:
        if await self._rooms.get(message.room.key, "watch") != "off":
            await self._keeper.keep_silently(message, reply)

    async def _act(self, action: Action, reply: Reply) -> None:
        match action.name:
            case "undo":
                await reply.say(Notice(text=await self._keeper.undo(action)))
            case "up":
                await reply.say(await self._responder.vote(action, 1))
            case "down":
                await reply.say(await self._responder.vote(action, -1))
            case "why":
                await reply.say(await self._responder.explain(action.room, action.person, action.target))
            case "share":
                await self._responder.share(action, reply)
            case "cancel":
                await reply.say(Notice(text=await self._keeper.cancel(action.person, action.target)))
            case "confirm" | "retry" | "edit" | "tags":
                await self._runner.run(as_command(action), reply)
            case _:
                raise BadInput(f"I do not know the button {action.name!r}.")

    async def _guarded(self, work: Awaitable[None], reply: Reply, *, silent: bool = False) -> None:
        """Turn a failure into words, here and nowhere else; a silent one only into a sign."""
        try:
            await work
        except (BadInput, NotAllowed) as error:
            await (reply.mark("failed") if silent else reply.fail(str(error)))
        except PalaceError as error:
            log.warning("failed", error=str(error), kind=type(error).__name__)
            await (reply.mark("failed") if silent else reply.fail(str(error)))
        except Exception:
            log.exception("unexpected")
            await (reply.mark("failed") if silent else reply.fail(UNEXPECTED))


def to_keep(message: Message) -> Message:
    """Return what is to be kept: the message replied to, where somebody says no more than "save this"."""
    return replied_instead(message) if SAVE_THIS.match(message.text) else message


def as_command(action: Action) -> Message:
    """Return the command that a button stands for."""
    name = {"tags": "tag"}.get(action.name, action.name)
    return Message(
        message_id=f"action-{action.target}",
        room=action.room,
        author=action.person,
        text=f"/{name} {action.target} {action.value}".rstrip(),
        sent_at=action.at,
        addressed=True,
        surface="command",
        private_reply=action.private_reply,
        memberships=action.memberships,
        administrator=action.administrator,
        timezone=action.timezone,
    )
