"""What is shared becomes a memory in its right state, once, and is never made worse by a later reading."""

import asyncio
import itertools
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.errors import BadInput, RefusedAddress, TemporarilyUnreadable, Unreadable
from bot.domain.links import page_key
from bot.domain.memories import Filters, Page
from bot.domain.messages import Attachment, Preview
from bot.ingest.pipeline import Ingest, leads_to_itself, pause
from storage import open_storage
from tests.fakes.embedder import HashEmbedder
from tests.fakes.palace import NOON, TEAM, SetClock, shared

TEXT = "# Rye\n\nThe dough of rye bread rests for a whole night.\n\n## Salt\n\nSalt comes last."


class Reader:
    """A PageReader that gives what the test puts there."""

    def __init__(self):
        self.answers = {}
        self.asked = []

    def give(self, url, answer):
        self.answers[url] = answer
        return url

    async def read(self, url, *, etag="", last_modified=""):
        self.asked.append((url, etag))
        return self._answer(url)

    async def read_file(self, path, *, name="", media_type=""):
        self.asked.append((str(path), name))
        return self._answer(str(path))

    def _answer(self, key):
        answer = self.answers[key]
        if isinstance(answer, Exception):
            raise answer
        return answer


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
def read(memories, reader, embedder, clock):
    """Share something and have it read, as the worker would."""
    ingest = Ingest(memories=memories, reader=reader, embedder=embedder, clock=clock)

    async def share_and_read(url="", **other):
        other.setdefault("source", f"test/{url}{clock.at.isoformat()}")
        await memories.keep(shared(url=url, key=page_key(url) if url else "", **other))
        (claimed,) = await memories.claim(clock.now(), limit=5)
        after = await ingest.process(claimed)
        return await memories.get(after.memory_id)

    return share_and_read


@pytest.fixture
def again(memories, reader, embedder, clock):
    """Have a memory read once more."""
    ingest = Ingest(memories=memories, reader=reader, embedder=embedder, clock=clock)

    async def read_again(memory):
        await memories.retry(memory.memory_id)
        (claimed,) = await memories.claim(clock.now(), limit=5)
        after = await ingest.process(claimed)
        return await memories.get(after.memory_id)

    return read_again


def page(url, text=TEXT, **other):
    return Page(url=url, text=text, **({"title": "All about rye"} | other))


async def test_a_link_becomes_a_readable_memory(read, reader, embedder):
    url = reader.give("https://a.example/rye", page("https://a.example/rye", author="Ana", etag='"1"'))
    memory = await read(url)
    assert (memory.state, memory.title, memory.author, memory.version) == ("ready", "All about rye", "Ana", 1)
    assert memory.text == TEXT
    assert memory.chunks == len(embedder.embedded) == 1
    assert embedder.embedded[0].startswith("All about rye\n")


async def test_note_and_tags_are_before_the_model_too(read, reader, embedder):
    url = reader.give("https://a.example/rye", page("https://a.example/rye"))
    await read(url, note="for the bakery", tags=("bread",))
    assert "for the bakery" in embedder.embedded[0]
    assert "bread" in embedder.embedded[0]


async def test_a_note_is_read_from_its_own_text(read, reader):
    memory = await read(kind="note", text="Remember the sourdough starter.", title="")
    assert (memory.state, memory.text, memory.chunks) == ("ready", "Remember the sourdough starter.", 1)
    assert reader.asked == []


async def test_a_file_is_read_from_its_local_copy_under_its_own_name(read, reader):
    reader.give("/copies/1", page("rye.pdf"))
    memory = await read(kind="file", title="", attachment=Attachment(name="rye.pdf", path="/copies/1"))
    assert memory.state == "ready"
    assert reader.asked == [("/copies/1", "rye.pdf")]


