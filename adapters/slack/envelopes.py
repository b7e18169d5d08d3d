"""Read the envelope of an event: whose workspace, what kind, under which keys, in which line (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Json = Mapping[str, Any]
Kind = Literal[
    "message",
    "edited",
    "deleted",
    "reaction_added",
    "reaction_removed",
    "joined",
    "opened",
    "assistant",
    "stopped",
    "moved",
    "renamed",
    "uninstalled",
    "ignored",
]

_PLAIN_KINDS: Mapping[str, Kind] = {
    "app_home_opened": "opened",
    "assistant_thread_started": "assistant",
    "agent_session_stopped": "stopped",
    "channel_id_changed": "moved",
    "channel_rename": "renamed",
    "group_rename": "renamed",
    "channel_convert_to_private": "renamed",
    "user_change": "renamed",
    "tokens_revoked": "uninstalled",
    "app_uninstalled": "uninstalled",
}
SPOKEN = {None, "file_share", "thread_broadcast", "me_message"}
"""The subtypes of a message that a person wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """The workspace an event is for, and who the bot is there."""

    team: str
    enterprise: str = ""
    org_wide: bool = False
    """Installed for a whole Enterprise Grid organisation: people's ids belong to the organisation."""
    bot_user: str = ""
    bot_id: str = ""
    url: str = ""
    """The workspace's own address, with its last slash."""

    @property
    def people_space(self) -> str:
        """The space that issued the ids of the people at home here."""
        return self.enterprise if self.org_wide and self.enterprise else self.team


def home_of(body: Json) -> Home:
    """Return whose event it is: `authorizations` names the workspace that installed us, the outer team may not."""
    installed = next(iter(body.get("authorizations") or ()), None) or {}
    event = body.get("event") or {}
    team = installed.get("team_id") or body.get("team_id") or event.get("team") or ""
    return Home(
        team=team,
        enterprise=installed.get("enterprise_id") or "",
        org_wide=bool(installed.get("is_enterprise_install")),
        bot_user=installed.get("user_id") or "" if installed.get("is_bot") else "",
    )


def kind_of(event: Json, home: Home) -> Kind:
    """Say what an event is to us; our own messages, other bots and unfurls are nothing."""
    name = event.get("type") or ""
    match name:
        case "app_mention":
            return "ignored" if _by_bot(event, home) else "message"
        case "message":
            return _message_kind(event, home)
        case "reaction_added" | "reaction_removed":
            own = event.get("user") == home.bot_user
            return "ignored" if own or (event.get("item") or {}).get("type") != "message" else name
        case "member_joined_channel":
            return "joined" if event.get("user") == home.bot_user else "ignored"
        case _:
            return _PLAIN_KINDS.get(name, "ignored")


def keys_of(body: Json, home: Home) -> tuple[str, ...]:
    """Return every id under which the same thing may come again: a mention comes as two events with one ts."""
    event = body.get("event") or {}
    keys = [f"event:{body.get('event_id')}"] if body.get("event_id") else []
    place = f"{home.team}:{event.get('channel')}"
    match kind_of(event, home):
        case "message":
            keys.append(f"message:{place}:{event.get('ts')}")
        case "edited":
            edited = (event.get("message") or {}).get("edited") or {}
            keys.append(f"edited:{place}:{event['message'].get('ts')}:{edited.get('ts')}")
        case "deleted":
            keys.append(f"deleted:{place}:{deleted_ts(event)}")
    return tuple(keys)


def order_key(body: Json, home: Home) -> str:
    """Return what is worked in order: a thread, a direct chat, a message with its edits and reactions."""
    event = body.get("event") or {}
    item = event.get("item") or {}
    channel = event.get("channel") or item.get("channel") or event.get("channel_id") or ""
    if isinstance(channel, Mapping):
        channel = channel.get("id", "")
    if str(channel).startswith("D") and not thread_of(event):
        return f"{home.team}:{channel}"
    inner = event.get("message") or event.get("previous_message") or {}
    root = thread_of(event) or thread_of(inner) or inner.get("ts") or item.get("ts") or event.get("ts") or ""
    return f"{home.team}:{channel}:{root}"


def thread_of(event: Json) -> str | None:
    """Return the thread that a message stands in, by the ts of its first message."""
    found = event.get("thread_ts")
    return str(found) if found else None


def deleted_ts(event: Json) -> str:
    """Return the message that a delete is about."""
    previous = event.get("previous_message") or event.get("message") or {}
    return str(event.get("deleted_ts") or previous.get("ts") or "")


def _message_kind(event: Json, home: Home) -> Kind:
    match event.get("subtype"):
        case "message_changed":
            return _changed_kind(event, home)
        case "message_deleted":
            return "ignored" if _by_bot(event.get("previous_message") or {}, home) else "deleted"
        case subtype if subtype in SPOKEN:
            return "ignored" if _by_bot(event, home) or not event.get("user") else "message"
        case _:
            return "ignored"


def _changed_kind(event: Json, home: Home) -> Kind:
    """Tell a person's edit from an unfurl: only an edit has a new `edited` mark."""
    now, before = event.get("message") or {}, event.get("previous_message") or {}
    if now.get("subtype") == "tombstone":
        return "deleted"
    if _by_bot(now, home) or now.get("subtype") not in SPOKEN:
        return "ignored"
    edited, edited_before = now.get("edited") or {}, before.get("edited") or {}
    return "edited" if edited and edited.get("ts") != edited_before.get("ts") else "ignored"


def _by_bot(message: Json, home: Home) -> bool:
    return bool(message.get("bot_id")) or (bool(home.bot_user) and message.get("user") == home.bot_user)
