"""How fast shared pages become memories: nearly as fast as the model alone, with nothing held up."""

import asyncio
import resource
import time
from contextlib import suppress

import numpy as np
import pytest

from adapters.web.reader import open_reader
from bot.domain.links import page_key
from bot.ingest.pipeline import Ingest
from bot.ingest.worker import Worker
from storage import open_storage
from tests.fakes.palace import SetClock, shared
from tests.fakes.web import article, serve

pytestmark = pytest.mark.bench

PAGES = 1_000
TOGETHER = 128


class Noted:
    """The embedder, with a note of every text."""

    def __init__(self, embedder):
        self._embedder = embedder
        self.texts = []

    def __getattr__(self, name):
        return getattr(self._embedder, name)

    async def embed(self, texts):
        self.texts.extend(texts)
        return await self._embedder.embed(texts)


async def test_a_thousand_pages_are_read_at_the_embedders_own_pace(embedder, tmp_path, capsys):
    await embedder.load()
    await embedder.embed(["warm up " * 100] * TOGETHER)
    noted, lags = Noted(embedder), []
    async with (
        serve() as web,
        open_storage(f"sqlite:///{tmp_path}/palace.db") as storage,
        open_reader(trusted_hosts=[web.host]) as reader,
    ):
        for number in range(PAGES):
            text = article(f"Page {number}", f"topic {number * 7919 % 1000}", paragraphs=4 + number % 9)
            url = web.page(f"/{number}", text)
            await storage.memories.keep(shared(f"p{number}", url=url, key=page_key(url)))
        ingest = Ingest(memories=storage.memories, reader=reader, embedder=noted, clock=SetClock())
        worker = Worker(memories=storage.memories, ingest=ingest, clock=SetClock())
        watching = asyncio.create_task(watch(lags))
        sizes: list[int] = []
        started = time.perf_counter()
        await worker.drain(lambda done, total, memory: sizes.append(resident()) if done % 100 == 0 else None)
        took = time.perf_counter() - started
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        stats = await storage.memories.stats()
    started = time.perf_counter()
    for at in range(0, len(noted.texts), TOGETHER):
        await embedder.embed(noted.texts[at : at + TOGETHER])
    alone = time.perf_counter() - started
    with capsys.disabled():
        print(
            f"\n{PAGES} pages, {len(noted.texts)} chunks: {len(noted.texts) / took:.1f} chunks/s, the embedder alone "
            f"{len(noted.texts) / alone:.1f} ({alone / took:.0%}); event loop late by "
            f"{np.percentile(lags, 99) * 1e3:.1f} ms (p99), {max(lags) * 1e3:.1f} ms (most); resident memory "
            f"{sizes[0]} MB after 100 pages, {sizes[-1]} MB at the end"
        )
    assert stats["state_ready"] == PAGES
    assert alone / took >= 0.9
    assert max(lags) < 0.05
    assert sizes[-1] - sizes[0] < 100


async def watch(lags):
    """Note by how much the event loop comes late to a 5 ms appointment."""
    while True:
        started = time.perf_counter()
        await asyncio.sleep(0.005)
        lags.append(time.perf_counter() - started - 0.005)


def resident():
    """The most memory that this process has held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
