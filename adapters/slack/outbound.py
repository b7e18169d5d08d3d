"""Write into Slack: post, update, native streams with their fall-back, signs, private replies; within its limits."""

import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from adapters.escaping import defuse
from adapters.outlet import Draft, Lost, MaybeSent, MessageGone, RetryLater
from adapters.pacing import Pace
from adapters.slack import mrkdwn
from adapters.slack.budgets import TeamBudgets
from adapters.slack.calls import Calls, Refused
from bot.domain.replies import Sign

_LOG = logging.getLogger(__name__)

LIMIT_BYTES = 3900
"""chat.update refuses a text over 4,000 UTF-8 bytes once escaped; streams (12,000 characters a message) and posts
(split at about 4,000 characters) are kept to the same, so that each may fall back to an update."""
UPDATE_EVERY_S = 1.3
"""chat.update is Tier 3: 50 a minute over a workspace."""
APPEND_EVERY_S = 1.0
"""chat.appendStream is Tier 4: 100 a minute and more over a workspace."""
STREAM_LASTS_S = 270.0
"""A stream ends by itself after about 306 s, whatever is appended."""
SIGNS = {"seen": "eyes", "saved": "floppy_disk", "known": "bookmark", "failed": "warning"}
METADATA = "palace_reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a reply goes, and the message and person it is for."""

    channel: str
    thread: str = ""
    """Empty for a direct chat without threads."""
    message: str = ""
    """The ts that signs are put on."""
    person: str = ""
    person_team: str = ""


@dataclass(slots=True)
class _Stream:
    """The native stream that is open now."""

    ts: str
    text: str
    started: float


@dataclass(slots=True)
class _State:
    stream: _Stream | None = None
    signs: list[str] = field(default_factory=list)


