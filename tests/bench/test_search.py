"""How fast a scope of 100,000 chunks is searched while a save runs beside it, and what that takes of memory."""

import asyncio
import resource
import time
from collections import defaultdict
from contextlib import asynccontextmanager
from itertools import count, cycle
from pathlib import Path

import numpy as np
import pytest

from bot.domain.memories import Chunk, Filters
from bot.rag.params import parameters_for
from bot.rag.retrieve import Retriever
from storage import open_storage
from storage.sqlite.words import STOP_WORDS
from tests.fakes.palace import ANA, DEV, DIRECT, NOON, OPS, TEAM, page, shared

CHUNKS = 100_000
"""In the scope that is searched; a fifth as many again lie in two other scopes, between them."""
A_PAGE = 20
DIMENSIONS = 384
QUERIES = 150
PREPARED = 20
"""Pages that are saved again and again beside the searches: what is measured is no making of texts."""
PAUSE_S = 0.05
TARGET_MS = 60
TARGET_MB = 900
ALL = Filters()
WHO_AND_WHEN = Filters(person_names=(ANA.name,), since=NOON)


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
        await save(storage, f"p{number}", DEV, *content(random, centres, words))
        if number % 5 == 0:
            await save(storage, f"o{number}", OPS if number % 2 else DIRECT, *content(random, centres, words))


def content(random, centres, words):
    return texts(random, words, A_PAGE), vectors(random, centres, A_PAGE)


async def save(storage, name, room, parts, found):
    kept = await storage.memories.keep(shared(name, room=room))
    chunks = [Chunk(number=at, text=text) for at, text in enumerate(parts)]
    await storage.memories.write_version(kept.memory.memory_id, page("\n\n".join(parts)), chunks, found, now=NOON)


@asynccontextmanager
async def saving(storage, pages):
    """Save one page after the other, with a short pause, as long as the block runs."""
    saved = count()

    async def one_after_the_other():
        for parts, found in cycle(pages):
            await save(storage, f"beside{next(saved)}", DEV, parts, found)
            await asyncio.sleep(PAUSE_S)

    beside = asyncio.create_task(one_after_the_other())
    yield
    beside.cancel()
    await asyncio.wait([beside])
    print(f"saved {next(saved)} pages of {A_PAGE} chunks beside it")


class Timed:
    """A part of the storage, each call of its methods timed."""

    def __init__(self, part, calls):
        self._part, self._calls = part, calls

    def __getattr__(self, name):
        async def timed(*given, **named):
            began = time.perf_counter()
            result = await getattr(self._part, name)(*given, **named)
            self._calls.append((began, time.perf_counter(), name))
            return result

        return timed


class Asked:
    """The vectors of questions that were embedded before: what is measured is the search."""

    def __init__(self, questions, asked):
        self._vectors = dict(zip(questions, asked, strict=True))

    async def embed_queries(self, texts):
        return np.stack([self._vectors[text] for text in texts])


async def hybrid(storage, questions, asked, filters, wordings=1):
    """Search as the bot does for a question: both ways, the second look, votes, and the passages to read."""
    spent, found = defaultdict(list), set()
    for at in range(len(questions)):
        calls = []
        retriever = Retriever(Timed(storage.search, calls), Asked(questions, asked), Timed(storage.feedback, calls))
        queries = [questions[(at + other) % len(questions)] for other in range(wordings)]
        began = time.perf_counter()
        passages = await retriever.retrieve(queries, parameters_for("simple_lookup"), [TEAM], filters)
        spent["whole"].append(time.perf_counter() - began)
        for start, end, name in calls:
            spent[name].append(end - start)
        spent["fusion and second look"].append(spent["whole"][-1] - pending(calls))
        found |= {passage.memory_id for passage in passages}
    for memory_id in found:
        assert await storage.memories.get(memory_id, [TEAM])
    return spent


def pending(calls):
    """How long at least one call was under way."""
    total, until = 0.0, 0.0
    for start, end, _ in sorted(calls):
        total += max(0.0, end - max(start, until))
        until = max(until, end)
    return total


def report(title, spent):
    """Print what a search takes and each stage's share of it; stages run beside each other."""
    whole = spent["whole"]
    print(f"\n{title}: p50 {np.percentile(whole, 50) * 1e3:.1f}, p95 {np.percentile(whole, 95) * 1e3:.1f} ms")
    for name, times in spent.items():
        if name != "whole":
            middle, late = np.percentile(times, [50, 95]) * 1e3
            print(f"  {100 * sum(times) / sum(whole):3.0f} %  {name}: p50 {middle:.1f}, p95 {late:.1f} ms a call")
    return float(np.percentile(whole, 95) * 1e3)


@pytest.mark.bench
async def test_a_large_scope_is_searched_fast_while_a_save_runs(tmp_path: Path, embedder):
    await embedder.load()
    random = np.random.default_rng(7)
    centres = random.standard_normal((1000, DIMENSIONS))
    words = vocabulary(random)
    address = f"sqlite:///{tmp_path}/palace.db"
    began = time.perf_counter()
    async with open_storage(address) as storage:
        await fill(storage, random, centres, words)
        stats = await storage.memories.stats()
    took = time.perf_counter() - began
    print(f"\nfilled {stats['chunks']} chunks, {CHUNKS} in one scope, in {took:.0f} s, {stats['bytes'] / 1e6:.0f} MB")
    questions = [f"what is the {' '.join(text.split()[:6])} about" for text in texts(random, words, QUERIES)]
    asked = vectors(random, centres, QUERIES)
    beside = [content(random, centres, words) for _ in range(PREPARED)]
    began = time.perf_counter()
    async with open_storage(address) as storage:
        opened = time.perf_counter() - began
        (first,) = (await hybrid(storage, questions[:1], asked[:1], ALL))["whole"]
        print(f"opened in {opened * 1e3:.0f} ms, first search {first * 1e3:.0f} ms")
        async with saving(storage, beside):
            plain = report("hybrid search", await hybrid(storage, questions, asked, ALL))
            filtered = report("with who and when", await hybrid(storage, questions, asked, WHO_AND_WHEN))
            report("three wordings", await hybrid(storage, questions, asked, ALL, wordings=3))
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"resident at most {resident:.0f} MB, the embedding model loaded")
    assert plain < TARGET_MS
    assert filtered < TARGET_MS
    assert resident < TARGET_MB
