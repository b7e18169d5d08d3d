"""What one person sees through a response_url: never in the place of what others see, and never lost unsent."""

import socket

import aiohttp
import pytest

from adapters.outlet import Draft, RetryLater, Written
from adapters.pacing import Timing
from adapters.slack.outbound import Place
from adapters.slack.private import PrivateOutlet
from adapters.streaming import EditedReply
from tests.fakes.slack.server import fake_slack


def outlet(session: aiohttp.ClientSession, response_url: str) -> PrivateOutlet:
    return PrivateOutlet(lambda: session, response_url, Place(channel="C0DEV", person="U0ANA"), no_calls, Timing())


async def no_calls(method: str, **_: object) -> dict[str, object]:
    raise AssertionError(f"no call was to be made, {method} was")


async def test_said_again_after_a_restart_it_takes_nobody_elses_place() -> None:
    async with fake_slack() as slack, aiohttp.ClientSession() as session:
        remembered = Written(references=("response",)).written()
        reply = EditedReply(outlet(session, slack.new_response_url()), key="k", remembered=remembered)
        await reply.fail("How this came about: …")
        assert [shown["replace_original"] for shown in slack.workspace.ephemerals] == [False]


async def test_what_could_not_even_be_sent_is_sent_later() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/respond/1"
        async with aiohttp.ClientSession() as session:
            with pytest.raises(RetryLater):
                await outlet(session, url).post(Draft(markdown="text", stage="final", key="k"))
