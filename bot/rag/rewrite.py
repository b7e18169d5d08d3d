"""Make a follow-up stand alone: append what the conversation has and the question lacks; leave the rest untouched."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.domain.answers import Rewrite
from bot.domain.messages import Turn
from bot.rag.carried import carried
from bot.rag.context_words import ASSENT, OFFER
from bot.rag.leaning import WORD, leaning, plain, says_what, stem
from bot.rag.others import choosing
from bot.rag.paging import is_paging
from bot.rag.small_talk import is_small_talk

FOLLOWS = 0.65
"""From here on a question counts as a follow-up."""
SURE = 0.86
"""From here on its words are added to: a question that may stand alone is searched byte for byte as typed."""
MEANT = 0.06
"""A word of the history at least this likely is added: one missing word costs a search more than two idle ones."""
MOST_WORDS = 8
REMEMBERED = 12
"""Turns of the history that are read."""
NAME_RUN = re.compile(r"(?:[A-Z][\w'’-]*|[A-Z]{2,})(?:\s+(?:[A-Z][\w'’-]*|\d[\w.]*))+|[A-Z][\w'’-]*\s+\d[\w.]*")
SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


class Rewriter:
    """Rewrites by what a question lacks: entities, the last subject, an elided noun, a yes to the bot's offer."""

    async def rewrite(self, text: str, history: Sequence[Turn]) -> Rewrite:
        """Return the question to search for; byte for byte `text` where it stands alone."""
        read = history[-REMEMBERED:]
        found = rewritten(text, read)
        return found if found.hints else replace(found, hints=hints(text, read))


def rewritten(text: str, history: Sequence[Turn]) -> Rewrite:
    """Decide by the question and its history alone (pure)."""
    if not any(turn.speaker == "person" for turn in history) or is_paging(text):
        return Rewrite(standalone=text, needed_context=False)
    if ASSENT.match(text) and (offer := offered(history)):
        return accepting(offer, history)
    if is_small_talk(text):
        return Rewrite(standalone=text, needed_context=False)
    by_name, subject = choosing(text, history)
    if by_name:
        return Rewrite(standalone=by_name, needed_context=True, added=(subject,), hints=(subject,))
    likely = leaning(text, history)
    if likely < SURE:
        return Rewrite(standalone=text, needed_context=likely >= FOLLOWS)
    return appended(text, phrases(text, history))


def hints(text: str, history: Sequence[Turn]) -> tuple[str, ...]:
    """Return the question as typed, behind the last one, and with the words that it may lack.

    Whether a question stands alone is a guess. A search that hears all three loses little by a wrong one, also where
    the subject has changed.
    """
    if (
        not any(turn.speaker == "person" for turn in history)
        or is_paging(text)
        or is_small_talk(text)
        or ASSENT.match(text)
    ):
        return ()
    return tuple(dict.fromkeys((text, join_last(text, history), appended(text, phrases(text, history)).standalone)))


def join_last(text: str, history: Sequence[Turn]) -> str:
    """Return the last question and this one as one text: what is searched when no rewriter answers."""
    last = next((turn.text for turn in reversed(history) if turn.speaker == "person"), "")
    return f"{last} {text}".strip()


def accepting(offer: str, history: Sequence[Turn]) -> Rewrite:
    """Return the bot's offer as the question, with the subject that it was about."""
    return appended(offer, phrases(offer, history))


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


def phrases(text: str, history: Sequence[Turn]) -> list[str]:
    """Return the words of the history that `text` lacks, as phrases, in the order in which they were said."""
    likely = carried(text, history)
    chosen = {key for key in list(likely)[:MOST_WORDS] if likely[key] >= MEANT}
    asked = [turn.text for turn in history if turn.speaker == "person"]
    sources = [*asked, history[-1].text] if history[-1].speaker == "bot" else asked
    own = {stem(word) for word in WORD.findall(text)}
    return list(unique(run for source in sources for run in runs(source, chosen, own)))


def runs(source: str, chosen: set[str], own: set[str]) -> list[str]:
    """Return the stretches of `source` that hold chosen words, names whole: "Wren 3 van"."""
    names = [match.span() for match in NAME_RUN.finditer(source) if chosen & {stem(w) for w in WORD.findall(match[0])}]
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
