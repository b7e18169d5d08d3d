"""Put what Discord tells into the durable inbox and read it back: one kind of event, one form (pure)."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

from adapters.discord.inbound import Around, Json, Place
from bot.ports import InboxEvent

Kind = Literal["message", "edited", "deleted", "reacted", "unreacted", "command", "menu", "button", "form"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An interaction: who used what where, and the token that lets us answer for a quarter of an hour."""

    interaction: str
    application: str
    token: str
    received_at: str
    """By our own clock, ISO 8601: from then on the token lasts."""
    person: Json
    """As the API writes a user."""
    language: str = ""
    """The one in which the person sees Discord."""
    private: bool = True
    """Answered to the person alone."""
    name: str = ""
    """The button's or the form's name."""
    target: str = ""
    value: str = ""
    """The command as the core reads it; what was typed into a form."""
    options: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One thing to work."""

    kind: Kind
    around: Around
    record: Json = field(default_factory=dict)
    """The message."""
    message_id: str = ""
    """What was deleted or reacted to."""
    person: Json = field(default_factory=dict)
    """Who reacted."""
    asked: Asked | None = None


def inbox_event(kept: Kept, *, keys: tuple[str, ...], order_key: str, now: datetime) -> InboxEvent:
    """Return what is written down."""
    return InboxEvent(source="discord", keys=keys, body=json.dumps(asdict(kept)), order_key=order_key, received_at=now)


def kept_in(event: InboxEvent) -> Kept:
    """Return what was written down."""
    body: Mapping[str, Any] = json.loads(event.body)
    around = body["around"]
    return Kept(
        kind=body["kind"],
        around=Around(
            place=Place(**around["place"]),
            bot_id=around["bot_id"],
            rooms={channel: Place(**place) for channel, place in around["rooms"].items()},
            administrator=around["administrator"],
        ),
        record=body["record"],
        message_id=body["message_id"],
        person=body["person"],
        asked=Asked(**body["asked"]) if body["asked"] else None,
    )


def order_key(record: Json, around: Around, *, addressed: bool) -> str:
    """Return what is worked in order: a thread, a direct chat, what one person asks in a channel; else a message."""
    place = around.place
    if place.kind == "direct" or (addressed and place.thread):
        return place.channel
    return f"{place.channel}:{record['author']['id']}" if addressed else f"{place.channel}:{record['id']}"
