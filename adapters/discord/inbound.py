"""Read what was kept of Discord's messages: the room, the people, the Message in it (pure)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from adapters.discord.content import Content, read_content
from adapters.documents import is_document
from bot.domain.links import addresses_in
from bot.domain.messages import Attachment, Link, Message, Origin, Preview, Surface
from bot.domain.rooms import Person, Room, RoomKind, Scope

Json = Mapping[str, Any]

PERMALINK = "https://discord.com/channels"
SPOKEN = {0, 19, 20, 23}
"""Types of messages that somebody wrote: default, reply, slash command, context menu command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something was written, as far as Discord tells it."""

    channel: str
    """Where messages are written: a channel, a thread, a direct chat."""
    home: str
    """The channel whose room it is: a thread's parent; a private thread is a room of its own."""
    kind: RoomKind
    guild: str = ""
    name: str = ""
    thread: str = ""
    title: str = ""
    """Of a forum post."""
    own_thread: bool = False
    """A thread that the bot opened: what is written there is for it."""

    @property
    def room(self) -> Room:
        """The room of this place."""
        return Room(
            platform="discord",
            space=self.guild,
            channel=self.home,
            kind=self.kind,
            thread=self.thread or None,
            name=self.name,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What is known around a message."""

    place: Place
    bot_id: str
    rooms: Mapping[str, Place] = field(default_factory=dict)
    """Channels named in the text, by id."""
    administrator: bool = False


def message_from(
    record: Json,
    around: Around,
    *,
    surface: Surface = "message",
    memberships: tuple[Scope, ...] = (),
    watched: bool = True,
) -> Message:
    """Return a message, as Discord's API writes it, as a Message."""
    place = around.place
    content = content_of(record, around)
    snapshot = snapshot_of(record)
    inner = snapshot or record
    read = read_content(str(inner.get("content") or ""), names_in(inner, around), bot_id="") if snapshot else content
    replied = record.get("referenced_message")
    return Message(
        message_id=str(record["id"]),
        room=place.room,
        author=person_of(record["author"], record.get("member")),
        text="\n".join(part for part in (title_of(record, place), content.text, read.text if snapshot else "") if part),
        sent_at=moment(record),
        links=_links(inner, read, by_bot=bool(record["author"].get("bot"))),
        attachments=attachments_of(record),
        previews=_previews(inner),
        origin=_origin(record, snapshot),
        addressed=is_addressed(record, around),
        replying_to_bot=_replies_to(record, around.bot_id),
        replied=message_from(replied, around) if replied and not _replies_to(record, around.bot_id) else None,
        surface=surface,
        memberships=memberships,
        permalink=permalink(place, str(record["id"])),
        mentioned=tuple(
            person_of(person) for person in record.get("mentions") or () if str(person["id"]) != around.bot_id
        ),
        mentioned_rooms=tuple(
            around.rooms[channel].room.channel_room for channel in content.rooms if channel in around.rooms
        ),
        administrator=around.administrator,
        watched=watched,
    )


def content_of(record: Json, around: Around) -> Content:
    """Return a message's own words as they are read."""
    return read_content(str(record.get("content") or ""), names_in(record, around), bot_id=around.bot_id)


def names_in(record: Json, around: Around) -> Mapping[str, str]:
    """Return the names of everybody and every channel mentioned, by id."""
    people = {str(person["id"]): display_name(person) for person in record.get("mentions") or ()}
    return people | {channel: place.name for channel, place in around.rooms.items()}


def is_addressed(record: Json, around: Around) -> bool:
    """Whether somebody expects an answer: a mention, a reply to the bot, a direct chat, a thread of the bot's own."""
    if around.place.kind == "direct" or _replies_to(record, around.bot_id):
        return True
    if f"<@{around.bot_id}>" in _words(record) or f"<@!{around.bot_id}>" in _words(record):
        return True
    others = [person for person in record.get("mentions") or () if str(person["id"]) != around.bot_id]
    return around.place.own_thread and not others and not record.get("referenced_message")


def worth_keeping(record: Json, around: Around) -> bool:
    """Whether there is something to do: chatter without links and documents is not even written down."""
    if record["author"].get("bot") or int(record.get("type") or 0) not in SPOKEN:
        return False
    inner = snapshot_of(record) or record
    if not _words(inner) and not files_of(record):
        return False  # a sticker, or words that Discord does not let us see
    linked = read_content(_words(inner), {}, bot_id="").text
    return is_addressed(record, around) or bool(addresses_in(linked)) or any(map(is_document, attachments_of(record)))


def person_of(user: Json, member: Json | None = None) -> Person:
    """Return a person; Discord's ids are global."""
    nick = (member or user.get("member") or {}).get("nick")
    return Person(platform="discord", person_id=str(user["id"]), name=nick or display_name(user))


def display_name(user: Json) -> str:
    """Return the name that people see."""
    return str(user.get("global_name") or user.get("username") or user["id"])


def permalink(place: Place, message_id: str) -> str:
    """Return where people open a message."""
    return f"{PERMALINK}/{place.guild or '@me'}/{place.channel}/{message_id}"


def moment(record: Json) -> datetime:
    """Return when a message was written."""
    return datetime.fromisoformat(str(record["timestamp"])).astimezone(UTC)


def snapshot_of(record: Json) -> Json | None:
    """Return the message inside a forward."""
    snapshots: Sequence[Json] = record.get("message_snapshots") or ()
    found: Json | None = snapshots[0]["message"] if snapshots else None
    return found


def title_of(record: Json, place: Place) -> str:
    """Return a forum post's title, for the message that opened it: it bears the thread's own id."""
    return place.title if str(record["id"]) == place.thread else ""


def files_of(record: Json) -> tuple[Json, ...]:
    """Return the files of a message and of what it forwards."""
    inner = snapshot_of(record) or {}
    return (*(record.get("attachments") or ()), *(inner.get("attachments") or ()))


def attachments_of(record: Json) -> tuple[Attachment, ...]:
    """Return a message's files."""
    return tuple(
        Attachment(
            name=str(file.get("filename") or "file"),
            media_type=str(file.get("content_type") or "").partition(";")[0],
            size=int(file.get("size") or 0),
            caption=str(file.get("description") or ""),
            url=str(file.get("url") or ""),
        )
        for file in files_of(record)
    )


def _words(record: Json) -> str:
    return str(record.get("content") or "")


def _replies_to(record: Json, person: str) -> bool:
    replied = record.get("referenced_message") or {}
    return str((replied.get("author") or {}).get("id") or "") == person


def _links(inner: Json, read: Content, *, by_bot: bool) -> tuple[Link, ...]:
    """Return the text's links; a post without any has those of its own cards: a feed's, a bot's."""
    found = addresses_in(read.text)
    if found or not (by_bot or not _words(inner)):
        return found
    return tuple(dict.fromkeys(_card_links(inner)))


def _card_links(inner: Json) -> Iterator[Link]:
    for card in inner.get("embeds") or ():
        if card.get("type", "rich") != "rich":
            continue
        if card.get("url"):
            yield Link(url=str(card["url"]), label=str(card.get("title") or ""))
        yield from addresses_in(str(card.get("description") or ""))


def _previews(inner: Json) -> tuple[Preview, ...]:
    return tuple(
        Preview(
            url=str(card["url"]),
            title=str(card.get("title") or ""),
            description=str(card.get("description") or ""),
            site=str((card.get("provider") or {}).get("name") or ""),
        )
        for card in inner.get("embeds") or ()
        if card.get("url")
    )


def _origin(record: Json, snapshot: Json | None) -> Origin | None:
    """Return where a forward comes from; Discord does not tell who wrote it."""
    if snapshot is None:
        return None
    source = record.get("message_reference") or {}
    where = f"{PERMALINK}/{source.get('guild_id') or '@me'}/{source.get('channel_id')}/{source.get('message_id')}"
    return Origin(kind="hidden", url=where, written_at=moment(snapshot) if snapshot.get("timestamp") else None)
