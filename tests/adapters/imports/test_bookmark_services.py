"""Bookmarks of browsers and services come in with their dates, folders and tags."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.imports.reading import open_export
from adapters.imports.records import Export, Skipped, moment_of
from bot.domain.errors import BadInput
from bot.domain.memories import Shared
from bot.domain.rooms import Person, Room

ROOM = Room(platform="console", channel="terminal", kind="direct")
ME = Person(platform="console", person_id="owner", name="Me")

BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1600000000" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
    <DL><p>
        <DT><A HREF="https://bees.example/keeping?a=1&amp;b=2" ADD_DATE="1612345678" TAGS="honey,wax">Keeping
            bees &amp; wasps</A>
        <DD>How to start with two hives.
        <DT><H3 ADD_DATE="1600000001">Garden Plans</H3>
        <DL><p>
            <DT><A HREF="http://soil.example/" ADD_DATE="1612345679000000">Soil</A>
        </DL><p>
        <DT><A HREF="javascript:void(0)" ADD_DATE="1612345680">Print this</A>
    </DL><p>
    <DT><A HREF="https://last.example/">https://last.example/</A>
</DL><p>
"""


def exported(path: Path, text: str) -> Export:
    path.write_text(text, encoding="utf-8")
    return open_export(path, person=ME, room=ROOM)


def shares(export: Export) -> list[Shared]:
    return [record for record in export.records() if isinstance(record, Shared)]


def test_a_browsers_bookmarks_keep_folders_as_tags_and_dates_of_any_unit(tmp_path: Path) -> None:
    export = exported(tmp_path / "b.html", BOOKMARKS)
    bees, soil, last = shares(export)
    assert export.format == "bookmarks"
    assert (bees.title, bees.url) == ("Keeping bees & wasps", "https://bees.example/keeping?a=1&b=2")
    assert bees.note == "How to start with two hives."
    assert bees.tags == ("honey", "wax")
    assert bees.shared_at == datetime.fromtimestamp(1612345678, UTC)
    assert soil.tags == ("garden-plans",)
    assert soil.shared_at == datetime.fromtimestamp(1612345679, UTC)
    assert last.title == ""
    assert last.shared_at == datetime.fromtimestamp((tmp_path / "b.html").stat().st_mtime, UTC)


def test_what_is_no_web_address_is_left_out_and_said(tmp_path: Path) -> None:
    records = list(exported(tmp_path / "b.html", BOOKMARKS).records())
    assert [record for record in records if isinstance(record, Skipped)] == [
        Skipped(what="Print this", why="not a web address")
    ]


def test_pockets_html_is_read_like_bookmarks(tmp_path: Path) -> None:
    html = (
        "<html><body><h1>Unread</h1><ul>"
        '<li><a href="https://one.example/x" time_added="1500000000" tags="slow reads,tea">One</a></li>'
        '<li><a href="https://two.example/" time_added="1500000001" tags="">Two</a></li></ul></body></html>'
    )
    one, two = shares(exported(tmp_path / "ril_export.html", html))
    assert one.tags == ("slow-reads", "tea")
    assert two.shared_at == datetime.fromtimestamp(1500000001, UTC)


def test_a_pocket_table_and_a_raindrop_table_are_told_apart_by_their_headings(tmp_path: Path) -> None:
    pocket = "title,url,time_added,tags,status\nTea,https://tea.example/,1500000000,green|black tea,unread\n"
    raindrop = (
        "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n"
        '7,Ovens,"Hot, mind","x",https://ovens.example/,Kitchen/Baking,"bread, heat",2021-04-09T16:14:59.000Z,,,false\n'
        "8,Loose,,,https://loose.example/,Unsorted,,2021-04-09T16:15:59.000Z,,,false\n"
    )
    (tea,) = shares(exported(tmp_path / "p.csv", pocket))
    ovens, loose = shares(exported(tmp_path / "r.csv", "\ufeff" + raindrop))
    assert (tea.tags, tea.pocket) == (("green", "black-tea"), "")
    assert (ovens.tags, ovens.pocket, ovens.note) == (("bread", "heat"), "Baking", "Hot, mind")
    assert ovens.shared_at == datetime(2021, 4, 9, 16, 14, 59, tzinfo=UTC)
    assert loose.pocket == ""


def test_karakeep_links_and_texts_come_in_with_their_list_as_pocket(tmp_path: Path) -> None:
    data = {
        "bookmarks": [
            {
                "createdAt": 1700000000,
                "title": "Looms",
                "tags": ["Weaving"],
                "content": {"type": "link", "url": "https://looms.example/a"},
                "note": "for spring",
                "lists": ["L1"],
            },
            {"createdAt": 1700000001, "title": None, "tags": [], "content": {"type": "text", "text": "Buy yarn\nsoon"}},
            {"createdAt": 1700000002, "title": "A picture", "tags": [], "content": None},
        ],
        "lists": [{"id": "L1", "name": "Crafts"}],
    }
    export = exported(tmp_path / "k.json", json.dumps(data))
    link, text, left_out = list(export.records())
    assert isinstance(link, Shared)
    assert isinstance(text, Shared)
    assert (link.pocket, link.tags, link.note) == ("Crafts", ("weaving",), "for spring")
    assert (text.kind, text.title, text.text) == ("note", "Buy yarn", "Buy yarn\nsoon")
    assert isinstance(left_out, Skipped)


def test_linkwarden_collections_become_pockets(tmp_path: Path) -> None:
    links = [
        {
            "name": "Dunes",
            "url": "https://dunes.example/",
            "createdAt": "2023-01-02T03:04:05.000Z",
            "tags": [{"name": "Sand"}],
        }
    ]
    data = {"name": "me", "collections": [{"name": "Coast", "links": links}, {"name": "Unorganized", "links": links}]}
    coast, loose = shares(exported(tmp_path / "l.json", json.dumps(data)))
    assert (coast.title, coast.pocket, coast.tags) == ("Dunes", "Coast", ("sand",))
    assert loose.pocket == ""


def test_the_same_export_read_twice_has_the_same_sources(tmp_path: Path) -> None:
    first = [share.source for share in shares(exported(tmp_path / "b.html", BOOKMARKS))]
    again = [share.source for share in shares(exported(tmp_path / "copy.html", BOOKMARKS))]
    assert first == again
    assert len(set(first)) == 3


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("empty.html", "", "is empty"),
        ("prose.txt", "Only words, no table.\nMore words.", "none of what can be imported"),
        ("other.json", '{"a": 1}', "none of what can be imported"),
        ("broken.json", '{"bookmarks": [', "broken JSON at line 1"),
        ("numbers.csv", "a,b\n1,2\n", "none of what can be imported"),
    ],
)
def test_what_is_no_export_is_said_in_a_sentence(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        exported(tmp_path / name, text)


def test_a_folder_a_missing_file_and_a_binary_are_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"\x89PNG\xff\xfe\x00")
    for path, said in (
        (tmp_path, "folder"),
        (tmp_path / "no.csv", "does not exist"),
        (tmp_path / "x.bin", "not a text"),
    ):
        with pytest.raises(BadInput, match=said):
            open_export(path, person=ME, room=ROOM)


def test_dates_are_read_in_every_unit_and_nonsense_is_none() -> None:
    moment = datetime.fromtimestamp(1_600_000_000, UTC)
    assert {moment_of(1_600_000_000), moment_of("1600000000000"), moment_of(1_600_000_000_000_000)} == {moment}
    assert moment_of("2020-09-13T12:26:40Z") == moment
    for nonsense in ("", None, "soon", 0, -5, "nan", "inf", {}):
        assert moment_of(nonsense) is None
