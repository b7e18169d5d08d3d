"""The one place where every platform's messages are acted on, and where failures become words."""

from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Final, Literal

import structlog

from bot.command_runner import CommandRunner
from bot.commands import COMMANDS, agreement, spoken_command
from bot.domain.errors import BadInput, NotAllowed, PalaceError, StorageTrouble
from bot.domain.memories import Memory
from bot.domain.messages import Action, Message
from bot.domain.replies import Notice
from bot.domain.rooms import Person, Room, Scope
from bot.finding import Finder
from bot.forgetting import Forgetting
from bot.keeper import Keeper
from bot.ports import CommandRow, MemoryStore, Reply, RoomSettings
from bot.purpose import SAVE_THIS, Purpose, purpose
from bot.responder import Responder, scopes_of
from bot.saving import replied_instead
from bot.words.choosing import language_of, words_of

CONSOLE_ROOM: Final = Room(platform="console", channel="terminal", kind="direct")
"""Where the command line and the terminal chat save and ask."""
OWNER: Final = Person(platform="console", person_id="owner")
"""Who types there: whoever may open the palace's file."""

log = structlog.get_logger(__name__)


class Bot:
    """The conversation core: every adapter calls this, whatever its platform. Implements `bot.ports.Core`."""

    def __init__(
        self,
        *,
        keeper: Keeper,
        forgetting: Forgetting,
        responder: Responder,
        runner: CommandRunner,
        memories: MemoryStore,
        rooms: RoomSettings,
        finder: Finder,
    ) -> None:
        self._finder = finder
        self._keeper = keeper
        self._forgetting = forgetting
        self._responder = responder
        self._runner = runner
        self._memories = memories
        self._rooms = rooms

    @property
    def command_table(self) -> Sequence[CommandRow]:
        return COMMANDS

    async def receive(self, message: Message, reply: Reply) -> None:
        match purpose(message):
            case "ignore":
                pass
            case "watch":
                await self._guarded(self._watch(message, reply), reply, silent=True)
            case wanted:
                language = await self._language(message)
                message = replace(message, language=language)
                await self._guarded(self._do(wanted, message, reply), reply, language=language)

    async def edited(self, message: Message, reply: Reply) -> None:
        await self._guarded(self._follow(message), reply, silent=True)

    async def deleted(self, room: Room, message_id: str) -> None:
        await self._keeper.undo_source(f"{room.key}/{message_id}")

    async def act(self, action: Action, reply: Reply) -> None:
        language = await self._language(action)
        await self._guarded(self._act(action, reply, language), reply, language=language)

    async def suggest(
        self, typed: str, scopes: Sequence[Scope], *, kind: Literal["title", "tag", "pocket"]
    ) -> tuple[str, ...]:
        return (await self._memories.vocabulary(scopes, kind=kind, starting=typed))[:25]

    async def search(self, text: str, scopes: Sequence[Scope]) -> tuple[Memory, ...]:
        return await self._finder.find(text, scopes)

    async def moved(self, old: Room, new: Room) -> None:
        await self._memories.move_room(old, new)

    async def _do(self, wanted: Purpose, message: Message, reply: Reply) -> None:
        """Do what a message is for; a yes or a no answers what its writer was just asked."""
        code = await self._forgetting.asked(message)
        if code and (agreed := agreement(message.text)) is not None:
            await reply.say(Notice(text=await self._decided(message, code, agreed=agreed)))
            return
        match wanted:
            case "save":
                await self._keeper.keep_on_request(to_keep(message), reply)
            case "note":
                await self._keeper.keep_on_request(message, reply, as_note=True)
            case "command":
                await self._runner.run(replace(message, text=spoken_command(message.text) or message.text), reply)
            case _:
                await self._responder.answer(message, message.text, reply)

    async def _decided(self, message: Message, code: str, *, agreed: bool) -> str:
        if agreed:
            return await self._forgetting.confirm(message, code, scopes_of(message))
        return await self._forgetting.cancel(message.author, code, words_of(message.language))

    async def _watch(self, message: Message, reply: Reply) -> None:
        if await self._watches(message.room):
            await self._keeper.keep_silently(message, reply)

    async def _follow(self, message: Message) -> None:
        watched = message.watched and await self._watches(message.room)
        await self._keeper.follow_edit(replace(message, watched=watched))

    async def _watches(self, room: Room) -> bool:
        return await self._rooms.get(room.key, "watch") != "off"

    async def _act(self, action: Action, reply: Reply, language: str) -> None:
        words = words_of(language)
        match action.name:
            case "undo":
                await reply.say(Notice(text=await self._keeper.undo(action, words)))
            case "up":
                await reply.say(await self._responder.vote(action, 1, words))
            case "down":
                await reply.say(await self._responder.vote(action, -1, words))
            case "why":
                told = await self._responder.explain(
                    action.room, action.person, words, action.target, private_reply=action.private_reply
                )
                await reply.say(told)
            case "share":
                await self._responder.share(action, reply, words)
            case "cancel":
                await reply.say(Notice(text=await self._forgetting.cancel(action.person, action.target, words)))
            case "confirm" | "retry" | "edit" | "tags":
                await self._runner.run(as_command(action, language), reply)
            case _:
                raise BadInput(words.unknown_button.format(name=action.name))

    async def _language(self, said: Message | Action) -> str:
        """Return the language to answer in; where the disk cannot tell, the platform's."""
        try:
            return await language_of(said, self._rooms)
        except StorageTrouble:
            return said.language if isinstance(said, Message) else ""

    async def _guarded(self, work: Awaitable[None], reply: Reply, *, silent: bool = False, language: str = "") -> None:
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
            await (reply.mark("failed") if silent else reply.fail(words_of(language).unexpected))


def to_keep(message: Message) -> Message:
    """Return what is to be kept: the message replied to, where somebody says no more than "save this"."""
    if message.surface != "message" or message.attachments or not SAVE_THIS.fullmatch(message.text):
        return message
    return replied_instead(message) if message.replied else replace(message, text="")


def as_command(action: Action, language: str) -> Message:
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
        language=language,
    )
