"""A whole palace around a fake web: the real core, storage, ingest and pipeline, with pages from a dictionary."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.assembly import assemble
from bot.conversation import Bot
from bot.domain.errors import Unreadable
from bot.domain.memories import Page
from bot.domain.messages import Message
from bot.domain.rooms import Person, Room
from bot.ingest.pipeline import Ingest
from bot.ingest.worker import Worker
from bot.ports import Embedder, Knobs, LanguageModel, Storage
from bot.rag.pipeline import Answering
from storage import open_storage
from tests.fakes.embedder import HashEmbedder
from tests.fakes.reply import RecordingReply, StandingClock


class PagesReader:
    """Reads what the test put there; anything else is not found."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}

    def put(self, url: str, title: str, text: str) -> None:
        self.pages[url] = Page(url=url, title=title, text=text)

    async def read(self, url: str, *, etag: str = "", last_modified: str = "") -> Page:
        if url not in self.pages:
            raise Unreadable("The page is not there (404).", reason="not_found")
        return self.pages[url]

    async def read_file(self, path: Path, *, name: str = "", media_type: str = "") -> Page:
        return Page(url=str(path), title=name, text=path.read_text(encoding="utf-8"))  # noqa: ASYNC240 - a small file of a test

    async def read_bytes(self, content: bytes, *, url: str, media_type: str = "") -> Page:
        return Page(url=url, text=content.decode())

    def warm(self) -> None:
        """Nothing is to be loaded."""


@dataclass
class House:
    bot: Bot
    storage: Storage
    worker: Worker
    web: PagesReader
    clock: StandingClock
    count: int = 0

    def message(self, text: str, room: Room, author: Person, **more: object) -> Message:
        self.count += 1
        self.clock.move(seconds=1)
        values: dict[str, object] = {"addressed": True, "message_id": str(self.count), "sent_at": self.clock.now()}
        return Message(room=room, author=author, text=text, **(values | more))  # type: ignore[arg-type]

    async def tell(self, text: str, room: Room, author: Person, **more: object) -> RecordingReply:
        """Say something, let the queue be read, and return what came back."""
        reply = RecordingReply()
        await self.bot.receive(self.message(text, room, author, **more), reply)
        await self.worker.drain()
        return reply


@asynccontextmanager
async def open_house(
    folder: Path, *, embedder: Embedder | None = None, model: LanguageModel | None = None
) -> AsyncIterator[House]:
    clock, web, embedder = StandingClock(), PagesReader(), embedder or HashEmbedder()
    await embedder.load()
    async with open_storage(f"sqlite:///{folder / 'palace.db'}", clock=clock) as storage:
        await storage.prepare_embeddings(model_name=embedder.model_name, dimensions=embedder.dimensions)
        ingest = Ingest(memories=storage.memories, reader=web, embedder=embedder, clock=clock)
        worker = Worker(memories=storage.memories, ingest=ingest, clock=clock)
        answering = Answering(
            search=storage.search,
            memories=storage.memories,
            transcript=storage.transcript,
            traces=storage.traces,
            feedback=storage.feedback,
            embedder=embedder,
            model=model,
            knobs=Knobs(),
        )
        bot = assemble(
            storage,
            answering,
            embedder=embedder,
            clock=clock,
            nudge=worker.nudge,
            timezone="UTC",
            receipt_wait_s=0.0,
        )
        yield House(bot, storage, worker, web, clock)
