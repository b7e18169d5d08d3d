"""Replies into Slack over its own pitfalls: byte limits, lost replies, streams that end, Retry-After."""

import asyncio
from collections import deque

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.outlet import Lost, MaybeSent, MessageGone, RetryLater, TooLong
from adapters.seats import ANSWERS_AT_ONCE
from adapters.slack.budgets import TeamBudgets
from adapters.slack.calls import Refused, translated
from adapters.slack.outbound import STREAM_LASTS_S, Place, SlackOutlet
from adapters.streaming import EditedReply
from bot.domain.answers import Citation
from tests.fakes.core import answer
from tests.fakes.slack.rules import TIERS, UPDATE_BYTES, block_error
from tests.fakes.timing import FakeTime, settle

PLACE = Place(channel="C1", thread="1.0", message="1.0", person="U1", person_team="T1")


class ScriptedCalls:
    """The Web API in a dictionary, in fake time; `fail` queues exceptions by method."""

    def __init__(self, time: FakeTime) -> None:
        self.time = time
        self.texts: dict[str, str] = {}
        self.blocks: dict[str, list] = {}
        self.keys: dict[str, str] = {}
        self.streaming: set[str] = set()
        self.made: list[tuple[float, str, dict]] = []
        self.failures: dict[str, deque[Exception]] = {}

    def fail(self, method: str, *errors: Exception) -> None:
        self.failures.setdefault(method, deque()).extend(errors)

    @property
    def methods(self) -> list[str]:
        return [method for _, method, _ in self.made]

    async def __call__(self, method: str, **arguments):
        self.made.append((self.time.moment, method, arguments))
        await asyncio.sleep(0)
        error = self.failures[method].popleft() if self.failures.get(method) else None
        if error is not None and not (isinstance(error, Lost) and getattr(error, "done", False)):
            raise error
        reply = self._do(method, arguments)
        if error is not None:
            raise error
        return reply

    def _do(self, method: str, arguments: dict):
        assert block_error(arguments.get("blocks") or []) is None
        ts = arguments.get("ts")
        match method:
            case "chat.postMessage" | "chat.startStream":
                ts = f"{len(self.texts) + 1}.5"
                self.texts[ts] = arguments.get("text") or arguments["markdown_text"]
                self.keys[ts] = (arguments.get("metadata") or {}).get("event_payload", {}).get("key", "")
                if method == "chat.startStream":
                    self.streaming.add(ts)
                return {"ts": ts}
            case "chat.appendStream" | "chat.stopStream":
                if ts not in self.streaming:
                    raise Refused("message_not_in_streaming_state")
                self.texts[ts] += arguments.get("markdown_text", "")
                if method == "chat.stopStream":
                    self.streaming.discard(ts)
                    self.blocks[ts] = arguments.get("blocks") or []
                return {}
            case "chat.update":
                if ts in self.streaming:
                    raise Refused("streaming_state_conflict")
                if len(arguments["text"].encode()) > UPDATE_BYTES:
                    raise TooLong
                self.texts[ts] = arguments["text"]
                self.blocks[ts] = arguments["blocks"]
                return {}
            case "conversations.replies":
                return {
                    "messages": [
                        {"ts": ts, "metadata": {"event_payload": {"key": key}}} for ts, key in self.keys.items()
                    ]
                }
        return {}


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def calls(time: FakeTime) -> ScriptedCalls:
    return ScriptedCalls(time)


def reply_on(calls: ScriptedCalls, time: FakeTime, *, streams: bool = True) -> EditedReply:
    outlet = SlackOutlet(calls, PLACE, TeamBudgets(time.timing), streams=streams)
    reply = EditedReply(outlet, key="k", timing=time.timing)
    outlet.when_stopped(reply.stop)
    return reply


async def done(time: FakeTime, work) -> None:
    task = asyncio.ensure_future(work)
    for _ in range(20_000):
        await settle()
        if task.done():
            break
        await time.pass_time(0.1)
    await task


def joined(calls: ScriptedCalls) -> str:
    return "".join("".join(calls.texts.values()).split())


