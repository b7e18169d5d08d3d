"""Forget on request: show exactly what will go, take a yes or a no, remove it, and prove it by looking again."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.domain.errors import BadInput
from bot.domain.links import addresses_in, page_key
from bot.domain.memories import Filters, Memory
from bot.domain.messages import Message
from bot.domain.replies import Button, Notice
from bot.domain.rooms import Person, Room, Scope
from bot.keeper import may_change
from bot.ports import Clock, MemoryStore, RoomSettings, Transcript
from bot.wording import counted_memories, forgotten, item_line
from bot.words.choosing import words_of
from bot.words.frame import Words

CONFIRM_WITHIN: Final = timedelta(hours=1)
SHOWN: Final = 10
MINE: Final = frozenset({"mine", "meine", "meins", "mío", "mio", "mía", "lo mío", "lo mio"})
ROOM: Final = frozenset({"room", "this room", "raum", "sala"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """What was proposed to be forgotten, until it is confirmed."""

    memory_ids: tuple[str, ...]
    at: datetime
    room_key: str = ""
    """The room whose conversation goes too; empty when it stays."""


class Forgetting:
    """Proposals to forget, one person's in one room."""

    def __init__(
        self, *, memories: MemoryStore, rooms: RoomSettings, transcript: Transcript, clock: Clock, timezone: str
    ) -> None:
        self._memories = memories
        self._rooms = rooms
        self._transcript = transcript
        self._clock = clock
        self._timezone = timezone

    async def propose(self, message: Message, argument: str, scopes: Sequence[Scope]) -> Notice:
        """Show exactly what will go, and how to go on. BadInput when nothing is named."""
        words, wanted = words_of(message.language), argument.strip().strip("`")
        memories = await self._named(message, wanted, scopes)
        whole_room = wanted.lower() in ROOM and (message.administrator or message.room.kind == "direct")
        if not memories and not whole_room:
            return Notice(text=words.nothing_matches)
        code = secrets.token_hex(3)
        pending = {
            "ids": [memory.memory_id for memory in memories],
            "at": self._clock.now().isoformat(),
            "room": message.room.key if whole_room else "",
        }
        await self._rooms.set(message.author.key, f"forget:{code}", json.dumps(pending))
        await self._rooms.set(message.author.key, asked_in(message.room), code)
        buttons = (
            Button(name="confirm", target=code, label=words.forget),
            Button(name="cancel", target=code, label=words.keep),
        )
        timezone = message.timezone or self._timezone
        text = proposal(memories, code, words, timezone=timezone, conversation=whole_room)
        return Notice(text=text, buttons=buttons)

    async def asked(self, message: Message) -> str:
        """Return the code of what this person was just asked here; only their very next message can be the answer."""
        name = asked_in(message.room)
        code = await self._rooms.get(message.author.key, name) or ""
        if code:
            await self._rooms.set(message.author.key, name, None)
        return code

    async def confirm(self, message: Message, code: str, scopes: Sequence[Scope]) -> str:
        """Forget what was shown under this code, look again, and say the true counts. BadInput for an old code."""
        words = words_of(message.language)
        going = await self._going(message.author, code.strip())
        if going is None:
            raise BadInput(words.nothing_to_confirm)
        if self._clock.now() - going.at > CONFIRM_WITHIN:
            raise BadInput(words.too_long_ago)
        said = []
        if going.memory_ids:
            result = await self._memories.forget(going.memory_ids)
            left = await self._memories.count(Filters(memory_ids=going.memory_ids), scopes)
            said.append(forgotten(result, left, words))
        if going.room_key and going.room_key == message.room.key:
            said.append(await self._without_conversation(message.room, words))
        return "\n".join(said) or words.nothing_forgotten

    async def cancel(self, person: Person, code: str, words: Words) -> str:
        """Drop a proposal."""
        await self._rooms.set(person.key, f"forget:{code.strip()}", None)
        return words.kept

    async def _without_conversation(self, room: Room, words: Words) -> str:
        """Remove every turn of the room, look again, and say so."""
        removed = await self._transcript.forget_room(room)
        left = len(await self._transcript.last(room, limit=1))
        return words.still_found.format(number=left) if left else words.conversation_gone.format(number=removed)

    async def _going(self, person: Person, code: str) -> Going | None:
        """Return a proposal, which is used up by that."""
        stored = await self._rooms.get(person.key, f"forget:{code}")
        if not stored:
            return None
        await self._rooms.set(person.key, f"forget:{code}", None)
        pending = json.loads(stored)
        return Going(
            memory_ids=tuple(pending["ids"]), at=datetime.fromisoformat(pending["at"]), room_key=pending.get("room", "")
        )

    async def _named(self, message: Message, wanted: str, scopes: Sequence[Scope]) -> tuple[Memory, ...]:
        """Return the memories that are named exactly and that this person may forget."""
        if not wanted and not message.replied:
            raise BadInput(words_of(message.language).forget_what)
        found = await self._matching(message, wanted, scopes)
        return tuple(memory for memory in found if may_change(memory, message))

    async def _matching(self, message: Message, wanted: str, scopes: Sequence[Scope]) -> Sequence[Memory]:
        """Return what an argument names: the message replied to, mine, the room, an address, an id or a whole title."""
        if not wanted and message.replied:
            return await self._memories.of_source(message.replied.key)
        if wanted.lower() in MINE:
            return await self._all(Filters(person_ids=(message.author.key,)), scopes)
        if wanted.lower() in ROOM:
            return await self._all(Filters(room_keys=(message.room.key,)), scopes)
        if addresses := addresses_in(wanted):
            return await self._memories.find(page_key(addresses[0].url), scopes)
        memory = await self._memories.get(wanted, scopes)
        if memory:
            return (memory,)
        titled = await self._memories.list(Filters(), scopes, limit=SHOWN, matching=wanted)
        return [memory for memory in titled if memory.title.casefold() == wanted.casefold()]

    async def _all(self, filters: Filters, scopes: Sequence[Scope]) -> tuple[Memory, ...]:
        return await self._memories.list(filters, scopes, limit=await self._memories.count(filters, scopes) or 1)


def asked_in(room: Room) -> str:
    """Return the name of the setting that holds what somebody was last asked in a room."""
    return f"asked:{room.key}"


def proposal(memories: Sequence[Memory], code: str, words: Words, *, timezone: str, conversation: bool) -> str:
    """Return in Markdown what will go, and how to go on."""
    lines = [f"- {item_line(memory, words, timezone=timezone)}" for memory in memories[:SHOWN]]
    more = len(memories) - len(lines)
    return "\n".join(
        [
            words.will_forget.format(memories=counted_memories(len(memories), words)),
            *lines,
            *([f"- {words.and_more.format(number=more)}"] if more else []),
            *([f"- {words.and_conversation}"] if conversation else []),
            words.go_on.format(code=code),
        ]
    )
