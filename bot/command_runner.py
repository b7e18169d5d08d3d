"""Carry out the commands of the table, the same on every platform."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.commands import COMMANDS, ROWS, nearest_command, on_or_off, parse_command
from bot.domain.errors import BadInput, NotAllowed
from bot.domain.memories import Filters
from bot.domain.messages import Message
from bot.domain.replies import Notice
from bot.forgetting import Forgetting
from bot.keeper import Keeper
from bot.list_command import ListCommand
from bot.memory_commands import MemoryCommands
from bot.pocket_command import PocketCommand
from bot.ports import CommandRow, MemoryStore, Reply, RoomSettings
from bot.responder import Responder, scopes_of
from bot.saving import replied_instead
from bot.wording import counted_memories
from bot.words.choosing import words_of
from bot.words.english import ENGLISH
from bot.words.frame import Words

Handler = Callable[[Message, str], Awaitable[str | Notice]]


class CommandRunner:
    """Every command's deed, one method a command."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        rooms: RoomSettings,
        memory_commands: MemoryCommands,
        list_command: ListCommand,
        pocket_command: PocketCommand,
        keeper: Keeper,
        forgetting: Forgetting,
        responder: Responder,
    ) -> None:
        self._memories = memories
        self._rooms = rooms
        self._keeper = keeper
        self._forgetting = forgetting
        self._responder = responder
        self._handlers: dict[str, Handler] = {
            "help": self._help,
            "search": memory_commands.find,
            "list": list_command.run,
            "show": memory_commands.show,
            "edit": memory_commands.edit,
            "tag": memory_commands.tag,
            "pin": memory_commands.pin,
            "pocket": pocket_command.run,
            "retry": memory_commands.retry,
            "undo": self._undo,
            "forget": self._forget,
            "confirm": self._confirm,
            "why": self._why,
            "feedback": self._feedback,
            "recall": self._recall,
            "watch": self._watch,
            "status": self._status,
        }

    async def run(self, message: Message, reply: Reply) -> None:
        """Carry out the command that the message is. BadInput for one that does not exist."""
        command = parse_command(message.text)
        if command is None or not command.known:
            raise BadInput(no_such_command(command.name if command else message.text, words_of(message.language)))
        match command.name:
            case "save":
                await self._keeper.keep_on_request(to_save(message, command.argument), reply)
            case "note":
                await self._keeper.keep_on_request(replace(message, text=command.argument), reply, as_note=True)
            case "ask":
                await self._responder.answer(message, command.argument, reply)
            case name:
                said = await self._handlers[name](message, command.argument)
                await reply.say(said if isinstance(said, Notice) else Notice(text=said))

    async def _help(self, message: Message, argument: str) -> Notice:
        words = words_of(message.language)
        asked = parse_command(f"/{argument.strip().lstrip('/')}")
        if asked and asked.known:
            return Notice(text=help_of(ROWS[asked.name], words), kind="help")
        rows = [
            f"- `/{row.name}{' …' if row.argument else ''}` {words.helps.get(row.name, row.help)}" for row in COMMANDS
        ]
        return Notice(text="\n".join([words.help_lead, *rows, words.help_one]), kind="help")

    async def _undo(self, message: Message, _argument: str) -> str:
        return await self._keeper.undo_last(message)

    async def _forget(self, message: Message, argument: str) -> Notice:
        return await self._forgetting.propose(message, argument, scopes_of(message))

    async def _confirm(self, message: Message, argument: str) -> str:
        return await self._forgetting.confirm(message, argument, scopes_of(message))

    async def _why(self, message: Message, _argument: str) -> Notice:
        words = words_of(message.language)
        return await self._responder.explain(message.room, message.author, words, private_reply=message.private_reply)

    async def _feedback(self, message: Message, argument: str) -> str:
        words = words_of(message.language)
        if argument.startswith("undo"):
            return await self._responder.undo_vote(message.author, argument, words)
        return await self._responder.votes(message.room, message.author, words)

    async def _recall(self, message: Message, argument: str) -> str:
        words, switch = words_of(message.language), on_or_off(argument)
        if switch is None:
            now = await self._rooms.get(message.room.key, "recall") or "on"
            return words.recall_is.format(switch=words.switches[now])
        await self._rooms.set(message.room.key, "recall", switch)
        return words.recall_set.format(switch=words.switches[switch])

    async def _watch(self, message: Message, argument: str) -> str:
        words, switch = words_of(message.language), on_or_off(argument)
        if switch is None:
            now = await self._rooms.get(message.room.key, "watch") or "on"
            return words.watch_is.format(switch=words.switches[now])
        if not (message.administrator or message.room.kind == "direct"):
            raise NotAllowed(words.watch_refused)
        await self._rooms.set(message.room.key, "watch", switch)
        return words.watch_set.format(switch=words.switches[switch])

    async def _status(self, message: Message, _argument: str) -> str:
        words, scopes = words_of(message.language), scopes_of(message)
        return words.status.format(
            memories=counted_memories(await self._memories.count(Filters(), scopes), words),
            waiting=await self._memories.count(Filters(states=("queued", "fetching")), scopes),
            failed=await self._memories.count(Filters(states=("failed",)), scopes),
            links=await self._memories.count(Filters(states=("link_only",)), scopes),
        )


def no_such_command(name: str, words: Words) -> str:
    """Say that there is no such command, and which one may be meant."""
    near = nearest_command(name)
    return words.did_you_mean.format(name=name, near=near) if near else words.unknown_command.format(name=name)


def help_of(row: CommandRow, words: Words) -> str:
    """Return what one command does, what to type after it, and an example."""
    argument = f" …  ({row.argument})" if row.argument and words is ENGLISH else " …" if row.argument else ""
    example = words.example.format(example=row.example)
    return f"`/{row.name}`{argument}: {words.helps.get(row.name, row.help)}.\n{example}"


def to_save(message: Message, argument: str) -> Message:
    """Return what `/save` is to keep: its argument, or the message it replies to."""
    if not argument.strip() and not message.attachments:
        return replied_instead(message) if message.replied else replace(message, text="")
    return replace(message, text=argument)
