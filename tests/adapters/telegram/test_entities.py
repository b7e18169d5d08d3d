"""Text and entities by Telegram's own rules."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.splitting import split
from adapters.telegram.entities import Entity, cut, render, size, units
from tests.fakes.telegram.rules import cut as strictly_cut
from tests.fakes.telegram.rules import text_error


def shown(markdown: str) -> list[tuple[str, str]]:
    """Return each entity with the text that it covers."""
    rendered = render(markdown)
    return [(entity.kind, strictly_cut(rendered.text, entity.offset, entity.length)) for entity in rendered.entities]


def as_json(entities: tuple[Entity, ...]) -> list[dict]:
    return [
        {"type": one.kind, "offset": one.offset, "length": one.length} | ({"url": one.url} if one.url else {})
        for one in entities
    ]


def test_every_kind_of_run_is_an_entity_over_its_own_words() -> None:
    assert shown("🌾 **rye** and *oats* ~~wheat~~ `spelt` [the 🌻 mill](https://mill.example/)") == [
        ("bold", "rye"),
        ("italic", "oats"),
        ("strikethrough", "wheat"),
        ("code", "spelt"),
        ("text_link", "the 🌻 mill"),
    ]


def test_a_bold_stretch_with_a_link_inside_is_one_entity_around_another() -> None:
    assert shown("**see [here](https://a.example) now**") == [("bold", "see here now"), ("text_link", "here")]


def test_code_keeps_its_language_and_stands_alone() -> None:
    rendered = render("before\n\n```python\nprint('🌾')\n```")
    (entity,) = rendered.entities
    assert (entity.kind, entity.language) == ("pre", "python")
    assert strictly_cut(rendered.text, entity.offset, entity.length) == "print('🌾')"


def test_headings_are_bold_once_and_lists_have_their_marks() -> None:
    rendered = render("# The **big** plan\n\n- one\n  - two\n\n3. three")
    assert rendered.text == "The big plan\n\n• one\n    • two\n3. three"
    assert shown("# The **big** plan") == [("bold", "The big plan")]
    assert shown("# Run `palace` now") == [("bold", "Run "), ("code", "palace"), ("bold", " now")]


def test_quotes_next_to_each_other_are_one_entity() -> None:
    assert shown("> one\n>\n> two\n\nand three") == [("blockquote", "one\n\ntwo")]


def test_html_and_mentions_of_others_are_only_text() -> None:
    rendered = render("a literal <b>bold</b> and @everyone")
    assert rendered.entities == ()
    assert "<b>bold</b>" in rendered.text
    assert "@everyone" not in rendered.text
    assert rendered.text.replace("\u2060", "").endswith("@everyone")


def test_only_a_long_list_of_sources_is_folded_away() -> None:
    lines = "\n".join(f"\\[{number}\\] [Page {number}](https://p.example/{number})" for number in range(1, 6))
    assert ("expandable_blockquote", render(f"Yes.\n\n**Sources**\n{lines}").text[6:]) in shown(
        f"Yes.\n\n**Sources**\n{lines}"
    )
    short = f"Yes.\n\n**Sources**\n{lines.splitlines()[0]}"
    assert "expandable_blockquote" not in dict(shown(short))


def test_too_many_entities_count_as_too_long() -> None:
    assert size("**a** " * 101) > 4096
    assert size("**a** " * 99) < 4096


def test_units_count_what_lies_outside_the_basic_plane_twice() -> None:
    assert units("a🌾b") == 4
    assert cut("a🌾b", 1, 2) == "🌾"


def test_an_entity_that_outlasts_the_one_it_began_in_is_cut_at_its_end() -> None:
    rendered = render("x[a](https://x.example)***[a](https://x.example)**`**")
    assert text_error(rendered.text, as_json(rendered.entities)) is None
    assert rendered.text == "xaa`*"
    assert [(one.kind, one.offset, one.length) for one in rendered.entities if one.kind != "bold"] == [
        ("text_link", 1, 2),
        ("italic", 2, 1),
        ("italic", 3, 1),
    ]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(["**", "*", "`", "```\n", "🌾", "[a](https://x.example)", "\n\n", "> ", "- ", " word", "<b>", "~~", "| a | b |\n|---|---|\n| 1 | 2 |\n", "# "]), min_size=1, max_size=40))  # fmt: skip  # noqa: E501 - one list of pieces
def test_whatever_is_written_the_entities_are_valid(pieces: list[str]) -> None:
    rendered = render("x" + "".join(pieces))
    assert text_error(rendered.text, as_json(rendered.entities)) is None


LONG = "\n\n".join(
    [
        "**" + "Every 🐝 in the 🌻 field hums a 🎵. " * 60 + "**",
        "A literal <b> stays a literal <b>.",
        "```python\n" + "\n".join(f"print('row {number} 🐝')  # noqa" for number in range(130)) + "\n```",
        "See [the field (2031)](https://field.example/a(b)_c?d=[e]) and more. " * 20,
        "The end.",
    ]
)


def test_a_long_answer_is_cut_into_valid_parts_and_nothing_is_lost() -> None:
    parts = split(LONG, limit=4096, measure=size)
    assert len(parts) >= 3
    whole = render(LONG)
    rendered = [render(part) for part in parts]
    for one in rendered:
        assert text_error(one.text, as_json(one.entities)) is None
        assert units(one.text) <= 4096
    joined = "".join(one.text for one in rendered)
    assert "".join(joined.split()) == "".join(whole.text.split())
    assert all(entity.language == "python" for one in rendered for entity in one.entities if entity.kind == "pre")
    links = [entity.url for one in rendered for entity in one.entities if entity.kind == "text_link"]
    assert links == [entity.url for entity in whole.entities if entity.kind == "text_link"]


@pytest.mark.parametrize("markdown", ["", "   ", "```\n```"])
def test_nothing_gives_nothing(markdown: str) -> None:
    assert render(markdown).entities == ()
