"""Read a message of Slack: its room, its people, its words and what came with it (pure)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from adapters.slack.entities import Reader
from adapters.slack.envelopes import Home, Json, thread_of
from bot.domain.messages import Attachment, Link, Message, Origin, Preview, Surface
from bot.domain.rooms import Person, Room, RoomKind, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPerson:
    """What users.info told."""

    name: str
    team: str = ""
    enterprise: str = ""
    timezone: str = ""
    language: str = ""
    administrator: bool = False
    guest: bool = False
    """Invited to some channels only: does not read everything public here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRoom:
    """What conversations.info told, or an event's own channel type."""

    kind: RoomKind
    name: str = ""
    external: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The names around an event, as far as they could be found out."""

    people: Mapping[str, KnownPerson] = field(default_factory=dict)
    rooms: Mapping[str, KnownRoom] = field(default_factory=dict)

    @property
    def names(self) -> Mapping[str, str]:
        """The name of every id that is known."""
        people = {some_id: person.name for some_id, person in self.people.items()}
        return people | {some_id: room.name for some_id, room in self.rooms.items()}


def message_from(
    event: Json,
    *,
    home: Home,
    known: Known,
    external: bool = False,
    addressed: bool = False,
    follow_up: bool = False,
    surface: Surface = "message",
    memberships: tuple[Scope, ...] = (),
) -> Message:
    """Return a message event as a Message. `external`: the channel is shared with another organisation."""
    reader = Reader(home.bot_user, names=known.names)
    found = reader.read(event.get("text") or "")
    room = room_of(event, home=home, known=known, external=external)
    forwarded = _forwarded(event)
    info = known.people.get(event.get("user") or "", KnownPerson(name=""))
    author = person_of(event.get("user") or "", home=home, known=known, team=author_team(event))
    for_guest_alone = info.guest and (room.kind == "direct" or surface == "command")
    return Message(
        message_id=event["ts"],
        room=room,
        author=replace(author, external=True) if for_guest_alone else author,  # who sees what a guest may read
        text=found.text or reader.read((forwarded or {}).get("text") or "").text,
        sent_at=moment(event["ts"]),
        links=_links(event, found.links, reader),
        attachments=attachments_of(event),
        previews=_previews(event),
        origin=_origin(forwarded),
        addressed=addressed or follow_up or found.addressed or room.kind == "direct",
        replying_to_bot=follow_up,
        surface=surface,
        memberships=memberships,
        timezone=info.timezone,
        administrator=info.administrator,
        permalink=permalink(home, room.channel, event["ts"], thread_of(event)),
        mentioned=tuple(person_of(person, home=home, known=known) for person in found.people),
        mentioned_rooms=tuple(
            room_of({"channel": channel}, home=home, known=known, threaded=False) for channel in found.rooms
        ),
    )


def room_of(event: Json, *, home: Home, known: Known, external: bool = False, threaded: bool = True) -> Room:
    """Return the room of an event. A channel of which nobody tells what it is counts as private: narrow is safe."""
    channel = event.get("channel") or ""
    info = known.rooms.get(channel)
    kind = _kinds.get(event.get("channel_type") or "") or (info.kind if info else _by_letter(channel))
    thread = thread_of(event) or (None if kind == "direct" else event.get("ts"))
    return Room(
        platform="slack",
        space=home.team,
        channel=channel,
        kind=kind,
        thread=thread if threaded else None,
        name=info.name if info else "",
        external=external or bool(info and info.external),
    )


def person_of(user: str, *, home: Home, known: Known, team: str = "") -> Person:
    """Return a person; somebody of another organisation (Slack Connect) is external."""
    info = known.people.get(user)
    own_team = team or (info.team if info else "") or home.team
    in_organisation = bool(info and home.enterprise and info.enterprise == home.enterprise)
    at_home = own_team == home.team or in_organisation
    return Person(
        platform="slack",
        person_id=user,
        space=home.people_space if at_home else own_team,
        name=info.name if info and info.name else user,
        external=not at_home,
    )


def author_team(event: Json) -> str:
    """Return the team that issued the author's id."""
    return str(event.get("user_team") or event.get("source_team") or event.get("team") or "")


def moment(ts: str) -> datetime:
    """Return the time in a Slack ts, in UTC."""
    return datetime.fromtimestamp(float(ts), UTC)


def permalink(home: Home, channel: str, ts: str, thread: str | None) -> str:
    """Return where people open a message, without asking Slack."""
    if not home.url:
        return ""
    inside = f"?thread_ts={thread}&cid={channel}" if thread and thread != ts else ""
    return f"{home.url.rstrip('/')}/archives/{channel}/p{ts.replace('.', '')}{inside}"


def attachments_of(event: Json) -> tuple[Attachment, ...]:
    """Return the files of a message that can be read; external and hidden ones cannot."""
    return tuple(
        Attachment(
            name=file.get("name") or file.get("title") or "file",
            media_type=file.get("mimetype") or "",
            size=int(file.get("size") or 0),
            url=file.get("permalink") or "",
        )
        for file in readable_files(event)
    )


def readable_files(event: Json) -> tuple[Json, ...]:
    """Return the files whose bytes Slack keeps for us."""
    return tuple(
        file
        for file in event.get("files") or ()
        if file.get("mode") not in {"tombstone", "external", "hidden_by_limit"} and file.get("url_private")
    )


def is_withheld(file: Json) -> bool:
    """Whether an event tells no more than the id of a file (Slack Connect)."""
    return file.get("file_access") == "check_file_info" and bool(file.get("id"))


_kinds: Mapping[str, RoomKind] = {"channel": "public", "group": "private", "mpim": "private", "im": "direct"}


def _by_letter(channel: str) -> RoomKind:
    return "direct" if channel.startswith("D") else "private"


def _links(event: Json, in_text: Sequence[Link], reader: Reader) -> tuple[Link, ...]:
    """Join the links of the text and of the rich text that people's clients send along."""
    in_blocks = tuple(_rich_links(event.get("blocks") or ()))
    forwarded = _forwarded(event)
    quoted = reader.read(forwarded.get("text") or "").links if forwarded else ()
    return tuple({link.url: link for link in (*in_blocks, *in_text, *quoted)}.values())


def _rich_links(elements: Sequence[Json]) -> Iterator[Link]:
    for element in elements:
        match element.get("type"):
            case "link" if not (element.get("style") or {}).get("code"):
                yield Link(url=element.get("url") or "", label=element.get("text") or "")
            case "rich_text" | "rich_text_section" | "rich_text_list" | "rich_text_quote":
                yield from _rich_links(element.get("elements") or ())


def _previews(event: Json) -> tuple[Preview, ...]:
    return tuple(
        Preview(
            url=shown["from_url"],
            title=shown.get("title") or "",
            description=shown.get("text") or "",
            site=shown.get("service_name") or "",
        )
        for shown in event.get("attachments") or ()
        if shown.get("from_url") and not shown.get("is_share")
    )


def _forwarded(event: Json) -> Json | None:
    return next((shown for shown in event.get("attachments") or () if shown.get("is_share")), None)


def _origin(forwarded: Json | None) -> Origin | None:
    if forwarded is None:
        return None
    ts = forwarded.get("ts")
    return Origin(
        kind="person",
        name=forwarded.get("author_name") or "",
        url=forwarded.get("from_url") or "",
        written_at=moment(str(ts)) if ts else None,
    )
