"""Work the events that are no messages: joining a room, the agent surface, the App Home, changed ids, uninstalling."""

import logging
from dataclasses import replace

from adapters.outlet import Trouble
from adapters.slack.deliveries import Delivery
from adapters.slack.envelopes import Home, Json, Kind
from adapters.slack.homepage import HomePage
from adapters.slack.inbound import room_of
from adapters.slack.parts import Parts

_LOG = logging.getLogger(__name__)

INTRODUCTION = (
    "I am Palace: I remember every link shared here, and answer from them when you mention me. "
    "`/palace watch off` makes me stop saving unasked, `/palace help` tells the rest."
)
PROMPTS = (
    ("What was saved lately?", "What was saved in the last week?"),
    ("Find something", "What did we save about "),
    ("Summarise a topic", "Summarise what we know about "),
    ("Help", "/help"),
)


class OtherEvents:
    """Each event has one small consequence."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._page = HomePage(parts)

    async def work(self, kind: Kind, delivery: Delivery, home: Home) -> None:
        """Do what an event of this kind asks for."""
        inner = delivery.event
        match kind:
            case "joined":
                await self._introduce(inner, home)
            case "opened" if inner.get("tab") == "home":
                await self._page.publish(str(inner["user"]), home, channel=str(inner.get("channel") or ""))
            case "opened":
                await self._suggest(str(inner.get("channel") or ""), "", home)
            case "assistant":
                thread = inner.get("assistant_thread") or {}
                await self._suggest(str(thread.get("channel_id")), str(thread.get("thread_ts") or ""), home)
            case "moved":
                await self._moved(inner, home)
            case "renamed":
                self._renamed(inner, home)
            case "uninstalled":
                await self._uninstalled(inner, home)
            case _:
                pass

    async def stopped(self, inner: Json, home: Home) -> None:
        """Set the session's status after the native stop button: the app has to do it itself."""
        thread = {"thread_ts": inner["thread_ts"]} if inner.get("thread_ts") else {}
        await self._quietly("agents.sessions.setStatus", home, channel_id=inner["channel"], status="active", **thread)

    async def _introduce(self, inner: Json, home: Home) -> None:
        """Say in one line what the bot does, once a room."""
        known = await self._parts.names.known(
            self._parts.workspaces.calls(home), home, people=(), rooms=(inner["channel"],)
        )
        room = room_of(inner, home=home, known=known, threaded=False)
        if await self._parts.rooms.get(room.key, "introduced"):
            return
        await self._parts.rooms.set(room.key, "introduced", "yes")
        await self._quietly("chat.postMessage", home, channel=inner["channel"], text=INTRODUCTION, unfurl_links=False)

    async def _suggest(self, channel: str, thread: str, home: Home) -> None:
        prompts = [{"title": title, "message": message} for title, message in PROMPTS]
        where = {"thread_ts": thread} if thread else {}
        if channel:
            await self._quietly(
                "assistant.threads.setSuggestedPrompts", home, channel_id=channel, prompts=prompts, **where
            )

    async def _moved(self, inner: Json, home: Home) -> None:
        known = await self._parts.names.known(
            self._parts.workspaces.calls(home), home, people=(), rooms=(inner["new_channel_id"],)
        )
        new = room_of({"channel": inner["new_channel_id"]}, home=home, known=known, threaded=False)
        await self._parts.core.moved(replace(new, channel=inner["old_channel_id"]), new)

    def _renamed(self, inner: Json, home: Home) -> None:
        channel, user = inner.get("channel"), inner.get("user")
        for changed in (channel, user):
            some_id = changed.get("id") if isinstance(changed, dict) else changed
            if some_id:
                self._parts.names.drop(home, str(some_id))

    async def _uninstalled(self, inner: Json, home: Home) -> None:
        revoked = (inner.get("tokens") or {}).get("bot")
        if inner.get("type") == "app_uninstalled" or revoked:
            await self._parts.workspaces.forget(home)

    async def _quietly(self, method: str, home: Home, **arguments: object) -> None:
        try:
            await self._parts.workspaces.calls(home)(method, **arguments)
        except Trouble as error:
            _LOG.info("%s did not work: %s", method, error)
