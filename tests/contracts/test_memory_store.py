"""What every store of memories promises: kept once, read, queued, edited, found again."""

from datetime import timedelta

from bot.domain.memories import Chunk, Filters
from bot.domain.messages import Attachment, Preview
from tests.fakes.palace import ANA, BEN, DEV, NOON, OPS, OWN, SECRET, TEAM, directions, page, saved, shared

ALL = Filters()


async def test_the_same_act_of_sharing_delivered_twice_is_one_share(storage):
    first = await storage.memories.keep(shared())
    again = await storage.memories.keep(shared())
    assert (first.known, first.new_share) == (False, True)
    assert (again.known, again.new_share) == (False, False)
    assert again.memory.memory_id == first.memory.memory_id
    assert again.memory.shares == 1


async def test_the_same_page_shared_by_another_person_is_known_and_adds_its_note(storage):
    await storage.memories.keep(shared(note="for the roof"))
    kept = await storage.memories.keep(
        shared(person=BEN, source="m2", note="see also", tags=("#Birds",), shared_at=NOON + timedelta(days=1))
    )
    assert kept.known
    assert kept.new_share
    assert (kept.first_person, kept.first_room, kept.first_at) == ("Ana Silva", "dev", NOON)
    assert kept.memory.note == "for the roof\nsee also"
    assert kept.memory.tags == ("birds",)
    assert kept.memory.shares == 2
    assert await storage.memories.count(ALL, [TEAM]) == 1


async def test_the_same_page_in_two_scopes_is_two_memories(storage):
    await storage.memories.keep(shared())
    other = await storage.memories.keep(shared(room=OPS, source="m2"))
    assert not other.known
    assert len(await storage.memories.find("https://example.com/owls")) == 2
    assert len(await storage.memories.find("https://example.com/owls", [SECRET])) == 1


async def test_an_alias_leads_to_the_same_memory(storage):
    kept = await storage.memories.keep(shared())
    assert await storage.memories.add_aliases(kept.memory.memory_id, ["short/1", "short/1"]) is None
    again = await storage.memories.keep(shared("other", key="short/1", source="m2"))
    assert again.known
    assert again.memory.memory_id == kept.memory.memory_id


async def test_an_alias_that_another_memory_holds_is_told_and_the_two_can_be_merged(storage):
    first = (await storage.memories.keep(shared(note="one", tags=("a",)))).memory
    second = await saved(storage, "birds", "about birds", note="two", tags=("b",))
    assert await storage.memories.add_aliases(first.memory_id, [second.key]) == second.memory_id
    merged = await storage.memories.merge(second.memory_id, first.memory_id)
    assert merged.note == "one\ntwo"
    assert merged.tags == ("a", "b")
    assert merged.shares == 2
    assert await storage.memories.get(second.memory_id) is None
    assert [m.memory_id for m in await storage.memories.find(second.key)] == [first.memory_id]
    assert await storage.search.chunk_total() == 0


async def test_preview_and_caption_serve_until_something_is_read(storage):
    kept = await storage.memories.keep(
        shared(title="", preview=Preview(url="", title="Owls at night", description="Hunting", site="Birds"))
    )
    assert (kept.memory.title, kept.memory.description, kept.memory.site) == ("Owls at night", "Hunting", "Birds")
    file = await storage.memories.keep(
        shared("pic", kind="file", title="", attachment=Attachment(name="a.png", path="/x/a.png", caption="barn owl"))
    )
    assert (file.memory.title, file.memory.path) == ("a.png", "/x/a.png")
    assert await storage.search.by_words("barn", [TEAM], ALL, limit=5)


async def test_claimed_memories_are_handed_out_once_oldest_first(storage):
    for name in ("a", "b", "c"):
        await storage.memories.keep(shared(name))
    first = await storage.memories.claim(NOON, limit=2)
    rest = await storage.memories.claim(NOON, limit=5)
    assert [m.title for m in first] == ["A", "B"]
    assert [m.title for m in rest] == ["C"]
    assert {m.state for m in first} == {"fetching"}
    assert {m.attempts for m in first} == {1}


async def test_a_failed_memory_is_due_again_at_its_time(storage):
    memory = (await storage.memories.keep(shared())).memory
    await storage.memories.claim(NOON, limit=1)
    later = NOON + timedelta(minutes=5)
    await storage.memories.set_state(
        memory.memory_id, "failed", reason="timed_out", detail="It took too long.", next_try=later
    )
    assert await storage.memories.claim(NOON, limit=5) == ()
    (again,) = await storage.memories.claim(later, limit=5)
    assert again.attempts == 2


