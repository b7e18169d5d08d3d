"""Recorded answers: how each came about, and what all of them add up to."""

import statistics
from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from pydantic import TypeAdapter

from bot.domain.answers import ModelUse, Trace
from bot.domain.rooms import Room
from bot.ports import AnswerStats
from storage.sqlite.database import Connection, Database
from storage.sqlite.rows import microseconds
from storage.sqlite.words import sound

TRACE = TypeAdapter(Trace)


class SqliteTraces:
    """Traces in one SQLite file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, trace: Trace) -> None:
        await self._database.write(lambda db: add(db, trace))

    async def get(self, trace_id: str) -> Trace | None:
        return await self._database.read(lambda db: _one(db, "trace_id = ?", (trace_id,)))

    async def last(self, room: Room, *, person_key: str = "") -> Trace | None:
        condition = "room_key = ?1 AND (?2 = '' OR person_key = ?2)"
        return await self._database.read(lambda db: _one(db, condition, (room.key, person_key)))

    async def summary(self, *, since: datetime | None = None) -> AnswerStats:
        at = 0 if since is None else microseconds(since)
        return await self._database.read(lambda db: _summary(db, at))


def add(connection: Connection, trace: Trace) -> bool:
    """Write a trace and which memories it shows; False if it was there already."""
    answer = trace.answer
    connection.execute(
        "INSERT OR IGNORE INTO traces (trace_id, asked_at, room_key, person_key, question, answer, intent, verdict, "
        "took_ms, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            trace.trace_id,
            microseconds(trace.asked_at),
            trace.room_key,
            trace.person_key,
            sound(trace.question),
            sound(answer.text),
            answer.intent,
            answer.verdict,
            answer.took_ms,
            TRACE.dump_json(trace).decode("utf-8"),
        ),
    )
    if not connection.changes():
        return False
    trace_row = connection.last_insert_rowid()
    connection.executemany(
        "INSERT INTO trace_memories VALUES (?, ?)",
        ((trace_row, memory_id) for memory_id in dict.fromkeys(_memories(trace))),
    )
    return True


def _memories(trace: Trace) -> Iterable[str]:
    yield from (passage.memory_id for passage in trace.passages)
    yield from (citation.memory_id for citation in trace.answer.citations)
    yield from (memory.memory_id for memory in trace.answer.items)


def _one(connection: Connection, condition: str, values: tuple[str, ...]) -> Trace | None:
    row = connection.execute(
        f"SELECT body FROM traces WHERE {condition} ORDER BY trace_row DESC LIMIT 1",
        values,
    ).fetchone()
    return TRACE.validate_json(row[0]) if row else None


def _summary(connection: Connection, since: int) -> AnswerStats:
    traces = [
        TRACE.validate_json(row[0])
        for row in connection.execute("SELECT body FROM traces WHERE asked_at >= ? ORDER BY trace_row", (since,))
    ]
    up, down = connection.execute(
        "SELECT count(*) FILTER (WHERE value > 0), count(*) FILTER (WHERE value < 0) FROM votes WHERE at >= ?", (since,)
    ).fetchone()
    uses = [use for trace in traces for use in trace.uses]
    return AnswerStats(
        answers=len(traces),
        verdicts=_ranked(trace.answer.verdict for trace in traces),
        intents=_ranked(trace.answer.intent for trace in traces),
        fallbacks=_ranked(fallback.step for trace in traces for fallback in trace.answer.fallbacks),
        votes_up=up,
        votes_down=down,
        uses=tuple(_summed(model, uses) for model in sorted({use.model for use in uses})),
        calls=_ranked(use.model for use in uses),
        took_ms_median=round(statistics.median([trace.answer.took_ms for trace in traces])) if traces else 0,
    )


def _ranked(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(Counter(names).most_common())


def _summed(model: str, uses: Iterable[ModelUse]) -> ModelUse:
    own = [use for use in uses if use.model == model]
    return ModelUse(
        model=model,
        step="",
        input_tokens=sum(use.input_tokens for use in own),
        cache_write_tokens=sum(use.cache_write_tokens for use in own),
        cache_read_tokens=sum(use.cache_read_tokens for use in own),
        output_tokens=sum(use.output_tokens for use in own),
    )
