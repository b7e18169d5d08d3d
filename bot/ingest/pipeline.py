"""From something shared to a memory: known already? -> read -> chunk -> embed -> keep."""

import asyncio
import random
import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from tokenizers import Tokenizer

from bot.domain.errors import BadInput, TemporarilyUnreadable, Unreadable
from bot.domain.links import page_key
from bot.domain.memories import Chunk, Memory, Page, Reason
from bot.ingest.batching import Lanes
from bot.ingest.chunking import cut, embedding_text
from bot.ports import Clock, Embedder, MemoryStore, PageReader, Vectors

TRIES = 5
FIRST_PAUSE = timedelta(minutes=1)
PAUSE_GROWS = 5
"""A minute, 5, 25 minutes, 2 hours: then it is no passing trouble."""
LONGEST_PAUSE = timedelta(hours=24)
NO_PLACE_OF_ITS_OWN = re.compile(r"/(?:log-?in|sign-?in|auth|sso|consent|account|cookie|gdpr)\b", re.IGNORECASE)

READ_AT_ONCE, JUST_SHARED_AT_ONCE = 24, 8
"""Pages that are fetched and taken apart: more of them wait for the model together, whose batches are then alike in
length, than may be held in memory as bytes. What was just shared has places of its own beside an import."""
JUST_NOW = timedelta(minutes=10)
LARGE, LARGE_AT_ONCE = 200_000, 4
"""Characters of a text from which few are cut and embedded at once, and how many: each is held several times over."""
LONG = 48
"""Chunks from which a new text's words are kept before its vectors are made: that takes seconds to minutes."""

ONE_OF_SEVERAL = re.compile(r"(?:^|&)(?:page|paged|pg|start|offset)=")
"""Many sites call every page of a list by the first one's address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """What the search finds of a text."""

    chunks: tuple[Chunk, ...]
    vectors: Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """How many of a text's chunks have their vectors."""

    done: int
    total: int


class Ingest:
    """Reads memories and keeps what was read. Never holds a transaction while it fetches or embeds."""

    def __init__(self, *, memories: MemoryStore, reader: PageReader, embedder: Embedder, clock: Clock) -> None:
        self._memories = memories
        self._reader = reader
        self._embedder = embedder
        self._lanes = Lanes(embedder)
        self._clock = clock
        self._reading = asyncio.Semaphore(READ_AT_ONCE)
        self._reading_now = asyncio.Semaphore(JUST_SHARED_AT_ONCE)
        self._large = asyncio.Semaphore(LARGE_AT_ONCE)
        self._under_way: dict[str, Embedded] = {}

    async def process(self, memory: Memory) -> Memory:
        """Read a claimed memory and return it as it is afterwards: `ready`, `link_only` or `failed`."""
        try:
            async with self._reading_now if self._just_shared(memory) else self._reading:
                page = await self._read(memory)
        except TemporarilyUnreadable as error:
            return await self._try_later(memory, error)
        except (Unreadable, BadInput) as error:
            return await self._give_up(memory, error)
        return await self.take(memory, page)

    async def take(self, memory: Memory, page: Page) -> Memory:
        """Keep a page already read (a browser's capture, standard input) as this memory's content."""
        if memory.kind == "link":
            memory = await self._unite(memory, page)
        if not page.text.strip():
            return await self._link_only(memory, page, page.partial or "empty", "There is no readable text on it.")
        now = self._clock.now()
        if memory.read_at is not None and memory.chunks and page.text == memory.text:
            kept = await self._memories.write_version(memory.memory_id, page, (), None, now=now)
            return kept or memory
        async with self._large if len(page.text) > LARGE else nullcontext():
            indexed = await self._index(memory, page)
            kept = await self._memories.write_version(memory.memory_id, page, indexed.chunks, indexed.vectors, now=now)
        return kept or memory

    def embedded(self, memory_id: str) -> "Embedded | None":
        """Return how far a text is whose vectors are being made."""
        return self._under_way.get(memory_id)

    async def _read(self, memory: Memory) -> Page:
        match memory.kind:
            case "link":
                etag, last_modified = (memory.etag, memory.last_modified) if memory.read_at else ("", "")
                page = await self._reader.read(memory.url, etag=etag, last_modified=last_modified)
                return unchanged(memory) if page is None else page
            case "file":
                if not memory.path:
                    raise Unreadable("The file itself was not handed over.")
                path = Path(memory.path)
                name = path.name if memory.read_at else memory.title or path.name
                return await self._reader.read_file(path, name=name, media_type=memory.media_type)
            case _:
                text = memory.text or memory.note
                return replace(unchanged(memory), text=text, media_type=memory.media_type or "text/plain")

    async def _unite(self, memory: Memory, page: Page) -> Memory:
        """Record the page's other addresses; where one is a memory of its own, make the two one."""
        other = await self._memories.add_aliases(memory.memory_id, other_keys(memory, page))
        if other is None:
            return memory
        merged = await self._memories.merge(memory.memory_id, other)
        return await self._memories.get(merged.memory_id) or merged

    async def _index(self, memory: Memory, page: Page) -> Indexed:
        await self._embedder.load()
        tokenizer, most = self._embedder.tokenizer, self._embedder.max_tokens
        chunks, texts = await asyncio.to_thread(prepare, memory, page, tokenizer, most)
        if memory.read_at is None and len(chunks) > LONG:
            await self._memories.set_state(memory.memory_id, "fetching", page=page, chunks=chunks)
        try:
            return Indexed(chunks=chunks, vectors=await self._vectors(memory, texts))
        finally:
            self._under_way.pop(memory.memory_id, None)

    async def _vectors(self, memory: Memory, texts: Sequence[str]) -> Vectors:
        def told(done: int) -> None:
            self._under_way[memory.memory_id] = Embedded(done=done, total=len(texts))

        told(0)
        return await self._lanes.embed(texts, just_shared=self._just_shared(memory), told=told)

    def _just_shared(self, memory: Memory) -> bool:
        return self._clock.now() - memory.shared_at < JUST_NOW

    async def _try_later(self, memory: Memory, error: TemporarilyUnreadable) -> Memory:
        if memory.attempts >= TRIES:
            return await self._give_up(memory, error)
        await self._memories.set_state(
            memory.memory_id,
            "ready" if memory.read_at else "failed",
            reason=memory.reason if memory.read_at else error.reason,
            detail=str(error),
            next_try=self._clock.now() + pause(memory.attempts, error.retry_after_s),
        )
        return await self._memories.get(memory.memory_id) or memory

    async def _give_up(self, memory: Memory, error: Unreadable | BadInput) -> Memory:
        """Keep what is known without the text; what was read of it before stays as it was."""
        if memory.read_at is not None:
            detail = f"It could not be read again: {error}"
            await self._memories.set_state(memory.memory_id, "ready", reason=memory.reason, detail=detail)
            return await self._memories.get(memory.memory_id) or memory
        known = error.metadata if isinstance(error, Unreadable) else None
        reason = error.reason if isinstance(error, Unreadable) else "unreadable"
        return await self._link_only(memory, known or Page(url=memory.url, text=""), reason, str(error))

    async def _link_only(self, memory: Memory, page: Page, reason: Reason, detail: str) -> Memory:
        """Keep a memory findable by its title, note and description."""
        summary = summary_of(memory, page)
        indexed = await self._index(memory, replace(page, text=summary)) if summary else None
        await self._memories.set_state(
            memory.memory_id,
            "link_only",
            reason=reason,
            detail=detail,
            page=replace(page, text="", description=page.description or memory.description),
            chunks=indexed.chunks if indexed else (),
            vectors=indexed.vectors if indexed else None,
        )
        return await self._memories.get(memory.memory_id) or memory


