"""Answer "how many" and "list all" by counting: exact numbers, page by page, every item a source."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.domain.answers import Citation, Question
from bot.domain.memories import Memory
from bot.domain.messages import Turn
from bot.ports import MemoryStore
from bot.rag.dates import Interval
from bot.rag.language import detect_language
from bot.rag.listing_words import WORDS, Ranking, Words, is_count, ranking
from bot.rag.narrow import Narrowed, merged, narrow
from bot.rag.paging import is_paging, page_number

PAGE = 10
"""Items on a page: what a chat message holds without being folded away."""
PINNED_AT_MOST = 200
"""Pinned memories among which the newest or oldest is surely found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One page of a list, as an answer."""

    text: str
    """Markdown with a mark [n] an item."""
    items: tuple[Memory, ...] = ()
    total: int = 0
    citations: tuple[Citation, ...] = ()
    heading: str = ""
    """The first sentence of the text: how many there are, under which conditions."""
    page: int = 1
    pages: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to count, and which page of it to show."""

    narrowed: Narrowed
    page: int
    text: str
    """The question that began the list."""


class Lister:
    """Counts and lists memories by SQL; nothing is estimated."""

    def __init__(self, memories: MemoryStore) -> None:
        self._memories = memories

    async def list(self, question: Question, narrowed: Narrowed, *, language: str = "") -> Listed:
        """Return the count and a page of what the question asks for, in its own language unless one is given.

        Raises StorageTrouble.
        """
        wanted = await self._wanted(question, narrowed)
        words = WORDS.get(language or detect_language(wanted.text), WORDS["en"])
        return await self._show(wanted, question, words)

    async def _show(self, wanted: Wanted, question: Question, words: Words) -> Listed:
        """Return one page of what is wanted, or the few newest or oldest of it."""
        filters, topic = wanted.narrowed.filters, wanted.narrowed.topic
        total = await self._memories.count(filters, question.scopes, matching=topic)
        if ranked := ranking(wanted.text):
            items = await self._ranked(wanted, question, ranked, total)
            return listed(items, total, words, wanted=wanted, pages=1, question=question, ranked=ranked)
        pages = max(1, -(-total // PAGE))
        page = min(wanted.page, pages)
        items = await self._memories.list(
            filters, question.scopes, limit=PAGE, offset=(page - 1) * PAGE, matching=topic
        )
        found = listed(items, total, words, wanted=replace(wanted, page=page), pages=pages, question=question)
        return found if page == wanted.page else beyond(found, words.no_page.format(page=wanted.page, pages=pages))

    async def _ranked(self, wanted: Wanted, question: Question, ranked: Ranking, total: int) -> Sequence[Memory]:
        """Return the few that were shared last or first; pinned ones, in front of every list, are sorted in."""

        async def some(offset: int) -> Sequence[Memory]:
            narrowed = wanted.narrowed
            return await self._memories.list(
                narrowed.filters, question.scopes, limit=PINNED_AT_MOST, offset=offset, matching=narrowed.topic
            )

        found = {item.memory_id: item for item in await some(0)}
        if ranked.oldest and total > PINNED_AT_MOST:
            found |= {item.memory_id: item for item in await some(total - PINNED_AT_MOST)}
        return sorted(found.values(), key=lambda item: item.shared_at, reverse=not ranked.oldest)[: ranked.count]

    async def _wanted(self, question: Question, narrowed: Narrowed) -> Wanted:
        """Return what the question asks for; "more" and "page 3" ask for the list before them."""
        if not is_paging(question.text):
            return Wanted(narrowed=narrowed, page=1, text=question.text)
        asked = [turn for turn in question.history if turn.speaker == "person"]
        first = next((turn for turn in reversed(asked) if not is_paging(turn.text)), None)
        if first is None:
            return Wanted(narrowed=narrowed, page=page_number(question.text, 0), text=question.text)
        page = 1
        for turn in asked[asked.index(first) + 1 :]:
            page = page_number(turn.text, page)
        again = await self._narrowed(question, first)
        return Wanted(narrowed=again, page=page_number(question.text, page), text=first.text)

    async def _narrowed(self, question: Question, turn: Turn) -> Narrowed:
        """Read an earlier question again, at the time it was asked."""
        again = narrow(
            turn.text,
            now=turn.at,
            timezone=question.timezone,
            person_names=await self._memories.person_names(question.scopes),
            room_names=await self._memories.room_names(question.scopes),
            asker_key=question.person.key,
            here_key=question.room.key,
        )
        return replace(again, filters=merged([question.filters, again.filters]))


def beyond(found: Listed, remark: str) -> Listed:
    """Return a page with a remark that it is not the one asked for."""
    return replace(
        found,
        heading=f"{found.heading} {remark}",
        text=found.text.replace(found.heading, f"{found.heading} {remark}", 1),
    )


def listed(
    items: Sequence[Memory],
    total: int,
    words: Words,
    *,
    wanted: Wanted,
    pages: int,
    question: Question,
    ranked: Ranking | None = None,
) -> Listed:
    """Return the answer's text, with its sources numbered as the items stand on the page."""
    heading = head(total, wanted, words, timezone=question.timezone, ranked=ranked, shown=len(items))
    lines = [line(number, item, words, timezone=question.timezone) for number, item in enumerate(items, start=1)]
    foot = [words.page.format(page=wanted.page, pages=pages)] if pages > 1 and items else []
    return Listed(
        text="\n".join([heading, *([""] if lines else []), *lines, *([""] if foot else []), *foot]),
        items=tuple(items),
        total=total,
        citations=tuple(citation(number, item) for number, item in enumerate(items, start=1)),
        heading=heading,
        page=wanted.page,
        pages=pages,
    )


def head(
    total: int, wanted: Wanted, words: Words, *, timezone: str, ranked: Ranking | None = None, shown: int = 0
) -> str:
    """Return the sentence with the exact number, and with the conditions that were counted under."""
    filters = wanted.narrowed.filters
    kinds = filters.kinds[0] if len(filters.kinds) == 1 else ""
    noun = words.nouns[kinds][0 if total == 1 else 1]
    counted = words.period(Interval(since=filters.since, until=filters.until), timezone)
    conditions = words.conditions(filters, topic=wanted.narrowed.topic, period=counted)
    if total and ranked:
        sentence = words.oldest if ranked.oldest else words.newest
        return sentence.format(what=f"{shown} {words.of} {total} {noun}", conditions=conditions) + ":"
    sentence = words.none if total == 0 else words.one if total == 1 else words.some
    what = f"{total} {noun}" if total else noun
    ending = "." if total == 0 or is_count(wanted.text) else ":"
    return sentence.format(what=what, conditions=conditions).strip() + ending


def line(number: int, item: Memory, words: Words, *, timezone: str) -> str:
    """Return one item: its title, who shared it, where and when, and its mark."""
    title = (item.title or item.url or item.note or item.text).strip().splitlines()
    shown = title[0] if title else item.memory_id
    where = f" {words.room} #{item.room.name}" if item.room.name and item.room.kind != "direct" else ""
    who = f"{item.person.name}, " if item.person.name else ""
    return f"{number}. {plain_title(shown)} ({who}{words.day(item.shared_at, timezone)}{where}) [{number}]"


def plain_title(title: str) -> str:
    """Return a title without the signs that make marks and links: a saved title cannot cite or link."""
    return title.replace("[", "(").replace("]", ")")[:160]


def citation(number: int, item: Memory) -> Citation:
    """Return the source of one item."""
    return Citation(
        number=number,
        memory_id=item.memory_id,
        title=item.title or item.url,
        url=item.url,
        person_name=item.person.name,
        room_name=item.room.name,
        shared_at=item.shared_at,
        permalink=item.permalink,
    )
