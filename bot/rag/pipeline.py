"""Answer a question: the recipe in reading order, told as a stream of events and kept as a trace."""

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Callable
from dataclasses import fields
from datetime import datetime

from bot.domain.answers import Answer, Answered, AnswerEvent, Plan, Question, StepStarted
from bot.domain.errors import NotReady, StorageTrouble
from bot.domain.lines import so_many
from bot.domain.markup import closed
from bot.domain.memories import Filters
from bot.domain.messages import Turn
from bot.ports import (
    Embedder,
    Feedback,
    Knobs,
    LanguageModel,
    MemoryStore,
    PassageSearch,
    TraceLog,
    Transcript,
)
from bot.rag.citations import cite
from bot.rag.compose import Composer, Work
from bot.rag.deadlines import Late, Watch, leave, within
from bot.rag.defang import defang
from bot.rag.expand import Expander
from bot.rag.generate import Quoter, nothing_found, small_talk
from bot.rag.grade import Grader
from bot.rag.journal import Journal, WayName
from bot.rag.listing import Lister
from bot.rag.narrow import Narrowed
from bot.rag.phrases import phrase
from bot.rag.plan import Decided, Planner, bare, given
from bot.rag.recall import Recall
from bot.rag.reflect import Checker
from bot.rag.retrieve import Retriever
from bot.rag.rewrite import Rewriter
from bot.rag.route import Router, needs_no_vectors
from bot.rag.seek import Guess, Seeker
from bot.rag.steps import Steps, Way

LOG = logging.getLogger(__name__)


