"""Phrases of time and the periods they stand for, in the asker's own calendar: a table of patterns (pure)."""

# ruff: noqa: E501 - patterns read better unbroken

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from bot.rag.calendar_words import (
    AGO,
    DAYS,
    LAST,
    MONTHS,
    NEXT,
    NUMBERS,
    SEASONS,
    THIRDS,
    THIS,
    UNITS,
    WEEKDAYS,
    alternatives,
)

SATURDAY = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A period between two local moments, before a preposition opens one side of it."""

    start: datetime
    end: datetime
    relative: bool = True


def days(first: date, after: date, local: datetime, *, relative: bool = True) -> Span:
    """Return the span from one day to the day after the last."""
    return Span(start=midnight(first, local), end=midnight(after, local), relative=relative)


def midnight(day: date, local: datetime) -> datetime:
    """Return the beginning of a day where the asker is."""
    return datetime.combine(day, time(), tzinfo=local.tzinfo)


def one_day(day: date, local: datetime, *, relative: bool = True) -> Span:
    """Return the span of a whole day."""
    return days(day, day + timedelta(days=1), local, relative=relative)


def unit_span(unit: str, steps: int, local: datetime) -> Span:
    """Return the calendar's day, week, weekend, month, quarter or year that is `steps` away from the present one."""
    today = local.date()
    monday = today - timedelta(days=today.weekday())
    match unit:
        case "hour":
            start = local.replace(minute=0, second=0, microsecond=0) + timedelta(hours=steps)
            return Span(start=start, end=start + timedelta(hours=1))
        case "day":
            return one_day(today + timedelta(days=steps), local)
        case "week":
            first = monday + timedelta(weeks=steps)
            return days(first, first + timedelta(weeks=1), local)
        case "weekend":
            saturday = monday + timedelta(weeks=steps, days=5)
            return days(saturday, saturday + timedelta(days=2), local)
        case _:
            months = {"month": 1, "quarter": 3, "year": 12}[unit]
            first = date(today.year, (today.month - 1) // months * months + 1, 1)
            return days(add_months(first, steps * months), add_months(first, (steps + 1) * months), local)


def add_months(day: date, count: int) -> date:
    """Return the same day `count` months on; the last of the month where it has no such day."""
    month = day.year * 12 + day.month - 1 + count
    year, month = divmod(month, 12)
    following = date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    return date(year, month + 1, min(day.day, (following - timedelta(days=1)).day))


def past_units(count: int, unit: str, local: datetime) -> Span:
    """Return the running period of `count` units that ends now."""
    if unit in {"month", "quarter", "year"}:
        start = add_months(local.date(), -count * {"month": 1, "quarter": 3, "year": 12}[unit])
        return Span(start=datetime.combine(start, local.timetz()), end=local)
    length = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}.get(unit)
    moment = local.astimezone(UTC)
    return Span(start=moment - count * (length or timedelta(weeks=1)), end=moment)


def weekday_span(number: int, local: datetime, *, before_today: bool) -> Span:
    """Return the last such day that has come: today counts, except after "last"."""
    back = (local.weekday() - number) % 7
    return one_day(local.date() - timedelta(days=back or (7 if before_today else 0)), local)


def month_span(month: int, year: int | None, local: datetime) -> Span:
    """Return a month; without a year, the last one that has begun."""
    first = date(year or local.year - (month > local.month), month, 1)
    return days(first, add_months(first, 1), local, relative=False)


def season_span(first_month: int, year: int | None, local: datetime, *, ended: bool = False) -> Span:
    """Return a season; without a year, the last one that has begun, or that has ended. Winter is named by its start."""
    first = date(year or local.year, first_month, 1)
    begun = first if not ended else add_months(first, 3)
    if year is None and begun > local.date():
        first = add_months(first, -12)
    return days(first, add_months(first, 3), local, relative=False)


def year_span(year: int, local: datetime) -> Span:
    """Return a whole year."""
    return days(date(year, 1, 1), date(year + 1, 1, 1), local, relative=False)


def date_span(day: int, month: int, year: int | None, local: datetime) -> Span | None:
    """Return the day of a date; None where the calendar has no such day."""
    try:
        found = date(year or local.year, month, day)
        if year is None and found > local.date():
            found = date(local.year - 1, month, day)
    except ValueError:
        return None
    return one_day(found, local, relative=False)


# The rules: a pattern and what it means ------------------------------------------------------------------


def as_number(words: str) -> int:
    """Return a count written in digits or in words."""
    return int(words) if words.isdigit() else NUMBERS[words.lower()]


def as_year(words: str | None) -> int | None:
    """Return a year, where one was written."""
    return int(words) if words else None


def named_day(match: "re.Match[str]", local: datetime) -> Span:
    """Read "yesterday"."""
    return unit_span("day", DAYS[" ".join(match["day"].lower().split())], local)


