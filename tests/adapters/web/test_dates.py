"""The day of a page is one that it states; nothing else is taken for it."""

import pytest
from lxml import html

from adapters.web.dates import day_in, published_in

STORY = "The reservoir was drained in 1998 and refilled in 2004 after the county had repaired the dam. " * 6


def published(head: str = "", inner: str = "", foot: str = "", url: str = "https://example.org/dam") -> str:
    page = (
        f"<html><head>{head}</head><body><article><h1>The dam</h1>{inner}<p>{STORY}</p></article>{foot}</body></html>"
    )
    return published_in(html.document_fromstring(page), url=url)


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"foot": "<footer>© 2026 Example Ltd</footer>"},
        {"foot": "<p>Copyright 2019-2026 Example Ltd. All rights reserved</p>"},
        {"foot": "<footer><p>Published on 3 May 2024</p></footer>"},
        {"foot": "<div class='comments'><time datetime='2025-01-02'>2 January</time></div>"},
        {"inner": "<p>On 14 March 2011 the wall broke.</p>"},
        {"inner": "<p>The fair is on <time datetime='2027-08-09'>9 August</time>.</p>"},
        {"inner": "<span class='date'>2021</span>"},
        {"inner": "<span class='date'>May 2021</span>"},
        {"inner": "<span class='date'>03/05/2024</span>"},
        {"inner": "<img src='/uploads/2017/03/04/dam.jpg'>"},
        {"head": "<meta name='date' content='2024'>"},
        {"head": "<meta name='date' content='2024-05'>"},
        {"head": "<meta name='date' content='0001-01-01T00:00:00Z'>"},
        {"head": "<meta property='article:modified_time' content='2025-06-07T10:00:00Z'>"},
        {"url": "https://example.org/2024/05/dam"},
        {"url": "https://example.org/2024/dam"},
    ],
    ids=str,
)
def test_what_is_not_the_day_of_publication_is_not_taken_for_it(parts: dict[str, str]) -> None:
    assert published(**parts) == ""


@pytest.mark.parametrize(
    "parts",
    [
        {"head": "<meta property='article:published_time' content='2024-05-03T10:00:00Z'>"},
        {"head": "<meta name='date' content='May 3, 2024'>"},
        {"head": "<meta name='citation_publication_date' content='2024/05/03'>"},
        {"head": '<script type=\'application/ld+json\'>{"datePublished": "2024-05-03T08:00"}</script>'},
        {"inner": "<span itemprop='datePublished'>3 May 2024</span>"},
        {"inner": "<time datetime='2024-05-03T10:00:00Z'>Friday</time>"},
        {"inner": "<p>Published on 3 May 2024 by Ana</p>"},
        {"inner": "<p>Veröffentlicht am 3. Mai 2024</p>"},
        {"inner": "<p>By Ana | May 3rd, 2024</p>"},
        {"inner": "<span class='post-date'>03.05.2024</span>"},
        {"inner": "<p class='date'>3 мая 2024, 13:43</p>"},
        {"url": "https://example.org/2024/05/03/dam"},
        {"url": "https://example.org/dam-20240503.html"},
    ],
    ids=str,
)
def test_a_stated_day_is_found(parts: dict[str, str]) -> None:
    assert published(**parts) == "2024-05-03"


def test_the_address_has_the_sites_own_day_where_metadata_has_anothers_time_zone() -> None:
    head = "<meta property='article:published_time' content='2024-05-04T02:00:00Z'>"
    assert published(head, url="https://example.org/2024/05/03/dam") == "2024-05-03"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("le 1er juillet 2023", "2023-07-01"),
        ("3 de mayo de 2024", "2024-05-03"),
        ("2024年5月3日", "2024-05-03"),
        ("25/12/2023", "2023-12-25"),
        ("12/25/2023", "2023-12-25"),
        ("31 February 2024", ""),
        ("Room 3, floor 2024", ""),
    ],
)
def test_days_are_read_as_people_write_them(text: str, day: str) -> None:
    assert day_in(text) == day
