"""Votes on answers, and what they say of passages for questions that mean the same."""

from collections.abc import Sequence

from bot.domain.answers import Vote, VotedPassage
from bot.domain.memories import Passage
from bot.domain.rooms import Scope
from bot.ports import Vectors
from storage.sqlite import vectors
from storage.sqlite.database import Connection, Database
from storage.sqlite.filtering import in_scopes
from storage.sqlite.rows import microseconds, moment, scope_id
from storage.sqlite.words import sound


class SqliteFeedback:
    """Votes in one SQLite file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def vote(self, vote: Vote, *, question_vector: Vectors, scope: Scope, passages: Sequence[Passage]) -> Vote:
        return await self._database.write(lambda db: _vote(db, vote, question_vector, scope, passages))

    async def for_question(
        self, question_vector: Vectors, scopes: Sequence[Scope], *, floor: float
    ) -> tuple[VotedPassage, ...]:
        return await self._database.read(lambda db: _for_question(db, question_vector, scopes, floor))

    async def list(self, scopes: Sequence[Scope], *, limit: int = 20) -> tuple[tuple[Vote, str], ...]:
        return await self._database.read(lambda db: _listed(db, scopes, limit))

    async def undo(self, vote_id: int, *, person_key: str) -> bool:
        return await self._database.write(lambda db: _undo(db, vote_id, person_key))


def _vote(
    connection: Connection, vote: Vote, question_vector: Vectors, scope: Scope, passages: Sequence[Passage]
) -> Vote:
    connection.execute("DELETE FROM votes WHERE trace_id = ? AND person_key = ?", (vote.trace_id, vote.person_key))
    connection.execute(
        "INSERT INTO votes (trace_id, person_key, scope_id, value, reason, at, question, vector) VALUES "
        "(?1, ?2, ?3, ?4, ?5, ?6, coalesce((SELECT question FROM traces WHERE trace_id = ?1), ''), ?7)",
        (
            vote.trace_id,
            vote.person_key,
            scope_id(connection, scope),
            vote.value,
            sound(vote.reason),
            microseconds(vote.at),
            vectors.one(connection, question_vector).tobytes(),
        ),
    )
    vote_id = connection.last_insert_rowid()
    connection.executemany(
        "INSERT INTO vote_passages SELECT ?, ?, memory_row FROM memories WHERE memory_id = ?",
        ((vote_id, chunk_id, memory_id) for chunk_id, memory_id in {p.chunk_id: p.memory_id for p in passages}.items()),
    )
    return Vote(
        trace_id=vote.trace_id, person_key=vote.person_key, value=vote.value, reason=vote.reason, at=vote.at,
        vote_id=vote_id,
    )  # fmt: skip


def _for_question(
    connection: Connection, question_vector: Vectors, scopes: Sequence[Scope], floor: float
) -> tuple[VotedPassage, ...]:
    scoped, numbers = in_scopes(connection, scopes, "v.scope_id")
    rows = connection.execute(
        "SELECT p.chunk_id, m.memory_id, sum(q.value), max(q.cosine) FROM (SELECT v.vote_id, v.value, "
        f"1 - vec_distance_cosine(v.vector, ?) AS cosine FROM votes v WHERE v.vector IS NOT NULL AND {scoped}) q "
        "JOIN vote_passages p USING (vote_id) JOIN memories m USING (memory_row) WHERE q.cosine >= ? "
        "GROUP BY p.chunk_id ORDER BY max(q.cosine) DESC, p.chunk_id",
        (vectors.one(connection, question_vector).tobytes(), *numbers, floor),
    )
    return tuple(
        VotedPassage(chunk_id=chunk_id, memory_id=memory_id, value=value, similarity=cosine)
        for chunk_id, memory_id, value, cosine in rows
    )


def _listed(connection: Connection, scopes: Sequence[Scope], limit: int) -> tuple[tuple[Vote, str], ...]:
    scoped, numbers = in_scopes(connection, scopes, "scope_id")
    rows = connection.execute(
        "SELECT vote_id, trace_id, person_key, value, reason, at, question FROM votes "
        f"WHERE {scoped} ORDER BY at DESC, vote_id DESC LIMIT ?",
        (*numbers, limit),
    )
    return tuple(
        (
            Vote(trace_id=trace_id, person_key=person_key, value=value, reason=reason, at=moment(at), vote_id=vote_id),
            question,
        )
        for vote_id, trace_id, person_key, value, reason, at, question in rows
    )


def _undo(connection: Connection, vote_id: int, person_key: str) -> bool:
    connection.execute("DELETE FROM votes WHERE vote_id = ? AND person_key = ?", (vote_id, person_key))
    return bool(connection.changes())
