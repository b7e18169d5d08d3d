"""The local generator quotes whole sentences under their numbers, in a form that fits the question."""

import re
from dataclasses import replace

import pytest

from bot.domain.memories import Passage
from bot.rag.generate import Quoter, balanced, citing_order, nothing_found, small_talk


def passage(number: int, title: str, text: str, memory: str = "") -> Passage:
    return Passage(chunk_id=number, memory_id=memory or f"m{number}", number=number, text=text, title=title, url="")


KILN = passage(
    1,
    "Kiln handbook",
    "# Kiln\n\nThe Kiln oven reaches **1,200 degrees** in two hours. It costs nine hundred euros. "
    "The Kiln oven is guaranteed for five years.",
)
FORGE = passage(
    2, "Forge leaflet", "The Forge oven reaches 900 degrees in one hour. The Forge oven costs four hundred euros."
)
SETUP = passage(
    3,
    "Setting up the controller",
    "Run this command to start the controller:\n\n```sh\nkilnctl start --port 81\n```\n\nThe lamp turns green then.",
)


async def answer(embedder, question, passages, *, intent="simple_lookup", language="en"):
    quoted = await Quoter(embedder).write(question, passages, intent=intent, language=language)
    assert all(quoted.pieces)
    return "".join(quoted.pieces)


async def test_a_fact_is_quoted_whole_under_its_number_without_markup(embedder):
    text = await answer(embedder, "How hot does the Kiln oven get?", [KILN, FORGE])
    assert "The Kiln oven reaches 1,200 degrees in two hours [1]." in text
    assert "**" not in text
    assert "# Kiln" not in text


async def test_a_comparison_stands_side_by_side_under_the_names_asked_for(embedder):
    text = await answer(embedder, "Compare Kiln and Forge", [KILN, FORGE], intent="comparison")
    kiln, forge = text.split("**Forge**")
    assert "**Kiln**" in kiln
    assert "[1]" in kiln
    assert "[2]" not in kiln
    assert "[2]" in forge
    assert "[1]" not in forge


async def test_a_side_without_sources_is_said_to_have_none(embedder):
    text = await answer(embedder, "Compare Kiln and Anvil", [KILN], intent="comparison")
    assert text.rstrip().endswith("**Anvil**\n- nothing saved about it")


async def test_a_comparison_that_names_no_sides_goes_by_source(embedder):
    text = await answer(embedder, "Compare the ovens", [KILN, FORGE], intent="comparison")
    assert "**Kiln handbook**" in text
    assert "**Forge leaflet**" in text


async def test_a_summary_is_bullets_from_every_source(embedder):
    text = await answer(embedder, "Summarize what we have on ovens", [KILN, FORGE], intent="summarization")
    items = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(items) >= 3
    assert {"[1]", "[2]"} <= set(re.findall(r"\[\d\]", text))


async def test_code_is_kept_in_its_fence_when_it_is_the_evidence(embedder):
    text = await answer(embedder, "What command starts the controller?", [SETUP])
    assert "```sh\nkilnctl start --port 81\n```" in text
    assert "[1]" in text


async def test_code_that_holds_a_fence_gets_a_longer_one(embedder):
    nested = passage(1, "Docs", "````md\n```sh\nkilnctl stop\n```\n````")
    text = await answer(embedder, "What command stops kilnctl?", [nested])
    assert "````md\n```sh\nkilnctl stop\n```\n````" in text


async def test_a_summary_leaves_code_out_unless_it_is_asked_for(embedder):
    text = await answer(embedder, "Summarize the controller page", [SETUP, KILN], intent="summarization")
    assert "```" not in text


async def test_the_same_sentence_from_two_sources_is_quoted_once(embedder):
    again = passage(4, "Copy", "The Kiln oven reaches 1,200 degrees in two hours!")
    text = await answer(embedder, "How hot does the Kiln oven get?", [KILN, again])
    assert text.count("1,200 degrees") == 1


async def test_sentences_of_one_source_stand_in_reading_order(embedder):
    text = await answer(embedder, "What are the Kiln oven's guarantee and heat?", [KILN], intent="analytical")
    assert text.index("1,200") < text.index("guaranteed")


async def test_an_answer_begins_with_the_fact_and_with_no_phrase_before_it(embedder):
    text = await answer(embedder, "How hot does the Kiln oven get?", [KILN])
    assert text == "The Kiln oven reaches 1,200 degrees in two hours [1]."


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("What does the Kiln oven cost?", "nine hundred euros"),
        ("How long is the Kiln oven guaranteed?", "five years"),
        ("Wie heiß wird der Kiln oven?", "1,200 degrees"),
    ],
)
async def test_the_sort_of_thing_asked_for_decides_which_sentence_is_quoted(embedder, question, part):
    assert part in await answer(embedder, question, [KILN])


async def test_a_follow_up_hears_what_is_new(embedder):
    quoted = await Quoter(embedder).write(
        "and for how long is it guaranteed? (Kiln oven degrees)",
        [KILN],
        intent="follow_up",
        language="en",
        asked="and for how long is it guaranteed?",
        said_before="The Kiln oven reaches 1,200 degrees in two hours [1].",
    )
    assert "".join(quoted.pieces) == "The Kiln oven is guaranteed for five years [1]."


SHED = passage(
    4,
    "Potter's shed",
    "# Potter's shed\n\nThe shed is a quiet place to work with clay all year round.\n\n## Opening times\n\n"
    "Members may come from eight in the morning until ten at night.\n\n## Glazes\n\nBring a mask and gloves with you.",
)
PRICES = passage(
    5,
    "Workshop prices",
    "| Oven | Litres | Price |\n|---|---|---|\n| Kiln16 | 16 | 900 |\n| Kiln32 | 32 | 1,700 |\n| Kiln64 | 64 | 3,100 |",
)


