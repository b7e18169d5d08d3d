"""What is typed becomes a message; paths of local files become attachments."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.console.inbound import message_of
from bot.domain.errors import BadInput
from bot.domain.messages import Message
from bot.domain.rooms import Person, Room

ROOM = Room(platform="console", channel="terminal", kind="direct")
ME = Person(platform="console", person_id="owner")


def typed(line: str) -> Message:
    return message_of(line, number="1", room=ROOM, person=ME, now=datetime(2026, 5, 3, tzinfo=UTC))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.md").write_text("# Notes")
    (tmp_path / "two words.txt").write_text("words")
    (tmp_path / "docs").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    "line", ["notes.md", "./notes.md", "{folder}/notes.md", "'{folder}/notes.md'", "file://{folder}/notes.md"]
)
def test_a_line_that_is_a_path_shares_that_file(folder: Path, line: str) -> None:
    message = typed(line.format(folder=folder))
    assert [file.path for file in message.attachments] == [str(folder / "notes.md")]
    assert message.text == ""
    assert message.addressed


def test_a_path_with_a_space_and_several_dropped_paths_are_understood(folder: Path) -> None:
    assert typed(f"{folder}/two words.txt").attachments[0].name == "two words.txt"
    dropped = typed(f"'{folder}/two words.txt' {folder}/notes.md")
    assert [file.name for file in dropped.attachments] == ["two words.txt", "notes.md"]


def test_save_with_a_path_keeps_the_words_beside_it(folder: Path) -> None:
    message = typed(f"/save {folder}/notes.md for the talk #bread")
    assert [file.name for file in message.attachments] == ["notes.md"]
    assert message.text == "/save for the talk #bread"


@pytest.mark.parametrize(
    "line",
    [
        "What do owls eat?",
        "https://example.org/a/b",
        "/save https://example.org/a",
        "/list",
        "/why",
        "save: docs are in the shed",
        "docs",
        "it's a shame",
        "and/or",
        "note: buy flour",
    ],
)
def test_words_addresses_and_commands_stay_as_they_are(folder: Path, line: str) -> None:
    message = typed(line)
    assert message.attachments == ()
    assert message.text == line


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("./docs", "is a folder"),
        ("/save ./docs", "is a folder"),
        ("./gone.txt", "no file"),
        ("/no/such/file", "no file"),
    ],
)
def test_a_path_that_leads_nowhere_is_said_in_a_sentence(folder: Path, line: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        typed(line)
