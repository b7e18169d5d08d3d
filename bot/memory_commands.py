"""The commands about memories: find, list, show, edit, tag, pin, retry."""

import difflib
import re
from dataclasses import replace
from typing import Final

from bot.domain.errors import BadInput, NotAllowed
from bot.domain.links import page_key, shown_url
from bot.domain.memories import Filters, Memory
from bot.domain.messages import Message
from bot.keeper import RECEIPT_WAIT_S, Keeper
from bot.ports import Clock, MemoryStore, RoomSettings
from bot.rag.narrow import narrow
from bot.rag.params import parameters_for
from bot.rag.retrieve import Retriever
from bot.responder import scopes_of
from bot.saving import TAG, tags_in
from bot.wording import counted, item_line, state_of

PAGE: Final = 10
EXCERPT: Final = 280
SHOWN: Final = 1500
CHANGED_LINES: Final = 20
RETRIED_AT_ONCE: Final = 200
FIELDS = re.compile(r"\b(title|note|tags)\s*:\s*", re.IGNORECASE)


class MemoryCommands:
    """One method a command; each returns what to say."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        rooms: RoomSettings,
        retriever: Retriever,
        keeper: Keeper,
        clock: Clock,
        timezone: str,
    ) -> None:
        self._memories = memories
        self._rooms = rooms
        self._retriever = retriever
        self._keeper = keeper
        self._clock = clock
        self._timezone = timezone

    async def find(self, message: Message, argument: str) -> str:
        """List passages by words and meaning."""
        if not argument:
            raise BadInput("Search for what? /search caching in Redis")
        scopes = scopes_of(message)
        filters = Filters(pocket=await self._rooms.get(message.room.key, "pocket") or "")
        passages = await self._retriever.retrieve((argument,), parameters_for("analytical"), scopes, filters)
        lines = [
            f"{number}. **{passage.title or shown_url(passage.url)}** `{passage.memory_id}`\n   {excerpt(passage.text)}"
            for number, passage in enumerate(passages[:PAGE], 1)
        ]
        return "\n".join(lines) or "Nothing saved here matches that."

    async def list(self, message: Message, argument: str) -> str:
        """List memories, a page at a time."""
        scopes = scopes_of(message)
        timezone = message.timezone or self._timezone
        page = int(found[1]) if (found := re.search(r"\bpage (\d+)", argument)) else 1
        wanted = re.sub(r"\bpage \d+", "", argument)
        narrowed = narrow(
            wanted,
            now=self._clock.now(),
            timezone=timezone,
            person_names=await self._memories.person_names(scopes),
            room_names=await self._memories.room_names(scopes),
        )
        if narrowed.unparsed:
            raise BadInput(f"I do not understand the time “{narrowed.unparsed[0]}”. Try: yesterday, last week, in May.")
        topic = TAG.sub(" ", narrowed.topic).strip()
        filters = narrowed.filters if narrowed.filters.tags else replace(narrowed.filters, tags=tags_in(wanted))
        if topic and topic in await self._memories.vocabulary(scopes, kind="pocket"):
            filters, topic = replace(filters, pocket=topic), ""
        total = await self._memories.count(filters, scopes, matching=topic)
        items = await self._memories.list(filters, scopes, limit=PAGE, offset=(page - 1) * PAGE, matching=topic)
        first = (page - 1) * PAGE
        lines = [f"{first + place}. {item_line(item, timezone=timezone)}" for place, item in enumerate(items, 1)]
        more = (
            f"\n`/list {wanted.strip()} page {page + 1}` shows more".replace("  ", " ") if first + PAGE < total else ""
        )
        return "\n".join([counted(total, "memory", "memories"), *lines]) + more

    async def show(self, message: Message, argument: str) -> str:
        """Show one memory with its text and what changed in it."""
        memory = await self._one(message, argument)
        timezone = message.timezone or self._timezone
        facts = {
            "note": memory.note,
            "pocket": memory.pocket,
            "written by": memory.author,
            "site": memory.site,
            "published": memory.published,
            "language": memory.language,
            "from": memory.origin.name if memory.origin else "",
            "state": state_of(memory) or "ready",
            "shared": counted(memory.shares, "time", "times"),
        }
        lines = [
            item_line(memory, timezone=timezone),
            *(f"- {name}: {value}" for name, value in facts.items() if value),
        ]
        previous = await self._memories.previous_text(memory.memory_id) if memory.version > 1 else ""
        changed = what_changed(previous, memory.text) if previous else ""
        return "\n".join([*lines, *([changed] if changed else []), "", excerpt(memory.text, SHOWN)]).rstrip()

    async def edit(self, message: Message, argument: str) -> str:
        """Change a title, note or tags."""
        memory_id, _, rest = argument.partition(" ")
        fields = fields_in(rest)
        if not fields:
            raise BadInput("Edit what? /edit 1a2b3c4d title: A better title | note: why it matters | tags: #one #two")
        memory = await self._own(message, memory_id)
        tags = (
            tags_in(" ".join(f"#{word.lstrip('#')}" for word in fields["tags"].split())) if "tags" in fields else None
        )
        edited = await self._memories.edit(
            memory.memory_id, title=fields.get("title"), note=fields.get("note"), tags=tags
        )
        return f"Changed: {self._line(edited or memory, message)}"

    async def tag(self, message: Message, argument: str) -> str:
        """Set the tags."""
        memory_id, _, rest = argument.partition(" ")
        memory = await self._own(message, memory_id)
        tags = tags_in(" ".join(f"#{word.lstrip('#')}" for word in rest.replace(",", " ").split()))
        edited = await self._memories.edit(memory.memory_id, tags=tags)
        return f"Tagged: {self._line(edited or memory, message)}"

    async def pin(self, message: Message, argument: str) -> str:
        """Pin a memory, or unpin it."""
        memory = await self._own(message, argument)
        edited = await self._memories.edit(memory.memory_id, pinned=not memory.pinned)
        return f"{'Unpinned' if memory.pinned else 'Pinned'}: {self._line(edited or memory, message)}"

    async def retry(self, message: Message, argument: str) -> str:
        """Read a page again, or all that could not be read."""
        if argument.strip().lower() == "failed":
            waiting = Filters(states=("failed", "link_only"))
            memories = await self._memories.list(waiting, scopes_of(message), limit=RETRIED_AT_ONCE)
        else:
            memories = (await self._one(message, argument),)
        for memory in memories:
            await self._memories.retry(memory.memory_id)
        self._keeper.wake()
        read = await self._keeper.settled([memory.memory_id for memory in memories], within_s=RECEIPT_WAIT_S)
        return "\n".join(f"- {self._line(memory, message)}" for memory in read.values()) or "There is nothing to retry."

    def _line(self, memory: Memory, message: Message) -> str:
        return item_line(memory, timezone=message.timezone or self._timezone)

    async def _one(self, message: Message, argument: str) -> Memory:
        """Return the memory that an id, an address or a title names. BadInput when none or several do."""
        wanted = argument.strip()
        scopes = scopes_of(message)
        if not wanted:
            raise BadInput("Which memory? Give its id, as /list shows it, or its address.")
        if "://" in wanted:
            found = await self._memories.find(page_key(wanted), scopes)
        else:
            memory = await self._memories.get(wanted, scopes)
            found = (memory,) if memory else await self._memories.list(Filters(), scopes, limit=2, matching=wanted)
        if len(found) != 1:
            raise BadInput(f"{'No' if not found else 'More than one'} memory here is named by {wanted!r}.")
        return await self._memories.get(found[0].memory_id, scopes) or found[0]

    async def _own(self, message: Message, argument: str) -> Memory:
        """Return a memory that this person may change. NotAllowed for somebody else's."""
        memory = await self._one(message, argument)
        if message.administrator or memory.scope.kind == "person" or memory.person.key == message.author.key:
            return memory
        raise NotAllowed("Only the person who saved it can change it.")


def fields_in(text: str) -> dict[str, str]:
    """Read `title: … | note: … | tags: …`."""
    pieces = FIELDS.split(text)
    return {
        name.lower(): value.strip().rstrip("|").strip() for name, value in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def excerpt(text: str, length: int = EXCERPT) -> str:
    """Return the beginning of a text on a few lines, cut at a word."""
    flat = " ".join(text.split()) if length == EXCERPT else text
    return flat if len(flat) <= length else flat[:length].rsplit(" ", 1)[0] + " …"


def what_changed(before: str, after: str) -> str:
    """Return the lines that a newer version of a page lost and gained, as a diff."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in {"+++", "---"} and line[1:].strip()]
    return (
        "\n".join(["Changed since the version before:", "```diff", *changed[:CHANGED_LINES], "```"]) if changed else ""
    )
