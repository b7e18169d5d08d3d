"""The composition root: open what is outside, put the bot together, run the adapters."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import structlog

from adapters import ConsoleAdapter, Outside, make_console, open_adapters, open_export, platforms
from bot.command_runner import CommandRunner
from bot.conversation import CONSOLE_ROOM, OWNER, Bot
from bot.domain.memories import Filters, Shared
from bot.domain.messages import Message
from bot.ingest.pipeline import Ingest
from bot.ingest.worker import Worker
from bot.keeper import RECEIPT_WAIT_S, Keeper
from bot.memory_commands import MemoryCommands
from bot.ports import Adapter, Deadlines, Embedder, Knobs, PageReader, Storage
from bot.rag.pipeline import Answering
from bot.rag.retrieve import Retriever
from bot.responder import Responder
from bot.settings import Settings
from storage import open_storage

MAINTAIN_EVERY_S = 3600.0
REEMBED_BATCH = 64

log = structlog.get_logger(__name__)

WRITING_S = 5.0
"""What an answer may take after the last moment for its first word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Palace:
    """One palace, open: the bot and everything it stands on."""

    settings: Settings
    storage: Storage
    outside: Outside
    ingest: Ingest
    worker: Worker
    answering: Answering
    bot: Bot
    adapters: tuple[Adapter, ...]

    @property
    def embedder(self) -> Embedder:
        """The embedding model."""
        return self.outside.embedder

    @property
    def reader(self) -> PageReader:
        """The reader of addresses and files."""
        return self.outside.reader


@asynccontextmanager
async def open_palace(settings: Settings) -> AsyncIterator[Palace]:
    """Open the palace of these settings. Raises StorageTrouble or BadInput with a sentence."""
    async with open_adapters(settings) as outside, open_storage(database_url(settings), clock=outside.clock) as storage:
        ingest = Ingest(
            memories=storage.memories, reader=outside.reader, embedder=outside.embedder, clock=outside.clock
        )
        worker = Worker(memories=storage.memories, ingest=ingest, clock=outside.clock)
        answering = Answering(
            search=storage.search,
            memories=storage.memories,
            transcript=storage.transcript,
            traces=storage.traces,
            feedback=storage.feedback,
            embedder=outside.embedder,
            model=outside.model,
            knobs=knobs(settings),
        )
        yield Palace(
            settings=settings,
            storage=storage,
            outside=outside,
            ingest=ingest,
            worker=worker,
            answering=answering,
            bot=assemble(settings, storage, outside, answering, worker),
            adapters=platforms(settings, inbox=storage.inbox, rooms=storage.rooms, clock=outside.clock),
        )


def assemble(
    settings: Settings,
    storage: Storage,
    outside: Outside,
    answering: Answering,
    worker: Worker,
    *,
    receipt_wait_s: float = RECEIPT_WAIT_S,
) -> Bot:
    """Put the conversation core together."""
    timezone = settings.palace_timezone
    keeper = Keeper(
        memories=storage.memories,
        rooms=storage.rooms,
        clock=outside.clock,
        nudge=worker.nudge,
        timezone=timezone,
        receipt_wait_s=receipt_wait_s,
    )
    responder = Responder(
        storage=storage,
        answering=answering,
        embedder=outside.embedder,
        keeper=keeper,
        clock=outside.clock,
        timezone=timezone,
    )
    memory_commands = MemoryCommands(
        memories=storage.memories,
        rooms=storage.rooms,
        retriever=Retriever(storage.search, outside.embedder, storage.feedback),
        keeper=keeper,
        clock=outside.clock,
        timezone=timezone,
    )
    runner = CommandRunner(
        memories=storage.memories,
        rooms=storage.rooms,
        memory_commands=memory_commands,
        keeper=keeper,
        responder=responder,
    )
    return Bot(keeper=keeper, responder=responder, runner=runner, memories=storage.memories, rooms=storage.rooms)


async def serve(palace: Palace, *adapters: Adapter) -> None:
    """Read what is queued, keep the house, and listen on every adapter, until cancelled or an adapter ends."""
    background = [
        asyncio.create_task(work)
        for work in (
            palace.worker.run(),
            prepare_embeddings(palace),
            palace.answering.warm(),
            keep_house(palace.storage),
        )
    ]
    try:
        async with asyncio.TaskGroup() as group:
            for adapter in adapters or palace.adapters:
                group.create_task(adapter.run(palace.bot), name=adapter.name)
    finally:
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)


async def prepare_embeddings(palace: Palace, progress: Callable[[int], None] | None = None) -> None:
    """Load the embedding model and, where it is another one than before, make every vector again."""
    embedder = palace.embedder
    await embedder.load()
    await palace.storage.prepare_embeddings(model_name=embedder.model_name, dimensions=embedder.dimensions)
    done = 0
    while stale := await palace.storage.stale_chunks(limit=REEMBED_BATCH):
        vectors = await embedder.embed([text for _, text in stale])
        await palace.storage.write_vectors([chunk_id for chunk_id, _ in stale], vectors)
        done += len(stale)
        if progress:
            progress(done)
    if done:
        log.warning("embedded_again", chunks=done, model=embedder.model_name)


async def keep_house(storage: Storage) -> None:
    """Give space back when much was deleted, now and then."""
    while True:
        await asyncio.sleep(MAINTAIN_EVERY_S)
        if await storage.maintenance_due():
            log.info("maintained", **await storage.maintain())


def database_url(settings: Settings) -> str:
    """Return where the palace's file is."""
    return settings.palace_database_url or f"sqlite:///{settings.palace_home / 'palace.db'}"


def knobs(settings: Settings) -> Knobs:
    """Return what the settings override in the pipeline."""
    first_word_s = settings.palace_first_word_deadline_s
    deadlines = Deadlines(
        step_s=settings.palace_step_deadline_s, first_word_s=first_word_s, total_s=first_word_s + WRITING_S
    )
    return Knobs(
        deadlines=deadlines, parameters={str(intent): row for intent, row in settings.palace_parameters.items()}
    )


def open_console(palace: Palace, *, plain: bool = False) -> ConsoleAdapter:
    """Return the terminal as a room of this palace."""
    waiting = Filters(states=("queued", "fetching"))
    return make_console(
        palace.settings,
        room=CONSOLE_ROOM,
        person=OWNER,
        clock=palace.outside.clock,
        waiting=lambda: palace.storage.memories.count(waiting, None),
        plain=plain,
    )


class Imported(Protocol):
    """A recognised export of another program; `records` reads it from the start at each call."""

    @property
    def format(self) -> str:
        """Its name for people."""

    @property
    def records(self) -> Callable[[], Iterator["Shared | Message | LeftOut"]]:
        """What it holds."""


class LeftOut(Protocol):
    """An entry that is not imported."""

    @property
    def why(self) -> str:
        """The reason in a few words."""


def open_import(path: Path) -> Imported:
    """Recognise an export that lies at `path`; entries without a person or room are the owner's. Raises BadInput."""
    return open_export(path, person=OWNER, room=CONSOLE_ROOM)


def slack_manifest() -> str:
    """Return the manifest from which a Slack app for this bot is made."""
    from adapters.slack.manifest import manifest_text  # noqa: PLC0415 - for this one command

    return manifest_text()
