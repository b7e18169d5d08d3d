"""What of the conversation an answer gets to see."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.domain.answers import Question
from bot.domain.messages import Turn
from bot.domain.rooms import Person, Room, scope_of
from bot.rag.recall import Recall
from storage import open_storage
from tests.fakes.embedder import HashEmbedder

NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)
PERSON = Person(platform="console", person_id="ines")
ROOM = Room(platform="console", channel="den", kind="private")
SAID = (
    "the kiln needs new elements",
    "our van is blue",
    "kiln elements cost 80 euro",
    "lunch is at noon",
    "see you",
    "ok",
)


async def recalled(tmp_path, text, *, recall=True, last=2, scopes=None):
    embedder = HashEmbedder()
    async with open_storage(f"sqlite:///{tmp_path}/palace.db") as storage:
        await storage.prepare_embeddings(model_name="hash", dimensions=embedder.dimensions)
        scope = scope_of(ROOM, PERSON)
        for minute, words in enumerate(SAID):
            turn = Turn(speaker="person", text=words, at=NOON + timedelta(minutes=minute), name="Ines")
            await storage.transcript.add(ROOM, turn, scope, vector=embedder.vector(words))
        question = Question(
            text=text,
            room=ROOM,
            person=PERSON,
            scopes=(scope,) if scopes is None else scopes,
            asked_at=NOON,
            history=await storage.transcript.last(ROOM, limit=last),
            recall=recall,
        )
        return [turn.text for turn in await Recall(storage.transcript, embedder).recall(question)]


async def test_older_turns_that_say_the_same_come_before_the_last_ones_in_time_order(tmp_path):
    assert await recalled(tmp_path, "what do the kiln elements cost?") == [SAID[0], SAID[2], *SAID[-2:]]


async def test_nothing_below_the_floor_is_recalled(tmp_path):
    assert await recalled(tmp_path, "who won the regatta?") == [*SAID[-2:]]


async def test_a_room_may_switch_recall_off_and_keeps_its_last_turns(tmp_path):
    assert await recalled(tmp_path, "what do the kiln elements cost?", recall=False) == [*SAID[-2:]]


async def test_a_turn_among_the_last_is_not_told_twice(tmp_path):
    assert await recalled(tmp_path, "kiln elements", last=6) == [*SAID]


async def test_turns_outside_the_scopes_are_never_recalled(tmp_path):
    other = scope_of(replace(ROOM, channel="attic"), PERSON)
    assert await recalled(tmp_path, "kiln elements", scopes=(other,)) == [*SAID[-2:]]