class Answering:
    """From a question to a cited answer. Every step has a model way and a local way; without a model, local ones."""

    def __init__(  # noqa: PLR0913 - one argument a port
        self,
        *,
        search: PassageSearch,
        memories: MemoryStore,
        transcript: Transcript,
        traces: TraceLog,
        feedback: Feedback | None,
        embedder: Embedder,
        model: LanguageModel | None,
        knobs: Knobs,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
    ) -> None:
        self._traces = traces
        self._embedder = embedder
        self._model = model
        self._knobs = knobs
        self._new_id = new_id
        self._recall = Recall(transcript, embedder, older=knobs.recalled_turns)
        self._lister = Lister(memories)
        self._planner = Planner(
            router=Router(embedder),
            rewriter=Rewriter(embedder),
            expander=Expander(embedder, search),
            memories=memories,
            model=model,
            knobs=knobs,
        )
        self._seeker = Seeker(
            retriever=Retriever(search, embedder, feedback),
            search=search,
            grader=Grader(embedder),
            planner=self._planner,
            model=model,
            embedder=embedder,
            feedback=feedback,
            knobs=knobs,
        )
        self._composer = Composer(quoter=Quoter(embedder), checker=Checker(embedder), model=model)

    async def warm(self) -> None:
        """Do beforehand what the first question would wait for: load the embedding model, embed the examples."""
        await self._embedder.load()
        await self._planner.warm()

    async def answer(self, question: Question) -> AsyncIterator[AnswerEvent]:
        """Yield what happens, the text as it grows, and `Answered`: in the whole time, or soon after its last words.

        The trace is stored before `Answered`, also when the answer is stopped (the iterator is closed or cancelled) or
        fails. Raises StorageTrouble where the memories cannot be read.
        """
        events: asyncio.Queue[AnswerEvent | None] = asyncio.Queue()
        journal = Journal(question=question, trace_id=self._new_id(), tell=events.put_nowait)
        watch = Watch(self._knobs.deadlines)
        working = asyncio.create_task(self._answered(question, Steps(journal, watch)))
        working.add_done_callback(lambda _: events.put_nowait(None))
        answer, stopped = None, True
        try:
            async for event in told(events, watch):
                yield event
            stopped = False
            answer = working.result() if working.done() else cut_short(journal)
        finally:
            leave(working)
            await asyncio.shield(self._keep(journal, answer or journal.answer(journal.text, stopped=stopped)))
        yield Answered(answer=answer)

    async def _answered(self, question: Question, steps: Steps) -> Answer:
        """Answer, step by step."""
        if self._model is None and not self._embedder.ready and needs_no_vectors(question.text, question.history):
            return await self._answered_at_once(question, steps)
        await self._awake(steps)
        recalling = asyncio.create_task(self._recalled(question, steps))
        try:
            decided, guess = await self._planned(question, steps)
            plan = steps.journal.plan = decided.plan
            match plan.route.intent:
                case "no_retrieval":
                    return self._small_talk(question, plan, steps)
                case "count_or_list":
                    return await self._listed(question, decided.narrowed, steps)
            grading = await self._seeker.seek(question, plan, guess, steps)
            steps.journal.verdict = grading.verdict
            if not grading.passages:
                return self._nothing(decided, steps)
            work = Work(question=question, plan=plan, passages=grading.passages, turns=await recalling)
            composed = await self._composer.compose(work, steps)
        finally:
            leave(recalling)
        text = with_unread(composed.text, decided)
        steps.journal.show(text)
        return steps.journal.answer(text, citations=composed.citations, unsupported=composed.unsupported)

    async def _answered_at_once(self, question: Question, steps: Steps) -> Answer:
        """Answer small talk, a count or a list while the embedding model is not loaded."""
        steps.journal.start("route")
        decided = bare(await self._planner.draft(question, steps), self._knobs)
        plan = steps.journal.plan = decided.plan
        tell_plan(plan, steps.journal, way="local", why="")
        if plan.route.intent == "no_retrieval":
            return self._small_talk(question, plan, steps)
        return await self._listed(question, decided.narrowed, steps)

    async def _awake(self, steps: Steps) -> None:
        """Wait a while for the embedding model; a question typed at once is answered when it is ready."""
        if self._embedder.ready:
            return
        steps.journal.tell(StepStarted(step="route", detail="waking up"))
        try:
            await within(self._knobs.deadlines.first_word_s / 2, self._embedder.load())
        except (Late, NotReady) as error:
            steps.failed("meaning", error)

    async def _recalled(self, question: Question, steps: Steps) -> tuple[Turn, ...]:
        """Return the last turns, and older ones that bear on the question."""
        return await steps.take(
            "recall",
            Way(run=lambda: self._recall.recall(question), needs="meaning"),
            Way(run=lambda: given(question.history)),
            say=lambda turns: (so_many(len(turns), "turn"), {"turns": len(turns)}),
        )

    async def _planned(self, question: Question, steps: Steps) -> tuple[Decided, Guess | None]:
        """Plan, with the first search and its grading going on beside the model's plan."""
        steps.journal.start("route")
        drafting = asyncio.create_task(self._planner.draft(question, steps))
        guessing = asyncio.create_task(self._seeker.guess(question, drafting, steps))

        async def locally() -> Decided:
            return await self._planner.locally(question, await asyncio.shield(drafting))

        async def barely() -> Decided:
            return bare(await asyncio.shield(drafting), self._knobs)

        ways = [Way(run=locally, needs="meaning"), Way(run=barely)]
        if self._model is not None:
            ways.insert(
                0,
                Way(run=lambda: self._planner.by_model(question, drafting, steps), name="model", needs="planning"),
            )
        try:
            decided, way, why = await steps.first("route", *ways)
            if decided.lacking:
                why = f"the plan lacks {', '.join(decided.lacking)}"
                steps.journal.fall_back("route", why)
            tell_plan(decided.plan, steps.journal, way=way.name, why=why)
            guess, _, _ = await steps.first("retrieve", Way(run=lambda: result_of(guessing)), Way(run=no_guess))
        finally:
            leave(drafting)
            leave(guessing)
        return decided, guess

    def _small_talk(self, question: Question, plan: Plan, steps: Steps) -> Answer:
        """Answer a greeting, thanks or farewell without looking anything up."""
        steps.journal.start("generate")
        text = small_talk(question.text, plan.language)
        steps.journal.finish("generate", "small talk")
        steps.journal.show(text)
        return steps.journal.answer(text)

    async def _listed(self, question: Question, narrowed: Narrowed, steps: Steps) -> Answer:
        """Answer a count or a list with exact numbers from the memories' own table."""
        listed = await steps.take(
            "list",
            Way(run=lambda: self._lister.list(question, narrowed)),
            say=lambda listed: (so_many(listed.total, "memory"), {"total": listed.total, "shown": len(listed.items)}),
        )
        addresses = [url for one in listed.items for url in (one.url, one.permalink)]
        text = defang(listed.text, addresses)
        steps.journal.show(text)
        return steps.journal.answer(text, citations=listed.citations, items=listed.items, total=listed.total)

    def _nothing(self, decided: Decided, steps: Steps) -> Answer:
        """Say in one sentence that nothing saved answers this."""
        steps.journal.verdict = "no_relevant_sources"
        text = with_unread(nothing_found(decided.plan.language), decided)
        steps.journal.show(text)
        return steps.journal.answer(text)

    async def _keep(self, journal: Journal, answer: Answer) -> None:
        """Store the trace; an answer is worth giving without one."""
        try:
            await within(self._knobs.deadlines.step_s, self._traces.add(journal.trace(answer)))
        except (StorageTrouble, Late) as error:
            LOG.warning("The trace %s was not kept: %s", journal.trace_id, error)


