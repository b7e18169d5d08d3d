"""The file itself: its invariants, its models, its upkeep, and what is said when it cannot be used."""

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bot.domain.errors import BadInput, StorageTrouble
from bot.domain.memories import Chunk, Filters
from storage import open_storage
from storage.sqlite.database import Database
from storage.sqlite.migrations import MIGRATIONS, Migration, migrate
from tests.fakes.palace import DIMENSIONS, NOON, TEAM, SetClock, direction, directions, page, saved, shared

ALL = Filters()
ROOT = Path(__file__).parents[3]


def url(folder: Path) -> str:
    return f"sqlite:///{folder}/palace.db"


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def storage(tmp_path: Path, clock: SetClock):
    async with open_storage(url(tmp_path), clock=clock) as opened:
        yield opened


async def counted(storage) -> set[int]:
    """The three tables that anybody may count from outside: chunks, chunk_words_docsize, vectors."""
    tables = ("chunks", "chunk_words_docsize", "vectors")
    return {
        await storage._database.read(lambda db, t=table: db.execute(f"SELECT count(*) FROM {t}").fetchone()[0])
        for table in tables
    }


async def test_chunks_words_and_vectors_are_equal_in_number_whatever_happens(storage):
    memories = [await saved(storage, f"n{n}", *(f"text {n} {m}" for m in range(n + 1))) for n in range(4)]
    await storage.memories.keep(shared("waiting"))
    assert await counted(storage) == {10}
    await storage.memories.write_version(
        memories[3].memory_id, page("x"), [Chunk(number=0, text="x")], directions(1), now=NOON
    )
    assert await counted(storage) == {7}
    await storage.memories.edit(memories[2].memory_id, title="other", tags=["a"])
    await storage.memories.merge(memories[1].memory_id, memories[0].memory_id)
    await storage.memories.forget([memories[2].memory_id])
    assert await counted(storage) == {2}


async def test_a_version_is_written_whole_or_not_at_all(storage):
    memory = await saved(storage, "owls", "old")
    with pytest.raises(ValueError, match="vectors of 8 values"):
        await storage.memories.write_version(
            memory.memory_id, page("new"), [Chunk(number=0, text="new")], np.ones((1, 4), np.float32), now=NOON
        )
    assert (await storage.memories.get(memory.memory_id)).text == "old"
    assert await counted(storage) == {1}
    assert await storage.search.by_words("old", [TEAM], ALL, limit=1)


async def test_another_model_makes_every_vector_again_and_never_mixes(tmp_path, clock):
    async with open_storage(url(tmp_path), clock=clock) as storage:
        assert not await storage.prepare_embeddings(model_name="small", dimensions=DIMENSIONS)
        await saved(storage, "owls", "one", "two", title="Owls")
    async with open_storage(url(tmp_path), clock=clock) as storage:
        assert not await storage.prepare_embeddings(model_name="small", dimensions=DIMENSIONS)
        assert await storage.prepare_embeddings(model_name="large", dimensions=4)
        assert (await storage.describe())["embedded"] == "0 of 2 chunks"
        assert await storage.search.by_words("two", [TEAM], ALL, limit=1)
        assert await storage.search.by_meaning(np.ones(4, np.float32), [TEAM], ALL, limit=1) == ()
        ((chunk_id, text),) = await storage.stale_chunks(limit=1)
        assert text == "Owls\none"
        await storage.write_vectors([chunk_id], np.ones((1, 4), np.float32))
    async with open_storage(url(tmp_path), clock=clock) as storage:
        assert await storage.prepare_embeddings(model_name="large", dimensions=4)
        assert (await storage.describe())["embedded"] == "1 of 2 chunks"
        assert await storage.prepare_embeddings(model_name="same length", dimensions=4)
        assert (await storage.describe())["embedded"] == "0 of 2 chunks"


