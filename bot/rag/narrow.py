"""Read who, where, when and what kind out of a question: conditions, and the topic left over (pure)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from bot.domain.memories import Filters
from bot.rag.dates import Interval, Said, find_times, intersect
from bot.rag.narrow_words import HERE, KIND_LEAD, KINDS, LISTING, ME, POCKET, RANKED, SCAFFOLD, SHARED, SITE, TAGGED

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """What a question asks for besides its topic."""

    filters: Filters = field(default_factory=Filters)
    topic: str = ""
    """The content words that remain: what the memories should be about. May be empty."""
    unparsed: tuple[str, ...] = ()
    """Conditions that could not be read: to be told to the person, never silently dropped."""
    said: tuple[str, ...] = ()
    """The phrases that became filters, as they stand in the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One condition: where it stands in the text, and what it adds to the filters. `add` None: could not be read."""

    start: int
    end: int
    phrase: str
    add: Filters | None


def narrow(
    text: str,
    *,
    now: datetime,
    timezone: str,
    person_names: Sequence[str],
    room_names: Sequence[str],
    asker_key: str = "",
    here_key: str = "",
) -> Narrowed:
    """Return the filters said in `text`. Names count only if they are among the known ones.

    Dates of the calendar filter only where the question is about what was shared: "what did we save in May", but
    not "the weather in Rome in May". `asker_key` and `here_key` are what "I" and "here" stand for.
    """
    about_sharing = speaks_of_sharing(text, person_names)
    found: list[Found] = []
    for one in (
        *times(text, now=now, timezone=timezone, about_sharing=about_sharing),
        *places(text, room_names, here_key),
        *people(text, person_names, asker_key),
        *ranks(text, about_sharing=about_sharing),
        *kinds(text, about_sharing=about_sharing),
        *labels(text),
    ):
        if all(one.end <= other.start or one.start >= other.end for other in found):
            found.append(one)
    return assemble(text, sorted(found, key=lambda one: one.start))


def assemble(text: str, found: Sequence[Found]) -> Narrowed:
    """Put all conditions together: those of one kind widen each other, two times narrow each other."""
    return Narrowed(
        filters=merged([one.add for one in found if one.add]),
        topic=topic_of(text, found),
        unparsed=tuple(one.phrase for one in found if one.add is None),
        said=tuple(one.phrase for one in found if one.add),
    )


def merged(filters: Sequence[Filters]) -> Filters:
    """Return one filter: times intersect, names and kinds add up, the last pocket and site count."""
    time = intersect([Interval(since=one.since, until=one.until) for one in filters])
    return Filters(
        person_names=together(one.person_names for one in filters),
        person_ids=together(one.person_ids for one in filters),
        room_names=together(one.room_names for one in filters),
        room_keys=together(one.room_keys for one in filters),
        since=time.since,
        until=time.until,
        kinds=together(one.kinds for one in filters),
        tags=together(one.tags for one in filters),
        pocket=next((one.pocket for one in reversed(filters) if one.pocket), ""),
        site=next((one.site for one in reversed(filters) if one.site), ""),
    )


def together(parts: Iterable[tuple[Value, ...]]) -> tuple[Value, ...]:
    """Return all values once, in order."""
    return tuple(dict.fromkeys(value for part in parts for value in part))


def topic_of(text: str, found: Sequence[Found]) -> str:
    """Return the words that remain without the conditions and without the frame of the question."""
    rest = text
    for one in reversed(found):
        rest = f"{rest[: one.start]} {rest[one.end :]}"
    words = re.findall(r"[\w][\w.+#/&'’-]*", rest)
    return " ".join(word for word in (word.strip(".'’-") for word in words) if word and word.lower() not in SCAFFOLD)


def speaks_of_sharing(text: str, person_names: Sequence[str]) -> bool:
    """Return whether the question is about acts of sharing, or holds nothing but conditions."""
    if SHARED.search(text) or LISTING.search(text) or any(people(text, person_names, "")):
        return True
    return not topic_of(text, tuple(times(text, now=EPOCH, timezone="UTC", about_sharing=True)))


EPOCH = datetime.fromisoformat("2000-06-15T12:00:00+00:00")
"""Any moment serves to find where phrases of time stand."""


def times(text: str, *, now: datetime, timezone: str, about_sharing: bool) -> Iterator[Found]:
    """Find when: several phrases narrow each other. "Once upon a time" is a condition only on what was shared."""
    for said in find_times(text, now=now, timezone=timezone):
        if about_sharing or (said.relative and said.interval):
            yield Found(start=said.start, end=said.end, phrase=said.phrase, add=within(said))


def within(said: Said) -> Filters | None:
    """Return a time as a filter; None when it could not be read."""
    return Filters(since=said.interval.since, until=said.interval.until) if said.interval else None


def places(text: str, room_names: Sequence[str], here_key: str) -> Iterator[Found]:
    """Find where: "#design", "in design", "in the design channel", and "here"."""
    names = {name.lstrip("#").lower(): name for name in room_names if name.strip("# ")}
    for match in re.finditer(r"(?:\b(?:in|from|auf|aus|en|de)\s+)?(?<!\w)#(?P<name>[\w-]+)", text, re.IGNORECASE):
        known = names.get(match["name"].lower())
        if known:
            yield found(match, Filters(room_names=(known,)))
        else:
            yield found(match, Filters(tags=(match["name"].lower(),)))
    if names:
        known_names = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        pattern = (
            rf"\b(?:in|from|im|en|aus)\s+(?:the\s+|dem\s+|el\s+)?(?P<name>{known_names})\b{ROOM_WORD}(?!\s*[-/]\w)"
        )
        for match in re.finditer(pattern, text, re.IGNORECASE):
            known = names[match["name"].lower()]
            yield found(match, Filters(room_names=(known,)))
    if here_key and (here := HERE.search(text)):
        yield found(here, Filters(room_keys=(here_key,)))


def people(text: str, person_names: Sequence[str], asker_key: str) -> Iterator[Found]:
    """Find who: a known name beside a verb or preposition of sharing, "@name", and "I"."""
    called = calls(person_names)
    for call in sorted(called, key=len, reverse=True):
        name = re.escape(call)
        for shape in PERSON_SHAPES:
            for match in re.finditer(shape.format(name=name), text, re.IGNORECASE):
                yield Found(
                    start=match.start("who"),
                    end=match.end("who"),
                    phrase=match["who"],
                    add=Filters(person_names=called[call]),
                )
    yield from strangers(text, called)
    if asker_key and (me := ME.search(text)):
        yield found(me, Filters(person_ids=(asker_key,)))


def calls(person_names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what people may be called, in lower case: the whole name or the first, which several may share."""
    called: dict[str, tuple[str, ...]] = {}
    for name in person_names:
        for call in {name.lower(), name.lower().split()[0]} if name.strip() else ():
            called[call] = (*called.get(call, ()), name)
    return called


