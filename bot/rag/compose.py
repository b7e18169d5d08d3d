"""Turn graded passages into the answer: what fits, the text as it comes, its sources, and the check afterwards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.domain.answers import Citation, Plan, Question, Unsupported
from bot.domain.errors import ModelRefused, ModelTrouble, ModelUnavailable, PalaceError, PromptTooLong
from bot.domain.lines import so_many
from bot.domain.markup import closed
from bot.domain.memories import Passage
from bot.domain.messages import Turn
from bot.ports import LanguageModel
from bot.rag.budget import fit
from bot.rag.citations import cite, cited_numbers
from bot.rag.deadlines import Late, within
from bot.rag.defang import defang
from bot.rag.generate import Quoter
from bot.rag.mending import statements, whole_sentences, without
from bot.rag.model_reflect import check_by_model
from bot.rag.model_write import collected, fixed_tokens, writing_request
from bot.rag.phrases import phrase
from bot.rag.reflect import Checker
from bot.rag.sentences import sentences
from bot.rag.steps import Said, Steps, Way

PLAIN_SENTENCES = 2
"""How much of the best passage is quoted when nothing can choose among its sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What an answer is written from."""

    question: Question
    plan: Plan
    passages: tuple[Passage, ...]
    turns: tuple[Turn, ...]

    @property
    def addresses(self) -> tuple[str, ...]:
        """Every address that the answer may link to."""
        return tuple(dict.fromkeys(url for one in self.passages for url in (one.url, one.permalink) if url))


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """An answer's text with its sources."""

    text: str
    citations: tuple[Citation, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A text as it was written, by whom, and whether it stands as it is (a refusal)."""

    text: str
    by_model: bool = False
    fixed: bool = False
    passages: tuple[Passage, ...] = ()
    """Those it was written from under their numbers, where these are not those planned."""


class Composer:
    """Steps 7 and 8: write, cite, check, mend."""

    def __init__(self, *, quoter: Quoter, checker: Checker, model: LanguageModel | None) -> None:
        self._quoter = quoter
        self._checker = checker
        self._model = model

    async def compose(self, work: Work, steps: Steps) -> Composed:
        """Return the answer; its text has been shown as it came."""
        work = self.fitted(work, steps)
        written = await self.generate(work, steps)
        if written.fixed:
            steps.journal.show(written.text)
            return Composed(text=written.text)
        if written.passages:
            work = replace(work, passages=written.passages)
        steps.journal.passages = work.passages
        composed = self.cited(work, written.text, steps)
        composed = await self.reflected(work, composed, steps, by_model=written.by_model)
        steps.journal.show(composed.text)
        return composed

    def fitted(self, work: Work, steps: Steps, *, share: float = 1.0) -> Work:
        """Leave out what does not fit the model's window, weakest passages first."""
        if self._model is None:
            return work
        steps.journal.start("budget")
        budget = int(self._model.window_tokens * share)
        passages, turns = fit(
            work.passages, work.turns, question=work.question.text, budget_tokens=budget, fixed_tokens=fixed_tokens()
        )
        left_out = len(work.passages) - len(passages), len(work.turns) - len(turns)
        facts = {"passages": len(passages), "turns": len(turns), "budget_tokens": budget}
        told = f"{left_out[0]} passages and {left_out[1]} turns left out" if any(left_out) else "everything fits"
        steps.journal.finish("budget", told, facts=facts)
        return replace(work, passages=passages, turns=turns)

    # Writing ------------------------------------------------------------------------------------------

    async def generate(self, work: Work, steps: Steps) -> Written:
        """Write by the model; by quoting where it fails, replacing what it had begun."""
        steps.journal.start("generate")
        why = steps.down.get("answering", "")
        if self._model is not None and not why:
            written, why = await self.by_model(self._model, work, steps)
            if written is not None:
                if why:
                    steps.journal.fall_back("generate", why)
                steps.journal.finish("generate", f"{len(written.text)} characters", way="model", fallback=why)
                return written
        if why:
            steps.journal.fall_back("generate", why)
        written = await self.quoted(work, steps)
        steps.journal.finish("generate", f"{len(written.text)} characters, quoted", fallback=why)
        return written

    async def by_model(self, model: LanguageModel, work: Work, steps: Steps) -> tuple[Written | None, str]:
        """Return what the model wrote, if that can stand, and what went wrong."""
        try:
            try:
                text, cut = await self.streamed(model, work, steps)
            except PromptTooLong:
                work = self.fitted(work, steps, share=0.5)
                text, cut = await self.streamed(model, work, steps)
        except ModelRefused as refused:
            steps.failed("", refused)
            text = phrase("refused", work.plan.language)
            return Written(text=text, by_model=True, fixed=True), "the model declined"
        except (ModelTrouble, Late) as trouble:
            why = steps.failed("answering", trouble)
            return self.kept(work, steps.journal.text), why
        if not text.strip():
            return None, "the model sent an empty answer"
        if cut:
            return self.kept(work, text), "the answer ran out of room"
        return Written(text=text, by_model=True, passages=work.passages), ""

    async def streamed(self, model: LanguageModel, work: Work, steps: Steps) -> tuple[str, bool]:
        """Show the text as it comes; return it, and whether it ran out of room. Raises ModelTrouble and Late."""
        plan = work.plan
        request = writing_request(
            work.question,
            work.passages,
            work.turns,
            standalone=plan.standalone,
            intent=plan.route.intent,
            language=plan.language,
        )
        return await collected(
            model, request, steps, show=lambda text: steps.journal.show(defang(text, work.addresses))
        )

    def kept(self, work: Work, text: str) -> Written | None:
        """Return what came before a text broke off, if it is worth keeping: whole sentences with a source."""
        whole = whole_sentences(text)
        if not cited_numbers(whole):
            return None
        ending = phrase("broke_off", work.plan.language)
        return Written(text=f"{closed(whole)}\n\n{ending}", by_model=True, passages=work.passages)

    async def quoted(self, work: Work, steps: Steps) -> Written:
        """Return an answer of the passages' own sentences, shown as it comes."""
        plan = work.plan
        if "meaning" not in steps.down:
            writing = self._quoter.write(
                plan.standalone,
                work.passages,
                intent=plan.route.intent,
                language=plan.language,
                asked=work.question.text if plan.needed_context else "",
                said_before=last_said(work.turns),
            )
            try:
                quoted = await within(steps.watch.for_quoting(), writing)
            except (PalaceError, Late) as trouble:
                steps.journal.fall_back("generate", steps.failed("meaning", trouble))
            else:
                text = ""
                for piece in quoted.pieces:
                    text += piece
                    steps.journal.show(defang(text, work.addresses))
                if text.strip():
                    return Written(text=text, passages=quoted.passages)
        return Written(text=plainly(work.passages))

    # Sources and the check ----------------------------------------------------------------------------

    def cited(self, work: Work, text: str, steps: Steps) -> Composed:
        """Return the text with sources under its numbers, and without teeth."""
        steps.journal.start("cite")
        clean, citations = cite(defang(text, work.addresses), work.passages)
        steps.journal.finish("cite", so_many(len(citations), "source"), facts={"sources": len(citations)})
        return Composed(text=clean, citations=citations)

    async def reflected(self, work: Work, composed: Composed, steps: Steps, *, by_model: bool) -> Composed:
        """Return the answer without what its sources do not carry: written once more by the model, else cut out."""
        faults = await self.checked(work, composed.text, steps, by_model=by_model)
        if not faults:
            return composed
        if by_model and (second := await self.again(work, composed, faults, steps)) is not None:
            steps.journal.show(second.text)
            remaining = await self.checked(work, second.text, steps, by_model=by_model)
            return self.mended(work, second, remaining)
        return self.mended(work, composed, faults)

    async def checked(self, work: Work, text: str, steps: Steps, *, by_model: bool) -> tuple[Unsupported, ...]:
        """Return the sentences that the passages do not carry; none where nothing can check in time."""

        async def ask() -> tuple[Unsupported, ...]:
            if self._model is None:
                raise ModelUnavailable("There is no model.")
            faults, use = await check_by_model(self._model, work.question.text, text, work.passages)
            steps.journal.spend(use)
            return faults

        async def locally() -> tuple[Unsupported, ...]:
            return await self._checker.check(text, work.passages)

        async def skip() -> tuple[Unsupported, ...]:
            return ()

        model = [Way(run=ask, name="model", needs="planning")] if by_model else []
        return await steps.take(
            "reflect",
            *model,
            Way(run=locally, needs="meaning"),
            Way(run=skip),
            say=lambda faults: verdict(text, faults),
            seconds=steps.watch.for_rest,
        )

    async def again(
        self, work: Work, composed: Composed, faults: Sequence[Unsupported], steps: Steps
    ) -> Composed | None:
        """Return the answer written once more with its faults named; None where that does not work out."""
        if self._model is None or "answering" in steps.down:
            return None
        plan = work.plan
        request = writing_request(
            work.question,
            work.passages,
            work.turns,
            standalone=plan.standalone,
            intent=plan.route.intent,
            language=plan.language,
            draft=composed.text,
            faults=faults,
        )
        steps.journal.start("generate", "again, without what the sources do not carry")
        why = ""
        try:
            text, cut = await collected(self._model, request, steps)
        except (ModelTrouble, Late) as trouble:
            text, cut, why = "", False, steps.failed("answering", trouble)
        if not text.strip() or cut:
            why = why or "the second writing was not whole"
            steps.journal.fall_back("generate", why)
            steps.journal.finish("generate", "kept the first writing", way="model", fallback=why)
            return None
        steps.journal.finish("generate", f"{len(text)} characters, second writing", way="model")
        return self.cited(work, text, steps)

    def mended(self, work: Work, composed: Composed, faults: Sequence[Unsupported]) -> Composed:
        """Return the answer without the sentences at fault; if nothing would be left, it stays, marked."""
        if not faults:
            return composed
        text, citations = cite(without(composed.text, faults), work.passages)
        if not statements(text):
            return replace(composed, unsupported=tuple(faults))
        return Composed(text=text, citations=citations)


def plainly(passages: Sequence[Passage]) -> str:
    """Return the first sentences of the best passage, when nothing can choose better."""
    told = [piece.text for piece in sentences(passages[0].text) if piece.kind in {"text", "item"}]
    return f"{' '.join(told[:PLAIN_SENTENCES]) or passages[0].title} [1]"


def verdict(text: str, faults: Sequence[Unsupported]) -> Said:
    """Say what a check found."""
    said = len(statements(text))
    told = f"{len(faults)} of {said} sentences not carried by the sources" if faults else "every sentence is carried"
    return told, {
        "sentences": said,
        "unsupported": len(faults),
        **{f"fault {n}": one.sentence for n, one in enumerate(faults, 1)},
    }


def last_said(turns: Sequence[Turn]) -> str:
    """Return the bot's last answer, or nothing."""
    return next((turn.text for turn in reversed(turns) if turn.speaker == "bot"), "")
