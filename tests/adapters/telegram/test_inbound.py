"""Updates read as messages: offsets in UTF-16, mentions, topics, permalinks, keys."""

import json
from pathlib import Path
from typing import Any

import pytest
from aiogram.types import Update

from adapters.telegram.inbound import (
    Me,
    addressed,
    for_another,
    keys_of,
    kind_of,
    message_from,
    message_of,
    spoken,
    started,
)
from bot.domain.messages import Message

PAYLOADS = Path(__file__).parents[2] / "payloads" / "telegram"
ME = Me(bot_id=123456, username="palace_bot")
COMMANDS = frozenset({"ask", "save"})


def recorded(name: str) -> dict[str, Any]:
    return json.loads((PAYLOADS / f"{name}.json").read_text(encoding="utf-8"))


def read(raw: dict[str, Any]) -> Message:
    message = message_of(Update.model_validate(raw))
    assert message is not None
    return message_from(message, me=ME, addressed=addressed(message, ME, COMMANDS))


def made(text: str = "", *, chat: str = "supergroup", **more: Any) -> dict[str, Any]:
    base = {"message_id": 5, "date": 1_767_254_400, "chat": {"id": -100777, "type": chat, "title": "Club"}}
    person = {"from": {"id": 7, "is_bot": False, "first_name": "Ana"}}
    return {"update_id": 1, "message": base | person | ({"text": text} if text else {}) | more}


def test_links_after_emoji_are_cut_where_telegram_counts_them() -> None:
    message = read(recorded("links_after_emoji"))
    assert [(link.url, link.label) for link in message.links] == [
        ("https://bees.example/hive/3(b)", ""),
        ("https://honey.example/log?year=2026&kind=dark", "honey log 🍯"),
    ]


def test_a_link_in_a_photos_caption_is_a_link_and_the_photo_none_of_its_own() -> None:
    message = read(recorded("caption_link"))
    assert [(link.url, link.label) for link in message.links] == [("https://frame.example/12", "plan")]
    assert message.attachments == ()


def test_a_mention_behind_emoji_addresses_the_bot_and_is_taken_out() -> None:
    message = read(recorded("mention_after_emoji"))
    assert message.addressed
    assert message.text == "🙋🏾‍♀️  when do the bees swarm?"


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("/ask@palace_bot why?", "bot_command", True),
        ("/ask why?", "bot_command", True),
        ("/roll 6", "bot_command", False),
        ("/ask@dice_bot why?", "bot_command", False),
        ("@PALACE_BOT why?", "mention", True),
        ("@somebody why?", "mention", False),
    ],
)
def test_who_is_called_in_a_group(text: str, kind: str, *, expected: bool) -> None:
    raw = made(text, entities=[{"type": kind, "offset": 0, "length": len(text.split(maxsplit=1)[0])}])
    message = message_of(Update.model_validate(raw))
    assert message is not None
    assert addressed(message, ME, COMMANDS) is expected
    assert for_another(message, ME) is ("dice" in text)


def test_a_reply_in_an_ordinary_group_is_no_topic_and_one_in_a_topic_is() -> None:
    plain = read(made("hello", message_thread_id=3))
    topic = read(made("hello", message_thread_id=3, is_topic_message=True))
    assert (plain.room.thread, topic.room.thread) == (None, "3")
    assert plain.permalink == "https://t.me/c/777/5"
    assert topic.permalink == "https://t.me/c/777/3/5"


def test_a_topics_first_message_is_no_reply_of_anybodys() -> None:
    root = made(forum_topic_created={"name": "Bees", "icon_color": 1})["message"]
    assert read(made("hello", reply_to_message=root, message_thread_id=3, is_topic_message=True)).replied is None


def test_public_groups_and_ordinary_ones_have_their_own_permalinks() -> None:
    public = made("hello")
    public["message"]["chat"]["username"] = "beeclub"
    small = made("hello", chat="group")
    small["message"]["chat"]["id"] = -55
    assert read(public).permalink == "https://t.me/beeclub/5"
    assert read(small).permalink == ""


def test_every_group_is_a_wall_whatever_telegram_calls_it() -> None:
    assert {read(made("hi", chat=kind)).room.kind for kind in ("group", "supergroup", "channel")} == {"private"}
    assert read(made("hi", chat="private")).room.kind == "direct"


