"""Whole conversations over saved pages, with the packaged model alone: the right page first, the fact in the text."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.ports import Embedder
from tests.fakes.house import House, open_house
from tests.fakes.palace import ANA, BEN, DEV
from tests.flows.journeys import JOURNEYS, PAGES, Ask

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> AsyncIterator[House]:
    folder: Path = tmp_path_factory.mktemp("journeys")
    async with open_house(folder, embedder=embedder) as opened:
        for name, (title, text) in PAGES.items():
            opened.web.put(address(name), title, text)
            await opened.tell(address(name), DEV, BEN, addressed=False)
        await opened.tell("which examples does the router know?", DEV, BEN)  # on a busy machine the first one is slow
        yield opened


@pytest.mark.parametrize("journey", JOURNEYS)
async def test_a_conversation_is_answered_from_the_right_pages(house: House, journey: str) -> None:
    room = replace(DEV, channel=journey, name=journey)
    for ask in JOURNEYS[journey]:
        reply = await house.tell(ask.text, room, ANA)
        assert faults(ask, reply.answers[0].text, [one.url for one in reply.answers[0].citations]) == []


def address(name: str) -> str:
    """Return where the page of this name is."""
    return f"https://{name}.example/page"


def faults(ask: Ask, text: str, cited: list[str]) -> list[str]:
    """Say what is wrong with an answer."""
    wanted = [address(ask.first)] if ask.first else []
    found = [f"cites {cited} first" for _ in "x" if cited[:1] != wanted]
    found += [f"also cites {cited[1:]}" for _ in "x" if ask.only and len(cited) > 1]
    found += [f"lacks {part!r}" for part in ask.says if part not in text]
    found += [f"says {part!r}" for part in ask.unsaid if part in text]
    return [f"{ask.text!r}: {fault}: {text}" for fault in found]