class SlackOutlet:
    """A thread or a direct chat: an `adapters.outlet.Outlet`.

    Answers in threads are streamed natively; whatever goes wrong with a stream, the same message is updated instead.
    """

    limit = LIMIT_BYTES
    live = True

    def __init__(self, calls: Calls, place: Place, budgets: TeamBudgets, *, streams: bool = True) -> None:
        self._calls = calls
        self._place = place
        self._budgets = budgets
        self._on_stop: Callable[[], None] | None = None
        self._native = streams and bool(place.thread and place.person and place.person_team)
        self._state = _State()
        posts = budgets.posts(place.channel)
        timing = budgets.timing
        self._updating = Pace(every_s=UPDATE_EVERY_S, posts=posts, edits=budgets.updates, timing=timing)
        self._streaming = Pace(every_s=APPEND_EVERY_S, posts=posts, edits=budgets.appends, timing=timing)
        self._streaming.in_flight = self._updating.in_flight

    @property
    def pace(self) -> Pace:
        """The pace of what the next edit will be."""
        return self._streaming if self._state.stream else self._updating

    @property
    def status_apart(self) -> bool:
        """Whether Slack shows a status line in this thread."""
        return self._native and self._budgets.status_works

    def when_stopped(self, stop: Callable[[], None]) -> None:
        """Say what to do when the person presses Slack's own stop button."""
        self._on_stop = stop

    def measure(self, markdown: str, /) -> int:
        return mrkdwn.size(markdown)

    async def status(self, text: str) -> None:
        try:
            await self._calls(
                "assistant.threads.setStatus",
                channel_id=self._place.channel,
                thread_ts=self._place.thread,
                status=text,
            )
        except Refused as error:
            _LOG.info("No status line here (%s); a message says it instead", error.code)
            self._budgets.status_works = False
        except Lost:
            return

    async def post(self, draft: Draft) -> str:
        await self._end_stream()
        streams = self._budgets.streams
        if self._wants_stream(draft) and streams.delay(final=False) <= 0:
            streams.count(final=False)
            started = await self._start_stream(draft)
            if started:
                return started
        try:
            reply = await self._calls("chat.postMessage", **self._message(draft), **self._posted_with(draft))
        except Lost as error:
            raise MaybeSent from error
        return str(reply["ts"])

    async def edit(self, reference: str, draft: Draft) -> None:
        stream = self._state.stream
        if stream is None or stream.ts != reference:
            await self._update(reference, draft)
            return
        try:
            going_on = await self._go_on(stream, draft)
        except Lost as error:
            # What of it arrived nobody knows, and an append is not idempotent: an update shows the whole.
            _LOG.info("An append was lost (%s); the message is updated instead", error)
            await self._end_stream()
            going_on = False
        if not going_on:
            raise RetryLater(0.0)  # as an update, in its own pace

    async def delete(self, reference: str) -> None:
        await self._end_stream()
        try:
            await self._calls("chat.delete", channel=self._place.channel, ts=reference)
        except MessageGone:
            return
        except Lost as error:
            raise RetryLater from error

    async def find(self, key: str) -> str | None:
        """Look for our own message with this key; one history call.

        A channel's history begins with the newest message, a thread's replies with the oldest: those are asked for
        from the question on.
        """
        arguments = {"channel": self._place.channel, "limit": 15, "include_all_metadata": True}
        if self._place.thread:
            method, where = "conversations.replies", {"ts": self._place.thread, "oldest": self._place.message or "0"}
        else:
            method, where = "conversations.history", {}
        try:
            reply = await self._calls(method, **arguments, **where)
        except Lost as error:
            raise RetryLater from error
        for message in reply.get("messages") or ():
            payload = (message.get("metadata") or {}).get("event_payload") or {}
            if payload.get("key") == key:
                return str(message["ts"])
        return None

    async def mark(self, sign: Sign) -> None:
        if not self._place.message:
            return
        name = SIGNS[sign]
        delay = self._budgets.signs.delay(final=sign != "seen")
        if delay > 0 or (sign == "seen" and self._budgets.signs_away.delay(final=False) > 0):
            raise RetryLater(max(delay, UPDATE_EVERY_S))
        self._budgets.signs.count(final=sign != "seen")
        await self._react("reactions.add", name)
        self._state.signs.append(name)

    async def unmark(self, sign: Sign) -> None:
        """Take a sign away that was put there; where that is not possible now it stays."""
        name, away = SIGNS[sign], self._budgets.signs_away
        if name in self._state.signs and away.delay(final=True) <= 0:
            away.count(final=True)
            self._state.signs.remove(name)
            with contextlib.suppress(RetryLater, Refused):
                await self._react("reactions.remove", name)

    async def _react(self, method: str, name: str) -> None:
        try:
            await self._calls(method, channel=self._place.channel, timestamp=self._place.message, name=name)
        except Refused as error:
            if error.code not in {"already_reacted", "no_reaction"}:
                raise
        except (Lost, MessageGone):
            return

    def _wants_stream(self, draft: Draft) -> bool:
        return self._native and self._budgets.streams_work and draft.kind == "answer" and draft.stage == "live"

    async def _start_stream(self, draft: Draft) -> str:
        text = defuse(draft.markdown).rstrip()
        try:
            reply = await self._calls(
                "chat.startStream",
                channel=self._place.channel,
                thread_ts=self._place.thread,
                recipient_team_id=self._place.person_team,
                recipient_user_id=self._place.person,
                markdown_text=text,
            )
        except Refused as error:
            _LOG.info("No native stream here (%s); messages are updated instead", error.code)
            self._native = False
            self._budgets.streams_work = error.code not in {"unknown_method", "missing_scope", "not_allowed_token_type"}
            return ""
        except RetryLater as error:
            self._budgets.streams.cool_off(error.seconds or APPEND_EVERY_S)
            return ""
        except Lost as error:
            raise MaybeSent from error
        ts = str(reply["ts"])
        self._state.stream = _Stream(ts, text, self._budgets.timing.now())
        self._streaming.hold(APPEND_EVERY_S)
        return ts

    async def _go_on(self, stream: _Stream, draft: Draft) -> bool:
        """Append what is new, and close the stream with a final text; False when an update has to do it."""
        text = defuse(draft.markdown).rstrip()
        too_old = self._budgets.timing.now() - stream.started > STREAM_LASTS_S
        if too_old or not text.startswith(stream.text):
            await self._end_stream()
            return False
        new = text[len(stream.text) :]
        try:
            if draft.stage == "final":
                return await self._close(stream, new, draft)
            if new:
                await self._calls("chat.appendStream", channel=self._place.channel, ts=stream.ts, markdown_text=new)
                stream.text = text
        except Refused as error:
            self._ended(error.code)
            return False
        return True

    async def _close(self, stream: _Stream, new: str, draft: Draft) -> bool:
        """End a stream with its last words and its buttons."""
        extra = {"markdown_text": new} if new else {}
        blocks = {"blocks": mrkdwn.button_blocks(draft.buttons)} if draft.buttons else {}
        await self._calls("chat.stopStream", channel=self._place.channel, ts=stream.ts, **extra, **blocks)
        self._state.stream = None
        return True

    async def _end_stream(self) -> None:
        """Close an open stream as it is: a new message follows, or an update."""
        stream = self._state.stream
        if stream is not None:
            self._state.stream = None
            await self._stop_quietly(stream.ts)

    async def _stop_quietly(self, ts: str) -> None:
        try:
            await self._calls("chat.stopStream", channel=self._place.channel, ts=ts)
        except Refused as error:
            self._ended(error.code)
        except (Lost, MessageGone):
            return

    def _ended(self, code: str) -> None:
        """Take note that Slack, or the person, has ended the stream."""
        self._state.stream = None
        if code == "stopped_by_user" and self._on_stop is not None:
            self._on_stop()

    async def _update(self, reference: str, draft: Draft) -> None:
        message = self._message(draft)
        try:
            await self._calls("chat.update", ts=reference, **message)
        except Refused as error:
            if error.code != "streaming_state_conflict":
                raise
            await self._stop_quietly(reference)
            raise RetryLater(UPDATE_EVERY_S) from error
        except Lost as error:
            raise RetryLater from error

    def _message(self, draft: Draft) -> dict[str, object]:
        """Return what post and update have in common."""
        return {
            "channel": self._place.channel,
            "text": mrkdwn.mrkdwn(draft.markdown),
            "blocks": mrkdwn.blocks(draft.markdown, draft.buttons),
        }

    def _posted_with(self, draft: Draft) -> dict[str, object]:
        thread = {"thread_ts": self._place.thread} if self._place.thread else {}
        return {
            "unfurl_links": False,
            "unfurl_media": False,
            "metadata": {"event_type": METADATA, "event_payload": {"key": draft.key}},
            **thread,
        }
