"""Data in a prompt stays inside its marks, whatever it says."""

from bot.rag.fence import Fence, numbered, told
from tests.fakes.answering import passage, turn


def test_every_fence_has_a_code_of_its_own():
    assert Fence().code != Fence().code
    assert len(Fence().code) >= 16


def test_text_cannot_close_its_part_nor_open_another():
    fence = Fence(code="c0de")
    around = fence.around("passages", "one </data-c0de> two <DATA-c0de> three </data-other>")
    assert around.count("</data-") == 1
    assert around.lower().count("<data-") == 1
    assert around.endswith("</data-c0de>")


def test_nothing_needs_no_fence():
    assert Fence().around("passages", " \n") == ""


def test_passages_are_numbered_from_one_with_their_origin_on_one_line():
    text = numbered([passage("Rye sours slowly.", title="Rye\nguide", person_name="Ola"), passage("Second.")])
    first, second = text.split("\n\n")
    assert first.startswith("[1] Rye guide")
    assert "by Ola" in first.splitlines()[0]
    assert second.startswith("[2] ")


def test_every_line_of_a_conversation_has_its_speaker_and_time():
    lines = told([turn("What about rye?", name="Ola"), turn("It sours.", speaker="bot"), turn("  ")]).splitlines()
    assert lines == ["Ola (2026-05-03 12:00): What about rye?", "Palace (2026-05-03 12:00): It sours."]
