"""Plan an answer: its kind, the question made to stand alone, other wordings, filters; in ONE model call or locally."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal, TypeVar

from bot.domain.answers import Intent, Plan, Question, Rewrite, Route
from bot.domain.errors import ModelReplyBroken, ModelTrouble
from bot.domain.memories import Filters
from bot.domain.messages import Turn
from bot.ports import Knobs, LanguageModel, MemoryStore
from bot.rag.expand import Expander, clean_wordings
from bot.rag.language import detect_language
from bot.rag.model_plan import Planned, planning_request, read_plan
from bot.rag.narrow import Narrowed, narrow
from bot.rag.params import parameters_for
from bot.rag.rewrite import Rewriter, join_last
from bot.rag.route import Router
from bot.rag.small_talk import spoken_in
from bot.rag.steps import Steps, Way

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What can be decided at once and locally, while the model still plans."""

    route: Route
    rewrite: Rewrite
    narrowed: Narrowed
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A plan with the conditions that were read out of the question, and what the model's reply lacked."""

    plan: Plan
    narrowed: Narrowed
    lacking: tuple[str, ...] = ()


class Planner:
    """Steps 1 to 4, with a model way and a local way."""

    def __init__(
        self,
        *,
        router: Router,
        rewriter: Rewriter,
        expander: Expander,
        memories: MemoryStore,
        model: LanguageModel | None,
        knobs: Knobs,
    ) -> None:
        self._router = router
        self._rewriter = rewriter
        self._expander = expander
        self._memories = memories
        self._model = model
        self._knobs = knobs

    async def warm(self) -> None:
        """Let the router embed its examples; any question that no rule decides does."""
        await self._router.route("the sourness of rye", ())

    async def draft(self, question: Question, steps: Steps) -> Draft:
        """Decide locally what kind of answer is wanted, and of what; what fails has a plain stand-in."""
        history = question.history
        (route, _, _), (rewrite, _, _) = await asyncio.gather(
            steps.first(
                "route",
                Way(run=lambda: self._router.route(question.text, history), needs="meaning"),
                Way(run=lambda: given(Route(intent="simple_lookup", confidence=0.0, why="the router is down"))),
            ),
            steps.first(
                "rewrite",
                Way(run=lambda: self._rewriter.rewrite(question.text, history), needs="meaning"),
                Way(run=lambda: given(joined(question))),
            ),
        )
        if route.intent == "count_or_list":
            # Exact numbers are of what was asked: a guessed word from the conversation would make them wrong.
            rewrite = Rewrite(standalone=question.text, needed_context=False)
        narrowed = await self.narrowed(question, rewrite.standalone)
        return Draft(route=route, rewrite=rewrite, narrowed=narrowed, language=language_of(question))

    async def narrowed(self, question: Question, standalone: str) -> Narrowed:
        """Return who, where and when of a question, together with what the platform resolved already."""
        people, rooms = await asyncio.gather(
            self._memories.person_names(question.scopes), self._memories.room_names(question.scopes)
        )
        found = narrow(
            standalone,
            now=question.asked_at,
            timezone=question.timezone,
            person_names=people,
            room_names=rooms,
            asker_key=question.person.key,
            here_key=question.room.key,
        )
        found = await self.known(question, found)
        return replace(found, filters=combined(question.filters, found.filters))

    async def known(self, question: Question, narrowed: Narrowed) -> Narrowed:
        """Return the conditions without pockets and tags that are not here: "the complete collection" names none."""
        filters = narrowed.filters
        pocket = [filters.pocket] if filters.pocket else []
        missing_pocket = [one for one in pocket if not await self.exists(question, "pocket", one)]
        missing_tags = [one for one in filters.tags if not await self.exists(question, "tag", one)]
        if not missing_pocket and not missing_tags:
            return narrowed
        kept = replace(
            filters,
            pocket="" if missing_pocket else filters.pocket,
            tags=tuple(tag for tag in filters.tags if tag not in missing_tags),
        )
        return replace(narrowed, filters=kept, unparsed=(*narrowed.unparsed, *missing_pocket, *missing_tags))

    async def exists(self, question: Question, kind: Literal["tag", "pocket"], name: str) -> bool:
        """Whether something readable here is in this pocket or has this tag."""
        named = await self._memories.vocabulary(question.scopes, kind=kind, starting=name)
        return name.casefold() in {one.casefold() for one in named}

    async def by_model(self, question: Question, drafting: "asyncio.Future[Draft]", steps: Steps) -> Decided:
        """Return the model's plan. Raises ModelTrouble where there is none; a malformed one means: retrieve."""
        if self._model is None:
            raise ModelTrouble("There is no model.")
        try:
            filled = await self._model.fill(planning_request(question, question.history))
        except ModelReplyBroken as broken:
            steps.journal.spend(broken.use)
            draft = await asyncio.shield(drafting)
            decided = await self.locally(question, replace(draft, route=retrieving(draft.route)))
            return replace(decided, lacking=("everything",))
        steps.journal.spend(filled.use)
        return await self.completed(question, await asyncio.shield(drafting), read_plan(filled.value))

    async def completed(self, question: Question, draft: Draft, planned: Planned) -> Decided:
        """Return a plan from what the model said, with the local decision for what it did not say."""
        route = retrieving(draft.route)
        if planned.intent is not None:
            route = Route(intent=planned.intent, confidence=planned.confidence, why=planned.why)
        rewrite = chosen(question, draft.rewrite, planned)
        narrowed = draft.narrowed
        if rewrite.standalone != draft.rewrite.standalone:
            narrowed = await self.narrowed(question, rewrite.standalone)
        parameters = parameters_for(route.intent, self._knobs.parameters)
        wordings = clean_wordings(rewrite.standalone, planned.wordings, limit=parameters.wordings + 1)
        plan = Plan(
            route=route,
            parameters=parameters,
            standalone=rewrite.standalone,
            needed_context=rewrite.needed_context,
            queries=queries_of(rewrite.standalone, narrowed, wordings, rewrite.hints),
            filters=narrowed.filters,
            entities=planned.entities,
            language=draft.language,
            alike=len(asking(rewrite.standalone, rewrite.hints)),
        )
        return Decided(plan=plan, narrowed=narrowed, lacking=planned.faults)

    async def locally(self, question: Question, draft: Draft) -> Decided:
        """Return the plan that needs no model."""
        parameters = parameters_for(draft.route.intent, self._knobs.parameters)
        standalone = draft.rewrite.standalone
        wordings: Sequence[str] = ()
        if parameters.wordings:
            wordings = await self._expander.expand(
                standalone, count=parameters.wordings, scopes=question.scopes, filters=draft.narrowed.filters
            )
        return bare(draft, self._knobs, wordings)

    async def widened(self, question: Question, plan: Plan) -> Plan:
        """Return the plan with twice the passages and with wordings from the corpus' own words."""
        parameters = replace(plan.parameters, passages=plan.parameters.passages * 2)
        more = await self._expander.expand(
            plan.standalone, count=plan.parameters.wordings + 3, scopes=question.scopes, filters=plan.filters
        )
        return replace(plan, parameters=parameters, queries=tuple(dict.fromkeys((*plan.queries, *more))))


