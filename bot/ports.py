"""The seams: what the bot offers to its adapters (Core, Reply), and what it needs from outside."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from bot.domain.answers import Answer, ModelUse, Trace, Vote, VotedPassage
from bot.domain.memories import (
    Chunk,
    Filters,
    Forgotten,
    Kept,
    Memory,
    Page,
    Passage,
    Reason,
    Shared,
    State,
)
from bot.domain.messages import Action, Message, Turn
from bot.domain.replies import Notice, Sign
from bot.domain.rooms import Room, Scope

Vectors = NDArray[np.float32]
"""Shape (n, dimensions), float32, each row of length 1."""


# What the bot offers ------------------------------------------------------------------------------------


class Reply(Protocol):
    """Where the bot's words for one message go: bound to its room and thread when it is made.

    `show` takes the whole text so far and calls may be skipped; the text of `finish` always arrives, once.
    """

    async def status(self, text: str) -> None:
        """Show a few words on what is going on, until text comes."""

    async def show(self, text_so_far: str) -> None:
        """Show the answer so far; returns at once, never sleeps for the platform's pace."""

    async def finish(self, answer: Answer) -> None:
        """Deliver the final answer with its sources and buttons; returns when it has arrived."""

    async def fail(self, reason: str) -> None:
        """Say in one plain sentence why there is no answer, in the place of the answer."""

    async def say(self, notice: Notice) -> None:
        """Post a whole message at once: a receipt, a command's result."""

    async def mark(self, sign: Sign) -> None:
        """Put a sign on the message replied to (a reaction), or nothing where that cannot be done."""

    @property
    def stopped(self) -> bool:
        """Whether the person asked this answer to stop."""


class Core(Protocol):
    """What an adapter calls. Every method is safe to call again with the same message."""

    async def receive(self, message: Message, reply: Reply) -> None:
        """Act on a new message: save, answer, run a command, or do nothing. Failures go to `reply.fail`."""

    async def edited(self, message: Message, reply: Reply) -> None:
        """Follow an edit: links added are saved, links removed are dropped if nobody else shared them."""

    async def deleted(self, room: Room, message_id: str) -> None:
        """Follow a delete: what this message alone shared is forgotten."""

    async def act(self, action: Action, reply: Reply) -> None:
        """Do what a button or a reaction asks for."""

    async def suggest(
        self, typed: str, scopes: Sequence[Scope], *, kind: Literal["title", "tag", "pocket"]
    ) -> tuple[str, ...]:
        """Complete a saved title, tag or pocket, at most 25."""

    async def search(self, text: str, scopes: Sequence[Scope]) -> tuple[Memory, ...]:
        """Return memories with these words (the newest without any), at most 25: for finding while one types."""

    async def moved(self, old: Room, new: Room) -> None:
        """Re-key everything of a room whose id changed (Telegram supergroup migration)."""

    @property
    def command_table(self) -> Sequence["CommandRow"]:
        """Every command, for registration and completion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRow:
    """One command as platforms register it."""

    name: str
    help: str
    """One sentence, at most 100 characters."""
    argument: str = ""
    """What to type after it, in words; empty for none."""
    completes: Literal["", "title", "tag", "pocket"] = ""
    administrators_only: bool = False
    example: str = ""
    """The command as somebody would type it."""


class Adapter(Protocol):
    """One platform: connects, listens, and hands every message to the core until cancelled."""

    name: str

    async def run(self, core: Core) -> None:
        """Listen until cancelled; recovers by itself from lost connections."""

    def health(self) -> "AdapterHealth":
        """Say how it is, at once, without asking outside."""


class Platform(Adapter, Protocol):
    """An adapter with somebody outside who can be asked about us."""

    async def examine(self) -> "AdapterHealth":
        """Ask who we are there and what we may do, until there is an answer. BadInput for a refused token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterHealth:
    """What `doctor` and the health endpoint tell of an adapter."""

    name: str
    connected: bool
    last_event_at: datetime | None = None
    waiting: int = 0
    """Events in the inbox not finished."""
    note: str = ""


