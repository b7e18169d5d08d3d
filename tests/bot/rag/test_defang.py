"""An answer links to stored sources only, and rings nobody."""

import pytest

from bot.rag.defang import defang

STORED = ("https://bread.example/rye?page=2",)


@pytest.mark.parametrize(
    "harmless",
    [
        "Rye sours [1]. See https://bread.example/rye?page=2.",
        "See [the guide](https://bread.example/rye?page=2) [1].",
        "See http://www.bread.example/rye?page=2/",
        "Version 3.11.7 and node.js, e.g. with 1.2/3 cups, at 12:30.",
        "Write to ana@bread.example",
        "`@property` and\n```\n@decorator\n```",
        "A list[int] and <b> stay.",
    ],
)
def test_what_is_harmless_stays_as_it_is(harmless):
    assert defang(harmless, STORED) == harmless


@pytest.mark.parametrize(
    "address",
    [
        "https://collect.evil.example/?d=1",
        "HTTP://collect.evil.example",
        "www.collect.evil.example",
        "collect.evil.example/x?d=secret",
        "tg://user?id=77",
        "slack://open",
        "<https://collect.evil.example|the guide>",
        "https://bread.example.evil.example/rye",
        "https://bread.example/rye?page=2&steal=1",
    ],
)
def test_an_address_that_is_not_stored_cannot_be_clicked(address):
    text = defang(f"Look: {address} now", STORED)
    assert "://" not in text.replace("hxxp://", "").replace("hxxps://", "")
    assert "evil.example" not in text or "evil[.]example" in text
    assert "www." not in text


@pytest.mark.parametrize("mask", ["[guide](https://evil.example/x)", "![guide](https://evil.example/x.png)"])
def test_a_masked_link_or_picture_keeps_its_words_only(mask):
    assert defang(f"The {mask} says", STORED) == "The guide says"


def test_a_reference_definition_goes():
    assert defang("See it.\n[1]: https://evil.example/x", STORED).strip() == "See it."


@pytest.mark.parametrize(
    "ping", ["@everyone", "@here", "@channel", "<!channel>", "<!here>", "<@U123>", "<@&9>", "@ana"]
)
def test_a_ping_rings_nobody(ping):
    text = defang(f"Hello {ping}, look", STORED)
    assert ping not in text
    assert text.replace("\u200b", "") == f"Hello {ping}, look"


@pytest.mark.parametrize("ping", ["@everyone", "<!channel>"])
def test_a_ping_inside_code_rings_nobody_either(ping):
    assert ping not in defang(f"`{ping}`", STORED)


def test_defanging_twice_changes_nothing_more():
    once = defang("@everyone see https://evil.example/a.b?c.d and <@U1>", STORED)
    assert defang(once, STORED) == once
