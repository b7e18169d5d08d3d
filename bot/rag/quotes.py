"""Choose the sentences, code and tables worth quoting from graded passages (pure)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.domain.memories import Passage
from bot.rag.answer_types import Sort, sort_of
from bot.rag.evidence import Evidence
from bot.rag.fusion import VOTED_DOWN
from bot.rag.lexicon import terms
from bot.rag.naming import literals, named, speaks
from bot.rag.sections import spoken
from bot.rag.sentences import Sentence
from bot.rag.sides import share

WORDS_SHARE = 0.25
"""How much the question's words in a sentence count beside its cosine."""
TITLE_SHARE = 0.15
"""How much the question's words in the passage's title count: a sentence seldom repeats what it is about."""
PLACE_SHARE = 0.1
"""How much the passage's own place counts."""
LOWERED = 0.5
SAID_BEFORE, ENOUGH = 0.2, 0.85
"""Taken from what the bot said a moment ago, when a follow-up asks for more; it is left out where something new is
worth nearly as much."""
DANGLING = 0.08
"""Taken from a sentence that begins by pointing at one that is not quoted."""
DANGLING_START = re.compile(
    r"(?:it|this|that|these|those|they|he|she|such|however|also|but|and|so|er|sie|es|dies\w*|ella?|esto|esta|il|elle|"
    r"ils|cela|ce|ceci)\b",
    re.IGNORECASE,
)
FEWEST_WORDS = 4
LONGEST = 500
SAME = 0.75
"""Share of the shorter quote's words that the longer one holds too, from which they say the same."""
CODE_WANTED = re.compile(
    r"\b(code|command|snippet|example|syntax|script|function|config\w*|query|install|run|how (?:do|can|to)|"
    r"befehl|beispiel|ejemplo|comando|código|commande|exemple)\b",
    re.IGNORECASE,
)
CODE_BONUS = 0.25
DEFINITION = re.compile(r"^\W*(?:what|who|was|wer|qué|quién|qu['’]est-ce)\b", re.IGNORECASE)
DEFINES, LONGEST_NAME = 0.15, 3
"""Added to a sentence that begins with the one thing whose meaning is asked for; the longest name counted in words."""
HOLDS_CODE = 0.3
"""Added to a sentence that holds every number and code of the question."""
HOLDS_ANSWER = 0.3
"""Added to a sentence that holds the sort of thing asked for, a sum of money to "how much does it cost": the less, the
further it is from the question than the passage's nearest one."""
NEAR_ENOUGH = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A piece of a passage that says something to the question."""

    piece: Sentence
    passage: Passage
    number: int
    """The passage's number in the answer, from 1."""
    place: int
    """Of the piece in its passage."""
    score: float
    heading: str = ""
    """The heading above it."""

    @property
    def is_block(self) -> bool:
        """Whether it stands on lines of its own: code, a table."""
        return self.piece.kind in {"code", "table"}

    @property
    def text(self) -> str:
        """Its words."""
        return self.piece.text


def candidates(question: str, found: Sequence[Evidence]) -> tuple[Quote, ...]:
    """Return everything that could be quoted, best first."""
    wants_code = CODE_WANTED.search(question) is not None
    wanted = sort_of(question)
    subject, codes = defined(question), literals(named(question))
    quotes = [
        Quote(
            piece=one.piece,
            passage=evidence.passage,
            number=number,
            place=one.place,
            heading=one.heading,
            score=worth(evidence, at, wants_code=wants_code, wanted=wanted)
            + standing(evidence.passage, number)
            + TITLE_SHARE * share(question, titles(evidence.passage, one.heading))
            + said_of(one.piece, subject=subject, codes=codes),
        )
        for number, evidence in enumerate(found, start=1)
        for at, one in enumerate(evidence.pieces)
        if quotable(one.piece)
    ]
    return ranked(quotes)


def titles(passage: Passage, heading: str) -> set[str]:
    """Return the words under which a piece of a passage stands."""
    return set(terms(f"{passage.title} {passage.heading} {heading}"))


def defined(question: str) -> tuple[str, ...]:
    """Return the words of the one thing whose meaning is asked for ("what is ERR_4711"); none where more is asked."""
    asked = terms(question) if DEFINITION.match(question) else ()
    return asked if len(asked) <= LONGEST_NAME else ()


def said_of(piece: Sentence, *, subject: tuple[str, ...], codes: Sequence[str]) -> float:
    """Return what speaks for a piece by the very words of the question: it begins with the thing, or holds the code."""
    words = terms(piece.text)
    begins = bool(subject) and words[: len(subject)] == subject
    holds = bool(codes) and all(speaks(code, piece.text.lower(), set(words)) for code in codes)
    return DEFINES * begins + HOLDS_CODE * holds


