"""A workspace in memory: people, channels, messages with their reactions and streams."""

import time
from dataclasses import dataclass, field
from itertools import count
from typing import Any

_MOMENTS = count(1)


@dataclass
class Channel:
    channel_id: str
    kind: str = "channel"
    name: str = ""
    members: set[str] = field(default_factory=set)
    external: bool = False

    def info(self) -> dict[str, Any]:
        return {
            "id": self.channel_id,
            "name": self.name,
            "is_im": self.kind == "im",
            "is_mpim": self.kind == "mpim",
            "is_private": self.kind in {"group", "mpim"},
            "is_ext_shared": self.external,
        }


@dataclass
class Posted:
    """One message, a person's or the bot's."""

    ts: str
    channel: str
    user: str
    text: str
    thread: str | None = None
    blocks: list[dict] = field(default_factory=list)
    metadata: dict = field(default_factory=dict)
    reactions: set[tuple[str, str]] = field(default_factory=set)
    edits: int = 0
    streaming: bool = False
    stream_started: float = 0.0
    files: list[dict] = field(default_factory=list)

    def event(self) -> dict[str, Any]:
        found = {"type": "message", "user": self.user, "text": self.text, "ts": self.ts}
        if self.thread:
            found["thread_ts"] = self.thread
        if self.metadata:
            found["metadata"] = self.metadata
        if self.files:
            found["files"] = self.files
        return found


class Workspace:
    """Team T1 with a bot; `new_ts` never repeats."""

    def __init__(self, team: str = "T0TEAM") -> None:
        self.team = team
        self.bot_user = "U0BOT"
        self.bot_id = "B0BOT"
        self.people: dict[str, dict[str, Any]] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: dict[tuple[str, str], Posted] = {}
        self.ephemerals: list[dict[str, Any]] = []
        self.replaced: list[dict[str, Any]] = []
        """What took the place of a message with a button, through its response_url."""
        self.statuses: list[tuple[str, str]] = []
        self.views: dict[str, dict] = {}
        self.opened_views: list[dict] = []
        self.prompts: list[dict] = []

    def person(self, user: str, name: str, **more: Any) -> str:
        self.people[user] = {
            "id": user,
            "team_id": more.pop("team", self.team),
            "name": name.lower(),
            "tz": "Europe/Berlin",
            "profile": {"display_name": name},
            **more,
        }
        return user

    def channel(
        self, channel: str, kind: str = "channel", name: str = "", members: tuple[str, ...] = (), **more
    ) -> str:
        self.channels[channel] = Channel(channel, kind, name or channel.lower(), set(members), **more)
        return channel

    def post(self, channel: str, user: str, text: str, **more: Any) -> Posted:
        posted = Posted(ts=new_ts(), channel=channel, user=user, text=text, **more)
        self.messages[channel, posted.ts] = posted
        return posted

    def own(self, channel: str | None = None, thread: str | None = None) -> list[Posted]:
        """Return the bot's messages, oldest first."""
        return [
            posted
            for posted in self.messages.values()
            if posted.user == self.bot_user
            and (channel is None or posted.channel == channel)
            and (thread is None or posted.thread == thread)
        ]


def new_ts() -> str:
    """Return a moment like Slack's, never twice."""
    return f"{int(time.time())}.{next(_MOMENTS):06d}"