def unchanged(memory: Memory) -> Page:
    """Return the page that a memory already holds."""
    return Page(
        url=memory.url,
        text=memory.text,
        title=memory.title,
        author=memory.author,
        site=memory.site,
        language=memory.language,
        published=memory.published,
        media_type=memory.media_type,
        description=memory.description,
        etag=memory.etag,
        last_modified=memory.last_modified,
        hidden_text=memory.hidden_text,
        partial=memory.reason,
    )


def prepare(
    memory: Memory, page: Page, tokenizer: Tokenizer, max_tokens: int
) -> tuple[tuple[Chunk, ...], tuple[str, ...]]:
    """Return a page's chunks and what the model reads of each; slow enough for a thread of its own."""
    title = page.title or memory.title
    chunks = cut(page.text, title=title, tokenizer=tokenizer, max_tokens=max_tokens)
    texts = (
        embedding_text(
            chunk, title=title, note=memory.note, tags=memory.tags, tokenizer=tokenizer, max_tokens=max_tokens
        )
        for chunk in chunks
    )
    return chunks, tuple(texts)


def summary_of(memory: Memory, page: Page) -> str:
    """Return what is known of a page without its text: what it said of itself, and what the platform showed of it."""
    parts = (page.title or memory.title, page.description, memory.description, page.text)
    return "\n\n".join(dict.fromkeys(part.strip() for part in parts if part.strip()))


def other_keys(memory: Memory, page: Page) -> Sequence[str]:
    """Return the keys under which this page is known too: where redirects led, and what it calls itself.

    None for a route inside an application (`#/notes/7`): what is fetched is the same for all of them.
    """
    if "#" in page_key(memory.url):
        return ()
    final = (page.url, *page.aliases) if leads_to_itself(memory.url, page.url) else ()
    itself = () if ONE_OF_SEVERAL.search(urlsplit(page_key(memory.url)).query) else (page.canonical,)
    return tuple(dict.fromkeys(page_key(url) for url in (*final, *itself) if url))


def leads_to_itself(url: str, final: str) -> bool:
    """Say whether a redirect leads to the page itself.

    A site that sends its dead pages to its front page, or everybody to its login, would make them all one.
    """
    asked, reached = urlsplit(page_key(url)), urlsplit(page_key(final))
    same_site = asked.netloc.split(".")[-2:] == reached.netloc.split(".")[-2:]
    if asked == reached or not same_site:
        return asked == reached or not NO_PLACE_OF_ITS_OWN.search(reached.path)
    to_front_page = reached.path == "/" and not reached.query and asked.path != "/"
    return not to_front_page and not NO_PLACE_OF_ITS_OWN.search(reached.path)


def pause(attempts: int, retry_after_s: float | None) -> timedelta:
    """Return how long to wait before the next try: what the site asks for, else longer each time, with some jitter."""
    if retry_after_s is not None:
        return min(timedelta(seconds=max(1.0, retry_after_s)), LONGEST_PAUSE)
    grown = min(FIRST_PAUSE * PAUSE_GROWS ** (max(1, attempts) - 1), LONGEST_PAUSE)
    return timedelta(seconds=grown.total_seconds() * random.uniform(0.9, 1.1))  # noqa: S311 - jitter, no secret
