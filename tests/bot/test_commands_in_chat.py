"""Commands as people type them in a chat: lists and their pages, pockets, yes and no, ids, languages, slips."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.errors import Unreadable
from bot.domain.memories import Filters
from bot.domain.messages import Attachment
from tests.fakes.house import House, open_house
from tests.fakes.palace import ANA, BEN, DEV, DIRECT, OPS


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path) as opened:
        for number in range(1, 24):
            opened.web.put(f"https://a.example/{number}", f"Oven {number}", f"The oven {number} is hot.")
        yield opened


async def save(house: House, *numbers: int, tail: str = "") -> None:
    for number in numbers:
        await house.tell(f"https://a.example/{number} {tail}".strip(), DIRECT, ANA)


async def said(house: House, text: str, room=DIRECT, author=ANA, **more: object) -> str:
    reply = await house.tell(text, room, author, **more)
    return reply.failures[0] if reply.failures else (reply.notices or reply.answers)[-1].text


async def count(house: House) -> int:
    return await house.storage.memories.count(Filters(), None)


async def test_a_list_is_paged_by_more_by_number_and_in_words(house: House) -> None:
    await save(house, *range(1, 24))
    first = await said(house, "/list")
    assert first.startswith("There are 23 memories:")
    assert "Page 1 of 3. `/more` shows the next." in first
    assert "\n11. " in await said(house, "/more")
    assert "Page 3 of 3" in await said(house, "more")
    assert "\n11. " in await said(house, "/list 2")
    assert "\n21. " in await said(house, "/list page 3")
    assert (await said(house, "/list 400")).count("\n") == 3


async def test_a_page_of_a_narrower_list_stays_narrow(house: House) -> None:
    await save(house, *range(1, 13), tail="#steel")
    await save(house, *range(13, 16), tail="#clay")
    assert (await said(house, "/list #steel")).startswith("There are 12 memories tagged steel:")
    assert (await said(house, "/more")).startswith("There are 12 memories tagged steel:")
    assert (await said(house, "/list #clay")).startswith("There are 3 memories tagged clay:")
    assert (await said(house, "#clay")).startswith("There are 3 memories tagged clay:")


async def test_a_list_for_one_person_s_eyes_leaves_nothing_behind_and_says_how_to_go_on(house: House) -> None:
    await save(house, *range(1, 13))
    listed = await said(house, "/list links", private_reply=True)
    assert "`/list links page 2`" in listed
    assert await house.storage.transcript.last(DIRECT, limit=5) == ()
    assert "\n11. " in await said(house, "/list links page 2", private_reply=True)


@pytest.mark.parametrize("leaving", ["none", "off", "-", "default", "no", "keine", "ninguno", "OFF"])
async def test_a_pocket_is_chosen_named_in_receipts_and_left(house: House, leaving: str) -> None:
    await said(house, "/pocket thesis")
    assert "in the pocket “thesis”" in await said(house, "https://a.example/1")
    assert "pocket" in await said(house, f"/pocket {leaving}")
    assert "pocket" not in await said(house, "https://a.example/2")
    assert await said(house, "/pocket") == (
        "This room saves into no pocket. Pockets here: thesis (1). `/pocket name` chooses one, "
        "`/pocket rename old new` renames one."
    )


async def test_lists_keep_to_the_room_s_pocket_unless_everything_is_asked_for(house: House) -> None:
    await save(house, 1, 2)
    await said(house, "/pocket thesis")
    await save(house, 3)
    assert (await said(house, "/list")).startswith("There is 1 memory in the pocket “thesis”:")
    assert (await said(house, "/list everything")).startswith("There are 3 memories:")
    await said(house, "/pocket off")
    assert (await said(house, "/list thesis")).startswith("There is 1 memory in the pocket “thesis”:")


async def test_a_pocket_of_two_words_is_listed_by_its_name(house: House) -> None:
    await said(house, "/pocket phd work")
    await save(house, 1)
    await said(house, "/pocket off")
    await save(house, 2)
    assert (await said(house, "/list phd work")).startswith("There is 1 memory in the pocket “phd work”:")


async def test_a_pocket_is_renamed_with_what_is_in_it_and_the_room_s_choice(house: House) -> None:
    await said(house, "/pocket thesis")
    await save(house, 1, 2)
    assert await said(house, "/pocket rename thesis to phd work") == (
        "The pocket “thesis” is called “phd work” now (2 memories)."
    )
    assert "saves into the pocket “phd work”" in await said(house, "/pocket list")
    assert "no pocket “ovens” here" in await said(house, "/pocket rename ovens bread")
    assert "A pocket's name" in await said(house, "/pocket ???")


async def test_somebody_else_s_memory_is_not_moved_by_renaming_a_pocket(house: House) -> None:
    await said(house, "/pocket thesis", DEV, ANA)
    await house.tell("https://a.example/1", DEV, BEN)
    assert await said(house, "/pocket rename thesis mine", DEV, ANA) == "Only the person who saved it can change it."
    (memory,) = await house.storage.memories.list(Filters(), None)
    assert memory.pocket == "thesis"


@pytest.mark.parametrize(
    ("answer", "left"),
    [("yes", 0), ("Ja!", 0), ("sí", 0), ("ok, do it", 0), ("no", 1), ("nein danke", 1), ("cancel", 1), ("keep it", 1)],
)
async def test_a_yes_or_a_no_answers_what_was_asked(house: House, answer: str, left: int) -> None:
    await save(house, 1)
    assert "Go on?" in await said(house, "/forget https://a.example/1")
    reply = await said(house, answer)
    assert ("Forgotten: 1 memory" if not left else "Kept. Nothing was forgotten.") in reply
    assert await count(house) == left


@pytest.mark.parametrize(
    ("text", "room", "author"), [("yes", DEV, ANA), ("yes", DIRECT, BEN), ("yes please?", OPS, ANA)]
)
async def test_a_yes_of_somebody_else_or_elsewhere_forgets_nothing(house: House, text: str, room, author) -> None:
    await save(house, 1)
    await said(house, "/forget https://a.example/1")
    await said(house, text, room, author)
    assert await count(house) == 1


async def test_a_yes_counts_only_as_the_very_next_thing_said(house: House) -> None:
    await save(house, 1)
    await said(house, "/forget https://a.example/1")
    await said(house, "/status")
    await said(house, "yes")
    assert await count(house) == 1


async def test_a_list_is_forgotten_with_what_it_told_of(house: House) -> None:
    await save(house, 1, 2)
    await said(house, "/list")
    await said(house, "/forget https://a.example/1")
    await said(house, "yes")
    assert "Oven" not in " ".join(turn.text for turn in await house.storage.transcript.last(DIRECT, limit=9))


async def test_forget_is_understood_without_its_stroke(house: House) -> None:
    await save(house, 1)
    assert "Go on?" in await said(house, "forget https://a.example/1")
    assert await count(house) == 1


@pytest.mark.parametrize("wanted", ["336", "1a2b", "00000000"])
async def test_an_id_that_is_not_there_is_not_looked_for_in_texts(house: House, wanted: str) -> None:
    await house.tell(f"save: the 336 and 1a2b 00000000 are {wanted}", DIRECT, ANA)
    assert await said(house, f"/show {wanted}") == f"There is no memory {wanted} here. /list shows the ids."


async def test_a_title_names_a_memory_and_several_are_told_apart(house: House) -> None:
    await save(house, 1, 2, 12)
    assert "Oven 12" in await said(house, "/show oven 12")
    several = await said(house, "/show oven")
    assert several.startswith("More than one memory here is called “oven”: ")
    assert several.count("`") == 6


async def test_editing_takes_a_title_and_says_what_to_type_where_there_is_nothing_to_change(house: House) -> None:
    await save(house, 1)
    (memory,) = await house.storage.memories.list(Filters(), None)
    assert f"`/edit {memory.memory_id} title: " in await said(house, f"/edit {memory.memory_id} A better title")
    edited = await said(house, "/edit oven 1 title: The first oven | pocket: thesis | tags: hot, old")
    assert "The first oven" in edited
    assert "#hot #old · pocket thesis" in edited
    assert "#new" in await said(house, "/tag The first oven #new")
    assert "#" not in await said(house, f"/tag {memory.memory_id} none")
    assert "Which tags?" in await said(house, f"/tag {memory.memory_id}")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("lits", "list"), ("serch", "search"), ("forgte", "forget"), ("pcoket", "pocket"), ("hlep", "help")],
)
async def test_a_slip_in_a_command_names_the_nearest(house: House, typed: str, meant: str) -> None:
    assert f"Did you mean /{meant}?" in await said(house, f"/{typed}")


async def test_a_command_like_none_suggests_none(house: House) -> None:
    assert await said(house, "/zzzz") == "There is no command /zzzz. /help lists all."


async def test_every_command_has_help_with_an_example_that_is_that_command(house: House) -> None:
    for row in house.bot.command_table:
        helped = await said(house, f"/help {row.name}")
        assert f"For example: `/{row.name}" in helped
    assert "/forget" in await said(house, "help")


@pytest.mark.parametrize("text", ["save:", "save", "save this", "/save", "note:"])
async def test_nothing_to_save_says_what_to_type(house: House, text: str) -> None:
    assert "Type `save: ` and your thought" in await said(house, text)
    assert await count(house) == 0


async def test_a_file_without_text_is_not_called_a_link(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unreadable(*_: object, **__: object) -> None:
        raise Unreadable("There is no text in it.", reason="empty")

    monkeypatch.setattr(house.web, "read_file", unreadable)
    await house.tell("", DIRECT, ANA, attachments=(Attachment(name="gone.pdf", path="/gone.pdf"),))
    assert "kept by its name only: There is no text in it." in await said(house, "/show gone.pdf")


async def test_nothing_found_is_said(house: House) -> None:
    assert await said(house, "/search rye") == "Nothing saved here matches that."


@pytest.mark.parametrize(
    ("told", "list_head", "kept"),
    [
        ("was haben wir über Öfen und Brot gespeichert?", "Es gibt 1 Eintrag:", "Gespeichert für dich allein"),
        ("¿qué hemos guardado sobre los hornos de pan?", "Hay 1 recuerdo:", "Guardado para ti"),
        ("what did we save about the ovens and bread?", "There is 1 memory:", "Saved for only you"),
    ],
)
async def test_frames_are_in_the_language_that_the_person_writes(
    house: House, told: str, list_head: str, kept: str
) -> None:
    await said(house, told)
    assert kept in await said(house, "https://a.example/1")
    assert (await said(house, "/list")).startswith(list_head)


async def test_the_platform_s_language_counts_until_somebody_writes(house: House) -> None:
    assert await said(house, "/why", language="de-AT") == "Hier gibt es noch keine Antwort, die ich erklären könnte."
    assert await said(house, "/why", replace(DIRECT, channel="D9"), BEN, language="pt") == (
        "There is no answer here yet that I could explain."
    )


async def test_a_page_beyond_the_last_is_said_to_be_none(house: House) -> None:
    await save(house, *range(1, 4))
    assert "There is no page 99: this is the last of 1." in await said(house, "/list page 99")


async def test_a_mistyped_command_is_told_the_one_that_help_lists(house: House) -> None:
    assert "Did you mean /list more?" in await said(house, "/nexd")
    assert (await said(house, "/hilfe")).count("\n- `/") == (await said(house, "/help")).count("\n- `/")


@pytest.mark.parametrize(
    ("asked", "text", "told"),
    [
        ("what is oven 1?", "yes", "nothing I asked you"),
        ("what is oven 1?", "no!", "nothing I asked you"),
        ("was ist Ofen 1?", "ja", "nichts gefragt"),
        ("¿qué es el horno 1?", "sí", "No te he preguntado"),
    ],
)
async def test_a_yes_or_no_to_nothing_says_so_and_repeats_no_answer(
    house: House, asked: str, text: str, told: str
) -> None:
    await save(house, 1)
    await said(house, asked)
    assert told in await said(house, text)
