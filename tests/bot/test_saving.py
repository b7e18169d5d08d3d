"""What a message shares: links with one note, files, notes, and the tags among the words."""

from datetime import UTC, datetime

import pytest

from bot.domain.messages import Attachment, Link, Message, Origin, Preview
from bot.domain.rooms import Person, Room
from bot.saving import asked_to_keep, note_of, replied_instead, shared_in, tags_in, without_request

ROOM = Room(platform="slack", space="T1", channel="C1", kind="public", name="dev")
ANA = Person(platform="slack", space="T1", person_id="U1", name="Ana")


def message(text: str, **more: object) -> Message:
    return Message(message_id="1", room=ROOM, author=ANA, text=text, sent_at=datetime(2026, 5, 3, tzinfo=UTC), **more)  # type: ignore[arg-type]


def test_several_links_are_several_memories_with_one_note() -> None:
    shared = shared_in(message("two on ovens https://a.example/one and https://b.example/two #baking"))
    assert [one.url for one in shared] == ["https://a.example/one", "https://b.example/two"]
    assert {one.note for one in shared} == {"two on ovens and"}
    assert {one.tags for one in shared} == {("baking",)}
    assert len({one.key for one in shared}) == 2


def test_a_link_that_the_platform_marked_is_not_shared_twice() -> None:
    shared = shared_in(message("see https://a.example/one", links=(Link(url="https://a.example/one?utm_source=x"),)))
    assert len(shared) == 1


def test_a_preview_gives_a_title_before_the_page_is_read() -> None:
    preview = Preview(url="https://a.example/one", title="One oven")
    assert shared_in(message("https://a.example/one", previews=(preview,)))[0].title == "One oven"


def test_a_thought_keeps_its_words_and_an_address_in_it() -> None:
    (shared,) = shared_in(message("save: ask Ben about https://a.example/one #later"), as_note=True)
    assert (shared.kind, shared.url) == ("note", "")
    assert shared.text == "ask Ben about https://a.example/one #later"
    assert shared.tags == ("later",)


def test_a_forwarded_text_is_a_message_and_keeps_its_origin() -> None:
    origin = Origin(kind="person", name="Mira")
    (shared,) = shared_in(message("the flour came on Monday", origin=origin))
    assert (shared.kind, shared.origin) == ("message", origin)


def test_a_comment_on_what_somebody_else_wrote_is_the_note_and_gives_its_tags() -> None:
    origin = Origin(kind="channel", name="Mill news")
    (text,) = shared_in(message("the flour came on Monday", origin=origin, comment="for the class #rye"))
    assert (text.text, text.note, text.tags) == ("the flour came on Monday", "for the class", ("rye",))
    (link,) = shared_in(message("Read https://a.example/one", origin=origin, comment="for the class"))
    assert link.note == "for the class\nRead"


def test_a_file_has_its_caption_as_note() -> None:
    file = Attachment(name="plan.pdf", path="/files/plan.pdf", caption="the garden plan")
    (shared,) = shared_in(message("", attachments=(file,)))
    assert (shared.kind, shared.title, shared.note) == ("file", "plan.pdf", "the garden plan")


def test_the_same_local_file_is_known_by_its_path() -> None:
    keys = {
        shared_in(message("", attachments=(Attachment(name="a.md", path="/files/a.md", size=size),)))[0].key
        for size in (1, 2)
    }
    assert len(keys) == 1


def test_an_empty_message_shares_nothing() -> None:
    assert shared_in(message("   ")) == ()


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#Bread and #rye-flour", ("bread", "rye-flour")),
        ("issue #12 in a/b#4 https://a.example/#part", ()),
        ("&#39;quoted&#39;", ()),
        ("#brot #brot", ("brot",)),
        ("#größe #猫", ("größe", "猫")),
    ],
)
def test_tags_are_words_and_not_numbers_or_parts_of_addresses(text: str, tags: tuple[str, ...]) -> None:
    assert tags_in(text) == tags


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("save: buy rye", "buy rye"),
        ("Note: buy rye", "buy rye"),
        ("remember that the key is under the pot", "the key is under the pot"),
        ("Merk dir: Mehl kaufen", "Mehl kaufen"),
        ("save https://a.example/x", "https://a.example/x"),
        ("notes from the meeting", "notes from the meeting"),
        ("keep calm", "keep calm"),
        ("savings: 12", "savings: 12"),
    ],
)
def test_a_request_to_keep_is_taken_off(text: str, rest: str) -> None:
    assert without_request(text) == rest
    assert asked_to_keep(text) == (rest != text)


def test_masked_links_leave_their_words_in_the_note() -> None:
    links = (Link(url="https://a.example/one", label="the guide"),)
    assert note_of("read [the guide](https://a.example/one) first", links) == "read the guide first"


def test_saving_a_message_replied_to_keeps_its_writer_as_origin_and_who_asked_as_saver() -> None:
    ben = Person(platform="slack", space="T1", person_id="U2", name="Ben")
    replied = Message(
        message_id="9", room=ROOM, author=ben, text="we open at nine", sent_at=datetime(2026, 5, 1, tzinfo=UTC)
    )
    (shared,) = shared_in(replied_instead(message("save this", replied=replied)))
    assert (shared.kind, shared.person, shared.text) == ("message", ANA, "we open at nine")
    assert shared.origin is not None
    assert shared.origin.name == "Ben"
    assert shared.source == replied.key


@pytest.mark.parametrize(
    "written", ["www.bread.example/rye", "https://bread.example/rye", "<https://bread.example/rye>"]
)
def test_no_spelling_of_an_address_stays_in_the_note(written: str) -> None:
    assert shared_in(message(f"rye, finally: {written}"))[0].note == "rye, finally"


def test_a_host_typed_alone_is_a_link_and_no_note_stays_beside_it():
    (one,) = shared_in(message("bakery.com"))
    assert (one.kind, one.url, one.note) == ("link", "https://bakery.com/", "")


def test_a_files_name_typed_alone_is_no_link():
    (one,) = shared_in(message("README.md"))
    assert one.kind != "link"
