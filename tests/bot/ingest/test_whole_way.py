"""The whole way from a shared link to its state, against a web server that plays the web: good, bad and hostile."""

import pytest

from adapters.web.extracting import Processes
from adapters.web.fetching import Fetcher, Limits
from adapters.web.guard import trusted_hosts
from adapters.web.reader import WebReader
from bot.domain.links import page_key
from bot.domain.memories import Filters
from bot.ingest.pipeline import Ingest
from bot.ingest.worker import Worker
from storage import open_storage
from tests.fakes.embedder import HashEmbedder
from tests.fakes.palace import SetClock, shared
from tests.fakes.web import article, bomb_bytes, serve

LIMITS = Limits(seconds=2.0, connect_s=1.0, silence_s=0.6, bytes_held=2_000_000)


@pytest.fixture(scope="module")
def processes():
    pool = Processes(count=1, seconds=20)
    yield pool
    pool.close()


@pytest.fixture
async def web():
    async with serve() as fake:
        yield fake


@pytest.fixture
async def memories(tmp_path):
    async with open_storage(f"sqlite:///{tmp_path}/palace.db", clock=SetClock()) as storage:
        yield storage.memories


@pytest.fixture
async def worker(memories, web, processes):
    fetcher = Fetcher(trusted=trusted_hosts([web.host]), limits=LIMITS)
    reader = WebReader(fetcher, processes, limit=LIMITS.bytes_held)
    ingest = Ingest(memories=memories, reader=reader, embedder=HashEmbedder(), clock=SetClock())
    yield Worker(memories=memories, ingest=ingest, clock=SetClock())
    await fetcher.close()


async def test_every_kind_of_page_ends_in_its_own_state_with_one_sentence(web, memories, worker):
    web.first("/moody", status=500)
    web.page("/moody", article("Moody"))
    web.redirect("/loop", "/loop")
    web.redirect("/metadata", "http://169.254.169.254/latest/meta-data/")
    web.redirect("/back", "http://[::ffff:127.0.0.1]:1/")
    web.page("/large", b"x" * 2_000_001)
    web.page("/busy", "", status=429, Retry_After="60")
    web.page("/fault", "", status=500)
    web.page("/nothing", "")
    web.page("/nested", "<div>" * 50_000 + article("Nested") + "</div>" * 50_000)
    web.page("/lying-charset", article("Grüße").encode("utf-8"), Content_Type="text/html; charset=iso-8859-1")
    web.page("/lying-type", article("Truly a page"), Content_Type="application/octet-stream")
    expected = {
        "/moody": ("ready", ""),
        "/loop": ("link_only", "too_many_redirects"),
        "/metadata": ("link_only", "refused_address"),
        "/back": ("link_only", "refused_address"),
        "/large": ("link_only", "too_large"),
        "/bomb": ("link_only", "too_large"),
        "/endless": ("link_only", "too_large"),
        "/drip": ("failed", "timed_out"),
        "/silence": ("failed", "timed_out"),
        "/busy": ("failed", "rate_limited"),
        "/fault": ("failed", "server_error"),
        "/hang-up": ("failed", "unreachable"),
        "/missing": ("link_only", "not_found"),
        "/nothing": ("link_only", "empty"),
        "/lying-charset": ("ready", ""),
        "/lying-type": ("ready", ""),
    }
    for path in (*expected, "/nested"):
        url = web.url(path)
        await memories.keep(shared(path, url=url, key=page_key(url), title=""))
    bomb_bytes()
    await worker.drain()
    found = {memory.url.removeprefix(web.url("")): memory for memory in await memories.list(Filters(), None)}
    assert {path: (found[path].state, found[path].reason) for path in expected} == expected
    assert found["/nested"].state in {"ready", "link_only"}
    for memory in found.values():
        if memory.state == "ready":
            assert memory.chunks > 0
        else:
            assert memory.detail.endswith(".")
            assert not any(word in memory.detail for word in ("Error", "Exception", "Traceback", "http"))
        assert (memory.state == "failed") == (memory.next_try is not None)
    assert found["/lying-charset"].title == "Grüße"


async def test_a_page_that_changed_between_two_saves_is_replaced(web, memories, worker):
    url = web.page("/news", article("Old news"), ETag='"1"')
    kept = await memories.keep(shared("news", url=url, key=page_key(url)))
    for title, etag, version in (("Old news", '"1"', 1), ("Old news", '"1"', 1), ("New news", '"2"', 2)):
        web.page("/news", article(title), ETag=etag)
        await memories.retry(kept.memory.memory_id)
        await worker.drain()
        memory = await memories.get(kept.memory.memory_id)
        assert (memory.state, memory.version, memory.title) == ("ready", version, title)
