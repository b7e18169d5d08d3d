"""What a platform's destination offers to a reply: an Outlet, the drafts it takes, and what may go wrong."""

import json
from dataclasses import dataclass
from typing import Literal, Protocol

from adapters.pacing import Pace
from bot.domain.replies import Button, NoticeKind, Sign

Stage = Literal["status", "live", "final"]
DraftKind = NoticeKind | Literal["answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One of the bot's messages as it should stand now."""

    markdown: str
    """This part alone, with what had to be closed and reopened; measures at most the limit."""
    stage: Stage
    """`final` also for a part that is full while the answer still grows: it is complete in itself."""
    key: str
    """Known before it is posted and the same after a restart: for an idempotency key of the platform."""
    buttons: tuple[Button, ...] = ()
    """In the last part of a final text; a stop button while it grows."""
    kind: DraftKind = "answer"


class Outlet(Protocol):
    """One destination of a platform: what EditedReply writes to. Each platform has its own in outbound.py.

    Every call raises RetryLater, Undeliverable, TooLong; `post` also MaybeSent; `edit` also MessageGone. An edit that
    changes nothing is a success.
    """

    @property
    def limit(self) -> int:
        """The greatest size of a message, by `measure`."""

    @property
    def pace(self) -> Pace:
        """The pace of the next call."""

    @property
    def live(self) -> bool:
        """Whether a growing text is shown; False where edits are few (private replies)."""

    @property
    def status_apart(self) -> bool:
        """Whether `status` shows what is going on outside any message (a typing line), or it is not shown."""

    def measure(self, markdown: str, /) -> int:
        """Return the size of a piece of Markdown as the platform counts it once rendered."""

    async def status(self, text: str) -> None:
        """Show what is going on; called only where `status_apart`."""

    async def post(self, draft: Draft) -> str:
        """Write a new message; returns its reference for `edit`."""

    async def edit(self, reference: str, draft: Draft) -> str | None:
        """Make the message look like the draft; returns its new reference where it has become another message."""

    async def delete(self, reference: str) -> None:
        """Take a message away; one that is gone is a success."""

    async def find(self, key: str) -> str | None:
        """Return the reference of a post whose reply was lost, or None where it did not arrive or nobody can say."""

    async def mark(self, sign: Sign) -> None:
        """Put a sign on the message replied to, or nothing where the platform has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What is known of a reply after a restart; kept in the inbox as its `reply_ref`."""

    references: tuple[str, ...] = ()
    pending: str = ""
    """The key of a post that was under way."""
    done: bool = False
    """The final text has arrived: there is nothing more to do."""

    @classmethod
    def read(cls, text: str) -> "Written":
        """Return what was remembered, or nothing known."""
        if not text:
            return cls()
        value = json.loads(text)
        return cls(references=tuple(value["references"]), pending=value["pending"], done=value["done"])

    def written(self) -> str:
        """Return the same as JSON."""
        return json.dumps({"references": self.references, "pending": self.pending, "done": self.done})


class Trouble(Exception):
    """A call to a platform did not do what it was for. Below: every way in which that may happen."""


class RetryLater(Trouble):
    """The platform takes no call now: after `seconds` (its Retry-After), or after a growing wait of our own."""

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__(f"retry after {seconds} s" if seconds else "retry later")
        self.seconds = seconds


class Lost(Trouble):
    """The call went out, and whether it was done nobody knows."""


class MaybeSent(Trouble):
    """A post went out and its reply was lost: sending it again could show it twice."""


class TooLong(Trouble):
    """The platform counts more than we did: the text is split again into smaller parts."""


class MessageGone(Trouble):
    """The message to edit is no longer there."""


class Undeliverable(Trouble):
    """Nothing can be written here: no such place, no permission. Says why."""