def test_other_bots_and_our_own_inline_results_are_nothing() -> None:
    other = made("https://a.example")
    other["message"]["from"] |= {"is_bot": True}
    ours = made("https://a.example", via_bot={"id": 123456, "is_bot": True, "first_name": "Palace"})
    theirs = made("https://a.example", via_bot={"id": 9, "is_bot": True, "first_name": "Gifs"})
    assert [kind_of(Update.model_validate(raw), ME) for raw in (other, ours, theirs)] == [
        "ignored",
        "ignored",
        "message",
    ]


STICKER = {"file_id": "s", "file_unique_id": "s", "type": "regular", "width": 1, "height": 1}


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"sticker": STICKER | {"is_animated": False, "is_video": False}}, "ignored"),
        ({"pinned_message": {"message_id": 4, "date": 1_767_254_400, "chat": {"id": 7, "type": "private"}}}, "ignored"),
        ({"message_auto_delete_timer_changed": {"message_auto_delete_time": 60}}, "ignored"),
        ({"location": {"latitude": 1.0, "longitude": 2.0}}, "message"),
    ],
)
def test_a_sticker_or_a_service_message_asks_for_nothing(more: dict[str, Any], kind: str) -> None:
    assert kind_of(Update.model_validate(made(chat="private", **more)), ME) == kind


def test_an_anonymous_administrator_writes_as_the_group() -> None:
    raw = made("https://a.example", sender_chat={"id": -100777, "type": "supergroup", "title": "Club"})
    raw["message"]["from"] = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    assert kind_of(Update.model_validate(raw), ME) == "message"
    assert read(raw).author.name == "Club"


def test_a_previews_address_and_a_forwarded_posts_button_are_links_too() -> None:
    preview = read(made("look at this", link_preview_options={"url": "https://a.example/p"}))
    assert [link.url for link in preview.links] == ["https://a.example/p"]
    origin = {"type": "hidden_user", "date": 1, "sender_user_name": "X"}
    keys = {"inline_keyboard": [[{"text": "Read on", "url": "https://a.example/b"}]]}
    post = read(made("news", forward_origin=origin, reply_markup=keys))
    assert [(link.url, link.label) for link in post.links] == [("https://a.example/b", "Read on")]


def test_an_address_without_a_scheme_can_be_opened() -> None:
    raw = made("see bees.example/hive", entities=[{"type": "url", "offset": 4, "length": 17}])
    assert [link.url for link in read(raw).links] == ["https://bees.example/hive"]


def test_people_are_no_links() -> None:
    raw = made("ask Ben", entities=[{"type": "text_link", "offset": 4, "length": 3, "url": "tg://user?id=8"}])
    assert read(raw).links == ()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("/start", "/help"),
        ("/start@palace_bot", "/help"),
        ("/start link_AB12", "/help"),
        ("/start show-1a2b", "/show 1a2b"),
        ("/start forget_mine", "/help"),
        ("start", "start"),
    ],
)
def test_start_is_help_or_what_its_deep_link_carries(typed: str, meant: str) -> None:
    assert started(typed) == meant


def test_an_edit_has_keys_of_its_own() -> None:
    first = made("a")
    edit = {"update_id": 2, "edited_message": first["message"] | {"edit_date": 1_767_254_401}}
    keys = [keys_of(Update.model_validate(raw)) for raw in (first, edit)]
    assert set(keys[0]).isdisjoint(keys[1])
    assert keys[0] == ("update:1", "message:-100777:5")


def test_a_text_mention_of_the_bot_is_taken_out_and_of_others_kept() -> None:
    entities = [
        {"type": "text_mention", "offset": 0, "length": 6, "user": {"id": 123456, "is_bot": True, "first_name": "P"}},
        {"type": "text_mention", "offset": 17, "length": 3, "user": {"id": 8, "is_bot": False, "first_name": "Ben"}},
    ]
    message = read(made("Palace what does Ben like?", entities=entities))
    assert (message.addressed, message.text) == (True, "what does Ben like?")
    assert [person.person_id for person in message.mentioned] == ["8"]


def test_a_rich_message_gives_its_text_and_links() -> None:
    raw = recorded("rich_message")
    message = read(raw)
    assert "Swarming season" in message.text
    assert [link.url for link in message.links] == ["https://bees.example/season"]
    found = message_of(Update.model_validate(raw))
    assert found is not None
    assert spoken(found, ME) == message.text
