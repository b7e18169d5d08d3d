"""The commands about memories: find, show, edit, tag, pin, retry."""

import difflib
import re
from collections.abc import Sequence
from typing import Final

from bot.domain.errors import BadInput, NotAllowed
from bot.domain.links import addresses_in, page_key, shown_url
from bot.domain.memories import Filters, Memory
from bot.domain.messages import Message
from bot.domain.rooms import Scope
from bot.keeper import RECEIPT_WAIT_S, Keeper, may_change
from bot.ports import MemoryStore, RoomSettings
from bot.rag.params import parameters_for
from bot.rag.retrieve import Retriever
from bot.responder import scopes_of
from bot.saving import tags_in
from bot.wording import counted, item_line, state_of
from bot.words.choosing import words_of

FOUND: Final = 10
EXCERPT: Final = 280
SHOWN: Final = 1500
CHANGED_LINES: Final = 20
RETRIED_AT_ONCE: Final = 200
SEVERAL: Final = 5
LOOKED_AT: Final = 50
FIELDS = re.compile(r"\b(title|note|tags|pocket)\s*:\s*", re.IGNORECASE)
ID = re.compile(r"(?=.*\d)[0-9a-f]{1,40}", re.IGNORECASE)
"""What is meant as an id, whether there is such a memory or not."""
NO_TAGS: Final = (("none",), ("off",), ("keine",), ("ninguna",))


class MemoryCommands:
    """One method a command; each returns what to say."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        rooms: RoomSettings,
        retriever: Retriever,
        keeper: Keeper,
        timezone: str,
    ) -> None:
        self._memories = memories
        self._rooms = rooms
        self._retriever = retriever
        self._keeper = keeper
        self._timezone = timezone

    async def find(self, message: Message, argument: str) -> str:
        """List passages by words and meaning."""
        words = words_of(message.language)
        if not argument:
            raise BadInput(words.search_what)
        scopes = scopes_of(message)
        filters = Filters(pocket=await self._rooms.get(message.room.key, "pocket") or "")
        passages = await self._retriever.retrieve((argument,), parameters_for("analytical"), scopes, filters)
        lines = [
            f"{number}. **{passage.title or shown_url(passage.url)}** `{passage.memory_id}`\n   {excerpt(passage.text)}"
            for number, passage in enumerate(passages[:FOUND], 1)
        ]
        return "\n".join(lines) or words.nothing_found

    async def show(self, message: Message, argument: str) -> str:
        """Show one memory with its text and what changed in it."""
        memory, words = await self._one(message, argument), words_of(message.language)
        facts = {
            "note": memory.note,
            "author": memory.author,
            "site": memory.site,
            "published": memory.published,
            "language": memory.language,
            "origin": memory.origin.name if memory.origin else "",
            "state": state_of(memory, words) or words.ready,
            "shares": counted(memory.shares, *words.shared_times),
        }
        lines = [
            self._line(memory, message),
            *(f"- {words.facts[name]}: {value}" for name, value in facts.items() if value),
        ]
        previous = await self._memories.previous_text(memory.memory_id) if memory.version > 1 else ""
        changed = what_changed(previous, memory.text) if previous else ""
        told = [words.changed_since, changed] if changed else []
        return "\n".join([*lines, *told, "", excerpt(memory.text, SHOWN)]).rstrip()

    async def edit(self, message: Message, argument: str) -> str:
        """Change a title, note, tags or pocket."""
        words, fields = words_of(message.language), fields_in(argument)
        wanted = FIELDS.split(argument)[0].strip() if fields else argument.partition(" ")[0]
        if not fields:
            memory_id = (await self._own(message, wanted)).memory_id if wanted else "1a2b3c4d"
            raise BadInput(words.edit_what.format(id=memory_id))
        memory = await self._own(message, wanted)
        edited = await self._memories.edit(
            memory.memory_id,
            title=fields.get("title"),
            note=fields.get("note"),
            tags=typed_tags(fields["tags"]) if "tags" in fields else None,
            pocket=fields["pocket"].strip("-").lower() if "pocket" in fields else None,
        )
        return words.changed.format(line=self._line(edited or memory, message))

    async def tag(self, message: Message, argument: str) -> str:
        """Set the tags; `none` takes them away."""
        wanted, sign, rest = argument.partition(" #" if " #" in argument else " ")
        memory, words = await self._own(message, wanted), words_of(message.language)
        tags = typed_tags(sign + rest)
        if not tags:
            raise BadInput(words.tag_what.format(id=memory.memory_id))
        edited = await self._memories.edit(memory.memory_id, tags=() if tags in NO_TAGS else tags)
        return words.changed.format(line=self._line(edited or memory, message))

    async def pin(self, message: Message, argument: str) -> str:
        """Pin a memory, or unpin it."""
        memory, words = await self._own(message, argument), words_of(message.language)
        edited = await self._memories.edit(memory.memory_id, pinned=not memory.pinned)
        said = words.unpinned if memory.pinned else words.pinned
        return said.format(line=self._line(edited or memory, message))

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
        return (
            "\n".join(f"- {self._line(memory, message)}" for memory in read.values())
            or words_of(message.language).nothing_to_retry
        )

    def _line(self, memory: Memory, message: Message) -> str:
        return item_line(memory, words_of(message.language), timezone=message.timezone or self._timezone)

    async def _one(self, message: Message, argument: str) -> Memory:
        """Return the memory that an id, an address or a title names. BadInput when none or several do."""
        wanted, words, scopes = argument.strip().strip("`"), words_of(message.language), scopes_of(message)
        if not wanted:
            raise BadInput(words.which)
        found = await self._called(wanted, scopes)
        if len(found) > 1:
            named = "; ".join(f"{memory.title} `{memory.memory_id}`" for memory in found[:SEVERAL])
            raise BadInput(words.several.format(wanted=wanted, found=named))
        if not found:
            raise BadInput((words.no_such_id if ID.fullmatch(wanted) else words.no_such).format(wanted=wanted))
        return await self._memories.get(found[0].memory_id, scopes) or found[0]

    async def _called(self, wanted: str, scopes: Sequence[Scope]) -> tuple[Memory, ...]:
        """Return the memories of this id, address or title: the very title first, else those whose title holds it."""
        if addresses := addresses_in(wanted):
            return await self._memories.find(page_key(addresses[0].url), scopes)
        if memory := await self._memories.get(wanted, scopes):
            return (memory,)
        matching = await self._memories.list(Filters(), scopes, limit=LOOKED_AT, matching=wanted)
        same = tuple(memory for memory in matching if memory.title.casefold() == wanted.casefold())
        if same or ID.fullmatch(wanted):
            return same
        return tuple(memory for memory in matching if wanted.casefold() in memory.title.casefold())

    async def _own(self, message: Message, argument: str) -> Memory:
        """Return a memory that this person may change. NotAllowed for somebody else's."""
        memory = await self._one(message, argument)
        if may_change(memory, message):
            return memory
        raise NotAllowed(words_of(message.language).not_yours)


def typed_tags(text: str) -> tuple[str, ...]:
    """Return tags as typed after a command: with or without their sign, with commas or without."""
    return tags_in(" ".join(f"#{word.lstrip('#')}" for word in text.replace(",", " ").split()))


def fields_in(text: str) -> dict[str, str]:
    """Read `title: … | note: … | tags: … | pocket: …`, whatever stands before it."""
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
    return "\n".join(["```diff", *changed[:CHANGED_LINES], "```"]) if changed else ""
