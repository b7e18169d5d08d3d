"""What is compressed small never becomes large in memory."""

import gzip
import random
import tracemalloc

import pytest

from adapters.web.inflating import Inflater, Plain, read_limited
from bot.domain.errors import Unreadable
from tests.fakes.web import bomb_bytes

LIMIT = 20_000_000


async def pieces(body, size=16_384):
    for at in range(0, len(body), size):
        yield body[at : at + size]


async def peak_of(body):
    tracemalloc.start()
    try:
        with pytest.raises(Unreadable) as raised:
            await read_limited(pieces(body), Inflater(), limit=LIMIT)
        return raised.value.reason, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


async def test_a_bomb_takes_few_megabytes_at_most():
    reason, peak = await peak_of(bomb_bytes())
    assert reason == "too_large"
    assert peak < 5_000_000


async def test_a_large_page_that_is_no_bomb_is_held_up_to_the_limit_only():
    words = random.Random(1).sample(range(10**6), 2_000)
    line = (" ".join(map(str, words)) + "\n").encode()
    body = gzip.compress(line * 3_000)
    assert len(line) * 3_000 > 2 * LIMIT
    assert len(line) * 3_000 / len(body) < 200
    reason, peak = await peak_of(body)
    assert reason == "too_large"
    assert peak < 1.25 * LIMIT


async def test_a_body_of_the_very_limit_is_read():
    assert len(await read_limited(pieces(b"x" * 1_000), Plain(), limit=1_000)) == 1_000
    with pytest.raises(Unreadable):
        await read_limited(pieces(b"x" * 1_001), Plain(), limit=1_000)
