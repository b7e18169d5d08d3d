"""The words for times in English, German and Spanish."""

# ruff: noqa: E501 - word lists and patterns read better unbroken

import re
from collections.abc import Iterable, Mapping


def alternatives(words: Iterable[str]) -> str:
    """Return a pattern for any of these words, longest first; a space matches any white space."""
    ordered = sorted(words, key=lambda word: -len(word))
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in ordered)


DAYS: Mapping[str, int] = {
    "day before yesterday": -2,
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
    "vorgestern": -2,
    "gestern": -1,
    "heute": 0,
    "anteayer": -2,
    "ayer": -1,
    "hoy": 0,
}
"""Days from today. German "morgen" alone is left out: it also greets."""

DAY_PARTS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("morning", "morgen", "früh", "vormittag", "mañana"), (0, 12)),
    **dict.fromkeys(("afternoon", "nachmittag", "tarde"), (12, 18)),
    **dict.fromkeys(("evening", "abend"), (17, 24)),
    **dict.fromkeys(("night", "nacht", "noche"), (18, 30)),
}
"""The hours of each, from midnight on; a night goes on into the next day."""
PART_OF: Mapping[str, int] = {
    "this": 0, "today": 0, "heute": 0, "esta": 0, "hoy por la": 0,
    "last": -1, "yesterday": -1, "gestern": -1, "letzte": -1, "ayer por la": -1,
}  # fmt: skip
"""What stands before a part of a day, and the day's distance from today."""

UNITS: Mapping[str, str] = {
    word: unit
    for unit, words in {
        "hour": "hour hours stunde stunden hora horas",
        "day": "day days tag tage tagen día días dia dias",
        "week": "week weeks woche wochen semana semanas",
        "weekend": "weekend wochenende finde",
        "month": "month months monat monate monaten monats mes meses",
        "quarter": "quarter quarters quartal quartale trimestre trimestres",
        "year": "year years jahr jahre jahren jahres año años",
    }.items()
    for word in words.split()
} | {"fin de semana": "weekend"}

NUMBERS: Mapping[str, int] = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "couple of": 2, "a couple of": 2, "thirty": 30,
    "ein": 1, "eine": 1, "einer": 1, "einem": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7,
    "acht": 8, "neun": 9, "zehn": 10, "zwölf": 12, "vierzehn": 14, "dreißig": 30,
    "un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9,
    "diez": 10, "doce": 12, "quince": 15, "treinta": 30,
}  # fmt: skip

MONTHS: Mapping[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner enero",
            "february feb februar febrero",
            "march mar märz maerz marzo",
            "april apr abril",
            "may mai mayo",
            "june jun juni junio",
            "july jul juli julio",
            "august aug agosto",
            "september sep sept septiembre",
            "october oct oktober okt octubre",
            "november nov noviembre",
            "december dec dezember dez diciembre",
        ),
        start=1,
    )
    for name in names.split()
}

WEEKDAYS: Mapping[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lunes",
            "tuesday dienstag martes",
            "wednesday mittwoch miércoles",
            "thursday donnerstag jueves",
            "friday freitag viernes",
            "saturday samstag sonnabend sábado",
            "sunday sonntag domingo",
        )
    )
    for name in names.split()
}

LAST = r"(?:last|past|previous|letzte[nrms]?|vorige[nrms]?|vergangene[nrms]?|últim[oa]s?|ultim[oa]s?)"
THIS = r"(?:this|the current|diese[nrms]?|est[ae])"
NEXT = r"(?:next|coming|nächste[nrms]?|naechste[nrms]?|kommende[nrms]?|próxim[oa]|proxim[oa])"
AGO = (r"(?:ago|back)", r"(?:vor|hace)")
"""After the count, and before it."""

SEASONS: Mapping[str, int] = {
    name: month
    for month, names in {
        3: "spring springtime frühling frühlings frühjahr primavera",
        6: "summer sommer sommers verano",
        9: "autumn fall herbst otoño",
        12: "winter winters invierno",
    }.items()
    for name in names.split()
}
"""The first month of each: a season is three whole months, as in the northern half of the world."""
THIRDS: Mapping[str, int] = {
    "early": 0, "beginning of": 0, "start of": 0, "anfang": 0, "principios de": 0, "comienzos de": 0,
    "mid": 1, "middle of": 1, "mitte": 1, "mediados de": 1,
    "late": 2, "end of": 2, "ende": 2, "finales de": 2, "fines de": 2,
}  # fmt: skip
"""Which third of a month."""

SINCE = frozenset(
    {"since", "starting", "seit", "ab", "desde", "desde el", "newer than", "younger than", "neuer als", "jünger als"}
)
AFTER = frozenset({"after", "nach", "después de", "después del"})
UNTIL = frozenset({"until", "till", "up to", "by", "through", "bis", "bis zum", "hasta", "hasta el"})
BEFORE = frozenset({"before", "vor", "vor dem", "antes de", "antes del", "older than", "älter als"})
ONWARDS = re.compile(r"\s*(?:onwards?|on(?=\s*(?:$|[,.!?]))|up to now|until now|till now|an\b(?=\s*$))", re.IGNORECASE)
"""After "from May": it opens the end. Alone, "from May" is that month."""
OPENERS = re.compile(
    rf"(?<!\w)(?P<word>{alternatives(SINCE | AFTER | UNTIL | BEFORE | {'on', 'in', 'during', 'from', 'am', 'im', 'von', 'el', 'en', 'durante', 'for', 'of'})})"
    r"\s+(?:the\s+)?$",
    re.IGNORECASE,
)  # fmt: skip
BETWEEN = (
    ("between", "and"),
    ("from", "(?:to|until|till|through)"),
    ("zwischen", "und"),
    ("von", "bis(?: zum)?"),
    ("entre", "y"),
    ("desde", "hasta"),
    ("del", "al"),
)

VAGUE = re.compile(
    r"""\bin\ (?:the\ )?(?:olden|old|ancient|early|good\ old)\ (?:times|days)\b
    | \b(?:back\ in\ the\ day|in\ the\ past|back\ then|once\ upon\ a\ time|the\ other\ (?:day|week|month))\b
    | \b(?:a|some|long|quite\ a)\ (?:while|time|bit)\ (?:ago|back)\b | \blong\ ago\b | \bages\ ago\b | \bfor\ a\ while\b
    | \b(?:a\ few|several|some|many)\ (?:hours|days|weeks|months|years)\ (?:ago|back)\b
    | \b(?:the\ )?(?:last|past)\ (?:few|several|couple\ of)\ (?:hours|days|weeks|months|years)\b
    | \b(?:recently|lately|earlier\ this\ \w+|sometime\ (?:last|this)\ \w+)\b
    | \b(?:last|this|next|previous)\ (?:sprint|season|semester|term|decade|century|easter|christmas)\b
    | \b(?:since|until|before|after|around|over|during)\ (?:the\ )?(?:easter|christmas|thanksgiving|new\ year|holidays?|vacation|lockdown|pandemic)\b
    | \b(?:neulich|kürzlich|damals|früher|vor\ (?:kurzem|langer\ zeit|einiger\ zeit|einigen\ \w+))\b
    | \b(?:hace\ (?:tiempo|poco|mucho|unos\ \w+)|recientemente|últimamente|el\ otro\ día|antiguamente)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)  # fmt: skip
"""Phrases of time without an exact meaning: reported, never turned into "all" in silence."""
