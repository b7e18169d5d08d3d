"""A temporary palace that holds an evaluation's corpus, made by the product's own ingest, storage and embedder."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.domain.memories import Filters, Page, Passage, Shared
from bot.domain.rooms import Person, Room, Scope, scope_of
from bot.ingest.pipeline import Ingest
from bot.ports import Storage
from bot.rag.params import parameters_for
from bot.rag.retrieve import Retriever
from storage import open_storage
from tests.evals.vectors import CachedEmbedder, eval_embedder

PERSON = Person(platform="console", person_id="reader", name="Reader")
ROOM = Room(platform="console", channel="reader", kind="direct")
SCOPE: Scope = scope_of(ROOM, PERSON)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
AT_ONCE = 128
"""Documents taken in side by side, so that the model gets full batches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document of a corpus: it becomes one memory."""

    name: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Palace:
    """The open palace, and which document each memory is."""

    storage: Storage
    embedder: CachedEmbedder
    names: Mapping[str, str]
    """memory_id -> name of the document."""

    @property
    def retriever(self) -> Retriever:
        """The search that serves a person."""
        return Retriever(self.storage.search, self.embedder, self.storage.feedback)

    async def search(
        self, queries: Sequence[str], *, alike: int = 1, passages: int = 30, intent: str = "simple_lookup"
    ) -> list[str]:
        """Return the names of the documents found, best first, each once."""
        parameters = parameters_for(intent, {intent: (passages, *weights(intent))})
        found = await self.retriever.retrieve(queries, parameters, (SCOPE,), Filters(), alike=alike)
        return self.documents(found)

    def documents(self, passages: Iterable[Passage]) -> list[str]:
        """Return the names of the documents of these passages, in order, each once."""
        return list(dict.fromkeys(self.names[passage.memory_id] for passage in passages))


def weights(intent: str) -> tuple[float, float, int]:
    """The table's own weights for an intent: an evaluation looks deeper than an answer, and changes nothing else."""
    own = parameters_for(intent)
    return own.by_meaning, own.by_words, own.wordings


@asynccontextmanager
async def palace_of(documents: Sequence[Document]) -> AsyncIterator[Palace]:
    """Open a palace in a temporary folder with every document in it, chunked, embedded and indexed as when saved."""
    embedder = eval_embedder()
    await embedder.load()
    with tempfile.TemporaryDirectory(prefix="palace-eval-") as folder:
        async with open_storage(f"sqlite:///{folder}/palace.db") as storage:
            await storage.prepare_embeddings(model_name=embedder.model_name, dimensions=embedder.dimensions)
            ingest = Ingest(memories=storage.memories, reader=NoReader(), embedder=embedder, clock=Still())
            names: dict[str, str] = {}
            for start in range(0, len(documents), AT_ONCE):
                batch = documents[start : start + AT_ONCE]
                saved = await asyncio.gather(*(save(storage, ingest, one) for one in batch))
                names |= {memory_id: name for name, memory_id in saved}
            yield Palace(storage=storage, embedder=embedder, names=names)


async def save(storage: Storage, ingest: Ingest, document: Document) -> tuple[str, str]:
    """Keep one document as a file that was read."""
    shared = Shared(
        kind="file",
        scope=SCOPE,
        room=ROOM,
        person=PERSON,
        shared_at=NOW,
        source=f"eval/{document.name}",
        key=f"eval:{document.name}",
        title=document.title,
    )
    kept = await storage.memories.keep(shared, state="fetching")
    page = Page(url="", text=document.text, title=document.title, media_type="text/plain")
    memory = await ingest.take(kept.memory, page)
    return document.name, memory.memory_id


class NoReader:
    """No document of a corpus is fetched."""

    async def read(self, url: str, **_: Any) -> Page:
        raise AssertionError(url)

    async def read_file(self, path: Path, **_: Any) -> Page:
        raise AssertionError(path)

    async def read_bytes(self, content: bytes, **_: Any) -> Page:
        raise AssertionError(len(content))

    def warm(self) -> None:
        """Nothing is to be loaded."""


class Still:
    """A clock that stands."""

    def now(self) -> datetime:
        return NOW
