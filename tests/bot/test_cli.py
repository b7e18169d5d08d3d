"""The command line: results on standard output, one sentence on standard error, exit status 0, 1 or 2."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.commandline.output import Progress
from bot.commandline.program import app
from bot.ports import Embedder
from tests.fakes.commandline import Ran, SmallWeb, command_line

OWLS = "# Barn owls\n\nBarn owls hunt voles over the meadow at night.\n\nThey nest in church towers."
RYE = "# Rye bread\n\nRye dough rests for sixteen hours before it is baked in a stone oven."

Palace = Callable[..., Ran]


@pytest.fixture
def palace(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Palace:
    web = SmallWeb(pages={"https://owls.example/barn": OWLS})
    return command_line(monkeypatch, capsys, tmp_path / "home", web)


@pytest.fixture
def rye(tmp_path: Path) -> Path:
    path = tmp_path / "rye.md"
    path.write_text(RYE)
    return path


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def type_in(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_saving_prints_one_object_an_item_with_exactly_these_fields(palace: Palace, rye: Path) -> None:
    ran = palace("save", "--json", "https://owls.example/barn", str(rye), "--tag", "reading", "--note", "for Kim")
    link, file = lines(ran.out)
    assert ran.status == 0
    assert list(link) == ["memory_id", "status", "url", "key", "title", "chunks", "reason"]
    assert (link["status"], link["title"], link["url"], link["reason"]) == (
        "ready", "Barn owls", "https://owls.example/barn", "",
    )  # fmt: skip
    assert (file["status"], file["title"], file["url"]) == ("ready", "Rye bread", rye.as_uri())
    (shown,) = lines(palace("show", "--json", link["memory_id"][:6]).out)
    assert (shown["tags"], shown["note"], shown["text"]) == (["reading"], "for Kim", OWLS)


def test_saving_again_says_that_it_is_known(palace: Palace, rye: Path) -> None:
    first = lines(palace("save", "--json", str(rye)).out)
    again = lines(palace("save", "--json", str(rye)).out)
    assert again == [first[0] | {"status": "known"}]
    assert lines(palace("stats", "--json").out)[0]["memories"] == 1


def test_what_cannot_be_saved_is_said_and_stops_nothing_else(palace: Palace, rye: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    targets = (str(tmp_path), "gone.txt", "ftp://files.example/x", str(tmp_path / "empty.txt"), str(rye))
    ran = palace("save", *targets)
    assert ran.status == 1
    assert "saved" in ran.out
    assert "Rye bread" in ran.out
    for said in (
        "--recursive saves the files in it",
        "gone.txt: there is no such file",
        "only http and https",
        "It is empty.",
    ):
        assert said in ran.err
    assert "Traceback" not in ran.err


def test_an_unreachable_address_is_kept_and_fails_with_its_reason(palace: Palace) -> None:
    ran = palace("save", "--json", "https://away.example/")
    (item,) = lines(ran.out)
    assert (ran.status, item["status"], item["reason"]) == (1, "failed", "The site could not be reached.")
    assert "The site could not be reached." in ran.err
    (listed,) = lines(palace("list", "--failed", "--json").out)
    assert listed["reason"] == item["reason"]


def test_a_folder_is_saved_with_all_its_files_but_hidden_ones(palace: Palace, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    for name in ("a.txt", "deep/b.txt", ".hidden.txt"):
        (folder / name).write_text(f"Words of {name} on gardening.")
    assert len(lines(palace("save", "--json", "--recursive", str(folder)).out)) == 2


def test_a_note_alone_is_a_thought(palace: Palace) -> None:
    palace("save", "--note", "The spare key hangs at Kim's #home")
    (thought,) = lines(palace("list", "--json", "--tag", "home").out)
    assert (thought["kind"], thought["status"]) == ("note", "ready")


def test_standard_input_may_be_addresses_a_page_or_a_thought(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    for content, kind in (
        (b"https://owls.example/barn\nhttps://owls.example/barn?utm_source=x\n", "link"),
        (b"<!doctype html><html><body>A page about dunes</body></html>", "file"),
        (b"Water the ferns on Monday.\nTwice.", "note"),
    ):
        type_in(monkeypatch, content)
        ran = palace("save", "-", "--json")
        assert lines(palace("list", "--json", "--limit", "1").out)[0]["kind"] == kind, ran
    for content, said in ((b"", "is empty"), (b"\x00\xff\xfe", "neither text nor HTML nor PDF")):
        type_in(monkeypatch, content)
        ran = palace("save", "-")
        assert (ran.status, said in ran.err) == (1, True)


def test_searching_prints_passages_with_exactly_these_fields(palace: Palace, rye: Path) -> None:
    palace("save", "https://owls.example/barn", str(rye))
    ran = palace("search", "--json", "--limit", "1", "rye", "dough", "rests")
    (found,) = lines(ran.out)
    assert list(found) == ["memory_id", "title", "url", "score", "text", "found_by"]
    assert (found["title"], ran.status) == ("Rye bread", 0)
    (worded,) = lines(palace("search", "--json", "--words", "dough").out)
    assert (list(worded), worded["found_by"]) == (list(found), ["words:dough"])


@pytest.fixture
def answering(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, embedder: Embedder, rye: Path
) -> Palace:
    """A palace with the real model, two pages in it."""
    palace = command_line(
        monkeypatch, capsys, tmp_path / "home", SmallWeb(pages={"https://owls.example/barn": OWLS}), embedder=embedder
    )
    palace("save", "https://owls.example/barn", str(rye))
    return palace


def test_asking_prints_the_events_and_the_answer_last(answering: Palace) -> None:
    events = lines(answering("ask", "--json", "How long does rye dough rest?").out)
    names = {event["event"] for event in events}
    assert names == {"step_started", "step_finished", "text", "answered"}
    final = events[-1]
    assert list(final)[1:] == [
        "text", "intent", "confidence", "standalone", "queries", "verdict", "citations", "took_ms", "fallbacks",
    ]  # fmt: skip
    assert list(final["citations"][0]) == ["number", "memory_id", "title", "url"]
    assert final["citations"][0]["title"] == "Rye bread"


def test_an_answer_in_words_ends_with_its_sources_and_a_greeting_has_none(answering: Palace) -> None:
    ran = answering("ask", "How long does rye dough rest?")
    assert "[1] Rye bread" in ran.out
    assert ran.status == 0
    assert "[1]" not in answering("ask", "hello!").out


def test_a_question_goes_on_from_the_last_one_only_when_asked_to(answering: Palace) -> None:
    answering("ask", "Where do barn owls nest?")
    assert lines(answering("ask", "--json", "What about rye bread?").out)[-1]["standalone"] == "What about rye bread?"
    followed = lines(answering("ask", "--json", "--continue", "And what do they hunt?").out)[-1]
    assert "owls" in followed["standalone"].lower()


def test_editing_changes_what_is_listed(palace: Palace, rye: Path) -> None:
    palace("save", str(rye))
    ran = palace(
        "edit", str(rye), "--title", "Bread, slowly", "--tag", "Bake", "--pocket", "kitchen", "--pin", "--json"
    )
    (edited,) = lines(ran.out)
    assert (edited["title"], edited["tags"], edited["pocket"], edited["pinned"]) == (
        "Bread, slowly", ["bake"], "kitchen", True,
    )  # fmt: skip
    assert lines(palace("pockets", "--json").out) == [{"pocket": "kitchen", "memories": 1}]
    assert lines(palace("tags", "--json").out) == [{"tag": "bake", "memories": 1}]


def test_forgetting_shows_what_goes_and_asks_where_nobody_can_be_asked_it_refuses(
    palace: Palace, rye: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    palace("save", str(rye))
    type_in(monkeypatch, b"")
    refused = palace("forget", str(rye))
    assert (refused.status, "add --yes" in refused.err) == (2, True)
    ran = palace("forget", str(rye), "--yes", "--json")
    (gone,) = lines(ran.out)
    assert (gone["forgotten"], gone["titles"], gone["still_found"]) == (1, ["Rye bread"], 0)
    assert "Rye bread" in ran.err
    searched = palace("search", "--json", "rye dough")
    assert (searched.out, searched.err) == ("", "Nothing saved matches that.\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("dance",), "No such command 'dance'"),
        (("save",), "Save what?"),
        (("list", "--limit", "many"), "--limit"),
        (("search", " "), "Search for what?"),
        (("edit", "abcd"), "Change what?"),
        (("forget",), "Forget what?"),
    ],
)
def test_wrong_usage_is_one_sentence_and_status_2(palace: Palace, arguments: tuple[str, ...], said: str) -> None:
    ran = palace(*arguments)
    assert ran.status == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


def test_every_command_teaches_itself(palace: Palace) -> None:
    for command in app.registered_commands:
        ran = palace(command.name, "--help")
        assert ran.status == 0
        assert ran.out.count(f"palace {command.name}") > 1, "an example beside the usage"


def test_a_forgotten_file_leaves_no_copy_also_where_the_database_lies_elsewhere(
    palace: Palace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_DATABASE_URL", f"sqlite:///{tmp_path}/elsewhere/palace.db")
    type_in(monkeypatch, b"<!doctype html><html><body>A page about dunes</body></html>")
    palace("save", "-")
    assert len(list((tmp_path / "home" / "input").iterdir())) == 1
    palace("forget", "--all", "--yes")
    assert list((tmp_path / "home" / "input").iterdir()) == []


def test_an_unknown_id_is_said_in_a_sentence(palace: Palace) -> None:
    ran = palace("show", "ffffffff")
    assert (ran.status, ran.err) == (1, "There is no memory 'ffffffff'; `palace list` shows the ids.\n")


def test_a_damaged_file_and_a_home_that_cannot_be_written_are_said_in_a_sentence(
    palace: Palace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir(exist_ok=True)
    (tmp_path / "home" / "palace.db").write_bytes(b"not a database at all" * 500)
    (tmp_path / "file").touch()
    damaged = palace("list")
    monkeypatch.setenv("PALACE_HOME", str(tmp_path / "file"))
    unwritable = palace("list")
    for ran in (damaged, unwritable):
        assert ran.status == 1
        assert len(ran.err.splitlines()) == 1
        assert "palace.db" in ran.err


def test_a_wrong_setting_is_named(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_LOG_LEVEL", "LOUD")
    assert "PALACE_LOG_LEVEL" in palace("list").err
    monkeypatch.setenv("PALACE_LOG_LEVEL", "WARNING")
    monkeypatch.setenv("PALACE_STEP_DEADLINE_S", "-1")
    assert "PALACE_STEP_DEADLINE_S" in palace("list").err


def test_the_doctor_tells_what_is_in_use_and_never_a_secret(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-very-secret")
    monkeypatch.setenv("PALACE_TRUSTED_HOSTS", "wiki.example, intranet:8080")
    ran = palace("doctor", "--json")
    found = {finding["check"]: finding["value"] for finding in lines(ran.out)}
    assert ran.status == 0
    assert found["model key"] == "present"
    assert found["trusted hosts"] == "wiki.example, intranet:8080"
    assert "apsw" in found["driver"]
    assert "sk-very-secret" not in ran.out + ran.err


def test_what_is_exported_and_imported_into_an_empty_home_is_the_same_palace(
    palace: Palace, rye: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    palace("save", "https://owls.example/barn", str(rye), "--tag", "reading")
    palace("export", "--output", str(tmp_path / "all.jsonl"))
    listed = palace("list", "--json").out
    monkeypatch.setenv("PALACE_HOME", str(tmp_path / "second"))
    first = palace("import", "--json", str(tmp_path / "all.jsonl"))
    again = lines(palace("import", "--json", str(tmp_path / "all.jsonl")).out)
    assert first.status == 0
    assert palace("list", "--json").out == listed
    assert again[0]["new"] == 0
    assert lines(palace("search", "--json", "-n", "1", "rye dough rests").out)[0]["title"] == "Rye bread"


def test_bookmarks_are_counted_first_then_read_and_never_twice(palace: Palace, tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.html"
    path.write_text(
        "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>"
        '<DT><A HREF="https://owls.example/barn" ADD_DATE="1600000000" TAGS="birds">Owls</A>'
        '<DT><A HREF="javascript:x" ADD_DATE="1600000000">No page</A></DL>'
    )
    (preview,) = lines(palace("import", "--preview", "--json", str(path)).out)
    assert (preview["new"], preview["known"], preview["left_out"]) == (1, 0, {"not a web address": 1})
    assert palace("list", "--json").out == ""
    ran = palace("import", str(path))
    assert ran.status == 0
    (owls,) = lines(palace("list", "--json").out)
    assert (owls["status"], owls["tags"], owls["shared_at"][:10]) == ("ready", ["birds"], "2020-09-13")
    (again,) = lines(palace("import", "--json", str(path)).out)
    assert (again["new"], again["known"]) == (0, 1)


def test_a_broken_export_is_said_with_its_line_and_keeps_what_came_before(palace: Palace, tmp_path: Path) -> None:
    path = tmp_path / "half.jsonl"
    path.write_text('{"record": "setting", "key": "k", "name": "n", "value": "v"}\n{"record": "mem')
    ran = palace("import", str(path))
    assert ran.status == 1
    assert "line 2, is broken JSON" in ran.err


def test_the_progress_inside_one_long_text_is_told_at_every_tenth_and_of_a_short_one_not(capsys):
    with Progress(1, "read") as progress:
        for done in range(0, 101, 2):
            progress.inside("The long guide", done, 100)
        progress.inside("A short note", 1, 3)
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "0 % · The long guide: 0 of 100 chunks read"
    assert len(told) == 11