async def test_a_final_text_over_the_byte_limit_goes_on_in_follow_ups(time: FakeTime, calls: ScriptedCalls) -> None:
    lines = "\n".join(f"{n}. Turn the — & loaf <{n}> with “care”, then wait a quarter of an hour." for n in range(120))
    text = f"It begins [1].\n\n{lines}\n\n```python\n{'bake(loaf)  # ü' * 3}\n```"
    reply = reply_on(calls, time, streams=False)
    await reply.status("Searching…")
    await time.pass_time(2)
    source = Citation(number=1, memory_id="m", title="Loaf", url="https://oven.example.org/")
    await done(time, reply.finish(answer(text, citations=(source,))))
    assert len(calls.texts) > 2
    assert all(len(shown.encode()) <= UPDATE_BYTES for shown in calls.texts.values())
    assert all(shown.count("```") % 2 == 0 for shown in calls.texts.values())
    assert [("Sources" in shown) for shown in calls.texts.values()] == [False] * (len(calls.texts) - 1) + [True]
    assert {arguments.get("thread_ts") for _, method, arguments in calls.made if method == "chat.postMessage"} == {
        "1.0"
    }
    for n in range(120):
        assert f"{n}.Turnthe—&amp;loaf&lt;{n}&gt;with“care”" in joined(calls)
    assert "Searching" not in joined(calls)


async def test_retry_after_silences_everything_then_the_final_text_comes(time: FakeTime, calls: ScriptedCalls) -> None:
    for streams, method in ((False, "chat.update"), (True, "chat.appendStream")):
        calls.made.clear()
        calls.texts.clear()
        reply = reply_on(calls, time, streams=streams)
        await reply.show("one ")
        await time.pass_time(3)
        calls.fail(method, RetryLater(30))
        await reply.show("one two ")
        await time.pass_time(3)
        refused = next(at for at, name, _ in calls.made if name == method)
        await reply.show("one two three ")
        await done(time, reply.finish(answer("one two three four", trace_id="t")))
        later = [at for at, _, _ in calls.made if at > refused]
        assert min(later) >= refused + 30
        assert min(later) <= refused + 31.5
        assert list(calls.texts.values()) == ["one two three four"]


async def test_a_stream_that_ended_by_itself_is_updated_instead(time: FakeTime, calls: ScriptedCalls) -> None:
    reply = reply_on(calls, time)
    await reply.show("one ")
    await time.pass_time(2)
    calls.streaming.clear()
    await reply.show("one two ")
    await time.pass_time(4)
    await done(time, reply.finish(answer("one two three", trace_id="t")))
    assert list(calls.texts.values()) == ["one two three"]
    assert "chat.update" in calls.methods
    assert [block["type"] for block in calls.blocks["1.5"]][-2:] == ["context_actions", "actions"]


async def test_a_stream_is_left_before_slack_ends_it(time: FakeTime, calls: ScriptedCalls) -> None:
    reply = reply_on(calls, time)
    text = ""
    for count in range(int(STREAM_LASTS_S) + 30):
        text += f"word{count} "
        await reply.show(text)
        await time.pass_time(1)
    await done(time, reply.finish(answer(text)))
    assert list(calls.texts.values()) == [text.rstrip()]
    assert calls.methods.count("chat.stopStream") == 1
    assert calls.methods[-1] == "chat.update"


async def test_a_rewritten_answer_replaces_the_stream_in_the_same_message(time: FakeTime, calls: ScriptedCalls) -> None:
    reply = reply_on(calls, time)
    await reply.show("a first draft ")
    await time.pass_time(2)
    await done(time, reply.finish(answer("another wording")))
    assert list(calls.texts.values()) == ["another wording"]
    assert calls.streaming == set()


async def test_a_lost_append_is_made_good_by_an_update(time: FakeTime, calls: ScriptedCalls) -> None:
    lost = Lost("append")
    lost.done = True
    reply = reply_on(calls, time)
    await reply.show("one ")
    await time.pass_time(2)
    calls.fail("chat.appendStream", lost)
    await reply.show("one two ")
    await time.pass_time(2)
    await done(time, reply.finish(answer("one two three")))
    assert list(calls.texts.values()) == ["one two three"]


async def test_a_post_whose_reply_was_lost_is_found_by_its_key(time: FakeTime, calls: ScriptedCalls) -> None:
    lost = Lost("post")
    lost.done = True
    reply = reply_on(calls, time, streams=False)
    calls.fail("chat.postMessage", lost)
    await reply.status("Searching…")
    await time.pass_time(2)
    await done(time, reply.finish(answer("found")))
    assert list(calls.texts.values()) == ["found"]
    assert calls.methods.count("chat.postMessage") == 1


