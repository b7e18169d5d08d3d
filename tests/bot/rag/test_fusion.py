"""Rankings are fused so that agreement raises, and the choice hears more than one document."""

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.memories import Passage
from bot.ports import Hit
from bot.rag.fusion import Ranking, blend, diversify, fuse, keep_in_front, wording_weights


def ranking(names: str, *, weight: float = 1.0, wording: str = "q") -> Ranking:
    hits = tuple(Hit(chunk_id=ord(name), memory_id=name, score=1.0) for name in names)
    return Ranking(way="words", wording=wording, hits=hits, weight=weight)


def order(rankings) -> str:
    return "".join(chr(one.chunk_id) for one in fuse(rankings))


def passages(names: str, texts: dict[str, str] | None = None) -> list[Passage]:
    """`a1` is the first chunk of document a; scores fall."""
    return [
        Passage(
            chunk_id=place,
            memory_id=name[0],
            number=int(name[1]),
            text=(texts or {}).get(name, f"What {name} alone says is number {place} of {place * 7} kinds of things."),
            title=name,
            url="",
            score=1 / (1 + place),
        )
        for place, name in enumerate(names.split())
    ]


def titles(chosen) -> str:
    return " ".join(one.title for one in chosen)


def test_a_hit_of_the_asked_question_stays_in_front_of_what_other_wordings_agree_on():
    weights = wording_weights(3)
    others = [ranking("klmnz", weight=weights[1], wording="v2"), ranking("stuvz", weight=weights[2], wording="v3")]
    assert "w" in order([ranking("wz", weight=weights[0]), *others])[:3]


def test_the_original_weighs_as_much_as_twice_all_other_wordings():
    for count in (2, 3, 6):
        weights = wording_weights(count)
        assert weights[0] == 2 * sum(weights[1:])
    assert wording_weights(1) == (1.0,)


def test_wordings_that_count_alike_share_the_original_s_weight():
    assert wording_weights(4, 2) == (0.5, 0.5, 0.25, 0.25)


@given(st.permutations("abcdef"), st.permutations("abcdef"), st.integers(0, 6))
def test_another_wording_raises_and_never_lowers(first, second, length):
    before = {one.chunk_id: one.score for one in fuse([ranking("".join(first))])}
    after = {
        one.chunk_id: one.score
        for one in fuse([ranking("".join(first)), ranking("".join(second[:length]), weight=0.5)])
    }
    assert all(after[chunk_id] >= score for chunk_id, score in before.items())


def test_what_found_a_chunk_is_kept_in_order():
    found = fuse([ranking("a", wording="asked"), ranking("ba", wording="other")])
    assert found[0].found_by == ("words:asked", "words:other")


def test_one_long_document_does_not_fill_every_place():
    assert titles(diversify(passages("a1 a2 a3 a4 b1 a5 c1"), limit=5)) == "a1 a2 a3 b1 c1"
    assert titles(diversify(passages("a1 a2 a3 a4 a5 b1 c1 d1 e1"), limit=5)) == "a1 a2 b1 c1 d1"


def test_places_that_no_other_document_takes_go_back_to_the_full_one():
    assert titles(diversify(passages("a1 a2 a3"), limit=5)) == "a1 a2 a3"
    assert titles(diversify(passages("a1 a2 a3 a4 b1"), limit=4)) == "a1 a2 a3 b1"


def test_the_same_text_is_read_once_however_it_is_spaced():
    text = "The kettle holds one litre and boils it in three minutes"
    chosen = diversify(
        passages("a1 b1 c1", {"a1": text, "b1": f"{text.upper()} .", "c1": "Something else again."}), limit=5
    )
    assert titles(chosen) == "a1 c1"


def test_overlapping_chunks_that_differ_in_content_both_stay():
    texts = {
        "a1": "one two three four five six seven eight nine",
        "a2": "eight nine ten eleven twelve thirteen fourteen",
    }
    assert titles(diversify(passages("a1 a2", texts), limit=5)) == "a1 a2"


def test_the_choice_is_ordered_by_score():
    chosen = diversify(passages("a1 a2 a3 b1 c1"), limit=5)
    assert [one.score for one in chosen] == sorted((one.score for one in chosen), reverse=True)


def test_a_sure_hit_comes_into_the_first_three_and_nothing_is_lost():
    assert keep_in_front([1, 2, 3, 4, 5], [5]) == (1, 2, 5, 3, 4)
    assert keep_in_front([1, 2, 3, 4, 5], [2]) == (1, 2, 3, 4, 5)
    assert keep_in_front([1], []) == (1,)


def test_blending_keeps_distances_that_ranks_lose():
    near = blend(((0.5, {1: 1.0, 2: 0.99, 3: 0.0}), (0.5, {1: 0.0, 2: 1.0, 3: 0.5})))
    assert max(near, key=near.__getitem__) == 2
    assert blend(((1.0, {7: 3.0}),)) == {7: 1.0}
