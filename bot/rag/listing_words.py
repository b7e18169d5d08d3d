"""The words of counts and lists, in English, German and Spanish."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.domain.memories import Filters
from bot.rag.calendar_words import NUMBERS
from bot.rag.dates import Interval
from bot.rag.narrow_words import MANY, OLDEST, RANKED

PLURAL = frozenset(MANY.split("|"))
SEVERAL, MOST = 5, 20
"""How many "the latest links" are, and how many fit one answer."""

COUNT = re.compile(
    r"\b(?:how\s+(?:many|meny|mny|mayn|manny)|number\s+of|count|wie\s*viele|anzahl|cu[áa]nt[oa]s)\b",
    re.IGNORECASE,
)


def is_count(text: str) -> bool:
    """Return whether the number itself is asked for."""
    return COUNT.search(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """How many of the newest or oldest are wanted."""

    count: int
    oldest: bool


def ranking(text: str) -> Ranking | None:
    """Return how many of which end a question asks for: "the last 3 links"; None for a whole list, or its number."""
    found = None if is_count(text) else RANKED.search(text)
    if found is None:
        return None
    number, plural = (found["count"] or found["before"] or "").lower(), found["noun"].lower() in PLURAL
    count = int(number) if number.isdigit() else NUMBERS.get(number, SEVERAL if plural else 1)
    return Ranking(count=max(1, min(MOST, count)), oldest=OLDEST.match(found["rank"]) is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a list says, in one language."""

    some: str
    one: str
    none: str
    nouns: Mapping[str, tuple[str, str]]
    """Singular and plural by kind; the empty kind for everything."""
    by: str
    room: str
    about: str
    tagged: str
    pocket: str
    site: str
    page: str
    no_page: str
    newest: str
    oldest: str
    of: str

    def conditions(self, filters: Filters, *, topic: str, period: str) -> str:
        """Return who, where, when and what was counted, as a piece of a sentence with a space before it."""
        parts = [
            *((f"{self.by} {', '.join(filters.person_names)}",) if filters.person_names else ()),
            *((f"{self.room} {', '.join(f'#{name}' for name in filters.room_names)}",) if filters.room_names else ()),
            *((f"{self.tagged} {', '.join(filters.tags)}",) if filters.tags else ()),
            *((f"{self.pocket} “{filters.pocket}”",) if filters.pocket else ()),
            *((f"{self.site} {filters.site}",) if filters.site else ()),
            *((f"{self.about} “{topic}”",) if topic else ()),
            *((f"({period})",) if period else ()),
        ]
        return "".join(f" {part}" for part in parts)

    def day(self, moment: datetime, timezone: str) -> str:
        """Return a day in the asker's time zone; ISO 8601, the same in every language."""
        return moment.astimezone(ZoneInfo(timezone)).date().isoformat()

    def period(self, interval: Interval, timezone: str) -> str:
        """Return the first and last day of an interval; an open end is three dots."""
        if interval.since is None and interval.until is None:
            return ""
        first = self.day(interval.since, timezone) if interval.since else "…"
        last = self.day(interval.until - timedelta(microseconds=1), timezone) if interval.until else "…"
        return first if first == last else f"{first} – {last}"


WORDS: Mapping[str, Words] = {
    "en": Words(
        some="There are {what}{conditions}",
        one="There is {what}{conditions}",
        none="There are no {what}{conditions}",
        nouns={
            "": ("memory", "memories"),
            "link": ("link", "links"),
            "note": ("note", "notes"),
            "file": ("file", "files"),
            "message": ("message", "messages"),
        },
        by="shared by",
        room="in",
        about="about",
        tagged="tagged",
        pocket="in the pocket",
        site="from",
        no_page="There is no page {page}: this is the last of {pages}.",
        page="Page {page} of {pages}. Say “more” or “page 2” to go on.",
        newest="Saved last: {what}{conditions}",
        oldest="Saved first: {what}{conditions}",
        of="of",
    ),
    "de": Words(
        some="Es gibt {what}{conditions}",
        one="Es gibt {what}{conditions}",
        none="Es gibt keine {what}{conditions}",
        nouns={
            "": ("Eintrag", "Einträge"),
            "link": ("Link", "Links"),
            "note": ("Notiz", "Notizen"),
            "file": ("Datei", "Dateien"),
            "message": ("Nachricht", "Nachrichten"),
        },
        by="von",
        room="in",
        about="über",
        tagged="mit Tag",
        pocket="in der Tasche",
        site="von",
        no_page="Eine Seite {page} gibt es nicht: Das ist die letzte von {pages}.",
        page="Seite {page} von {pages}. „Mehr“ oder „Seite 2“ blättert weiter.",
        newest="Zuletzt gespeichert: {what}{conditions}",
        oldest="Zuerst gespeichert: {what}{conditions}",
        of="von",
    ),
    "es": Words(
        some="Hay {what}{conditions}",
        one="Hay {what}{conditions}",
        none="No hay {what}{conditions}",
        nouns={
            "": ("recuerdo", "recuerdos"),
            "link": ("enlace", "enlaces"),
            "note": ("nota", "notas"),
            "file": ("archivo", "archivos"),
            "message": ("mensaje", "mensajes"),
        },
        by="de",
        room="en",
        about="sobre",
        tagged="con la etiqueta",
        pocket="en el bolsillo",
        site="de",
        no_page="No hay página {page}: esta es la última de {pages}.",
        page="Página {page} de {pages}. «Más» o «página 2» para seguir.",
        newest="Lo último guardado: {what}{conditions}",
        oldest="Lo primero guardado: {what}{conditions}",
        of="de",
    ),
}
