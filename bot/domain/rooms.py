"""Say who may read what was written where: rooms, people, scopes (pure)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

RoomKind = Literal["public", "private", "direct"]
ScopeKind = Literal["space", "room", "person"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who writes: known by an id on a platform, inside a space where ids belong to spaces."""

    platform: str
    person_id: str
    space: str = ""
    """The Slack team that issued the id; empty where ids are global (Discord, Telegram, console)."""
    name: str = ""
    external: bool = False
    """A guest of the room from another organisation (Slack Connect): reads that room only."""

    @property
    def key(self) -> str:
        """The person as one text, unique over all platforms."""
        return f"{self.platform}/{self.space}/@{self.person_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A place where people write: a channel, a group, a direct chat, or one thread of it."""

    platform: str
    channel: str
    kind: RoomKind
    space: str = ""
    """The Slack team or Discord guild; empty where rooms stand alone (Telegram, direct chats, console)."""
    thread: str | None = None
    name: str = ""
    external: bool = False
    """Shared with another organisation (Slack Connect): a wall in both directions."""

    @property
    def key(self) -> str:
        """The room as one text, threads of one channel alike."""
        return f"{self.platform}/{self.space}/{self.channel}"

    @property
    def thread_key(self) -> str:
        """The room and the thread as one text: messages with one thread key are answered in order."""
        return f"{self.key}#{self.thread or ''}"

    @property
    def channel_room(self) -> "Room":
        """The room without its thread."""
        return replace(self, thread=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where a memory is readable: a whole space, one room, or one person's own chats."""

    kind: ScopeKind
    key: str


def scope_of(room: Room, author: Person) -> Scope:
    """Return the narrowest scope that fits what `author` wrote in `room`."""
    if room.kind == "direct":
        return personal_scope(author)
    if room.kind == "public" and not room.external and room.space:
        return space_scope(room)
    return room_scope(room)


def readable(
    room: Room, person: Person, memberships: Iterable[Scope] = (), *, private_reply: bool = False
) -> tuple[Scope, ...]:
    """Return every scope that an answer to `person` in `room` may use.

    `memberships` are scopes of rooms and spaces that the platform confirmed for this person just now; they
    count in a direct chat only. `private_reply`: only the person sees the answer (ephemeral).
    """
    if room.kind == "direct":
        own_space = (space_scope(room),) if room.space and not person.external else ()
        confirmed = tuple(scope for scope in memberships if scope.kind != "person")
        return tuple(dict.fromkeys((personal_scope(person), *own_space, *confirmed)))
    if room.external or person.external:
        return (room_scope(room),)
    shared = (space_scope(room),) if room.space else (room_scope(room),)
    own_room = (room_scope(room),) if room.kind == "private" else ()
    own_person = (personal_scope(person),) if private_reply else ()
    return tuple(dict.fromkeys((*shared, *own_room, *own_person)))


def space_scope(room: Room) -> Scope:
    """Return the scope of everything public in the room's space."""
    return Scope(kind="space", key=f"{room.platform}/{room.space}")


def room_scope(room: Room) -> Scope:
    """Return the scope of this room alone."""
    return Scope(kind="room", key=room.key)


def personal_scope(person: Person) -> Scope:
    """Return the scope that this person alone may read."""
    return Scope(kind="person", key=person.key)
