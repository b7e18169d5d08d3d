"""What the command line prints: results on standard output, everything else in sentences on standard error."""

import json
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from bot.domain.lines import printable
from bot.domain.memories import Memory
from bot.wording import reason_of as why_not_read

BAR_WIDTH = 30
STEP_PERCENT = 10
LONG_TEXT = 50
"""Chunks from which the reading of one text takes so long that its progress is shown."""


def emit(value: Mapping[str, Any]) -> None:
    """Print one JSON object on a line of its own, at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def show(text: str) -> None:
    """Print a result for people, without control codes."""
    sys.stdout.write(printable(text) + "\n")
    sys.stdout.flush()


def tell(text: str) -> None:
    """Say something about the work itself, on standard error."""
    sys.stderr.write(printable(text) + "\n")
    sys.stderr.flush()


def reason_of(memory: Memory) -> str:
    """Say why a memory is not ready, in a sentence; nothing for one that is."""
    if memory.state not in {"link_only", "failed"}:
        return ""
    return why_not_read(memory) or "it could not be read"


def state_word(memory: Memory) -> str:
    """Say a memory's state in a word or two."""
    if memory.state == "link_only" and memory.kind == "file":
        return "name only"
    return memory.state.replace("_", " ")


def memory_value(memory: Memory) -> dict[str, Any]:
    """Return a memory as `list` and `show` print it in JSON."""
    return {
        "memory_id": memory.memory_id,
        "kind": memory.kind,
        "status": memory.state,
        "title": memory.title,
        "url": memory.url,
        "key": memory.key,
        "note": memory.note,
        "tags": list(memory.tags),
        "pocket": memory.pocket,
        "pinned": memory.pinned,
        "person": memory.person.name or memory.person.person_id,
        "room": memory.room.name or memory.room.channel,
        "shared_at": memory.shared_at.isoformat(),
        "chunks": memory.chunks,
        "reason": reason_of(memory),
    }


class Progress:
    """How far bulk work is, on standard error: a bar on a terminal, a line at every tenth elsewhere."""

    def __init__(self, total: int, what: str) -> None:
        self._total = total
        self._what = what
        self._quiet = total <= 1
        self._bar = sys.stderr.isatty()
        self._said = -1
        self._inside: dict[str, int] = {}

    def __enter__(self) -> Self:
        self.reached(0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def reached(self, done: int) -> None:
        """Show that so many are done."""
        if self._quiet:
            return
        percent = 100 * done // self._total
        if self._bar:
            filled = BAR_WIDTH * done // self._total
            bar = "█" * filled + "░" * (BAR_WIDTH - filled)
            sys.stderr.write(f"\r{bar} {percent:3d} % · {done} of {self._total} {self._what}\x1b[K")
        elif percent // STEP_PERCENT > self._said // STEP_PERCENT or self._said < 0:
            self._said = percent
            sys.stderr.write(f"{percent} % · {done} of {self._total} {self._what}\n")
        sys.stderr.flush()

    def inside(self, name: str, done: int, total: int) -> None:
        """Show how far one long text is, of which so many chunks have their vectors; short ones are done in no time."""
        if total < LONG_TEXT:
            return
        percent = 100 * done // total
        if self._bar:
            sys.stderr.write(f"\r{name}: {done} of {total} chunks read\x1b[K")
        elif self._inside.get(name, -1) // STEP_PERCENT < percent // STEP_PERCENT:
            sys.stderr.write(f"{percent} % · {name}: {done} of {total} chunks read\n")
        self._inside[name] = percent
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the bar away, so that a result can be printed in its place."""
        if self._bar and (self._inside or not self._quiet):
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
