"""Addresses are found as people and platforms write them, and nothing else is taken for one."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.links import addresses_in, typed_address


def urls(text):
    return [link.url for link in addresses_in(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Bake this: https://bakery.example/rye.", ["https://bakery.example/rye"]),
        ("(https://bakery.example/rye)", ["https://bakery.example/rye"]),
        ("(as in https://en.wikipedia.org/wiki/Rye_(bread))", ["https://en.wikipedia.org/wiki/Rye_(bread)"]),
        (
            "https://a.example/x, https://b.example/y; https://c.example/z!",
            ["https://a.example/x", "https://b.example/y", "https://c.example/z"],
        ),
        (
            "https://a.example,https://b.example|https://c.example",
            ["https://a.example", "https://b.example", "https://c.example"],
        ),
        ("(https://a.example)(https://b.example)", ["https://a.example", "https://b.example"]),
        ("https://a.example/wait... what?", ["https://a.example/wait"]),
        ("https://a.example/wait…", ["https://a.example/wait"]),
        ("https://a.example/?q=x+y&z=1?", ["https://a.example/?q=x+y&z=1"]),
        ("'https://a.example/x' \"https://b.example/y\"", ["https://a.example/x", "https://b.example/y"]),
        ("https://a.example's page", ["https://a.example"]),
        (
            "**https://a.example/b** and _https://c.example/d_ and ~~https://e.example~~",
            ["https://a.example/b", "https://c.example/d", "https://e.example"],
        ),
        ("https://a.example/snake_case_", ["https://a.example/snake_case_"]),
        ("看https://a.example/b，好（https://c.example/d）。", ["https://a.example/b", "https://c.example/d"]),
        ("看https://a.example很好", ["https://a.example"]),
        ("看https://a.example/b很好", ["https://a.example/b"]),
        ("「https://a.example/b」、“https://c.example”", ["https://a.example/b", "https://c.example"]),
        ("https://zh.wikipedia.org/wiki/黑麥", ["https://zh.wikipedia.org/wiki/黑麥"]),
        ("https://bäckerei.example/brötchen?für=zwei", ["https://bäckerei.example/brötchen?für=zwei"]),
        ("https://例子.测试/页", ["https://例子.测试/页"]),
        ("HTTPS://BAKERY.EXAMPLE/Rye", ["HTTPS://BAKERY.EXAMPLE/Rye"]),
        ("\x0310https://a.example/x\x03 and urlhttps://b.example", ["https://a.example/x", "https://b.example"]),
        ("www.bakery.example/rye, please", ["https://www.bakery.example/rye"]),
        ("see github.com/ana/rye-bot.", ["https://github.com/ana/rye-bot"]),
        ("http://localhost:8080/x http://[2001:db8::1]/y", ["http://localhost:8080/x", "http://[2001:db8::1]/y"]),
        (
            "https://web.archive.org/web/2020/http://a.example/x",
            ["https://web.archive.org/web/2020/http://a.example/x"],
        ),
        ("https://a.example/x https://a.example/x\nhttps://a.example/x", ["https://a.example/x"]),
        (
            "https://a.example/?x=1&amp;y=2 &lt;https://b.example&gt;",
            ["https://a.example/?x=1&y=2", "https://b.example"],
        ),
        ("a lone ` here\nhttps://a.example and another ` there", ["https://a.example"]),
        ("```\nnever closed https://a.example", ["https://a.example"]),
    ],
)
def test_addresses_are_found_without_the_sentence_around_them(text, found):
    assert urls(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mail ana@bakery.example or ana@www.bakery.example/x",
        "main.py, notes.md, archive.tar.gz and node.js/express",
        "v2.0.1 of 192.168.0.4:80, and/or e.g. 3.5/4",
        "`curl https://a.example/x`",
        "``a ` tick https://a.example/x``",
        "```sh\ncurl https://a.example/x\n```",
        "pip install git+https://a.example/x.git",
        "http:// and https://... and http://$HOST/x and http://<server>/x and http://{name}/",
        "code ` here: https://a.example and ` done\nnext `",
        "ftp://a.example/x ssh://b.example",
        "https://-/x https://..",
    ],
)
def test_what_only_resembles_an_address_is_left_alone(text):
    assert urls(text) == []


def test_masked_links_carry_the_words_they_hide_behind():
    text = '[my [best] loaf](https://a.example/x_(1) "a title"), <https://b.example/y|the oven>, <https://c.example>'
    assert [(link.url, link.label) for link in addresses_in(text)] == [
        ("https://a.example/x_(1)", "my [best] loaf"),
        ("https://b.example/y", "the oven"),
        ("https://c.example", ""),
    ]


def test_an_address_shown_as_the_words_of_another_is_not_taken():
    assert urls("[https://bank.example](https://other.example/x)") == ["https://other.example/x"]


def test_slack_escapes_inside_its_angle_brackets_are_undone():
    assert urls("<https://a.example/?x=1&amp;y=2|a&amp;b>") == ["https://a.example/?x=1&y=2"]


def test_an_emoji_host_is_an_address_and_raises_nothing():
    assert urls("https://☕.example/menu") == ["https://☕.example/menu"]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "https://",
                "www.",
                "a.com/",
                "x",
                "(",
                ")",
                "[",
                "]",
                "](",
                "<",
                ">",
                "|",
                "`",
                "```",
                "\n",
                " ",
                "，",
                "猫",
                "\ud800",
                "&amp;",
                "_",
                "'s",
            ]
        ),
        max_size=30,
    ).map("".join)
)
def test_no_text_raises_and_every_address_found_is_an_http_one(text):
    assert all(url.lower().startswith(("http://", "https://")) for url in urls(text))


@pytest.mark.parametrize(
    "piece",
    [
        "`",
        "`a``b",
        "[",
        "](https://a.example",
        "[a](https://x.org",
        "https://a.b/)",
        "https://a.b/(",
        "<https://x.org|",
        "http://",
        "www.",
        "a.",
        "a-",
        "。https://a.b/漢",
        ".",
    ],
)
def test_ten_times_the_text_takes_about_ten_times_as_long(piece):
    def seconds(count):
        text = "https://a.b/" + piece * count
        started = time.process_time()
        addresses_in(text)
        return time.process_time() - started

    short, long = (min(seconds(count) for _ in range(2)) for count in (800, 8_000))
    assert long < 60 * short + 0.1


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("https://bakery.example/rye", "https://bakery.example/rye"),
        ("  HTTP://bakery.example ", "HTTP://bakery.example"),
        ("bakery.com", "https://bakery.com"),
        ("www.bakery.co.uk:8080", "https://www.bakery.co.uk:8080"),
        ("bakery.example/page?x=1#top", "https://bakery.example/page?x=1#top"),
        ("bücher.de/liste", "https://bücher.de/liste"),
        ("docs.python.org/3/library/re.html", "https://docs.python.org/3/library/re.html"),
        ("http://", ""),
        ("https:///path", ""),
        ("http://?q", ""),
        ("README.md", ""),
        ("notes.txt", ""),
        ("archive.tar.gz", ""),
        ("2.1.0", ""),
        ("v1.2.3/notes", ""),
        ("ana@example.com", ""),
        ("folder/README.md", ""),
        ("./example.com/page", ""),
        ("../example.com/page", ""),
        ("bakery.com is nice", ""),
        ("etc.", ""),
        ("rye", ""),
        ("", ""),
    ],
)
def test_a_host_typed_as_the_thing_to_save_is_an_address_and_a_files_name_is_not(typed, address):
    assert typed_address(typed) == address
