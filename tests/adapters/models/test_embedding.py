"""The packaged model gives the vectors it should, in order, without holding the event loop."""

import asyncio

import numpy as np
import pytest

from adapters.models.embedding import PACKAGED_SHA256, SentenceTransformerEmbedder, check_weights
from bot.domain.errors import BadInput, NotReady


async def test_vectors_are_normalised_and_paraphrases_are_near(model: SentenceTransformerEmbedder) -> None:
    texts = ["How long does sourdough keep?", "bread " * 300, "The storage life of a sourdough loaf", "Tax law of 1913"]
    vectors = await model.embed(texts)
    assert vectors.shape == (4, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[2] > 0.6
    assert vectors[0] @ vectors[3] < 0.2


async def test_results_come_in_the_order_asked_for(model: SentenceTransformerEmbedder) -> None:
    texts = [("word " * (40 - at)) + str(at) for at in range(40)]
    together = await model.embed(texts)
    alone = await model.embed([texts[7]])
    assert np.allclose(together[7], alone[0], atol=1e-4)


async def test_a_question_forgotten_while_others_are_read_is_still_answered_with(
    model: SentenceTransformerEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.models.embedding.REMEMBERED_QUESTIONS", 1)
    (before,) = await model.embed_queries(["a question asked before"])
    other = model.embed_queries(["another at the same time"])
    _, (first, _) = await asyncio.gather(other, model.embed_queries(["a question asked before", "a new one"]))
    assert np.array_equal(first, before)


async def test_a_question_is_remembered_and_equals_a_text(model: SentenceTransformerEmbedder) -> None:
    first = await model.embed_queries(["where is it?", "where is it?"])
    assert np.array_equal(first[0], first[1])
    assert np.allclose(first[0], (await model.embed(["where is it?"]))[0], atol=1e-5)


async def test_no_texts_give_no_vectors(model: SentenceTransformerEmbedder) -> None:
    assert (await model.embed([])).shape == (0, 384)
    assert (await model.embed_queries([])).shape == (0, 384)


async def test_a_question_overtakes_bulk_work(model: SentenceTransformerEmbedder) -> None:
    bulk = asyncio.create_task(model.embed([f"a long text of bulk work {at} " * 20 for at in range(40)]))
    await asyncio.sleep(0)
    await model.embed_queries(["an urgent question"])
    assert not bulk.done()
    await bulk


async def test_the_tokenizer_counts_what_the_model_reads(model: SentenceTransformerEmbedder) -> None:
    await model.load()
    assert model.max_tokens == 256
    assert len(model.tokenizer.encode("word " * 1000).ids) == 1002


def test_before_loading_it_says_so() -> None:
    with pytest.raises(NotReady, match="still loading"):
        _ = SentenceTransformerEmbedder().tokenizer


async def test_tokens_have_one_row_each_in_the_order_of_the_texts(model: SentenceTransformerEmbedder) -> None:
    texts = ("A rye loaf keeps for a week.", "Owls hunt.", "A rye loaf keeps for a week.")
    rows = await model.embed_tokens(texts)
    counts = [len(model.tokenizer.encode(text, add_special_tokens=False).ids) for text in texts]
    assert [one.shape for one in rows] == [(count, model.dimensions) for count in counts]
    assert np.array_equal(rows[0], rows[2])
    assert await model.embed_tokens(()) == ()


async def test_a_word_is_read_in_its_sentence(model: SentenceTransformerEmbedder) -> None:
    river, money, lender = (
        rows[1] / np.linalg.norm(rows[1])
        for rows in await model.embed_tokens(("river bank", "savings bank", "mortgage bank"))
    )
    assert money @ lender > money @ river


async def test_a_long_text_has_rows_for_what_was_read(model: SentenceTransformerEmbedder) -> None:
    (rows,) = await model.embed_tokens(("owl " * 400,))
    assert len(rows) == model.max_tokens - 2


async def test_a_model_that_is_not_there_is_one_sentence(tmp_path) -> None:
    with pytest.raises(BadInput, match="could not be loaded"):
        await SentenceTransformerEmbedder(str(tmp_path)).load()


def test_other_weights_are_refused(tmp_path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    with pytest.raises(BadInput, match="not the ones expected"):
        check_weights(tmp_path / "model.safetensors", PACKAGED_SHA256)
