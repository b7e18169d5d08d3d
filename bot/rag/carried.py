"""Choose the words of a conversation that a question leaves out: its subject, its entities, its head nouns (pure)."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.domain.messages import Turn
from bot.rag.context_words import FUNCTION, IDLE, LEAD
from bot.rag.leaning import WORD, plain, pronouns, says_what, specific, stem

WEIGHTS: Mapping[str, float] = {
    "says_what": 0.50,
    "first_turn": 0.96,
    "last_turn": 1.49,
    "turn_before": 0.31,
    "age": -0.60,
    "capital": 0.96,
    "ends": 0.94,
    "stood_alone": 1.12,
    "first_subject": 0.81,
    "last_subject": -0.52,
    "last_subject_pronoun": 0.48,
    "answered": 1.66,
    "answered_and_last": -0.97,
    "answered_and_first": -0.74,
    "only_answered": -0.31,
    "only_answered_edge": 0.48,
    "only_answered_name": -0.34,
}
"""Logistic regression on the terms that people's rewrites add, in the development turns of TREC CAsT 2019 to 2022
(github.com/daltonj/treccastweb, MIT)."""
BIAS = -4.74
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


def carried(text: str, history: Sequence[Turn]) -> dict[str, float]:
    """Return the words of `history` by how likely each is meant in `text`, in [0, 1], best first; keys are stems."""
    asked = [turn.text for turn in history if turn.speaker == "person"]
    terms = collect(text, asked, answer_before(history))
    loose = pronouns(text)[0] > 0
    scores = {}
    for key, term in terms.items():
        values = features(term, turns=len(asked), loose=loose)
        scores[key] = 1 / (1 + math.exp(-BIAS - sum(WEIGHTS[name] * value for name, value in values.items())))
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))


def answer_before(history: Sequence[Turn]) -> str:
    """Return the bot's answer if it was the last thing said."""
    return history[-1].text if history and history[-1].speaker == "bot" else ""


def collect(text: str, asked: Sequence[str], answer: str) -> dict[str, Term]:
    """Return every content word of the people's turns and the telling ones of the bot's last answer, by stem."""
    own = {stem(word) for word in WORD.findall(text)}
    terms: dict[str, Term] = {}
    for number, turn in enumerate(asked):
        add_turn(terms, number, turn)
    add_answer(terms, answer)
    return {key: term for key, term in terms.items() if key not in own}


def add_turn(terms: dict[str, Term], number: int, turn: str) -> None:
    """Note the content words of a person's turn."""
    words = WORD.findall(turn)
    alone = not pronouns(turn)[0] and bool(specific(turn)) and not LEAD.match(turn)
    for place, word in enumerate(words):
        if plain(word) in FUNCTION | IDLE or (len(word) < 2 and not word.isdigit()):  # noqa: PLR2004 - a letter says nothing
            continue
        term = terms.setdefault(stem(word), Term(word=word))
        term.word = word
        term.turns.add(number)
        term.capital |= place > 0 and word[0].isupper()
        term.alone |= alone
        term.ends |= place >= len(words) - 2


def add_answer(terms: dict[str, Term], answer: str) -> None:
    """Note the names, the repeated words and the outer sentences of the bot's last answer."""
    words = WORD.findall(answer)
    sentences = SENTENCE.split(answer)
    outer = {stem(word) for sentence in (sentences[0], sentences[-1]) for word in WORD.findall(sentence)}
    counts: dict[str, int] = {}
    for word in words:
        counts[stem(word)] = counts.get(stem(word), 0) + 1
    for word in words:
        key = stem(word)
        if key in terms or (says_what(word) and (counts[key] > 1 or word[0].isupper() or key in outer)):
            term = terms.setdefault(key, Term(word=word))
            term.answered = counts[key]
            term.edge |= key in outer
            term.capital |= not term.turns and word[0].isupper()


def features(term: Term, *, turns: int, loose: bool) -> dict[str, float]:
    """Return what speaks for a word being the one left out, as named values in [0, 1] or logarithms of counts."""
    says = float(says_what(term.word) or term.word.isdigit())
    first, last = float(0 in term.turns), float(turns - 1 in term.turns)
    answered = float(term.answered > 0)
    age = turns - 1 - max(term.turns) if term.turns else turns
    return {
        "says_what": says,
        "first_turn": first,
        "last_turn": last,
        "turn_before": float(turns - 2 in term.turns),
        "age": min(age, 6) / 6,
        "capital": float(term.capital),
        "ends": float(term.ends),
        "stood_alone": says * term.alone,
        "first_subject": says * first,
        "last_subject": says * last,
        "last_subject_pronoun": says * last * loose,
        "answered": math.log1p(min(term.answered, 4)),
        "answered_and_last": answered * last,
        "answered_and_first": answered * first,
        "only_answered": float(not term.turns),
        "only_answered_edge": float(not term.turns and term.edge),
        "only_answered_name": float(not term.turns and term.capital),
    }
