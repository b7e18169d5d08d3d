"""What was said with the bot: the last turns, and older ones that say the same."""

import json
from collections.abc import Sequence
from typing import Any, cast

from bot.domain.errors import BadInput
from bot.domain.messages import Speaker, Turn
from bot.domain.rooms import Room, Scope
from bot.ports import Vectors
from storage.sqlite import vectors, words
from storage.sqlite.database import Connection, Database
from storage.sqlite.filtering import in_scopes
from storage.sqlite.forgetting import mark, remove_turns
from storage.sqlite.rows import microseconds, moment, scope_id

CANDIDATES = 100
MEANING_WEIGHT = 0.3
"""Words decide and meaning helps: on short chat turns BM25 alone finds more than an equal fusion of the two."""
HALF_BM25 = 8.0
"""The BM25 at which the words' part of a score is one half."""

_COLUMNS = (
    "t.turn_id, t.speaker, t.text, t.at, t.name, t.standalone, "
    "(SELECT json_group_array(memory_id) FROM turn_memories s WHERE s.turn_id = t.turn_id)"
)


class SqliteTranscript:
    """Turns in one SQLite file."""

    def __init__(self, database: Database, *, meaning_weight: float = MEANING_WEIGHT) -> None:
        self._database = database
        self._meaning_weight = meaning_weight

    async def add(self, room: Room, turn: Turn, scope: Scope, *, vector: Vectors | None = None) -> Turn:
        if not turn.text.strip():
            raise BadInput("An empty turn is not kept.")
        return await self._database.write(lambda db: _add(db, room, turn, scope, vector))

    async def last(self, room: Room, *, limit: int) -> tuple[Turn, ...]:
        return await self._database.read(lambda db: _last(db, room, limit))

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
        weight = self._meaning_weight
        return await self._database.read(
            lambda db: _Older(db, room, scopes, before_id).similar(text, vector, limit=limit, meaning_weight=weight)
        )

    async def forget_room(self, room: Room) -> int:
        return await self._database.write(lambda db: _forget_room(db, room))


def _add(connection: Connection, room: Room, turn: Turn, scope: Scope, vector: Vectors | None) -> Turn:
    blob = None if vector is None else vectors.one(connection, vector).tobytes()
    text = words.sound(turn.text)
    connection.execute(
        "INSERT INTO turns (room_key, thread, scope_id, speaker, name, text, at, standalone, vector) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            room.key,
            room.thread or "",
            scope_id(connection, scope),
            turn.speaker,
            words.sound(turn.name),
            text,
            microseconds(turn.at),
            words.sound(turn.standalone),
            blob,
        ),
    )
    turn_id = connection.last_insert_rowid()
    index_turn(connection, turn_id, text, turn.memory_ids)
    return turn_at(connection, turn_id)


def index_turn(connection: Connection, turn_id: int, text: str, memory_ids: Sequence[str]) -> None:
    """Write a turn's words, and which memories it tells of."""
    connection.execute("INSERT INTO turn_words (rowid, body) VALUES (?, ?)", (turn_id, words.indexed(text)))
    connection.executemany(
        "INSERT INTO turn_memories VALUES (?, ?)", ((turn_id, memory_id) for memory_id in dict.fromkeys(memory_ids))
    )


def _last(connection: Connection, room: Room, limit: int) -> tuple[Turn, ...]:
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM turns t WHERE room_key = ? AND thread = ? ORDER BY turn_id DESC LIMIT ?",
        (room.key, room.thread or "", limit),
    ).fetchall()
    return tuple(_turn(row) for row in reversed(rows))


class _Older:
    """Turns of one room before a given one, inside the scopes that may be read now."""

    def __init__(self, connection: Connection, room: Room, scopes: Sequence[Scope], before_id: int) -> None:
        self._connection = connection
        scoped, numbers = in_scopes(connection, scopes, "t.scope_id")
        self._where = f"t.room_key = ? AND (? <= 0 OR t.turn_id < ?) AND {scoped}"
        self._values = [room.key, before_id, before_id, *numbers]

    def similar(
        self, text: str, vector: Vectors | None, *, limit: int, meaning_weight: float
    ) -> tuple[tuple[Turn, float], ...]:
        """Return turns by `bm25 / (bm25 + HALF_BM25) + meaning_weight * cosine`, best first."""
        scores = {turn_id: bm25 / (bm25 + HALF_BM25) for turn_id, bm25 in self._by_words(text)}
        if vector is not None:
            for turn_id, cosine in self._by_meaning(vector):
                scores[turn_id] = scores.get(turn_id, 0.0) + meaning_weight * max(cosine, 0.0)
        best = sorted(scores.items(), key=lambda item: (-item[1], -item[0]))[:limit]
        return tuple((turn_at(self._connection, turn_id), score) for turn_id, score in best)

    def _by_words(self, text: str) -> Sequence[tuple[int, float]]:
        expression = words.any_of(words.terms(text))
        if not expression:
            return ()
        return self._connection.execute(
            "SELECT t.turn_id, -w.rank FROM turn_words w CROSS JOIN turns t ON t.turn_id = w.rowid "
            f"WHERE turn_words MATCH ? AND {self._where} ORDER BY w.rank LIMIT ?",
            (expression, *self._values, CANDIDATES),
        ).fetchall()

    def _by_meaning(self, vector: Vectors) -> Sequence[tuple[int, float]]:
        query = vectors.one(self._connection, vector)
        return self._connection.execute(
            "SELECT t.turn_id, 1 - vec_distance_cosine(t.vector, ?) AS cosine FROM turns t "
            f"WHERE t.vector IS NOT NULL AND {self._where}",
            (query.tobytes(), *self._values),
        ).fetchall()


def _forget_room(connection: Connection, room: Room) -> int:
    """Remove what was asked and answered in a room: its turns, how the answers came about, the votes on them."""
    mark(connection)
    connection.execute(
        "DELETE FROM votes WHERE trace_id IN (SELECT trace_id FROM traces WHERE room_key = ?)", (room.key,)
    )
    connection.execute("DELETE FROM traces WHERE room_key = ?", (room.key,))
    return remove_turns(
        connection,
        [row[0] for row in connection.execute("SELECT turn_id FROM turns WHERE room_key = ?", (room.key,))],
    )


def turn_at(connection: Connection, turn_id: int) -> Turn:
    """Return one turn, which must exist."""
    return _turn(connection.execute(f"SELECT {_COLUMNS} FROM turns t WHERE turn_id = ?", (turn_id,)).fetchone())


def _turn(row: Sequence[Any]) -> Turn:
    turn_id, speaker, text, at, name, standalone, memory_ids = row
    return Turn(
        speaker=cast("Speaker", speaker),
        text=text,
        at=moment(at),
        name=name,
        turn_id=turn_id,
        standalone=standalone,
        memory_ids=tuple(json.loads(memory_ids)),
    )
