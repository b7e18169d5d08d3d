"""The periods that phrases of time stand for, in the asker's own calendar (pure)."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from bot.rag.calendar_words import (
    DAY_PARTS,
    DAYS,
    MONTHS,
    NUMBERS,
    PART_OF,
    SEASONS,
    THIRDS,
    UNITS,
    WEEKDAYS,
)

SATURDAY = 5
MONTHS_A_YEAR = 12
JUST_AHEAD = timedelta(days=31)


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


# What a pattern means --------------------------------------------------------------------------------------


def as_number(words: str) -> int:
    """Return a count written in digits or in words."""
    return int(words) if words.isdigit() else NUMBERS[words.lower()]


def as_year(words: str | None) -> int | None:
    """Return a year, where one was written."""
    return int(words) if words else None


def named_day(match: "re.Match[str]", local: datetime) -> Span:
    """Read "yesterday"."""
    return unit_span("day", DAYS[" ".join(match["day"].lower().split())], local)


def part_of_day(match: "re.Match[str]", local: datetime) -> Span:
    """Read "last night", "yesterday afternoon"."""
    first, last = DAY_PARTS[match["part"].lower()]
    start = midnight(local.date() + timedelta(days=PART_OF[" ".join(match["day"].lower().split())]), local)
    return Span(start=start + timedelta(hours=first), end=start + timedelta(hours=last))


def tonight(_match: "re.Match[str]", local: datetime) -> Span:
    """Read "tonight"."""
    start = midnight(local.date(), local)
    return Span(start=start + timedelta(hours=18), end=start + timedelta(hours=30))


def day_of_month(match: "re.Match[str]", local: datetime) -> Span | None:
    """Read "on the 18th": the last one that has come."""
    months = (add_months(local.date().replace(day=1), -back) for back in range(3))
    spans = (date_span(int(match["number"]), first.month, first.year, local) for first in months)
    return next((span for span in spans if span and span.start <= local), None)


def slashed_date(match: "re.Match[str]", local: datetime) -> Span | None:
    """Read "12/31/2026": where both could be the month, it stands first in America and second elsewhere."""
    first, second = int(match["first"]), int(match["second"])
    american = second > MONTHS_A_YEAR or (first <= MONTHS_A_YEAR and str(local.tzinfo).startswith(("America/", "US/")))
    day, month = (second, first) if american else (first, second)
    return date_span(day, month, int(match["year"]), local)


def by_date(match: "re.Match[str]", local: datetime) -> Span | None:
    """Read "by December 3", which may be just ahead."""
    last = named_date(match, local)
    ahead = (
        None
        if match["year"] or last is None
        else date_span(last.start.day, last.start.month, last.start.year + 1, local)
    )
    return ahead if ahead and ahead.start - local < JUST_AHEAD else last


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
