"""What people write: messages with everything needed to act on them, and the turns of a conversation."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.domain.rooms import Person, Room, Scope

OriginKind = Literal["person", "hidden", "room", "channel"]
Speaker = Literal["person", "bot"]
Surface = Literal["message", "command", "shortcut", "reaction", "menu", "import", "api"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An address in a message, as it would be opened."""

    url: str
    label: str = ""
    """The words it hides behind, where it is a masked or text link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that came with a message; `path` is a local copy, made by the adapter within the size limit."""

    name: str
    media_type: str = ""
    size: int = 0
    path: str = ""
    caption: str = ""
    url: str = ""
    """Where the platform keeps it (for people to open; may need their login)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What the platform itself shows of a link: serves when the page cannot be read."""

    url: str
    title: str = ""
    description: str = ""
    site: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a forwarded message was first written; kept apart from who saved it."""

    kind: OriginKind
    name: str = ""
    url: str = ""
    """The permalink, where the platform gives one."""
    written_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message, the same from every platform. It never knows the bot."""

    message_id: str
    """Unique inside its room."""
    room: Room
    author: Person
    text: str
    """Plain text or Markdown, the bot's own mention already taken out."""
    sent_at: datetime
    """With a time zone."""
    links: tuple[Link, ...] = ()
    """Addresses the platform itself marked; those standing in `text` are found by the core."""
    attachments: tuple[Attachment, ...] = ()
    previews: tuple[Preview, ...] = ()
    origin: Origin | None = None
    addressed: bool = False
    """A mention, a reply to the bot, a direct chat, a command: somebody expects an answer."""
    replying_to_bot: bool = False
    replied: "Message | None" = None
    """The message this one replies to, where the platform sends it."""
    surface: Surface = "message"
    """How it came: `shortcut`, `menu` and `reaction` ask to save the message itself."""
    private_reply: bool = False
    """Only the author will see the answer (ephemeral)."""
    memberships: tuple[Scope, ...] = ()
    """Scopes of rooms and spaces that the platform confirmed for the author just now (direct chats)."""
    timezone: str = ""
    """The author's time zone, as an IANA name, where the platform tells."""
    language: str = ""
    comment: str = ""
    """Words of the author's own beside a message that somebody else wrote (a forward's comment)."""
    permalink: str = ""
    """Where people can open this message."""
    mentioned: tuple[Person, ...] = ()
    """People named in the text (not the bot)."""
    mentioned_rooms: tuple[Room, ...] = ()
    administrator: bool = False
    """Whether the platform says that the author runs this room (the console's person always does)."""
    watched: bool = True
    """Whether links in this room are saved without being asked for, as far as the platform lets us see."""

    @property
    def key(self) -> str:
        """The message as one text, unique over all platforms."""
        return f"{self.room.key}/{self.message_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One thing said in a conversation with the bot: a question, or its answer."""

    speaker: Speaker
    text: str
    at: datetime
    name: str = ""
    turn_id: int = 0
    """Given by the storage; 0 before."""
    standalone: str = ""
    """For a question: what was really searched."""
    memory_ids: tuple[str, ...] = ()
    """The memories that it tells of: it goes when one of them is forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A button pressed or a reaction given under something that the bot wrote."""

    name: str
    """One of `bot.commands.ACTIONS`: undo, retry, edit, tags, up, down, why, share, stop, confirm, cancel."""
    target: str
    """A memory id, a trace id or a confirmation code, as the button carries it."""
    person: Person
    room: Room
    at: datetime
    value: str = ""
    """What was typed with it: a reason, a new title."""
    private_reply: bool = True
    memberships: tuple[Scope, ...] = ()
    administrator: bool = False
    timezone: str = ""
