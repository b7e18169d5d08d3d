"""The queue is worked to its end, several at once, and nothing that one memory does stops the others."""

import asyncio
import time
from datetime import timedelta

import numpy as np
import pytest
from structlog.testing import capture_logs

from bot.domain.errors import StorageTrouble, TemporarilyUnreadable
from bot.domain.memories import Filters, Page
from bot.ingest.batching import Batcher, Lanes
from bot.ingest.pipeline import Ingest
from bot.ingest.worker import Worker
from storage import open_storage
from tests.fakes.embedder import HashEmbedder
from tests.fakes.palace import TEAM, SetClock, shared


class Reader:
    """Reads every page as its own address, slowly where told so."""

    def __init__(self):
        self.reading = self.most = 0
        self.held = asyncio.Event()
        self.broken = {}

    async def read(self, url, *, etag="", last_modified=""):
        self.reading += 1
        self.most = max(self.most, self.reading)
        try:
            if "slow" in url:
                await self.held.wait()
            await asyncio.sleep(0.001)
            if error := self.broken.get(url):
                raise error
            return Page(url=url, text=f"The text of {url} is about rye bread.", title=url)
        finally:
            self.reading -= 1


@pytest.fixture
def clock():
    return SetClock()


@pytest.fixture
async def memories(tmp_path, clock):
    async with open_storage(f"sqlite:///{tmp_path}/palace.db", clock=clock) as storage:
        yield storage.memories


@pytest.fixture
def reader():
    return Reader()


@pytest.fixture
def embedder():
    return HashEmbedder()


@pytest.fixture
def worker(memories, reader, embedder, clock):
    ingest = Ingest(memories=memories, reader=reader, embedder=embedder, clock=clock)
    return Worker(memories=memories, ingest=ingest, clock=clock, at_once=8)


async def share(memories, *names):
    return [(await memories.keep(shared(name))).memory for name in names]


async def states(memories):
    found = await memories.list(Filters(), (TEAM,), limit=500)
    return {memory.url.rpartition("/")[2]: memory.state for memory in found}


async def until(condition, seconds=3.0):
    end = time.monotonic() + seconds
    while not await condition():
        assert time.monotonic() < end, "it never happened"
        await asyncio.sleep(0.005)


async def test_draining_reads_everything_several_at_once_and_tells_how_far_it_is(worker, memories, reader):
    await share(memories, *(f"p{number}" for number in range(30)))
    told = []
    await worker.drain(lambda done, total, memory: told.append((done, total, memory.state)))
    assert set((await states(memories)).values()) == {"ready"}
    assert [done for done, _, _ in told] == list(range(1, 31))
    assert all(done <= total <= 38 for done, total, _ in told)
    assert told[-1][1] == 30
    assert {state for _, _, state in told} == {"ready"}
    assert reader.most == 8


@pytest.mark.parametrize(
    ("error", "level"), [(StorageTrouble("The disk is full."), "info"), (ZeroDivisionError("a surprise"), "error")]
)
async def test_only_what_nobody_foresaw_is_logged_as_an_error(worker, memories, reader, error, level):
    await share(memories, "one")
    reader.broken["https://example.com/one"] = error
    with capture_logs() as logged:
        await worker.drain()
    assert [line["log_level"] for line in logged if line["event"] == "reading failed"] == [level]


async def test_one_bad_memory_never_stops_the_others(worker, memories, reader):
    await share(memories, "good1", "bad", "moody", "good2")
    reader.broken["https://example.com/bad"] = ZeroDivisionError("nobody foresaw this")
    reader.broken["https://example.com/moody"] = TemporarilyUnreadable("The site cannot be reached.")
    await worker.drain()
    assert await states(memories) == {"good1": "ready", "good2": "ready", "bad": "failed", "moody": "failed"}
    (bad,) = [memory for memory in await memories.list(Filters(), None) if memory.url.endswith("bad")]
    assert "ZeroDivision" not in bad.detail


async def test_a_surprise_is_tried_a_few_times_and_then_let_go(worker, memories, reader, clock):
    await share(memories, "bad")
    reader.broken["https://example.com/bad"] = ZeroDivisionError()
    for state in ("failed", "failed", "link_only", "link_only"):
        await worker.drain()
        assert await states(memories) == {"bad": state}
        clock.move(hours=1)


async def test_a_surprise_while_reading_again_leaves_what_was_read_as_it_was(worker, memories, reader):
    (memory,) = await share(memories, "bad")
    await worker.drain()
    reader.broken["https://example.com/bad"] = ZeroDivisionError()
    await memories.retry(memory.memory_id)
    await worker.drain()
    after = await memories.get(memory.memory_id)
    assert (after.state, after.reason, bool(after.text)) == ("ready", "", True)


async def test_a_slow_page_holds_nobody_up(worker, memories, reader):
    await share(memories, "slow", *(f"p{number}" for number in range(20)))
    draining = asyncio.create_task(worker.drain())

    async def others_done():
        return list((await states(memories)).values()).count("ready") == 20

    await until(others_done)
    assert (await states(memories))["slow"] == "fetching"
    reader.held.set()
    await draining
    assert (await states(memories))["slow"] == "ready"


async def test_a_running_worker_wakes_at_once_when_nudged(worker, memories):
    running = asyncio.create_task(worker.run())
    await asyncio.sleep(0.05)
    started = time.monotonic()
    await share(memories, "fresh")
    worker.nudge()

    async def ready():
        return (await states(memories))["fresh"] == "ready"

    await until(ready)
    assert time.monotonic() - started < 1.0
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_worker_stopped_at_the_moment_it_is_woken_stops(worker):
    running = asyncio.create_task(worker.run())
    await asyncio.sleep(0.05)
    worker.nudge()
    running.cancel()
    await asyncio.wait({running}, timeout=1)
    assert running.cancelled()