async def test_a_page_that_did_not_change_is_not_embedded_again(read, again, reader, embedder):
    url = reader.give("https://a.example/rye", page("https://a.example/rye", etag='"1"'))
    memory = await read(url)
    reader.give(url, None)
    after = await again(memory)
    assert reader.asked[-1] == (url, '"1"')
    assert (after.state, after.version, after.chunks, after.etag, after.text) == ("ready", 1, 1, '"1"', TEXT)
    reader.give(url, page(url, etag='"2"', author="Ben"))
    after = await again(memory)
    assert (after.version, after.etag, after.author) == (1, '"2"', "Ben")
    assert len(embedder.embedded) == 1


async def test_a_page_that_changed_replaces_the_version(read, again, reader, memories):
    url = reader.give("https://a.example/rye", page("https://a.example/rye"))
    memory = await read(url)
    reader.give(url, page(url, text="Now it is about wheat."))
    after = await again(memory)
    assert (after.version, after.text) == (2, "Now it is about wheat.")
    assert await memories.previous_text(memory.memory_id) == TEXT


async def test_where_a_short_link_leads_is_known_as_the_same_page(read, reader, memories, clock):
    long = "https://a.example/rye"
    short = reader.give("https://sho.rt/1", page(long, aliases=("https://sho.rt/1", "https://sho.rt/2")))
    memory = await read(short)
    for key in (long, "https://sho.rt/2"):
        assert [found.memory_id for found in await memories.find(page_key(key))] == [memory.memory_id]
    assert memory.url == short


async def test_a_short_link_to_a_page_already_there_becomes_one_memory_with_it(read, reader, memories, clock):
    long = reader.give("https://a.example/rye", page("https://a.example/rye"))
    first = await read(long)
    clock.move(minutes=1)
    short = reader.give("https://sho.rt/1", page(long))
    second = await read(short, note="found again")
    assert second.memory_id == first.memory_id
    assert (second.shares, second.note, second.state, second.version) == (2, "found again", "ready", 1)
    assert await memories.count(Filters(), (TEAM,)) == 1


async def test_what_the_page_calls_itself_is_an_alias(read, reader, memories):
    url = reader.give(
        "https://a.example/rye?view=7", page("https://a.example/rye?view=7", canonical="https://a.example/rye")
    )
    memory = await read(url)
    assert [found.memory_id for found in await memories.find(page_key("https://a.example/rye"))] == [memory.memory_id]


async def test_dead_pages_sent_to_the_front_page_do_not_become_one(read, reader, memories, clock):
    home = "https://a.example/"
    await read(reader.give("https://a.example/old/1", page(home)))
    clock.move(minutes=1)
    await read(reader.give("https://a.example/old/2", page(home)))
    assert await memories.count(Filters(), (TEAM,)) == 2
    assert await memories.find(page_key(home)) == ()


async def test_routes_of_one_application_do_not_become_one(read, reader, memories, clock):
    for number in (7, 8):
        url = f"https://app.example/#/notes/{number}"
        await read(reader.give(url, page("https://app.example/", canonical="https://app.example/")))
        clock.move(minutes=1)
    assert await memories.count(Filters(), (TEAM,)) == 2


async def test_pages_of_a_list_do_not_become_one_by_what_they_call_themselves(read, reader, memories, clock):
    for number in (2, 3):
        url = f"https://a.example/list?page={number}"
        await read(reader.give(url, page(url, canonical="https://a.example/list")))
        clock.move(minutes=1)
    assert await memories.count(Filters(), (TEAM,)) == 2


@pytest.mark.parametrize(
    ("asked", "reached", "same"),
    [
        ("https://sho.rt/x", "https://a.example/", True),
        ("https://sho.rt/x", "https://a.example/login?next=/x", False),
        ("https://a.example/x", "https://www.a.example/x/", True),
        ("https://a.example/x", "https://b.a.example/y", True),
        ("https://a.example/x", "https://a.example/", False),
        ("https://a.example/x", "https://accounts.a.example/signin", False),
        ("https://a.example/x", "https://a.example/logins-explained", True),
        ("http://a.example/", "https://a.example/", True),
    ],
)
def test_a_redirect_is_judged_by_where_it_leads(asked, reached, same):
    assert leads_to_itself(asked, reached) is same


