"""What Slack sends, read without Slack: whose workspace, which people, which room, which words."""

from datetime import UTC, datetime

import pytest

from adapters.slack.deliveries import inbox_event, kept_delivery, read_delivery, worth_keeping
from adapters.slack.entities import Reader
from adapters.slack.envelopes import Home, keys_of, kind_of, order_key
from adapters.slack.inbound import Known, KnownPerson, KnownRoom, message_from
from bot.domain.rooms import scope_of

HOME = Home(team="T0HOME", bot_user="U0BOT", url="https://home.slack.com/")


def envelope(event: dict, *, team: str = "T0HOME", outer: str = "", enterprise: str | None = None, org: bool = False):
    return {
        "type": "event_callback",
        "token": "secret-verification",
        "team_id": outer or team,
        "event_id": "Ev1",
        "authorizations": [
            {
                "enterprise_id": enterprise,
                "team_id": team,
                "user_id": "U0BOT",
                "is_bot": True,
                "is_enterprise_install": org,
            }
        ],
        "event": event,
    }


def message(text: str, **more) -> dict:
    return {"type": "message", "user": "U0ANA", "text": text, "ts": "1767300000.000100", "channel": "C1"} | more


def read(event: dict, **more):
    return message_from(event, home=HOME, known=more.pop("known", Known()), **more)


def test_entities_become_words_links_people_and_rooms() -> None:
    reader = Reader("U0BOT", names={"U1": "Ben", "C2": "ops"})
    found = reader.read(
        "<@U0BOT> did <@U1> put <https://a.example.org/?x=1&amp;y=2|this &lt;page&gt;> into <#C2|> or <#C3|dev>?"
        " 1 &lt; 2 &amp;amp; <mailto:a@b.example|a@b.example> <!here> <!date^1^x|today>"
    )
    assert found.text == (
        "did @Ben put [this <page>](https://a.example.org/?x=1&y=2) into #ops or #dev?"
        " 1 < 2 &amp; a@b.example @here today"
    )
    assert [link.url for link in found.links] == ["https://a.example.org/?x=1&y=2"]
    assert (found.people, found.rooms, found.addressed) == (("U1",), ("C2", "C3"), True)


def test_addresses_in_code_are_words() -> None:
    found = Reader("U0BOT").read(
        "`<https://a.example.org>` and ```\n<https://b.example.org>\n``` <https://c.example.org>"
    )
    assert [link.url for link in found.links] == ["https://c.example.org"]
    assert "`https://a.example.org`" in found.text


def test_rich_text_gives_links_that_the_text_hides() -> None:
    event = message(
        "see",
        blocks=[
            {
                "type": "rich_text",
                "elements": [
                    {
                        "type": "rich_text_section",
                        "elements": [
                            {"type": "link", "url": "https://a.example.org", "text": "here"},
                            {"type": "link", "url": "https://code.example.org", "style": {"code": True}},
                        ],
                    }
                ],
            }
        ],
    )
    assert [(link.url, link.label) for link in read(event).links] == [("https://a.example.org", "here")]


def test_a_guest_of_another_organisation_reads_only_the_shared_room() -> None:
    event = message("<@U0BOT> how?", user="U0GUEST", type="app_mention", user_team="T0PARTNER", team="T0PARTNER")
    body = envelope(event, team="T0HOME", outer="T0PARTNER", enterprise=None) | {"is_ext_shared_channel": True}
    delivery = read_delivery(body)
    assert delivery.home.team == "T0HOME"
    made = message_from(event, home=delivery.home, known=Known(), external=True)
    assert (made.room.space, made.room.external) == ("T0HOME", True)
    assert (made.author.space, made.author.external, made.author.name) == ("T0PARTNER", True, "U0GUEST")
    assert scope_of(made.room, made.author).kind == "room"


def test_in_an_organisation_the_workspace_comes_from_the_authorization() -> None:
    event = message("<@U0BOT> how?", team="T0TWO", type="app_mention")
    delivery = read_delivery(envelope(event, team="T0TWO", enterprise="E0ORG", org=True))
    assert (delivery.home.team, delivery.home.enterprise, delivery.home.org_wide) == ("T0TWO", "E0ORG", True)
    made = message_from(event, home=delivery.home, known=Known())
    assert (made.room.space, made.author.space, made.author.external) == ("T0TWO", "E0ORG", False)


@pytest.mark.parametrize(
    ("channel", "channel_type", "known", "kind"),
    [
        ("C1", "channel", None, "public"),
        ("C1", "group", None, "private"),
        ("G1", "mpim", None, "private"),
        ("D1", "im", None, "direct"),
        ("C1", "", KnownRoom(kind="public"), "public"),
        ("C1", "", KnownRoom(kind="private"), "private"),
        ("C1", "", None, "private"),
        ("D1", "", None, "direct"),
    ],
)
def test_a_room_nobody_describes_counts_as_private(channel, channel_type, known, kind) -> None:
    rooms = {channel: known} if known else {}
    assert read(message("x", channel=channel, channel_type=channel_type), known=Known(rooms=rooms)).room.kind == kind


