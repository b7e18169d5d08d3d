"""Make a follow-up stand alone: append what the conversation has and the question lacks; leave the rest untouched."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.domain.answers import Rewrite
from bot.domain.messages import Turn
from bot.ports import Embedder
from bot.rag.carried import answer_before, carried, words_of
from bot.rag.context_words import ASSENT, CHOICE, OFFER
from bot.rag.leaning import WORD, leaning, plain, pronouns, says_what, stem
from bot.rag.nearness import Nearness, nearness
from bot.rag.others import choosing
from bot.rag.paging import is_paging
from bot.rag.small_talk import is_small_talk
from bot.rag.subject import changes_subject
from bot.rag.topic import topic_words

FOLLOWS = 0.5
"""From here on a question counts as a follow-up."""
UNCLEAR = 0.65
"""From here on the search also hears it behind the last question, unless it is about something else."""
SURE = 0.81
"""From here on its words are added to: a question that may stand alone is searched byte for byte as typed."""
WORTH = 0.036
"""A word is added while its odds of being meant, shared among all that may be, are at least this: one missing word
costs a search more than several idle ones, and the more may be missing, the less each of them says."""
MOST_WORDS = 10
WORDS_OF_A_TOPIC = 2
"""One alone may be a side of what was spoken of: "tell me about the price"."""
REMEMBERED = 12
"""Turns of the history that are read."""
NOTHING_KNOWN: Mapping[str, Nearness] = {}
NAME_RUN = re.compile(r"(?:[A-Z][\w'’-]*|[A-Z]{2,})(?:\s+(?:[A-Z][\w'’-]*|\d[\w.]*))+|[A-Z][\w'’-]*\s+\d[\w.]*")
SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


class Rewriter:
    """Rewrites by what a question lacks: entities, the last subject, an elided noun, a yes to the bot's offer."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def rewrite(self, text: str, history: Sequence[Turn]) -> Rewrite:
        """Return the question to search for; byte for byte `text`, and nothing beside it, where it stands alone."""
        read = history[-REMEMBERED:]
        found = rewritten(text, read)
        if found.hints and await changes_subject(self._embedder, text, read, unclear=found.standalone == text):
            return Rewrite(standalone=text, needed_context=False)
        return rewritten(text, read, await self._near(text, read)) if found.hints or found.added else found

    async def _near(self, text: str, history: Sequence[Turn]) -> Mapping[str, Nearness]:
        words = [term.word for term in words_of(text, history).values()]
        return await nearness(self._embedder, text, history, answer_before(history), words)


def rewritten(text: str, history: Sequence[Turn], near: Mapping[str, Nearness] = NOTHING_KNOWN) -> Rewrite:
    """Decide by the question, its history, and what is known of the meaning of its words (pure)."""
    if not any(turn.speaker == "person" for turn in history) or is_paging(text):
        return Rewrite(standalone=text, needed_context=False)
    if ASSENT.match(text) and (offer := offered(history)):
        return accepting(offer, history, near)
    if is_small_talk(text) or names_topic(text):
        return Rewrite(standalone=text, needed_context=False)
    by_name, subject = choosing(text, history)
    if by_name:
        return Rewrite(standalone=by_name, needed_context=True, added=(subject,), hints=(subject,))
    likely = leaning(text, history)
    if likely < SURE:
        heard = hints(text, history, near) if likely >= UNCLEAR else ()
        return Rewrite(standalone=text, needed_context=likely >= FOLLOWS, hints=heard)
    return replace(appended(text, phrases(text, history, near)), hints=hints(text, history, near))


def names_topic(text: str) -> bool:
    """Return whether a question asks about a thing as a whole and says which: "tell me about the winter garden"."""
    return len(topic_words(text)) >= WORDS_OF_A_TOPIC and not pronouns(text)[0] and not CHOICE.search(text)


