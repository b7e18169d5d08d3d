"""Words compare without case, accents and endings; numbers without thousands marks."""

import pytest

from bot.rag.lexicon import fold, names, numbers, terms
from bot.rag.weights import WordWeights, coverage


@pytest.mark.parametrize(
    "family",
    [
        ("company", "companies", "Company"),
        ("stop", "stops", "stopped", "stopping"),
        ("paint", "painter", "painted", "paintings"),
        ("Überraschung", "uberraschung"),
        ("12,500", "12500"),
        ("twelve", "zwölf", "douze", "12"),
        ("3.50", "3.5"),
        ("owl", "owl's", "owls"),
    ],
)
def test_one_word_in_its_forms_is_one_term(family):
    assert len({fold(word) for word in family}) == 1


@pytest.mark.parametrize(("one", "other"), [("owl", "bowl"), ("1.5", "15"), ("2019", "2018"), ("bus", "but")])
def test_different_words_stay_different(one, other):
    assert fold(one) != fold(other)


def test_function_words_are_no_terms():
    assert terms("What is the price of the oven, and when?") == (fold("price"), fold("oven"))
    assert terms("") == ()


def test_names_are_capitals_inside_a_sentence_and_words_with_digits():
    assert set(names("Then Marta met Lind at NASA about B12. Nobody knew.")) == {"marta", "lind", "nasa", "b12"}


def test_numbers_are_found_as_they_compare():
    assert numbers("It costs 1,250.50 euros, or 7 a day.") == ("1250.5", "7")


def test_a_rare_word_tells_more_than_a_common_one(embedder_tokenizer):
    weights = WordWeights(embedder_tokenizer)
    assert weights.of("house") < weights.of("trebuchet")
    wanted = weights.terms("the house and the trebuchet")
    assert coverage(wanted, {fold("trebuchet")}) > coverage(wanted, {fold("house")})
    assert coverage({}, {"anything"}) == 0


@pytest.fixture
async def embedder_tokenizer(embedder):
    await embedder.load()
    return embedder.tokenizer