async def test_a_claim_left_too_long_is_open_to_others(storage):
    await storage.memories.keep(shared())
    await storage.memories.claim(NOON, limit=1)
    assert await storage.memories.claim(NOON + timedelta(minutes=1), limit=1) == ()
    assert len(await storage.memories.claim(NOON + timedelta(hours=1), limit=1)) == 1


async def test_what_is_shared_now_is_claimed_before_an_import_of_old_things(storage):
    for number, days in enumerate((400, 0, 30)):
        at = NOON - timedelta(days=days)
        await storage.memories.keep(shared(source=f"m{number}", key=f"k{number}", shared_at=at))
    claimed = await storage.memories.claim(NOON, limit=3)
    assert [memory.key for memory in claimed] == ["k1", "k2", "k0"]


async def test_what_a_living_process_reads_is_not_taken_from_it(storage):
    await storage.memories.keep(shared())
    await storage.memories.claim(NOON, limit=1)
    assert await storage.memories.release_stale() == 0


async def test_the_text_of_a_note_comes_with_its_claim(storage):
    await storage.memories.keep(shared("n", kind="note", url="", key="hash", text="Feed the owls"))
    (claimed,) = await storage.memories.claim(NOON, limit=1)
    assert claimed.text == "Feed the owls"


async def test_a_version_replaces_the_former_whole(storage):
    memory = await saved(storage, "owls", "old one", "old two", title="Owls")
    again = await storage.memories.write_version(
        memory.memory_id, page("new"), [Chunk(number=0, text="new")], directions(3), now=NOON
    )
    assert (again.version, again.chunks, again.state) == (2, 1, "ready")
    assert await storage.memories.previous_text(memory.memory_id) == "old one\n\nold two"
    assert not await storage.search.by_words("old", [TEAM], ALL, limit=5)
    assert (await storage.memories.get(memory.memory_id)).text == "new"


async def test_an_unchanged_page_keeps_chunks_vectors_and_version(storage):
    memory = await saved(storage, "owls", "one")
    again = await storage.memories.write_version(memory.memory_id, page("one", etag="e2"), [], None, now=NOON)
    assert (again.version, again.chunks, again.etag) == (1, 1, "e2")


async def test_a_version_of_a_forgotten_memory_is_dropped(storage):
    memory = (await storage.memories.keep(shared())).memory
    await storage.memories.forget([memory.memory_id])
    assert await storage.memories.write_version(memory.memory_id, page("x"), [], directions(), now=NOON) is None


async def test_a_chunk_whose_text_stays_keeps_its_id(storage):
    memory = await saved(storage, "owls", "stays", "goes")
    (before,) = await storage.search.by_words("stays", [TEAM], ALL, limit=1)
    chunks = [Chunk(number=0, text="comes"), Chunk(number=1, text="stays")]
    await storage.memories.write_version(memory.memory_id, page("x"), chunks, directions(0, 1), now=NOON)
    (after,) = await storage.search.by_words("stays", [TEAM], ALL, limit=1)
    assert after.chunk_id == before.chunk_id


async def test_one_memory_is_read_by_a_unique_beginning_of_its_id_in_scope_only(storage):
    memory = await saved(storage, "owls", "text")
    assert (await storage.memories.get(memory.memory_id[:4], [TEAM])).text == "text"
    assert await storage.memories.get(memory.memory_id[:3]) is None
    assert await storage.memories.get(memory.memory_id, [SECRET]) is None
    assert await storage.memories.get(memory.memory_id, []) is None


async def test_lists_are_newest_first_pinned_before_and_counts_are_exact(storage):
    for day, name in enumerate(("a", "b", "c")):
        await storage.memories.keep(shared(name, shared_at=NOON + timedelta(days=day)))
    (oldest,) = await storage.memories.find("https://example.com/a")
    await storage.memories.edit(oldest.memory_id, pinned=True)
    assert [m.title for m in await storage.memories.list(ALL, [TEAM])] == ["A", "C", "B"]
    assert [m.title for m in await storage.memories.list(ALL, None, limit=1, offset=1)] == ["C"]
    assert await storage.memories.count(ALL, [TEAM]) == 3
    assert await storage.memories.count(ALL, [SECRET]) == 0


async def test_lists_match_words_of_title_note_tags_and_any_chunk_together(storage):
    memory = await saved(storage, "owls", "they hunt mice", "at night", note="roof", tags=("birds",))
    for text in ("owls mice night", "roof", "#birds hunting", "OWLS"):
        assert [m.memory_id for m in await storage.memories.list(ALL, [TEAM], matching=text)] == [memory.memory_id]
    assert await storage.memories.count(ALL, [TEAM], matching="owls elephants") == 0
    assert await storage.memories.count(ALL, [TEAM], matching="🚲") == 0