# What the bot needs: the web and files ------------------------------------------------------------------


class PageReader(Protocol):
    """Reads addresses and files into Markdown. Raises Unreadable, TemporarilyUnreadable, RefusedAddress."""

    async def read(self, url: str, *, etag: str = "", last_modified: str = "") -> Page | None:
        """Fetch and read an address; None when it has not changed since `etag`/`last_modified`."""

    async def read_file(self, path: Path, *, name: str = "", media_type: str = "") -> Page:
        """Read a local file. BadInput for a folder or a missing file, Unreadable with its reason for the rest."""

    async def read_bytes(self, content: bytes, *, url: str, media_type: str = "") -> Page:
        """Read bytes already at hand (a browser's capture, standard input)."""

    def warm(self) -> None:
        """Begin to load what a first page needs, and return at once."""


# What the bot needs: models -----------------------------------------------------------------------------


class Embedder(Protocol):
    """Turns texts into vectors, off the event loop."""

    @property
    def model_name(self) -> str:
        """What is recorded beside the vectors."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    @property
    def max_tokens(self) -> int:
        """Tokens of one text that the model reads, special tokens included; the rest falls off its end."""

    @property
    def tokenizer(self) -> Tokenizer:
        """The model's own tokenizer, without truncation or padding. Raises NotReady while loading."""

    @property
    def ready(self) -> bool:
        """Whether the model is loaded."""

    async def load(self) -> None:
        """Load the model, once; later calls wait for the first."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one normalised vector a text, in order; waits until the model is loaded."""

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return the same for questions, ahead of any bulk work, with a small cache."""

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        """Return one row a token of `tokenizer` for each text, as the model reads it there; ahead of any bulk work.

        Rows are not normalised; what falls off the end of a long text has none.
        """


ModelRole = Literal["planning", "answering"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One call of a language model."""

    role: ModelRole
    step: str
    system: str
    """Byte-identical from call to call (it is cached): nothing that varies, no saved text."""
    content: str
    """Everything that varies: the question, the history, fenced data."""
    schema: Mapping[str, Any] | None = None
    """JSON Schema of the structured reply; None for free text."""
    max_tokens: int = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A structured reply, an object whose fields the step itself reads and checks, and what it cost."""

    value: Mapping[str, Any]
    use: ModelUse


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A piece of a streamed text: `text` is to be appended; `use` is what was paid so far, whole in the last piece."""

    text: str = ""
    use: ModelUse | None = None
    cut: bool = False
    """The model ran into `max_tokens`."""


class LanguageModel(Protocol):
    """A language model outside. Raises ModelUnavailable, ModelRefused, ModelReplyBroken, PromptTooLong."""

    async def fill(self, request: ModelRequest) -> Filled:
        """Return the structured reply to `request.schema`."""

    def write(self, request: ModelRequest) -> AsyncIterator[Written]:
        """Stream a text; a broken stream raises, after its pieces."""

    @property
    def window_tokens(self) -> int:
        """How many tokens fit a prompt, with a safety margin taken off."""


# What the bot needs: memory on disk ---------------------------------------------------------------------


