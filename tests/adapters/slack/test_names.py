"""Names are asked for once, and an id serves where nobody tells."""

import asyncio

from adapters.outlet import Lost, RetryLater
from adapters.slack.calls import Refused
from adapters.slack.envelopes import Home
from adapters.slack.names import KEPT_S, Names
from tests.fakes.timing import FakeTime

HOME = Home(team="T1")


class Directory:
    """users.info and the rest, with what they answer and how often they were asked."""

    def __init__(self, **replies) -> None:
        self.replies = replies
        self.asked: list[tuple[str, dict]] = []

    async def __call__(self, method: str, **arguments):
        self.asked.append((method, arguments))
        await asyncio.sleep(0)
        reply = self.replies[method.replace(".", "_")]
        if isinstance(reply, Exception):
            raise reply
        return reply


ANA = {"user": {"team_id": "T1", "tz": "Asia/Tokyo", "is_admin": True, "profile": {"display_name": "Ana"}}}


async def test_many_who_ask_at_once_ask_slack_once() -> None:
    time, directory = FakeTime(), Directory(users_info=ANA)
    names = Names(time.timing)
    found = await asyncio.gather(*(names.person(directory, HOME, "U1") for _ in range(20)))
    assert {(one.name, one.timezone, one.administrator) for one in found if one} == {("Ana", "Asia/Tokyo", True)}
    assert len(directory.asked) == 1
    await names.person(directory, HOME, "U1")
    assert len(directory.asked) == 1
    time.moment += KEPT_S + 1
    await names.person(directory, HOME, "U1")
    assert len(directory.asked) == 2
    names.drop(HOME, "U1")
    await names.person(directory, HOME, "U1")
    assert len(directory.asked) == 3


async def test_whatever_goes_wrong_the_id_serves() -> None:
    for error in (Refused("user_not_found"), RetryLater(30), Lost("x")):
        names = Names(FakeTime().timing)
        directory = Directory(users_info=error, conversations_info=error, users_conversations=error)
        known = await names.known(directory, HOME, people=("U1",), rooms=("C1",))
        assert (known.people, known.rooms) == ({}, {})
        assert await names.memberships(directory, HOME, "U1") == ()


async def test_only_rooms_with_a_scope_of_their_own_are_memberships() -> None:
    channels = [
        {"id": "C1"},
        {"id": "G1", "is_private": True},
        {"id": "G2", "is_mpim": True},
        {"id": "C2", "is_ext_shared": True},
    ]
    directory = Directory(users_conversations={"channels": channels, "response_metadata": {"next_cursor": ""}})
    scopes = await Names(FakeTime().timing).memberships(directory, HOME, "U1")
    assert [scope.key for scope in scopes] == ["slack/T1/G1", "slack/T1/G2", "slack/T1/C2"]