def bare(draft: Draft, knobs: Knobs, wordings: Sequence[str] = ()) -> Decided:
    """Return the plan of a draft; without wordings it needs nothing but the question."""
    standalone = draft.rewrite.standalone
    plan = Plan(
        route=draft.route,
        parameters=parameters_for(draft.route.intent, knobs.parameters),
        standalone=standalone,
        needed_context=draft.rewrite.needed_context,
        queries=queries_of(standalone, draft.narrowed, wordings, draft.rewrite.hints),
        filters=draft.narrowed.filters,
        entities=draft.rewrite.added,
        language=draft.language,
        alike=len(asking(standalone, draft.rewrite.hints)),
    )
    return Decided(plan=plan, narrowed=draft.narrowed)


def retrieving(route: Route) -> Route:
    """Return a route that looks something up: what a missing or malformed reply means."""
    if route.intent != "no_retrieval":
        return route
    return Route(intent="simple_lookup", confidence=0.0, why="the kind of answer could not be read")


def chosen(question: Question, local: Rewrite, planned: Planned) -> Rewrite:
    """Return the question to search for: byte for byte as asked where it stands alone."""
    needs_context = local.needed_context if planned.needs_context is None else planned.needs_context
    if not needs_context or not question.history:
        return Rewrite(standalone=question.text, needed_context=False)
    if planned.standalone:
        return Rewrite(standalone=planned.standalone, needed_context=True)
    return local if local.needed_context else joined(question)


def joined(question: Question) -> Rewrite:
    """Return the last question and this one together: what is searched when no rewriter answers."""
    return Rewrite(standalone=join_last(question.text, question.history), needed_context=bool(question.history))


def queries_of(
    standalone: str, narrowed: Narrowed, wordings: Sequence[str], hints: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return every wording to search, the standalone question first; its bare topic where it also named conditions."""
    topic = (narrowed.topic,) if narrowed.said and narrowed.topic.strip() else ()
    return tuple(dict.fromkeys((*asking(standalone, hints), *topic, *wordings)))


def asking(standalone: str, hints: Sequence[str]) -> tuple[str, ...]:
    """Return the wordings that ask for the same, each once: the first `Plan.alike` of the queries."""
    return tuple(dict.fromkeys((standalone, *hints)))


def combined(given_filters: Filters, said: Filters) -> Filters:
    """Return both filters as one; what the platform resolved counts before what was read in the text."""
    resolved = {one.name: getattr(given_filters, one.name) for one in fields(Filters)}
    return replace(said, **{name: value for name, value in resolved.items() if value})


def language_of(question: Question) -> str:
    """Return the question's language; one too short to tell keeps the language of what was said before."""
    if greeted := spoken_in(question.text):
        return greeted
    asked: list[Turn] = [turn for turn in question.history if turn.speaker == "person"]
    texts = (question.text, *(turn.text for turn in reversed(asked)))
    return next((found for text in texts if (found := detect_language(text))), "")


def is_search(intent: Intent) -> bool:
    """Whether an answer of this kind is written from passages."""
    return intent not in {"no_retrieval", "count_or_list"}


async def given(value: Value) -> Value:
    """Return a value at hand, as a way that cannot fail."""
    return value
