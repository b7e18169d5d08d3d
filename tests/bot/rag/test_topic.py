"""Questions about a thing as a whole are told from those that ask for one fact."""

import pytest

from bot.rag.topic import topic_words


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Summarize the deployment guide", ("deployment",)),
        ("please summarise everything about the Volta Kite", ("Volta", "Kite")),
        ("give me a short overview of the bakery suppliers", ("bakery", "suppliers")),
        ("Tell me about electric cars!", ("electric", "cars")),
        ("what do we know about the winter garden?", ("winter", "garden")),
        ("anything on flour?", ("flour",)),
        ("what is the roof garden about?", ("roof", "garden")),
        ("Fasse den Gartenplan zusammen", ("Gartenplan",)),
        ("was wissen wir über Sauerteig?", ("Sauerteig",)),
        ("resume la guía del horno", ("guía", "horno")),
        ("summarize the article", ("article",)),
    ],
)
def test_the_topic_of_a_question_about_a_whole_thing(question, words):
    assert topic_words(question) == words


@pytest.mark.parametrize(
    "question",
    ["What is the range of the Kite?", "who wrote the summary?", "how do I restart the shop?", "why?", "", "hello"],
)
def test_a_question_for_one_fact_has_none(question):
    assert topic_words(question) == ()


def test_long_words_are_read_in_no_time():
    assert topic_words("summary of " + "a " * 20_000) == ()
