"""Read the times that people write ("last week", "bis 28. März", "hace 3 días") as exact half-open intervals (pure).

Weeks run from Monday to Sunday, seasons are those of the northern half of the world. A day begins and ends at the
asker's own midnight, so that the day on which clocks go forward has 23 hours. A date without a year is the last one
that has come; "from May" is that month, "from May on" opens its end.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.rag.calendar_words import AFTER, BEFORE, BETWEEN, ONWARDS, OPENERS, SINCE, UNTIL, VAGUE
from bot.rag.span_rules import BARE_RULES, RULES
from bot.rag.spans import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """since <= t < until, in UTC; an open end is None."""

    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A phrase of time as it stands in the text, at [start, end), with its interval; None when it cannot be read."""

    start: int
    end: int
    phrase: str
    interval: Interval | None
    relative: bool = False
    """Counted from now ("yesterday"), not a date of the calendar ("in May")."""


def find_times(text: str, *, now: datetime, timezone: str) -> tuple[Said, ...]:
    """Return every phrase of time in `text`, in reading order; those that cannot be read carry no interval."""
    local = now.astimezone(ZoneInfo(timezone))
    found: list[Said] = []
    for reader in (read_between, read_one, read_vague):
        for said in reader(text, local):
            if all(said.end <= other.start or said.start >= other.end for other in found):
                found.append(said)
    return tuple(sorted(found, key=lambda said: said.start))


def intersect(intervals: list[Interval]) -> Interval:
    """Return what all the intervals have in common."""
    starts = [interval.since for interval in intervals if interval.since]
    ends = [interval.until for interval in intervals if interval.until]
    return Interval(since=max(starts, default=None), until=min(ends, default=None))


def read_between(text: str, local: datetime) -> list[Said]:
    """Read "between X and Y", "from X to Y" and the same in German and Spanish."""
    found = []
    for opening, joining in BETWEEN:
        for match in re.finditer(rf"\b{opening}\s+(.{{2,30}}?)\s+{joining}\s+(.{{2,30}})", text, re.IGNORECASE):
            first = whole_span(match[1].strip(), local)
            second = leading_span(match[2], local)
            if first and second and first.start >= second[0].end:
                first = whole_span(match[1].strip(), second[0].start)
            if first and second:
                end = match.start(2) + second[1]
                interval = in_utc(first.start, second[0].end)
                found.append(Said(start=match.start(), end=end, phrase=text[match.start() : end], interval=interval))
    return found


def read_one(text: str, local: datetime) -> list[Said]:
    """Read single phrases, with the preposition before them that opens or closes one side."""
    found: list[Said] = []
    for pattern, build in RULES:
        for match in pattern.finditer(text):
            span = build(match, local)
            if span is None or taken(match, found):
                continue
            found.append(with_preposition(text, match, span))
    return found


def read_vague(text: str, _local: datetime) -> list[Said]:
    """Find phrases that speak of a time which no calendar knows."""
    return [
        Said(start=match.start(), end=match.end(), phrase=match[0], interval=None, relative=True)
        for match in VAGUE.finditer(text)
    ]


def taken(match: "re.Match[str]", found: list[Said]) -> bool:
    """Return whether an earlier rule has read these words already."""
    return any(match.start() < said.end and said.start < match.end() for said in found)


def with_preposition(text: str, match: "re.Match[str]", span: Span) -> Said:
    """Return the phrase with its preposition: "since" opens the end, "until" includes it, "before" stops at it."""
    inside = match.groupdict().get("lead")
    opener = None if inside else OPENERS.search(text[: match.start()])
    word = " ".join((inside or (opener["word"] if opener else "")).lower().split())
    start, end = opener.start("word") if opener else match.start(), match.end()
    onwards = ONWARDS.match(text, end)
    if onwards:
        end = onwards.end()
    if word in SINCE or onwards:
        interval = in_utc(span.start, None)
    elif word in AFTER:
        interval = in_utc(span.end, None)
    elif word in UNTIL:
        interval = in_utc(None, span.end)
    elif word in BEFORE:
        interval = in_utc(None, span.start)
    else:
        interval = in_utc(span.start, span.end)
    return Said(start=start, end=end, phrase=text[start:end], interval=interval, relative=span.relative)


def in_utc(start: datetime | None, end: datetime | None) -> Interval:
    """Return the interval between two local moments."""
    return Interval(since=start and start.astimezone(UTC), until=end and end.astimezone(UTC))


def whole_span(phrase: str, local: datetime) -> Span | None:
    """Return the span of a phrase that is nothing but a time; a bare month or year counts here."""
    found = leading_span(phrase, local)
    return found[0] if found and found[1] >= len(phrase) else None


def leading_span(phrase: str, local: datetime) -> tuple[Span, int] | None:
    """Return the span that `phrase` begins with, and where it ends."""
    spans = []
    for pattern, build in (*RULES, *BARE_RULES):
        match = pattern.match(phrase)
        span = build(match, local) if match else None
        if match and span:
            spans.append((span, match.end()))
    return max(spans, key=lambda pair: pair[1], default=None)
