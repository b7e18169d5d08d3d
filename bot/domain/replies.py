"""What the bot says besides answers: notices with buttons, and signs on a message."""

from dataclasses import dataclass
from typing import Literal

Sign = Literal["seen", "saved", "known", "failed"]
NoticeKind = Literal["text", "receipt", "trace", "help"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button under a notice or an answer; pressing it comes back as an `Action`."""

    name: str
    """The action's name."""
    target: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One whole message at once: a receipt, a command's result, a help text."""

    text: str
    """Markdown."""
    buttons: tuple[Button, ...] = ()
    kind: NoticeKind = "text"
    memory_ids: tuple[str, ...] = ()
