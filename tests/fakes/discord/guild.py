"""A guild in memory: people, roles, channels with their permissions, threads, direct chats, messages."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

VIEW, SEND, HISTORY, REACT, MANAGE_GUILD = 1 << 10, 1 << 11, 1 << 16, 1 << 6, 1 << 5
SEND_IN_THREADS, PUBLIC_THREADS, ADMINISTRATOR, MANAGE_THREADS = 1 << 38, 1 << 35, 1 << 3, 1 << 34
EVERYONE_MAY = VIEW | SEND | HISTORY | REACT | SEND_IN_THREADS | PUBLIC_THREADS
EVERYTHING = (1 << 50) - 1
TEXT, DM, CATEGORY, FORUM, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 4, 15, 11, 12
EPOCH_MS = 1_420_070_400_000
BOT = "900000000000000001"

_COUNT = count(1)


def snowflake(at: float | None = None) -> str:
    """An id that grows with time and never repeats."""
    moment = int((time.time() if at is None else at) * 1000) - EPOCH_MS
    return str((moment << 22) | (next(_COUNT) & 0x3FFFFF))


def iso(at: float | None = None) -> str:
    return datetime.fromtimestamp(time.time() if at is None else at, UTC).isoformat()


@dataclass
class Written:
    """One message, a person's or the bot's."""

    message_id: str
    channel: str
    author: str
    content: str
    more: dict[str, Any] = field(default_factory=dict)
    nonce: str | None = None
    components: list[dict] = field(default_factory=list)
    flags: int = 0
    reactions: set[tuple[str, str]] = field(default_factory=set)
    edits: list[tuple[float, str]] = field(default_factory=list)
    edited_at: str | None = None
    written_at: str = field(default_factory=iso)

    @property
    def reply_to(self) -> str:
        return str((self.more.get("message_reference") or {}).get("message_id") or "")

    def button(self, name: str) -> dict[str, Any]:
        """Return the button of this name (its id's second word)."""
        found = (one for row in self.components for one in row["components"])
        return next(one for one in found if one["custom_id"].split(":")[1] == name)


@dataclass
class Channel:
    channel_id: str
    kind: int = TEXT
    name: str = ""
    guild: str = ""
    overwrites: list[dict[str, Any]] = field(default_factory=list)
    parent: str = ""
    owner: str = ""
    archived: bool = False
    locked: bool = False
    members: set[str] = field(default_factory=set)
    recipient: str = ""
    messages: dict[str, Written] = field(default_factory=dict)

    @property
    def is_thread(self) -> bool:
        return self.kind in {PUBLIC_THREAD, PRIVATE_THREAD}

    def payload(self, person: dict[str, Any] | None = None) -> dict[str, Any]:
        last = max(self.messages, key=int, default=None)
        found: dict[str, Any] = {"id": self.channel_id, "type": self.kind, "last_message_id": last}
        if self.kind == DM:
            return found | {"recipients": [person]}
        found |= {"guild_id": self.guild, "name": self.name, "position": 1, "parent_id": self.parent or None}
        if not self.is_thread:
            return found | {"permission_overwrites": self.overwrites, "nsfw": False, "topic": None}
        return found | {
            "owner_id": self.owner,
            "message_count": len(self.messages),
            "member_count": 2,
            "rate_limit_per_user": 0,
            "thread_metadata": {
                "archived": self.archived,
                "locked": self.locked,
                "auto_archive_duration": 1440,
                "archive_timestamp": iso(),
            },
        }


class World:
    """Everything that the stand-in knows."""

    def __init__(self) -> None:
        self.users: dict[str, dict[str, Any]] = {}
        self.channels: dict[str, Channel] = {}
        self.guilds: dict[str, dict[str, Any]] = {}
        self.members: dict[str, dict[str, set[str]]] = {}
        self.roles: dict[str, dict[str, int]] = {}
        self.user(BOT, "palace", bot=True)

    def user(self, user: str, name: str, *, bot: bool = False) -> None:
        self.users[user] = {
            "id": user,
            "username": name.lower(),
            "global_name": name,
            "discriminator": "0",
            "avatar": None,
            "bot": bot,
        }

    def guild(self, guild: str, name: str, *, everyone: int = EVERYONE_MAY) -> None:
        self.guilds[guild] = {"id": guild, "name": name}
        self.roles[guild] = {guild: everyone}
        self.members[guild] = {BOT: set()}

    def role(self, guild: str, role: str, permissions: int = 0) -> None:
        self.roles[guild][role] = permissions

    def join(self, guild: str, user: str, *roles: str) -> None:
        self.members[guild][user] = set(roles)

    def channel(self, guild: str, channel: str, name: str, *, only: tuple[str, ...] = (), kind: int = TEXT) -> Channel:
        """A channel; `only`: for these roles and people, beside the bot."""
        overwrites = []
        if only:
            overwrites = [{"id": guild, "type": 0, "allow": "0", "deny": str(VIEW)}]
            overwrites += [
                {"id": one, "type": int(one not in self.roles[guild]), "allow": str(VIEW), "deny": "0"}
                for one in (*only, BOT)
            ]
        made = Channel(channel_id=channel, kind=kind, name=name, guild=guild, overwrites=overwrites)
        self.channels[channel] = made
        return made

    def thread(self, parent: str, thread: str, name: str, *, owner: str, private: bool = False) -> Channel:
        made = Channel(
            channel_id=thread,
            kind=PRIVATE_THREAD if private else PUBLIC_THREAD,
            name=name,
            guild=self.channels[parent].guild,
            parent=parent,
            owner=owner,
            members={owner, BOT},
        )
        self.channels[thread] = made
        return made

    def direct(self, user: str) -> Channel:
        """The direct chat of the bot with somebody."""
        for channel in self.channels.values():
            if channel.kind == DM and channel.recipient == user:
                return channel
        made = Channel(channel_id=str(int(user) + 7), kind=DM, recipient=user)
        self.channels[made.channel_id] = made
        return made

    def permissions(self, channel: Channel, user: str) -> int:
        """Discord's own order: everyone, roles, then overwrites of everyone, roles, person."""
        if channel.kind == DM:
            return EVERYTHING if user in {BOT, channel.recipient} else 0
        where = self.channels[channel.parent] if channel.is_thread else channel
        guild = channel.guild
        if user not in self.members[guild]:
            return 0
        if channel.kind == PRIVATE_THREAD and user not in channel.members:
            return 0
        roles = {guild, *self.members[guild][user]}
        base = 0
        for role in roles:
            base |= self.roles[guild].get(role, 0)
        if base & ADMINISTRATOR:
            return EVERYTHING
        by_id = {one["id"]: one for one in where.overwrites}
        order = ((guild,), sorted(roles - {guild}), (user,))
        for ids in order:
            deny = allow = 0
            for some_id in ids:
                if some_id in by_id:
                    deny |= int(by_id[some_id]["deny"])
                    allow |= int(by_id[some_id]["allow"])
            base = (base & ~deny) | allow
        return base if base & VIEW else 0

    def deny_bot(self, channel: str, permissions: int) -> None:
        """Take permissions of the bot away in a channel."""
        overwrites = [one for one in self.channels[channel].overwrites if one["id"] != BOT]
        overwrites.append({"id": BOT, "type": 1, "allow": "0", "deny": str(permissions)})
        self.channels[channel].overwrites = overwrites

    def member(self, guild: str, user: str) -> dict[str, Any]:
        return {
            "user": self.users[user],
            "roles": sorted(self.members[guild][user]),
            "joined_at": "2025-01-01T00:00:00+00:00",
            "nick": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
        }

    def guild_payload(self, guild: str) -> dict[str, Any]:
        places = [channel for channel in self.channels.values() if channel.guild == guild]
        role = {"color": 0, "hoist": False, "position": 0, "managed": False, "mentionable": False, "flags": 0}
        return {
            **self.guilds[guild],
            "owner_id": "1",
            "icon": None,
            "splash": None,
            "discovery_splash": None,
            "afk_channel_id": None,
            "afk_timeout": 300,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "roles": [
                {"id": one, "name": one, "permissions": str(may), **role} for one, may in self.roles[guild].items()
            ],
            "emojis": [],
            "stickers": [],
            "features": [],
            "mfa_level": 0,
            "application_id": None,
            "system_channel_id": None,
            "system_channel_flags": 0,
            "rules_channel_id": None,
            "vanity_url_code": None,
            "description": None,
            "banner": None,
            "premium_tier": 0,
            "preferred_locale": "en-US",
            "public_updates_channel_id": None,
            "nsfw_level": 0,
            "nsfw": False,
            "premium_progress_bar_enabled": False,
            "large": False,
            "unavailable": False,
            "member_count": len(self.members[guild]),
            "joined_at": "2025-01-01T00:00:00+00:00",
            "members": [self.member(guild, BOT)],
            "channels": [one.payload() for one in places if not one.is_thread],
            "threads": [one.payload() for one in places if one.is_thread and not one.archived],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }

    def message(self, written: Written) -> dict[str, Any]:
        """A message as the API writes it."""
        channel = self.channels[written.channel]
        named = [user for user in self.users if f"<@{user}>" in written.content or f"<@!{user}>" in written.content]
        replied = channel.messages.get(written.reply_to)
        forward = bool(written.more.get("message_snapshots"))
        if replied is not None and written.more.get("ping", True) and replied.author not in named and not forward:
            named.append(replied.author)
        counts: dict[str, int] = {}
        for emoji, _ in written.reactions:
            counts[emoji] = counts.get(emoji, 0) + 1
        payload: dict[str, Any] = {
            "id": written.message_id,
            "type": 19 if replied is not None and not forward else 0,
            "channel_id": written.channel,
            "author": self.users[written.author],
            "content": written.content,
            "timestamp": written.written_at,
            "edited_timestamp": written.edited_at,
            "tts": False,
            "mention_everyone": False,
            "mentions": [self.users[user] for user in named],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "pinned": False,
            "flags": written.flags,
            "components": written.components,
            "reactions": [
                {"emoji": {"id": None, "name": emoji}, "count": many, "me": (emoji, BOT) in written.reactions}
                for emoji, many in counts.items()
            ],
            **{name: value for name, value in written.more.items() if name != "ping"},
        }
        if replied is not None and not forward:
            payload["referenced_message"] = self.message(replied) | {"referenced_message": None}
        if channel.guild:
            payload["guild_id"] = channel.guild
        return payload

    def own(self, channel: str = "") -> list[Written]:
        """What the bot wrote, oldest first."""
        places = [self.channels[channel]] if channel else list(self.channels.values())
        found = [one for place in places for one in place.messages.values() if one.author == BOT]
        return sorted(found, key=lambda one: int(one.message_id))
