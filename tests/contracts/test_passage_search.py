"""What every search of passages promises: any text may be typed, only readable chunks come back."""

from datetime import timedelta

import numpy as np
import pytest

from bot.domain.memories import Filters
from tests.fakes.palace import BEN, NOON, OPS, OWN, SECRET, TEAM, direction, saved, shared

ALL = Filters()

DOCUMENTS = {
    "hyphen": "a post-mortem of the low-latency gateway, see RFC-7231",
    "signs": "we don't mix F# with C++, deno.land or O'Neill's std::vector",
    "accents": "a naïve crème brûlée in the cafétéria",
    "when": "where is the key when you need it",
    "operators": "EITHER OR neither NOT both AND NEAR the bridge",
    "german": "die Straße nach Lübeck ist gesperrt",
}
SCRIPTS = {
    "chinese": "昨天我们评审了迁移计划和回滚步骤",
    "glued": "升级vault-k8s后30个证书已更新",
    "vietnamese": "Nhà hàng Đồng Quê đóng cửa sớm",
    "korean": "서울 지하철 노선도",
    "norwegian": "Sørøya's brønn is frozen, Łódź is not",
    "japanese": "デプロイメント手順書の確認",
    "thai": "ตารางเรียนภาษาไทย",
}


async def titles(storage, text, scopes=(TEAM,), filters=ALL, limit=10):
    hits = await storage.search.by_words(text, scopes, filters, limit=limit)
    passages = await storage.search.passages([hit.chunk_id for hit in hits], scopes)
    return [passage.title.lower() for passage in passages]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("post-mortem", "hyphen"), ("RFC-7231", "hyphen"), ("low-latency gateway?", "hyphen"), ("don't mix", "signs"),
        ("C++", "signs"), ("deno.land", "signs"), ('"deno.land"', "signs"), ("O'Neill", "signs"),
        ("O’Neill’s", "signs"),
        ("std::vector", "signs"), ("F#", "signs"), ("creme brulee", "accents"), ("CAFÉTÉRIA", "accents"),
        ("where is it?", "when"), ("NEAR(bridge", "operators"), ("NOT", "operators"), ("bridge OR", "operators"),
        ("strasse", "german"), ("lubeck", "german"), ("the key to what?", "when"), ("gateway's", "hyphen"),
    ],
)  # fmt: skip
async def test_words_are_found_as_people_type_them(storage, typed, first):
    for name, text in DOCUMENTS.items():
        await saved(storage, name, text)
    assert (await titles(storage, typed))[0] == first


@pytest.mark.parametrize(
    "typed",
    ["", " ", "*", "-", "^", "🚲", '"', "()", "title:", "a\0b", "{x y}", "'; DROP TABLE memories;--", "NEAR(", "\ud83d",
     "x\ud83d",     "head:zebra", "x" * 50_000, "? ! …", "-zebra", "zebra*", "AND", "OR NOT"],
)  # fmt: skip
async def test_no_text_raises_and_nothing_is_an_operator(storage, typed):
    await saved(storage, "owls", "barn owls hunt mice")
    assert await titles(storage, typed) == []
    assert await storage.memories.count(ALL, [TEAM], matching=typed) in {0, 1}


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("迁移", "chinese"), ("回滚步骤", "chinese"), ("迁移计划是什么", "chinese"), ("vault", "glued"),
        ("k8s", "glued"),
        ("证书", "glued"), ("dong que", "vietnamese"), ("Đồng", "vietnamese"), ("지하철", "korean"), ("노선", "korean"),
        ("soroya", "norwegian"), ("bronn", "norwegian"), ("lodz", "norwegian"), ("デプロイメント", "japanese"),
        ("手順", "japanese"), ("ภาษาไทย", "thai"), ("ไทย", "thai"),
    ],
)  # fmt: skip
async def test_scripts_without_spaces_and_letters_with_strokes_are_found_by_words(storage, typed, first):
    for name, text in SCRIPTS.items():
        await saved(storage, name, text)
    assert (await titles(storage, typed))[0] == first


async def test_words_that_stand_everywhere_are_found_in_a_small_palace(storage):
    await saved(storage, "one", "owls hunt at night")
    await saved(storage, "two", "owls sleep by day")
    await saved(storage, "three", "owls hunt mice")
    assert set(await titles(storage, "owls")) == {"one", "two", "three"}
    assert (await titles(storage, "do owls hunt mice"))[0] == "three"
    assert set((await titles(storage, "owls hunt"))[:2]) == {"one", "three"}


async def test_parts_that_do_not_stand_together_and_beginnings_are_found_when_nothing_else_is(storage):
    await saved(storage, "one", "Hausverwaltung kostet Geld; the gateway has low power and little latency")
    assert await titles(storage, "low-latency") == ["one"]
    assert await titles(storage, "hausverw") == ["one"]


