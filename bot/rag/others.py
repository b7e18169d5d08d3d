"""Tell which of two subjects "the other one", "the first one" or "the latter" means, and ask for it by name (pure)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.domain.messages import Turn
from bot.rag.leaning import WORD, pronouns, says_what, specific
from bot.rag.lexicon import terms
from bot.rag.route_words import COMPARISON
from bot.rag.sides import naming, sides
from bot.rag.small_talk import is_small_talk

ENDS = r"(?=\s*(?:[?.,!;:]|$))"
ALONE = rf"(?:{ENDS}|(?=\s+(?:is|are|was|does|do|did|has|cost|costs|again|then|es|está|cuesta|tiene|ist|hat|kostet)\b))"
NO_NOUN = r"(?!\s+(?-i:[A-ZÄÖÜ]))"
"""After a German adjective a noun would have a capital."""


def phrase(english: str, german: str, spanish: str) -> re.Pattern[str]:
    """Return a pattern of a choice between two things; group 1 is the article that stays."""
    return re.compile(
        rf"\b(?:(the\s+)(?:{english})|(?:der|die|das|dem|den)\s+(?:{german})\b{NO_NOUN}|(?:el|la|al|del)\s+(?:{spanish})\b{ALONE})",
        re.IGNORECASE,
    )


OTHER = phrase(rf"other\s+one\b|other\b{ALONE}", r"andere[nrs]?", r"otr[oa]")
FIRST = phrase(rf"first\s+one\b|former\b|first\b{ALONE}", r"erste[nrs]?|erstere[nrs]?", r"primer[oa]?")
SECOND = phrase(rf"second\s+one\b|latter\b|second\b{ALONE}", r"zweite[nrs]?|letztere[nrs]?", r"segund[oa]|últim[oa]")
BARE_CHOICE = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|and|but|so|then|what\s+about|how\s+about|what\s+of|und|aber|was\s+ist\s+mit|wie\s+ist\s+es\s+(?:mit|bei)|"
    r"y|pero|qué\s+(?:tal|hay|pasa)(?:\s+(?:con|de))?|again|then)\W+)*\W*$",
    re.IGNORECASE,
)
"""What is left of a question that says nothing but which one it means."""
MANY = 2
"""Sides, from which one can be the other."""


@dataclass(slots=True, kw_only=True)
class Talk:
    """What a conversation has been about so far."""

    pair: tuple[str, ...] = ()
    """The sides of the last comparison, while it is still spoken of."""
    focus: str = ""
    """The subject, or side of the pair, that was last asked about alone."""
    subjects: list[str] = field(default_factory=list)
    """What was asked about alone, each once, the latest last."""
    asked: str = ""
    """The last message, if it asked about one subject."""

    def other(self) -> str:
        """Return the side or subject that is not the focus; the second side where none is."""
        if self.pair:
            rest = [side for side in self.pair if side != self.focus]
            return rest[0] if self.focus else rest[-1]
        rest = [subject for subject in self.subjects if subject != self.focus]
        return rest[-1] if rest else ""

    def at(self, place: int) -> str:
        """Return the side at this place (0 or -1) in the order in which a comparison named them."""
        return self.pair[place] if self.pair else ""


def choosing(text: str, history: Sequence[Turn]) -> tuple[str, str]:
    """Return the question with the subject that it chooses in its place, and the subject; else ("", "")."""
    if not any(pattern.search(text) for pattern in (OTHER, FIRST, SECOND)):
        return "", ""
    return chosen(text, so_far(history))


def so_far(history: Sequence[Turn]) -> Talk:
    """Return what a conversation has been about."""
    talk = Talk()
    for question, answer in exchanges(history):
        hear(talk, question, answer)
    return talk


def exchanges(history: Sequence[Turn]) -> Iterator[tuple[str, str]]:
    """Yield each message of a person with the bot's answer to it."""
    for place, turn in enumerate(history):
        if turn.speaker == "person":
            after = history[place + 1] if place + 1 < len(history) else None
            yield turn.text, after.text if after is not None and after.speaker == "bot" else ""


def hear(talk: Talk, question: str, answer: str) -> None:
    """Follow the conversation by one message."""
    if is_small_talk(question):
        return
    if COMPARISON.search(question) and len(named := sides(question)) >= MANY:
        talk.pair = named
        talk.focus = next((naming(named, subject) for subject in reversed(talk.subjects) if naming(named, subject)), "")
        talk.asked = ""
        return
    meant, subject = chosen(question, talk)
    meant, subject = meant or question, subject or subject_of(question)
    side = naming(talk.pair, meant) or naming(talk.pair, answer)
    own = bool(subject) and not naming(talk.pair, meant)
    if talk.pair and own and not side:
        talk.pair = ()
    subject = side or subject or talk.focus
    if subject:
        known = next((one for one in talk.subjects if set(terms(one)) & set(terms(subject))), subject)
        talk.focus = subject if talk.pair else known
        talk.subjects = [*(one for one in talk.subjects if one != known), known]
    talk.asked = meant


def subject_of(question: str) -> str:
    """Return what a question is about: its names and what follows them, else its telling words.

    Nothing where it leans on the one before.
    """
    if pronouns(question)[0]:
        return ""
    kept: list[str] = []
    before = False
    for at, word in enumerate(WORD.findall(question)):
        before = says_what(word) and (before or (at > 0 and word[0].isupper()))
        kept += [word] if before else []
    return " ".join(kept or specific(question))


def chosen(text: str, talk: Talk) -> tuple[str, str]:
    """Return the question by name, and the subject that it chooses."""
    ways = ((OTHER, talk.other()), (FIRST, talk.at(0)), (SECOND, talk.at(-1)))
    for pattern, subject in ways:
        if subject and pattern.search(text):
            asked = repeated(talk, subject) if BARE_CHOICE.match(pattern.sub("", text)) else ""
            return asked or named_in(text, pattern, subject), subject
    return "", ""


def named_in(text: str, pattern: re.Pattern[str], subject: str) -> str:
    """Return the question with the subject in the place of its choice, the article kept."""
    return pattern.sub(lambda found: f"{found[1] or ''}{subject}", text)


def repeated(talk: Talk, subject: str) -> str:
    """Return the last question asked of the other side instead; empty where it did not name a side of a pair."""
    if not talk.pair or not talk.focus or talk.focus == subject:
        return ""
    swapped = re.sub(rf"\b{re.escape(talk.focus)}\b", lambda _: subject, talk.asked, flags=re.IGNORECASE)
    return swapped if swapped != talk.asked else ""
