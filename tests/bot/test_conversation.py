"""Whole conversations through the core: who is answered with what, in every kind of room."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.memories import Filters
from bot.domain.messages import Action
from bot.domain.rooms import Room, room_scope
from bot.ports import Embedder
from tests.fakes.house import House, open_house
from tests.fakes.palace import ANA, BEN, DEV, DIRECT, OPS
from tests.fakes.reply import RecordingReply

RYE = "A rye starter keeps ten days in the fridge without feeding. Feed it with equal parts of flour and water."
OVEN = "The deck oven reaches 300 degrees in forty minutes and needs a stone of two centimetres."
BENS_CHAT = Room(platform="slack", space="T1", channel="D2", kind="direct")


@pytest.fixture
async def house(tmp_path: Path, embedder: Embedder) -> AsyncIterator[House]:
    async with open_house(tmp_path, embedder=embedder) as opened:
        opened.web.put("https://bread.example/rye", "Rye starters", RYE)
        opened.web.put("https://oven.example/deck", "Deck ovens", OVEN)
        yield opened


async def test_a_watched_link_is_answered_from_later_with_its_source(house: House) -> None:
    passive = await house.tell("https://bread.example/rye", DEV, BEN, addressed=False)
    assert (passive.signs, passive.notices) == (["saved"], [])
    reply = await house.tell("how long does a rye starter keep?", DEV, ANA)
    (answer,) = reply.answers
    assert "ten days" in answer.text
    assert [citation.url for citation in answer.citations] == ["https://bread.example/rye"]
    assert reply.statuses
    assert reply.shown[-1] == answer.text


async def test_a_follow_up_is_understood_from_the_turn_before(house: House) -> None:
    await house.tell("https://bread.example/rye", DEV, BEN, addressed=False)
    await house.tell("how long does a rye starter keep?", DEV, ANA)
    reply = await house.tell("and with what do I feed it?", DEV, ANA)
    assert "starter" in reply.answers[0].standalone
    assert "flour and water" in reply.answers[0].text


@pytest.mark.parametrize(
    ("written", "author", "asked", "asker", "seen"),
    [
        (OPS, ANA, OPS, BEN, True),
        (OPS, ANA, DEV, ANA, False),
        (OPS, ANA, DIRECT, ANA, False),
        (DIRECT, ANA, DEV, ANA, False),
        (DIRECT, ANA, OPS, ANA, False),
        (DIRECT, ANA, BENS_CHAT, BEN, False),
        (DIRECT, ANA, DIRECT, ANA, True),
        (DEV, ANA, OPS, BEN, True),
        (DEV, ANA, BENS_CHAT, BEN, True),
    ],
)
async def test_an_answer_uses_only_what_may_be_read_there(house: House, written, author, asked, asker, seen) -> None:
    await house.tell("save: the alarm code of the bakery is 4711", written, author)
    reply = await house.tell("what is the alarm code of the bakery?", asked, asker)
    assert ("4711" in reply.answers[0].text) == seen
    assert bool(reply.answers[0].citations) == seen


async def test_a_confirmed_membership_opens_a_private_room_in_a_direct_chat(house: House) -> None:
    await house.tell("save: the alarm code of the bakery is 4711", OPS, BEN)
    confirmed = (room_scope(OPS),)
    reply = await house.tell("what is the alarm code of the bakery?", DIRECT, ANA, memberships=confirmed)
    assert "4711" in reply.answers[0].text


async def test_nothing_saved_is_one_sentence_without_sources(house: House) -> None:
    reply = await house.tell("who won the regatta?", DEV, ANA)
    assert reply.answers[0].citations == ()
    assert len(reply.answers[0].text) < 200


async def test_a_greeting_is_answered_without_sources(house: House) -> None:
    await house.tell("https://bread.example/rye", DEV, BEN, addressed=False)
    reply = await house.tell("hello!", DEV, ANA)
    assert reply.answers[0].intent == "no_retrieval"
    assert reply.answers[0].citations == ()


async def test_an_unreadable_page_is_kept_with_its_reason_and_found_by_its_note(house: House) -> None:
    await house.tell("the big ledger https://gone.example/ledger", DIRECT, ANA)
    (memory,) = await house.storage.memories.list(Filters(), None)
    assert (memory.state, memory.reason) == ("link_only", "not_found")
    reply = await house.tell("/search ledger", DIRECT, ANA)
    assert "ledger" in reply.said


async def test_a_vote_down_is_noted_listed_and_undone(house: House) -> None:
    await house.tell("https://bread.example/rye", DIRECT, ANA)
    asked = await house.tell("how long does a rye starter keep?", DIRECT, ANA)
    down = Action(name="down", target=asked.answers[0].trace_id, person=ANA, room=DIRECT, at=house.clock.now())
    reply = RecordingReply()
    await house.bot.act(replace(down, value="outdated"), reply)
    assert "further back" in reply.said
    listed = await house.tell("/feedback", DIRECT, ANA)
    assert "outdated" in listed.said
    number = listed.said.split(":")[0].removeprefix("- ")
    assert "taken back" in (await house.tell(f"/feedback undo {number}", DIRECT, ANA)).said


async def test_why_tells_the_steps_and_only_in_its_own_room(house: House) -> None:
    await house.tell("https://bread.example/rye", DEV, BEN, addressed=False)
    asked = await house.tell("how long does a rye starter keep?", DEV, ANA)
    assert "retrieve" in (await house.tell("/why", DEV, ANA)).said
    why = Action(name="why", target=asked.answers[0].trace_id, person=BEN, room=OPS, at=house.clock.now())
    reply = RecordingReply()
    await house.bot.act(why, reply)
    assert reply.failures == ["That answer belongs to another room."]


async def test_a_private_answer_is_shared_only_when_everybody_may_read_its_sources(house: House) -> None:
    await house.tell("save: the alarm code of the bakery is 4711", DIRECT, ANA)
    await house.tell("https://bread.example/rye", DEV, BEN, addressed=False)
    for text, shared in (("what is the alarm code?", False), ("how long does a rye starter keep?", True)):
        private = await house.tell(f"/ask {text}", DEV, ANA, private_reply=True)
        share = Action(name="share", target=private.answers[0].trace_id, person=ANA, room=DEV, at=house.clock.now())
        reply = RecordingReply()
        await house.bot.act(share, reply)
        assert bool(reply.answers) == shared
        assert bool(reply.failures) != shared


async def test_a_private_list_is_not_shared_with_a_room_that_may_not_read_it(house: House) -> None:
    await house.tell("save: the alarm code of the bakery is 4711", DIRECT, ANA)
    for text in ("list everything", "how many notes are there?"):
        private = await house.tell(f"/ask {text}", DEV, ANA, private_reply=True)
        assert private.answers[0].total == 1
        share = Action(name="share", target=private.answers[0].trace_id, person=ANA, room=DEV, at=house.clock.now())
        reply = RecordingReply()
        await house.bot.act(share, reply)
        assert (reply.answers, len(reply.failures)) == ([], 1)


async def test_how_a_private_answer_came_about_is_told_to_its_person_alone(house: House) -> None:
    await house.tell("save: the alarm code of the bakery is 4711", DIRECT, ANA)
    await house.tell("/ask what is the alarm code?", DEV, ANA, private_reply=True)
    assert "4711" in (await house.tell("/why", DEV, ANA, private_reply=True)).said
    refused = await house.tell("/why", DEV, ANA)
    assert (refused.notices, len(refused.failures)) == ([], 1)


async def test_a_vote_on_a_private_answer_is_listed_for_its_person_alone(house: House) -> None:
    await house.tell("save: the alarm code of the bakery is 4711", DIRECT, ANA)
    private = await house.tell("/ask what is the alarm code?", DEV, ANA, private_reply=True)
    down = Action(name="down", target=private.answers[0].trace_id, person=ANA, room=DEV, at=house.clock.now())
    await house.bot.act(down, RecordingReply())
    assert "alarm code" not in (await house.tell("/feedback", DEV, BEN)).said
    assert "alarm code" in (await house.tell("/feedback", DIRECT, ANA)).said


async def test_a_stopped_answer_says_so_and_leaves_no_turn(house: House) -> None:
    await house.tell("https://bread.example/rye", DEV, BEN, addressed=False)
    reply = RecordingReply(stopped=True)
    await house.bot.receive(house.message("how long does a rye starter keep?", DEV, ANA), reply)
    assert reply.answers[0].stopped
    assert await house.storage.transcript.last(DEV, limit=5) == ()


async def test_a_surprise_becomes_one_plain_sentence(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(house.storage.transcript, "last", broken)
    reply = await house.tell("how long does a rye starter keep?", DEV, ANA)
    assert reply.failures == ["Something went wrong on my side. Nothing was lost; please try again."]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("/help", "/forget"),
        ("/list", "1 memory"),
        ("/list page 2", "1 memory"),
        ("/show https://bread.example/rye", "ten days"),
        ("/status", "1 memory readable here"),
        ("/recall off", "off in this room now"),
        ("/watch", "on in this room"),
        ("/pocket thesis", "thesis"),
        ("/pocket", "no pockets here yet"),
        ("/search starter", "Rye starters"),
        ("/undo", "Taken back"),
        ("/retry failed", "nothing to retry"),
        ("/feedback", "Nobody has voted"),
    ],
)
async def test_every_command_says_what_it_did(house: House, command: str, expected: str) -> None:
    await house.tell("https://bread.example/rye", DIRECT, ANA)
    reply = await house.tell(command, DIRECT, ANA)
    assert expected in reply.said


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("/lits", "/list"),
        ("/show", "Which memory"),
        ("/show 1a2b", "There is no memory 1a2b here"),
        ("/show the ledger", "is called “the ledger”"),
        ("/forget", "What should I forget"),
        ("/confirm abc", "nothing to confirm"),
        ("/edit", "Change what"),
        ("/ask", "What would you like to know"),
        ("/why", "no answer here yet"),
        ("/search", "Search for what"),
        ("/feedback undo x", "Which vote"),
    ],
)
async def test_a_command_that_cannot_be_done_says_what_to_type(house: House, command: str, expected: str) -> None:
    reply = await house.tell(command, DIRECT, ANA)
    assert expected in reply.failures[0]


async def test_edit_tag_and_pin_change_what_lists_show(house: House) -> None:
    await house.tell("https://bread.example/rye", DIRECT, ANA)
    (memory,) = await house.storage.memories.list(Filters(), None)
    await house.tell(f"/edit {memory.memory_id} title: Rye for beginners | note: from the course", DIRECT, ANA)
    await house.tell(f"/tag {memory.memory_id} #bread rye", DIRECT, ANA)
    await house.tell(f"/pin {memory.memory_id}", DIRECT, ANA)
    listed = (await house.tell("/list #rye", DIRECT, ANA)).said
    assert "Rye for beginners" in listed
    assert "📌" in listed
    assert "#bread #rye" in listed


async def test_somebody_else_s_memory_of_a_shared_room_cannot_be_changed(house: House) -> None:
    await house.tell("https://bread.example/rye", DEV, BEN, addressed=False)
    (memory,) = await house.storage.memories.list(Filters(), None)
    reply = await house.tell(f"/edit {memory.memory_id} title: Mine", DEV, ANA)
    assert reply.failures == ["Only the person who saved it can change it."]


async def test_a_page_that_changed_is_replaced_and_shows_what_changed(house: House) -> None:
    await house.tell("https://bread.example/rye", DIRECT, ANA)
    house.web.put("https://bread.example/rye", "Rye starters", RYE.replace("ten days", "twelve days"))
    await house.tell("https://bread.example/rye again", DIRECT, ANA)
    shown = (await house.tell("/show https://bread.example/rye", DIRECT, ANA)).said
    assert "twelve days" in shown
    assert "Changed since" in shown
    reply = await house.tell("how long does a rye starter keep?", DIRECT, ANA)
    assert "twelve days" in reply.answers[0].text
    assert "ten days" not in reply.answers[0].text


@pytest.mark.parametrize("text", ["how many links did I save today?", "how many memories do I have?"])
async def test_a_count_takes_no_topic_from_the_conversation_before_it(house: House, text: str) -> None:
    await house.tell("https://bread.example/rye", DIRECT, ANA)
    await house.tell("https://oven.example/deck", DIRECT, ANA)
    await house.tell("how long does a rye starter keep?", DIRECT, ANA)
    await house.tell("and with what do I feed it?", DIRECT, ANA)
    reply = await house.tell(text, DIRECT, ANA)
    assert (reply.answers[0].intent, reply.answers[0].total) == ("count_or_list", 2)


async def test_a_deleted_message_is_forgotten(house: House) -> None:
    message = house.message("https://bread.example/rye", DEV, BEN, addressed=False)
    await house.bot.receive(message, RecordingReply())
    await house.worker.drain()
    await house.bot.deleted(DEV, message.message_id)
    assert await house.storage.memories.count(Filters(), None) == 0


async def test_an_edit_is_watched_no_more_than_the_room(house: House) -> None:
    await house.tell("/watch off", DEV, BEN, administrator=True)
    edited = house.message("now with https://bread.example/rye", DEV, BEN, addressed=False)
    await house.bot.edited(edited, RecordingReply())
    assert await house.storage.memories.count(Filters(), None) == 0
    await house.tell("/watch on", DEV, BEN, administrator=True)
    await house.bot.edited(edited, RecordingReply())
    assert await house.storage.memories.count(Filters(), None) == 1


async def test_titles_are_suggested_as_they_are_typed(house: House) -> None:
    await house.tell("https://bread.example/rye", DIRECT, ANA)
    scopes = ((await house.storage.memories.list(Filters(), None))[0].scope,)
    assert await house.bot.suggest("rye", scopes, kind="title") == ("Rye starters",)


async def test_memories_are_found_while_one_types_in_the_given_scopes_only(house: House) -> None:
    await house.tell("https://bread.example/rye", OPS, BEN, addressed=False)
    await house.tell("https://oven.example/deck", OPS, BEN, addressed=False)
    assert [memory.title for memory in await house.bot.search("rye", (room_scope(OPS),))] == ["Rye starters"]
    assert len(await house.bot.search(" ", (room_scope(OPS),))) == 2
    assert await house.bot.search("rye", (room_scope(DEV),)) == ()
