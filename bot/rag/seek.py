"""Find the passages for an answer: search, grade, and widen once where they do not suffice."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bot.domain.answers import Grading, Plan, Question, RetrievalParameters
from bot.domain.errors import ModelTrouble
from bot.domain.lines import so_many
from bot.domain.memories import Filters, Passage
from bot.ports import Embedder, Feedback, Knobs, LanguageModel, PassageSearch
from bot.rag.deadlines import leave
from bot.rag.grade import Grader, ungraded
from bot.rag.model_grade import grade_by_model, grading_of
from bot.rag.params import parameters_for
from bot.rag.plan import Draft, Planner, asking, is_search
from bot.rag.retrieve import SAME_QUESTION, Retriever
from bot.rag.sides import sides
from bot.rag.steps import Said, Steps, Way

A_SIDE = 4
"""Passages that each side of a comparison is sure to be searched for by itself."""
FEW_WORDINGS = 2
"""A kind of answer that takes at most so many extra wordings may do without them, if the first search suffices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """The search with the question as it stands, made and being graded while the model still plans."""

    standalone: str
    filters: Filters
    parameters: RetrievalParameters
    passages: tuple[Passage, ...]
    grading: "asyncio.Task[Grading]"

    def serves(self, plan: Plan) -> bool:
        """Whether it searched for what the plan turned out to want."""
        return (
            self.standalone == plan.standalone
            and self.filters == plan.filters
            and plan.parameters.passages <= self.parameters.passages
            and plan.parameters.wordings <= FEW_WORDINGS
        )


class Seeker:
    """Steps 5 and 6, with a widening between them."""

    def __init__(
        self,
        *,
        retriever: Retriever,
        search: PassageSearch,
        grader: Grader,
        planner: Planner,
        model: LanguageModel | None,
        embedder: Embedder,
        feedback: Feedback | None,
        knobs: Knobs,
    ) -> None:
        self._retriever = retriever
        self._search = search
        self._grader = grader
        self._planner = planner
        self._model = model
        self._embedder = embedder
        self._feedback = feedback
        self._knobs = knobs

    async def guess(self, question: Question, drafting: "asyncio.Future[Draft]", steps: Steps) -> Guess | None:
        """Search with the draft's question and begin to grade; None where the draft would not search at once."""
        draft = await asyncio.shield(drafting)
        parameters = parameters_for(draft.route.intent, self._knobs.parameters)
        if self._model is None or not is_search(draft.route.intent) or parameters.wordings > FEW_WORDINGS:
            return None
        standalone, filters = draft.rewrite.standalone, draft.narrowed.filters
        queries = asking(standalone, draft.rewrite.hints)
        passages = await self._retriever.retrieve(queries, parameters, question.scopes, filters, alike=len(queries))
        if not passages:
            return None
        grading = asyncio.create_task(self.graded(question, standalone, passages, steps))
        return Guess(standalone=standalone, filters=filters, parameters=parameters, passages=passages, grading=grading)

    async def seek(self, question: Question, plan: Plan, guess: Guess | None, steps: Steps) -> Grading:
        """Return the passages to answer from, best first, and the verdict on them."""
        grading = await self.judged(question, plan, guess, steps)
        disliked, _, _ = await steps.first(
            "grade", Way(run=lambda: self.disliked(question, plan), needs="meaning"), Way(run=nobody)
        )
        return behind(grading, disliked)

    async def disliked(self, question: Question, plan: Plan) -> frozenset[int]:
        """Return the chunks voted down for questions that mean the same here."""
        if self._feedback is None:
            return frozenset()
        vector = (await self._embedder.embed_queries([plan.standalone]))[0]
        votes = await self._feedback.for_question(vector, question.scopes, floor=SAME_QUESTION)
        return frozenset(vote.chunk_id for vote in votes if vote.value < 0)

    async def judged(self, question: Question, plan: Plan, guess: Guess | None, steps: Steps) -> Grading:
        """Search, grade, and widen once where that does not suffice."""
        if guess is not None and guess.serves(plan):
            return await self.follow(question, plan, guess, steps)
        if guess is not None:
            leave(guess.grading)
        passages = await self.retrieve(question, plan, steps)
        grading = await self.grade(question, plan, passages, steps)
        if grading.verdict != "needs_expansion":
            return grading
        return await self.widen(question, plan, grading, steps)

    async def follow(self, question: Question, plan: Plan, guess: Guess, steps: Steps) -> Grading:
        """Go on with the first search where its passages suffice, else search with every wording of the plan."""
        steps.journal.start("retrieve")
        said, facts = found(guess.passages)
        steps.journal.finish("retrieve", said, facts={**facts, "when": "beside the plan"})
        grading = await self.grade(question, plan, guess.passages, steps, beside=guess.grading)
        if grading.verdict in {"sufficient", "ungraded"}:
            passages = grading.passages[: plan.parameters.passages]
            return replace(grading, passages=passages)
        passages = await self.retrieve(question, plan, steps)
        if {one.chunk_id for one in passages} <= {one.chunk_id for one in guess.passages}:
            return (
                grading
                if grading.verdict == "no_relevant_sources"
                else await self.widen(question, plan, grading, steps)
            )
        return await self.grade(question, plan, passages, steps)

    async def widen(self, question: Question, plan: Plan, before: Grading, steps: Steps) -> Grading:
        """Search once more, wider, and judge what is new locally: two trips to the model were made by now."""
        wider, _, _ = await steps.first(
            "expand",
            Way(run=lambda: self._planner.widened(question, plan), needs="meaning"),
            Way(run=lambda: twice(plan)),
        )
        passages = await self.retrieve(question, wider, steps)
        known = {grade.chunk_id: grade for grade in before.grades}
        new = [one for one in passages if one.chunk_id not in known]

        async def regrade() -> Grading:
            fresh = await self._grader.grade(plan.standalone, new, also=sides_of(plan), own=own_words(question, plan))
            return grading_of(passages, known | {grade.chunk_id: grade for grade in fresh.grades})

        async def keep() -> Grading:
            return grading_of(passages, known)

        return await steps.take("grade", Way(run=regrade, needs="meaning"), Way(run=keep), say=worth)

    async def retrieve(self, question: Question, plan: Plan, steps: Steps) -> tuple[Passage, ...]:
        """Search with every wording; by words alone where the meaning cannot be had."""

        async def by_both() -> tuple[Passage, ...]:
            together = await self._retriever.retrieve(
                plan.queries, plan.parameters, question.scopes, plan.filters, alike=plan.alike
            )
            few = replace(plan.parameters, passages=A_SIDE)
            each = [
                await self._retriever.retrieve((side,), few, question.scopes, plan.filters) for side in sides_of(plan)
            ]
            return with_sides(together, each)

        async def by_words() -> tuple[Passage, ...]:
            limit = plan.parameters.passages
            hits = await self._search.by_words(plan.standalone, question.scopes, plan.filters, limit=limit)
            scores = {hit.chunk_id: hit.score for hit in hits}
            passages = await self._search.passages(tuple(scores), question.scopes)
            by = (f"words:{plan.standalone}",)
            return tuple(replace(one, score=scores[one.chunk_id], found_by=by) for one in passages)

        return await steps.take(
            "retrieve", Way(run=by_both, needs="meaning"), Way(run=by_words), say=found, detail=plan.standalone
        )

    async def grade(
        self,
        question: Question,
        plan: Plan,
        passages: Sequence[Passage],
        steps: Steps,
        *,
        beside: "asyncio.Task[Grading] | None" = None,
    ) -> Grading:
        """Judge every passage; where nothing can, they go on ungraded."""
        if not passages:
            return Grading(verdict="no_relevant_sources")

        async def by_model() -> Grading:
            return await (beside or self.graded(question, plan.standalone, passages, steps))

        async def locally() -> Grading:
            own = own_words(question, plan)
            return await self._grader.grade(plan.standalone, passages, also=sides_of(plan), own=own)

        async def nowise() -> Grading:
            return ungraded(passages)

        needs = "" if beside and beside.done() else "planning"
        model = [Way(run=by_model, name="model", needs=needs)] if self._model else []
        grading = await steps.take(
            "grade", *model, Way(run=locally, needs="meaning"), Way(run=nowise), say=worth, detail=f"{len(passages)}"
        )
        steps.journal.grades = grading.grades
        return grading

    async def graded(self, question: Question, standalone: str, passages: Sequence[Passage], steps: Steps) -> Grading:
        """Return the model's grading; what its reply left out goes on ungraded, and the trace says so."""
        if self._model is None:
            raise ModelTrouble("There is no model.")
        grading, use, fault = await grade_by_model(self._model, question.text, standalone, passages)
        steps.journal.spend(use)
        if fault:
            steps.journal.fall_back("grade", fault)
        return grading


