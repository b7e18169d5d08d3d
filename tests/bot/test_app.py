"""A palace put together: the model is recorded before anything is embedded, and a full disk is told of."""

import asyncio
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

import bot.app
from bot import upkeep
from bot.domain.errors import StorageTrouble
from tests.fakes.commandline import SmallWeb, command_line
from tests.fakes.embedder import HashEmbedder
from tests.fakes.reply import StandingClock


class OtherEmbedder(HashEmbedder):
    """Another model, with shorter vectors."""

    model_name = "other hash"

    def __init__(self):
        super().__init__(dimensions=32)


class FullDisk:
    """Settings of rooms on a disk without room: what removes nothing writes nothing, as in SQLite."""

    async def set(self, key, name, value):
        if value is not None:
            raise StorageTrouble("The disk is full.")


async def two_waiting(filters, scopes):
    return 2


def test_another_model_makes_every_vector_again_before_new_pages_are_embedded(monkeypatch, capsys, tmp_path: Path):
    home, first, second = tmp_path / "home", tmp_path / "rye.md", tmp_path / "owls.md"
    first.write_text("# Rye bread\n\nRye dough rests for sixteen hours.")
    second.write_text("# Barn owls\n\nBarn owls hunt voles at night.")
    before = command_line(monkeypatch, capsys, home, SmallWeb())
    assert before("save", str(first)).status == 0
    after = command_line(monkeypatch, capsys, home, SmallWeb(), embedder=OtherEmbedder())
    assert after("save", str(second)).status == 0
    found = after("search", "rye dough")
    assert found.out.startswith("1. Rye bread")
    told = after("doctor")
    assert told.status == 0
    assert "other hash (32 dimensions)" in told.out
    assert "2 of 2 chunks" in told.out


def test_an_imported_palace_is_whole_when_the_command_ends(monkeypatch, capsys, tmp_path: Path):
    page, kept = tmp_path / "rye.md", tmp_path / "all.jsonl"
    page.write_text("# Rye bread\n\nRye dough rests for sixteen hours.")
    old = command_line(monkeypatch, capsys, tmp_path / "old", SmallWeb())
    old("save", str(page))
    old("export", "--output", str(kept))
    new = command_line(monkeypatch, capsys, tmp_path / "new", SmallWeb())
    assert new("import", str(kept)).status == 0
    told = new("doctor")
    assert told.status == 0
    assert "1 chunks, 1 in the word index, 1 vectors, 1 signs: equal" in told.out


def test_the_change_of_the_model_shows_how_far_it_is(monkeypatch, capsys, tmp_path: Path):
    home, page = tmp_path / "home", tmp_path / "rye.md"
    page.write_text("# Rye bread\n\nRye dough rests for sixteen hours.")
    command_line(monkeypatch, capsys, home, SmallWeb())("save", str(page))
    after = command_line(monkeypatch, capsys, home, SmallWeb(), embedder=OtherEmbedder())
    assert "Embedding what has no vectors of this model: 1 chunks done" in after("search", "rye").err


async def test_who_waits_for_the_reading_is_told_when_nothing_can_be_written(monkeypatch):
    monkeypatch.setattr(bot.app, "COUNTS_BEFORE_WRITING", 3)
    storage = SimpleNamespace(memories=SimpleNamespace(count=two_waiting), rooms=FullDisk())
    waiting = bot.app.waiting_in(SimpleNamespace(storage=storage))
    assert [await waiting(), await waiting()] == [2, 2]
    with pytest.raises(StorageTrouble, match="full"):
        await waiting()


async def test_reading_goes_on_after_trouble_with_the_disk(monkeypatch):
    tries = []

    async def read(palace):
        tries.append(palace)
        if len(tries) < 3:
            raise StorageTrouble("The disk is full.")
        raise KeyError

    monkeypatch.setattr(bot.app, "read_queue", read)
    monkeypatch.setattr(bot.app, "AFTER_TROUBLE_S", 0.0)
    with capture_logs() as logged, suppress(KeyError):
        await bot.app.read_always(SimpleNamespace(reader=SimpleNamespace(warm=lambda: None)))
    assert len(tries) == 3
    assert [entry["why"] for entry in logged] == ["The disk is full."] * 2


class TroubledHouse:
    """Storage whose upkeep fails once, for want of room."""

    def __init__(self):
        self.inbox = self
        self.prunes = 0
        self.maintained = asyncio.Event()

    async def prune(self, *, before):
        self.prunes += 1
        if self.prunes == 1:
            raise StorageTrouble("The disk is full.")

    async def maintenance_due(self):
        return True

    async def maintain(self):
        self.maintained.set()
        return {"freed": 1}


async def test_upkeep_that_failed_once_is_tried_again(monkeypatch):
    monkeypatch.setattr(upkeep, "MAINTAIN_EVERY_S", 0)
    house = TroubledHouse()
    keeping = asyncio.create_task(upkeep.keep_house(house, StandingClock()))
    with capture_logs() as logged:
        await asyncio.wait_for(house.maintained.wait(), 5)
    keeping.cancel()
    assert logged[0]["why"] == "The disk is full."


async def test_background_work_that_ends_is_told_at_once():
    async def broken():
        raise ZeroDivisionError("nobody foresaw this")

    with capture_logs() as logged:
        task = asyncio.create_task(broken())
        task.add_done_callback(bot.app.tell_failure)
        await asyncio.wait((task,))
        await asyncio.sleep(0)
    assert "ZeroDivisionError: nobody foresaw this" in logged[0]["failure"]