class MemoryStore(Protocol):
    """The memories: kept, read, queued, edited, forgotten. Raises StorageTrouble."""

    async def keep(self, shared: Shared, *, state: State = "queued") -> Kept:
        """Write a share and its memory, searchable by title, note and address at once; idempotent by source."""

    async def claim(self, now: datetime, *, limit: int) -> tuple[Memory, ...]:
        """Take queued or due memories into `fetching`, the newest share first; they stay its until released."""

    async def release_stale(self) -> int:
        """Put what a killed process left in `fetching` back to `queued`; called once at start."""

    async def write_version(
        self, memory_id: str, page: Page, chunks: Sequence[Chunk], vectors: Vectors | None, *, now: datetime
    ) -> Memory | None:
        """Replace page, chunks, FTS rows and vectors in one transaction and set `ready`; None if forgotten meanwhile.

        `vectors` None: the content is unchanged, only the page's data is refreshed.
        """

    async def set_state(
        self,
        memory_id: str,
        state: State,
        *,
        reason: Reason = "",
        detail: str = "",
        next_try: datetime | None = None,
        page: Page | None = None,
        chunks: Sequence[Chunk] = (),
        vectors: Vectors | None = None,
    ) -> None:
        """Record how reading ended; a `link_only` may carry what metadata gave, with its own chunks."""

    async def add_aliases(self, memory_id: str, keys: Sequence[str]) -> str | None:
        """Record more keys of the same page; returns the id of another memory of this scope that holds one, if any."""

    async def merge(self, memory_id: str, into: str) -> Memory:
        """Make two memories of one scope one: shares, notes, tags and aliases move to `into`."""

    async def get(self, memory_id: str, scopes: Sequence[Scope] | None = None) -> Memory | None:
        """Return one memory with its text, if `scopes` may read it (None: everything, for the owner's command line).

        `memory_id` may be a unique beginning of at least 4 characters.
        """

    async def find(self, key: str, scopes: Sequence[Scope] | None = None) -> tuple[Memory, ...]:
        """Return the memories that have this key or alias."""

    async def of_source(self, source: str) -> tuple[Memory, ...]:
        """Return what one message shared."""

    async def last_source(self, *, person_key: str, room_key: str) -> str:
        """Return the source of what a person shared last in a room, or nothing."""

    async def previous_text(self, memory_id: str) -> str:
        """Return the text of the version before the present one, or nothing."""

    async def list(
        self,
        filters: Filters,
        scopes: Sequence[Scope] | None,
        *,
        limit: int = 50,
        offset: int = 0,
        matching: str = "",
    ) -> tuple[Memory, ...]:
        """Return memories newest first, pinned before; `matching`: with these words in title, note, tags or text."""

    async def count(self, filters: Filters, scopes: Sequence[Scope] | None, *, matching: str = "") -> int:
        """Return the exact number that `list` would page through."""

    async def edit(
        self,
        memory_id: str,
        *,
        title: str | None = None,
        note: str | None = None,
        tags: Sequence[str] | None = None,
        pocket: str | None = None,
        pinned: bool | None = None,
    ) -> Memory | None:
        """Change what people may change; the index follows in the same transaction."""

    async def retry(self, memory_id: str) -> Memory | None:
        """Queue it again now."""

    async def vocabulary(
        self, scopes: Sequence[Scope], *, kind: Literal["tag", "pocket", "title"], starting: str = ""
    ) -> tuple[str, ...]:
        """Return the tags, pockets or titles of these scopes, most used first."""

    async def unshare(self, source: str, *, key: str = "") -> Forgotten:
        """Take back one act of sharing (one item of it with `key`); a memory nobody else shared is forgotten."""

    async def forget(self, memory_ids: Sequence[str]) -> Forgotten:
        """Remove from every table, index, vector, trace and alias; the counts are of rows really removed."""

    async def move_room(self, old: Room, new: Room) -> int:
        """Re-key everything of a room; returns the number of rows changed."""

    async def person_names(self, scopes: Sequence[Scope]) -> tuple[str, ...]:
        """Return the names of people who shared something readable here."""

    async def room_names(self, scopes: Sequence[Scope]) -> tuple[str, ...]:
        """Return the names of rooms in which something readable here was shared."""

    def export(self) -> AsyncIterator[Mapping[str, Any]]:
        """Yield every record of the palace as JSON values, complete enough for `restore`."""

    async def restore(self, record: Mapping[str, Any]) -> bool:
        """Write one record of an export; False if it was there already."""

    async def stats(self) -> Mapping[str, int]:
        """Return counts by state and kind, chunks, and the file's size in bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One chunk found by one wording in one way."""

    chunk_id: int
    memory_id: str
    score: float
    """Cosine for meaning; -bm25 for words: higher is better."""


