"""Pages whose useful text is no article give what people shared them for."""

import json
from pathlib import Path

import pytest

from adapters.web.extract import extract_page
from bot.domain.memories import Page


def read(source: str, url: str) -> Page:
    return extract_page(source.encode(), url=url, media_type="text/html")


def wrapped(body: str, head: str = "<title>x</title>") -> str:
    return f"<!DOCTYPE html><html lang='en'><head>{head}</head><body>{body}</body></html>"


def test_a_video_gives_its_title_description_and_transcript() -> None:
    player = {
        "videoDetails": {
            "title": "How a lock works",
            "author": "Canal Trust",
            "shortDescription": "Two gates; one chamber.\n\nFilmed in May.",
        },
        "microformat": {"playerMicroformatRenderer": {"publishDate": "2026-05-02T10:00:00-07:00"}},
    }
    lines = ["the gates close", "and the water rises"]
    data = {
        "panels": [{"list": [{"transcriptSegmentRenderer": {"snippet": {"runs": [{"text": line}]}}} for line in lines]}]
    }
    source = wrapped(
        (
            f"<script>var ytInitialPlayerResponse = {json.dumps(player)};var meta = 1;</script><script>var "
            f"ytInitialData = {json.dumps(data)};</script>"
        ),
        "<title>How a lock works - YouTube</title>",
    )
    found = read(source, "https://www.youtube.com/watch?v=abc")
    assert (found.title, found.author, found.site, found.published) == (
        "How a lock works",
        "Canal Trust",
        "YouTube",
        "2026-05-02",
    )
    assert (
        found.text
        == "Two gates; one chamber.\n\nFilmed in May.\n\n## Transcript\n\nthe gates close and the water rises"
    )


def test_a_repository_gives_its_readme() -> None:
    body = (
        "<nav><a href='/pulls'>Pull requests</a></nav><div>12 branches and 40 tags</div><article "
        "class='markdown-body entry-content'>"
        "<h1>tidewatch</h1><p>Reads the tide gauges of a harbour and prints the next high "
        "water.</p><pre><code>pip install tidewatch\n"
        "tidewatch --port ems</code></pre></article>"
    )
    found = read(wrapped(body), "https://github.com/quay/tidewatch")
    assert "Reads the tide gauges of a harbour" in found.text
    assert "```\npip install tidewatch\ntidewatch --port ems\n```" in found.text
    assert "branches" not in found.text


def test_a_question_gives_its_answers_with_the_accepted_one_first() -> None:
    body = (
        "<div id='question'><div class='s-prose js-post-body'><p>How do I read the last line of a file?</p></div></div>"
        "<div class='answer js-answer'><div class='s-prose'><p>Use tail with a count of one.</p></div></div>"
        "<div class='answer js-answer accepted-answer'><div class='s-prose'><p>Seek to the end and "
        "step back.</p></div></div>"
    )
    found = read(wrapped(body), "https://unix.stackexchange.com/questions/1/last-line")
    assert found.text == (
        "How do I read the last line of a file?\n\n## Accepted answer\n\nSeek to the end and step back.\n\n"
        "## Answer\n\nUse tail with a count of one."
    )


@pytest.mark.parametrize(
    ("url", "body", "parts"),
    [
        (
            "https://www.reddit.com/r/bees/comments/1/first_hive/",
            (
                "<shreddit-post author='ana_b'><div slot='text-body'><p>My first hive made it through the "
                "winter.</p></div></shreddit-post>"
                "<shreddit-comment><div slot='comment'><p>Check the stores in March.</p></div></shreddit-comment>"
            ),
            ("My first hive made it through the winter.", "## Comments", "Check the stores in March."),
        ),
        (
            "https://news.ycombinator.com/item?id=1",
            (
                "<table class='fatitem'><tr class='athing submission'><td><span class='titleline'><a "
                "href='https://a.example'>A small "
                "database in a file</a></span></td></tr></table><div class='commtext c00'>It fits in one "
                "page of code.</div>"
            ),
            ("A small database in a file", "## Comments", "It fits in one page of code."),
        ),
        (
            "https://arxiv.org/abs/2601.00001",
            (
                "<blockquote class='abstract mathjax'><span class='descriptor'>Abstract:</span>We measure "
                "how tides move sand.</blockquote>"
            ),
            ("We measure how tides move sand.",),
        ),
        (
            "https://x.com/quay/status/1",
            "<article><div data-testid='tweetText'>The crane is back on the north quay.</div></article>",
            ("The crane is back on the north quay.",),
        ),
    ],
)
def test_threads_papers_and_posts_give_their_text(url: str, body: str, parts: tuple[str, ...]) -> None:
    text = read(wrapped(body), url).text
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_a_post_drawn_by_script_is_read_from_its_preview() -> None:
    head = "<title>Quay on X</title><meta property='og:description' content='“The crane is back on the north quay.”'>"
    found = read(
        wrapped("<div id='react-root'></div><script src='a.js'></script>", head), "https://x.com/quay/status/1"
    )
    assert found.text == "The crane is back on the north quay."


def test_a_paper_names_all_its_authors() -> None:
    head = (
        "<title>Tides</title><meta name='citation_author' content='Palmer, Ada'><meta "
        "name='citation_author' content='Ito, Ken'>"
    )
    body = "<blockquote class='abstract'>We measure how tides move sand along a coast.</blockquote>"
    assert read(wrapped(body, head), "https://arxiv.org/abs/2601.00001").author == "Palmer, Ada; Ito, Ken"


@pytest.mark.parametrize(
    "source",
    [
        (
            "<?xml version='1.0'?><rss version='2.0'><channel><title>Harbour "
            "news</title><language>en-gb</language><item><title>Crane returns</title>"
            "<pubDate>Sat, 02 May 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;It was "
            "&lt;b&gt;lifted&lt;/b&gt; back on Saturday.&lt;/p&gt;"
            "</description></item></channel></rss>"
        ),
        (
            "<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><title>Harbour "
            "news</title><entry><title>Crane returns</title>"
            "<summary>It was lifted back on Saturday.</summary></entry></feed>"
        ),
    ],
)
def test_a_feed_gives_its_entries(source: str) -> None:
    found = extract_page(source.encode(), url="https://harbour.example/feed", media_type="application/xml")
    assert found.title == "Harbour news"
    assert found.text.startswith("## Crane returns")
    assert found.text.endswith("It was lifted back on Saturday.")


def test_a_feed_never_opens_what_it_points_to() -> None:
    source = (
        "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY secret SYSTEM 'file:///etc/hostname'>]><rss "
        "version='2.0'><channel><title>News</title>"
        "<item><title>One</title><description>Before &secret; after</description></item></channel></rss>"
    )
    text = extract_page(source.encode(), url="https://harbour.example/feed", media_type="application/rss+xml").text
    assert "Before" in text
    assert Path("/etc/hostname").read_text(encoding="utf-8").strip() not in text


def test_a_feed_with_control_characters_keeps_its_markup() -> None:
    feed = (
        b"<?xml version='1.0'?><rss version='2.0'><channel><title>Lock\x07 news</title><item><title>One</title>"
        b"<description>&lt;p&gt;It opened &lt;b&gt;today&lt;/b&gt;.&lt;/p&gt;</description></item></channel></rss>"
    )
    found = extract_page(feed, url="https://a.example/feed")
    assert (found.title, found.text) == ("Lock news", "## One\n\nIt opened today.")
