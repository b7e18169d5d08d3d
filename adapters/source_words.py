"""The words around an answer's sources, in the language of the answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

ENGLISH = "January February March April May June July August September October November December"
GERMAN = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
SPANISH = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceWords:
    """What a list of sources says, in one language."""

    heading: str
    saved: str
    by: str
    room: str
    on: str
    day: str
    """A day with {day}, {month} by name, and {year}."""
    months: tuple[str, ...]

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
    ),
    "de": SourceWords(
        heading="Quellen",
        saved="gespeichert",
        by="von",
        room="in",
        on="am",
        day="{day}. {month} {year}",
        months=tuple(GERMAN.split()),
    ),
    "es": SourceWords(
        heading="Fuentes",
        saved="guardado",
        by="por",
        room="en",
        on="el",
        day="{day} de {month} de {year}",
        months=tuple(SPANISH.split()),
    ),
}
HEADINGS = frozenset(words.heading for words in WORDS.values())


def source_words(language: str) -> SourceWords:
    """Return the words of this language (ISO 639-1); English where we do not have it."""
    return WORDS.get(language, WORDS["en"])
