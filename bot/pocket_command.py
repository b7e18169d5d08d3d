"""The command /pocket: choose the pocket that a room saves into and asks from, list, rename, leave."""

import re
from typing import Final

from bot.domain.errors import BadInput, NotAllowed
from bot.domain.memories import Filters
from bot.domain.messages import Message
from bot.keeper import may_change
from bot.ports import MemoryStore, RoomSettings
from bot.responder import scopes_of
from bot.wording import counted_memories
from bot.words.choosing import words_of

NAME: Final = re.compile(r"\w[\w -]{0,39}")
LEAVE: Final = frozenset(
    {
        *("off", "none", "no", "nothing", "leave", "out", "exit", "default", "-", "--"),
        *("aus", "kein", "keine", "keinen", "nein", "raus"),
        *("ninguno", "ninguna", "nada", "salir"),
    }
)
LIST: Final = frozenset({"", "list", "all", "?", "liste", "lista"})
RENAME: Final = re.compile(
    r"(?:rename|umbenennen|renombrar)\s+(?:[\"“„«](?P<quoted>[^\"”“»]+)[\"”“»]|(?P<old>\S+))\s+"
    r"(?:(?:to|in|zu|a)\s+)?(?P<new>.+)",
    re.IGNORECASE,
)


class PocketCommand:
    """A room's pocket."""

    def __init__(self, *, memories: MemoryStore, rooms: RoomSettings) -> None:
        self._memories = memories
        self._rooms = rooms

    async def run(self, message: Message, argument: str) -> str:
        """Do what the argument asks for. BadInput for a name that cannot be one, or that there is not."""
        wanted = argument.strip().strip('"“”„«»').lower()
        if wanted in LIST:
            return await self._listed(message)
        if wanted in LEAVE:
            await self._rooms.set(message.room.key, "pocket", None)
            return words_of(message.language).pocket_left
        if renaming := RENAME.fullmatch(argument.strip()):
            old = (renaming["quoted"] or renaming["old"]).lower()
            return await self._rename(message, old, self._name(message, renaming["new"]))
        name = self._name(message, wanted)
        await self._rooms.set(message.room.key, "pocket", name)
        return words_of(message.language).pocket_chosen.format(pocket=name)

    async def _listed(self, message: Message) -> str:
        words = words_of(message.language)
        current = await self._rooms.get(message.room.key, "pocket")
        here = words.pocket_is.format(pocket=current) if current else words.pocket_none
        known = await self._known(message)
        return f"{here} {words.pockets_here.format(pockets=known) if known else words.no_pockets}"

    async def _known(self, message: Message) -> str:
        """Return the pockets that can be seen here, each with how many memories it holds."""
        scopes = scopes_of(message)
        names = await self._memories.vocabulary(scopes, kind="pocket")
        return ", ".join([f"{name} ({await self._memories.count(Filters(pocket=name), scopes)})" for name in names])

    async def _rename(self, message: Message, old: str, new: str) -> str:
        """Move what this person may change to the new name. NotAllowed where somebody else's is among it."""
        words, scopes = words_of(message.language), scopes_of(message)
        inside = Filters(pocket=old)
        number = await self._memories.count(inside, scopes)
        current = await self._rooms.get(message.room.key, "pocket")
        if not number and current != old:
            raise BadInput(words.pocket_unknown.format(pocket=old, pockets=await self._known(message) or "–"))
        memories = await self._memories.list(inside, scopes, limit=max(number, 1))
        if not all(may_change(memory, message) for memory in memories):
            raise NotAllowed(words.not_yours)
        for memory in memories:
            await self._memories.edit(memory.memory_id, pocket=new)
        if current == old:
            await self._rooms.set(message.room.key, "pocket", new)
        return words.pocket_renamed.format(old=old, new=new, memories=counted_memories(number, words))

    def _name(self, message: Message, typed: str) -> str:
        name = " ".join(typed.strip().strip('"“”„«»#').lower().split())
        if not NAME.fullmatch(name) or name in LEAVE | LIST:
            raise BadInput(words_of(message.language).pocket_name)
        return name
