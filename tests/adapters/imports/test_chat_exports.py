"""Chat exports come in as the messages they were: author, room, day, addresses."""

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.imports.reading import open_export
from adapters.imports.records import Skipped
from bot.domain.errors import BadInput
from bot.domain.links import addresses_in
from bot.domain.messages import Message
from bot.domain.rooms import Person, Room
from bot.saving import shared_in

ROOM = Room(platform="console", channel="terminal", kind="direct")
ME = Person(platform="console", person_id="owner", name="Me")


def read(path: Path) -> list[Message | Skipped]:
    return [record for record in open_export(path, person=ME, room=ROOM).records() if not hasattr(record, "scope")]


def messages(path: Path) -> list[Message]:
    return [record for record in read(path) if isinstance(record, Message)]


@pytest.fixture
def slack(tmp_path: Path) -> Path:
    days: dict[str, list[dict[str, Any]]] = {
        "kitchen/2022-02-01.json": [
            {"type": "message", "user": "U1", "text": "good morning", "ts": "1643700000.000100"},
            {
                "type": "message",
                "user": "U2",
                "text": "<@U1> see <https://stoves.example/a?x=1&amp;y=2|this stove> &amp; tell <#C1|kitchen> #ovens",
                "ts": "1643700001.000200",
                "attachments": [{"original_url": "https://stoves.example/a?x=1&y=2", "title": "Stoves", "text": "Hot"}],
            },
            {
                "type": "message",
                "subtype": "channel_join",
                "user": "U1",
                "text": "https://no.example",
                "ts": "1643700002.1",
            },
            {"type": "message", "bot_id": "B1", "text": "<https://bot.example>", "ts": "1643700003.1"},
        ],
        "cellar/2022-02-02.json": [
            {
                "type": "message",
                "user": "U1",
                "text": "<https://wine.example/>",
                "ts": "1643800000.000100",
                "thread_ts": "1643790000.000000",
                "files": [{"name": "list.pdf"}],
            },
        ],
        "D1/2022-02-03.json": [
            {"type": "message", "user": "U2", "text": "<https://us.example/>", "ts": "1643900000.0001"}
        ],
    }
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        users = [
            {"id": "U1", "team_id": "T9", "name": "ana", "profile": {"display_name": "Ana", "real_name": "Ana B"}},
            {"id": "U2", "team_id": "T9", "name": "bo", "profile": {"display_name": "", "real_name": "Bo C"}},
        ]
        archive.writestr("users.json", json.dumps(users))
        archive.writestr("channels.json", json.dumps([{"id": "C1", "name": "kitchen"}]))
        archive.writestr("groups.json", json.dumps([{"id": "G1", "name": "cellar"}]))
        archive.writestr("dms.json", json.dumps([{"id": "D1", "members": ["U1", "U2"]}]))
        archive.writestr("kitchen/2022-02-05.json", "{broken")
        for name, day in days.items():
            archive.writestr(name, json.dumps(day))
    return path


def test_a_slack_export_gives_messages_with_addresses_by_people_in_rooms(slack: Path) -> None:
    direct, cellar, kitchen = messages(slack)
    assert kitchen.author.name == "Bo C"
    assert (kitchen.room.name, kitchen.room.kind, kitchen.room.space, kitchen.room.channel) == (
        "#kitchen",
        "public",
        "T9",
        "C1",
    )
    assert kitchen.sent_at == datetime.fromtimestamp(1643700001.0002, UTC)
    assert kitchen.text == "@Ana see <https://stoves.example/a?x=1&y=2|this stove> & tell #kitchen #ovens"
    assert kitchen.previews[0].title == "Stoves"
    assert (cellar.room.kind, cellar.room.thread) == ("private", "1643790000.000000")
    assert (direct.room.kind, direct.room.channel) == ("direct", "D1")


def test_a_slack_message_is_saved_like_one_written_today(slack: Path) -> None:
    kitchen = messages(slack)[-1]
    (share,) = shared_in(kitchen)
    assert share.url == "https://stoves.example/a?x=1&y=2"
    assert share.note.startswith("@Ana see this stove")
    assert share.source == "slack/T9/C1/1643700001.000200"
    assert share.scope.kind == "space"


def test_files_that_a_slack_export_does_not_hold_are_said(slack: Path) -> None:
    assert [record for record in read(slack) if isinstance(record, Skipped)] == [
        Skipped(what="list.pdf", why="Slack exports hold no files")
    ]


def test_any_other_zip_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "other.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "words")
    with pytest.raises(BadInput, match="no Slack export"):
        open_export(path, person=ME, room=ROOM)


def telegram_message(number: int, **fields: Any) -> dict[str, Any]:
    common = {"id": number, "type": "message", "date": "2023-05-06T07:08:09", "date_unixtime": "1683356889"}
    return common | {"from": "Kim", "from_id": "user77", "text": ""} | fields


