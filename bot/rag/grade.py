"""Judge whether each passage answers the question: first the reason, then the score; the verdict follows."""

import math
from collections.abc import Sequence
from dataclasses import replace

from bot.domain.answers import Grade, Grading, Relevance
from bot.domain.memories import Passage
from bot.ports import Embedder
from bot.rag.answer_types import sort_of
from bot.rag.evidence import Evidence, compare
from bot.rag.leaning import specific
from bot.rag.lexicon import terms
from bot.rag.model_grade import grading_of
from bot.rag.naming import NO_NAMES, Names, literals, missing, named, names_of, speaks, unspoken, without
from bot.rag.sections import spoken
from bot.rag.topic import content_words, topic_words
from bot.rag.weights import WordWeights

BEST_SENTENCE, WHOLE_PASSAGE, GAIN, OFFSET = 4.0, 10.0, 7.0, -8.2
"""A logistic judgement of three cosines, its weights rounded from a fit on half of CLAPNQ (AUC .925 by 5-fold
cross-validation). The gain tells a passage of the right page from one that answers."""
RELEVANT, PARTLY = 0.5, 0.15
FEWEST_NAMED, ALL_NAMED = 2, 0.95
"""Words of a question, and the share of them, from which a sentence that names them is worth a second look."""
WORTH_SAYING = 0.5
"""Share of the question's words from which a sentence is said to name them, with its title if need be."""
UNNAMED, UNCODED, UNHEARD, HELD = 4.0, 6.0, 2.5, 2.0
"""Taken from the judgement of a passage that speaks nowhere of what the question names, holds not the number or code in
it, or lacks a word that no dictionary knows, or every word of a follow-up's own; added where one sentence holds every
number and code. A very strong match stands all the same."""
ADDS_NOTHING, BARELY = -0.1, 0.6
"""Gain below which a passage is of the right thing and says nothing about it, unless its score is more than barely
relevant."""


ABOUT, NEARLY_ABOUT = 0.5, 0.4
"""Cosine of a topic and a passage, or its nearest sentence, from which it is about it; half of it where it names it."""


