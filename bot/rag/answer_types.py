"""Tell which sort of thing a question asks for, and whether a sentence holds one: a price, a date, a name (pure)."""

# ruff: noqa: E501 - patterns read better unbroken

import re
from dataclasses import dataclass

from bot.rag.lexicon import FUNCTION_WORDS

COUNTED = (
    r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|eighteen|twenty|thirty|forty|fifty|sixty|"
    r"hundred|thousand|million|half|several|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert|tausend|"
    r"dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|treinta|cien|mil)"
)
TIME = (
    r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)|generations?|Sekunden?|Minuten?|Stunden?|Tage?n?|Wochen?|"
    r"Monate?n?|Jahre?n?|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?)"
)
MONEY = (
    r"(?:[€$£¥]\s?\d|\d\s?[€$£¥]|\b(?:euros?|dollars?|pounds?|cents?|pence|usd|eur|gbp|chf|franken|pesos?|yen|rupees?)\b|"
    r"\b(?:prices?|costs?|fees?|rents?|preise?|kosten|precio|coste|minimum|maximum)\s\d|\bfree of charge\b|\bfor free\b|\bkostenlos\b|\bgratis\b)"
)
MONTHS = (
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|"
    r"Dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|"
    r"Nov|Dec)\b"
)
DAYS = (
    r"\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tags?|Mittwochs?|lunes|martes|miércoles|jueves|"
    r"viernes|sábados?|domingos?|today|yesterday|tomorrow|tonight|noon|midnight|sunset|sunrise|spring|summer|autumn|winter|nightly|daily)\b"
)
SAID_WITH_CAPITALS = (
    rf"\b(?!(?:{'|'.join(sorted(FUNCTION_WORDS))})\b)"
    r"(?-i:[A-ZÄÖÜ][\w.'’-]+(?:\s+(?:de|la|van|von|der|den|al|bin|[A-Z]\.))*\s+[A-ZÄÖÜ][\w'’-]+)"
)
AGENT = r"\b(?:by|por)\s+(?-i:[A-ZÄÖÜ][\w'’-]+)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """A sort of answer: how it is asked for, and how a sentence that holds it looks."""

    asks: re.Pattern[str]
    holds: re.Pattern[str]


def sort(asks: str, holds: str) -> Sort:
    """Return a sort of answer from two patterns that heed no case."""
    return Sort(asks=re.compile(asks, re.IGNORECASE), holds=re.compile(holds, re.IGNORECASE))


HOW = r"\b(?:how|wie|qué tan|cuán)\s+"
SORTS = (
    sort(
        r"\b(?:how much|what)\b.*\b(?:cost|costs|charge|sells?|pay|paid|price|fee|earns?|salary|wage)\b|\b(?:price|cost|costs|fee) of\b|\bhow (?:expensive|cheap)\b|"
        r"\b(?:wie ?viel|was)\b.*\bkoste\w*|\b(?:preis|kosten)\b|\bwie teuer\b|\bcu[áa]nto (?:cuesta|vale|cobra)\w*|\b(?:precio|coste)\b",
        MONEY,
    ),
    sort(HOW + r"(?:long|lange)\b|\bcu[áa]nto (?:tiempo|dura|tarda|aguanta)", rf"\b{COUNTED}[\s-]+(?:\w+\s+)?{TIME}\b"),
    sort(
        r"\b(?:when|wann|cu[áa]ndo|(?:what|which) (?:year|date|day|month|time)|since when|seit wann|um wie ?viel uhr|a qué hora)\b",
        rf"{MONTHS}|{DAYS}|\b(?:1[5-9]|20)\d\d\b|\b\d{{1,2}}:\d\d\b|\b{COUNTED}\s+{TIME}\s+(?:after|before|ago|later|nach|vor|después|antes)\b|"
        rf"\b(?:vor|nach|hace)\s+{COUNTED}\b|\b\d+\s?[ap]\.?m\b",
    ),
    sort(
        HOW + r"(?:heavy|schwer)\b|\bweigh|\bwiegt\b|\bpesa\b",
        rf"{COUNTED}\s?(?:kg|g|lbs?|tons?|tonnes?|kilos?|grams?|pounds?|Tonnen?|Gramm)\b",
    ),
    sort(
        HOW + r"(?:far|tall|high|deep|wide|thick|hoch|weit|tief|breit|groß|dick)\b|\bhow (?:big|large)\b",
        rf"{COUNTED}\s?(?:km|m|cm|mm|miles?|feet|foot|inch\w*|met(?:er|re)s?|kilomet\w+|centimet\w+|hectares?|Metern?|Zentimetern?|acres?)\b",
    ),
    sort(HOW + r"(?:hot|cold|warm|heiß|kalt)\b|\btemperatur", r"\d\s?(?:°|degrees?|grad|grados)|\bdegrees\b"),
    sort(
        r"\b(?:how (?:many|much|often|old|fast)|wie ?viele?|wie oft|wie alt|wie schnell|cu[áa]nt[oa]s?)\b",
        rf"\b{COUNTED}\b",
    ),
    sort(
        r"\b(?:who|whom|whose|wer|wen|wem|qui[ée]n(?:es)?)\b",
        rf"{SAID_WITH_CAPITALS}|{AGENT}|\b(?:Mr|Mrs|Ms|Dr|Prof|Frau|Herr|Sra?|Doña|Don)\b\.?\s|(?-i:\b(?:ist|is|was|es|are|war)\s+[A-ZÄÖÜ]\w+)",
    ),
    sort(
        r"\b(?:where|wo|woher|wohin|ad?[óo]nde|d[óo]nde)\b",
        r"\b(?:in|at|near|from|to|of|im|am|bei|aus|nach|en|de|cerca de|junto a)\s+(?:the\s+|der\s+|dem\s+|la\s+|el\s+)?(?-i:[A-ZÄÖÜ]\w)|"
        r"\b(?:street|lane|road|avenue|square|behind|beside|opposite|straße|gasse|platz|hinter|neben|calle|avenida|plaza|detrás)\b",
    ),
)
"""The narrower before the wider."""


def sort_of(question: str) -> Sort | None:
    """Return the sort of answer that a question asks for, by what it asks first; None where it names none."""
    asked = [(found.start(), place) for place, one in enumerate(SORTS) if (found := one.asks.search(question))]
    return SORTS[min(asked)[1]] if asked else None
