"""The exceptions, each with a sentence that a person could read.

PalaceError
├── BadInput              the person can mend it: an unknown command, an empty file, a folder
├── Unreadable            a page or file could not be read; carries the reason's name
│   ├── TemporarilyUnreadable   the same, worth another try later
│   └── RefusedAddress          an address that is never fetched
├── NotAllowed            this person in this room may not
├── ModelTrouble          the language model gave nothing usable
│   ├── ModelUnavailable  overloaded, unreachable, broken off
│   ├── ModelRefused      it declined
│   ├── ModelReplyBroken  its reply cannot be read as asked for
│   └── PromptTooLong     more than its window
├── StorageTrouble        the disk is full, the file is read-only, corrupt or locked
└── NotReady              something needed is still loading
"""

from bot.domain.answers import ModelUse
from bot.domain.memories import Page, Reason


class PalaceError(Exception):
    """Base of all ours; `str(error)` may be shown to a person."""


class BadInput(PalaceError):
    """The person can mend it."""


class Unreadable(PalaceError):
    """A page or file could not be read."""

    def __init__(self, sentence: str, *, reason: Reason = "unreadable", final_url: str = "") -> None:
        super().__init__(sentence)
        self.reason: Reason = reason
        self.final_url = final_url
        self.metadata: Page | None = None
        """What is known all the same (title, description, site), where the page said it without its text."""


class TemporarilyUnreadable(Unreadable):
    """A page could not be read now; another try may succeed."""

    def __init__(
        self,
        sentence: str,
        *,
        reason: Reason = "unreachable",
        final_url: str = "",
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(sentence, reason=reason, final_url=final_url)
        self.retry_after_s = retry_after_s


class RefusedAddress(Unreadable):
    """An address that is never fetched: private, loopback, link-local, metadata, not http(s)."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, reason="refused_address")


class NotAllowed(PalaceError):
    """This person in this room may not."""


class ModelTrouble(PalaceError):
    """The language model gave nothing usable; carries what it cost and what it said all the same."""

    def __init__(self, sentence: str, *, use: ModelUse | None = None, raw: str = "") -> None:
        super().__init__(sentence)
        self.use = use
        self.raw = raw


class ModelUnavailable(ModelTrouble):
    """Overloaded, unreachable, or broken off in the middle."""


class ModelRefused(ModelTrouble):
    """The model declined."""


class ModelReplyBroken(ModelTrouble):
    """The reply cannot be read as asked for: malformed, cut, wrong types."""


class PromptTooLong(ModelTrouble):
    """More than the model's window."""


class StorageTrouble(PalaceError):
    """The disk is full, or the file is read-only, corrupt or locked."""


class NotReady(PalaceError):
    """Something needed is still loading."""
