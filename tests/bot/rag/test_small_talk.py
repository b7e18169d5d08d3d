"""Small talk is answered in its own language, and signs alone are no greeting."""

import pytest

from bot.rag.small_talk import spoken_in
from bot.rag.wordings import small_talk


@pytest.mark.parametrize(
    ("text", "language"),
    [("Hola", "es"), ("Danke", "de"), ("Danke!! 🙏", "de"), ("hi 👋", "en"), ("Bonjour", "fr"), ("¡Gracias!", "es")],
)
def test_a_greeting_shows_its_language_however_short(text, language):
    assert spoken_in(text) == language


@pytest.mark.parametrize("text", ["???", "🦄", "Danke, wo steht die Anleitung zum Ofen?", "How are vowels formed?"])
def test_signs_and_questions_show_no_language_of_small_talk(text):
    assert spoken_in(text) == ""


@pytest.mark.parametrize("text", ["???", "🦄", "…"])
def test_signs_alone_are_not_greeted(text):
    assert small_talk(text, "en").startswith("What would you like to know?")
    assert small_talk(text, "es").startswith("¿Qué quieres saber?")


def test_folded_hands_are_thanks():
    assert small_talk("🙏", "en") == "You're welcome!"
