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
OF = r"(?:of|in|for|to|between|on|with|about|from|at|von|für|bei|zwischen|in|de|del|para|entre|en)"
ARTICLE = r"(?:the|der|die|das|den|dem|el|la|los|las)"
DEFINITE = re.compile(
    rf"\b{ARTICLE}\s+(?:(?!{OF}\b)[\w'-]+\s+){{0,2}}?[\w'-]+\s*(?:[?.!,;]|$|\b(?:is|are|was|were|do|does|did|has|have|can|will|be|come|go|"
    r"affect|work|help|taste|ist|sind|war|hat|kann|es|son|fue|tiene|puede)\b)",
    re.IGNORECASE,
)
"""A noun that is taken as known, and nothing behind it that says which: "the expedition", "the main layers"."""
POINTING = re.compile(r"\b(?:this|that|these|those|such)\s+[a-z]{3,}", re.IGNORECASE)
ONE = re.compile(r"\bits?\b", re.IGNORECASE)
SEVERAL = re.compile(r"\b(?:they|them|their)\b", re.IGNORECASE)
IDENTITY = re.compile(r"\W*(?:what|who)(?:\s+(?:is|are|was|were)|['’]s)\b", re.IGNORECASE)

WEIGHTS: Mapping[str, float] = {
    "loose_pronoun": 0.43,
    "chooses": 1.17,
    "place": 1.12,
    "no_own_word": 1.08,
    "many_own_words": -0.40,
    "own_name": -0.32,
    "new_name": -0.59,
    "whole": -0.52,
    "defines": -1.55,
    "identity": 1.22,
    "definite": 0.79,
    "points": 1.29,
    "one": 0.91,
    "several": 1.12,
    "five_words": -0.82,
    "ten_words": -0.68,
    "repeats": -1.34,
    "repeats_last": -0.33,
}
"""Ridge logistic regression on the development turns of TREC CAsT 2019 to 2022 (github.com/daltonj/treccastweb, MIT),
with those of iKAT (github.com/irlabamsterdam/iKAT, MIT) and MTRAG (github.com/IBM/mt-rag-benchmark, Apache-2.0) at a
weight of 0.3: `python -m tests.evals.fit_rewriter --data DIR` prints this table and the one in `carried`."""
BIAS = 2.56


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
    words, own, named = WORD.findall(text), specific(text), names(text)
    told = [{stem(word) for word in specific(turn.text)} for turn in history if turn.speaker == "person"]
    heard = {stem(word) for turn in history if turn.speaker == "person" for word in WORD.findall(turn.text)}
    loose = pronouns(text)[0] > 0
    leans = bool(loose or CHOICE.search(text) or LEAD.match(text))
    found = {
        "loose_pronoun": loose,
        "chooses": CHOICE.search(text),
        "place": PLACE.search(EXISTS.sub(" ", text)),
        "no_own_word": not own,
        "many_own_words": len(own) > 2,  # noqa: PLR2004 - three or more
        "own_name": named and not leans,
        "new_name": any(stem(word) not in heard for word in named),
        "whole": len(own) > 1 and not leans,
        "defines": DEFINES.match(text) and own and not loose,
        "identity": IDENTITY.match(text),
        "definite": DEFINITE.search(text),
        "points": POINTING.search(text),
        "one": ONE.search(text),
        "several": SEVERAL.search(text),
        "five_words": len(words) <= 5,  # noqa: PLR2004 - as the name says
        "ten_words": len(words) >= 10,  # noqa: PLR2004 - as the name says
        "repeats": any(stem(word) in turn for turn in told for word in own),
        "repeats_last": bool(told) and any(stem(word) in told[-1] for word in own),
    }
    return {name: float(bool(value)) for name, value in found.items()}


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