class PassageSearch(Protocol):
    """Search of chunks; the scope filter stands inside every query, before any cut."""

    async def by_meaning(
        self, vector: Vectors, scopes: Sequence[Scope], filters: Filters, *, limit: int
    ) -> tuple[Hit, ...]:
        """Return the nearest chunks of the readable scopes, best first. `vector`: shape (dimensions,)."""

    async def by_words(self, text: str, scopes: Sequence[Scope], filters: Filters, *, limit: int) -> tuple[Hit, ...]:
        """Return chunks by BM25 for any text a person types, best first; falls back to counting distinct terms."""

    async def passages(self, chunk_ids: Sequence[int], scopes: Sequence[Scope]) -> tuple[Passage, ...]:
        """Return these chunks with what is needed to quote them, in the given order, readable ones only."""

    async def vectors(self, chunk_ids: Sequence[int]) -> Vectors:
        """Return the stored vectors of these chunks, in order; a missing one is a row of zeros."""

    async def document_frequency(self, terms: Sequence[str], scopes: Sequence[Scope]) -> Mapping[str, int]:
        """Return in how many chunks each term occurs, over the whole index (a statistic, no text)."""

    async def chunk_total(self) -> int:
        """Return how many chunks there are."""


class Transcript(Protocol):
    """What was said with the bot, by room and thread, and the recall of older turns."""

    async def add(self, room: Room, turn: Turn, scope: Scope, *, vector: Vectors | None = None) -> Turn:
        """Write one turn; its vector is computed once, here. Empty texts are refused (BadInput)."""

    async def last(self, room: Room, *, limit: int) -> tuple[Turn, ...]:
        """Return the newest turns of this thread (or room), oldest first."""

    async def similar(
        self,
        room: Room,
        scopes: Sequence[Scope],
        text: str,
        vector: Vectors | None,
        *,
        limit: int,
        before_id: int,
    ) -> tuple[tuple[Turn, float], ...]:
        """Return older turns by words and meaning with their scores, best first; never outside `scopes`."""

    async def forget_room(self, room: Room) -> int:
        """Remove every turn of a room."""


class TraceLog(Protocol):
    """Recorded answers and what people said of them."""

    async def add(self, trace: Trace) -> None:
        """Write a trace."""

    async def get(self, trace_id: str) -> Trace | None:
        """Return one trace."""

    async def last(self, room: Room, *, person_key: str = "") -> Trace | None:
        """Return the newest trace of this room (of this person there)."""

    async def summary(self, *, since: datetime | None = None) -> "AnswerStats":
        """Return counts for `palace stats`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerStats:
    """What `palace stats` says about answers."""

    answers: int = 0
    verdicts: tuple[tuple[str, int], ...] = ()
    intents: tuple[tuple[str, int], ...] = ()
    fallbacks: tuple[tuple[str, int], ...] = ()
    votes_up: int = 0
    votes_down: int = 0
    uses: tuple[ModelUse, ...] = ()
    """Summed by model."""
    calls: tuple[tuple[str, int], ...] = ()
    """Model calls by model."""
    took_ms_median: int = 0


class Feedback(Protocol):
    """Votes, and what they say of passages for questions that mean the same."""

    async def vote(self, vote: Vote, *, question_vector: Vectors, scope: Scope, passages: Sequence[Passage]) -> Vote:
        """Write a vote; a second one of the same person on the same answer replaces the first."""

    async def for_question(
        self, question_vector: Vectors, scopes: Sequence[Scope], *, floor: float
    ) -> tuple[VotedPassage, ...]:
        """Return voted chunks of questions at least `floor` similar to this one, in these scopes."""

    async def list(self, scopes: Sequence[Scope], *, limit: int = 20) -> tuple[tuple[Vote, str], ...]:
        """Return votes with the question they were on, newest first."""

    async def undo(self, vote_id: int, *, person_key: str) -> bool:
        """Take a vote back."""


class RoomSettings(Protocol):
    """What people set for a room or for themselves: watch, recall, default pocket, introduced."""

    async def get(self, key: str, name: str) -> str | None:
        """Return one setting of a room's or person's key."""

    async def set(self, key: str, name: str, value: str | None) -> None:
        """Write one setting; None removes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxEvent:
    """A platform's event, kept before it is acknowledged."""

    source: str
    """Which adapter: `slack`, `discord`, `telegram`."""
    keys: tuple[str, ...]
    """Every id under which it may be delivered again; one known key makes it a duplicate."""
    body: str
    """The event as JSON, enough to work it again after a crash."""
    order_key: str
    """Events with one order key are worked one after the other."""
    received_at: datetime
    event_id: int = 0
    attempts: int = 0
    reply_ref: str = ""
    """JSON: the bot's own message for this event, once posted, so that a restart edits it."""
    state: Literal["waiting", "working", "done", "broken"] = "waiting"
    error: str = ""


