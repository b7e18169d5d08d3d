"""What people write in Discord, read as it is meant: links in every dress, mentions, replies, places."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.discord.content import read_content
from adapters.discord.inbound import Around, Place, is_addressed, message_from, worth_keeping
from bot.domain.links import addresses_in

RECORDED = json.loads((Path(__file__).parents[2] / "payloads/discord/messages.json").read_text(encoding="utf-8"))
ROOM = Place(channel="8100", home="8100", kind="public", guild="8000", name="ovens")
AROUND = Around(place=ROOM, bot_id="99", rooms={"8100": ROOM})


def urls(name: str) -> list[str]:
    message = message_from(RECORDED[name], AROUND)
    return [link.url for link in message.links] or [link.url for link in addresses_in(message.text)]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("quiet", ["https://oven.example.org/stone/heat"]),
        ("masked", ["https://oven.example.org/wiki/stone_(oven)", "https://dough.example.org/rest"]),
        ("spoiler_and_code", ["https://ending.example.org/last"]),
        ("message_link", []),
        ("suppressed", ["https://oven.example.org/stone/heat"]),
    ],
)
def test_links_are_found_in_every_dress(name: str, found: list[str]) -> None:
    assert urls(name) == found


def test_a_link_to_a_message_is_kept_as_words_and_is_no_page() -> None:
    read = read_content(RECORDED["message_link"]["content"], {}, bot_id="99")
    assert read.text == "as I said: message 1401"
    assert read.messages == ("1401",)
    assert not worth_keeping(RECORDED["message_link"], AROUND)


def test_mentions_become_names_and_the_message_replied_to_comes_along() -> None:
    message = message_from(RECORDED["asked"], AROUND)
    assert message.text == "save this for @omar, see ovens at 2026-02-02 02:40 UTC :loaf:"
    assert message.addressed
    assert message.author.name == "Omar the baker"
    assert message.sent_at == datetime(2026, 2, 3, 6, 35, tzinfo=UTC)
    assert [person.person_id for person in message.mentioned] == ["56"]
    assert [room.key for room in message.mentioned_rooms] == ["discord/8000/8100"]
    assert message.replied is not None
    assert message.replied.author.name == "Lena"
    assert message.permalink == "https://discord.com/channels/8000/8100/1406"


def test_other_peoples_chatter_and_bots_are_not_kept() -> None:
    quiet = RECORDED["quiet"]
    assert worth_keeping(quiet, AROUND)
    assert not worth_keeping({**quiet, "content": "good morning"}, AROUND)
    assert not worth_keeping({**quiet, "author": {**quiet["author"], "bot": True}}, AROUND)
    assert not worth_keeping({**quiet, "type": 7}, AROUND)


def test_a_message_without_words_is_for_nobody() -> None:
    direct = Around(place=Place(channel="1", home="1", kind="direct"), bot_id="99")
    assert not worth_keeping({**RECORDED["quiet"], "content": ""}, direct)


def test_a_role_of_the_same_number_is_no_mention_of_the_bot() -> None:
    assert not is_addressed({**RECORDED["quiet"], "content": "<@&99> come"}, AROUND)
    assert is_addressed({**RECORDED["quiet"], "content": "<@!99> come"}, AROUND)