async def test_a_stopped_worker_puts_back_what_was_under_way(worker, memories, reader):
    await share(memories, "slow")
    running = asyncio.create_task(worker.run())

    async def fetching():
        return (await states(memories))["slow"] == "fetching"

    await until(fetching)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert await states(memories) == {"slow": "queued"}
    reader.held.set()
    await worker.drain()
    assert await states(memories) == {"slow": "ready"}


async def test_a_failed_memory_is_tried_again_when_its_time_has_come(worker, memories, reader, clock):
    await share(memories, "moody")
    reader.broken["https://example.com/moody"] = TemporarilyUnreadable("Later.", retry_after_s=60)
    await worker.drain()
    reader.broken.clear()
    await worker.drain()
    assert await states(memories) == {"moody": "failed"}
    clock.move(seconds=61)
    await worker.drain()
    assert await states(memories) == {"moody": "ready"}


async def test_a_locked_database_is_waited_for(worker, memories, monkeypatch):
    await share(memories, "p")
    claim, failures = memories.claim, [StorageTrouble("The file is locked.")]

    async def claim_later(now, *, limit):
        if failures:
            raise failures.pop()
        return await claim(now, limit=limit)

    monkeypatch.setattr(memories, "claim", claim_later)
    monkeypatch.setattr("bot.ingest.worker.AFTER_TROUBLE_S", 0.01)
    monkeypatch.setattr("bot.ingest.worker.LOOK_EVERY_S", 0.02)
    running = asyncio.create_task(worker.run())

    async def ready():
        return (await states(memories))["p"] == "ready"

    await until(ready)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_pages_read_together_are_embedded_together(worker, memories, embedder):
    calls = []
    embed = embedder.embed

    async def slowly(texts):
        calls.append(len(texts))
        await asyncio.sleep(0.02)
        return await embed(texts)

    embedder.embed = slowly
    await share(memories, *(f"p{number}" for number in range(24)))
    await worker.drain()
    assert sum(calls) == 24
    assert len(calls) < 12


# The batcher alone --------------------------------------------------------------------------------------


async def test_everybody_gets_their_own_vectors_in_order(embedder):
    batcher = Batcher(embedder)
    groups = [[f"text {group} {number}" for number in range(group % 4)] for group in range(12)]
    answers = await asyncio.gather(*(batcher.embed(texts) for texts in groups))
    for texts, vectors in zip(groups, answers, strict=True):
        assert vectors.shape == (len(texts), 64)
        assert all(np.allclose(vector, embedder.vector(text)) for text, vector in zip(texts, vectors, strict=True))


async def test_a_failing_model_fails_only_those_who_wait_for_it_now(embedder):
    batcher = Batcher(embedder)
    embed, embedder.embed = embedder.embed, None
    with pytest.raises(TypeError):
        await batcher.embed(["a"])
    embedder.embed = embed
    assert (await batcher.embed(["a"])).shape == (1, 64)


async def test_somebody_who_stopped_waiting_spoils_nothing(embedder):
    batcher = Batcher(embedder)
    gone = asyncio.create_task(batcher.embed(["gone"]))
    stays = asyncio.create_task(batcher.embed(["stays"]))
    await asyncio.sleep(0)
    gone.cancel()
    assert (await stays).shape == (1, 64)


async def test_a_book_lets_short_pages_go_before_its_end(embedder):
    batcher = Batcher(embedder)
    book = asyncio.create_task(batcher.embed([f"page {number}" for number in range(1_000)]))
    await asyncio.sleep(0)
    await batcher.embed(["a short page"])
    assert not book.done()
    assert (await book).shape == (1_000, 64)
    assert embedder.embedded.index("a short page") < 300


async def test_what_was_just_shared_waits_neither_for_an_import_nor_for_a_book(embedder):
    embed, rounds = embedder.embed, []

    async def in_turn(texts):
        rounds.append(texts[0])
        await asyncio.sleep(0)
        return await embed(texts)

    embedder.embed = in_turn
    lanes = Lanes(embedder)
    imported = [
        asyncio.create_task(lanes.embed([f"page {page} {number}" for number in range(60)], just_shared=False))
        for page in range(50)
    ]
    book = asyncio.create_task(lanes.embed([f"line {number}" for number in range(2_000)], just_shared=True))
    await asyncio.sleep(0)
    await lanes.embed(["a note"], just_shared=True)
    assert len(rounds) < 10
    assert not book.done()
    assert not any(task.done() for task in imported[10:])
    await asyncio.gather(book, *imported)


async def test_a_long_text_tells_how_far_it_is(embedder):
    heard = []
    await Lanes(embedder).embed([f"line {number}" for number in range(150)], just_shared=True, told=heard.append)
    assert heard == [64, 128, 150]


async def test_a_book_that_outlives_its_claim_is_not_read_twice(worker, memories, reader, clock):
    await share(memories, "slow-book")
    task = asyncio.create_task(worker.drain())
    await until(lambda: is_reading(reader, 1))
    clock.at += timedelta(hours=1)
    await share(memories, "note")
    worker.nudge()
    await until(lambda: is_ready(memories, "note"))
    reader.held.set()
    await task
    assert reader.most == 2
    assert set((await states(memories)).values()) == {"ready"}


async def is_reading(reader, number):
    return reader.reading == number


async def is_ready(memories, name):
    return (await states(memories)).get(name) == "ready"
