"""What a search box finds: the words first, what means the same after them, and never somebody else's."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot import finding
from bot.domain.rooms import Person, Room, personal_scope
from bot.finding import Finder
from bot.ports import Vectors
from tests.fakes.embedder import HashEmbedder
from tests.fakes.house import House, open_house

ANA, BEN = (Person(platform="console", person_id=name, name=name) for name in ("ana", "ben"))
PAGES = {
    "https://mill.example/rye": ("Keeping rye", "Rye flour stays fresh in a paper bag for ten days."),
    "https://mill.example/oven": ("Stone ovens", "A stone oven holds its heat for two days."),
}


class Slow(HashEmbedder):
    """Takes longer than anybody types."""

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        await asyncio.sleep(60)
        return await super().embed_queries(texts)


async def furnished(house: House) -> None:
    for url, (title, text) in PAGES.items():
        house.web.put(url, title, text)
        await house.tell(url, Room(platform="console", channel="ana", kind="direct"), ANA)
    await house.worker.drain()


async def titles(house: House, typed: str, person: Person, embedder: HashEmbedder | None = None) -> list[str]:
    storage = house.storage
    finder = Finder(memories=storage.memories, search=storage.search, embedder=embedder or HashEmbedder())
    return [memory.title for memory in await finder.find(typed, (personal_scope(person),))]


async def test_words_come_first_then_what_means_nearly_the_same(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await furnished(house)
        assert await titles(house, "oven", ANA) == ["Stone ovens"]
        assert await titles(house, "is rye flour fresh for ten days", ANA) == ["Keeping rye"]
        assert await titles(house, "quantum chromodynamics", ANA) == []
        assert await titles(house, "", ANA) == ["Stone ovens", "Keeping rye"]


async def test_nobody_finds_what_somebody_else_keeps(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await furnished(house)
        assert await titles(house, "is rye flour fresh for ten days", BEN) == []


async def test_who_types_does_not_wait_for_a_slow_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "WITHIN_S", 0.01)
    async with open_house(tmp_path) as house:
        await furnished(house)
        assert await titles(house, "stone oven", ANA, Slow()) == ["Stone ovens"]