async def test_a_vector_of_a_chunk_that_went_meanwhile_is_dropped(storage):
    memory = await saved(storage, "owls", "one")
    await storage.memories.forget([memory.memory_id])
    await storage.write_vectors([1], directions(1))
    assert await counted(storage) == {0}


async def test_doctor_is_told_the_driver_the_model_and_the_counts(storage, tmp_path):
    await storage.prepare_embeddings(model_name="small", dimensions=DIMENSIONS)
    await saved(storage, "owls", "one")
    told = await storage.describe()
    assert told["driver"].startswith("apsw")
    assert told["sqlite"] >= "3.5"
    assert told["file"] == f"{tmp_path}/palace.db"
    assert told["integrity"] == "ok"
    assert told["embedding model"] == "small (8 dimensions)"
    assert told["rows"] == "1 chunks, 1 in the word index, 1 vectors, 1 signs: equal"


async def test_a_long_text_whose_vectors_are_still_made_is_nothing_wrong(storage):
    kept = await storage.memories.keep(shared("book"))
    await storage.memories.claim(NOON, limit=1)
    chunks = [Chunk(number=number, text=f"part {number}") for number in range(2)]
    await storage.memories.set_state(kept.memory.memory_id, "fetching", page=page("a book"), chunks=chunks)
    told = "2 chunks, 2 in the word index, 0 vectors, 0 signs, 2 chunks being read: equal"
    assert (await storage.describe())["rows"] == told


async def test_migrations_are_recorded_by_name_and_applied_once(tmp_path, clock):
    async with open_storage(url(tmp_path), clock=clock) as storage:
        assert (await storage.describe())["migrations"] == ", ".join(step.name for step in MIGRATIONS)
    database = Database(tmp_path / "palace.db")
    extra = Migration(name="more", sql="CREATE TABLE more (x); INSERT INTO more VALUES (1)")
    broken = Migration(name="broken", sql="CREATE TABLE half (x); CREATE TABLE half (x)")
    try:
        assert await migrate(database, (*MIGRATIONS, extra)) == ("more",)
        assert await migrate(database, (*MIGRATIONS, extra)) == ()
        with pytest.raises(Exception, match="half"):
            await migrate(database, (*MIGRATIONS, extra, broken))
        tables = await database.read(
            lambda db: db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").fetchone()[0]
        )
        assert tables == 0
    finally:
        database.close()
    with pytest.raises(StorageTrouble, match="newer version"):
        async with open_storage(url(tmp_path), clock=clock):
            pass


async def test_turns_of_an_older_file_know_their_memories_by_title_and_by_trace(tmp_path):
    database = Database(tmp_path / "palace.db")
    rows = """
        INSERT INTO scopes VALUES (1, 'space', 'slack/T1');
        INSERT INTO memories (memory_id, scope_id, kind, state, url, host, key, title, shared_at) VALUES
            ('m1', 1, 'link', 'ready', '', '', 'k1', 'Owls', 0), ('m2', 1, 'link', 'ready', '', '', 'k2', 'Larks', 0);
        INSERT INTO traces VALUES (1, 't1', 0, 'r', 'p', 'what do larks do?', 'They sing.', 'i', 'v', 0, '{}');
        INSERT INTO trace_memories VALUES (1, 'm2');
        INSERT INTO turns (room_key, thread, scope_id, speaker, name, text, at, standalone, titles) VALUES
            ('r', '', 1, 'bot', '', 'Owls eat mice [1].', 0, '', '["Owls"]'),
            ('r', '', 1, 'person', '', 'what do larks do?', 0, '', '[]'),
            ('r', '', 1, 'bot', '', 'They sing.', 0, '', '[]');
    """
    try:
        await migrate(database, MIGRATIONS[:5])
        await database.write(lambda db: db.execute(rows))
        await migrate(database)
        told = await database.read(lambda db: db.execute("SELECT * FROM turn_memories").fetchall())
        assert told == [(1, "m1"), (2, "m2"), (3, "m2")]
    finally:
        database.close()