def test_a_mention_and_its_message_share_a_key_and_a_line() -> None:
    twin = message("<@U0BOT> hi", channel_type="channel")
    mention = {**message("<@U0BOT> hi"), "type": "app_mention"}
    keys = [set(keys_of(envelope(event) | {"event_id": name}, HOME)) for event, name in ((twin, "a"), (mention, "b"))]
    assert keys[0] & keys[1] == {"message:T0HOME:C1:1767300000.000100"}
    assert order_key(envelope(twin), HOME) == order_key(envelope(mention), HOME) == "T0HOME:C1:1767300000.000100"
    reply = message("more", thread_ts="1767300000.000100", ts="1767300009.000100")
    assert order_key(envelope(reply), HOME) == "T0HOME:C1:1767300000.000100"


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (message("x"), "message"),
        (message("x", subtype="file_share"), "message"),
        (message("x", subtype="thread_broadcast"), "message"),
        (message("x", subtype="me_message"), "message"),
        (message("x", subtype="channel_join"), "ignored"),
        (message("x", bot_id="B2"), "ignored"),
        (message("x", user="U0BOT"), "ignored"),
        ({"type": "message", "channel": "C1", "ts": "1.0", "subtype": "bot_message"}, "ignored"),
        ({"type": "message", "subtype": "message_changed", "channel": "C1", "message": {"text": None}}, "ignored"),
        ({"type": "message", "subtype": "message_deleted", "channel": "C1"}, "deleted"),
        ({"type": "reaction_added", "user": "U0BOT", "item": {"type": "message"}}, "ignored"),
        ({"type": "reaction_added", "user": "U1", "item": {"type": "file"}}, "ignored"),
        ({"type": "something_new"}, "ignored"),
    ],
)
def test_every_event_has_a_kind(event: dict, kind: str) -> None:
    assert kind_of(event, HOME) == kind


@pytest.mark.parametrize(
    ("event", "kept"),
    [
        (message("just chatter"), False),
        (message("see <https://a.example.org>"), True),
        (message("in a thread", thread_ts="1.0"), True),
        (message("hello", channel_type="im"), True),
        (message("<@U0BOT> hello"), True),
        (
            message("", files=[{"id": "F1", "name": "plan.pdf", "url_private": "https://files.slack.com/plan.pdf"}]),
            True,
        ),
        (message("", files=[{"id": "F2", "name": "cat.png", "url_private": "https://files.slack.com/cat.png"}]), False),
    ],
)
def test_chatter_is_not_even_written_down(event: dict, kept: bool) -> None:
    assert worth_keeping(read_delivery(envelope(event))) is kept


def test_what_is_kept_can_be_worked_again_and_holds_no_token() -> None:
    delivery = read_delivery(envelope(message("<@U0BOT> hi")))
    kept = inbox_event(delivery, datetime(2026, 1, 1, tzinfo=UTC))
    assert "secret-verification" not in kept.body
    assert kept_delivery(kept).event == delivery.event
    assert kept_delivery(kept).home == delivery.home


def test_a_forwarded_message_keeps_who_wrote_it() -> None:
    forwarded = {
        "is_share": True,
        "from_url": "https://home.slack.com/archives/C9/p1",
        "author_name": "Cleo",
        "text": "old news <https://a.example.org/n>",
        "ts": "1767200000.000100",
    }
    made = read(message("", attachments=[forwarded]))
    assert made.text == "old news https://a.example.org/n"
    assert made.origin is not None
    assert (made.origin.name, made.origin.url) == ("Cleo", "https://home.slack.com/archives/C9/p1")
    assert [link.url for link in made.links] == ["https://a.example.org/n"]


def test_people_and_rooms_in_a_question_are_told_by_key() -> None:
    known = Known(
        people={"U1": KnownPerson(name="Ben", team="T0HOME")}, rooms={"C2": KnownRoom(kind="public", name="ops")}
    )
    made = read(message("<@U0BOT> what did <@U1> share in <#C2|ops>?"), known=known)
    assert [person.key for person in made.mentioned] == ["slack/T0HOME/@U1"]
    assert [room.key for room in made.mentioned_rooms] == ["slack/T0HOME/C2"]


def test_a_guest_alone_with_the_bot_reads_only_confirmed_rooms() -> None:
    known = Known(people={"U0ANA": KnownPerson(name="Ana", team="T0HOME", guest=True)})
    alone = read(message("what is there?", channel="D1", channel_type="im"), known=known)
    assert alone.author.external
    together = read(message("<@U0BOT> what is there?", channel_type="channel"), known=known)
    assert not together.author.external