def strangers(text: str, called: dict[str, tuple[str, ...]]) -> Iterator[Found]:
    """Find names that nobody here bears: they cannot filter, and that must be said."""
    for match in STRANGER.finditer(text):
        who = match["mention"] or match["subject"] or match["author"]
        if who.lstrip("@").lower() not in called and who.lower() not in SCAFFOLD:
            at = match.start() + match[0].index(who)
            yield Found(start=at, end=at + len(who), phrase=who, add=None)


ROOM_WORD = r"(?:\s+(?:channel|room|group|kanal|gruppe|canal|grupo))?"
SHARE_VERB = (
    r"(?:share|shared|save|saved|post|posted|send|sent|add|added|drop|dropped|upload|uploaded|link|linked|forward|"
    r"forwarded|write|wrote|written|note|noted|geteilt|gespeichert|gepostet|geschickt|gesendet|teilte|speicherte|"
    r"compartió|guardó|envió|publicó|subió|compartido|guardado|enviado)"
)
PERSON_SHAPES = (
    r"(?P<who>@{name}\b)",
    r"\b(?P<who>(?:by|from|von|por)\s+@?{name}\b)",
    r"\b(?:did|does|has|have|had|hat|haben|ha|han)\s+(?P<who>{name}\b)",
    r"\b(?P<who>{name})\s+(?:has\s+|have\s+|hat\s+|ha\s+)?(?:\S+\s+){{0,2}}?" + SHARE_VERB + r"\b",
    r"\b" + SHARE_VERB + r"\s+(?P<who>{name}\b)",
    r"\b(?P<who>{name}['’]s)\s+(?:\w+\s+)?(?:links?|notes?|files?|messages?|posts?|articles?|memories)\b",
    r"\b(?:links?|notes?|files?|notizen|dateien|notas|enlaces|archivos)\s+(?P<who>(?:of|von|de)\s+{name}\b)",
)
STRANGER = re.compile(
    r"(?<![\w.])(?P<mention>@[\w.-]+)"
    rf"|\b(?:did|has|hat|ha)\s+(?P<subject>(?-i:[A-ZÄÖÜ][\w-]+))\s+(?:\S+\s+){{0,6}}?{SHARE_VERB}\b"
    rf"|\b(?:shared|saved|posted|sent|added|geteilt|gespeichert)\s+(?:by|von)\s+(?P<author>(?-i:[A-ZÄÖÜ][\w-]+))",
    re.IGNORECASE,
)


def ranks(text: str, *, about_sharing: bool) -> Iterator[Found]:
    """Find "the latest" and "the first three" before what is kept: no topic, and no filter either."""
    if about_sharing:
        for match in RANKED.finditer(text):
            yield found(match, Filters())


def kinds(text: str, *, about_sharing: bool) -> Iterator[Found]:
    """Find what kind: only where the noun is asked for ("all links", "which notes"), not part of a topic."""
    if not about_sharing:
        return
    for match in KIND_LEAD.finditer(text):
        yield Found(
            start=match.start("kind"),
            end=match.end("kind"),
            phrase=match["kind"],
            add=Filters(kinds=(KINDS[match["kind"].lower()],)),
        )


def labels(text: str) -> Iterator[Found]:
    """Find tags, the pocket and the site that are named."""
    for match in TAGGED.finditer(text):
        yield found(match, Filters(tags=(match["tag"].lower(),)))
    for match in POCKET.finditer(text):
        name = match["after"] or match["before"]
        yield found(match, Filters(pocket=name.strip("\"'“”")))
    for match in SITE.finditer(text):
        yield found(match, Filters(site=match["site"].lower().removeprefix("www.")))


def found(match: "re.Match[str]", add: Filters) -> Found:
    """Return a condition that is the whole match."""
    return Found(start=match.start(), end=match.end(), phrase=match[0].strip(), add=add)