async def told(events: "asyncio.Queue[AnswerEvent | None]", watch: Watch) -> AsyncIterator[AnswerEvent]:
    """Yield events until the work ends or the whole time is over, which grows while words come."""
    while True:
        try:
            async with asyncio.timeout(watch.for_all()):
                event = await events.get()
        except TimeoutError:
            if watch.for_all() > 0:
                continue
            return
        if event is None:
            return
        yield event


async def result_of(task: "asyncio.Task[Guess | None]") -> Guess | None:
    """Return what a task found."""
    return await task


async def no_guess() -> Guess | None:
    """Return nothing, where the first search failed or was late."""
    return None


def cut_short(journal: Journal) -> Answer:
    """Return what there is when the whole time is over, with one sentence saying so."""
    language = journal.plan.language if journal.plan else ""
    journal.fall_back("generate", "the whole time was over")
    if not journal.text:
        return journal.answer(phrase("too_late", language))
    text, citations = cite(journal.text, journal.passages)
    return journal.answer(f"{closed(text)}\n\n{phrase('broke_off', language)}", citations=citations)


def with_unread(text: str, decided: Decided) -> str:
    """Return the text with a remark on the conditions of the question that could not be read."""
    if not decided.narrowed.unparsed:
        return text
    said = ", ".join(f"“{words}”" for words in decided.narrowed.unparsed)
    return f"{closed(text)}\n\n{phrase('unread', decided.plan.language, said=said)}"


def tell_plan(plan: Plan, journal: Journal, *, way: WayName, why: str) -> None:
    """Tell the steps of a plan, which were taken together."""
    route, parameters = plan.route, plan.parameters
    facts = {"intent": route.intent, "confidence": f"{route.confidence:.2f}", "language": plan.language}
    journal.finish("route", f"{route.intent}: {route.why}".rstrip(": "), way=way, fallback=why, facts=facts)
    journal.start("rewrite")
    told_rewrite = plan.standalone if plan.needed_context else "stands alone"
    journal.finish(
        "rewrite", told_rewrite, way=way, facts={"standalone": plan.standalone, **filter_facts(plan.filters)}
    )
    if route.intent in {"no_retrieval", "count_or_list"}:
        return
    journal.start("parameters")
    balance = f"{parameters.by_meaning:g} by meaning, {parameters.by_words:g} by words"
    journal.finish(
        "parameters", f"{so_many(parameters.passages, 'passage')}, {balance}", facts={"passages": parameters.passages}
    )
    journal.start("expand")
    journal.finish(
        "expand", so_many(len(plan.queries), "wording"), way=way, facts={"wordings": "; ".join(plan.queries)}
    )


def filter_facts(filters: Filters) -> dict[str, object]:
    """Return the conditions that filter the search, by name."""
    named = {one.name: getattr(filters, one.name) for one in fields(filters)}
    return {
        name: value if isinstance(value, str | datetime) else ", ".join(value) for name, value in named.items() if value
    }
