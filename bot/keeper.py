"""Keep what people share, follow their edits and deletes, and take back a save."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.commands import parse_command
from bot.domain.errors import BadInput, NotAllowed
from bot.domain.keys import digest
from bot.domain.links import addresses_in, page_key
from bot.domain.memories import Filters, Forgotten, Kept, Memory
from bot.domain.messages import Action, Message
from bot.domain.replies import Button, Notice
from bot.domain.rooms import Scope
from bot.ports import Clock, MemoryStore, Reply, RoomSettings
from bot.saving import broken_address, shared_in
from bot.wording import receipt
from bot.words.choosing import words_of
from bot.words.frame import Words

RECEIPT_WAIT_S = 8.0
LOOK_EVERY_S = 0.1
SUGGESTED_TAGS = 3
WAITING = frozenset({"queued", "fetching"})


def may_change(memory: Memory, message: Message) -> bool:
    """Whether somebody may change or forget a memory: one's own, and all for who runs the room."""
    return message.administrator or memory.scope.kind == "person" or memory.person.key == message.author.key


def taken_back(removed: Forgotten, words: Words) -> str:
    """Say what a save that was taken back took along: nothing but its note, where others saved the same."""
    return words.taken_back.format(titles=", ".join(removed.titles) or words.taken_back_note)


