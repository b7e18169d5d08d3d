"""Small values for tests of answering: questions, turns, passages, and a language model that follows a script."""

import itertools
from collections.abc import AsyncIterator, Callable

from bot.domain.answers import ModelUse, Question
from bot.domain.memories import Passage
from bot.domain.messages import Turn
from bot.ports import Filled, ModelRequest, Written
from tests.fakes.palace import ANA, DEV, NOON, TEAM

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
