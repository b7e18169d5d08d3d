"""What a question names is found by its spelling, and looked for in a passage in all its forms."""

import pytest

from bot.domain.memories import Passage
from bot.rag.naming import Names, literals, missing, named, names_of, unspoken, without
from bot.rag.weights import WordWeights


def passage(text: str, title: str = "") -> Passage:
    return Passage(chunk_id=1, memory_id="m", number=0, text=text, title=title, url="")


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What licence does MongoDB use?", ("MongoDB",)),
        ("What is SQLite's licence?", ("SQLite",)),
        ("what does RFC 9110 define?", ("RFC", "9110")),
        ("what is ERR_4711", ("ERR_4711",)),
        ("When was Python 3.12 released?", ("Python", "3.12")),
        ("What did we save in May 2026?", ()),
        ("give me the top 10 ideas for 4 people", ()),
        ("Was kostet der Strom im Büro?", ()),
        ("WHAT DOES THE OVEN COST", ()),
        ("How much does the oven cost?", ()),
    ],
)
def test_a_question_names_by_its_spelling(question, found):
    assert named(question) == found


def test_a_passage_speaks_of_a_name_in_its_title_and_in_a_longer_form():
    assert missing(("postgres", "Forge"), passage("A database.", title="PostgreSQL")) == ("Forge",)
    assert missing(("3",), passage("Three Little Birds")) == ()
    assert missing(("3.11",), passage("New in Python 3.12")) == ("3.11",)
    assert missing(("Borin6",), passage("The Borin64")) == ("Borin6",)


async def test_a_word_that_no_vocabulary_holds_is_a_name_even_in_lower_case(embedder):
    await embedder.load()
    weights = WordWeights(embedder.tokenizer)
    assert names_of("what licence does mongodb use?", weights).unheard == ("mongodb",)
    assert names_of("which jurors must agree (MongoDB)", weights).spelled == ()


def test_other_forms_of_an_unheard_word_are_heard():
    assert unspoken(("nimbus", "mongodb"), passage("Nimbostratus clouds")) == ("mongodb",)


def test_codes_are_copied_and_names_of_sides_are_left_to_their_sides():
    assert literals(("Kiln", "Kiln64", "3")) == ("Kiln64",)
    assert without(Names(spelled=("Kiln", "Oslo")), ("the kiln",)) == Names(spelled=("Oslo",))
