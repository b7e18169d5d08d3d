"""Put together what the bot says: a memory in a line, receipts, what was forgotten, the story of an answer (pure)."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.domain.answers import Trace
from bot.domain.links import shown_url
from bot.domain.memories import Forgotten, Kept, Memory
from bot.words.english import ENGLISH
from bot.words.frame import Words


def reason_of(memory: Memory, words: Words = ENGLISH) -> str:
    """Say why a memory was not read: in English as whoever tried put it, else by the kind of reason."""
    known = words.reasons.get(memory.reason, "")
    return (memory.detail or known) if words is ENGLISH else (known or memory.detail)


def state_of(memory: Memory, words: Words) -> str:
    """Say a memory's state in words; nothing for one that is ready, or that has nothing to be read."""
    reason = reason_of(memory, words)
    match memory.state:
        case "ready":
            return ""
        case "queued" | "fetching":
            return "" if memory.kind in {"note", "message"} else words.waiting
        case "link_only":
            kept = words.file_only if memory.kind == "file" else words.link_only
            return f"{kept}: {reason}" if reason else kept
        case "failed":
            return words.failed.format(reason=reason)


def item_line(memory: Memory, words: Words, *, timezone: str) -> str:
    """Return one memory in one line of Markdown: pin, title as a link, tags, pocket, who, where, when, state, id."""
    title = (memory.title or shown_url(memory.url) or words.untitled).replace("[", "(").replace("]", ")")
    named = f"[{title}](<{memory.url}>)" if memory.url.startswith(("http://", "https://")) else f"**{title}**"
    tags = " ".join(f"#{tag}" for tag in memory.tags)
    pocket = f"{words.facts['pocket']} {memory.pocket}" if memory.pocket else ""
    who = origin_of(memory.person.name, memory.room.name, memory.shared_at, words, timezone)
    parts = [named, tags, pocket, who, state_of(memory, words), f"`{memory.memory_id}`"]
    return ("📌 " if memory.pinned else "") + " · ".join(part for part in parts if part)


def origin_of(person: str, room: str, moment: datetime | None, words: Words, timezone: str) -> str:
    """Say who shared something, where and when: what of it is known."""
    parts = (
        words.by.format(name=person) if person else "",
        words.where.format(name=room) if room else "",
        words.when.format(day=day_of(moment, timezone, words)) if moment else "",
    )
    return " ".join(part for part in parts if part)


def day_of(moment: datetime, timezone: str, words: Words = ENGLISH) -> str:
    """Return a date as people write it: 3 May 2026."""
    local = moment.astimezone(ZoneInfo(timezone))
    return words.day.format(day=local.day, month=words.months[local.month - 1], year=local.year)


def receipt(
    kept: Sequence[Kept], words: Words, *, timezone: str, suggested: Sequence[str] = (), noted: bool = False
) -> str:
    """Say what became of something that somebody asked to keep, in Markdown. `noted`: words came with it."""
    lines = [receipt_line(one, words, timezone, noted=noted) for one in kept]
    if suggested and len(kept) == 1:
        tags = " ".join(f"#{tag}" for tag in suggested)
        lines.append(words.tags_fit.format(tags=tags, command=f"/tag {kept[0].memory.memory_id} {tags}"))
    return "\n".join(lines)


def receipt_line(one: Kept, words: Words, timezone: str, *, noted: bool) -> str:
    """Say what became of one item."""
    memory = one.memory
    line = item_line(memory, words, timezone=timezone)
    if not one.known:
        said = words.saved_pocket if memory.pocket else words.saved
        return said.format(readers=words.readers[memory.scope.kind], pocket=memory.pocket, line=line)
    if not one.new_share:
        return words.saved_already.format(line=line)
    first = origin_of(one.first_person, one.first_room, one.first_at, words, timezone)
    said = words.note_added if noted else words.known
    return said.format(by=f" {first}" if first else "", line=line)


def forgotten(result: Forgotten, still_found: int, words: Words = ENGLISH) -> str:
    """Say what was removed, with true counts, and what a second search found.

    The tables have English names, so that only English sentences count their rows.
    """
    if not result.memories:
        return words.nothing_forgotten
    named = ", ".join(counted(count, *nouns(table)) for table, count in result.rows if count)
    return words.forgotten.format(
        memories=counted_memories(result.memories, words),
        rows=f" ({named})" if words is ENGLISH and named else "",
        proof=words.still_found.format(number=still_found) if still_found else words.none_found,
    )


def counted_memories(number: int, words: Words) -> str:
    """Return so many memories in words."""
    return counted(number, *words.memory)


def nouns(table: str) -> tuple[str, str]:
    """Return what a row of a table is called, one and several: "chunk_words", "aliases"."""
    several = table.replace("_", " ")
    for ending, one in (("ies", "y"), ("ses", "s"), ("s", "")):
        if several.endswith(ending):
            return several.removesuffix(ending) + one, several
    return several, several


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
