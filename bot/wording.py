"""The bot's own sentences: what is going on, receipts, lists, the story of an answer (pure)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.domain.answers import StepName, Trace
from bot.domain.links import shown_url
from bot.domain.memories import Forgotten, Kept, Memory
from bot.domain.rooms import Scope

STATUS: Final[dict[StepName, str]] = {
    "route": "Thinking about the question",
    "parameters": "Thinking about the question",
    "rewrite": "Reading the conversation",
    "expand": "Looking for other wordings",
    "recall": "Recalling what was said",
    "retrieve": "Searching the memories",
    "grade": "Judging what was found",
    "budget": "Choosing what to read",
    "generate": "Writing",
    "cite": "Adding the sources",
    "reflect": "Checking the answer",
    "list": "Counting",
}

REASONS: Final[dict[str, str]] = {
    "js_required": "the page shows its text only in a browser",
    "bot_check": "the site asks for proof of being human",
    "consent_wall": "a cookie banner hides the page",
    "paywall": "the page is behind a paywall",
    "browser_unsupported": "the site turns this reader away as an unsupported browser",
    "too_large": "it is too large",
    "unsupported_type": "this kind of file cannot be read",
    "refused_address": "the address leads into a private network",
    "unreachable": "the site could not be reached",
    "not_found": "the page is not there (404)",
    "forbidden": "the site does not allow it",
    "server_error": "the site has trouble",
    "rate_limited": "the site asks to come back later",
    "too_many_redirects": "the address leads in a circle",
    "timed_out": "the site took too long",
    "empty": "there is no text in it",
    "unreadable": "it could not be read",
}

UNEXPECTED: Final = "Something went wrong on my side. Nothing was lost; please try again."


def readers_of(scope: Scope) -> str:
    """Say who can read what is kept in a scope."""
    return {"space": "everyone here", "room": "this room", "person": "only you"}[scope.kind]


def state_of(memory: Memory) -> str:
    """Say a memory's state in words; nothing for one that is ready."""
    reason = memory.detail or REASONS.get(memory.reason, "")
    match memory.state:
        case "ready":
            return ""
        case "queued" | "fetching":
            return "still being read"
        case "link_only":
            return f"kept as a link only: {reason}" if reason else "kept as a link only"
        case "failed":
            return f"not read yet: {reason}; I will try again"


def item_line(memory: Memory, *, timezone: str, with_id: bool = True) -> str:
    """Return one memory in one line of Markdown: pin, title as a link, tags, who, where, when, state, id."""
    title = (memory.title or shown_url(memory.url) or "untitled").replace("[", "(").replace("]", ")")
    named = f"[{title}](<{memory.url}>)" if memory.url.startswith(("http://", "https://")) else f"**{title}**"
    tags = " ".join(f"#{tag}" for tag in memory.tags)
    who = " ".join(
        part
        for part in (
            f"by {memory.person.name}" if memory.person.name else "",
            f"in {memory.room.name}" if memory.room.name else "",
            f"on {day_of(memory.shared_at, timezone)}",
        )
        if part
    )
    parts = [named, tags, who, state_of(memory), f"`{memory.memory_id}`" if with_id else ""]
    return ("📌 " if memory.pinned else "") + " · ".join(part for part in parts if part)


def day_of(moment: datetime, timezone: str) -> str:
    """Return a date as people write it: 3 May 2026."""
    local = moment.astimezone(ZoneInfo(timezone))
    return f"{local.day} {local:%B %Y}"


def receipt(kept: Sequence[Kept], *, timezone: str, suggested: Sequence[str]) -> str:
    """Say what became of something that somebody asked to keep, in Markdown."""
    lines = [receipt_line(one, timezone) for one in kept]
    if suggested and len(kept) == 1:
        tags = " ".join(f"#{tag}" for tag in suggested)
        lines.append(f"Tags in use here that may fit: {tags} (`/tag {kept[0].memory.memory_id} {tags}`)")
    return "\n".join(lines)


def receipt_line(one: Kept, timezone: str) -> str:
    """Say what became of one item."""
    memory = one.memory
    line = item_line(memory, timezone=timezone)
    if not one.known:
        return f"Saved for {readers_of(memory.scope)}: {line}"
    if not one.new_share:
        return f"Saved already: {line}"
    by = f" by {one.first_person}" if one.first_person else ""
    where = f" in {one.first_room}" if one.first_room else ""
    when = f" on {day_of(one.first_at, timezone)}" if one.first_at else ""
    return f"Already saved{by}{where}{when}, your note is added: {line}"


def forgotten(result: Forgotten, still_found: int) -> str:
    """Say what was removed, with true counts, and what a second search found."""
    if not result.memories:
        return "There was nothing to forget."
    rows = ", ".join(f"{count} {table.replace('_', ' ')}" for table, count in result.rows if count)
    proof = "A second search finds none of it." if not still_found else f"A second search still finds {still_found}."
    return f"Forgotten: {counted(result.memories, 'memory', 'memories')} ({rows}). {proof}"


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else many}"


def story(trace: Trace) -> str:
    """Tell how an answer came about, step by step, in Markdown."""
    answer = trace.answer
    lines = [
        f"**{trace.question}**",
        f"Understood as *{answer.intent.replace('_', ' ')}* (confidence {answer.confidence:.2f})"
        + (f", searched as “{answer.standalone}”" if answer.standalone != trace.question else ""),
    ]
    for number, step in enumerate(trace.steps, 1):
        fallback = f" — {step.fallback}" if step.fallback else ""
        lines.append(f"{number}. {step.step} ({step.way}, {step.took_ms} ms): {step.summary}{fallback}")
    grades = {grade.chunk_id: grade for grade in trace.grades}
    for number, passage in enumerate(trace.passages, 1):
        grade = grades.get(passage.chunk_id)
        judged = f"{grade.relevance} ({grade.score:.2f}) {grade.why}" if grade else "ungraded"
        lines.append(f"- [{number}] {passage.title}: {judged}; found by {', '.join(passage.found_by) or 'feedback'}")
    lines.append(f"Verdict: {answer.verdict.replace('_', ' ')}, {answer.took_ms} ms in all.")
    return "\n".join(lines)
