"""Choose the words of a conversation that a question leaves out: its subject, its entities, its head nouns (pure)."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bot.domain.messages import Turn
from bot.rag.context_words import CHOICE, FUNCTION, IDLE, LEAD
from bot.rag.leaning import WORD, plain, pronouns, says_what, specific, stem
from bot.rag.nearness import UNKNOWN, Nearness
from bot.rag.wordings import NOTHING

WEIGHTS: Mapping[str, float] = {
    "says_what": 0.62,
    "first_turn": 0.45,
    "last_turn": 1.72,
    "age": 0.28,
    "capital": 1.12,
    "ends": 0.31,
    "stood_alone": 0.56,
    "first_subject": 0.11,
    "last_subject": -1.40,
    "last_subject_pronoun": 0.55,
    "answered": 1.65,
    "answered_and_last": -0.96,
    "answered_and_first": -0.31,
    "only_answered": -0.49,
    "only_answered_edge": 0.46,
    "beside": 0.61,
    "latest_alone": 0.58,
    "chooses_last": -0.87,
    "leads_last": 1.04,
    "bare_last": 0.38,
    "often": 0.39,
    "choice": -0.85,
    "near_asked": 2.04,
    "near_answered": 2.01,
}
"""Ridge logistic regression on the words that people's rewrites add, in the development turns of TREC CAsT 2019 to 2022
(github.com/daltonj/treccastweb, MIT) and iKAT (github.com/irlabamsterdam/iKAT, MIT):
`python -m tests.evals.fit_rewriter --data DIR` prints this table."""
BIAS = -2.54
SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(slots=True, kw_only=True)
class Term:
    """A word of the history, and where it stood."""

    word: str
    """As it was last written by a person, or by the bot."""
    turns: set[int] = field(default_factory=set)
    """The people's turns that hold it, numbered from 0."""
    capital: bool = False
    alone: bool = False
    """It stood in a question that needed no context."""
    ends: bool = False
    """It closed a person's turn: where English puts what is new."""
    answered: int = 0
    """How often the bot's last answer says it."""
    edge: bool = False
    """It stands in the first or last sentence of that answer."""
    beside: float = 0.0
    """It stood next to a word of the question: 1 right beside it, 0.5 with a small word between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What of the question itself tells which words it leaves out."""

    turns: int
    """How often a person spoke before."""
    latest: int
    """The last of those turns that stood alone; -1 where none did."""
    loose: bool
    """It has a pronoun without a noun."""
    chooses: bool
    leads: bool
    bare: bool
    """It has no word that says what it is about."""
    choice: int
    """How many words there are to choose from."""


def carried(text: str, history: Sequence[Turn], near: Mapping[str, Nearness]) -> dict[str, float]:
    """Return the words of `history` by how likely each is meant in `text`, in [0, 1], best first; keys are stems.

    `near`: what is known of their meaning, by the word in lower case.
    """
    scores = {
        key: 1 / (1 + math.exp(-BIAS - sum(WEIGHTS[name] * value for name, value in values.items())))
        for key, (_, values) in candidates(text, history, near).items()
    }
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))


def words_of(text: str, history: Sequence[Turn]) -> dict[str, Term]:
    """Return every word of `history` that `text` could leave out, by stem."""
    asked = [turn.text for turn in history if turn.speaker == "person"]
    return collect(text, asked, answer_before(history))


def candidates(
    text: str, history: Sequence[Turn], near: Mapping[str, Nearness]
) -> dict[str, tuple[Term, dict[str, float]]]:
    """Return the same, each with its features."""
    asked = [turn.text for turn in history if turn.speaker == "person"]
    terms = words_of(text, history)
    latest = max((number for number, turn in enumerate(asked) if stands_alone(turn)), default=-1)
    kind = Kind(
        turns=len(asked),
        latest=latest,
        loose=pronouns(text)[0] > 0,
        chooses=bool(CHOICE.search(text)),
        leads=bool(LEAD.match(text)),
        bare=not specific(text),
        choice=len(terms),
    )
    return {key: (term, features(term, kind, near.get(term.word.lower(), UNKNOWN))) for key, term in terms.items()}


