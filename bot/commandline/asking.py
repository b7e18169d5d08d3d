"""`palace ask` and `palace search`: an answer with its sources, or the passages themselves."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, replace
from typing import Annotated, Any

import typer

from bot.app import Palace
from bot.commandline.output import emit, show, tell
from bot.commandline.saving import Json
from bot.commandline.session import DONE, WrongUsage, in_palace, with_model
from bot.conversation import CONSOLE_ROOM, OWNER
from bot.domain.answers import Answer, Answered, AnswerEvent, Question, StepFinished, StepStarted, TextSoFar
from bot.domain.memories import Filters, Passage
from bot.domain.rooms import readable, scope_of
from bot.rag.params import parameters_for
from bot.rag.retrieve import Retriever
from bot.rag.route import needs_no_vectors
from bot.responder import HISTORY_TURNS, remember, turns_of
from bot.saving import tags_in
from bot.wording import counted

EXCERPT = 300
ROOM = replace(CONSOLE_ROOM, thread="ask")
"""`ask` has a conversation of its own beside the chat's."""

Look = Callable[[Palace, str, Filters, int], Awaitable[Sequence[Passage]]]


def ask(
    question: Annotated[list[str], typer.Argument(metavar="QUESTION", show_default=False)],
    *,
    pocket: Annotated[str, typer.Option(help="Answer from this pocket only.")] = "",
    follow: Annotated[bool, typer.Option("--continue", "-c", help="Go on from the last question asked here.")] = False,
    as_json: Json = False,
) -> None:
    """Answer a question from what was saved, with sources.

    \b
    palace ask "How long does sourdough starter keep?"
    palace ask -c "and in the fridge?"
    """
    text = " ".join(question).strip()
    if not text:
        raise WrongUsage('Ask what? palace ask "What did we save about caching?"')
    in_palace(lambda palace: answer(palace, text, pocket=pocket, follow=follow, as_json=as_json))


