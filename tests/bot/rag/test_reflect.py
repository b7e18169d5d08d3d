"""The local checker finds sentences that their sources do not carry, and says why."""

import pytest

from bot.domain.memories import Passage
from bot.rag.reflect import Checker

OWLS = Passage(
    chunk_id=1,
    memory_id="m1",
    number=0,
    title="Owls",
    url="",
    text="The barn owl hunts at night. It eats four mice a day and was first described by Scopoli in 1769.",
)
ROOF = Passage(
    chunk_id=2,
    memory_id="m2",
    number=0,
    title="Roof",
    url="",
    text="The slates on the north side were replaced in spring by Marta Lind.",
)


@pytest.fixture
def checker(embedder):
    return Checker(embedder)


async def faults(checker, text):
    return {fault.sentence: fault.why for fault in await checker.check(text, [OWLS, ROOF])}


async def test_what_the_source_says_passes(checker):
    text = "The barn owl hunts at night [1]. It eats four mice a day [1]. Marta Lind replaced the slates in spring [2]."
    assert await faults(checker, text) == {}


async def test_a_number_that_no_source_gives_is_named(checker):
    found = await faults(checker, "The barn owl hunts at night [1]. It eats 97 mice a week in cold winters [1].")
    assert list(found) == ["It eats 97 mice a week in cold winters [1]."]
    assert "97" in found["It eats 97 mice a week in cold winters [1]."]


async def test_a_name_that_no_source_gives_is_named(checker):
    found = await faults(checker, "In autumn all the gutters were painted by Olga Brandt [2].")
    assert "brandt" in next(iter(found.values()))


async def test_a_sentence_is_held_to_the_source_that_it_cites(checker):
    assert await faults(checker, "The barn owl hunts at night [2].") != {}
    assert await faults(checker, "The barn owl hunts at night.") == {}


async def test_something_made_up_is_found(checker):
    assert await faults(checker, "Penguins in Chile moved their colonies because the sea became warmer [1].") != {}


async def test_labels_lead_ins_questions_and_code_claim_nothing(checker):
    text = (
        "From what is saved:\n\n**Penguins in Chile**\n\nDo you want to hear more of penguins in Chile?\n\n"
        "```\nmove_penguins(to='Chile', count=97)\n```"
    )
    assert await faults(checker, text) == {}


async def test_that_nothing_is_saved_about_a_side_needs_no_source(checker):
    assert await faults(checker, "**Penguins**\n- nothing saved about it\n- dazu ist nichts gespeichert") == {}


async def test_quoted_bullets_pass_and_marks_do_not_count_as_numbers(checker):
    assert await faults(checker, "- The barn owl hunts at night [1].\n- It eats four mice a day [1].") == {}


async def test_a_whole_claim_can_be_asked_about(checker):
    assert await checker.carries("The barn owl hunts at night.", [OWLS])
    assert not await checker.carries("The barn owl was bred in captivity by monks of Sweden.", [OWLS])


async def test_a_claim_may_be_carried_by_several_sentences_of_a_long_page(checker):
    filler = "\n\n".join(
        f"Paragraph {at} speaks of something else entirely, such as roads and rivers." for at in range(40)
    )
    page = Passage(chunk_id=3, memory_id="m3", number=0, title="Page", url="", text=f"{OWLS.text}\n\n{filler}")
    assert await checker.carries("The barn owl hunts at night and eats mice.", [page])
    assert not await checker.carries("In 2011 Ingrid Falk counted 5,400 barn owls in Norway.", [page])


async def test_a_claim_that_goes_on_beyond_its_source_is_found(checker):
    longer = "The barn owl hunts at night over marshland near Gdansk in October [1]."
    assert list(await faults(checker, longer)) == [longer]


async def test_what_a_long_page_says_word_for_word_passes_be_it_ever_so_odd(checker):
    odd = "No 7 never said: Olga?"
    page = Passage(
        chunk_id=4,
        memory_id="m4",
        number=0,
        title="Page",
        url="",
        text="\n\n".join([odd, *(f"Paragraph {at} speaks of roads." for at in range(40))]),
    )
    assert await checker.carries(odd, [page])