async def test_what_was_forgotten_gives_its_space_back_and_leaves_no_word_in_the_file(tmp_path, clock):
    async with open_storage(url(tmp_path), clock=clock) as storage:
        memories = [
            await saved(storage, f"n{n}", *(f"zanzibar{n}word {m} " + "filler text " * 40 for m in range(10)))
            for n in range(100)
        ]
        before = [await found(storage, n) for n in range(90, 100)]
        assert not await storage.maintenance_due()
        await storage.memories.forget([memory.memory_id for memory in memories[:90]])
        assert await storage.maintenance_due()
        large = await size_after_checkpoint(storage)
        done = await storage.maintain()
        assert done["complete"] == 1
        assert done["bytes_after"] <= 0.25 * large
        for name in ("palace.db", "palace.db-wal"):
            content = (tmp_path / name).read_bytes()
            assert b"zanzibar7word" not in content.lower(), name
        assert (tmp_path / "palace.db").read_bytes().count(b"zanzibar95word") > 0
        assert [await found(storage, n) for n in range(90, 100)] == before
        assert not await storage.maintenance_due()
        assert (await storage.describe())["integrity"] == "ok"


async def found(storage, n):
    words = await storage.search.by_words(f"zanzibar{n}word filler", [TEAM], ALL, limit=10)
    near = await storage.search.by_meaning(direction(n), [TEAM], Filters(), limit=5)
    return {hit.chunk_id for hit in words}, [hit.score for hit in near]


async def size_after_checkpoint(storage):
    await storage._database.alone(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())
    return storage._database.path.stat().st_size


async def test_maintenance_is_due_a_day_after_something_was_forgotten(storage, clock):
    memory = await saved(storage, "owls", "one")
    await storage.memories.forget([memory.memory_id])
    await storage.maintain()
    other = await saved(storage, "larks", "one")
    await storage.memories.forget([other.memory_id])
    assert not await storage.maintenance_due()
    clock.move(days=1)
    assert await storage.maintenance_due()


async def test_two_storages_on_one_file_write_beside_each_other_and_share_the_queue(tmp_path, clock):
    async with open_storage(url(tmp_path), clock=clock) as one, open_storage(url(tmp_path), clock=clock) as two:
        await asyncio.gather(*(s.memories.keep(shared(f"n{n}")) for n in range(20) for s in (one, two)))
        claimed = await asyncio.gather(*(s.memories.claim(NOON, limit=3) for _ in range(5) for s in (one, two)))
        ids = [memory.memory_id for batch in claimed for memory in batch]
        assert len(ids) == len(set(ids)) == 20


WORK = """
import asyncio, sys
from datetime import UTC, datetime
from bot.domain.memories import Chunk
from storage import open_storage
from tests.fakes.palace import directions, page, shared

async def main():
    async with open_storage(sys.argv[1]) as storage:
        await storage.memories.release_stale()
        for n in range(40):
            await storage.memories.keep(shared(f"n{n}"))
        print("kept", flush=True)
        while claimed := await storage.memories.claim(datetime.now(UTC), limit=2):
            for memory in claimed:
                chunks = [Chunk(number=k, text=f"{memory.title} part {k}") for k in range(5)]
                await storage.memories.write_version(
                    memory.memory_id, page(memory.title), chunks, directions(*range(5)), now=datetime.now(UTC)
                )
                print("wrote", flush=True)

asyncio.run(main())
"""


