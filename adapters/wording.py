"""Say in Markdown what stands around an answer on every platform: its sources, its buttons, the fixed sentences."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from adapters.escaping import escaped, link
from adapters.source_words import source_words
from bot.domain.answers import Answer, Citation
from bot.domain.markup import closed
from bot.domain.replies import Button

CUT_OFF = "I was restarted while I answered this. Please ask again."
NOTHING_TO_STOP = "There is no answer under way to stop."
BROKEN = "Something went wrong on my side. Please try again."


def answer_text(answer: Answer) -> str:
    """Return the whole answer: its text, that it was stopped, its sources once at the end."""
    notice = stopped_text(answer.language)
    stopped = notice if answer.stopped else ""
    parts = (closed(answer.text.rstrip()), stopped, sources_text(answer.citations, answer.language))
    return "\n\n".join(part for part in parts if part) or notice


def stopped_text(language: str = "") -> str:
    """Return the notice that an answer was stopped."""
    return f"*{source_words(language).stopped}*"


def sources_text(citations: Sequence[Citation], language: str = "") -> str:
    """Return the list of sources, one line a memory with all of its numbers, who shared it, where and when."""
    if not citations:
        return ""
    first_seen = {citation.memory_id: citation.number for citation in reversed(citations)}
    ordered = sorted(citations, key=lambda citation: (first_seen[citation.memory_id], citation.number))
    lines = [
        _source_line(tuple(group), language) for _, group in groupby(ordered, key=lambda citation: citation.memory_id)
    ]
    return "\n".join((f"**{source_words(language).heading}**", *lines))


def answer_buttons(answer: Answer) -> tuple[Button, ...]:
    """Return what people may press under an answer that was recorded."""
    if not answer.trace_id or answer.stopped:
        return ()
    words = source_words(answer.language)
    return (
        Button(name="up", target=answer.trace_id, label=words.good),
        Button(name="down", target=answer.trace_id, label=words.bad),
        Button(name="why", target=answer.trace_id, label=words.why),
    )


def waiting_text(place: int) -> str:
    """Return the status of a question that waits for others; `place` 1 is next."""
    return "Waiting: next in line…" if place == 1 else f"Waiting: place {place} in line…"


def _source_line(group: tuple[Citation, ...], language: str) -> str:
    numbers = " ".join(f"\\[{number}\\]" for number in dict.fromkeys(citation.number for citation in group))
    first = group[0]
    shared = _short_day(first.shared_at, language) if first.shared_at else ""
    place = f"#{first.room_name.removeprefix('#')}" if first.room_name else ""
    origin = [escaped(word) for word in (first.person_name, place, shared) if word]
    title = link(first.title or first.url or "note", first.url or first.permalink)
    return " · ".join((f"{numbers} {title}", *origin))


def _short_day(moment: datetime, language: str) -> str:
    words = source_words(language)
    return words.day.format(day=moment.day, month=words.months[moment.month - 1][:3], year=moment.year)
