"""Small values for tests of answering: questions, turns, passages, and a language model that follows a script."""

import itertools
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import ClassVar

import numpy as np

from bot.domain.answers import ModelUse, Question, StepFinished, TextSoFar
from bot.domain.memories import Chunk, Page, Passage
from bot.domain.messages import Turn
from bot.ports import Filled, Knobs, ModelRequest, Vectors, Written
from bot.rag.pipeline import Answering
from storage import open_storage
from tests.fakes.embedder import HashEmbedder
from tests.fakes.palace import ANA, DEV, NOON, TEAM, SetClock, shared

COUNT = itertools.count(1)


def passage(text, *, chunk_id=0, memory_id="", title="Bread", url="", **other):
    chunk_id = chunk_id or next(COUNT)
    return Passage(
        chunk_id=chunk_id,
        memory_id=memory_id or f"m{chunk_id}",
        number=0,
        text=text,
        title=title,
        url=url or f"https://bread.example/{chunk_id}",
        **other,
    )


def turn(text, *, speaker="person", name="Ana", at=NOON, **other):
    return Turn(speaker=speaker, text=text, at=at, name="" if speaker == "bot" else name, **other)


def question(text, *history, room=DEV, person=ANA, scopes=(TEAM,), **other):
    return Question(text=text, room=room, person=person, scopes=scopes, asked_at=NOON, history=history, **other)


class ScriptedModel:
    """A `LanguageModel` whose replies are functions of the request, by step; it keeps every request."""

    window_tokens = 100_000

    def __init__(self, **replies: Callable[[ModelRequest], object]) -> None:
        self.replies = replies
        self.requests: list[ModelRequest] = []

    def of_step(self, step: str) -> list[ModelRequest]:
        return [request for request in self.requests if request.step == step]

    async def fill(self, request: ModelRequest) -> Filled:
        self.requests.append(request)
        value = self.replies[request.step](request)
        if isinstance(value, Exception):
            raise value
        return Filled(value=value, use=self.use(request))

    async def write(self, request: ModelRequest) -> AsyncIterator[Written]:
        self.requests.append(request)
        for piece in self.replies[request.step](request):
            if isinstance(piece, Exception):
                raise piece
            yield Written(text=piece)
        yield Written(use=self.use(request))

    def use(self, request: ModelRequest) -> ModelUse:
        return ModelUse(model=request.role, step=request.step, input_tokens=len(request.content) // 4, output_tokens=7)


PLAN = {
    "reasoning": "It asks for one fact.",
    "intent": "simple_lookup",
    "confidence": 0.9,
    "needs_context": False,
    "standalone": "",
    "entities": [],
    "wordings": ["another wording"],
}


def numbers_in(request: ModelRequest) -> list[int]:
    """The numbers of the passages that a request offers."""
    return [int(found) for found in re.findall(r"^\[(\d+)\] ", request.content, re.MULTILINE)]


def all_graded(relevance: str) -> Callable[[ModelRequest], object]:
    def reply(request: ModelRequest) -> object:
        return {
            "grades": [{"id": n, "reasoning": "so", "relevance": relevance, "score": 0.9} for n in numbers_in(request)]
        }

    return reply


def model(**replies: Callable[[ModelRequest], object]) -> ScriptedModel:
    """A model that plans a lookup, finds everything relevant, writes one sentence and objects to nothing."""
    usual = {
        "plan": lambda request: PLAN,
        "grade": all_graded("relevant"),
        "generate": lambda request: ["Rye dough ", "sours slowly [1]."],
        "reflect": lambda request: {"verdicts": []},
    }
    return ScriptedModel(**(usual | replies))


class Remembering:
    """A real embedding model that embeds each text once, however many pipelines a run of the tests opens."""

    vectors: ClassVar[dict[str, Vectors]] = {}

    def __init__(self, embedder) -> None:
        self._embedder = embedder

    def __getattr__(self, name):
        return getattr(self._embedder, name)

    async def embed(self, texts):
        new = [text for text in dict.fromkeys(texts) if text not in self.vectors]
        if new:
            self.vectors.update(zip(new, await self._embedder.embed(new), strict=True))
        return np.stack([self.vectors[text] for text in texts]) if texts else await self._embedder.embed(texts)

    embed_queries = embed


@asynccontextmanager
async def answering(folder, pages, *, model=None, embedder=None, deadlines=None, search=None):
    """The whole pipeline over real storage, with `pages` (title: text) saved in the team's scope.

    `search` wraps the storage's own search.
    """
    embedder = Remembering(embedder) if embedder else HashEmbedder()
    async with open_storage(f"sqlite:///{folder / 'palace.db'}", clock=SetClock()) as storage:
        await storage.prepare_embeddings(model_name=embedder.model_name, dimensions=embedder.dimensions)
        for title, text in pages.items():
            await save(storage, embedder, title, text)
        knobs = Knobs(deadlines=deadlines) if deadlines else Knobs()
        yield (
            Answering(
                search=search(storage.search) if search else storage.search,
                memories=storage.memories,
                transcript=storage.transcript,
                traces=storage.traces,
                feedback=storage.feedback,
                embedder=embedder,
                model=model,
                knobs=knobs,
            ),
            storage,
        )


async def save(storage, embedder, title, text, **other):
    name = re.sub(r"\W+", "-", title.lower())
    kept = await storage.memories.keep(shared(name, title=title, **other))
    page = Page(url=f"https://example.com/{name}", text=text, title=title)
    parts = text.split("\n\n")
    vectors = await embedder.embed([f"{title}\n{part}" for part in parts])
    chunks = [Chunk(number=number, text=part) for number, part in enumerate(parts)]
    return await storage.memories.write_version(kept.memory.memory_id, page, chunks, vectors, now=NOON)


async def events_of(pipeline, asked):
    """Every event of an answer, and the answer."""
    events = [event async for event in pipeline.answer(asked)]
    return events, events[-1].answer


def texts(events):
    return [event.text for event in events if isinstance(event, TextSoFar)]


def finished(events, step=None):
    return [event for event in events if isinstance(event, StepFinished) and step in {None, event.step}]
