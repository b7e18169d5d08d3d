"""Carry out the commands of the table, the same on every platform."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.commands import COMMANDS, nearest_command, on_or_off, parse_command
from bot.domain.errors import BadInput, NotAllowed
from bot.domain.memories import Filters
from bot.domain.messages import Message
from bot.domain.replies import Notice
from bot.keeper import Keeper
from bot.memory_commands import MemoryCommands
from bot.ports import MemoryStore, Reply, RoomSettings
from bot.responder import Responder, scopes_of
from bot.saving import replied_instead
from bot.wording import counted

Handler = Callable[[Message, str], Awaitable[str | Notice]]


class CommandRunner:
    """Every command's deed, one method a command."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        rooms: RoomSettings,
        memory_commands: MemoryCommands,
        keeper: Keeper,
        responder: Responder,
    ) -> None:
        self._memories = memories
        self._rooms = rooms
        self._keeper = keeper
        self._responder = responder
        self._handlers: dict[str, Handler] = {
            "help": self._help,
            "search": memory_commands.find,
            "list": memory_commands.list,
            "show": memory_commands.show,
            "edit": memory_commands.edit,
            "tag": memory_commands.tag,
            "pin": memory_commands.pin,
            "pocket": self._pocket,
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
            name = command.name if command else message.text
            raise BadInput(f"There is no command /{name}. Did you mean /{nearest_command(name)}? /help lists all.")
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

    async def _help(self, _message: Message, _argument: str) -> Notice:
        rows = [f"- `/{row.name}{' …' if row.argument else ''}` {row.help}" for row in COMMANDS]
        lead = (
            "Drop a link, a file or a thought here and I keep it; ask me, and I answer from what was saved, with "
            "sources.\nA question is just typed: *what did we save about caching?* A thought starts with `save:`."
        )
        return Notice(text="\n".join([lead, *rows]), kind="help")

    async def _pocket(self, message: Message, argument: str) -> str:
        if not argument:
            names = await self._memories.vocabulary(scopes_of(message), kind="pocket")
            current = await self._rooms.get(message.room.key, "pocket")
            listed = ", ".join(names) or "none yet"
            return f"This room's pocket: {current or 'none'}. Pockets here: {listed}. `/pocket name` chooses one."
        chosen = None if on_or_off(argument) == "off" else argument.strip().lower()
        await self._rooms.set(message.room.key, "pocket", chosen)
        if chosen is None:
            return "This room saves into no pocket now, and asks from everything it may read."
        return f"From now on this room saves into the pocket “{chosen}” and asks from it. `/pocket off` ends that."

    async def _undo(self, message: Message, _argument: str) -> str:
        return await self._keeper.undo_last(message.room, message.author, scopes_of(message))

    async def _forget(self, message: Message, argument: str) -> Notice:
        return await self._keeper.propose_forgetting(message, argument, scopes_of(message))

    async def _confirm(self, message: Message, argument: str) -> str:
        return await self._keeper.confirm(message.author, argument, scopes_of(message))

    async def _why(self, message: Message, _argument: str) -> Notice:
        return await self._responder.explain(message.room, message.author)

    async def _feedback(self, message: Message, argument: str) -> str:
        if argument.startswith("undo"):
            return await self._responder.undo_vote(message.author, argument)
        return await self._responder.votes(message.room, message.author)

    async def _recall(self, message: Message, argument: str) -> str:
        switch = on_or_off(argument)
        if switch is None:
            now = await self._rooms.get(message.room.key, "recall") or "on"
            return f"Recall of older turns is {now} in this room. `/recall on` or `/recall off` changes it."
        await self._rooms.set(message.room.key, "recall", switch)
        return f"Recall of older turns is {switch} in this room now."

    async def _watch(self, message: Message, argument: str) -> str:
        switch = on_or_off(argument)
        if switch is None:
            now = await self._rooms.get(message.room.key, "watch") or "on"
            return f"Watching for links is {now} in this room. `/watch on` or `/watch off` changes it."
        if not (message.administrator or message.room.kind == "direct"):
            raise NotAllowed("Only somebody who runs this room can change that.")
        await self._rooms.set(message.room.key, "watch", switch)
        return f"Watching for links is {switch} in this room now."

    async def _status(self, message: Message, _argument: str) -> str:
        scopes = scopes_of(message)
        total = await self._memories.count(Filters(), scopes)
        waiting = await self._memories.count(Filters(states=("queued", "fetching")), scopes)
        failed = await self._memories.count(Filters(states=("failed",)), scopes)
        links = await self._memories.count(Filters(states=("link_only",)), scopes)
        return (
            f"{counted(total, 'memory', 'memories')} readable here; {waiting} being read, {failed} waiting for "
            f"another try, {links} kept as links only."
        )


def to_save(message: Message, argument: str) -> Message:
    """Return what `/save` is to keep: its argument, or the message it replies to."""
    if not argument.strip() and not message.attachments:
        return replied_instead(message)
    return replace(message, text=argument)
