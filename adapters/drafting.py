"""Compare what stands in a chat with what should stand there, and name the next single call (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from adapters.outlet import Draft, DraftKind, Stage
from adapters.pacing import Call
from adapters.splitting import Splitter, unfinished_tail
from bot.domain.replies import Button

Shown = tuple[str, Draft | None]
"""A message of ours: its reference, and what it shows as far as this process knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The newest state that the reply should reach."""

    text: str
    stage: Stage
    buttons: tuple[Button, ...] = ()
    kind: DraftKind = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The next single call towards what is wanted."""

    call: Call
    number: int = 0
    draft: Draft = field(default_factory=lambda: Draft(markdown="", stage="status", key=""))


def next_step(shown: Sequence[Shown], drafts: Sequence[Draft]) -> Step | None:
    """Return the next call that brings the messages shown towards the drafts; None when they are alike."""
    for number, draft in enumerate(drafts):
        if number >= len(shown):
            return Step(call="post", number=number, draft=draft)
        reference, standing = shown[number]
        if reference and not _same(standing, draft):
            kept_key = standing.key if standing else draft.key
            return Step(call="edit", number=number, draft=replace(draft, key=kept_key))
    if drafts and len(shown) > len(drafts):
        return Step(call="delete", number=len(shown) - 1)
    return None


def drafts_of(wanted: Wanted, splitter: Splitter, *, key: str) -> tuple[Draft, ...]:
    """Return every message of a reply; none while there is no whole word to show."""
    text = wanted.text[: unfinished_tail(wanted.text)] if wanted.stage == "live" else wanted.text
    if not text.strip() and wanted.stage == "live":
        return ()
    *full, last = splitter.parts(text)
    return (
        *(Draft(markdown=part, stage="final", key=key, kind=wanted.kind) for part in full),
        Draft(markdown=last, stage=wanted.stage, key=key, kind=wanted.kind, buttons=wanted.buttons),
    )


def _same(shown: Draft | None, draft: Draft) -> bool:
    return shown is not None and replace(shown, key="") == replace(draft, key="")