@pytest.mark.parametrize(
    "error",
    [
        Unreadable("The page was not found.", reason="not_found"),
        Unreadable("It is larger than the 20 MB that are read.", reason="too_large"),
        Unreadable("The page shows nothing without its scripts.", reason="js_required"),
        RefusedAddress("This host lies inside a private network and is not fetched."),
    ],
    ids=lambda error: error.reason,
)
async def test_what_will_not_change_is_kept_as_a_link_with_its_reason(read, reader, error):
    memory = await read(reader.give("https://a.example/rye", error))
    assert (memory.state, memory.reason, memory.detail, memory.next_try) == (
        "link_only",
        error.reason,
        str(error),
        None,
    )


async def test_a_link_that_cannot_be_read_is_found_by_what_the_platform_showed_of_it(read, reader, embedder):
    url = reader.give("https://a.example/rye", Unreadable("Scripts.", reason="js_required"))
    preview = Preview(url=url, title="Rye for beginners", description="How the dough is fed.")
    memory = await read(url, title="", preview=preview)
    assert (memory.state, memory.title, memory.description) == (
        "link_only",
        "Rye for beginners",
        "How the dough is fed.",
    )
    assert memory.chunks == 1
    assert "How the dough is fed." in embedder.embedded[0]


async def test_a_link_that_cannot_be_read_is_found_by_what_the_page_said_of_itself(read, reader, embedder):
    error = Unreadable("Scripts.", reason="js_required")
    error.metadata = Page(url="", text="A film about rye.", title="Rye, the film", description="A film about rye.")
    memory = await read(reader.give("https://a.example/rye", error), title="")
    assert (memory.title, memory.description) == ("Rye, the film", "A film about rye.")
    assert "A film about rye." in embedder.embedded[0]


async def test_a_page_without_text_is_a_link(read, reader):
    memory = await read(reader.give("https://a.example/rye", page("https://a.example/rye", text=" \n")))
    assert (memory.state, memory.reason, memory.title) == ("link_only", "empty", "All about rye")


async def test_a_passing_trouble_is_tried_again_later_and_later_and_then_let_go(
    read, reader, memories, clock, embedder
):
    url = reader.give("https://a.example/rye", TemporarilyUnreadable("The site cannot be reached."))
    memory = await read(url)
    pauses = []
    ingest = Ingest(memories=memories, reader=reader, embedder=embedder, clock=clock)
    while memory.state == "failed":
        assert await memories.claim(clock.now(), limit=5) == ()
        pauses.append((memory.next_try - clock.now()).total_seconds())
        clock.at = memory.next_try
        (claimed,) = await memories.claim(clock.now(), limit=5)
        memory = await ingest.process(claimed)
    assert (memory.state, memory.reason, len(pauses)) == ("link_only", "unreachable", 4)
    assert 50 < pauses[0] < 70
    assert all(later > 3 * sooner for sooner, later in itertools.pairwise(pauses))


async def test_a_site_that_names_its_time_is_asked_again_then(read, reader, clock):
    url = reader.give("https://a.example/rye", TemporarilyUnreadable("Later.", reason="rate_limited", retry_after_s=90))
    memory = await read(url)
    assert (memory.state, memory.reason) == ("failed", "rate_limited")
    assert memory.next_try == NOON + timedelta(seconds=90)


def test_a_pause_never_ends_beyond_a_day():
    assert pause(9, None) <= timedelta(hours=27)
    assert pause(1, 10**9) == timedelta(hours=24)
    assert pause(1, 0) == timedelta(seconds=1)


async def test_a_later_failure_never_takes_away_what_was_read(read, again, reader):
    url = reader.give("https://a.example/rye", page("https://a.example/rye"))
    memory = await read(url)
    reader.give(url, Unreadable("The page was not found.", reason="not_found"))
    after = await again(memory)
    assert (after.state, after.text, after.chunks, after.reason) == ("ready", TEXT, 1, "")
    assert after.detail == "It could not be read again: The page was not found."
    reader.give(url, TemporarilyUnreadable("The site cannot be reached."))
    after = await again(memory)
    assert (after.state, after.text, after.chunks) == ("ready", TEXT, 1)
    assert after.next_try is not None