class Inbox(Protocol):
    """The durable inbox: put before the acknowledgement, worked from here, exactly once."""

    async def put(self, event: InboxEvent) -> InboxEvent | None:
        """Write an event under its keys in one transaction; None if any key is known."""

    async def unfinished(self, source: str) -> tuple[InboxEvent, ...]:
        """Return what a former process left waiting or working, oldest first."""

    async def start(self, event_id: int) -> None:
        """Mark as being worked; counts an attempt."""

    async def set_reply(self, event_id: int, reply_ref: str) -> None:
        """Remember the bot's own message for this event."""

    async def finish(self, event_id: int, *, error: str = "") -> None:
        """Mark as done (or broken, with why)."""

    async def waiting(self, source: str) -> int:
        """Return how many are not finished."""

    async def value(self, source: str, name: str) -> str | None:
        """Return a small value of the adapter's own (an offset, the last message seen in a channel)."""

    async def set_value(self, source: str, name: str, value: str) -> None:
        """Write such a value."""

    async def prune(self, *, before: datetime) -> int:
        """Remove finished events older than that; their keys stay as long."""


class Storage(Protocol):
    """Everything on disk, opened together."""

    memories: MemoryStore
    search: PassageSearch
    transcript: Transcript
    traces: TraceLog
    feedback: Feedback
    rooms: RoomSettings
    inbox: Inbox

    async def describe(self) -> Mapping[str, str]:
        """Return what `doctor` tells: driver, SQLite version, file, size, integrity, embedding model."""

    async def prepare_embeddings(self, *, model_name: str, dimensions: int) -> bool:
        """Record the embedding model; True when stored vectors are of another one and must be made again."""

    async def stale_chunks(self, *, limit: int) -> tuple[tuple[int, str], ...]:
        """Return (chunk_id, text to embed) of chunks without a vector of the recorded model."""

    async def write_vectors(self, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        """Write vectors of stale chunks."""

    async def maintain(self) -> Mapping[str, int]:
        """Give space back, leave no deleted word in the file; may be interrupted without loss."""

    async def maintenance_due(self) -> bool:
        """Whether enough was forgotten, or long enough ago, for `maintain` to run by itself."""


class Clock(Protocol):
    """The time, so that a test can choose it."""

    def now(self) -> datetime:
        """Return the present moment, in UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines:
    """How long things may take, in seconds."""

    step_s: float = 10.0
    first_word_s: float = 30.0
    total_s: float = 35.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """What `Settings` overrides in the pipeline."""

    deadlines: Deadlines = field(default_factory=Deadlines)
    recalled_turns: int = 5
    parameters: Mapping[str, tuple[int, float, float, int]] = field(default_factory=dict)
    """By intent: passages, by meaning, by words, extra wordings."""
