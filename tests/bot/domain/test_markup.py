"""A text that broke off is closed before anything is said behind it."""

import pytest

from bot.domain.markup import closed


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("Run it:\n```sh\nmake ru", "make ru\n```"),
        ("~~~~\nhalf", "half\n~~~~"),
        ("> ```py\n> x = 1", "> x = 1\n> ```"),
        ("```\ncode\n", "code\n```"),
    ],
)
def test_an_open_code_block_is_closed(text, end):
    assert closed(text).endswith(end)


@pytest.mark.parametrize(
    "text", ["", "plain", "```sh\nmake\n```", "a `span` and ``` in a line", "| a | b", "```a`b``` c"]
)
def test_a_text_without_one_stays_as_it_is(text):
    assert closed(text) == text