async def test_a_link_once_unreadable_is_read_whole_when_it_can_be(read, again, reader):
    url = reader.give("https://a.example/rye", Unreadable("Scripts.", reason="js_required"))
    memory = await read(url, preview=Preview(url=url, title="Rye", description="About rye."))
    reader.give(url, page(url))
    after = await again(memory)
    assert reader.asked[-1] == (url, "")
    assert (after.state, after.reason, after.text) == ("ready", "", TEXT)


async def test_a_paywalls_teaser_is_ready_and_says_why_it_is_short(read, reader):
    memory = await read(reader.give("https://a.example/rye", page("https://a.example/rye", partial="paywall")))
    assert (memory.state, memory.reason) == ("ready", "paywall")


async def test_a_file_that_is_gone_is_a_link_with_a_sentence(read, reader):
    reader.give("/copies/1", BadInput("There is no file /copies/1."))
    memory = await read(kind="file", attachment=Attachment(name="rye.pdf", path="/copies/1"))
    assert (memory.state, memory.reason) == ("link_only", "unreadable")
    memory = await read(kind="file", source="other", title="b.pdf", attachment=Attachment(name="b.pdf"))
    assert memory.detail == "The file itself was not handed over."


async def test_a_memory_forgotten_while_it_was_read_stays_forgotten(memories, reader, embedder, clock):
    url = reader.give("https://a.example/rye", page("https://a.example/rye"))
    kept = await memories.keep(shared(url=url, key=page_key(url)))
    (claimed,) = await memories.claim(clock.now(), limit=1)
    await memories.forget([kept.memory.memory_id])
    await Ingest(memories=memories, reader=reader, embedder=embedder, clock=clock).process(replace(claimed))
    assert await memories.count(Filters(), None) == 0


LONG_TEXT = "\n\n".join(
    f"Chapter {number} tells of the weir{number} " + "and of the river " * 60 for number in range(80)
)


async def test_a_long_new_text_is_found_by_its_words_while_its_vectors_are_made(tmp_path, clock, reader, embedder):
    started, may_go_on = asyncio.Event(), asyncio.Event()
    embed = embedder.embed

    async def waits(texts):
        started.set()
        await may_go_on.wait()
        return await embed(texts)

    embedder.embed = waits
    url = reader.give("https://a.example/book", page("https://a.example/book", text=LONG_TEXT))
    async with open_storage(f"sqlite:///{tmp_path}/book.db", clock=clock) as storage:
        ingest = Ingest(memories=storage.memories, reader=reader, embedder=embedder, clock=clock)
        await storage.memories.keep(shared(url=url, key=page_key(url)))
        (claimed,) = await storage.memories.claim(clock.now(), limit=1)
        task = asyncio.create_task(ingest.process(claimed))
        await started.wait()
        (hit,) = await storage.search.by_words("weir41", (TEAM,), Filters(), limit=5)
        assert (await storage.memories.get(claimed.memory_id)).state == "fetching"
        assert await storage.memories.claim(clock.now(), limit=5) == ()
        told = ingest.embedded(claimed.memory_id)
        assert (told.done, told.total) == (0, 80)
        may_go_on.set()
        after = await task
        assert (after.state, after.version, after.chunks) == ("ready", 1, 80)
        (same,) = await storage.search.by_words("weir41", (TEAM,), Filters(), limit=5)
        assert same.chunk_id == hit.chunk_id
        assert (await storage.search.vectors([hit.chunk_id])).any()
        assert ingest.embedded(claimed.memory_id) is None


async def test_a_long_text_read_again_shows_no_half_of_two_versions(read, again, reader, embedder, memories):
    url = reader.give("https://a.example/book", page("https://a.example/book"))
    memory = await read(url)
    reader.give(url, page(url, text=LONG_TEXT))
    seen = []
    embed = embedder.embed

    async def looks(texts):
        seen.append((await memories.get(memory.memory_id)).text)
        return await embed(texts)

    embedder.embed = looks
    after = await again(memory)
    assert set(seen) == {TEXT}
    assert after.text == LONG_TEXT
