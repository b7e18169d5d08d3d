"""Phrases of time as a table: a pattern, and the period it stands for (pure)."""

# ruff: noqa: E501 - patterns read better unbroken

import re
from collections.abc import Callable
from datetime import datetime

from bot.rag.calendar_words import (
    AGO,
    DAY_PARTS,
    DAYS,
    LAST,
    MONTHS,
    NEXT,
    NUMBERS,
    PART_OF,
    SEASONS,
    THIRDS,
    THIS,
    UNITS,
    WEEKDAYS,
    alternatives,
)
from bot.rag.spans import (
    Span,
    ago,
    by_date,
    calendar_unit,
    day_of_month,
    days_of_month,
    named_date,
    named_day,
    named_month,
    named_quarter,
    numeric_date,
    part_of_day,
    part_of_month,
    running,
    season,
    slashed_date,
    this_weekend,
    tonight,
    weekday,
    whole_year,
)


def rule(
    pattern: str, build: Callable[["re.Match[str]", datetime], Span | None]
) -> tuple["re.Pattern[str]", Callable[["re.Match[str]", datetime], Span | None]]:
    """Return a compiled rule."""
    return re.compile(pattern, re.IGNORECASE), build


MONTH = rf"(?P<month>{alternatives(MONTHS)})\b\.?"
UNIT = rf"(?P<unit>{alternatives(UNITS)})\b"
COUNT = rf"(?P<count>\d{{1,3}}|{alternatives(NUMBERS)})"
WEEKDAY = rf"(?P<weekday>{alternatives(WEEKDAYS)})\b"
YEAR = r"(?P<year>(?:19|20)\d\d)\b"
DAY = r"(?P<number>[0-3]?\d)"
PLACE = (
    r"(?P<lead>in|during|since|until|till|before|after|from|of|for"
    r"|im|seit|bis|vor|nach|ab|en|desde|hasta|durante|antes de|de)"
)
DAY_PLACE = r"(?P<lead>on|since|until|till|before|after|from|am|seit|bis|vor|nach|el|desde|hasta)"
YEAR_PLACE = r"(?P<lead>in|during|since|until|till|before|after|from|im jahr|seit|bis|vor|nach|en|desde|hasta|durante)"

ORDINAL = r"(?:st|nd|rd|th|\.)?"
RANGE = r"\s*(?:-|–|—|\b(?:to|and|until|till|through|bis(?:\s+zum)?|und|al|y|a|hasta)\b)\s*(?:the\s+|dem\s+|el\s+)?"
SPANNING = r"(?:\b(?:between|from|zwischen|vom|von|del|de|entre|desde)\s+)?(?:the\s+|dem\s+|den\s+|el\s+)?"
SEASON = rf"(?P<season>{alternatives(SEASONS)})\b"

