"""Remember recent messages and who asked in which thread, so that follow-ups and reactions need no history call."""

import json
from collections import OrderedDict
from typing import Any

from adapters.outlet import Trouble
from adapters.pacing import Budget, Timing
from adapters.slack.calls import Calls
from adapters.slack.envelopes import Home, Json, thread_of
from bot.ports import Inbox

MOST_RECENT = 2000
HISTORY_A_MINUTE = 1
"""conversations.history and .replies for apps outside the Marketplace: one call a minute, 15 messages."""


class Recent:
    """The newest messages as their events came; a gap is filled from Slack, once a minute."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._events: OrderedDict[tuple[str, str, str], Json] = OrderedDict()
        self._history = Budget(per_minute=HISTORY_A_MINUTE + 1, kept=1, burst=1, timing=timing)

    def add(self, home: Home, event: Json) -> None:
        """Keep a message event."""
        if event.get("ts") and event.get("channel"):
            self._events[home.team, event["channel"], event["ts"]] = event
            if len(self._events) > MOST_RECENT:
                self._events.popitem(last=False)

    def get(self, home: Home, channel: str, ts: str) -> Json | None:
        """Return a message that came while this process ran."""
        return self._events.get((home.team, channel, ts))

    async def fetch(self, calls: Calls, home: Home, channel: str, ts: str, *, wait: bool = True) -> Json | None:
        """Return a message, from Slack where it has to be, and waits its turn for that unless told not to.

        None when it cannot be had.
        """
        known = self.get(home, channel, ts)
        if known is not None:
            return known
        for method, where in (("conversations.history", {"latest": ts}), ("conversations.replies", {"ts": ts})):
            while (delay := self._history.delay(final=False)) > 0:
                if not wait:
                    return None
                await self._timing.sleep(delay)
            self._history.count(final=False)
            found = await self._ask(calls, method, channel=channel, inclusive="true", limit=1, **where)
            message = next((one for one in found if one.get("ts") == ts), None)
            if message is not None:
                event = {**message, "channel": channel}
                self.add(home, event)
                return event
        return None

    async def _ask(self, calls: Calls, method: str, **arguments: Any) -> list[dict[str, Any]]:
        try:
            reply = await calls(method, **arguments)
        except Trouble:
            return []
        return list(reply.get("messages") or ())


class Threads:
    """Who asked last in a thread, and whether somebody else has spoken there since; kept over restarts."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    async def asked(self, home: Home, channel: str, root: str, user: str) -> None:
        """Note a question of this person."""
        await self._write(home, channel, root, user, others=False)

    async def follows_up(self, home: Home, event: Json, *, names_others: bool) -> bool:
        """Whether a message without a mention is plainly for the bot: the asker goes on, and nobody came between."""
        root, user = thread_of(event), str(event.get("user") or "")
        if not root or root == event.get("ts"):
            return False
        kept = await self._inbox.value("slack", _name(home, event["channel"], root))
        if not kept:
            return False
        state = json.loads(kept)
        if state["asker"] != user:
            await self._write(home, event["channel"], root, state["asker"], others=True)
            return False
        return not state["others"] and not names_others

    async def _write(self, home: Home, channel: str, root: str, asker: str, *, others: bool) -> None:
        value = json.dumps({"asker": asker, "others": others})
        await self._inbox.set_value("slack", _name(home, channel, root), value)


def _name(home: Home, channel: str, root: str) -> str:
    return f"thread:{home.team}:{channel}:{root}"
