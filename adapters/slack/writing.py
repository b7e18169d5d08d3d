"""Make the reply to a delivery: in its thread, or seen by one person only."""

from adapters.slack.deliveries import Delivery
from adapters.slack.envelopes import Home, Json, thread_of
from adapters.slack.forms import submitted
from adapters.slack.inbound import author_team
from adapters.slack.outbound import Place, SlackOutlet
from adapters.slack.parts import Parts
from adapters.slack.private import PrivateOutlet
from adapters.streaming import EditedReply
from bot.ports import InboxEvent


def place_of(event: Json, home: Home) -> Place:
    """Return where a message is answered: in its thread; a direct chat without threads goes on without."""
    channel = str(event["channel"])
    direct = event.get("channel_type") == "im" or channel.startswith("D")
    return Place(
        channel=channel,
        thread=thread_of(event) or ("" if direct else str(event["ts"])),
        message=str(event["ts"]),
        person=str(event.get("user") or ""),
        person_team=author_team(event) or home.team,
    )


def place_used(delivery: Delivery) -> tuple[Place, str]:
    """Return where a command, a shortcut, a button or a form was used, and its response_url."""
    body = delivery.body
    carried, _ = submitted(body.get("view") or {}) if delivery.kind == "form" else ({}, "")
    channel = body.get("channel_id") or (body.get("channel") or {}).get("id") or carried.get("channel") or ""
    person = body.get("user_id") or (body.get("user") or {}).get("id") or ""
    response_url = body.get("response_url") or carried.get("response_url") or ""
    return Place(channel=str(channel), person=str(person)), str(response_url)


def thread_reply(
    parts: Parts, event: InboxEvent, place: Place, home: Home, *, streams: bool = True
) -> tuple[EditedReply, SlackOutlet]:
    """Return a reply that everybody in the place sees, and the outlet under it."""
    budgets = parts.workspaces.budgets(home)
    outlet = SlackOutlet(parts.workspaces.calls(home), place, budgets, streams=streams and parts.streams)
    reply = parts.reply_to((event,), outlet, EditedReply)
    outlet.when_stopped(reply.stop)
    return reply, outlet


def private_reply(
    parts: Parts, event: InboxEvent, place: Place, home: Home, *, response_url: str, replacing: bool = False
) -> EditedReply:
    """Return a reply that one person sees; `replacing`: it takes the place of the message with the button."""
    calls = parts.workspaces.calls(home)
    outlet = PrivateOutlet(lambda: parts.session, response_url, place, calls, parts.timing, replacing=replacing)
    return parts.reply_to((event,), outlet, EditedReply)
