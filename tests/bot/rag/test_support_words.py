"""A claim's words are compared with those of its evidence as the model reads them, not by their letters alone."""

import numpy as np
import pytest

from bot.rag.support_words import Nearness, compared, nearness, words_of, worth_comparing
from bot.rag.weights import WordWeights
from tests.fakes.embedder import HashEmbedder


@pytest.fixture
def hashed():
    return HashEmbedder()


async def test_what_is_quoted_is_as_near_as_can_be(hashed):
    near = await nearness(hashed, "Marta Lind replaced 40 slates.", ["In spring Marta Lind replaced 40 slates."])
    assert (near.named, near.figures) == pytest.approx((1.0, 1.0), abs=1e-4)
    assert (near.loosest, near.weakest) == pytest.approx((1.0, 1.0), abs=1e-4)


async def test_a_number_that_is_not_there_counts_nothing_however_near_another_is(hashed):
    near = await nearness(hashed, "They replaced 40 slates.", ["They replaced 41 slates."])
    assert near.figures == 0.0


async def test_a_claim_without_names_and_numbers_lacks_none(hashed):
    near = await nearness(hashed, "the slates were replaced", ["Penguins swim."])
    assert (near.named, near.figures) == (1.0, 1.0)
    assert near.loosest < 0.5


async def test_without_evidence_nothing_is_near_and_without_a_claim_nothing_lacks(hashed):
    assert await nearness(hashed, "Marta replaced 40 slates.", []) == Nearness(
        named=0.0, figures=0.0, loosest=0.0, weakest=0.0
    )
    assert await nearness(hashed, "…", ["Penguins swim."]) == Nearness()


async def test_the_same_number_in_another_sense_is_less_near(embedder):
    claim = "The bridge was opened in 1932."
    same = await nearness(embedder, claim, ["It took until 1932 before traffic could cross the bridge."])
    other = await nearness(embedder, claim, ["The museum holds 1932 stuffed birds."])
    assert same.figures > other.figures


def test_a_word_is_the_mean_of_its_tokens_and_one_that_was_not_read_is_left_out(hashed):
    text = "don't stop now"
    rows = np.eye(64, dtype=np.float32)[: len(hashed.tokenizer.encode(text).offsets) - 1]
    found = words_of(text, rows, hashed.tokenizer)
    assert found.words == ("don't", "stop")
    assert np.linalg.norm(found.vectors, axis=1) == pytest.approx(1.0)


def test_only_the_worse_part_of_many_words_decides_how_loose_a_claim_is():
    cosines = np.array([[1.0], [1.0], [1.0], [0.2], [0.2]], dtype=np.float32)
    said = ("slates", "gutters", "roofs", "penguins", "colonies")
    assert compared(said, (), ("slate",), cosines).loosest == pytest.approx(0.2)


def test_the_sentences_that_cover_most_are_compared_after_the_chosen_ones(hashed):
    filler = [f"Nothing about it in sentence {at}." for at in range(30)]
    told = [*filler, "Marta replaced all slates.", "Slates are heavy."]
    found = worth_comparing("Marta replaced slates.", told, (4,), WordWeights(hashed.tokenizer))
    assert found[:2] == [told[4], "Marta replaced all slates."]
    assert len(found) == 10
