"""Choose the language in which a person is spoken to: their message's, else the one they wrote in before."""

import re
from collections.abc import Mapping
from typing import Final

from bot.domain.links import addresses_in
from bot.domain.messages import Action, Message
from bot.ports import RoomSettings
from bot.rag.language import detect_language
from bot.words.english import ENGLISH
from bot.words.frame import Words
from bot.words.german import GERMAN
from bot.words.spanish import SPANISH

LANGUAGES: Final[Mapping[str, Words]] = {"en": ENGLISH, "de": GERMAN, "es": SPANISH}
REMEMBERED: Final = "language"
FEWEST_WORDS = 3
"""Fewer words than that are too short to tell a language by."""


def words_of(language: str) -> Words:
    """Return the sentences of a language (ISO 639-1, a country behind it or not); English where there are none."""
    return LANGUAGES.get(language.lower().replace("_", "-").partition("-")[0], ENGLISH)


async def language_of(said: Message | Action, rooms: RoomSettings) -> str:
    """Return the language to answer in, and remember one that the message shows."""
    person = said.author if isinstance(said, Message) else said.person
    remembered = await rooms.get(person.key, REMEMBERED)
    shown = language_shown(said.text) if isinstance(said, Message) else ""
    if shown and shown != remembered:
        await rooms.set(person.key, REMEMBERED, shown)
    return shown or remembered or (said.language if isinstance(said, Message) else "")


def language_shown(text: str) -> str:
    """Return which of our languages a text is in; nothing for a short one, or the possible title of a link in it."""
    words = re.sub(r"^\s*/\w+|#\w+|\S+://\S+", " ", text)
    if addresses_in(text) and not re.search(r"[?？¿]", words):
        return ""
    if len(re.findall(r"[^\W\d_]+", words)) < FEWEST_WORDS:
        return ""
    found = detect_language(words)
    return found if found in LANGUAGES else ""