def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS", show_default=False)],
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=200, help="At most so many passages.")] = 10,
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="Only with this tag.")] = None,
    pocket: Annotated[str, typer.Option(help="Only in this pocket.")] = "",
    words_only: Annotated[
        bool, typer.Option("--words", "-w", help="By words alone: at once, without loading the model.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Find passages by words and by meaning, best first.

    \b
    palace search rye bread hydration
    palace search --words "ERR_4711"
    palace search --json --limit 3 "consistent hashing"
    """
    text = " ".join(words).strip()
    if not text:
        raise WrongUsage("Search for what? palace search rye bread")
    filters = Filters(pocket=pocket, tags=tags_in(" ".join(f"#{one.lstrip('#')}" for one in tag or ())))
    look = by_words if words_only else by_words_and_meaning
    in_palace(lambda palace: find(palace, look, text, filters, limit=limit, as_json=as_json))


async def answer(palace: Palace, text: str, *, pocket: str, follow: bool, as_json: bool) -> int:
    """Print the events of an answer, or its text and sources."""
    history = await palace.storage.transcript.last(ROOM, limit=HISTORY_TURNS) if follow else ()
    if palace.outside.model is not None or not needs_no_vectors(text, history):
        await with_model(palace)
        await tell_waiting(palace)
    question = Question(
        text=text,
        room=ROOM,
        person=OWNER,
        scopes=readable(ROOM, OWNER),
        asked_at=palace.outside.clock.now(),
        timezone=palace.settings.palace_timezone,
        history=history,
        filters=Filters(pocket=pocket),
        recall=follow,
    )
    async with aclosing(palace.answering.answer(question)) as events:  # type: ignore[type-var]
        final = await (print_events(events) if as_json else print_words(events))
    if final is not None:
        await keep_turns(palace, question, final)
    return DONE


async def print_events(events: AsyncIterator[AnswerEvent]) -> Answer | None:
    """Print every event as a JSON line."""
    final = None
    async for event in events:
        emit(event_value(event))
        final = event.answer if isinstance(event, Answered) else final
    return final


async def print_words(events: AsyncIterator[AnswerEvent]) -> Answer | None:
    """Print the answer's text and its sources when it is whole."""
    async for event in events:
        if isinstance(event, Answered):
            show(event.answer.text)
            for citation in event.answer.citations:
                who = f" ({citation.person_name})" if citation.person_name else ""
                show(f"[{citation.number}] {citation.title or citation.url}{who} {citation.url}".rstrip())
            return event.answer
    return None


def event_value(event: AnswerEvent) -> Mapping[str, Any]:
    """Return an event as `ask --json` prints it."""
    match event:
        case StepStarted():
            return {"event": "step_started", "step": event.step, "detail": event.detail}
        case StepFinished():
            return {"event": "step_finished", **asdict(event), "facts": dict(event.facts)}
        case TextSoFar():
            return {"event": "text", "text": event.text}
        case Answered():
            return {"event": "answered", **answer_value(event.answer)}


def answer_value(given: Answer) -> dict[str, Any]:
    """Return an answer's values as `ask --json` prints them."""
    return {
        "text": given.text,
        "intent": given.intent,
        "confidence": given.confidence,
        "standalone": given.standalone,
        "queries": list(given.queries),
        "verdict": given.verdict,
        "citations": [
            {"number": one.number, "memory_id": one.memory_id, "title": one.title, "url": one.url}
            for one in given.citations
        ],
        "took_ms": given.took_ms,
        "fallbacks": [asdict(one) for one in given.fallbacks],
    }


async def keep_turns(palace: Palace, question: Question, final: Answer) -> None:
    """Keep both turns, so that `--continue` and `/why` know of them."""
    turns = turns_of(question, final, palace.outside.clock.now())
    await remember(palace.storage.transcript, palace.embedder, ROOM, turns, scope_of(ROOM, OWNER))


async def find(palace: Palace, look: Look, text: str, filters: Filters, *, limit: int, as_json: bool) -> int:
    """Print passages, best first."""
    passages = await look(palace, text, filters, limit)
    await tell_waiting(palace)
    for number, passage in enumerate(passages, 1):
        if as_json:
            emit(passage_value(passage))
        else:
            flat = " ".join(passage.text.split())
            show(f"{number}. {passage.title or passage.url} · {passage.memory_id}\n   {flat[:EXCERPT]}")
    if not passages:
        tell("Nothing saved matches that.")
    return DONE


async def by_words_and_meaning(palace: Palace, text: str, filters: Filters, limit: int) -> Sequence[Passage]:
    """Return the best passages as an answer would find them."""
    await with_model(palace)
    storage = palace.storage
    retriever = Retriever(storage.search, palace.embedder, storage.feedback)
    parameters = replace(parameters_for("simple_lookup"), passages=limit)
    return await retriever.retrieve((text,), parameters, readable(CONSOLE_ROOM, OWNER), filters)


async def by_words(palace: Palace, text: str, filters: Filters, limit: int) -> Sequence[Passage]:
    """Return the passages with these words, best first."""
    search, scopes = palace.storage.search, readable(CONSOLE_ROOM, OWNER)
    hits = await search.by_words(text, scopes, filters, limit=limit)
    scores = {hit.chunk_id: hit.score for hit in hits}
    found = await search.passages(tuple(scores), scopes)
    return [replace(one, score=scores[one.chunk_id], found_by=(f"words:{text}",)) for one in found]


def passage_value(passage: Passage) -> dict[str, Any]:
    """Return a passage as `search --json` prints it."""
    return {
        "memory_id": passage.memory_id,
        "title": passage.title,
        "url": passage.url,
        "score": passage.score,
        "text": passage.text,
        "found_by": list(passage.found_by),
    }


async def tell_waiting(palace: Palace) -> None:
    """Say how much of what was saved is not read yet."""
    waiting = await palace.storage.memories.count(Filters(states=("queued", "fetching")), None)
    if waiting:
        tell(f"{counted(waiting, 'memory waits', 'memories wait')} to be read; `palace retry` reads them now.")
