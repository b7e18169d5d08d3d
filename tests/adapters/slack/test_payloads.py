"""Bodies of the shapes that Slack sends, one a file, each read as what it is."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.slack.deliveries import inbox_event, kept_delivery, read_delivery, worth_keeping
from adapters.slack.envelopes import kind_of
from adapters.slack.inbound import Known, message_from

PAYLOADS = Path(__file__).parents[2] / "payloads" / "slack"
EXPECTED = {
    "app_mention": ("event", "message", True, "T0TEAM:C0DEV:1767300000.000100"),
    "rich_text_message": ("event", "message", True, "T0TEAM:C0DEV:1767300001.000100"),
    "file_share": ("event", "message", True, "T0TEAM:D0BEN"),
    "unfurl": ("event", "ignored", False, "T0TEAM:C0DEV:1767300001.000100"),
    "edit": ("event", "edited", True, "T0TEAM:C0DEV:1767300001.000100"),
    "delete": ("event", "deleted", True, "T0TEAM:C0DEV:1767300001.000100"),
    "shared_channel": ("event", "message", True, "T0TEAM:C0SHARED:1767300006.000100"),
    "reaction_added": ("event", "reaction_added", True, "T0TEAM:C0DEV:1767300001.000100"),
    "slash_command": ("command", "ignored", True, "T0TEAM:C0DEV:command:1.2.a"),
    "message_action": ("shortcut", "ignored", True, "T0TEAM:C0DEV:shortcut:1767300001.000100"),
    "block_actions": ("action", "ignored", True, "T0TEAM:C0DEV:action:1767300009.000100"),
}


def body(name: str) -> dict:
    return json.loads((PAYLOADS / f"{name}.json").read_text())


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_every_body_is_read_as_what_it_is(name: str) -> None:
    kind, event_kind, kept, line = EXPECTED[name]
    delivery = read_delivery(body(name), bot_user="U0BOT")
    assert (delivery.kind, delivery.home.team) == (kind, "T0TEAM")
    assert kind_of(delivery.event, delivery.home) == event_kind
    assert worth_keeping(delivery) is kept
    written = inbox_event(delivery, datetime(2026, 1, 1, tzinfo=UTC))
    assert written.order_key == line
    assert written.keys
    assert "removed" not in written.body
    assert kept_delivery(written).body == {k: v for k, v in delivery.body.items() if k != "token"}


def test_no_body_is_left_without_an_expectation() -> None:
    assert {path.stem for path in PAYLOADS.glob("*.json")} == set(EXPECTED)


def test_a_file_that_is_gone_is_no_attachment() -> None:
    delivery = read_delivery(body("file_share"))
    message = message_from(delivery.event, home=delivery.home, known=Known())
    assert [(one.name, one.media_type, one.size) for one in message.attachments] == [
        ("rye.pdf", "application/pdf", 1200)
    ]


def test_a_button_carries_its_name_and_target() -> None:
    assert read_delivery(body("block_actions")).button == ("why", "t1")