async def test_a_memory_not_read_yet_is_found_by_title_note_tag_and_address(storage):
    kept = await storage.memories.keep(shared("snowy-owl", title="Arctic hunters", note="for the roof", tags=("bird",)))
    for word in ("arctic", "roof", "bird", "snowy"):
        (hit,) = await storage.search.by_words(word, [TEAM], ALL, limit=5)
        assert hit.memory_id == kept.memory.memory_id
    (passage,) = await storage.search.passages([hit.chunk_id], [TEAM])
    assert (passage.title, passage.note, passage.person_name) == ("Arctic hunters", "for the roof", "Ana Silva")
    assert passage.text
    assert await storage.search.passages([hit.chunk_id], [SECRET]) == ()
    assert (await storage.search.vectors([hit.chunk_id])).shape[0] == 1


async def test_an_unread_memory_stands_beside_the_best_chunk(storage):
    await saved(storage, "pellets", "an owl pellet holds bones of mice")
    await storage.memories.keep(shared("b", title="Owl pellet dissection", source="m2"))
    assert set(await titles(storage, "owl pellet", limit=2)) == {"pellets", "owl pellet dissection"}


async def test_the_nearest_come_first_and_cosines_are_told(storage):
    await saved(storage, "owls", "far", "near", axes=(3, 0))
    hits = await storage.search.by_meaning(direction(0, tilt=0.3), [TEAM], ALL, limit=5)
    assert [round(hit.score, 3) for hit in hits] == [round(float(np.cos(0.3)), 3), 0.0]
    assert [p.text for p in await storage.search.passages([h.chunk_id for h in hits], [TEAM])] == ["near", "far"]


async def test_nothing_outside_the_scopes_takes_a_place(storage):
    for number in range(30):
        await saved(storage, f"secret-{number}", "owls everywhere", axes=(0,), room=OPS)
    await saved(storage, "open", "owls here", axes=(1,))
    for scopes in ([TEAM], [TEAM, OWN]):
        assert len(await storage.search.by_meaning(direction(0), scopes, ALL, limit=5)) == 1
        assert await titles(storage, "owls", scopes, limit=5) == ["open"]
    assert await storage.search.by_meaning(direction(0), [], ALL, limit=5) == ()
    assert await storage.search.by_words("owls", [], ALL, limit=5) == ()
    assert len(await storage.search.by_meaning(direction(0), [TEAM, SECRET], ALL, limit=40)) == 31


async def test_filters_stand_before_the_cut(storage):
    for number in range(30):
        await saved(storage, f"n{number}", "owls everywhere", axes=(0,))
    late = NOON + timedelta(days=9)
    wanted = await saved(storage, "late", "owls late", axes=(1,), person=BEN, shared_at=late, tags=("x",))
    by_id = Filters(memory_ids=(wanted.memory_id,))
    for filters in (Filters(person_names=("ben",)), Filters(since=late), Filters(tags=("x",)), by_id):
        (near,) = await storage.search.by_meaning(direction(0), [TEAM], filters, limit=3)
        (word,) = await storage.search.by_words("owls", [TEAM], filters, limit=3)
        assert near.memory_id == word.memory_id == wanted.memory_id


async def test_vectors_come_back_in_order_and_missing_ones_are_zeros(storage):
    await saved(storage, "owls", "one", "two", axes=(0, 1))
    ids = [hit.chunk_id for hit in await storage.search.by_meaning(direction(1), [TEAM], ALL, limit=2)]
    found = await storage.search.vectors([999, *ids])
    assert np.array_equal(found, np.stack([direction(0) * 0, direction(1), direction(0)]))


async def test_document_frequency_counts_chunks_by_the_words_stem(storage):
    await saved(storage, "owls", "owls hunt", "an owl sleeps")
    assert await storage.search.document_frequency(["OWL", "hunting", "zebra"], [TEAM]) == {
        "OWL": 2, "hunting": 1, "zebra": 0,
    }  # fmt: skip
    assert await storage.search.chunk_total() == 2


@pytest.mark.parametrize(
    "wrong",
    [direction(0).astype(np.float64), np.full(8, np.nan, np.float32), np.ones(4, np.float32), [1.0] * 8, None],
    ids=["float64", "nan", "short", "a list", "nothing"],
)
async def test_a_wrong_vector_is_refused_before_it_reaches_the_file(storage, wrong):
    await saved(storage, "owls", "one")
    with pytest.raises(ValueError, match=r"vector|array|values"):
        await storage.search.by_meaning(wrong, [TEAM], ALL, limit=1)
    with pytest.raises(ValueError, match=r"vector|array|values"):
        await storage.write_vectors([1], wrong if wrong is None or isinstance(wrong, list) else wrong.reshape(1, -1))
