"""Make the reply to a kept event: in its channel or thread, or to an interaction."""

from adapters.discord.channels import Destination
from adapters.discord.content import read_content
from adapters.discord.inbound import Around, Json, Place
from adapters.discord.keeping import Asked
from adapters.discord.outbound import DiscordOutlet
from adapters.discord.parts import Parts
from adapters.discord.private import InteractionOutlet
from adapters.discord.waiting import WaitingReply
from adapters.streaming import EditedReply
from bot.ports import InboxEvent


def destination_of(record: Json, around: Around, *, own_thread: bool) -> Destination:
    """Return where a message is answered: beside it; or in a thread of the answer's own."""
    place = around.place
    words = read_content(str(record.get("content") or ""), {}, bot_id=around.bot_id).text
    return Destination(
        channel=place.channel,
        question=str(record["id"]),
        person=str(record["author"]["id"]) if place.guild else "",
        fallbacks=fallbacks_of(place),
        thread_name=(" ".join(words.split()) or "Answer") if own_thread else "",
    )


def fallbacks_of(place: Place) -> tuple[str, ...]:
    """Return where else all may read what may be read here: the parent of a thread of its room."""
    return (place.home,) if place.thread and place.home != place.channel else ()


def channel_reply(parts: Parts, event: InboxEvent, destination: Destination) -> EditedReply:
    """Return a reply that everybody in the place sees."""
    outlet = DiscordOutlet(parts.calls, destination, parts.budgets, parts.own)
    return parts.reply_to((event,), outlet, WaitingReply)


def interaction_reply(
    parts: Parts, event: InboxEvent, asked: Asked, place: Place, *, beside: bool = False
) -> EditedReply:
    """Return the reply to an interaction; once its token is dead, a private one goes on as a direct message.

    `beside`: a message of its own, where the original is the message whose button was pressed.
    """
    person = str(asked.person["id"]) if place.guild else ""
    private = asked.private and place.guild
    later = Destination(
        channel="" if private else place.channel,
        question="",
        person=person,
        fallbacks=() if private else fallbacks_of(place),
    )
    beyond = DiscordOutlet(parts.calls, later, parts.budgets, parts.own)
    outlet = InteractionOutlet(parts.calls, asked, beyond, clock=parts.clock, timing=parts.timing, beside=beside)
    return parts.reply_to((event,), outlet, WaitingReply)