async def test_where_streams_are_unknown_messages_are_updated(time: FakeTime, calls: ScriptedCalls) -> None:
    calls.fail("chat.startStream", Refused("unknown_method"))
    reply = reply_on(calls, time)
    for count in range(5):
        await reply.show("word " * (count + 1))
        await time.pass_time(2)
    await done(time, reply.finish(answer("word " * 6)))
    assert calls.methods.count("chat.startStream") == 1
    assert "chat.update" in calls.methods


async def test_without_a_status_line_a_message_says_what_goes_on(time: FakeTime, calls: ScriptedCalls) -> None:
    calls.fail("assistant.threads.setStatus", Refused("not_allowed"))
    reply = reply_on(calls, time)
    await reply.status("Searching…")
    await time.pass_time(3)
    assert list(calls.texts.values()) == ["Searching…"]
    await done(time, reply.finish(answer("text")))
    assert list(calls.texts.values()) == ["text"]


async def test_slacks_own_stop_button_stops_the_answer(time: FakeTime, calls: ScriptedCalls) -> None:
    reply = reply_on(calls, time)
    await reply.show("one ")
    await time.pass_time(2)
    calls.fail("chat.appendStream", Refused("stopped_by_user"))
    await reply.show("one two ")
    await time.pass_time(2)
    assert reply.stopped


async def test_a_long_streamed_answer_rolls_before_every_limit(time: FakeTime, calls: ScriptedCalls) -> None:
    words = [f"Sentence {n} tells & says <something> of the mill. " for n in range(300)]
    reply = reply_on(calls, time)
    for end in range(5, 301, 5):
        await reply.show("".join(words[:end]))
        await time.pass_time(1)
    await done(time, reply.finish(answer("".join(words))))
    assert calls.streaming == set()
    assert len(calls.texts) >= 4
    assert all(len(shown) <= 10_000 for shown in calls.texts.values())
    assert joined(calls).replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">") == "".join(
        "".join(words).split()
    )


async def test_streams_are_never_stopped_faster_than_slack_takes_it(time: FakeTime) -> None:
    streams, started = TeamBudgets(time.timing).streams, 0
    for _ in range(600):
        if streams.delay(final=False) <= 0:
            streams.count(final=False)
            started += 1
        await time.pass_time(0.1)
    assert 10 <= started <= TIERS["chat.startStream"]
    assert started + ANSWERS_AT_ONCE <= TIERS["chat.stopStream"]


async def test_quoted_pings_are_harmless_in_a_stream(time: FakeTime, calls: ScriptedCalls) -> None:
    reply = reply_on(calls, time)
    await reply.show("the page said <!channel> and <@U0ANA> ")
    await time.pass_time(2)
    (text,) = calls.texts.values()
    assert "<!channel>" not in text
    assert "<@U0ANA>" not in text


@pytest.mark.parametrize(
    ("status", "data", "kind"),
    [
        (429, {"ok": False, "error": "ratelimited"}, RetryLater),
        (200, {"ok": False, "error": "ratelimited"}, RetryLater),
        (502, "<html>", Lost),
        (200, {"ok": False, "error": "fatal_error"}, Lost),
        (200, {"ok": False, "error": "message_not_found"}, MessageGone),
        (200, {"ok": False, "error": "msg_too_long"}, TooLong),
        (200, {"ok": False, "error": "channel_not_found"}, Refused),
    ],
)
def test_errors_of_the_web_api_have_a_word_of_ours(status: int, data, kind: type[Exception]) -> None:
    response = AsyncSlackResponse(
        client=None,
        http_verb="POST",
        api_url="chat.update",
        req_args={},
        data=data,
        headers={"Retry-After": "30"},
        status_code=status,
    )
    error = translated(SlackApiError("no", response))
    assert isinstance(error, kind)
    if isinstance(error, RetryLater):
        assert error.seconds == 30


async def test_a_server_error_on_a_post_is_no_reason_to_post_twice(time: FakeTime, calls: ScriptedCalls) -> None:
    outlet = SlackOutlet(calls, PLACE, TeamBudgets(time.timing), streams=False)
    calls.fail("chat.postMessage", Lost("503"))
    from adapters.outlet import Draft  # noqa: PLC0415

    with pytest.raises(MaybeSent):
        await outlet.post(Draft(markdown="x", stage="final", key="k-0"))
