"""Write the whole palace as records that an empty home restores to the same palace, and restore them."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from bot.domain.errors import BadInput
from storage.sqlite import exchange_memories, exchange_talk, facts, vectors
from storage.sqlite.database import Connection, Database

FORMAT = 1

Records = Sequence[Mapping[str, Any]]
_READERS: tuple[Callable[[Connection, int], Records], ...] = (
    exchange_memories.memories_after,
    exchange_talk.turns_after,
    exchange_talk.traces_after,
    exchange_talk.votes_after,
)


async def export(database: Database) -> AsyncIterator[Mapping[str, Any]]:
    """Yield a head, then memories, turns, traces, votes and settings, each in the order in which it was written."""
    yield await database.read(_head)
    for reader in _READERS:
        after = 0
        while rows := await database.read(lambda db, read=reader, row=after: read(db, row)):  # type: ignore[misc]
            for record in rows:
                after = record["row"]
                yield {name: value for name, value in record.items() if name != "row"}
    for record in await database.read(exchange_talk.settings):
        yield record


def restore(connection: Connection, record: Mapping[str, Any]) -> bool:
    """Write one record; False where it was there already. Raises BadInput for what is no record of ours."""
    writers: dict[str, Callable[[Connection, Mapping[str, Any]], bool]] = {
        "palace": _restore_head,
        "memory": exchange_memories.restore,
        "turn": exchange_talk.restore_turn,
        "trace": exchange_talk.restore_trace,
        "vote": exchange_talk.restore_vote,
        "setting": exchange_talk.restore_setting,
    }
    kind = record.get("record")
    if kind not in writers:
        raise BadInput(f"{kind!r} is no record of a palace's export.")
    try:
        return writers[kind](connection, record)
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"A {kind} record of this export is damaged: {error}.") from error


def _head(connection: Connection) -> dict[str, Any]:
    return {
        "record": "palace",
        "format": FORMAT,
        "embedding_model": facts.get(connection, vectors.MODEL),
        "dimensions": vectors.dimensions(connection),
    }


def _restore_head(connection: Connection, record: Mapping[str, Any]) -> bool:
    """Take over the embedding model where none is recorded; turns and votes bring their vectors of it."""
    if record["format"] != FORMAT:
        raise BadInput(f"This export has the format {record['format']}; this version of Palace reads {FORMAT}.")
    facts.put(connection, vectors.FOREIGN, f"{record['embedding_model']} {record['dimensions']}")
    if record["embedding_model"] is None or facts.get(connection, vectors.MODEL) is not None:
        return False
    vectors.prepare(connection, record["embedding_model"], int(record["dimensions"]))
    return True