def test_a_telegram_group_gives_marked_addresses_and_forwards(tmp_path: Path) -> None:
    entries = [
        telegram_message(1, text=["Look: ", {"type": "text_link", "text": "the map", "href": "https://map.example/x"}]),
        telegram_message(2, text="just talk"),
        telegram_message(3, text=[{"type": "link", "text": "sea.example/y"}], forwarded_from="Coast News",
                         forwarded_from_id="channel55"),
        telegram_message(4, text=["run ", {"type": "code", "text": "curl https://code.example/"}]),
        {"id": 5, "type": "service", "date_unixtime": "1683356889", "action": "pin_message", "text": "https://no.example"},
    ]  # fmt: skip
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"name": "Sailors", "type": "private_supergroup", "id": 123, "messages": entries}))
    first, third = messages(path)
    assert (first.room.channel, first.room.kind, first.room.name) == ("-100123", "private", "Sailors")
    assert (first.text, first.links[0].url, first.links[0].label) == (
        "Look: the map",
        "https://map.example/x",
        "the map",
    )
    assert (first.author.person_id, first.author.name) == ("77", "Kim")
    assert third.origin is not None
    assert (third.origin.kind, third.origin.name) == ("channel", "Coast News")


def test_a_whole_account_keeps_saved_messages_as_ones_own(tmp_path: Path) -> None:
    linked = telegram_message(3, text=[{"type": "link", "text": "https://o.example"}])
    chats = [
        {"name": "Lee", "type": "personal_chat", "id": 9, "messages": [telegram_message(1, text="hello")]},
        {"type": "saved_messages", "id": 8, "messages": [telegram_message(2, text="Paint the fence in May")]},
        {"name": "Old", "type": "private_group", "id": 7, "messages": [linked]},
    ]  # fmt: skip
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"chats": {"about": "…", "list": chats}}))
    fence, old = messages(path)
    assert (fence.text, fence.author, fence.room) == ("Paint the fence in May", ME, ROOM)
    assert old.room.channel == "-7"


def test_telegram_documents_beside_the_export_come_in_and_nothing_outside_it(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    (folder / "files").mkdir(parents=True)
    (folder / "files" / "plan.txt").write_text("The plan")
    (tmp_path / "secret.txt").write_text("not yours")
    entries = [
        telegram_message(1, file="files/plan.txt", file_name="plan.txt", mime_type="text/plain"),
        telegram_message(2, file="../secret.txt", file_name="secret.txt"),
        telegram_message(3, file="(File not included. Change data exporting settings to download.)"),
    ]
    path = folder / "result.json"
    path.write_text(json.dumps({"name": "G", "type": "private_group", "id": 1, "messages": entries}))
    plan, outside, absent = read(path)
    assert isinstance(plan, Message)
    assert (plan.attachments[0].name, plan.attachments[0].size) == ("plan.txt", 8)
    assert isinstance(outside, Skipped)
    assert isinstance(absent, Skipped)
    assert absent.what == "a file"


def test_a_discord_channel_counts_as_private_and_keeps_its_permalinks(tmp_path: Path) -> None:
    def entry(number: str, content: str, **fields: Any) -> dict[str, Any]:
        author = {"id": "5", "name": "zed", "nickname": "Zed", "isBot": False}
        common = {"id": number, "type": "Default", "timestamp": "2024-03-01T10:00:00.123+01:00", "author": author}
        return common | {"content": content, "attachments": [], "embeds": []} | fields

    entries = [
        entry("1", "see https://reef.example/a `https://code.example`"),
        entry("2", "nothing"),
        entry("3", "https://bot.example", author={"id": "6", "name": "b", "isBot": True}),
        entry("4", "", attachments=[{"id": "a", "url": "https://cdn.example/x.png", "fileName": "x.png"}]),
        entry("5", "", type="GuildMemberJoin"),
    ]
    data = {"guild": {"id": "11", "name": "Divers"}, "channel": {"id": "22", "type": "GuildTextChat", "name": "reefs"}}
    path = tmp_path / "reefs.json"
    path.write_text(json.dumps(data | {"messages": entries}))
    message, left_out = read(path)
    assert isinstance(message, Message)
    assert (message.room.kind, message.room.space, message.room.name) == ("private", "11", "#reefs")
    assert message.permalink == "https://discord.com/channels/11/22/1"
    assert message.sent_at == datetime(2024, 3, 1, 9, 0, 0, 123000, tzinfo=UTC)
    assert [link.url for link in addresses_in(message.text)] == ["https://reef.example/a"]
    assert left_out == Skipped(what="x.png", why="the file is not in the export")
