"""A comparison's sides are read from the question."""

import pytest

from bot.rag.sides import naming, sides, speaks_of


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Compare Kiln and Forge for small teams", ("Kiln", "Forge")),
        ("What is the difference between white rice and brown rice?", ("white rice", "brown rice")),
        ("Kiln vs. Forge?", ("Kiln", "Forge")),
        ("Kiln vs. Forge pricing?", ("Kiln", "Forge")),
        ("How does Kiln compare with Forge?", ("Kiln", "Forge")),
        ("compare Kiln's and Forge's pricing", ("Kiln", "Forge")),
        ("Hello, can you compare the prices of Kiln and Forge?", ("Kiln", "Forge")),
        ("Compare Kiln, Forge and Anvil", ("Kiln", "Forge", "Anvil")),
        ("Was ist der Unterschied zwischen Roggen und Weizen?", ("Roggen", "Weizen")),
        ("¿Diferencia entre harina y sémola?", ("harina", "sémola")),
        ("is C++ better than C#?", ("C++", "C#")),
        ("Is the Kiln hotter than the Forge?", ("Kiln", "Forge")),
        ("Compara el queso fresco y el queso de cabra", ("queso fresco", "queso de cabra")),
        ("Which is bigger, Kiln16 or Forge32?", ("Kiln16", "Forge32")),
        ("Which of Kiln, Forge and Anvil is hotter?", ("Kiln", "Forge", "Anvil")),
        ("Compare the strategies", ()),
        ("", ()),
    ],
)
def test_sides_are_what_the_question_names(question, found):
    assert sides(question) == found


def test_a_text_speaks_of_a_side_that_it_names():
    assert speaks_of("Kiln", "The Kiln's price is nine euros.")
    assert not speaks_of("Kiln", "Forge costs ten.")
    assert speaks_of("postgres", "PostgreSQL costs nothing.")
    assert not speaks_of("white rice", "Brown rice takes longer.")


def test_a_long_name_is_spoken_of_by_most_of_its_words():
    assert speaks_of("NW ID Glide Tourer", "The ID. GLIDE TOURER is lined with leather.")
    assert not speaks_of("NW ID Glide Tourer", "A tourer of Norway.")


def test_the_side_that_a_text_names_more_fully_is_the_one_it_speaks_of():
    assert naming(("white rice", "brown rice"), "how long does brown rice take?") == "brown rice"
    assert naming(("white rice", "brown rice"), "how long does rice take?") == ""
    assert naming((), "anything") == ""
