"""Exact counts and lists, page by page, from a real database."""

from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.answers import Question
from bot.domain.memories import Shared
from bot.domain.messages import Turn
from bot.domain.rooms import Person, Room, scope_of
from bot.rag.listing import Lister
from bot.rag.narrow import narrow
from storage import open_storage

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
INES, TOM = (
    Person(platform="console", person_id="i", name="Ines"),
    Person(platform="console", person_id="t", name="Tom"),
)
ROOM = Room(platform="console", channel="den", kind="private", name="den")


@asynccontextmanager
async def lister(tmp_path, *, links=23):
    async with open_storage(f"sqlite:///{tmp_path}/palace.db") as storage:
        for number in range(links):
            shared = Shared(
                kind="link",
                scope=scope_of(ROOM, INES),
                room=ROOM,
                person=TOM if number % 4 == 0 else INES,
                shared_at=NOW - timedelta(days=number),
                source=f"s{number}",
                url=f"https://pots.example/{number}",
                key=f"pots.example/{number}",
                title=f"Glaze [{number}]" if number % 2 else f"Kiln {number}",
            )
            await storage.memories.keep(shared)
        yield Lister(storage.memories)


async def ask(lister, text, *history, timezone="UTC"):
    turns = tuple(
        Turn(speaker="bot" if place % 2 else "person", text=said, at=NOW) for place, said in enumerate(history)
    )
    scopes = (scope_of(ROOM, INES),)
    question = Question(
        text=text, room=ROOM, person=INES, scopes=scopes, asked_at=NOW, timezone=timezone, history=turns
    )
    read = narrow(text, now=NOW, timezone=timezone, person_names=["Ines", "Tom"], room_names=["den"])
    return await lister.list(question, read)


async def test_a_count_is_exact_and_the_page_is_short(tmp_path):
    async with lister(tmp_path) as pots:
        made = await ask(pots, "how many links are there?")
    assert made.total == 23
    assert "23 links" in made.text
    assert len(made.items) == 10


async def test_every_item_is_numbered_and_cited_newest_first(tmp_path):
    async with lister(tmp_path, links=3) as pots:
        made = await ask(pots, "list all links")
    assert [item.title for item in made.items] == ["Kiln 0", "Glaze [1]", "Kiln 2"]
    assert [(one.number, one.url) for one in made.citations] == [(n + 1, f"https://pots.example/{n}") for n in range(3)]
    assert made.text.count("\n") == 4
    assert "[3]" in made.text
    assert "Glaze (1)" in made.text, "a saved title cannot cite"


async def test_more_and_page_n_go_on_where_the_list_stands(tmp_path):
    asked = ("list all links", "…")
    async with lister(tmp_path) as pots:
        second = await ask(pots, "more", *asked)
        third = await ask(pots, "next", *asked, "more", "…")
        last = await ask(pots, "page 9", *asked)
        back = await ask(pots, "page 1", *asked, "more", "…")
    assert second.items[0].title == "Kiln 10"
    assert (len(third.items), third.total) == (3, 23)
    assert last.items == third.items
    assert back.items[0].title == "Kiln 0"


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("how many links did Tom share?", 6),
        ("how many links did Ines share this week?", 2),
        ("how many links about kiln are there", 12),
        ("how many notes are there", 0),
        ("wie viele Links hat Tom geteilt?", 6),
        ("cuántos enlaces compartió Tom", 6),
    ],
)
async def test_conditions_are_counted_in_the_database(tmp_path, text, total):
    async with lister(tmp_path) as pots:
        assert (await ask(pots, text)).total == total


async def test_nothing_found_is_said_with_the_condition_and_no_source(tmp_path):
    async with lister(tmp_path) as pots:
        made = await ask(pots, "how many notes did we save in May?")
    assert made.text == "There are no notes (2026-05-01 – 2026-05-31)."
    assert made.citations == ()


@pytest.mark.parametrize(
    ("text", "titles", "head"),
    [
        ("latest link", ["Kiln 0"], "Saved last: 1 of 23 links:"),
        ("the last 3 links", ["Kiln 0", "Glaze [1]", "Kiln 2"], "Saved last: 3 of 23 links:"),
        ("the oldest link about kiln", ["Kiln 22"], "Saved first: 1 of 12 links about “kiln”:"),
        ("die letzten 2 Links", ["Kiln 0", "Glaze [1]"], "Zuletzt gespeichert: 2 von 23 Links:"),
    ],
)
async def test_the_newest_and_the_oldest_are_as_many_as_asked(tmp_path, text, titles, head):
    async with lister(tmp_path) as pots:
        made = await ask(pots, text)
    assert [item.title for item in made.items] == titles
    assert made.text.startswith(head)


async def test_a_pinned_memory_is_not_taken_for_the_newest(tmp_path):
    async with lister(tmp_path, links=3) as pots:
        (oldest,) = (await ask(pots, "oldest link")).items
        await pots._memories.edit(oldest.memory_id, pinned=True)
        assert [item.title for item in (await ask(pots, "latest link")).items] == ["Kiln 0"]
