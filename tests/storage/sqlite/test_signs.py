"""The blocks that a large scope is scanned by say what the vectors say, whatever was done to these."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from bot.domain.memories import Chunk, Filters
from storage import open_storage
from storage.sqlite import by_meaning, migrations, signs, vectors
from storage.sqlite.database import open_database
from storage.sqlite.migrations import migrate
from tests.fakes.palace import DEV, DIMENSIONS, NOON, OPS, OWN, SECRET, TEAM, page, shared

ALL = Filters()
SCOPES = ((TEAM,), (SECRET,), (TEAM, SECRET), (OWN,))
TRUTH = """
SELECT chunk_id, memory_row, vec_distance_hamming(vec_bit(bits), vec_bit(?)) FROM vectors JOIN scopes USING (scope_id)
WHERE kind = ? AND key = ?
"""


@pytest.fixture
async def storage(tmp_path: Path):
    async with open_storage(f"sqlite:///{tmp_path}/palace.db") as opened:
        yield opened


def some_vectors(random, count, dimensions=DIMENSIONS):
    return random.standard_normal((count, dimensions)).astype(np.float32)


async def save(storage, random, name, room, count, dimensions=DIMENSIONS):
    kept = await storage.memories.keep(shared(name, room=room))
    chunks = [Chunk(number=number, text=f"{name} {number} {random.integers(1000)}") for number in range(count)]
    found = some_vectors(random, count, dimensions)
    await storage.memories.write_version(kept.memory.memory_id, page("text"), chunks, found, now=NOON)
    return kept.memory.memory_id


async def one_step(storage, random, ids, step):
    room = DEV if random.random() < 0.6 else OPS
    match random.integers(6):
        case 0 | 1 | 2:
            ids.append(await save(storage, random, f"p{step}", room, int(random.integers(0, 60))))
        case 3 if ids:
            await storage.memories.forget([ids.pop(int(random.integers(len(ids))))])
        case 4 if ids:
            chunks = [Chunk(number=number, text=f"new {number}") for number in range(int(random.integers(1, 40)))]
            one = ids[int(random.integers(len(ids)))]
            await storage.memories.write_version(one, page("new"), chunks, some_vectors(random, len(chunks)), now=NOON)
        case _:
            await storage.memories.unshare(shared(f"p{random.integers(step + 1)}", room=room).source)


async def scanned(storage, scopes, asked):
    found = await storage._database.read(lambda db: storage.search._signs.scan(db, scopes, asked))
    return sorted(zip(found.chunk_ids.tolist(), found.memory_rows.tolist(), found.distances.tolist(), strict=True))


async def truth(storage, scopes, asked):
    rows = [
        row
        for scope in scopes
        for row in await storage._database.read(
            lambda db, one=scope: db.execute(TRUTH, (asked, one.kind, one.key)).fetchall()
        )
    ]
    return sorted((chunk_id, memory_row, int(distance)) for chunk_id, memory_row, distance in rows)


@pytest.mark.parametrize("kept", [1, 200])
@pytest.mark.parametrize("seed", range(3))
async def test_every_reader_scans_what_the_vectors_say_after_any_change_by_anybody(tmp_path, monkeypatch, seed, kept):
    monkeypatch.setattr(signs, "KEPT", kept)
    monkeypatch.setattr(signs, "TOGETHER", 2)
    random = np.random.default_rng(seed)
    address = f"sqlite:///{tmp_path}/palace.db"
    async with open_storage(address) as one, open_storage(address) as other:
        ids = []
        for step in range(36):
            await one_step(one if step % 3 else other, random, ids, step)
            await the_same(one, other, random)
        await one.memories.move_room(OPS, DEV)
        await the_same(other, one, random)
        asked = bytes(1)
        assert await scanned(one, [SECRET], asked) == await scanned(other, [SECRET], asked) == []
        assert max(await scanned(one, [TEAM], asked))[0] > signs.BLOCK


async def the_same(one, other, random):
    (asked,) = vectors.bits(some_vectors(random, 1))
    for scopes in SCOPES:
        said = await truth(one, scopes, asked)
        assert await scanned(one, scopes, asked) == await scanned(other, scopes, asked) == said


async def test_what_was_forgotten_is_gone_at_once_also_where_another_program_forgot_it(tmp_path):
    random = np.random.default_rng(1)
    address = f"sqlite:///{tmp_path}/palace.db"
    async with open_storage(address) as one, open_storage(address) as other:
        kept, gone = [await save(one, random, name, DEV, 300) for name in ("kept", "gone")]
        query = some_vectors(random, 1)[0]
        assert {hit.memory_id for hit in await one.search.by_meaning(query, [TEAM], ALL, limit=600)} == {kept, gone}
        await other.memories.forget([gone])
        assert {hit.memory_id for hit in await one.search.by_meaning(query, [TEAM], ALL, limit=600)} == {kept}


@pytest.mark.parametrize("dimensions", [8, 64, 100])
async def test_a_scope_scanned_by_signs_gives_the_exact_cosines_of_what_it_finds(storage, monkeypatch, dimensions):
    monkeypatch.setattr(by_meaning, "COMPARED_WHOLE", 0)
    monkeypatch.setattr(by_meaning, "FEWEST_CANDIDATES", 200)
    random = np.random.default_rng(2)
    for number in range(15):
        await save(storage, random, f"p{number}", OPS if number % 5 == 0 else DEV, 20, dimensions)
    query = some_vectors(random, 1, dimensions)[0]
    hits = await storage.search.by_meaning(query, [TEAM], ALL, limit=10)
    assert len(hits) == 10
    found = await storage.search.vectors([hit.chunk_id for hit in hits])
    cosines = found @ query / np.linalg.norm(found, axis=1) / np.linalg.norm(query)
    assert np.allclose([hit.score for hit in hits], cosines, atol=1e-6)
    assert list(cosines) == sorted(cosines, reverse=True)


async def test_scopes_and_filters_have_done_their_work_before_signs_choose(storage, monkeypatch):
    monkeypatch.setattr(by_meaning, "COMPARED_WHOLE", 0)
    monkeypatch.setattr(by_meaning, "FEWEST_CANDIDATES", 2)
    random = np.random.default_rng(3)
    query = some_vectors(random, 1)[0]
    near = [await save(storage, random, f"near{number}", OPS, 30) for number in range(4)]
    far = await storage.memories.keep(shared("far", tags=("rare",)))
    await storage.memories.write_version(
        far.memory.memory_id, page("far"), [Chunk(number=0, text="far")], -query[np.newaxis], now=NOON
    )
    hits = await storage.search.by_meaning(query, [TEAM], ALL, limit=5)
    assert [hit.memory_id for hit in hits] == [far.memory.memory_id]
    rare = Filters(tags=("rare",))
    hits = await storage.search.by_meaning(query, [TEAM, SECRET], rare, limit=5)
    assert [hit.memory_id for hit in hits] == [far.memory.memory_id]
    hits = await storage.search.by_meaning(query, [SECRET], ALL, limit=5)
    assert {hit.memory_id for hit in hits} <= set(near)


async def test_a_file_from_before_the_blocks_is_packed_when_it_is_opened(tmp_path):
    random = np.random.default_rng(4)
    path = tmp_path / "palace.db"
    async with open_database(path) as database:
        await migrate(database, migrations.MIGRATIONS[:3])
    bits = vectors.bits(some_vectors(random, 600))
    file = sqlite3.connect(path)
    rows = ((at, at // 7 + 1, 1 + at % 2, bits[at - 1], b"") for at in range(1, 601))
    with file:
        file.executemany("INSERT INTO vectors VALUES (?, ?, ?, ?, ?)", rows)
    async with open_storage(f"sqlite:///{tmp_path}/palace.db"):
        pass
    before = file.execute(
        "SELECT scope_id, block, places, memory_rows, bits FROM signs ORDER BY scope_id, block"
    ).fetchall()
    file.close()
    assert len(before) == 6
    async with open_database(tmp_path / "palace.db") as database:
        await database.write(lambda db: signs.pack(db, range(1, 601)))
        after = await database.read(
            lambda db: db.execute(
                "SELECT scope_id, block, places, memory_rows, bits FROM signs ORDER BY scope_id, block"
            ).fetchall()
        )
    assert after == before
