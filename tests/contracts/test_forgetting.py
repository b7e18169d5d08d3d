"""Forgetting takes exactly what was named out of everything, and counts what went."""

from datetime import timedelta

from bot.domain.answers import Answer, Citation, Trace, Vote
from bot.domain.memories import Filters
from bot.domain.messages import Attachment, Turn
from tests.fakes.palace import ANA, BEN, DEV, NOON, OPS, SECRET, TEAM, direction, saved, shared

ALL = Filters()


def trace(memory, passages, *, trace_id="t1", question="what do owls eat?", text="Owls eat mice [1].", at=NOON):
    return Trace(
        trace_id=trace_id, asked_at=at, question=question, room_key=DEV.key, person_key=ANA.key,
        scope_keys=(TEAM.key,), steps=(),
        answer=Answer(
            text=text, intent="simple_lookup", confidence=0.9, standalone=question,
            citations=(Citation(number=1, memory_id=memory.memory_id, title=memory.title, url=memory.url),),
        ),
        passages=passages,
    )  # fmt: skip


async def talk(storage, memory, **other):
    """Ask about a memory, answer from it, vote on the answer."""
    only = Filters(memory_ids=(memory.memory_id,))
    hits = await storage.search.by_meaning(direction(0), [TEAM], only, limit=1)
    told = trace(memory, await storage.search.passages([hit.chunk_id for hit in hits], [TEAM]), **other)
    turns = (
        Turn(speaker="person", text=told.question, at=NOON, memory_ids=(memory.memory_id,)),
        Turn(speaker="bot", text=told.answer.text, at=NOON, memory_ids=(memory.memory_id,)),
    )
    for turn in turns:
        await storage.transcript.add(DEV, turn, TEAM, vector=direction(0))
    await storage.traces.add(told)
    vote = Vote(trace_id=told.trace_id, person_key=ANA.key, value=-1, reason="no", at=NOON)
    await storage.feedback.vote(vote, question_vector=direction(0), scope=TEAM, passages=told.passages)


async def test_a_forgotten_memory_is_gone_from_search_lists_answers_turns_and_votes(storage):
    memory = await saved(storage, "owls", "owls eat mice", "at night", tags=("t",), note="roof")
    await saved(storage, "larks", "larks sing", axes=(2,))
    await talk(storage, memory)
    gone = await storage.memories.forget([memory.memory_id, "nobody"])
    assert (gone.memories, gone.titles) == (1, ("Owls",))
    assert dict(gone.rows) == {
        "memories": 1, "shares": 1, "aliases": 1, "tags": 1, "texts": 1, "chunks": 2, "chunk_words": 2, "vectors": 2,
        "traces": 1, "turns": 2, "votes": 1, "vote_passages": 1,
    }  # fmt: skip
    assert await storage.memories.get(memory.memory_id) is None
    assert await storage.memories.find(memory.key) == ()
    assert await storage.search.by_words("owls mice roof", [TEAM], ALL, limit=5) == ()
    assert {hit.memory_id for hit in await storage.search.by_meaning(direction(0), [TEAM], ALL, limit=9)} != {
        memory.memory_id
    }
    assert await storage.traces.get("t1") is None
    assert await storage.transcript.last(DEV, limit=9) == ()
    assert await storage.transcript.similar(DEV, [TEAM], "owls", direction(0), limit=5, before_id=0) == ()
    assert await storage.feedback.list([TEAM]) == ()


async def test_answers_from_other_memories_stay(storage):
    memory = await saved(storage, "owls", "owls eat mice")
    other = await saved(storage, "larks", "larks sing", axes=(2,))
    await talk(storage, other, question="what do larks do?", text="They sing [1].")
    await storage.memories.forget([memory.memory_id])
    assert await storage.traces.get("t1") is not None
    assert len(await storage.transcript.last(DEV, limit=9)) == 2
    assert len(await storage.feedback.list([TEAM])) == 1


async def test_what_was_said_of_another_memory_of_the_same_title_stays(storage):
    memory = await saved(storage, "owls", "owls eat mice", title="Introduction")
    other = await saved(storage, "larks", "larks sing", axes=(2,), title="Introduction")
    await talk(storage, other, question="what do larks do?", text="They sing [1].")
    await storage.memories.forget([memory.memory_id])
    assert len(await storage.transcript.last(DEV, limit=9)) == 2


async def test_what_was_said_of_a_memory_goes_with_it_under_whatever_title(storage):
    memory = await saved(storage, "owls", "owls eat mice")
    await talk(storage, memory)
    await storage.memories.edit(memory.memory_id, title="Night birds")
    await storage.memories.forget([memory.memory_id])
    assert await storage.transcript.last(DEV, limit=9) == ()


async def test_a_vote_on_an_answer_without_sources_outlives_what_others_forget(storage):
    memory = await saved(storage, "owls", "owls eat mice")
    vote = Vote(trace_id="t9", person_key=BEN.key, value=-1, reason="it is there", at=NOON)
    await storage.feedback.vote(vote, question_vector=direction(0), scope=TEAM, passages=())
    await storage.memories.forget([memory.memory_id])
    assert len(await storage.feedback.list([TEAM])) == 1


