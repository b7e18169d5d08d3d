"""Judge how much a question leans on what was said before it: features of its wording, weighed (pure)."""

import math
import re
from collections.abc import Mapping, Sequence

from bot.domain.messages import Turn
from bot.rag.context_words import BARE, CHOICE, FUNCTION, GENERIC, LEAD, PRONOUN

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
POSSESSIVES = frozenset({"its", "their", "his", "her", "sein", "seine", "ihre", "su", "sus"})
BOUNDARY = re.compile(
    r"[.?!;:,]|\b(?:and|or|if|when|because|so|but|while|before|after|since|und|wenn|y|si)\b", re.IGNORECASE
)
EXISTS = re.compile(r"\b(?:is|are|was|were)\s+there\b|\bthere\s+(?:is|are|was|were|be|any)\b", re.IGNORECASE)
PLACE = re.compile(r"\b(?:there|here|dort|hier|allí|aquí)\b", re.IGNORECASE)
DEFINES = re.compile(
    r"\W*(?:tell me (?:more )?about|what (?:is|are)|who (?:is|was)|describe|define|was (?:ist|sind)|wer (?:ist|war)|"
    r"qué (?:es|son)|quién (?:es|era))\b",
    re.IGNORECASE,
)
OF = r"(?:of|in|for|to|between|on|with|about|from|von|für|bei|zwischen|de|del|para|entre)"

WEIGHTS: Mapping[str, float] = {
    "loose_pronoun": 0.85,
    "bound_pronoun": 0.30,
    "chooses": 0.43,
    "place": 0.28,
    "no_own_word": 0.66,
    "many_own_words": -0.36,
    "own_name": -0.60,
    "whole": -0.80,
    "defines": -0.61,
    "complete": 0.09,
    "three_words": -0.35,
    "five_words": -0.71,
    "ten_words": -0.22,
    "repeats": -1.24,
    "repeats_last": -0.32,
}
"""Logistic regression on the development turns of TREC CAsT 2019 to 2022 (github.com/daltonj/treccastweb, MIT), with
those of MTRAG (github.com/IBM/mt-rag-benchmark, Apache-2.0) at a weight of 0.3."""
BIAS = 2.83


def leaning(text: str, history: Sequence[Turn]) -> float:
    """Return how likely it is, in [0, 1], that `text` cannot be understood without `history`."""
    if not any(turn.speaker == "person" for turn in history):
        return 0.0
    if BARE.match(text):
        return 1.0
    total = BIAS + sum(WEIGHTS[name] * value for name, value in features(text, history).items())
    return 1.0 / (1.0 + math.exp(-total))


def features(text: str, history: Sequence[Turn]) -> dict[str, float]:
    """Return what the wording of `text` says about standing alone, as named values of 0 or 1."""
    words = WORD.findall(text)
    own = specific(text)
    said = [{stem(word) for word in specific(turn.text)} for turn in history if turn.speaker == "person"]
    loose, bound = pronouns(text)
    leans = bool(loose or CHOICE.search(text) or LEAD.match(text))
    complete = completes(text, own)
    return {
        "loose_pronoun": float(loose > 0),
        "bound_pronoun": float(bound > 0 and not loose),
        "chooses": float(bool(CHOICE.search(text))),
        "place": float(bool(PLACE.search(EXISTS.sub(" ", text)))),
        "no_own_word": float(not own),
        "many_own_words": float(len(own) > 2),  # noqa: PLR2004 - three or more
        "own_name": float(bool(names(text)) and not leans),
        "whole": float(len(own) > 1 and not leans),
        "defines": float(bool(DEFINES.match(text)) and bool(own) and not loose),
        "complete": float(complete),
        "three_words": float(len(words) <= 3),  # noqa: PLR2004 - as the name says
        "five_words": float(len(words) <= 5),  # noqa: PLR2004 - as the name says
        "ten_words": float(len(words) >= 10),  # noqa: PLR2004 - as the name says
        "repeats": float(any(stem(word) in turn for turn in said for word in own)),
        "repeats_last": float(bool(said) and any(stem(word) in said[-1] for word in own)),
    }


def pronouns(text: str) -> tuple[int, int]:
    """Count the pronouns whose noun is not in `text`, and those whose noun stands before them in another clause."""
    loose = bound = 0
    for match in PRONOUN.finditer(text):
        before = text[: match.start()]
        nouns = specific(before)
        if match[0].lower() == "that" and joins(before):
            continue
        since = before[before.find(nouns[0]) + len(nouns[0]) :] if nouns else ""
        if nouns and (match[0].lower() in POSSESSIVES or BOUNDARY.search(since)):
            bound += 1
        else:
            loose += 1
    return loose, bound


def joins(before: str) -> bool:
    """Return whether "that" after these words begins a clause: "breeds that …", not "is that …"."""
    words = WORD.findall(before)
    return bool(words) and words[-1].lower() not in FUNCTION and not before.rstrip().endswith((".", "?", "!", ","))


def completes(text: str, own: Sequence[str]) -> bool:
    """Return whether a preposition brings the question's own noun: "the effects of iron"."""
    if not own:
        return False
    nouns = "|".join(re.escape(word) for word in own)
    return bool(re.search(rf"\b{OF}\s+(?:[\w'-]+\s+){{0,2}}?(?:{nouns})\b", text, re.IGNORECASE))


def names(text: str) -> list[str]:
    """Return the words written with a capital inside a sentence."""
    return [
        match[0]
        for match in WORD.finditer(text)
        if match[0][0].isupper()
        and plain(match[0]) not in FUNCTION
        and not re.search(r"(?:^|[.!?:])[\s\W]*$", text[: match.start()])
    ]


def specific(text: str) -> list[str]:
    """Return the words that say what a question is about, as written."""
    return [word for word in WORD.findall(text) if says_what(word)]


def says_what(word: str) -> bool:
    """Return whether a word names something of its own, and does not only ask about something."""
    return len(word) > 1 and not {plain(word), stem(word)} & (FUNCTION | GENERIC)


def plain(word: str) -> str:
    """Return a word in lower case without a possessive ending."""
    return word.lower().replace("’", "'").removesuffix("'s")


def stem(word: str) -> str:
    """Return a word without its plural ending."""
    word = plain(word)
    if word.endswith("ies") and len(word) > 5:  # noqa: PLR2004 - "series" shrinks, "ties" does not
        return word.removesuffix("ies") + "y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word  # noqa: PLR2004 - a stem has three letters
