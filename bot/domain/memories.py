"""What the palace keeps: something shared, the page behind it, the memory, its chunks and passages."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.domain.messages import Attachment, Origin, Preview
from bot.domain.rooms import Person, Room, Scope

MemoryKind = Literal["link", "file", "message", "note"]
State = Literal["queued", "fetching", "ready", "link_only", "failed"]
Reason = Literal[
    "",
    "js_required",
    "bot_check",
    "consent_wall",
    "paywall",
    "browser_unsupported",
    "too_large",
    "unsupported_type",
    "refused_address",
    "unreachable",
    "not_found",
    "forbidden",
    "server_error",
    "rate_limited",
    "too_many_redirects",
    "timed_out",
    "empty",
    "unreadable",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """One act of sharing: who gave what, where and when. A memory may have several."""

    kind: MemoryKind
    scope: Scope
    room: Room
    person: Person
    shared_at: datetime
    source: str
    """What one act of sharing is known by: `Message.key`, or an import's own id. Same source, same item: one share."""
    url: str = ""
    """The address as received: what people open. Empty for notes and messages."""
    key: str = ""
    """The key under which two addresses are one page (`bot.domain.links.page_key`); a content key for the rest."""
    title: str = ""
    text: str = ""
    """The whole text of a note or a saved message; empty for links and files."""
    note: str = ""
    """The words that came with it."""
    tags: tuple[str, ...] = ()
    pocket: str = ""
    attachment: Attachment | None = None
    preview: Preview | None = None
    origin: Origin | None = None
    permalink: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What was read of an address or a file."""

    url: str
    """The final address, or the file's own name."""
    text: str
    """Markdown: headings, paragraphs, lists, code and tables kept."""
    title: str = ""
    author: str = ""
    site: str = ""
    language: str = ""
    published: str = ""
    """ISO 8601 date, or empty."""
    canonical: str = ""
    """What the page says its own address is, where that could be believed."""
    aliases: tuple[str, ...] = ()
    """The redirects passed on the way."""
    media_type: str = ""
    description: str = ""
    etag: str = ""
    last_modified: str = ""
    hidden_text: bool = False
    """The page carried text that people cannot see; it was dropped."""
    partial: Reason = ""
    """Why only this much could be read (a paywall's teaser, metadata only); empty when whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One thing remembered in one scope, however many people shared it."""

    memory_id: str
    scope: Scope
    kind: MemoryKind
    state: State
    url: str
    key: str
    title: str
    person: Person
    """Who shared it first."""
    room: Room
    shared_at: datetime
    source: str = ""
    reason: Reason = ""
    detail: str = ""
    """The reason in a sentence for people."""
    note: str = ""
    """Every share's note, one a line, oldest first."""
    text: str = ""
    """The readable text (Markdown); filled by `MemoryStore.get`, left empty in lists."""
    tags: tuple[str, ...] = ()
    pocket: str = ""
    pinned: bool = False
    author: str = ""
    site: str = ""
    language: str = ""
    published: str = ""
    description: str = ""
    media_type: str = ""
    etag: str = ""
    last_modified: str = ""
    hidden_text: bool = False
    content_hash: str = ""
    version: int = 0
    """0 until something was read; each re-read that changed it adds one."""
    chunks: int = 0
    shares: int = 1
    attempts: int = 0
    next_try: datetime | None = None
    path: str = ""
    """A local copy of a file that was shared, while it waits to be read."""
    origin: Origin | None = None
    permalink: str = ""
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of a memory's text, small enough for the embedding model with its title line."""

    number: int
    """From 0, in reading order."""
    text: str
    heading: str = ""
    """The headings above it, outermost first, joined by ` > `."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk found for a question, with what is needed to judge, quote and cite it."""

    chunk_id: int
    memory_id: str
    number: int
    text: str
    title: str
    url: str
    score: float = 0.0
    """Fused score; higher is better."""
    similarity: float | None = None
    """Cosine of the best wording and the chunk, in [-1, 1]; None when not found by meaning."""
    found_by: tuple[str, ...] = ()
    """`words:<wording>` and `meaning:<wording>`, in the order found."""
    heading: str = ""
    note: str = ""
    person_name: str = ""
    room_name: str = ""
    shared_at: datetime | None = None
    site: str = ""
    kind: MemoryKind = "link"
    permalink: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Who, where, when and what: conditions inside the search. Empty fields do not filter."""

    person_names: tuple[str, ...] = ()
    """Names as typed, compared without case; `person_ids` where the platform resolved them."""
    person_ids: tuple[str, ...] = ()
    """`Person.key`s."""
    room_names: tuple[str, ...] = ()
    room_keys: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    """Half-open: since <= shared_at < until."""
    kinds: tuple[MemoryKind, ...] = ()
    tags: tuple[str, ...] = ()
    pocket: str = ""
    site: str = ""
    memory_ids: tuple[str, ...] = ()
    states: tuple[State, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is filtered."""
        return self == Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What became of something shared."""

    memory: Memory
    known: bool
    """The page was a memory of this scope already."""
    new_share: bool = True
    """False when this very act of sharing was recorded before (a repeated delivery)."""
    first_person: str = ""
    first_room: str = ""
    first_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """True counts of what was removed, by table."""

    memories: int = 0
    titles: tuple[str, ...] = ()
    rows: tuple[tuple[str, int], ...] = field(default=())
