"""The command /list: the lister that answers "list all …" too, with ids to go on with, a page at a time."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.domain.answers import Question
from bot.domain.errors import BadInput
from bot.domain.memories import Filters
from bot.domain.messages import Message, Turn
from bot.domain.rooms import Scope, scope_of
from bot.ports import Clock, MemoryStore, RoomSettings, Transcript
from bot.rag.listing import PAGE, Listed, Lister
from bot.rag.narrow import Narrowed, merged, narrow
from bot.rag.paging import is_paging
from bot.rag.route_words import lists
from bot.responder import HISTORY_TURNS, scopes_of
from bot.wording import item_line
from bot.words.choosing import words_of
from bot.words.frame import Words

ALL: Final = "list all"
"""How a list begins in the conversation, so that "more" goes on with it."""
WITH_PAGE = re.compile(r"(?P<what>.*?)\s*\b(?:page|seite|página)\s+(?P<page>\d{1,4})", re.IGNORECASE)
EVERYWHERE = re.compile(r"\b(?:everything|everywhere|all\s+pockets|alles|überall|todo)\b", re.IGNORECASE)


class ListCommand:
    """Lists what was saved."""

    def __init__(
        self, *, memories: MemoryStore, rooms: RoomSettings, transcript: Transcript, clock: Clock, timezone: str
    ) -> None:
        self._memories = memories
        self._rooms = rooms
        self._transcript = transcript
        self._lister = Lister(memories)
        self._clock = clock
        self._timezone = timezone

    async def run(self, message: Message, argument: str) -> str:
        """List memories; "more", "page 3" and "3" go on with the list before. BadInput for an unreadable time."""
        question = await self._question(message, argument.strip())
        narrowed = await self._narrowed(question)
        if narrowed.unparsed:
            raise BadInput(words_of(message.language).time_unknown.format(time=narrowed.unparsed[0]))
        found = await self._lister.list(question, narrowed, language=message.language[:2] or "en")
        text = told(found, question, words_of(message.language), remembered=not message.private_reply)
        await self._remember(message, question, text, tuple(item.memory_id for item in found.items))
        return text

    async def _question(self, message: Message, argument: str) -> Question:
        """Return the list as the question that asks for it, after the lists before it in this room."""
        scopes = scopes_of(message)
        said = await self._transcript.last(message.room, limit=HISTORY_TURNS)
        text, history = asked(await self._spelled(argument, scopes), lists_in(said), message.sent_at)
        everywhere = EVERYWHERE.search(begun(text, history))
        pocket = None if everywhere else await self._rooms.get(message.room.key, "pocket")
        return Question(
            text=text,
            room=message.room,
            person=message.author,
            scopes=scopes,
            asked_at=message.sent_at,
            timezone=message.timezone or self._timezone,
            history=history,
            filters=Filters(pocket=pocket or ""),
        )

    async def _spelled(self, argument: str, scopes: Sequence[Scope]) -> str:
        """Return the argument with a pocket's bare name spelled out, as the lister reads it."""
        for name in await self._memories.vocabulary(scopes, kind="pocket"):
            rest = argument[len(name) :]
            if argument.lower().startswith(name) and (not rest or WITH_PAGE.fullmatch(rest.strip())):
                return f'in the pocket "{name}"{rest}'
        return argument

    async def _narrowed(self, question: Question) -> Narrowed:
        """Return who, where and when of a list."""
        narrowed = narrow(
            question.text,
            now=self._clock.now(),
            timezone=question.timezone,
            person_names=await self._memories.person_names(question.scopes),
            room_names=await self._memories.room_names(question.scopes),
            asker_key=question.person.key,
            here_key=question.room.key,
        )
        return replace(narrowed, filters=merged([question.filters, narrowed.filters]))

    async def _remember(self, message: Message, question: Question, text: str, shown: tuple[str, ...]) -> None:
        """Keep both turns, so that "more" goes on from here; a list for one person's eyes leaves none behind."""
        if message.private_reply:
            return
        scope = scope_of(message.room, message.author)
        asked = Turn(speaker="person", name=message.author.name, text=question.text, at=message.sent_at)
        said = Turn(speaker="bot", text=text, at=self._clock.now(), memory_ids=shown)
        for turn in (asked, said):
            await self._transcript.add(message.room, turn, scope)


def asked(argument: str, before: tuple[Turn, ...], at: datetime) -> tuple[str, tuple[Turn, ...]]:
    """Return a list as a question, and the turns that it goes on from."""
    if paged := WITH_PAGE.fullmatch(argument):
        return f"page {paged['page']}", (started(paged["what"], at),) if paged["what"] else before or (started("", at),)
    if argument.isdigit() or is_paging(argument):
        text = f"page {argument}" if argument.isdigit() else argument
        return text, before or (started("", at),)
    return started(argument, at).text, before


def started(what: str, at: datetime) -> Turn:
    """Return the turn that begins a list."""
    return Turn(speaker="person", text=f"{ALL} {what}".strip(), at=at)


def begun(text: str, history: Sequence[Turn]) -> str:
    """Return the text that began the list which is being paged through."""
    return next(one for one in (text, *(turn.text for turn in reversed(history))) if not is_paging(one))


def lists_in(said: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the turns that asked for the last list, and for pages of it."""
    asked_for = [turn for turn in said if turn.speaker == "person"]
    firsts = [place for place, turn in enumerate(asked_for) if not is_paging(turn.text)]
    return tuple(asked_for[firsts[-1] :]) if firsts and lists(asked_for[firsts[-1]].text) else ()


def told(found: Listed, question: Question, words: Words, *, remembered: bool) -> str:
    """Return a page of a list in Markdown: the exact number, a line a memory, how to go on."""
    first = (found.page - 1) * PAGE + 1
    lines = [
        f"{number}. {item_line(item, words, timezone=question.timezone)}"
        for number, item in enumerate(found.items, first)
    ]
    what = begun(question.text, question.history).removeprefix(ALL).strip()
    command = "/more" if remembered else " ".join(f"/list {what} page {found.page + 1}".split())
    foot = words.more.format(page=found.page, pages=found.pages, command=command)
    return "\n".join([found.heading, *lines, *([foot] if found.page < found.pages else [])])
