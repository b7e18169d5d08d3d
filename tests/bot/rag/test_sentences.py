"""Text is cut where its sentences end, in several languages, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rag.sentences import sentences, split_sentences, without_marks


@pytest.mark.parametrize(
    "whole",
    [
        "Dr. Okafor arrived at 3.5 km.",
        "They met at 9 a.m. on Monday.",
        "J. K. Marsh wrote it.",
        "Das gilt z. B. für Tee.",
        "Am 3. Oktober wird gefeiert.",
        "Version 2.1.3 came out.",
        "La Sra. Ruiz llegó tarde.",
        "See example.com for more.",
        "It cost approx. five euros.",
        "Nordwagen shows the ID. Glide Tourer in Geneva.",
        "The U.S. Senate met in Washington D.C. Monday.",
        "OSLO (Wire) — Sen. Berg spoke of 3.5 percent.",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_end_it(whole):
    assert split_sentences(whole) == (whole,)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("It rained. We left!", ("It rained.", "We left!")),
        ("Really? Yes. No…", ("Really?", "Yes.", "No…")),
        ('He said "Stop." Then he left.', ('He said "Stop."', "Then he left.")),
        ("猫が好き。犬も好き！", ("猫が好き。", "犬も好き！")),
        ("It was in 1999. Then it ended.", ("It was in 1999.", "Then it ended.")),
        ("She lives in the US. Her son does not.", ("She lives in the US.", "Her son does not.")),
        ("Bring your ID. The desk opens at nine.", ("Bring your ID.", "The desk opens at nine.")),
        ("¿Vienes? Sí, voy.", ("¿Vienes?", "Sí, voy.")),
    ],
)
def test_sentences_end_where_they_end(text, pieces):
    assert split_sentences(text) == pieces


def test_markdown_becomes_pieces_of_their_kinds():
    page = (
        "# Oven\n\nHeat it **well**. See [the manual](https://x.test/a_(b)).\n\n- first thing\n  goes on\n- second\n\n"
        "```sh\nbake --now\n\nbake --later\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> Quoted words."
    )
    assert [(piece.kind, piece.text) for piece in sentences(page)] == [
        ("heading", "Oven"),
        ("text", "Heat it well."),
        ("text", "See the manual."),
        ("item", "first thing goes on"),
        ("item", "second"),
        ("code", "bake --now\n\nbake --later"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("text", "Quoted words."),
    ]
    assert [piece.language for piece in sentences(page) if piece.kind == "code"] == ["sh"]


def test_footnote_numbers_and_marks_go_and_underscores_in_names_stay():
    assert (
        without_marks("It _is_ so[3], in snake_case_name and 2 * 3 * 4.")
        == "It is so, in snake_case_name and 2 * 3 * 4."
    )


@given(st.text(alphabet="aB .!?1。\n", max_size=80))
def test_no_letter_is_lost(text):
    flat = " ".join(text.split())
    assert "".join("".join(split_sentences(flat)).split()) == "".join(flat.split())