def ranked(quotes: Iterable[Quote]) -> tuple[Quote, ...]:
    """Return quotes, best first."""
    return tuple(sorted(quotes, key=lambda quote: -quote.score))


def for_follow_up(quotes: Sequence[Quote], own: Sequence[Quote], *, said_before: str) -> tuple[Quote, ...]:
    """Return the quotes by the mean of two worths: to the question with its context, and to its own words alone."""
    alone = {(quote.number, quote.place): quote.score for quote in own}
    least = min(alone.values(), default=0.0)
    told = set(terms(said_before))
    judged = ranked(
        replace(
            quote,
            score=(quote.score + alone.get((quote.number, quote.place), least)) / 2
            - (SAID_BEFORE if held(quote.text, told) else 0.0),
        )
        for quote in quotes
    )
    new = tuple(quote for quote in judged if not held(quote.text, told))
    return new if new and new[0].score >= ENOUGH * judged[0].score else judged


def held(text: str, told: set[str]) -> bool:
    """Whether nearly all words of a text were told already."""
    words = set(terms(text))
    return bool(words) and len(words & told) >= SAME * len(words)


def standing(passage: Passage, number: int) -> float:
    """Return what a passage's place is worth; one that people voted down for this question stands far back."""
    return PLACE_SHARE / number - (LOWERED if VOTED_DOWN in passage.found_by else 0.0)


def worth(evidence: Evidence, place: int, *, wants_code: bool, wanted: Sort | None) -> float:
    """Return what a piece says to the question: by meaning, by words, and by holding the sort of thing asked for."""
    piece = evidence.sentences[place]
    value = (evidence.similarities[place] + evidence.in_place[place]) / 2 + WORDS_SHARE * evidence.coverages[place]
    if piece.kind == "code" and wants_code:
        value += CODE_BONUS
    if wanted is not None and wanted.holds.search(spoken(piece)):
        value += HOLDS_ANSWER * max(0.0, evidence.similarities[place]) / max(*evidence.similarities, NEAR_ENOUGH)
    if place and DANGLING_START.match(piece.text):
        value -= DANGLING
    return value


def quotable(piece: Sentence) -> bool:
    """Whether a piece stands by itself: long enough, no heading, no question."""
    if piece.kind in {"code", "table"}:
        return True
    words = len(piece.text.split())
    unspaced = len(piece.text) >= FEWEST_WORDS * 2 and words == 1
    return piece.kind != "heading" and (words >= FEWEST_WORDS or unspaced) and not piece.text.endswith("?")


def best(
    quotes: Sequence[Quote],
    *,
    most: int,
    least_share: float,
    per_memory: int | None = None,
    elsewhere_share: float = 0.0,
) -> list[Quote]:
    """Return up to `most` quotes that say different things, none worth less than a share of the best.

    `elsewhere_share`: the least share for a quote of another memory than the best one's.
    """
    chosen: list[Quote] = []
    taken: Counter[str] = Counter()
    for quote in quotes:
        if len(chosen) == most or quote.score < least_share * quotes[0].score:
            break
        elsewhere = quote.passage.memory_id != quotes[0].passage.memory_id
        if elsewhere and quote.score < elsewhere_share * quotes[0].score:
            continue
        full = per_memory is not None and taken[quote.passage.memory_id] >= per_memory
        if not full and not any(says_the_same(quote, other) for other in chosen):
            chosen.append(quote)
            taken[quote.passage.memory_id] += 1
    return chosen


def with_blocks(question: str, chosen: Sequence[Quote], quotes: Sequence[Quote]) -> list[Quote]:
    """Return the chosen quotes with the code or table that one of them announces, or that the question asks for."""
    announced = {(quote.number, quote.place + 1) for quote in chosen if quote.text.endswith(":")}
    added = [quote for quote in quotes if quote.is_block and (quote.number, quote.place) in announced]
    if CODE_WANTED.search(question) and not any(quote.is_block for quote in (*chosen, *added)):
        sources = {quote.passage.memory_id for quote in chosen}
        added += [quote for quote in quotes if quote.is_block and quote.passage.memory_id in sources][:1]
    return [*chosen, *(quote for quote in added if quote not in chosen)]


def says_the_same(one: Quote, other: Quote) -> bool:
    """Whether two quotes share nearly all words of the shorter one."""
    first, second = set(terms(one.text)), set(terms(other.text))
    return len(first & second) >= SAME * max(1, min(len(first), len(second)))


def in_reading_order(quotes: Sequence[Quote]) -> list[list[Quote]]:
    """Return the quotes by memory, the best memory first, each in reading order."""
    groups: dict[str, list[Quote]] = {}
    for quote in sorted(quotes, key=lambda quote: -quote.score):
        groups.setdefault(quote.passage.memory_id, []).append(quote)
    return [sorted(group, key=lambda quote: (quote.passage.number, quote.place)) for group in groups.values()]