async def test_filters_name_who_where_when_what(storage):
    await storage.memories.keep(shared("a", tags=("x", "y"), pocket="Thesis"))
    await storage.memories.keep(
        shared(
            "b", room=OPS, person=BEN, scope=TEAM, shared_at=NOON + timedelta(days=2), url="https://gist.github.com/1"
        )
    )
    wanted = {
        "a": [
            Filters(person_names=("ana",)), Filters(person_names=("Ana Silva",)), Filters(person_ids=(ANA.key,)),
            Filters(room_names=("#DEV",)), Filters(room_keys=(DEV.key,)), Filters(until=NOON + timedelta(days=1)),
            Filters(tags=("x", "#Y")), Filters(pocket="thesis"), Filters(site="example.com"), Filters(site="example"),
        ],
        "b": [
            Filters(person_names=("@ben",)), Filters(since=NOON + timedelta(days=2)), Filters(site="github.com"),
            Filters(site="github"),
        ],
        "": [
            Filters(person_names=("an",)), Filters(tags=("x", "z")), Filters(kinds=("note",)),
            Filters(states=("ready",)), Filters(site="hub.com"), Filters(person_names=("ana",), room_names=("ops",)),
        ],
    }  # fmt: skip
    for name, filters in wanted.items():
        for one in filters:
            found = await storage.memories.list(one, [TEAM])
            assert [m.title for m in found] == ([name.title()] if name else []), one


async def test_what_people_edit_is_found_and_outlives_a_reading(storage):
    memory = await saved(storage, "owls", "text")
    edited = await storage.memories.edit(
        memory.memory_id, title="Strigiformes", note="mine", tags=("Night",), pocket="p"
    )
    assert (edited.title, edited.note, edited.tags, edited.pocket) == ("Strigiformes", "mine", ("night",), "p")
    await storage.memories.write_version(
        memory.memory_id, page("fresh", title="Page's own"), [Chunk(number=0, text="fresh")], directions(0), now=NOON
    )
    for word in ("strigiformes", "mine", "night"):
        assert await storage.search.by_words(word, [TEAM], ALL, limit=1), word
    assert await storage.memories.edit("nobody") is None


async def test_a_memory_is_queued_again_on_request(storage):
    memory = (await storage.memories.keep(shared())).memory
    await storage.memories.set_state(memory.memory_id, "link_only", reason="paywall", detail="It asks for money.")
    again = await storage.memories.retry(memory.memory_id)
    assert (again.state, again.attempts) == ("queued", 0)
    assert len(await storage.memories.claim(NOON, limit=1)) == 1


async def test_what_metadata_gave_of_a_link_is_kept_with_its_own_chunks(storage):
    memory = (await storage.memories.keep(shared())).memory
    await storage.memories.set_state(
        memory.memory_id, "link_only", reason="paywall", page=page("", title="Owls", description="A teaser"),
        chunks=[Chunk(number=0, text="A teaser")], vectors=directions(1),
    )  # fmt: skip
    found = await storage.memories.get(memory.memory_id)
    assert (found.state, found.reason, found.chunks, found.description) == ("link_only", "paywall", 1, "A teaser")


async def test_vocabularies_and_names_are_of_the_readable_scopes(storage):
    await storage.memories.keep(shared("a", tags=("owl", "bird"), pocket="roof"))
    await storage.memories.keep(shared("b", tags=("bird",), person=BEN))
    await storage.memories.keep(shared("c", tags=("secret",), room=OPS, source="m3"))
    assert await storage.memories.vocabulary([TEAM], kind="tag") == ("bird", "owl")
    assert await storage.memories.vocabulary([TEAM], kind="tag", starting="#O") == ("owl",)
    assert await storage.memories.vocabulary([TEAM], kind="pocket") == ("roof",)
    assert set(await storage.memories.vocabulary([TEAM], kind="title")) == {"A", "B"}
    assert set(await storage.memories.person_names([TEAM])) == {"Ana Silva", "Ben"}
    assert await storage.memories.room_names([SECRET]) == ("ops",)
    assert await storage.memories.room_names([OWN]) == ()


async def test_stats_count_states_and_kinds(storage):
    await saved(storage, "owls", "one", "two")
    await storage.memories.keep(shared("n", kind="note"))
    stats = await storage.memories.stats()
    assert (stats["memories"], stats["state_ready"], stats["kind_note"], stats["chunks"]) == (2, 1, 1, 2)
    assert stats["bytes"] > 0
