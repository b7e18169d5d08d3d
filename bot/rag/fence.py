"""Put what others wrote into marked data parts of a prompt, so that nothing in it can pass for an instruction."""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.memories import Passage
from bot.domain.messages import Turn

LOOKALIKE = re.compile(r"<(?=/?data-)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """The marks of one request's data: nobody who wrote a page could know the code."""

    code: str = field(default_factory=lambda: secrets.token_hex(8))

    def around(self, kind: str, text: str) -> str:
        """Return `text` as data of a kind ("passages"), or nothing for nothing."""
        if not text.strip():
            return ""
        return f"<data-{self.code}>\n{kind}:\n{self.clean(text)}\n</data-{self.code}>"

    def clean(self, text: str) -> str:
        """Return the text without anything that could open or close a data part."""
        return LOOKALIKE.sub("‹", text.replace(self.code, ""))


def numbered(passages: Sequence[Passage]) -> str:
    """Return passages under their numbers, with what is known of where they come from."""
    return "\n\n".join(f"[{number}] {origin(one)}\n{one.text}" for number, one in enumerate(passages, start=1))


def origin(passage: Passage) -> str:
    """Say in a line what a passage is a part of, who saved it and when."""
    shared = f"saved {passage.shared_at:%Y-%m-%d}" if passage.shared_at else ""
    by = f"by {passage.person_name}" if passage.person_name else ""
    where = f"in {passage.room_name}" if passage.room_name else ""
    saved = " ".join(part for part in (shared, by, where) if part)
    note = f'their note: "{passage.note}"' if passage.note else ""
    known = (passage.title, passage.heading, passage.site, saved, note)
    return " | ".join(" ".join(part.split()) for part in known if part)


def told(turns: Sequence[Turn]) -> str:
    """Return a conversation, each line with its speaker and time."""
    return "\n".join(f"{speaker(turn)} ({turn.at:%Y-%m-%d %H:%M}): {turn.text}" for turn in turns if turn.text.strip())


def speaker(turn: Turn) -> str:
    """Return how a turn's speaker is called in a prompt."""
    return "Palace" if turn.speaker == "bot" else turn.name or "Somebody"
