"""How fast a scope of 100,000 chunks is searched while a save runs beside it, and what that takes of memory."""

import asyncio
import resource
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from bot.domain.memories import Chunk, Filters
from bot.rag.params import parameters_for
from bot.rag.retrieve import Retriever
from storage import open_storage
from storage.sqlite.words import STOP_WORDS
from tests.fakes.palace import ANA, NOON, TEAM, page, shared

CHUNKS = 100_000
A_PAGE = 20
DIMENSIONS = 384
QUERIES = 150
TARGET_MS = 60
TARGET_MB = 900
ALL = Filters()


def vectors(random, centres, count):
    """Unit vectors around a thousand centres, as pages' chunks lie around their subjects."""
    found = centres[random.integers(0, len(centres), count)] + 0.8 * random.standard_normal((count, DIMENSIONS))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def vocabulary(random):
    """The commonest words are those that every search leaves out, the others are made up."""
    letters = list("abcdefghiklmnoprstuvw")
    made_up = ("".join(random.choice(letters, random.integers(4, 11))) for _ in range(60_000))
    return [*sorted(STOP_WORDS)[:100], *made_up]


def texts(random, words, count):
    """About 120 words each, as frequent as words are in English (Zipf)."""
    ranks = np.minimum(random.zipf(1.25, (count, 120)) - 1, len(words) - 1)
    return [" ".join(words[rank] for rank in row) for row in ranks]


async def fill(storage, random, centres, words):
    for number in range(CHUNKS // A_PAGE):
        await save(storage, f"p{number}", random, centres, words)


async def save(storage, name, random, centres, words):
    kept = await storage.memories.keep(shared(name))
    parts = texts(random, words, A_PAGE)
    chunks = [Chunk(number=at, text=text) for at, text in enumerate(parts)]
    await storage.memories.write_version(
        kept.memory.memory_id, page("\n\n".join(parts)), chunks, vectors(random, centres, A_PAGE), now=NOON
    )


class Timed:
    """The search of the palace, each of its methods timed."""

    def __init__(self, search, spent):
        self._search, self._spent = search, spent

    def __getattr__(self, name):
        async def timed(*given, **named):
            began = time.perf_counter()
            result = await getattr(self._search, name)(*given, **named)
            self._spent[name].append(time.perf_counter() - began)
            return result

        return timed


class Asked:
    """The vectors of questions that were embedded before: what is measured is the search."""

    def __init__(self, questions, asked):
        self._vectors = dict(zip(questions, asked, strict=True))

    async def embed_queries(self, texts):
        return np.stack([self._vectors[text] for text in texts])


async def hybrid(storage, questions, asked, filters):
    """Search as the bot does for a question: both ways, the second look, votes, and the passages to read."""
    spent = defaultdict(list)
    retriever = Retriever(Timed(storage.search, spent), Asked(questions, asked), storage.feedback)
    for text in questions:
        began = time.perf_counter()
        assert await retriever.retrieve([text], parameters_for("simple_lookup"), [TEAM], filters)
        spent["whole"].append(time.perf_counter() - began)
    return spent


def report(title, spent):
    whole = sum(spent["whole"])
    line = "  ".join(
        f"{name} p50 {np.percentile(values, 50) * 1e3:.1f} p95 {np.percentile(values, 95) * 1e3:.1f} ms"
        + ("" if name == "whole" else f" ({100 * sum(values) / whole:.0f} %)")
        for name, values in spent.items()
    )
    print(f"\n{title}: {line}")
    return float(np.percentile(spent["whole"], 95) * 1e3)


@pytest.mark.bench
async def test_a_large_scope_is_searched_fast_while_a_save_runs(tmp_path: Path, embedder):
    await embedder.load()
    random = np.random.default_rng(7)
    centres = random.standard_normal((1000, DIMENSIONS))
    words = vocabulary(random)
    async with open_storage(f"sqlite:///{tmp_path}/palace.db") as storage:
        began = time.perf_counter()
        await fill(storage, random, centres, words)
        took = time.perf_counter() - began
        print(f"\nfilled {CHUNKS} chunks in {took:.0f} s, {(await storage.memories.stats())['bytes'] / 1e6:.0f} MB")
        questions = [f"what is the {' '.join(text.split()[:6])} about" for text in texts(random, words, QUERIES)]
        asked = vectors(random, centres, QUERIES)
        stop = asyncio.Event()

        async def saving():
            number = 0
            while not stop.is_set():
                number += 1
                await save(storage, f"beside{number}", random, centres, words)
                await asyncio.sleep(0.05)
            return number

        beside = asyncio.create_task(saving())
        worst = []
        who = Filters(person_names=(ANA.name,), since=NOON)
        for title, filters in (("hybrid search", ALL), ("with filters", who)):
            worst.append(report(title, await hybrid(storage, questions, asked, filters)))
        stop.set()
        print(f"saved {await beside} pages of {A_PAGE} chunks beside it")
        resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"resident at most {resident:.0f} MB, the embedding model loaded")
        assert worst[0] < TARGET_MS
        assert resident < TARGET_MB
