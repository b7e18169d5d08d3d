"""One platform's failure is told and tried again; the others listen on."""

import asyncio

import pytest
from structlog.testing import capture_logs

from bot import listening
from bot.domain.errors import BadInput
from bot.listening import listen
from tests.fakes.core import ScriptedCore


class Shaky:
    """An adapter that fails so many times, then listens."""

    def __init__(self, name, *failures):
        self.name = name
        self.failures = list(failures)
        self.runs = 0
        self.listening = asyncio.Event()

    async def run(self, core):
        self.runs += 1
        if self.failures:
            raise self.failures.pop(0)
        self.listening.set()
        await asyncio.Event().wait()


class Pauses(list):
    """Sleeps that are over at once."""

    async def __call__(self, seconds):
        self.append(seconds)
        await asyncio.sleep(0)


async def heard(*adapters, pauses=None):
    """Listen until every adapter does."""
    with capture_logs() as logged:
        listens = asyncio.create_task(
            listen(adapters, ScriptedCore(), sleep=pauses if pauses is not None else Pauses())
        )
        waiting = asyncio.gather(*(adapter.listening.wait() for adapter in adapters))
        await asyncio.wait_for(asyncio.wait((listens, waiting), return_when=asyncio.FIRST_COMPLETED), 5)
        waiting.cancel()
        listens.cancel()
        await asyncio.gather(listens, waiting, return_exceptions=True)
    return logged


async def test_a_platform_that_is_refused_is_told_and_tried_again_while_the_others_listen():
    pauses = Pauses()
    refused = Shaky("discord", *(BadInput("Discord refuses the bot token.") for _ in range(8)))
    slack, telegram = Shaky("slack"), Shaky("telegram", OSError("the port is taken"))
    logged = await heard(slack, refused, telegram, pauses=pauses)
    assert (slack.runs, refused.runs, telegram.runs) == (1, 9, 2)
    assert sorted(pauses) == [5, 5, 10, 20, 40, 80, 160, 300, 300]
    told = [(entry["platform"], entry["why"]) for entry in logged]
    assert told.count(("discord", "Discord refuses the bot token.")) == 8
    assert ("telegram", "the port is taken") in told


async def test_the_only_platform_ends_the_program_with_its_sentence_when_it_is_refused():
    with pytest.raises(ExceptionGroup) as ended:
        await listen((Shaky("discord", BadInput("Discord refuses the bot token.")),), ScriptedCore(), sleep=Pauses())
    assert str(ended.value.exceptions[0]) == "Discord refuses the bot token."


async def test_the_only_platform_is_started_again_after_a_surprise():
    only = Shaky("slack", ZeroDivisionError("nobody foresaw this"))
    await heard(only)
    assert only.runs == 2


async def test_after_a_long_time_of_listening_the_pauses_begin_anew(monkeypatch):
    monkeypatch.setattr(listening, "WELL_AFTER_S", -1.0)
    pauses = Pauses()
    await heard(Shaky("slack", *(OSError("gone") for _ in range(3))), pauses=pauses)
    assert pauses == [5, 5, 5]