async def test_the_sentence_under_the_heading_that_is_asked_about_is_quoted(embedder):
    assert await answer(embedder, "When is the potter's shed open?", [SHED]) == (
        "Members may come from eight in the morning until ten at night [1]."
    )
    assert "mask" in await answer(embedder, "What do I need for glazes in the shed?", [SHED])


async def test_the_sentence_that_holds_the_code_asked_for_is_quoted_alone(embedder):
    codes = passage(6, "Kiln errors", "KILN_4709 means that the door is open. KILN_4711 means that a coil is broken.")
    note = passage(7, "Meeting", "Kim asks the maker about the KILN_4711 messages.")
    assert (await answer(embedder, "what is KILN_4711", [note, codes])).startswith("KILN_4711 means that a coil")
    assert "4709" not in await answer(embedder, "what is KILN_4711", [codes, note])


async def test_of_a_table_the_row_asked_for_is_quoted_with_its_head(embedder):
    text = await answer(embedder, "How much does a Kiln32 cost?", [PRICES])
    assert "| Oven | Litres | Price |" in text
    assert "| Kiln32 | 32 | 1,700 |" in text
    assert "Kiln64" not in text


async def test_each_side_of_a_comparison_has_its_own_row(embedder):
    text = await answer(embedder, "Which is cheaper, Kiln16 or Kiln64?", [PRICES], intent="comparison")
    first, second = text.split("**Kiln64**")
    assert first.startswith("**Kiln16**")
    assert "900" in first
    assert "3,100" not in first
    assert "3,100" in second


async def test_a_side_may_be_called_by_the_beginning_of_its_name(embedder):
    handbook = replace(KILN, title="Kilnmaster handbook")
    text = await answer(embedder, "Compare kilnmast and forge", [handbook, FORGE], intent="comparison")
    assert "nothing saved" not in text


async def test_sides_that_no_passage_speaks_of_are_not_listed_as_empty(embedder):
    text = await answer(embedder, "Compare the left one and the right one", [KILN, FORGE], intent="comparison")
    assert "nothing saved" not in text
    assert "[1]" in text


async def test_the_source_that_is_cited_first_has_the_number_one(embedder):
    quoted = await Quoter(embedder).write(
        "How hot does the Kiln oven get?", [FORGE, KILN], intent="simple_lookup", language="en"
    )
    assert quoted.passages == (KILN, FORGE)
    assert "".join(quoted.pieces).startswith("The Kiln oven reaches 1,200 degrees in two hours [1].")


def test_passages_stand_as_their_memories_are_first_cited():
    again = replace(KILN, chunk_id=9)
    order = citing_order(("One [4]. Two [2]. Three [1]",), [FORGE, again, SETUP, KILN])
    assert order == (KILN, FORGE, again, SETUP)


@pytest.mark.parametrize(
    ("cut", "whole"),
    [
        ('"We bake at dawn.', '"We bake at dawn."'),
        ("“We bake at dawn.", "“We bake at dawn.”"),
        ('We bake at dawn," she said.', '"We bake at dawn," she said.'),
        ("Ils disent « oui.", "Ils disent « oui.»"),
        ('A "loaf" of bread.', 'A "loaf" of bread.'),
    ],
)
def test_a_quotation_mark_that_a_cut_took_away_is_put_back(cut, whole):
    assert balanced(cut) == whole


async def test_without_anything_to_quote_it_says_so_in_one_sentence(embedder):
    empty = passage(1, "Empty", "# Only a heading")
    pieces = (await Quoter(embedder).write("Kiln?", [empty], intent="simple_lookup", language="de")).pieces
    assert pieces == (nothing_found("de"),)


@pytest.mark.parametrize(
    ("said", "language", "part"),
    [
        ("Hello!", "en", "Hello"),
        ("thanks a lot", "en", "welcome"),
        ("bye", "en", "Goodbye"),
        ("who are you?", "en", "I am Palace"),
        ("Danke!", "de", "Gern"),
        ("¡Gracias!", "es", "De nada"),
        ("Bonjour", "fr", "Bonjour"),
        ("hej", "sv", "Hello"),
    ],
)
def test_small_talk_is_answered_in_kind_and_language(said, language, part):
    assert part in small_talk(said, language)


def test_nothing_found_is_one_sentence():
    assert all(nothing_found(language).count(".") == 1 for language in ("en", "de", "es", "fr"))


KITE = passage(
    1,
    "Volta Kite",
    "The Volta Kite is a delivery drone with a range of 42 km. Its battery weighs 3.1 kg.\n\n"
    "| Model | Price |\n|---|---|\n| Kite S | 1,900 EUR |\n| Kite L | 2,700 EUR |",
)
SUPPLIERS = passage(
    2,
    "Bakery suppliers",
    "Flour comes from Mill Brothers. Yeast is delivered by Fermenta every Tuesday. Salt comes from the Ostsee works.",
)


async def test_a_table_that_says_nothing_to_the_question_is_no_part_of_the_answer(embedder):
    assert "|" not in await answer(embedder, "What is the range of the Volta Kite?", [KITE])
    assert "2,700 EUR" in await answer(embedder, "What does the Kite L cost?", [KITE])


async def test_a_name_elsewhere_in_the_passage_does_not_outdo_the_sentence_that_answers(embedder):
    text = await answer(embedder, "Who delivers the yeast?", [SUPPLIERS])
    assert text.startswith("Yeast is delivered by Fermenta every Tuesday [1].")
