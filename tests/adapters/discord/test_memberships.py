"""Memberships are asked anew for each question, and a check that failed is no answer."""

from types import SimpleNamespace

import discord
import pytest

from adapters.discord.adapter import api_base
from adapters.discord.commands import typed_command
from adapters.discord.memberships import MEMBER_KEPT_S, Memberships
from adapters.pacing import Timing


class Guild:
    """A guild without private channels, whose members come and go."""

    id = 7
    channels = ()

    def __init__(self) -> None:
        self.failing = False
        self.members = {11}

    async def fetch_member(self, person: int) -> object:
        response = SimpleNamespace(status=503 if self.failing else 404, reason="")
        if self.failing:
            raise discord.DiscordServerError(response, "unavailable")
        if person not in self.members:
            raise discord.NotFound(response, "unknown member")
        return object()


@pytest.fixture
def guild() -> Guild:
    return Guild()


async def test_a_check_that_failed_is_made_again_for_the_next_question(guild: Guild) -> None:
    memberships = Memberships(lambda: SimpleNamespace(guilds=[guild]), Timing(now=lambda: 100.0))
    guild.failing = True
    assert await memberships.of("11") == ()
    guild.failing = False
    assert len(await memberships.of("11")) == 1


async def test_who_has_left_is_no_member_for_the_next_question(guild: Guild) -> None:
    now = 100.0
    memberships = Memberships(lambda: SimpleNamespace(guilds=[guild]), Timing(now=lambda: now))
    assert len(await memberships.of("11")) == 1
    guild.members.clear()
    now += MEMBER_KEPT_S + 0.1
    assert await memberships.of("11") == ()
    assert MEMBER_KEPT_S <= 5


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000/api/v10"),
        ("http://127.0.0.1:9000/", "http://127.0.0.1:9000/api/v10"),
        ("https://discord.com/api/v10", "https://discord.com/api/v10"),
    ],
)
def test_the_api_of_a_host_alone_is_its_tenth_version(url: str, base: str) -> None:
    assert api_base(url) == base


def test_the_words_of_a_command_are_read_whatever_their_option_is_called() -> None:
    asked = {"name": "ask", "options": [{"name": "question", "type": 3, "value": "how long?"}]}
    assert typed_command(asked)[0] == "/ask how long?"
