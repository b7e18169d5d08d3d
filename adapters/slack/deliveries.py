"""Tell apart what Slack delivers (events, commands, shortcuts, buttons, forms) and give each its keys (pure)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from adapters.documents import is_document
from adapters.slack.entities import Reader
from adapters.slack.envelopes import Home, Json, home_of, keys_of, kind_of, order_key, thread_of
from adapters.slack.inbound import attachments_of, is_withheld
from bot.ports import InboxEvent

DeliveryKind = Literal["event", "command", "shortcut", "action", "form", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One thing that Slack delivered, and the workspace it is for."""

    kind: DeliveryKind
    body: Json
    home: Home

    @property
    def event(self) -> Json:
        """The inner event; empty for the rest."""
        found: Json = self.body.get("event") or {}
        return found

    @property
    def button(self) -> tuple[str, str]:
        """The name and target of the button pressed: a button of ours carries `name:target`."""
        pressed = next(iter(self.body.get("actions") or ()), None) or {}
        name, _, target = str(pressed.get("value") or "").partition(":")
        return (name, target) if str(pressed.get("action_id", "")).startswith("palace:") else ("", "")


def read_delivery(body: Json, *, bot_user: str = "") -> Delivery:
    """Return what a request body is."""
    kind = _kind(body)
    home = home_of(body) if kind == "event" else _interactive_home(body)
    known_bot = home.bot_user or bot_user
    return Delivery(kind=kind, body=body, home=_with_bot(home, known_bot))


def worth_keeping(delivery: Delivery) -> bool:
    """Whether there is something to do: chatter without links, documents or threads is not even written down."""
    event = delivery.event
    if delivery.kind != "event":
        return delivery.kind != "other"
    kind = kind_of(event, delivery.home)
    if kind != "message":
        return kind not in {"ignored", "stopped"}
    if event.get("type") == "app_mention" or event.get("channel_type") == "im" or thread_of(event):
        return True
    found = Reader(delivery.home.bot_user).read(event.get("text") or "")
    linked = "http" in json.dumps(event.get("blocks") or ())
    documents = any(map(is_document, attachments_of(event))) or any(map(is_withheld, event.get("files") or ()))
    return found.addressed or bool(found.links or linked or documents or event.get("attachments"))


def inbox_event(delivery: Delivery, now: datetime) -> InboxEvent:
    """Return what is kept: the body without Slack's verification token, under every key it may come again by."""
    body = {name: value for name, value in delivery.body.items() if name != "token"}
    return InboxEvent(
        source="slack",
        keys=_keys(delivery),
        body=json.dumps({"body": body, "bot_user": delivery.home.bot_user}),
        order_key=_order_key(delivery),
        received_at=now,
    )


def kept_delivery(event: InboxEvent) -> Delivery:
    """Return the delivery of a kept event."""
    kept = json.loads(event.body)
    return read_delivery(kept["body"], bot_user=kept["bot_user"])


def _kind(body: Json) -> DeliveryKind:
    if "command" in body:
        return "command"
    kinds: Mapping[str, DeliveryKind] = {
        "event_callback": "event",
        "message_action": "shortcut",
        "block_actions": "action",
        "view_submission": "form",
    }
    return kinds.get(str(body.get("type") or ""), "other")


def _interactive_home(body: Json) -> Home:
    team, enterprise = body.get("team") or {}, body.get("enterprise") or {}
    user = body.get("user") or {}
    return Home(
        team=body.get("team_id") or team.get("id") or user.get("team_id") or "",
        enterprise=body.get("enterprise_id") or enterprise.get("id") or "",
        org_wide=body.get("is_enterprise_install") in {True, "true"},
    )


def _with_bot(home: Home, bot_user: str) -> Home:
    return Home(
        team=home.team, enterprise=home.enterprise, org_wide=home.org_wide, bot_user=bot_user, bot_id=home.bot_id
    )


def _keys(delivery: Delivery) -> tuple[str, ...]:
    body = delivery.body
    match delivery.kind:
        case "event":
            return keys_of(body, delivery.home)
        case "form":
            view: Mapping[str, Any] = body.get("view") or {}
            return (f"form:{view.get('id')}:{view.get('hash')}",)
        case kind:
            pressed = next(iter(body.get("actions") or ()), None) or {}
            moment = pressed.get("action_ts") or body.get("action_ts") or ""
            return (f"{kind}:{body.get('trigger_id')}:{moment}",)


def _order_key(delivery: Delivery) -> str:
    body, home = delivery.body, delivery.home
    if delivery.kind == "event":
        return order_key(body, home)
    container = body.get("container") or {}
    channel = body.get("channel_id") or (body.get("channel") or {}).get("id") or "-"
    message = container.get("message_ts") or body.get("message_ts") or body.get("trigger_id") or ""
    return f"{home.team}:{channel}:{delivery.kind}:{message}"
