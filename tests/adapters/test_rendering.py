"""One document from the answer's Markdown: blocks, styles and links, and words of others that stay words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.escaping import defuse, escaped, link
from adapters.rendering import Code, Heading, Item, Paragraph, Rule, Run, Table, parse, plain, table_text


def test_styles_and_links_become_runs() -> None:
    (paragraph,) = parse("A **bold *both*** and ~~old~~ `code` [guide](https://mill.example.org/a?b=1&c=2).")
    assert isinstance(paragraph, Paragraph)
    assert paragraph.runs == (
        Run(text="A "),
        Run(text="bold ", bold=True),
        Run(text="both", bold=True, italic=True),
        Run(text=" and "),
        Run(text="old", strike=True),
        Run(text=" "),
        Run(text="code", code=True),
        Run(text=" "),
        Run(text="guide", url="https://mill.example.org/a?b=1&c=2"),
        Run(text="."),
    )


def test_nested_lists_keep_their_depth_and_numbers() -> None:
    blocks = parse("- first\n  - second\n    1. third\n    2. fourth\n\n       more\n- last")
    assert [(block.marker, block.indent) for block in blocks if isinstance(block, Item)] == [
        ("-", 0),
        ("-", 1),
        ("1.", 2),
        ("2.", 2),
        ("-", 0),
    ]
    assert [block.indent for block in blocks if isinstance(block, Paragraph)] == [3]


def test_other_blocks_are_told_apart() -> None:
    blocks = parse("# Title\n\n> quoted\n\n---\n\n```python x\nprint('<b>')\n```")
    assert blocks == (
        Heading(runs=(Run(text="Title"),), level=1),
        Paragraph(runs=(Run(text="quoted"),), quote=1),
        Rule(),
        Code(text="print('<b>')", language="python"),
    )


def test_a_table_as_text_has_equal_columns_also_with_wide_characters() -> None:
    (table,) = parse("| grain | 日本 |\n|---|:-:|\n| rye | **1** |\n| 小麦 | 22 |")
    assert isinstance(table, Table)
    assert table_text(table) == "grain | 日本\n------+-----\nrye   | 1\n小麦  | 22"


def test_html_and_entities_are_plain_text() -> None:
    assert plain(parse("a <b>bold</b> &lt; <!channel> <@U1> &amp;")) == "a <b>bold</b> &lt; <!channel> <@U1> &amp;"


def test_stars_that_are_sums_stay() -> None:
    assert plain(parse("2 * 3 ** 4 and snake_case_name")) == "2 * 3 ** 4 and snake_case_name"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("see https://mill.example.org/a_b*c.", "https://mill.example.org/a_b*c"),
        ("(https://mill.example.org/x_(y))", "https://mill.example.org/x_(y)"),
        ("<https://mill.example.org/z>,", "https://mill.example.org/z"),
    ],
)
def test_bare_addresses_are_links_without_the_sentence_around_them(text: str, url: str) -> None:
    (paragraph,) = parse(text)
    assert isinstance(paragraph, Paragraph)
    assert [run.url for run in paragraph.runs if run.url] == [url]


def test_a_label_that_pretends_to_be_another_address_shows_the_true_one() -> None:
    assert (
        plain(parse("[https://bank.example.com/login](https://thief.example.net/x)")) == "https://thief.example.net/x"
    )
    assert plain(parse("[https://bank.example.com](https://bank.example.com/x)")) == "https://bank.example.com"


def test_scripts_are_no_links() -> None:
    assert "javascript" in plain(parse("[x](javascript:alert(1))"))


@given(st.text(st.characters(exclude_characters="\0"), max_size=80))
def test_escaped_words_are_shown_as_they_are(words: str) -> None:
    shown = " ".join(words.split())
    assert plain(parse(f"T {escaped(words)} e")).split() == f"T {shown} e".split()


@given(st.text(alphabet="ab []()<>|*_`\\&#@", max_size=30))
def test_a_link_with_any_label_is_one_link(label: str) -> None:
    (paragraph,) = parse(f"x {link(label, 'https://mill.example.org/a (b)?q=<c>')} y")
    assert isinstance(paragraph, Paragraph)
    assert {run.url for run in paragraph.runs if run.url} == {"https://mill.example.org/a%20%28b%29?q=%3Cc%3E"}


def test_nobody_is_called() -> None:
    quiet = defuse("hi @everyone, <@U0MIRA> <!channel> <#C1> ana@example.org https://x.example/@ana")
    assert "@everyone" not in quiet
    assert "<@U" not in quiet
    assert "<!c" not in quiet
    assert "ana@example.org https://x.example/@ana" in quiet
