"""What a message is for."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.domain.messages import Attachment, Message, Origin
from bot.domain.rooms import Person, Room
from bot.purpose import purpose

ANA = Person(platform="slack", space="T1", person_id="U1", name="Ana")
DEV = Room(platform="slack", space="T1", channel="C1", kind="public")
DIRECT = Room(platform="slack", space="T1", channel="D1", kind="direct")


def message(text: str, room: Room = DIRECT, *, addressed: bool = True, **more: object) -> Message:
    return Message(
        message_id="1",
        room=room,
        author=ANA,
        text=text,
        sent_at=datetime(2026, 5, 3, tzinfo=UTC),
        addressed=addressed,
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://a.example/one", "save"),
        ("a good one https://a.example/one #ovens", "save"),
        ("what did we save about https://a.example/one?", "answer"),
        ("is https://a.example/one still true?", "answer"),
        ("What did Ana say about ovens?", "answer"),
        ("and the other one", "answer"),
        ("save: the key is under the pot", "note"),
        ("save: example.com/oven", "save"),
        ("save: notes.md", "note"),
        ("remember that the key is under the pot", "note"),
        ("the key is under the pot #house", "note"),
        ("How I bake in a cold oven #bread", "note"),
        ("Why we left the old hosting #cloud", "note"),
        ("all tests are green again #ci", "note"),
        ("list my links with #db", "answer"),
        ("show me everything about #db", "answer"),
        ("find the notes on #db", "answer"),
        ("my notes tagged #db?", "answer"),
        ("which links have #db", "answer"),
        ("anything about #db", "answer"),
        ("why is the build slow #ci", "answer"),
        ("wo liegt die Hütte #reise", "answer"),
        ("zeig mir alle Links mit #db", "answer"),
        ("lista mis enlaces con #db", "answer"),
        ("dime todo sobre #db", "answer"),
        ("#db", "command"),
        ("#db #cache", "command"),
        ("help", "command"),
        ("Hilfe!", "command"),
        ("undo", "command"),
        ("forget https://a.example/one", "command"),
        ("forget it", "answer"),
        ("How to bake bread https://a.example/one", "save"),
        ("Show HN: an oven in 200 lines https://a.example/one", "save"),
        ("Find your pace https://a.example/one", "save"),
        ("What is love https://a.example/one", "answer"),
        ("summarize https://a.example/one", "answer"),
        ("tell me what https://a.example/one says about ovens", "answer"),
        ("¿qué dice https://a.example/one?", "answer"),
        ("save:", "save"),
        ("save", "save"),
        ("what is tagged #house?", "answer"),
        ("/list #house", "command"),
        ("/nonsense", "command"),
        ("/etc/hosts is a file", "answer"),
        ("hello", "answer"),
    ],
)
def test_in_a_direct_chat(text: str, expected: str) -> None:
    assert purpose(message(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("look: https://a.example/one", "watch"),
        ("what a day", "ignore"),
        ("is there coffee?", "ignore"),
        ("/list is a command", "command"),
        ("/shrug", "ignore"),
        ("the file is main.py", "ignore"),
    ],
)
def test_in_a_channel_without_a_mention(text: str, expected: str) -> None:
    assert purpose(message(text, DEV, addressed=False)) == expected


def test_links_of_a_room_that_is_not_watched_are_left_alone() -> None:
    assert purpose(message("https://a.example/one", DEV, addressed=False, watched=False)) == "ignore"


def test_a_forward_and_a_file_are_saves() -> None:
    assert purpose(message("the flour came", origin=Origin(kind="person", name="Mira"))) == "save"
    assert purpose(message("what is in here?", attachments=(Attachment(name="a.pdf"),))) == "save"


@pytest.mark.parametrize("text", ["save this", "Please keep this!", "save", "speichern", "guarda esto"])
def test_save_this_as_a_reply_saves_the_message_replied_to(text: str) -> None:
    replied = message("we open at nine", DEV, addressed=False)
    asked = message(text, DEV)
    assert purpose(replace(asked, replied=replied)) == "save"
    assert purpose(asked) == "save"


@pytest.mark.parametrize("surface", ["shortcut", "menu", "reaction"])
def test_a_shortcut_saves_whatever_the_message_says(surface: str) -> None:
    assert purpose(message("is this a question?", DEV, surface=surface)) == "save"