class Grader:
    """The local way: what the best sentence says, what the passage says, and what it adds to its title."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def grade(
        self, question: str, passages: Sequence[Passage], *, also: Sequence[str] = (), own: str = ""
    ) -> Grading:
        """Return every passage judged and the verdict; raises what the embedder raises.

        `also`: what the question asks for besides, such as each side of a comparison; the best judgement counts.
        `own`: a follow-up's own words, of which a passage has to hold some: what it took over is a guess.
        """
        if not passages:
            return Grading(verdict="no_relevant_sources")
        if (topic := topic_words(question)) and not also:
            return grading_of(passages, by_topic(topic, await compare(self._embedder, " ".join(topic), passages)))
        grades: dict[int, Grade] = {}
        await self._embedder.load()
        weights = WordWeights(self._embedder.tokenizer)
        about = specific(own)
        for asked in (question, *also):
            # What names a side need not stand where the other side does.
            names = without(names_of(asked, weights), also) if asked == question else names_of(asked, weights)
            for one in await compare(self._embedder, asked, passages):
                grade = judged(one, names, besides=-UNHEARD * (asked == question and silent_on(about, one)))
                if asked == question and grade.relevance == "irrelevant" and worth_a_look(asked, one):
                    grade = replace(grade, relevance="partly", score=PARTLY)
                if asked != question:
                    grade = max(on_topic(content_words(asked), one), grade, key=rank)
                before = grades.setdefault(grade.chunk_id, grade)
                grades[grade.chunk_id] = max(before, grade, key=rank)
        return grading_of(passages, grades)


def rank(grade: Grade) -> tuple[int, float]:
    """Return what a grade is worth beside another of the same passage."""
    return ("irrelevant", "partly", "relevant").index(grade.relevance), grade.score


def by_topic(topic: Sequence[str], found: Sequence[Evidence]) -> dict[int, Grade]:
    """Return the grades for a question about a thing as a whole: by what a passage is about, not what it answers."""
    graded = {one.passage.chunk_id: on_topic(topic, one) for one in found}
    sure = any(grade.relevance == "relevant" for grade in graded.values())
    return {
        chunk_id: replace(grade, relevance="irrelevant") if sure and grade.relevance == "partly" else grade
        for chunk_id, grade in graded.items()
    }


def on_topic(topic: Sequence[str], evidence: Evidence) -> Grade:
    """Return the grade of a passage by how near it is to a topic, and whether it names it."""
    near = max(evidence.passage_similarity, *evidence.in_place, -1.0)
    lacking = unspoken(topic, evidence.passage)
    word: Relevance = "irrelevant"
    if not literals(lacking) and (near >= ABOUT or (not lacking and near >= ABOUT / 2)):
        word = "relevant"
    elif not literals(lacking) and near >= NEARLY_ABOUT:
        word = "partly"
    why = f"it is {near:.2f} near the topic" + (f" and speaks nowhere of {', '.join(lacking)}" if lacking else "")
    return Grade(chunk_id=evidence.passage.chunk_id, why=why, score=round(max(0.0, near), 3), relevance=word)


def silent_on(about: Sequence[str], evidence: Evidence) -> bool:
    """Whether a passage holds none of the several words that say what a follow-up is about."""
    return len(about) >= FEWEST_NAMED and len(unspoken(about, evidence.passage)) == len(about)


def judged(evidence: Evidence, names: Names = NO_NAMES, *, besides: float = 0.0) -> Grade:
    """Return the grade of one passage: first why, then how sure; `besides` is what else speaks for or against it."""
    why = reason(evidence)
    lacking = missing(names.spelled, evidence.passage)
    if lacking:
        why += f"; it speaks nowhere of {', '.join(lacking)}"
    score = probability(evidence, by_names(names, evidence) + besides)
    word = relevance(score)
    if PARTLY <= score < BARELY and evidence.gain < ADDS_NOTHING and max(evidence.under, default=0.0) < ALL_NAMED:
        word, score = "irrelevant", min(score, PARTLY)
    return Grade(chunk_id=evidence.passage.chunk_id, why=why, score=round(score, 3), relevance=word)


def by_names(names: Names, evidence: Evidence) -> float:
    """Return what speaks for or against a passage by the names of the question alone."""
    lacking = missing(names.spelled, evidence.passage)
    if any(literals((name,)) for name in lacking):
        return -UNCODED
    total = -UNNAMED * len(lacking) / max(1, len(names.spelled))
    total -= UNHEARD * bool(unspoken(names.unheard, evidence.passage))
    return total + HELD * holds_literals(names.spelled, evidence)


def holds_literals(names: Sequence[str], evidence: Evidence) -> bool:
    """Whether one sentence holds every number and code that the question names."""
    wanted = literals(names)
    return bool(wanted) and any(
        all(speaks(name, piece.text.lower(), set(terms(piece.text))) for name in wanted) for piece in evidence.sentences
    )


def worth_a_look(question: str, evidence: Evidence) -> bool:
    """Whether the words of one sentence speak for a passage that its meaning speaks against."""
    return says_all(question, evidence) or says_under(question, evidence) or holds_literals(named(question), evidence)


def says_all(question: str, evidence: Evidence) -> bool:
    """Whether one sentence names all that the question names and holds the sort of thing that it asks for."""
    wanted = sort_of(question)
    return len(terms(question)) >= FEWEST_NAMED and any(
        covered >= ALL_NAMED and (wanted is None or wanted.holds.search(spoken(sentence)))
        for covered, sentence in zip(evidence.coverages, evidence.sentences, strict=True)
    )


def says_under(question: str, evidence: Evidence) -> bool:
    """Whether one sentence read under its title names all that the question names, half of it by itself."""
    return len(terms(question)) > FEWEST_NAMED and any(
        under >= ALL_NAMED and covered >= WORTH_SAYING
        for under, covered in zip(evidence.under, evidence.coverages, strict=True)
    )


def reason(evidence: Evidence) -> str:
    """Say in words what speaks for and against a passage."""
    if evidence.best < 0:
        return "it has no sentence to judge"
    near = evidence.similarities[evidence.best]
    words = max(evidence.coverages)
    said = f"its best sentence is {near:.2f} near the question"
    said += f" and names {words:.0%} of its words" if words >= WORTH_SAYING else ", in other words"
    return f"{said}; it adds {evidence.gain:+.2f} to what its title says"


def probability(evidence: Evidence, besides: float = 0.0) -> float:
    """Return how likely the passage answers the question, in [0, 1]; `besides` is what else speaks for it."""
    best = evidence.similarities[evidence.best] if evidence.best >= 0 else 0.0
    total = BEST_SENTENCE * best + WHOLE_PASSAGE * evidence.passage_similarity + GAIN * evidence.gain + OFFSET
    total += besides
    return 1.0 / (1.0 + math.exp(-total))


def relevance(score: float) -> Relevance:
    """Return the grade's word."""
    if score >= RELEVANT:
        return "relevant"
    return "partly" if score >= PARTLY else "irrelevant"


def ungraded(passages: Sequence[Passage]) -> Grading:
    """Return the passages as they are, claiming nothing of them, when no grader could judge."""
    return Grading(
        verdict="ungraded",
        grades=tuple(Grade(chunk_id=passage.chunk_id, relevance="ungraded", why="not judged") for passage in passages),
        passages=tuple(sorted(passages, key=lambda passage: -passage.score)),
    )
