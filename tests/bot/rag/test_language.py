"""The language of a question, in texts as short as people type them."""

import pytest

from bot.rag.language import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Warum geht der Sauerteig nicht auf?", "de"),
        ("why does the starter not rise", "en"),
        ("¿Cuántos enlaces guardamos en mayo?", "es"),
        ("Почему тесто не поднимается?", "ru"),
        ("パンの焼き方を教えてください", "ja"),
        ("Plants die in frost unless the bed was covered", "en"),
        ("Und die Kosten?", "de"),
        ("And Google?", "en"),
    ],
)
def test_a_question_is_known_by_its_own_words(text, language):
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["ok", "👍", "", "42", "ja", "https://a.b/c", "Rust vs Go"])
def test_what_says_nothing_of_a_language_keeps_the_one_before(text):
    assert not detect_language(text)
