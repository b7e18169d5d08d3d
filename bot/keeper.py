"""Keep what people share, follow their edits and deletes, undo, and forget on request."""

import asyncio
import json
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.domain.errors import BadInput, NotAllowed
from bot.domain.links import addresses_in, page_key
from bot.domain.memories import Filters, Forgotten, Kept, Memory
from bot.domain.messages import Action, Message
from bot.domain.replies import Button, Notice
from bot.domain.rooms import Person, Room, Scope
from bot.ports import Clock, MemoryStore, Reply, RoomSettings
from bot.saving import digest, shared_in
from bot.wording import counted, forgotten, item_line, receipt

RECEIPT_WAIT_S = 8.0
LOOK_EVERY_S = 0.1
CONFIRM_WITHIN = timedelta(hours=1)
SUGGESTED_TAGS = 3
SHOWN_BEFORE_FORGETTING = 10
WAITING = frozenset({"queued", "fetching"})


class Keeper:
    """Saving and forgetting for one person in one room. `nudge` wakes the reading worker."""

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
        kept = await self.keep(message, as_note=as_note)
        if not kept:
            raise BadInput("There is nothing to save in this message: no link, no file, no text.")
        await reply.status("Saving")
        read = await self.settled([one.memory.memory_id for one in kept], within_s=self._receipt_wait_s)
        now = [replace(one, memory=read.get(one.memory.memory_id) or await self._merged(one.memory)) for one in kept]
        suggested = await self._suggested_tags(now[0].memory) if len(now) == 1 else ()
        text = receipt(now, timezone=message.timezone or self._timezone, suggested=suggested)
        await reply.say(
            Notice(text=text, kind="receipt", buttons=await self._buttons(message, now), memory_ids=tuple(read))
        )

    async def settled(self, memory_ids: Sequence[str], *, within_s: float) -> dict[str, Memory]:
        """Wait until these memories are read, or the time is over; return those that are there then."""
        for _ in range(int(within_s / LOOK_EVERY_S)):
            found = await self._present(memory_ids)
            if all(memory.state not in WAITING for memory in found.values()):
                return found
            await asyncio.sleep(LOOK_EVERY_S)
        return await self._present(memory_ids)

    async def wait_for_reading(self, scopes: Sequence[Scope], reply: Reply, *, within_s: float) -> None:
        """Let what was just saved in these scopes be read before a question about it is answered."""
        waiting = Filters(states=("queued", "fetching"))
        left = await self._memories.count(waiting, scopes)
        for _ in range(int(within_s / LOOK_EVERY_S)):
            if not left or reply.stopped:
                return
            await reply.status(f"Reading what was just saved ({left} to go)")
            await asyncio.sleep(LOOK_EVERY_S)
            left = await self._memories.count(waiting, scopes)

    async def follow_edit(self, message: Message) -> None:
        """Save the links that an edit added, and take back those that it removed."""
        before = await self._memories.of_source(message.key)
        links = [page_key(link.url) for link in (*message.links, *addresses_in(message.text))]
        for memory in before:
            if memory.kind == "link" and not await self._still_there(memory, links):
                await self._memories.unshare(message.key, key=memory.key)
        if links and (before or message.watched):
            await self.keep(message)

    async def undo_source(self, source: str) -> Forgotten:
        """Take back everything that one message shared."""
        return await self._memories.unshare(source)

    async def undo(self, action: Action) -> str:
        """Take back the save behind a receipt's button. NotAllowed for somebody else's."""
        stored = await self._rooms.get("receipts", action.target)
        if not stored:
            return "That save was taken back already."
        source, person_key = json.loads(stored)
        if person_key != action.person.key and not action.administrator:
            raise NotAllowed("Only the person who saved it can take it back.")
        removed = await self._memories.unshare(source)
        await self._rooms.set("receipts", action.target, None)
        return f"Taken back: {', '.join(removed.titles) or 'your note on it; others saved it too'}."

    async def undo_last(self, room: Room, person: Person, scopes: Sequence[Scope]) -> str:
        """Take back the newest save of this person in this room."""
        mine = Filters(person_ids=(person.key,), room_keys=(room.key,))
        newest = max(
            await self._memories.list(mine, scopes, limit=50), key=lambda memory: memory.shared_at, default=None
        )
        if newest is None:
            return "There is no save of yours here to take back."
        removed = await self._memories.unshare(newest.source)
        return f"Taken back: {', '.join(removed.titles) or newest.title}."

    async def propose_forgetting(self, message: Message, argument: str, scopes: Sequence[Scope]) -> Notice:
        """Show exactly what will go, and a code to confirm it with. BadInput when nothing is named."""
        memories = await self._named(message, argument, scopes)
        if not memories:
            return Notice(text="Nothing that you may forget matches exactly. Give an id, an address, `mine` or `room`.")
        code = secrets.token_hex(3)
        pending = {"ids": [memory.memory_id for memory in memories], "at": self._clock.now().isoformat()}
        await self._rooms.set(message.author.key, f"forget:{code}", json.dumps(pending))
        timezone = message.timezone or self._timezone
        lines = [f"- {item_line(memory, timezone=timezone)}" for memory in memories[:SHOWN_BEFORE_FORGETTING]]
        more = len(memories) - len(lines)
        text = "\n".join(
            [
                f"This will forget {counted(len(memories), 'memory', 'memories')} for good:",
                *lines,
                *([f"- and {more} more"] if more else []),
                f"To go on: `/confirm {code}`",
            ]
        )
        buttons = (
            Button(name="confirm", target=code, label="Forget"),
            Button(name="cancel", target=code, label="Keep"),
        )
        return Notice(text=text, buttons=buttons)

    async def confirm(self, person: Person, code: str, scopes: Sequence[Scope]) -> str:
        """Forget what was shown under this code, prove it by looking again, and say the true counts."""
        stored = await self._rooms.get(person.key, f"forget:{code.strip()}")
        if not stored:
            raise BadInput("There is nothing to confirm under this code.")
        await self._rooms.set(person.key, f"forget:{code.strip()}", None)
        pending = json.loads(stored)
        if self._clock.now() - datetime.fromisoformat(pending["at"]) > CONFIRM_WITHIN:
            raise BadInput("That was more than an hour ago: please ask again, so that you see what will go.")
        result = await self._memories.forget(pending["ids"])
        left = await self._memories.count(Filters(memory_ids=tuple(pending["ids"])), scopes)
        return forgotten(result, left)

    async def cancel(self, person: Person, code: str) -> str:
        """Drop a pending forgetting."""
        await self._rooms.set(person.key, f"forget:{code.strip()}", None)
        return "Kept. Nothing was forgotten."

    async def _named(self, message: Message, argument: str, scopes: Sequence[Scope]) -> tuple[Memory, ...]:
        """Return the memories that an argument names exactly and that this person may forget."""
        wanted = argument.strip()
        mine = Filters(person_ids=(message.author.key,))
        if not wanted and message.replied:
            return self._allowed(await self._memories.of_source(message.replied.key), message)
        if not wanted:
            raise BadInput("What should I forget? Give an id, an address, `mine` or `room`.")
        if wanted.lower() == "mine":
            return await self._all(mine, scopes)
        if wanted.lower() == "room":
            in_room = Filters(room_keys=(message.room.key,))
            return self._allowed(await self._all(in_room, scopes), message)
        if re.match(r"https?://", wanted):
            return self._allowed(await self._memories.find(page_key(wanted), scopes), message)
        memory = await self._memories.get(wanted, scopes)
        return self._allowed((memory,) if memory else (), message)

    async def _all(self, filters: Filters, scopes: Sequence[Scope]) -> tuple[Memory, ...]:
        return await self._memories.list(filters, scopes, limit=await self._memories.count(filters, scopes) or 1)

    def _allowed(self, memories: Iterable[Memory], message: Message) -> tuple[Memory, ...]:
        """Leave what this person may forget: one's own shares, one's own scope, or all for who runs the room."""
        return tuple(
            memory
            for memory in memories
            if message.administrator or memory.scope.kind == "person" or memory.person.key == message.author.key
        )

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
        """Undo for the whole message; edit and retry where there is one memory."""
        code = digest(message.key)[:16]
        await self._rooms.set("receipts", code, json.dumps([message.key, message.author.key]))
        undo = Button(name="undo", target=code, label="Undo")
        if len(kept) > 1:
            return (undo,)
        memory = kept[0].memory
        retry = (Button(name="retry", target=memory.memory_id, label="Retry"),) if memory.state != "ready" else ()
        return (undo, Button(name="edit", target=memory.memory_id, label="Edit"), *retry)

    async def _suggested_tags(self, memory: Memory) -> tuple[str, ...]:
        """Return tags already in use in this scope whose word stands in the title or text; none when it has tags."""
        if memory.tags:
            return ()
        words = set(re.findall(r"\w+", f"{memory.title} {memory.text[:4000]}".lower()))
        used = await self._memories.vocabulary((memory.scope,), kind="tag")
        return tuple(tag for tag in used if tag.lower() in words)[:SUGGESTED_TAGS]
