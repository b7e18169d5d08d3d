"""What hangs is left behind: a step ends on time whether or not its work does."""

import asyncio
import time

import pytest

from bot.domain.errors import ModelUnavailable
from bot.ports import Deadlines
from bot.rag.deadlines import Late, Watch, within
from bot.rag.pump import Pump


async def test_work_in_time_gives_its_result():
    async def work():
        return 3

    assert await within(1, work()) == 3


async def test_work_that_ignores_its_cancelling_is_left_behind():
    released = asyncio.Event()

    async def stubborn():
        while not released.is_set():
            try:
                await asyncio.sleep(5)
            except asyncio.CancelledError:
                await released.wait()

    started = time.monotonic()
    with pytest.raises(Late):
        await within(0.05, stubborn())
    assert time.monotonic() - started < 0.5
    released.set()


async def test_the_trouble_of_work_left_behind_is_not_reported_again(recwarn):
    async def fails_late():
        try:
            await asyncio.sleep(5)
        finally:
            raise ModelUnavailable("too late to matter")

    with pytest.raises(Late):
        await within(0.01, fails_late())
    await asyncio.sleep(0)
    assert not recwarn.list


async def test_a_step_never_gets_more_than_what_is_left_before_the_first_word():
    watch = Watch(Deadlines(step_s=10, first_word_s=0.05, total_s=0.1))
    assert watch.for_step() <= 0.05
    await asyncio.sleep(0.06)
    assert watch.for_step() == 0
    assert 0 < watch.for_rest() < 0.05


async def pieces(*texts, end=None):
    for text in texts:
        yield text
    if isinstance(end, Exception):
        raise end
    if end == "hang":
        await asyncio.sleep(60)


async def test_a_stream_is_read_to_its_end():
    pump = Pump(pieces("a", "b"))
    assert [await pump.next(1), await pump.next(1), await pump.next(1)] == ["a", "b", None]


async def test_a_streams_own_trouble_comes_after_its_pieces():
    pump = Pump(pieces("a", end=ModelUnavailable("gone")))
    assert await pump.next(1) == "a"
    with pytest.raises(ModelUnavailable):
        await pump.next(1)


async def test_a_stream_that_stalls_is_late():
    pump = Pump(pieces("a", end="hang"))
    assert await pump.next(1) == "a"
    with pytest.raises(Late):
        await pump.next(0.02)
    pump.stop()