def calendar_unit(steps: int) -> Callable[["re.Match[str]", datetime], Span]:
    """Read "last week", "this month"."""
    return lambda match, local: unit_span(UNITS[match["unit"].lower()], steps, local)


def running(match: "re.Match[str]", local: datetime) -> Span:
    """Read "last 3 days": up to this very moment."""
    return past_units(as_number(match["count"]), UNITS[match["unit"].lower()], local)


def ago(match: "re.Match[str]", local: datetime) -> Span:
    """Read "3 days ago": that whole day."""
    return unit_span(UNITS[match["unit"].lower()], -as_number(match["count"]), local)


def weekday(match: "re.Match[str]", local: datetime) -> Span:
    """Read "on Monday"."""
    return weekday_span(WEEKDAYS[match["weekday"].lower()], local, before_today=bool(match.groupdict().get("last")))


def named_date(match: "re.Match[str]", local: datetime) -> Span | None:
    """Read "March 28"."""
    return date_span(int(match["number"]), MONTHS[match["month"].lower()], as_year(match["year"]), local)


def numeric_date(match: "re.Match[str]", local: datetime) -> Span | None:
    """Read "2026-03-28", "28.3."."""
    return date_span(int(match["number"]), int(match["month"]), as_year(match.groupdict().get("year")), local)


def named_month(match: "re.Match[str]", local: datetime) -> Span:
    """Read "in May"."""
    return month_span(MONTHS[match["month"].lower()], as_year(match.groupdict().get("year")), local)


def days_of_month(match: "re.Match[str]", local: datetime) -> Span | None:
    """Read "3 to 10 May": from the first day to the last, both included."""
    month, year = MONTHS[match["month"].lower()], as_year(match["year"])
    last = date_span(int(match["last"]), month, year, local)
    first = date_span(int(match["number"]), month, last.start.year, local) if last else None
    return Span(start=first.start, end=last.end, relative=False) if first and last else None


def part_of_month(match: "re.Match[str]", local: datetime) -> Span:
    """Read "early May": the first, second or last third of it."""
    whole = month_span(MONTHS[match["month"].lower()], as_year(match["year"]), local)
    third = THIRDS[" ".join(match["third"].lower().split())]
    cuts = [whole.start.replace(day=1), whole.start.replace(day=11), whole.start.replace(day=21), whole.end]
    return Span(start=cuts[third], end=cuts[third + 1], relative=False)


def season(match: "re.Match[str]", local: datetime) -> Span:
    """Read "last spring", "summer 2025": the last one that has ended, after "last"."""
    named = match.groupdict()
    first = SEASONS[match["season"].lower()]
    return season_span(first, as_year(named.get("year")), local, ended=bool(named.get("last")))


def this_weekend(_match: "re.Match[str]", local: datetime) -> Span:
    """Read "on the weekend": the last one that has begun."""
    return unit_span("weekend", 0 if local.weekday() >= SATURDAY else -1, local)


def named_quarter(match: "re.Match[str]", local: datetime) -> Span:
    """Read "Q1 2026"."""
    first = date(as_year(match["year"]) or local.year, int(match["quarter"]) * 3 - 2, 1)
    return days(first, add_months(first, 3), local, relative=False)


def whole_year(match: "re.Match[str]", local: datetime) -> Span:
    """Read "in 2025"."""
    return year_span(int(match["year"]), local)


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
    rule(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>[01]\d)-(?P<number>[0-3]\d)\b", numeric_date),
    rule(r"\b(?P<number>[0-3]?\d)\.\s?(?P<month>[01]?\d)\.(?:\s?(?P<year>(?:19|20)\d\d))?(?!\d)", numeric_date),
    rule(rf"\b{MONTH}\s+{DAY}(?:st|nd|rd|th)?\b(?:,?\s+{YEAR})?", named_date),
    rule(rf"\b{DAY}(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?{MONTH}(?:,?\s+(?:de\s+)?{YEAR})?", named_date),
    rule(rf"\b(?P<day>{alternatives(DAYS)})\b", named_day),
    rule(rf"\b(?:the\s+|den\s+|die\s+|los\s+|las\s+)?{LAST}\s+{COUNT}\s+{UNIT}", running),
    rule(rf"\b(?P<lead>(?:older|newer|younger)\s+than|(?:älter|neuer|jünger)\s+als)\s+{COUNT}\s+{UNIT}", running),
    rule(rf"\b{COUNT}\s+{UNIT}\s+{AGO[0]}\b", ago),
    rule(rf"\b{AGO[1]}\s+{COUNT}\s+{UNIT}", ago),
    rule(rf"\b(?:the\s+|der\s+|die\s+|das\s+|den\s+|el\s+|la\s+)?{LAST}\s+{UNIT}", calendar_unit(-1)),
    rule(rf"\b(?:el\s+|la\s+)?{UNIT}\s+(?:pasad[oa]s?|anterior)\b", calendar_unit(-1)),
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