async def test_a_forgotten_room_leaves_neither_answers_nor_votes(storage):
    await talk(storage, await saved(storage, "owls", "owls eat mice"))
    assert await storage.transcript.forget_room(DEV) == 2
    assert await storage.traces.last(DEV) is None
    assert await storage.feedback.list([TEAM]) == ()


async def test_taking_back_one_of_two_shares_keeps_the_memory_without_its_note(storage):
    kept = await storage.memories.keep(shared(note="ana's words"))
    later = NOON + timedelta(days=1)
    await storage.memories.keep(shared(person=BEN, source="m2", note="ben's words", room=DEV, shared_at=later))
    gone = await storage.memories.unshare(kept.memory.source)
    assert (gone.memories, dict(gone.rows)) == (0, {"shares": 1})
    left = await storage.memories.get(kept.memory.memory_id)
    assert (left.person.name, left.note, left.shares, left.shared_at) == ("Ben", "ben's words", 1, later)
    assert await storage.search.by_words("ana's words", [TEAM], ALL, limit=5) != ()
    assert await storage.memories.count(ALL, [TEAM], matching="ana") == 0


async def test_the_palaces_own_copy_of_a_file_goes_and_a_persons_own_file_stays(storage, tmp_path):
    copy, own = tmp_path / "files" / "slack" / "F1.pdf", tmp_path / "own.pdf"
    copy.parent.mkdir(parents=True)
    for path in (copy, own):
        path.write_text("owls")
        file = Attachment(name=path.name, path=str(path))
        await storage.memories.keep(shared(path.name, kind="file", attachment=file))
    gone = await storage.memories.unshare(f"{DEV.key}/F1.pdf")
    assert dict(gone.rows)["copies"] == 1
    (left,) = await storage.memories.list(ALL, [TEAM])
    assert "copies" not in dict((await storage.memories.forget([left.memory_id])).rows)
    assert not copy.exists()
    assert own.exists()


async def test_taking_back_the_only_share_forgets(storage):
    memory = await saved(storage, "owls", "text")
    gone = await storage.memories.unshare(memory.source)
    assert (gone.memories, dict(gone.rows)["shares"]) == (1, 1)


async def test_one_item_of_a_message_is_taken_back_by_its_key_or_an_alias(storage):
    for name in ("a", "b"):
        await storage.memories.keep(shared(name, source="m1"))
    (one,) = await storage.memories.find("https://example.com/a")
    await storage.memories.add_aliases(one.memory_id, ["alias-of-a"])
    assert [memory.title for memory in await storage.memories.of_source("m1")] == ["A", "B"]
    assert (await storage.memories.unshare("m1", key="alias-of-a")).titles == ("A",)
    assert (await storage.memories.unshare("m1", key="nothing")).memories == 0
    assert [memory.title for memory in await storage.memories.of_source("m1")] == ["B"]


async def test_a_moved_room_keeps_its_memories_turns_and_settings_under_its_new_key(storage):
    memory = await saved(storage, "owls", "owls hunt", room=OPS)
    await storage.transcript.add(OPS, Turn(speaker="person", text="hello owls", at=NOON), SECRET)
    await storage.rooms.set(OPS.key, "recall", "off")
    new = type(OPS)(platform="slack", space="T1", channel="C9", kind="private", name="ops two")
    scope = type(SECRET)(kind="room", key=new.key)
    assert await storage.memories.move_room(OPS, new) >= 4
    moved = await storage.memories.get(memory.memory_id, [scope])
    assert (moved.room, moved.scope) == (new, scope)
    assert await storage.memories.get(memory.memory_id, [SECRET]) is None
    assert len(await storage.search.by_meaning(direction(0), [scope], ALL, limit=5)) == 1
    assert len(await storage.search.by_words("owls", [scope], ALL, limit=5)) == 1
    assert len(await storage.transcript.last(new, limit=5)) == 1
    assert await storage.rooms.get(new.key, "recall") == "off"
    assert await storage.memories.keep(shared("owls", room=new, source="again")) is not None
    assert await storage.memories.count(ALL, [scope]) == 1


async def test_a_room_moved_into_one_with_the_same_page_makes_one_memory_of_two(storage):
    new = type(OPS)(platform="slack", space="T1", channel="C9", kind="private", name="new")
    await saved(storage, "owls", "old text", room=OPS, note="old")
    await saved(storage, "owls", "new text", room=new, note="new")
    await storage.memories.move_room(OPS, new)
    (memory,) = await storage.memories.list(ALL, [type(SECRET)(kind="room", key=new.key)])
    assert (memory.shares, set(memory.note.split("\n"))) == (2, {"old", "new"})
    stats = await storage.memories.stats()
    assert stats["chunks"] == stats["chunk_words"] == stats["vectors"] == 1
