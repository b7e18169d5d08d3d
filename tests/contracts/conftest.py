"""Every implementation of the storage ports, on real files."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ports import Storage
from storage import open_storage
from tests.fakes.palace import SetClock


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def storage(tmp_path: Path, clock: SetClock) -> AsyncIterator[Storage]:
    async with open_storage(f"sqlite:///{tmp_path}/palace.db", clock=clock) as opened:
        yield opened