def sides_of(plan: Plan) -> tuple[str, ...]:
    """Return what a comparison compares: each is searched and judged by itself, too."""
    return sides(plan.standalone) if plan.route.intent == "comparison" else ()


def with_sides(together: Sequence[Passage], each: Sequence[Sequence[Passage]]) -> tuple[Passage, ...]:
    """Return what the whole question found and, behind it, what a side did; each as near as it was found anywhere."""
    best: dict[int, Passage] = {}
    for passage in (one for passages in (together, *each) for one in passages):
        known = best.setdefault(passage.chunk_id, passage)
        nearest = max((known, passage), key=lambda one: -1.0 if one.similarity is None else one.similarity)
        best[passage.chunk_id] = replace(known, similarity=nearest.similarity)
    return tuple(best.values())


def behind(grading: Grading, disliked: Collection[int]) -> Grading:
    """Return the grading without passages that were voted down, if others are as relevant; else with them last."""
    kept = tuple(one for one in grading.passages if one.chunk_id not in disliked)
    if len(kept) == len(grading.passages):
        return grading
    relevance = {grade.chunk_id: grade.relevance for grade in grading.grades}
    best = relevance.get(grading.passages[0].chunk_id)
    if any(relevance.get(one.chunk_id) == best for one in kept):
        return replace(grading, passages=kept)
    lowered = tuple(one for one in grading.passages if one.chunk_id in disliked)
    return replace(grading, passages=(*kept, *lowered))


async def nobody() -> frozenset[int]:
    """Return no chunk, where the votes cannot be read in time."""
    return frozenset()


async def twice(plan: Plan) -> Plan:
    """Return the plan with twice the passages."""
    return replace(plan, parameters=replace(plan.parameters, passages=plan.parameters.passages * 2))


def found(passages: Sequence[Passage]) -> Said:
    """Say what a search found."""
    titles = tuple(dict.fromkeys(one.title for one in passages))
    return f"{so_many(len(passages), 'passage')} of {so_many(len(titles), 'memory')}", {
        "passages": len(passages),
        "titles": "; ".join(titles[:5]),
    }


def worth(grading: Grading) -> Said:
    """Say what the passages are worth."""
    counts = {
        name: sum(one.relevance == name for one in grading.grades)
        for name in ("relevant", "partly", "irrelevant", "ungraded")
    }
    told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    return f"{grading.verdict}: {told or 'nothing found'}", {"verdict": grading.verdict, **counts}


def own_words(question: Question, plan: Plan) -> str:
    """Return what a follow-up itself says, where words of the conversation were added to it."""
    return question.text if plan.standalone != question.text else ""