def hints(text: str, history: Sequence[Turn], near: Mapping[str, Nearness]) -> tuple[str, ...]:
    """Return the question as typed, behind the last one, and with the words that it lacks; none where it stands alone.

    Which words it lacks is a guess. A search that hears all three loses little by a wrong one.
    """
    return text, join_last(text, history), appended(text, phrases(text, history, near)).standalone


def join_last(text: str, history: Sequence[Turn]) -> str:
    """Return the last question and this one as one text: what is searched when no rewriter answers."""
    last = next((turn.text for turn in reversed(history) if turn.speaker == "person"), "")
    return f"{last} {text}".strip()


def accepting(offer: str, history: Sequence[Turn], near: Mapping[str, Nearness]) -> Rewrite:
    """Return the bot's offer as the question, with the subject that it was about."""
    return appended(offer, phrases(offer, history, near))


def appended(text: str, found: Sequence[str]) -> Rewrite:
    """Return the question with the missing words behind it in brackets."""
    standalone = f"{text} ({', '.join(found)})" if found else text
    return Rewrite(standalone=standalone, needed_context=True, added=tuple(found))


def offered(history: Sequence[Turn]) -> str:
    """Return what the bot offered in its last answer, as its content words; empty if it offered nothing."""
    if history[-1].speaker != "bot":
        return ""
    for sentence in reversed(SENTENCE.findall(history[-1].text)):
        if opening := OFFER.search(sentence):
            words = [word for word in WORD.findall(sentence[opening.end() :]) if says_what(word) or asks(word)]
            return " ".join(words)
    return ""


def asks(word: str) -> bool:
    """Return whether a general noun still says what an offer is about: "the service price"."""
    return len(word) > 3 and plain(word) not in NOT_OFFERED  # noqa: PLR2004 - shorter ones hold sentences together


NOT_OFFERED_TEXT = """
know tell show give find look search list summarize explain want like would have hear also them that
this more about with your from wissen zeigen auch mehr dazu suchen noch über eine saber sobre
también buscar muestre
"""
NOT_OFFERED = frozenset(NOT_OFFERED_TEXT.split())


def phrases(text: str, history: Sequence[Turn], near: Mapping[str, Nearness]) -> list[str]:
    """Return the words of the history that `text` lacks, as phrases, in the order in which they were said."""
    chosen = meant(carried(text, history, near))
    own = {stem(word) for word in WORD.findall(text)}
    asked = [run for turn in history if turn.speaker == "person" for run in runs(turn.text, chosen, own)]
    return list(unique((*asked, *runs(answer_before(history), chosen, own, whole=False))))


def meant(likely: Mapping[str, float]) -> set[str]:
    """Return the likeliest words, as far as each is worth the idle words that come with it."""
    missing = max(1.0, sum(likely.values()))
    worth = {key: value / (1 - value) / missing for key, value in likely.items()}
    return {key for key in list(likely)[:MOST_WORDS] if worth[key] >= WORTH}


def runs(source: str, chosen: set[str], own: set[str], *, whole: bool = True) -> list[str]:
    """Return the stretches of `source` that hold chosen words, names `whole`: "Wren 3 van".

    Not in an answer: what is saved has headings and whole rows in capitals.
    """
    found_names = NAME_RUN.finditer(source) if whole else ()
    names = [match.span() for match in found_names if chosen & {stem(w) for w in WORD.findall(match[0])}]
    kept = [
        match
        for match in WORD.finditer(source)
        if stem(match[0]) in chosen
        or (
            (says_what(match[0]) or match[0].isdigit())
            and stem(match[0]) not in own
            and any(start <= match.start() < end for start, end in names)
        )
    ]
    found: list[str] = []
    last = -1
    for match in kept:
        if found and not source[last : match.start()].strip(" "):
            found[-1] += f" {match[0]}"
        else:
            found.append(match[0])
        last = match.end()
    return found


def unique(found: Iterable[str]) -> Iterable[str]:
    """Leave out words that an earlier phrase has said."""
    seen: set[str] = set()
    for phrase in found:
        new = [word for word in phrase.split() if stem(word) not in seen]
        if new:
            yield " ".join(new)
        seen |= {stem(word) for word in new}
