"""Conditions in questions: who, where, when and what kind, in the asker's own time."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.domain.memories import Filters
from bot.rag.dates import find_times
from bot.rag.narrow import narrow
from bot.rag.narrow_words import LISTING

NOON = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
"""A Wednesday."""


def read(text, *, now=NOON, timezone="UTC", **keys):
    return narrow(text, now=now, timezone=timezone, person_names=["Ines Vogt", "Tomás"], room_names=["garden"], **keys)


def interval(text, **where):
    filters = read(text, **where).filters
    return tuple(moment and moment.strftime("%m-%d %H:%M") for moment in (filters.since, filters.until))


def day(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_who_where_when_and_topic_are_read_from_one_question():
    narrowed = read("what did Ines share in #garden last week about compost?")
    assert narrowed.filters == Filters(
        person_names=("Ines Vogt",), room_names=("garden",), since=day("2026-06-01"), until=day("2026-06-08")
    )
    assert narrowed.topic == "compost"
    assert narrowed.said == ("Ines", "in #garden", "last week")
    assert not narrowed.unparsed


@pytest.mark.parametrize(
    ("phrase", "since", "until"),
    [
        ("today", "06-10 00:00", "06-11 00:00"),
        ("yesterday", "06-09 00:00", "06-10 00:00"),
        ("this week", "06-08 00:00", "06-15 00:00"),
        ("last month", "05-01 00:00", "06-01 00:00"),
        ("last year", "01-01 00:00", "01-01 00:00"),
        ("past 3 days", "06-07 12:00", "06-10 12:00"),
        ("last seven days", "06-03 12:00", "06-10 12:00"),
        ("3 days ago", "06-07 00:00", "06-08 00:00"),
        ("since Monday", "06-08 00:00", None),
        ("until March 28", None, "03-29 00:00"),
        ("before 1 May", None, "05-01 00:00"),
        ("after 2026-06-01", "06-02 00:00", None),
        ("between May 3 and May 5", "05-03 00:00", "05-06 00:00"),
        ("from Monday to Tuesday", "06-08 00:00", "06-10 00:00"),
        ("in May", "05-01 00:00", "06-01 00:00"),
        ("from May", "05-01 00:00", "06-01 00:00"),
        ("from May on", "05-01 00:00", None),
        ("since May", "05-01 00:00", None),
        ("before May", None, "05-01 00:00"),
        ("on 3 May", "05-03 00:00", "05-04 00:00"),
        ("between 3 and 10 May", "05-03 00:00", "05-11 00:00"),
        ("from the 3rd to the 10th of May", "05-03 00:00", "05-11 00:00"),
        ("May 3-10", "05-03 00:00", "05-11 00:00"),
        ("vom 3. bis 10. Mai", "05-03 00:00", "05-11 00:00"),
        ("zwischen dem 3. und 10. Mai", "05-03 00:00", "05-11 00:00"),
        ("del 3 al 10 de mayo", "05-03 00:00", "05-11 00:00"),
        ("desde mayo", "05-01 00:00", None),
        ("im März", "03-01 00:00", "04-01 00:00"),
        ("the week before last", "05-25 00:00", "06-01 00:00"),
        ("vorletzte Woche", "05-25 00:00", "06-01 00:00"),
        ("last night", "06-09 18:00", "06-10 06:00"),
        ("this morning", "06-10 00:00", "06-10 12:00"),
        ("yesterday afternoon", "06-09 12:00", "06-09 18:00"),
        ("gestern Abend", "06-09 17:00", "06-10 00:00"),
        ("esta mañana", "06-10 00:00", "06-10 12:00"),
        ("on the 1st", "06-01 00:00", "06-02 00:00"),
        ("on the 18th", "05-18 00:00", "05-19 00:00"),
        ("by March 28", None, "03-29 00:00"),
        ("by June 12", None, "06-13 00:00"),
        ("early May", "05-01 00:00", "05-11 00:00"),
        ("Mitte Mai", "05-11 00:00", "05-21 00:00"),
        ("at the end of May", "05-21 00:00", "06-01 00:00"),
        ("last spring", "03-01 00:00", "06-01 00:00"),
        ("last summer", "06-01 00:00", "09-01 00:00"),
        ("this summer", "06-01 00:00", "09-01 00:00"),
        ("letzten Winter", "12-01 00:00", "03-01 00:00"),
        ("el verano pasado", "06-01 00:00", "09-01 00:00"),
        ("on the weekend", "06-06 00:00", "06-08 00:00"),
        ("older than two weeks", None, "05-27 12:00"),
        ("last Friday", "06-05 00:00", "06-06 00:00"),
        ("q1 2026", "01-01 00:00", "04-01 00:00"),
        ("last weekend", "06-06 00:00", "06-08 00:00"),
        ("gestern", "06-09 00:00", "06-10 00:00"),
        ("letzte Woche", "06-01 00:00", "06-08 00:00"),
        ("seit Montag", "06-08 00:00", None),
        ("bis 28. März", None, "03-29 00:00"),
        ("vor 2 Tagen", "06-08 00:00", "06-09 00:00"),
        ("ayer", "06-09 00:00", "06-10 00:00"),
        ("la semana pasada", "06-01 00:00", "06-08 00:00"),
        ("hace 2 días", "06-08 00:00", "06-09 00:00"),
        ("el 3 de mayo de 2026", "05-03 00:00", "05-04 00:00"),
    ],
)
def test_a_phrase_of_time_is_an_exact_interval(phrase, since, until):
    assert interval(phrase) == (since, until)


def test_yesterday_is_an_hour_short_when_the_clocks_went_forward():
    filters = read("yesterday", now=datetime(2025, 3, 31, 8, tzinfo=UTC), timezone="Europe/Madrid").filters
    assert (filters.until - filters.since).total_seconds() == 23 * 3600


def test_the_day_is_the_askers_own():
    late = datetime(2026, 6, 10, 23, 30, tzinfo=UTC)
    assert interval("today", now=late, timezone="Asia/Tokyo") == ("06-10 15:00", "06-11 15:00")
    assert interval("today", now=late, timezone="America/Lima") == ("06-10 05:00", "06-11 05:00")


def test_a_month_that_has_not_come_is_last_years():
    assert read("how many links in October").filters.since == day("2025-10-01")


@pytest.mark.parametrize(
    ("phrase", "timezone", "day"),
    [
        ("03/18/2026", "Europe/Berlin", "2026-03-18"),
        ("18/03/2026", "America/New_York", "2026-03-18"),
        ("12/01/2025", "America/New_York", "2025-12-01"),
        ("12/01/2026", "Europe/Berlin", "2026-01-12"),
    ],
)
def test_a_date_with_strokes_is_read_as_people_write_it_where_the_asker_is(phrase, timezone, day):
    (said,) = find_times(f"links from {phrase}", now=datetime(2026, 6, 10, 12, tzinfo=UTC), timezone=timezone)
    assert said.interval.since.astimezone(ZoneInfo(timezone)).strftime("%Y-%m-%d %H:%M") == f"{day} 00:00"


@pytest.mark.parametrize("text", ["the shop on the 1st floor", "links by Ana", "on the 3rd page of the guide"])
def test_an_ordinal_or_a_name_is_no_day(text):
    assert find_times(text, now=datetime(2026, 6, 10, 12, tzinfo=UTC), timezone="UTC") == ()


@pytest.mark.parametrize("phrase", ["in the good old days", "recently", "last sprint", "a while ago", "neulich"])
def test_a_time_that_cannot_be_read_is_reported(phrase):
    narrowed = read(f"what did we save about bees {phrase}")
    assert narrowed.unparsed == (phrase,)
    assert narrowed.filters.empty
    assert narrowed.topic == "bees"


@pytest.mark.parametrize("phrase", ["once upon a time", "recently", "last sprint", "a while ago"])
def test_a_vague_time_in_a_question_of_fact_is_part_of_its_topic(phrase):
    assert read(f"which bridge collapsed {phrase}").unparsed == ()


@pytest.mark.parametrize(
    "text",
    [
        "what is the weather in Lisbon in May",
        "who won the elections in 2008?",
        "may I march in the parade",
        "what does the guide say about Ines?",
        "how does the message queue work",
        "is the link layer below the network layer?",
    ],
)
def test_a_topic_is_not_taken_for_a_condition(text):
    assert read(text).filters.empty


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("list all links", "kinds", ("link",)),
        ("list notes and files", "kinds", ("note", "file")),
        ("zeig alle Notizen über Bienen", "kinds", ("note",)),
        ("cuántos enlaces guardamos", "kinds", ("link",)),
        ("everything tagged recipes", "tags", ("recipes",)),
        ("notes about #bees", "tags", ("bees",)),
        ("list the links in the thesis pocket", "pocket", "thesis"),
        ("links from docs.python.org about typing", "site", "docs.python.org"),
        ("what was shared by Tomás", "person_names", ("Tomás",)),
        ("Ines's links", "person_names", ("Ines Vogt",)),
        ("was hat Ines geteilt", "person_names", ("Ines Vogt",)),
        ("qué compartió Tomás", "person_names", ("Tomás",)),
        ("what did @Tomás post", "person_names", ("Tomás",)),
        ("links shared in the garden channel", "room_names", ("garden",)),
    ],
)
def test_what_kind_and_whose_is_read(text, field, value):
    assert getattr(read(text).filters, field) == value


def test_a_first_name_that_two_people_bear_means_both():
    both = narrow("what did Kim post", now=NOON, timezone="UTC", person_names=["Kim Lee", "Kim Roe"], room_names=[])
    assert both.filters.person_names == ("Kim Lee", "Kim Roe")


def test_an_unknown_person_is_reported_and_does_not_filter():
    narrowed = read("what did Zora share about bees?")
    assert narrowed.unparsed == ("Zora",)
    assert narrowed.filters.empty


def test_i_and_here_stand_for_the_asker_and_the_room():
    filters = read("which links did I save here", asker_key="console//@me", here_key="console//den").filters
    assert (filters.person_ids, filters.room_keys) == (("console//@me",), ("console//den",))


@pytest.mark.parametrize(
    ("text", "kinds", "topic"),
    [
        ("latest link", ("link",), ""),
        ("the last 3 notes about compost", ("note",), "compost"),
        ("links before May", ("link",), ""),
        ("how meny links", ("link",), ""),
        ("lst my links", ("link",), ""),
        ("Was hast du gespeichert?", (), ""),
        ("What is in the palace?", (), ""),
        ("enlaces desde mayo", ("link",), ""),
        ("Welche Dateien über Kompost gibt es?", ("file",), "Kompost"),
        ("which links about compost are there?", ("link",), "compost"),
    ],
)
def test_a_list_is_known_by_its_wording_and_its_frame_is_no_topic(text, kinds, topic):
    narrowed = read(text)
    assert LISTING.search(text)
    assert narrowed.filters.kinds == kinds
    assert narrowed.topic == topic


@pytest.mark.parametrize("text", ["What was the last message of the king?", "the first page says what?"])
def test_the_last_of_something_else_is_no_list(text):
    assert not LISTING.search(text)
