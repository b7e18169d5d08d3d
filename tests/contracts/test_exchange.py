"""An export restored into an empty home is the same palace."""

import json
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from bot.domain.errors import BadInput
from bot.domain.memories import Filters
from bot.domain.messages import Attachment, Origin
from storage import open_storage
from tests.contracts.test_forgetting import talk
from tests.fakes.palace import BEN, DEV, NOON, OPS, TEAM, direction, page, saved, shared

ALL = Filters()


async def exported(storage):
    return [json.dumps(record, ensure_ascii=False, sort_keys=True) async for record in storage.memories.export()]


async def filled(storage):
    """Every kind of record, in every state."""
    await storage.prepare_embeddings(model_name="tiny", dimensions=8)
    memory = await saved(storage, "owls", "owls eat mice", "at night", title="Owls ☾", tags=("t", "a"), note="roof")
    await storage.memories.write_version(memory.memory_id, page("x"), [], np.zeros((0, 8), np.float32), now=NOON)
    memory = await saved(storage, "larks", "larks sing", axes=(2,), origin=Origin(kind="person", name="Kim"))
    await storage.memories.add_aliases(memory.memory_id, ["lark"])
    await storage.memories.keep(shared("larks", person=BEN, source="m2", shared_at=NOON + timedelta(microseconds=1)))
    await storage.memories.edit(memory.memory_id, title="My larks", pinned=True, pocket="birds")
    await storage.memories.keep(
        shared("f", kind="file", room=OPS, attachment=Attachment(name="a.pdf", path="/x/a.pdf"))
    )
    failed = await storage.memories.keep(shared("gone", source="m9"))
    await storage.memories.set_state(
        failed.memory.memory_id, "failed", reason="timed_out", next_try=NOON + timedelta(hours=1)
    )
    await talk(storage, memory)
    await storage.rooms.set(DEV.key, "recall", "off")


async def test_an_export_restored_into_an_empty_home_exports_the_same(storage, tmp_path: Path, clock):
    await filled(storage)
    lines = await exported(storage)
    async with open_storage(f"sqlite:///{tmp_path}/other/palace.db", clock=clock) as other:
        assert [await other.memories.restore(json.loads(line)) for line in lines] == [True] * len(lines)
        assert await exported(other) == lines
        assert [await other.memories.restore(json.loads(line)) for line in lines] == [False] * len(lines)
        assert await exported(other) == lines
        stale = await other.stale_chunks(limit=9)
        assert [text for _, text in stale] == ["My larks\nlarks sing"]
        await other.write_vectors([stale[0][0]], direction(2).reshape(1, -1))
        for search in (storage.search, other.search):
            assert [hit.score for hit in await search.by_meaning(direction(2), [TEAM], ALL, limit=9)] == [1.0]
            assert len(await search.by_words("larks", [TEAM], ALL, limit=9)) == 1
        assert await other.feedback.for_question(direction(0), [TEAM], floor=0.9) == (
            await storage.feedback.for_question(direction(0), [TEAM], floor=0.9)
        )


async def test_a_restored_page_that_is_known_here_already_joins_it(storage, tmp_path: Path, clock):
    await saved(storage, "owls", "owls eat mice", note="theirs")
    lines = await exported(storage)
    async with open_storage(f"sqlite:///{tmp_path}/other.db", clock=clock) as other:
        await saved(other, "owls", "owls sleep", note="ours", person=BEN, source="m2")
        for line in lines:
            await other.memories.restore(json.loads(line))
        (memory,) = await other.memories.list(ALL, [TEAM])
        assert (memory.shares, set(memory.note.split("\n"))) == (2, {"ours", "theirs"})
        stats = await other.memories.stats()
        assert stats["chunks"] == stats["chunk_words"] == stats["vectors"] == 1


async def test_vectors_of_another_model_are_left_out_and_nothing_else(storage, tmp_path: Path, clock):
    await filled(storage)
    lines = await exported(storage)
    async with open_storage(f"sqlite:///{tmp_path}/other.db", clock=clock) as other:
        await other.prepare_embeddings(model_name="large", dimensions=16)
        for line in lines:
            await other.memories.restore(json.loads(line))
        assert len(await other.transcript.last(DEV, limit=9)) == 2
        assert len(await other.feedback.list([TEAM])) == 1


@pytest.mark.parametrize("record", [{}, {"record": "cat"}, {"record": "memory"}, {"record": "palace", "format": 99}])
async def test_what_is_no_record_is_refused_in_a_sentence(storage, record):
    with pytest.raises(BadInput, match=r"record|format"):
        await storage.memories.restore(record)
