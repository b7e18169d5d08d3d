"""What every inbox promises: an event is written once under all its keys, and worked until it is finished."""

import asyncio
from datetime import timedelta

from bot.ports import InboxEvent
from tests.fakes.palace import NOON


def event(*keys, **other):
    values = {
        "source": "slack",
        "keys": keys or ("E1",),
        "body": '{"text": "hi"}',
        "order_key": "C1",
        "received_at": NOON,
    }
    return InboxEvent(**(values | other))


async def test_an_event_known_under_any_key_is_a_duplicate(storage):
    put = await storage.inbox.put(event("E1", "C1:17.5"))
    assert put.event_id > 0
    assert await storage.inbox.put(event("E2", "C1:17.5")) is None
    assert await storage.inbox.put(event("E1")) is None
    assert await storage.inbox.put(event("E2")) is not None
    assert await storage.inbox.put(event("E1", source="discord")) is not None


async def test_deliveries_at_the_same_moment_are_one_event(storage):
    put = await asyncio.gather(*(storage.inbox.put(event("E1")) for _ in range(20)))
    assert sum(one is not None for one in put) == 1


async def test_what_was_not_finished_comes_back_oldest_first_with_its_reply(storage):
    first = await storage.inbox.put(event("E1"))
    await storage.inbox.put(event("E2"))
    await storage.inbox.start(first.event_id)
    await storage.inbox.set_reply(first.event_id, '{"ts": "1"}')
    waiting = await storage.inbox.unfinished("slack")
    assert [(one.keys, one.state, one.attempts) for one in waiting] == [
        (("E1",), "working", 1),
        (("E2",), "waiting", 0),
    ]
    assert waiting[0].reply_ref == '{"ts": "1"}'
    assert waiting[0].body == '{"text": "hi"}'
    assert await storage.inbox.waiting("slack") == 2
    assert await storage.inbox.unfinished("discord") == ()


async def test_a_finished_event_is_remembered_but_not_what_it_said(storage):
    put = await storage.inbox.put(event("E1"))
    await storage.inbox.finish(put.event_id)
    broken = await storage.inbox.put(event("E2"))
    await storage.inbox.finish(broken.event_id, error="it could not be read")
    assert await storage.inbox.waiting("slack") == 0
    assert await storage.inbox.put(event("E1")) is None


async def test_old_finished_events_are_pruned_with_their_keys(storage):
    old = await storage.inbox.put(event("E1"))
    await storage.inbox.put(event("E2"))
    await storage.inbox.finish(old.event_id)
    assert await storage.inbox.prune(before=NOON + timedelta(days=1)) == 1
    assert await storage.inbox.put(event("E1")) is not None
    assert await storage.inbox.put(event("E2")) is None


async def test_small_values_are_kept(storage):
    assert await storage.inbox.value("telegram", "offset") is None
    await storage.inbox.set_value("telegram", "offset", "7")
    await storage.inbox.set_value("telegram", "offset", "8")
    assert await storage.inbox.value("telegram", "offset") == "8"
