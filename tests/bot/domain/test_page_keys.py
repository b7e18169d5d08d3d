"""One page has one key, whatever its address looks like; different pages keep different keys."""

import time
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.links import opened_url, page_key, shown_url

RECIPE = "https://bakery.example/bread/rye"

SAME = [
    (RECIPE, f"{RECIPE}?utm_source=letter&utm_medium=mail&utm_id=9"),
    (RECIPE, f"{RECIPE}?fbclid=IwAR2&gclid=x&msclkid=y"),
    (RECIPE, f"{RECIPE}?UTM_Campaign=spring"),
    (RECIPE, f"{RECIPE}?mc_cid=1&mc_eid=2&_hsenc=3&mkt_tok=4&igshid=5"),
    (RECIPE, f"{RECIPE}/"),
    (RECIPE, f"{RECIPE}#crumb"),
    (RECIPE, f"{RECIPE}#"),
    (RECIPE, f"{RECIPE}?"),
    (RECIPE, f"{RECIPE}#:~:text=long%20rest"),
    (RECIPE, "http://bakery.example/bread/rye"),
    (RECIPE, "HTTPS://Bakery.EXAMPLE:443/bread/rye"),
    (RECIPE, "http://bakery.example:80/bread/rye"),
    (RECIPE, "https://www.bakery.example/bread/rye"),
    (RECIPE, "https://m.bakery.example/bread/rye"),
    (RECIPE, "https://mobile.bakery.example/bread/rye"),
    (RECIPE, "https://amp.bakery.example/bread/rye"),
    (RECIPE, "https://bakery.example/amp/bread/rye"),
    (RECIPE, f"{RECIPE}/amp"),
    (RECIPE, f"{RECIPE}/amp/"),
    (RECIPE, f"{RECIPE}?amp=1"),
    (RECIPE, "https://www.google.com/amp/s/bakery.example/bread/rye"),
    (RECIPE, "https://bakery-example.cdn.ampproject.org/c/s/bakery.example/bread/rye"),
    (RECIPE, "https://www.google.com/url?sa=t&url=https%3A%2F%2Fbakery.example%2Fbread%2Frye&usg=AOv"),
    (RECIPE, "https://l.facebook.com/l.php?u=https%3A%2F%2Fbakery.example%2Fbread%2Frye%3Ffbclid%3DIw&h=AT"),
    (RECIPE, "https://ana:secret@bakery.example/bread/rye"),
    (RECIPE, "https://bakery.example./bread/rye"),
    (RECIPE, "https://bakery.example/bread/./white/../rye"),
    (RECIPE, "https://bakery.example/bread/rye;jsessionid=ED5DD.live"),
    (RECIPE, "https://bakery.example/br%65ad/rye"),
    (f"{RECIPE}?a=1&b=2", f"{RECIPE}?b=2&a=1"),
    (f"{RECIPE}?q=two%20words", f"{RECIPE}?q=two+words"),
    (f"{RECIPE}#/step/2", "https://www.bakery.example/bread/rye/#/step/2/"),
    ("https://bakery.example/", "https://bakery.example"),
    ("https://bakery.example/#/", "https://bakery.example/"),
    ("https://xn--bckerei-5wa.example/br%C3%B6tchen", "https://bäckerei.example/brötchen"),
    ("https://ｂakery。example/bread/rye", RECIPE),
    ("https://youtu.be/Qx7-_z?si=abc", "https://www.youtube.com/watch?v=Qx7-_z&t=10s&list=PL1&index=3"),
    ("https://youtube.com/shorts/Qx7-_z", "https://m.youtube.com/watch?v=Qx7-_z&feature=share"),
    ("https://www.youtube-nocookie.com/embed/Qx7-_z", "https://youtube.com/live/Qx7-_z?si=1"),
    ("https://old.reddit.com/r/rye/comments/1abcd/my_first_loaf/", "https://www.reddit.com/comments/1abcd?share_id=7"),
    ("https://redd.it/1abcd", "https://www.reddit.com/r/rye/comments/1abcd/other_slug/?utm_name=ios"),
    ("https://twitter.com/ana/status/99?s=20&t=abc", "https://x.com/ana/status/99"),
    ("https://mobile.twitter.com/ana/status/99/photo/1", "https://x.com/i/web/status/99"),
    ("https://en.m.wikipedia.org/wiki/Rye", "https://en.wikipedia.org/wiki/Rye?wprov=sfla1"),
    ("https://en.wikipedia.org/w/index.php?title=Rye", "https://en.wikipedia.org/wiki/Rye"),
    ("https://arxiv.org/abs/2401.01234", "https://arxiv.org/pdf/2401.01234.pdf"),
    ("https://arxiv.org/pdf/2401.01234v2", "https://export.arxiv.org/abs/2401.01234v2"),
    ("https://www.amazon.de/Loaf-Tin/dp/B000000001/ref=sr_1_1?qid=1", "https://www.amazon.de/dp/B000000001"),
    ("https://stackoverflow.com/questions/42/how-to-knead", "https://stackoverflow.com/questions/42?rq=3"),
    ("https://t.me/s/breadnews/12", "https://t.me/breadnews/12?single"),
    ("https://medium.com/@ana/rye-1?source=friends_link", "https://medium.com/@ana/rye-1"),
]
DIFFERENT = [
    (RECIPE, "https://bakery.example/bread/wheat"),
    (RECIPE, "https://bakery.example/Bread/Rye"),
    (RECIPE, "https://bakery.example:8443/bread/rye"),
    (RECIPE, "https://shop.bakery.example/bread/rye"),
    (RECIPE, f"{RECIPE}?page=2"),
    (RECIPE, f"{RECIPE}?ref=main"),
    (f"{RECIPE}?id=1", f"{RECIPE}?id=2"),
    (f"{RECIPE}?a=1&a=2", f"{RECIPE}?a=2&a=1"),
    (f"{RECIPE}#/step/2", f"{RECIPE}#/step/3"),
    (f"{RECIPE}#!/step/2", RECIPE),
    ("https://baeckerei.example/", "https://bäckerei.example/"),
    ("https://www.youtube.com/watch?v=aaa", "https://www.youtube.com/watch?v=bbb"),
    ("https://www.youtube.com/watch?v=aaa", "https://www.youtube.com/watch"),
    ("https://www.youtube.com/playlist?list=PL1", "https://www.youtube.com/playlist?list=PL2"),
    ("https://reddit.com/r/rye/comments/1abcd/loaf/", "https://reddit.com/r/rye/comments/1abcd/loaf/kzzz9/"),
    ("https://x.com/ana/status/99", "https://x.com/ana/status/98"),
    ("https://en.wikipedia.org/wiki/Rye", "https://de.wikipedia.org/wiki/Rye"),
    ("https://en.wikipedia.org/wiki/C", "https://en.wikipedia.org/wiki/C%2B%2B"),
    ("https://en.wikipedia.org/w/index.php?title=Rye&oldid=5", "https://en.wikipedia.org/wiki/Rye"),
    ("https://arxiv.org/abs/2401.01234v1", "https://arxiv.org/abs/2401.01234v2"),
    ("https://bakery.example/index.php?scroll=%DCber", "https://bakery.example/index.php?scroll=%FCber"),
    ("https://news.ycombinator.com/item?id=1", "https://news.ycombinator.com/item?id=2"),
    ("https://www.google.com/search?q=rye", "https://www.google.com/search?q=wheat"),
    ("https://parcel.example/?tracking_id=1", "https://parcel.example/?tracking_id=2"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_page_have_one_key(one, other):
    assert page_key(one) == page_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_pages_have_different_keys(one, other):
    assert page_key(one) != page_key(other)


@pytest.mark.parametrize("url", sorted({url for pair in SAME + DIFFERENT for url in pair}))
def test_a_key_of_a_known_shape_is_its_own_key(url):
    assert page_key(page_key(url)) == page_key(url)


PIECES = st.sampled_from(
    [
        "a",
        "B",
        "/",
        "..",
        "%2F",
        "%41",
        "%",
        "?",
        "&",
        "=",
        "#",
        "#/",
        "!",
        "+",
        "ü",
        "猫",
        "amp",
        ".amp",
        "utm_x=1",
        "www.",
        ";jsessionid=1",
        "@",
        ":",
        "watch",
        "v=1",
        "title=x",
        "google.com/url?q=http%3A%2F%2Fa.b",
        "\ud800",
        " ",
        "\\",
        "[",
        "]",
    ]
)
HOSTS = st.sampled_from(
    [
        "a.example",
        "youtube.com",
        "www.google.com",
        "en.m.wikipedia.org",
        "www.m.x.com",
        "redd.it",
        "ü.de",
        "1.2.3.4",
        "[::1]",
    ]
)


@settings(max_examples=300, deadline=None)
@given(HOSTS, st.lists(PIECES, max_size=8).map("".join))
def test_any_address_has_a_key_that_is_its_own_key(host, rest):
    key = page_key(f"https://{host}/{rest}")
    assert page_key(key) == key
    assert page_key(opened_url(key)) == key


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_at_all_has_a_key_without_an_exception(text):
    assert page_key(page_key(text)) == page_key(text)
    opened_url(text)
    shown_url(text)


@pytest.mark.parametrize(
    "text", ["", "notes.md", "hard::saved.html", "mailto:ana@bakery.example", "ftp://a.example/x", "http://"]
)
def test_what_is_no_web_address_is_its_own_key(text):
    assert page_key(text) == text


def test_an_emoji_host_raises_nothing():
    assert page_key("https://☕.example/menu") == page_key("https://xn--53h.example/menu")


def test_a_chain_of_detours_deeper_than_anybody_shares_ends_in_time():
    url = "https://www.google.com/amp/s/" + "google.com/amp/s/" * 5_000 + "a.example/x"
    started = time.monotonic()
    assert page_key(page_key(url)) == page_key(url)
    assert time.monotonic() - started < 2


def test_the_opened_address_keeps_trackers_and_fragment_and_drops_credentials():
    opened = opened_url("https://ana:pw@bäckerei.example/brötchen?utm_source=x#teil")
    assert opened == "https://xn--bckerei-5wa.example/br%C3%B6tchen?utm_source=x#teil"


@pytest.mark.parametrize(
    ("written", "opened"),
    [
        ("www.bakery.example/x", "https://www.bakery.example/x"),
        ("bakery.example:8080/x", "https://bakery.example:8080/x"),
        ("http://bakery.example", "http://bakery.example/"),
        ("https://bakery.example/a b", "https://bakery.example/ab"),
        ("mailto:ana@bakery.example", "mailto:ana@bakery.example"),
        ("https://bakery.example:99999/", "https://bakery.example:99999/"),
    ],
)
def test_an_address_is_completed_and_cleaned_before_it_is_opened(written, opened):
    assert opened_url(written) == opened


def test_the_shown_address_is_the_written_one_without_credentials():
    assert shown_url(" https://ana:p@w@bäckerei.example/@ana?x=@ ") == "https://bäckerei.example/@ana?x=@"
    assert "secret" not in urlsplit(shown_url("http://secret@bakery.example")).netloc