def run(folder: Path, *, stop_after: int | None = None) -> str:
    """Run WORK in a process of its own, to its end or until it is killed after some lines; returns its errors."""
    work = subprocess.Popen(
        [sys.executable, "-c", WORK, url(folder)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    if stop_after is not None:
        for _ in range(stop_after):
            work.stdout.readline()
        work.kill()
    return work.communicate()[1]


@pytest.mark.parametrize("lines", [1, 2, 5, 9, 17])
async def test_a_killed_process_loses_nothing_and_doubles_nothing(tmp_path, lines):
    await asyncio.to_thread(run, tmp_path, stop_after=lines)
    assert await asyncio.to_thread(run, tmp_path) == ""
    async with open_storage(url(tmp_path)) as storage:
        stats = await storage.memories.stats()
        assert (stats["memories"], stats["state_ready"]) == (40, 40)
        assert await counted(storage) == {200}
        assert (await storage.describe())["integrity"] == "ok"


async def test_what_a_dead_process_claimed_is_put_back_at_once(storage):
    ended = await asyncio.create_subprocess_exec(sys.executable, "-c", "")
    await ended.wait()
    machine = socket.gethostname()
    gone = f"{machine} {ended.pid} 1"
    number_used_again = f"{machine} {os.getpid()} 1"
    elsewhere = "another-machine 1 1"
    for owner in (gone, number_used_again, elsewhere):
        await storage.memories.keep(shared(owner))
        storage.memories._owner = owner
        await storage.memories.claim(NOON, limit=1)
    assert await storage.memories.release_stale() == 2
    again = await storage.memories.claim(NOON, limit=9)
    assert {memory.title for memory in again} == {gone.title(), number_used_again.title()}


@pytest.mark.parametrize("address", ["", "palace.db", "postgres://x/y", "sqlite:///"])
async def test_an_address_that_names_no_file_is_bad_input(address):
    with pytest.raises(BadInput, match="sqlite:///"):
        async with open_storage(address):
            pass


async def test_a_file_that_is_no_database_is_named_in_a_sentence(tmp_path):
    (tmp_path / "palace.db").write_text("just some text, no database at all\n" * 100)
    with pytest.raises(StorageTrouble, match=r"palace\.db is not a palace database"):
        async with open_storage(url(tmp_path)):
            pass


async def test_a_damaged_file_is_named_in_a_sentence(tmp_path, clock):
    async with open_storage(url(tmp_path), clock=clock) as storage:
        for n in range(30):
            await saved(storage, f"n{n}", "words " * 300)
    content = bytearray((tmp_path / "palace.db").read_bytes())
    content[4096 * 3 :] = b"\xff" * (len(content) - 4096 * 3)
    (tmp_path / "palace.db").write_bytes(content)
    with pytest.raises(StorageTrouble, match="damaged"):
        await read_and_write(tmp_path)


async def read_and_write(folder):
    async with open_storage(url(folder)) as storage:
        await storage.memories.list(ALL, None)
        await storage.memories.keep(shared("more"))


async def test_a_new_home_is_its_owner_s_alone(tmp_path):
    async with open_storage(f"sqlite:///{tmp_path}/home/palace.db"):
        assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700


async def test_a_home_that_is_a_file_or_cannot_be_made_is_named_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageTrouble, match="cannot be made"):
        async with open_storage(f"sqlite:///{tmp_path}/file/palace.db"):
            pass
    (tmp_path / "folder.db").mkdir()
    with pytest.raises(StorageTrouble, match="cannot be opened"):
        async with open_storage(f"sqlite:///{tmp_path}/folder.db"):
            pass


async def test_a_full_disk_is_one_sentence_and_loses_nothing(storage):
    memory = await saved(storage, "owls", "one")
    pages = await storage._database.alone(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
    await storage._database.alone(lambda db: db.execute(f"PRAGMA max_page_count={pages + 2}").fetchall())
    with pytest.raises(StorageTrouble, match="disk is full"):
        await saved(storage, "large", "words " * 50_000)
    await storage._database.alone(lambda db: db.execute("PRAGMA max_page_count=1000000").fetchall())
    assert (await storage.memories.get(memory.memory_id)).text == "one"
    assert (await storage.describe())["integrity"] == "ok"
    assert (await saved(storage, "large", "words " * 50_000)).state == "ready"