RULES = (
    rule(rf"{SPANNING}\b{DAY}{ORDINAL}{RANGE}(?P<last>[0-3]?\d){ORDINAL}\s+(?:of\s+|de\s+)?{MONTH}(?:,?\s+(?:de\s+)?{YEAR})?", days_of_month),
    rule(rf"{SPANNING}\b{MONTH}\s+{DAY}{ORDINAL}{RANGE}(?P<last>[0-3]?\d){ORDINAL}(?![\w.-])(?:,?\s+{YEAR})?", days_of_month),
    rule(rf"\b(?:(?:in|at|by|a)\s+(?:the\s+)?)?(?P<third>{alternatives(THIRDS)})[\s-]+{MONTH}(?:\s+{YEAR})?", part_of_month),
    rule(r"\b(?P<first>[0-3]?\d)/(?P<second>[0-3]?\d)/(?P<year>(?:19|20)\d\d)\b", slashed_date),
    rule(rf"\b(?P<lead>by)\s+{MONTH}\s+{DAY}(?:st|nd|rd|th)?\b(?:,?\s+{YEAR})?", by_date),
    rule(rf"\b(?P<lead>by)\s+(?:the\s+)?{DAY}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}(?:,?\s+{YEAR})?", by_date),
    rule(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>[01]\d)-(?P<number>[0-3]\d)\b", numeric_date),
    rule(r"\b(?P<number>[0-3]?\d)\.\s?(?P<month>[01]?\d)\.(?:\s?(?P<year>(?:19|20)\d\d))?(?!\d)", numeric_date),
    rule(rf"\b{MONTH}\s+{DAY}(?:st|nd|rd|th)?\b(?:,?\s+{YEAR})?", named_date),
    rule(rf"\b{DAY}(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?{MONTH}(?:,?\s+(?:de\s+)?{YEAR})?", named_date),
    rule(rf"\b(?P<lead>on|by|since|until|till|before|after|from)\s+the\s+{DAY}(?:st|nd|rd|th)\b(?=\s*(?:$|[?.!,;]|(?:about|and|by|from|in|on)\b))", day_of_month),
    rule(rf"\b(?P<day>{alternatives(PART_OF)})\s+(?P<part>{alternatives(DAY_PARTS)})\b", part_of_day),
    rule(r"\btonight\b", tonight),
    rule(rf"\b(?P<day>{alternatives(DAYS)})\b", named_day),
    rule(rf"\b(?:the\s+|den\s+|die\s+|los\s+|las\s+)?{LAST}\s+{COUNT}\s+{UNIT}", running),
    rule(rf"\b(?P<lead>(?:older|newer|younger)\s+than|(?:älter|neuer|jünger)\s+als)\s+{COUNT}\s+{UNIT}", running),
    rule(rf"\b{COUNT}\s+{UNIT}\s+{AGO[0]}\b", ago),
    rule(rf"\b{AGO[1]}\s+{COUNT}\s+{UNIT}", ago),
    rule(rf"\b(?:the\s+|der\s+|die\s+|das\s+|den\s+|el\s+|la\s+)?{LAST}\s+{UNIT}", calendar_unit(-1)),
    rule(rf"\b(?:el\s+|la\s+)?{UNIT}\s+(?:pasad[oa]s?|anterior)\b", calendar_unit(-1)),
    rule(rf"\b(?:the\s+)?{UNIT}\s+before\s+last\b", calendar_unit(-2)),
    rule(rf"\bvorletzte[nrms]?\s+{UNIT}", calendar_unit(-2)),
    rule(rf"\b(?:la\s+|el\s+)?{UNIT}\s+antepasad[oa]\b", calendar_unit(-2)),
    rule(rf"\b{THIS}\s+{UNIT}", calendar_unit(0)),
    rule(r"\b(?:on|at|over|am|übers?|en|el)\s+(?:the\s+|das\s+|el\s+)?(?:weekend|wochenende|fin\s+de\s+semana)\b", this_weekend),
    rule(rf"\b(?:the\s+|den\s+|dem\s+|im\s+|el\s+|la\s+)?(?P<last>{LAST})\s+{SEASON}", season),
    rule(rf"\b(?:el\s+|la\s+)?{SEASON}\s+(?P<last>pasad[oa])\b", season),
    rule(rf"\b{SEASON}\s+(?:of\s+|de\s+)?{YEAR}", season),
    rule(rf"\b{THIS}\s+{SEASON}", season),
    rule(rf"\b{PLACE}\s+(?:the\s+|dem\s+|el\s+|la\s+)?{SEASON}", season),
    rule(rf"\b{NEXT}\s+{UNIT}", calendar_unit(1)),
    rule(rf"\b(?P<last>{LAST})\s+{WEEKDAY}", weekday),
    rule(rf"\b(?:el\s+)?{WEEKDAY}\s+(?P<last>pasado)\b", weekday),
    rule(rf"\b{DAY_PLACE}\s+(?:el\s+)?{WEEKDAY}", weekday),
    rule(rf"\b{LAST}\s+{MONTH}", named_month),
    rule(rf"\b{MONTH}\s+(?:de\s+)?{YEAR}", named_month),
    rule(rf"\b{PLACE}\s+{MONTH}(?!\s+\d)", named_month),
    rule(rf"\bq(?P<quarter>[1-4])\b(?:\s+{YEAR})?", named_quarter),
    rule(rf"\b{YEAR_PLACE}\s+{YEAR}", whole_year),
)  # fmt: skip
BARE_RULES = (rule(MONTH, named_month), rule(YEAR, whole_year), rule(WEEKDAY, weekday))
