"""The composition root: open what is outside and the storage, hand both to the bot, run the adapters."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import structlog

from adapters import ConsoleAdapter, Outside, make_console, open_adapters, open_export, platforms
from bot.assembly import assemble
from bot.conversation import CONSOLE_ROOM, OWNER, Bot
from bot.domain.errors import BadInput, StorageTrouble
from bot.domain.memories import Filters, Shared
from bot.domain.messages import Message
from bot.ingest.pipeline import Ingest
from bot.ingest.worker import Worker
from bot.ports import Deadlines, Embedder, Knobs, PageReader, Platform, Storage
from bot.rag.pipeline import Answering
from bot.settings import Settings
from bot.upkeep import embed_again, keep_house, record_model
from storage import open_storage

AFTER_TROUBLE_S = 5.0
HEAD_START_S = 0.3
"""The model's loading takes the interpreter for itself in long stretches: the terminal's prompt is drawn before."""
COUNTS_BEFORE_WRITING = 100
"""A full disk stops the reading without a word: writing something now and then raises what is wrong."""

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
    adapters: tuple[Platform, ...]

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
    async with (
        open_adapters(settings) as outside,
        open_storage(database_url(settings), clock=outside.clock, home=settings.palace_home) as storage,
    ):
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
            bot=assemble(
                storage,
                answering,
                embedder=outside.embedder,
                clock=outside.clock,
                nudge=worker.nudge,
                timezone=settings.palace_timezone,
            ),
            adapters=platforms(settings, inbox=storage.inbox, rooms=storage.rooms, clock=outside.clock),
        )


async def serve(palace: Palace, listening: Coroutine[Any, Any, None]) -> None:
    """Read what is queued and keep the house for as long as `listening` goes on."""
    background = [
        asyncio.create_task(work)
        for work in (
            after_a_head_start(partial(read_always, palace)),
            after_a_head_start(palace.answering.warm),
            keep_house(palace.storage, palace.outside.clock),
        )
    ]
    for task in background:
        task.add_done_callback(tell_failure)
    try:
        await listening
    finally:
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)


async def after_a_head_start(work: Callable[[], Awaitable[None]]) -> None:
    """Do what loads a model or a library once what a person sees first stands there."""
    await asyncio.sleep(HEAD_START_S)
    await work()


def tell_failure(task: "asyncio.Task[None]") -> None:
    """Log what ended a background task at once, not when the program ends."""
    if not task.cancelled() and (error := task.exception()):
        log.error("background work ended", failure=f"{type(error).__name__}: {error}", exc_info=error)


async def read_always(palace: Palace) -> None:
    """Read what is queued, whatever befalls the disk meanwhile."""
    palace.reader.warm()
    while True:
        try:
            await read_queue(palace)
        except* StorageTrouble as troubles:
            log.warning("queue not readable", why=str(troubles.exceptions[0]))
        await asyncio.sleep(AFTER_TROUBLE_S)


async def read_queue(palace: Palace, progress: Callable[[int], None] | None = None) -> None:
    """Read what is queued, until cancelled, and make vectors of another model again beside it.

    Both wait until the model is recorded: its vectors may be of another length. Where it cannot be loaded, each page
    says so itself. Raises StorageTrouble, alone or in a group.
    """
    with suppress(BadInput):
        await record_model(palace.storage, palace.embedder)
    async with asyncio.TaskGroup() as group:
        group.create_task(palace.worker.run())
        if palace.embedder.ready:
            group.create_task(embed_again(palace.storage, palace.embedder, progress))


async def prepare_embeddings(palace: Palace, progress: Callable[[int], None] | None = None) -> None:
    """Load the embedding model and, where it is another one than before, make every vector again."""
    await record_model(palace.storage, palace.embedder)
    await embed_again(palace.storage, palace.embedder, progress)


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
    return make_console(
        palace.settings,
        room=CONSOLE_ROOM,
        person=OWNER,
        clock=palace.outside.clock,
        waiting=waiting_in(palace),
        plain=plain,
    )


def waiting_in(palace: Palace) -> Callable[[], Awaitable[int]]:
    """Return a function that counts what is not read yet. It raises StorageTrouble where that can never change."""
    unread, counted = Filters(states=("queued", "fetching")), itertools.count(1)

    async def waiting() -> int:
        left = await palace.storage.memories.count(unread, None)
        if left and next(counted) % COUNTS_BEFORE_WRITING == 0:
            await must_be_writable(palace)
        return left

    return waiting


async def must_be_writable(palace: Palace) -> None:
    """Write something and take it back. Raises StorageTrouble where nothing can be written, on a full disk say."""
    for value in ("yes", None):
        await palace.storage.rooms.set("commandline", "still_writable", value)


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
