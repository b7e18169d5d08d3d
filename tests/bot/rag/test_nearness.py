"""How near the words of a conversation come to what it is about."""

from datetime import UTC, datetime

from bot.domain.messages import Turn
from bot.rag.carried import carried, words_of
from bot.rag.nearness import nearness

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ASKED = (Turn(speaker="person", text="Which vitamins does an apple hold, and who painted the office?", at=NOON),)


async def test_words_of_the_subject_are_nearer_than_words_beside_it(embedder):
    near = await nearness(embedder, "Is it good for the stomach?", ASKED, "", ["Vitamins", "office"])
    assert near["vitamins"].asked > near["office"].asked
    assert near["vitamins"].answered == 0.0


async def test_a_word_near_to_the_subject_is_likelier_meant(embedder):
    text = "Is it good for the stomach?"
    words = [term.word for term in words_of(text, ASKED).values()]
    likely = carried(text, ASKED, await nearness(embedder, text, ASKED, "", words))
    assert likely["apple"] > likely["office"]


async def test_without_words_nothing_is_near(embedder):
    assert await nearness(embedder, "Why?", ASKED, "", []) == {}
