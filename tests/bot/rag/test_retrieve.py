"""The search hears every wording, keeps a sure hit in front, spreads over documents and heeds votes."""

from datetime import UTC, datetime

import pytest

from bot.domain.answers import RetrievalParameters, Vote, VotedPassage
from bot.domain.memories import Chunk, Filters, Page, Shared
from bot.domain.rooms import Person, Room, scope_of
from bot.rag.retrieve import Retriever, with_votes
from storage import open_storage
from tests.fakes.embedder import HashEmbedder

NOW = datetime(2026, 5, 3, tzinfo=UTC)
ANA = Person(platform="console", person_id="ana")
HERE = Room(platform="console", channel="ana", kind="direct")
OTHER = Room(platform="console", channel="c9", kind="private")
SCOPE = scope_of(HERE, ANA)
FIVE = RetrievalParameters(passages=5, by_meaning=0.7, by_words=0.3, wordings=2)


@pytest.fixture
async def storage(tmp_path):
    async with open_storage(f"sqlite:///{tmp_path}/palace.db") as opened:
        await opened.prepare_embeddings(model_name="hash", dimensions=64)
        yield opened


@pytest.fixture
def embedder():
    return HashEmbedder()


async def save(storage, embedder, name, *texts, room=HERE):
    shared = Shared(
        kind="file", scope=scope_of(room, ANA), room=room, person=ANA, shared_at=NOW, source=name, key=name, title=name
    )
    kept = await storage.memories.keep(shared)
    chunks = [Chunk(number=number, text=text) for number, text in enumerate(texts)]
    vectors = await embedder.embed([f"{name}\n{text}" for text in texts])
    page = Page(url="", text="\n\n".join(texts), title=name)
    await storage.memories.write_version(kept.memory.memory_id, page, chunks, vectors, now=NOW)


async def search(storage, embedder, *queries, parameters=FIVE, feedback=None, scopes=(SCOPE,)):
    retriever = Retriever(storage.search, embedder, feedback)
    return await retriever.retrieve(queries, parameters, scopes, Filters())


async def test_finds_by_words_and_by_meaning_and_says_so(storage, embedder):
    await save(storage, embedder, "Owls", "Owls hunt mice at night.")
    await save(storage, embedder, "Bread", "Bread rises for two hours.")
    found = await search(storage, embedder, "When do owls hunt?")
    assert found[0].title == "Owls"
    assert found[0].found_by == ("words:When do owls hunt?", "meaning:When do owls hunt?")
    assert found[0].similarity is not None
    assert found[0].similarity > 0.3
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


async def test_the_only_holder_of_an_id_stays_among_the_first_three(storage, embedder):
    await save(storage, embedder, "Parts list", "Item QX-88231 needs nine newton metres.")
    for name in "abcdefgh":
        await save(storage, embedder, f"Torque {name}", f"Torque torque value of the workbench {name} for every bolt.")
    asked = ("QX-88231 torque?", "torque value of the workbench", "torque for every bolt")
    assert "Parts list" in [one.title for one in (await search(storage, embedder, *asked))[:3]]


async def test_one_document_takes_two_of_five_places(storage, embedder):
    kinds = ("barn", "snowy", "tawny", "eagle", "little", "scops")
    await save(
        storage, embedder, "All owls", *(f"The {kind} owl hunts {at} mice a night." for at, kind in enumerate(kinds))
    )
    for name in ("Hawks", "Voles", "Barns"):
        await save(storage, embedder, name, f"{name} and an owl that hunts mice.")
    titles = [one.title for one in await search(storage, embedder, "owl hunts mice")]
    assert len(titles) == 5
    assert titles.count("All owls") == 2


async def test_another_scope_is_never_searched(storage, embedder):
    await save(storage, embedder, "Secret", "The owls are coming on Friday.", room=OTHER)
    assert await search(storage, embedder, "owls Friday") == ()
    assert await search(storage, embedder, "owls Friday", scopes=()) == ()


async def test_nothing_is_searched_where_no_passage_is_wanted(storage, embedder):
    nothing = RetrievalParameters(passages=0, by_meaning=0, by_words=0, wordings=0)
    await save(storage, embedder, "Owls", "Owls hunt mice at night.")
    assert await search(storage, embedder, "owls", parameters=nothing) == ()
    assert await search(storage, embedder) == ()


async def test_an_extra_wording_brings_what_the_question_did_not_name(storage, embedder):
    await save(storage, embedder, "Owls", "Owls hunt mice at night.")
    await save(storage, embedder, "Strigiformes", "Strigiformes prey on rodents.")
    for name in ("Diary", "Letter", "Menu", "Poem", "Map"):
        await save(
            storage, embedder, name, f"This {name} of many pages mentions owls once among other birds of the wood."
        )
    alone = await search(storage, embedder, "owls")
    wider = await search(storage, embedder, "owls", "strigiformes rodents")
    assert "Strigiformes" not in [one.title for one in alone]
    assert "Strigiformes" in [one.title for one in wider]


async def test_wordings_that_count_alike_bring_up_what_most_of_them_ask_for(storage, embedder):
    await save(storage, embedder, "Length", "A length of rope is measured along its middle.")
    await save(storage, embedder, "Orca", "The Orca kayak measures four metres.")
    retriever = Retriever(storage.search, embedder, None)
    asked = ("length rope", "Orca kayak metres", "weight of the Orca kayak")
    apart = await retriever.retrieve(asked, FIVE, (SCOPE,), Filters())
    alike = await retriever.retrieve(asked, FIVE, (SCOPE,), Filters(), alike=3)
    assert apart[0].title == "Length"
    assert alike[0].title == "Orca"


async def test_a_passage_voted_down_is_not_first_for_a_like_question_and_is_again_after_undo(storage, embedder):
    await save(storage, embedder, "Owls", "Owls hunt mice at night in the barn.")
    await save(storage, embedder, "Barn", "The barn is where some owls hunt.")
    asked = "where do owls hunt mice at night"
    first = (await search(storage, embedder, asked))[0]
    vector = (await embedder.embed_queries([asked]))[0]
    vote = Vote(trace_id="t1", person_key=ANA.key, value=-1, reason="", at=NOW)
    vote = await storage.feedback.vote(vote, question_vector=vector, scope=SCOPE, passages=[first])
    alike = "where do the owls hunt mice at night"
    lowered = await search(storage, embedder, alike, feedback=storage.feedback)
    assert lowered[0].title != first.title
    assert first.title in [one.title for one in lowered]
    await storage.feedback.undo(vote.vote_id, person_key=ANA.key)
    assert (await search(storage, embedder, alike, feedback=storage.feedback))[0].title == first.title


def test_a_vote_up_raises_and_an_unknown_chunk_changes_nothing():
    up = VotedPassage(chunk_id=2, memory_id="b", value=1, similarity=1.0)
    unknown = VotedPassage(chunk_id=9, memory_id="z", value=-1, similarity=1.0)
    scores = with_votes({1: 1.0, 2: 0.8}, [up, unknown])
    assert scores[2] > scores[1] == 1.0
    assert 9 not in scores


def test_the_only_passage_voted_down_is_still_there():
    down = VotedPassage(chunk_id=1, memory_id="a", value=-1, similarity=1.0)
    assert with_votes({1: 1.0}, [down]) == {1: 0.5}