class Keeper:
    """Saving and taking back for one person in one room. `nudge` wakes the reading worker."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        rooms: RoomSettings,
        clock: Clock,
        nudge: Callable[[], None],
        timezone: str,
        receipt_wait_s: float = RECEIPT_WAIT_S,
    ) -> None:
        self._receipt_wait_s = receipt_wait_s
        self._memories = memories
        self._rooms = rooms
        self._clock = clock
        self._nudge = nudge
        self._timezone = timezone

    async def keep(self, message: Message, *, as_note: bool = False) -> tuple[Kept, ...]:
        """Write everything that a message shares; reading follows in the background."""
        pocket = await self._rooms.get(message.room.key, "pocket") or ""
        kept = [await self._memories.keep(shared) for shared in shared_in(message, pocket=pocket, as_note=as_note)]
        for one in kept:
            if one.known and one.new_share and one.memory.state not in WAITING:
                await self._memories.retry(one.memory.memory_id)
        self._nudge()
        return tuple(kept)

    def wake(self) -> None:
        """Wake the reading worker."""
        self._nudge()

    async def keep_silently(self, message: Message, reply: Reply) -> None:
        """Save the links of a watched room: a sign on the message is the whole answer."""
        kept = await self.keep(message)
        if kept:
            await reply.mark("known" if all(one.known for one in kept) else "saved")

    async def keep_on_request(self, message: Message, reply: Reply, *, as_note: bool = False) -> None:
        """Save and answer with one receipt, after giving the pages a few seconds to be read. BadInput when empty."""
        words = words_of(message.language)
        if not as_note and (broken := broken_address(message)):
            raise BadInput(words.broken_address.format(text=broken))
        kept = await self.keep(message, as_note=as_note)
        if not kept:
            raise BadInput(words.nothing_to_save)
        await reply.status(words.saving)
        read = await self._read(kept)
        now = [replace(one, memory=read.get(one.memory.memory_id) or await self._merged(one.memory)) for one in kept]
        suggested = await self._suggested_tags(now[0].memory) if len(now) == 1 else ()
        noted = any(shared.note for shared in shared_in(message, as_note=as_note))
        timezone = message.timezone or self._timezone
        text = receipt(now, words, timezone=timezone, suggested=suggested, noted=noted)
        await reply.say(
            Notice(text=text, kind="receipt", buttons=await self._buttons(message, now), memory_ids=tuple(read))
        )

    async def _read(self, kept: Sequence[Kept]) -> dict[str, Memory]:
        """Give pages and files a few seconds to be read; a thought is whole as it was said."""
        ids = [one.memory.memory_id for one in kept]
        said = all(one.memory.kind in {"note", "message"} for one in kept)
        return await self._present(ids) if said else await self.settled(ids, within_s=self._receipt_wait_s)

    async def settled(self, memory_ids: Sequence[str], *, within_s: float) -> dict[str, Memory]:
        """Wait until these memories are read, or the time is over; return those that are there then."""
        for _ in range(int(within_s / LOOK_EVERY_S)):
            found = await self._present(memory_ids)
            if all(memory.state not in WAITING for memory in found.values()):
                return found
            await asyncio.sleep(LOOK_EVERY_S)
        return await self._present(memory_ids)

    async def wait_for_reading(self, scopes: Sequence[Scope], reply: Reply, words: Words, *, within_s: float) -> None:
        """Let what was just saved in these scopes be read before a question about it is answered."""
        waiting = Filters(states=("queued", "fetching"))
        left = await self._memories.count(waiting, scopes)
        for _ in range(int(within_s / LOOK_EVERY_S)):
            if not left or reply.stopped:
                return
            await reply.status(words.reading.format(left=left))
            await asyncio.sleep(LOOK_EVERY_S)
            left = await self._memories.count(waiting, scopes)

    async def follow_edit(self, message: Message) -> None:
        """Save the links that an edit added, take back those that it removed, and keep a thought as it reads now."""
        before = await self._memories.of_source(message.key)
        for memory in before:
            if memory.kind in {"note", "message"} and memory.person.key == message.author.key:
                await self._reworded(memory, message)
                return
        links = [page_key(link.url) for link in (*message.links, *addresses_in(message.text))]
        for memory in before:
            if memory.kind == "link" and not await self._still_there(memory, links):
                await self._memories.unshare(message.key, key=memory.key)
        if links and (before or message.watched):
            await self.keep(message)

    async def _reworded(self, memory: Memory, message: Message) -> None:
        """Keep what an edited message says instead of what it said; where that is nothing, keep what was."""
        command = parse_command(message.text)
        now = replace(message, text=command.argument) if command and command.known else message
        as_note = memory.kind == "note" and (bool(command) or not addresses_in(now.text))
        shared = shared_in(now, as_note=as_note)
        if shared and memory.key not in {one.key for one in shared}:
            await self._memories.unshare(message.key, key=memory.key)
            await self.keep(now, as_note=as_note)

    async def undo_source(self, source: str) -> Forgotten:
        """Take back everything that one message shared."""
        return await self._memories.unshare(source)

    async def undo(self, action: Action, words: Words) -> str:
        """Take back the save behind a receipt's button. NotAllowed for somebody else's."""
        stored = await self._rooms.get("receipts", action.target)
        if not stored:
            return words.taken_back_before
        source, person_key = json.loads(stored)
        if person_key != action.person.key and not action.administrator:
            raise NotAllowed(words.not_yours_to_take_back)
        removed = await self._memories.unshare(source)
        await self._rooms.set("receipts", action.target, None)
        return taken_back(removed, words)

    async def undo_last(self, message: Message) -> str:
        """Take back the newest save of this person in this room."""
        words = words_of(message.language)
        source = await self._memories.last_source(person_key=message.author.key, room_key=message.room.key)
        if not source:
            return words.nothing_to_take_back
        return taken_back(await self._memories.unshare(source), words)

    async def _present(self, memory_ids: Sequence[str]) -> dict[str, Memory]:
        memories = [await self._memories.get(memory_id) for memory_id in memory_ids]
        return {memory.memory_id: memory for memory in memories if memory}

    async def _merged(self, memory: Memory) -> Memory:
        """Return the memory that a page turned out to be: its redirect led to one that was there already."""
        found = await self._memories.find(memory.key, (memory.scope,))
        return found[0] if found else memory

    async def _still_there(self, memory: Memory, links: Sequence[str]) -> bool:
        """Whether an edited message still names a page: by its key, or by one that a redirect made its alias."""
        if memory.key in links:
            return True
        named = [found.memory_id for key in links for found in await self._memories.find(key, (memory.scope,))]
        return memory.memory_id in named

    async def _buttons(self, message: Message, kept: Sequence[Kept]) -> tuple[Button, ...]:
        """Undo for the whole message; edit where there is one memory, retry where it could not be read."""
        code = digest(message.key)[:16]
        await self._rooms.set("receipts", code, json.dumps([message.key, message.author.key]))
        words = words_of(message.language)
        undo = Button(name="undo", target=code, label=words.undo)
        if len(kept) > 1:
            return (undo,)
        memory = kept[0].memory
        unread = memory.state in {"failed", "link_only"}
        retry = (Button(name="retry", target=memory.memory_id, label=words.retry),) if unread else ()
        return (undo, Button(name="edit", target=memory.memory_id, label=words.edit), *retry)

    async def _suggested_tags(self, memory: Memory) -> tuple[str, ...]:
        """Return tags already in use in this scope whose word stands in the title or text; none when it has tags."""
        if memory.tags:
            return ()
        words = set(re.findall(r"\w+", f"{memory.title} {memory.text[:4000]}".lower()))
        used = await self._memories.vocabulary((memory.scope,), kind="tag")
        return tuple(tag for tag in used if tag.lower() in words)[:SUGGESTED_TAGS]
