"""Carry out the commands of the table, the same on every platform."""

import difflib
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from bot.commands import COMMANDS, nearest_command, on_or_off, parse_command
from bot.domain.errors import BadInput, NotAllowed
from bot.domain.links import page_key, shown_url
from bot.domain.memories import Filters, Memory
from bot.domain.messages import Message
from bot.domain.replies import Notice
from bot.keeper import RECEIPT_WAIT_S, Keeper
from bot.ports import Clock, MemoryStore, Reply, RoomSettings
from bot.rag.narrow import narrow
from bot.rag.params import parameters_for
from bot.rag.retrieve import Retriever
from bot.responder import Responder, scopes_of
from bot.saving import TAG, replied_instead, tags_in
from bot.wording import counted, item_line, state_of

PAGE: Final = 10
EXCERPT: Final = 280
SHOWN: Final = 1500
CHANGED_LINES: Final = 20
RETRIED_AT_ONCE: Final = 200
FIELDS = re.compile(r"\b(title|note|tags)\s*:\s*", re.IGNORECASE)

Handler = Callable[[Message, str], Awaitable[str | Notice]]


class CommandRunner:
    """Every command's deed, one method a command."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        rooms: RoomSettings,
        retriever: Retriever,
        keeper: Keeper,
        responder: Responder,
        clock: Clock,
        timezone: str,
    ) -> None:
        self._memories = memories
        self._rooms = rooms
        self._retriever = retriever
        self._keeper = keeper
        self._responder = responder
        self._clock = clock
        self._timezone = timezone
        self._handlers: dict[str, Handler] = {
            "help": self._help,
            "search": self._find,
            "list": self._list,
            "show": self._show,
            "edit": self._edit,
            "tag": self._tag,
            "pin": self._pin,
            "pocket": self._pocket,
            "retry": self._retry,
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

    async def _find(self, message: Message, argument: str) -> str:
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

    async def _list(self, message: Message, argument: str) -> str:
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

    async def _show(self, message: Message, argument: str) -> str:
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

    async def _edit(self, message: Message, argument: str) -> str:
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

    async def _tag(self, message: Message, argument: str) -> str:
        memory_id, _, rest = argument.partition(" ")
        memory = await self._own(message, memory_id)
        tags = tags_in(" ".join(f"#{word.lstrip('#')}" for word in rest.replace(",", " ").split()))
        edited = await self._memories.edit(memory.memory_id, tags=tags)
        return f"Tagged: {self._line(edited or memory, message)}"

    async def _pin(self, message: Message, argument: str) -> str:
        memory = await self._own(message, argument)
        edited = await self._memories.edit(memory.memory_id, pinned=not memory.pinned)
        return f"{'Unpinned' if memory.pinned else 'Pinned'}: {self._line(edited or memory, message)}"

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

    async def _retry(self, message: Message, argument: str) -> str:
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


def to_save(message: Message, argument: str) -> Message:
    """Return what `/save` is to keep: its argument, or the message it replies to."""
    if not argument.strip() and not message.attachments:
        return replied_instead(message)
    return replace(message, text=argument)


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
