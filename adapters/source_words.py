"""The words around an answer: its sources, its buttons, that it was stopped, in the language of the answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

ENGLISH = "January February March April May June July August September October November December"
GERMAN = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
SPANISH = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceWords:
    """What stands around an answer, in one language."""

    heading: str
    saved: str
    by: str
    room: str
    on: str
    day: str
    """A day with {day}, {month} by name, and {year}."""
    months: tuple[str, ...]
    good: str
    bad: str
    why: str
    share: str
    stopped: str

    def date(self, moment: datetime) -> str:
        """Return the day of a moment as people write it."""
        return self.day.format(day=moment.day, month=self.months[moment.month - 1], year=moment.year)


WORDS: Mapping[str, SourceWords] = {
    "en": SourceWords(
        heading="Sources",
        saved="saved",
        by="by",
        room="in",
        on="on",
        day="{day} {month} {year}",
        months=tuple(ENGLISH.split()),
        good="Good answer",
        bad="Bad answer",
        why="Why?",
        share="Share here",
        stopped="Stopped.",
    ),
    "de": SourceWords(
        heading="Quellen",
        saved="gespeichert",
        by="von",
        room="in",
        on="am",
        day="{day}. {month} {year}",
        months=tuple(GERMAN.split()),
        good="Gute Antwort",
        bad="Schlechte Antwort",
        why="Warum?",
        share="Hier teilen",
        stopped="Angehalten.",
    ),
    "es": SourceWords(
        heading="Fuentes",
        saved="guardado",
        by="por",
        room="en",
        on="el",
        day="{day} de {month} de {year}",
        months=tuple(SPANISH.split()),
        good="Buena respuesta",
        bad="Mala respuesta",
        why="¿Por qué?",
        share="Compartir aquí",
        stopped="Detenido.",
    ),
}
HEADINGS = frozenset(words.heading for words in WORDS.values())


def source_words(language: str) -> SourceWords:
    """Return the words of this language (ISO 639-1); English where we do not have it."""
    return WORDS.get(language, WORDS["en"])


def share_label(why: str) -> str:
    """Return what the share button says beside a why button with this label."""
    return next((words.share for words in WORDS.values() if words.why == why), WORDS["en"].share)