def answer_before(history: Sequence[Turn]) -> str:
    """Return the bot's answer if it was the last thing said, and said anything of what is kept."""
    last = history[-1].text if history and history[-1].speaker == "bot" else ""
    return "" if last in NOTHING.values() else last


def stands_alone(turn: str) -> bool:
    """Return whether a person's turn says by itself what it is about."""
    return not pronouns(turn)[0] and bool(specific(turn)) and not LEAD.match(turn)


def collect(text: str, asked: Sequence[str], answer: str) -> dict[str, Term]:
    """Return every content word of the people's turns and of the bot's last answer that `text` lacks, by stem."""
    own = {stem(word) for word in WORD.findall(text) if plain(word) not in FUNCTION}
    terms: dict[str, Term] = {}
    for number, turn in enumerate(asked):
        add_turn(terms, number, turn)
    add_answer(terms, answer)
    for said in (*asked, answer):
        add_neighbours(terms, said, own)
    return {key: term for key, term in terms.items() if key not in own}


def tells(word: str) -> bool:
    """Return whether a word of the history may be what a later question leaves out."""
    return plain(word) not in FUNCTION | IDLE and (len(word) > 1 or word.isdigit())


def add_turn(terms: dict[str, Term], number: int, turn: str) -> None:
    """Note the content words of a person's turn."""
    words = WORD.findall(turn)
    alone = stands_alone(turn)
    for place, word in enumerate(words):
        if tells(word):
            term = terms.setdefault(stem(word), Term(word=word))
            term.word = word
            term.turns.add(number)
            term.capital |= place > 0 and word[0].isupper()
            term.alone |= alone
            term.ends |= place >= len(words) - 2


def add_answer(terms: dict[str, Term], answer: str) -> None:
    """Note the content words of the bot's last answer: how often, and where."""
    sentences = [[stem(word) for word in WORD.findall(sentence)] for sentence in SENTENCE.split(answer)]
    outer = {*sentences[0], *sentences[-1]}
    counts = Counter(key for sentence in sentences for key in sentence)
    for place, word in enumerate(WORD.findall(answer)):
        if tells(word):
            key = stem(word)
            term = terms.setdefault(key, Term(word=word))
            term.answered = counts[key]
            term.edge |= key in outer
            term.capital |= place > 0 and not term.turns and word[0].isupper()


def add_neighbours(terms: dict[str, Term], said: str, own: Collection[str]) -> None:
    """Note which content words stood next to one of the question's own: "the Tesla Roadster", "fire safety"."""
    places = [(place, stem(word)) for place, word in enumerate(WORD.findall(said)) if plain(word) not in FUNCTION]
    for (first, one), (second, other) in pairwise(places):
        near = 1.0 if second - first == 1 else 0.5
        for key, beside in ((one, other), (other, one)):
            if beside in own and key in terms:
                terms[key].beside = max(terms[key].beside, near)


def features(term: Term, kind: Kind, near: Nearness) -> dict[str, float]:
    """Return what speaks for a word being the one left out: named values in [0, 1], cosines, logarithms of counts."""
    says = float(says_what(term.word) or term.word.isdigit())
    first, last = float(0 in term.turns), float(kind.turns - 1 in term.turns)
    answered = float(term.answered > 0)
    age = kind.turns - 1 - max(term.turns) if term.turns else kind.turns
    return {
        "says_what": says,
        "first_turn": first,
        "last_turn": last,
        "age": min(age, 6) / 6,
        "capital": float(term.capital),
        "ends": float(term.ends),
        "stood_alone": says * term.alone,
        "first_subject": says * first,
        "last_subject": says * last,
        "last_subject_pronoun": says * last * kind.loose,
        "answered": math.log1p(min(term.answered, 4)),
        "answered_and_last": answered * last,
        "answered_and_first": answered * first,
        "only_answered": float(not term.turns),
        "only_answered_edge": float(not term.turns and term.edge),
        "beside": term.beside,
        "latest_alone": says * (kind.latest in term.turns),
        "chooses_last": last * kind.chooses,
        "leads_last": last * kind.leads,
        "bare_last": says * last * kind.bare,
        "often": math.log1p(len(term.turns)),
        "choice": math.log1p(kind.choice),
        "near_asked": near.asked,
        "near_answered": near.answered,
    }
