"""Tell what a question names (a product, a person, a code), and whether a passage speaks of it (pure)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from bot.domain.memories import Passage
from bot.rag.language import detect_language
from bot.rag.lexicon import FUNCTION_WORDS, TOKEN, fold, terms
from bot.rag.weights import WordWeights

DESIGNATION = re.compile(r"(?P<word>[^\W\d_]{2,})[\s-]+(?P<number>\d[\d.]*\d|\d+)(?![\w%€$£°])")
"""A word and the number that tells which one: "RFC 9110", "station 350", "Python 3.12"."""
COUNTING_TEXT = """
top best first last next past least most only than exactly roughly nearly almost around
"""
CALENDAR_TEXT = """
january february march april may june july august september october november december monday tuesday wednesday
thursday friday saturday sunday enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
diciembre english german spanish french
"""
COUNTING, CALENDAR = frozenset(COUNTING_TEXT.split()), frozenset(CALENDAR_TEXT.split())
MIXED = re.compile(r"(?=[^\s]*\d)(?=[^\s]*[^\W\d_])[\w./:#-]{4,}|(?=\S*[^\W\d_][A-Z])(?=\S*[a-z])[^\W\d_]{3,}")
"""Letters beside digits, or a capital inside a word: "ERR_4711", "Borin64", "SQLite"."""
CAPITALISED = re.compile(r"(?<=[\w,;:)] )[A-ZÄÖÜ][\w'’-]+")
CAPITAL_NOUNS = frozenset({"de", "lb", "als"})
"""Languages that write every noun with a capital."""
MANY_CAPITALS = 0.7
LEAST_KIN, MOST_KIN = 4, 0.65
LEAST_LITERAL = 3
LEAST_SHARED = 5
"""Letters that a name and its longer form begin with alike: "postgres" and "PostgreSQL"."""


CONTEXT = re.compile(r"\s*\([^()]*\)\s*$")
"""What a follow-up was given from the conversation: a guess, which names nothing for sure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What a question names."""

    spelled: tuple[str, ...] = ()
    """By the way they are written."""
    unheard: tuple[str, ...] = ()
    """Words that the embedding model's vocabulary lacks: most are names in lower case."""


NO_NAMES = Names()


def names_of(question: str, weights: WordWeights) -> Names:
    """Return what the question itself names; in English also by words that are in no dictionary."""
    own = CONTEXT.sub("", question)
    spelled = named(own)
    known = {part.lower() for name in spelled for part in TOKEN.findall(name)}
    unheard = (
        ()
        if detect_language(own) not in {"en", ""}
        else (
            token
            for token in TOKEN.findall(own)
            if token.isalpha()
            and len(token) >= LEAST_SHARED
            and token.lower() not in known
            and not weights.knows(token)
            and not weights.knows(fold(token))
        )
    )
    return Names(spelled=spelled, unheard=tuple(unheard))


def without(names: Names, sides: Sequence[str]) -> Names:
    """Return the names that stand in none of these."""
    said = " ".join(sides).lower()
    return Names(
        spelled=tuple(name for name in names.spelled if name.lower() not in said),
        unheard=tuple(word for word in names.unheard if word.lower() not in said),
    )


def literals(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that hold a digit: they are copied, not thought up, and no other form of them counts."""
    return tuple(name for name in names if any(sign.isdigit() for sign in name) and len(name) >= LEAST_LITERAL)


def named(question: str) -> tuple[str, ...]:
    """Return what the question names, as typed: names by their spelling, and numbers that say which one is meant."""
    found = [match[0].strip(".:/#-") for match in MIXED.finditer(question)]
    if not shouted(question) and detect_language(question) not in CAPITAL_NOUNS:
        found += [re.sub(r"['’]s?$", "", match[0]) for match in CAPITALISED.finditer(question)]
    found += [match["number"] for match in DESIGNATION.finditer(question) if tells(match["word"])]
    return tuple(dict.fromkeys(name for name in found if name and name.lower() not in CALENDAR | FUNCTION_WORDS))


def shouted(question: str) -> bool:
    """Whether most words have a capital, so that none tells a name."""
    words = re.findall(r"[^\W\d_]+", question)[1:]
    return len(words) > 1 and sum(word[0].isupper() for word in words) >= MANY_CAPITALS * len(words)


def tells(word: str) -> bool:
    """Whether a number behind this word says which one is meant, not how many."""
    return word.lower() not in FUNCTION_WORDS | COUNTING | CALENDAR


def unspoken(words: Iterable[str], passage: Passage) -> tuple[str, ...]:
    """Return the words that a passage does not hold, nor any that begins like them."""
    there = set(terms(f"{passage.title} {passage.heading} {passage.text} {passage.note} {passage.url}"))
    return tuple(word for word in words if not any(kin(fold(word), other) for other in there))


def kin(one: str, other: str) -> bool:
    """Whether two words begin alike for most of the shorter one."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return shared >= LEAST_KIN and shared >= MOST_KIN * min(len(one), len(other))


def missing(names: Iterable[str], passage: Passage) -> tuple[str, ...]:
    """Return the names that a passage speaks of nowhere: not in its title, heading, text, note, address or source."""
    parts = (passage.title, passage.heading, passage.text, passage.note, passage.url, passage.site)
    said = " ".join((*parts, passage.person_name, passage.room_name))
    letters, there = said.lower(), set(terms(said))
    return tuple(name for name in names if not speaks(name, letters, there))


def speaks(name: str, letters: str, there: set[str]) -> bool:
    """Whether a text names this: letter by letter, or in a form of it that is longer or shorter."""
    if re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", letters):
        return True
    if name.isdigit() and fold(name) in there:
        return True
    if any(sign.isdigit() for sign in name):
        return False
    parts = [fold(token) for token in TOKEN.findall(name)]
    return bool(parts) and all(any(alike(part, other) for other in there) for part in parts)


def alike(one: str, other: str) -> bool:
    """Whether two words are forms of one name: the same, or a beginning of the other that is long enough."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= LEAST_SHARED and longer.startswith(shorter[: max(LEAST_SHARED, len(shorter) - 1)])
