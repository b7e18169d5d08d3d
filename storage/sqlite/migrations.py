"""Bring a database file to the present schema: numbered steps, each in one transaction with its record."""

from dataclasses import dataclass
from functools import partial

from bot.domain.errors import StorageTrouble
from storage.sqlite.database import Connection, Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step; a step that was released is never changed, a new one is added below it."""

    name: str
    sql: str


MEMORIES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE scopes (
    scope_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    UNIQUE (kind, key)
);

CREATE TABLE memories (
    memory_row INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_id TEXT NOT NULL UNIQUE,
    scope_id INTEGER NOT NULL REFERENCES scopes,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    key TEXT NOT NULL,
    title TEXT NOT NULL,
    title_by_person INTEGER NOT NULL DEFAULT 0,
    note TEXT NOT NULL DEFAULT '',
    pocket TEXT NOT NULL DEFAULT '',
    pinned INTEGER NOT NULL DEFAULT 0,
    shared_at INTEGER NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    detail TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL DEFAULT '',
    site TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL DEFAULT '',
    published TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    media_type TEXT NOT NULL DEFAULT '',
    etag TEXT NOT NULL DEFAULT '',
    last_modified TEXT NOT NULL DEFAULT '',
    hidden_text INTEGER NOT NULL DEFAULT 0,
    content_hash TEXT NOT NULL DEFAULT '',
    version INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try INTEGER,
    claimed_by TEXT NOT NULL DEFAULT '',
    claimed_until INTEGER NOT NULL DEFAULT 0,
    path TEXT NOT NULL DEFAULT '',
    read_at INTEGER
);
CREATE INDEX memories_by_time ON memories (scope_id, pinned DESC, shared_at DESC, memory_row DESC);
CREATE INDEX memories_in_work ON memories (state) WHERE state IN ('queued', 'fetching');
CREATE INDEX memories_due ON memories (next_try) WHERE next_try IS NOT NULL;

CREATE TABLE texts (
    memory_row INTEGER PRIMARY KEY REFERENCES memories ON DELETE CASCADE,
    text TEXT NOT NULL,
    previous TEXT NOT NULL DEFAULT ''
);

CREATE TABLE shares (
    share_id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_row INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    source TEXT NOT NULL,
    key TEXT NOT NULL,
    shared_at INTEGER NOT NULL,
    note TEXT NOT NULL,
    person TEXT NOT NULL,
    person_key TEXT NOT NULL,
    person_fold TEXT NOT NULL,
    room TEXT NOT NULL,
    room_key TEXT NOT NULL,
    room_fold TEXT NOT NULL,
    origin TEXT NOT NULL DEFAULT '',
    permalink TEXT NOT NULL DEFAULT '',
    UNIQUE (source, key)
);
CREATE INDEX shares_by_memory ON shares (memory_row, shared_at, share_id);
CREATE INDEX shares_by_room ON shares (room_key);

CREATE TABLE aliases (
    scope_id INTEGER NOT NULL REFERENCES scopes,
    key TEXT NOT NULL,
    memory_row INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    PRIMARY KEY (scope_id, key)
) WITHOUT ROWID;
CREATE INDEX aliases_by_key ON aliases (key);
CREATE INDEX aliases_by_memory ON aliases (memory_row);

CREATE TABLE tags (
    memory_row INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (memory_row, tag)
) WITHOUT ROWID;
CREATE INDEX tags_by_tag ON tags (tag);

CREATE TABLE chunks (
    chunk_id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_row INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    scope_id INTEGER NOT NULL REFERENCES scopes,
    number INTEGER NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (memory_row, number)
);
CREATE INDEX chunks_by_scope ON chunks (scope_id, chunk_id, memory_row);

-- Plain rows and not a vec0 table: every filter is ordinary SQL, and deleted rows give their space back.
CREATE TABLE vectors (
    chunk_id INTEGER PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
    memory_row INTEGER NOT NULL,
    scope_id INTEGER NOT NULL,
    bits BLOB NOT NULL,
    vector BLOB NOT NULL
);
CREATE INDEX vectors_by_scope ON vectors (scope_id, chunk_id, memory_row, bits);

CREATE VIRTUAL TABLE chunk_words USING fts5 (
    head, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE chunk_terms USING fts5vocab (chunk_words, 'row');

-- The words of memories that have no chunks yet (queued, link_only): chunks, vectors and chunk_words stay equal.
CREATE VIRTUAL TABLE memory_words USING fts5 (
    head, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
"""

CONVERSATIONS = """
CREATE TABLE turns (
    turn_id INTEGER PRIMARY KEY AUTOINCREMENT,
    room_key TEXT NOT NULL,
    thread TEXT NOT NULL,
    scope_id INTEGER NOT NULL REFERENCES scopes,
    speaker TEXT NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    standalone TEXT NOT NULL,
    titles TEXT NOT NULL,
    vector BLOB
);
CREATE INDEX turns_by_room ON turns (room_key, thread, turn_id);
CREATE VIRTUAL TABLE turn_words USING fts5 (
    body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);

CREATE TABLE traces (
    trace_row INTEGER PRIMARY KEY AUTOINCREMENT,
    trace_id TEXT NOT NULL UNIQUE,
    asked_at INTEGER NOT NULL,
    room_key TEXT NOT NULL,
    person_key TEXT NOT NULL,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    intent TEXT NOT NULL,
    verdict TEXT NOT NULL,
    took_ms INTEGER NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX traces_by_room ON traces (room_key, trace_row);
CREATE TABLE trace_memories (
    trace_row INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE,
    memory_id TEXT NOT NULL,
    PRIMARY KEY (trace_row, memory_id)
) WITHOUT ROWID;
CREATE INDEX trace_memories_by_memory ON trace_memories (memory_id);

CREATE TABLE votes (
    vote_id INTEGER PRIMARY KEY AUTOINCREMENT,
    trace_id TEXT NOT NULL,
    person_key TEXT NOT NULL,
    scope_id INTEGER NOT NULL REFERENCES scopes,
    value INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    question TEXT NOT NULL,
    vector BLOB,
    UNIQUE (trace_id, person_key)
);
CREATE TABLE vote_passages (
    vote_id INTEGER NOT NULL REFERENCES votes ON DELETE CASCADE,
    chunk_id INTEGER NOT NULL,
    memory_row INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
    PRIMARY KEY (vote_id, chunk_id)
) WITHOUT ROWID;
CREATE INDEX vote_passages_by_memory ON vote_passages (memory_row);

CREATE TABLE room_settings (
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (key, name)
) WITHOUT ROWID;
"""

INBOX = """
CREATE TABLE events (
    event_id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    body TEXT NOT NULL,
    order_key TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    reply_ref TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'waiting',
    error TEXT NOT NULL DEFAULT ''
);
CREATE INDEX events_unfinished ON events (source, event_id) WHERE state IN ('waiting', 'working');
CREATE INDEX events_by_time ON events (received_at);
CREATE TABLE event_keys (
    source TEXT NOT NULL,
    key TEXT NOT NULL,
    event_id INTEGER NOT NULL REFERENCES events ON DELETE CASCADE,
    PRIMARY KEY (source, key)
) WITHOUT ROWID;
CREATE INDEX event_keys_by_event ON event_keys (event_id);
CREATE TABLE adapter_values (
    source TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (source, name)
) WITHOUT ROWID;
"""

# The signs of 256 neighbouring chunks of a scope in one row: 400 reads at 100,000 chunks instead of a row each.
SIGNS = """
CREATE TABLE signs (
    scope_id INTEGER NOT NULL,
    block INTEGER NOT NULL,
    places BLOB NOT NULL,
    memory_rows BLOB NOT NULL,
    bits BLOB NOT NULL,
    PRIMARY KEY (scope_id, block)
);
CREATE INDEX signs_by_block ON signs (block);
INSERT INTO signs (scope_id, block, places, memory_rows, bits)
SELECT scope_id, chunk_id / 256, unhex(group_concat(printf('%02X', chunk_id % 256), '' ORDER BY chunk_id)),
       unhex(group_concat(printf('%08X', memory_row), '' ORDER BY chunk_id)),
       unhex(group_concat(hex(bits), '' ORDER BY chunk_id))
FROM vectors GROUP BY scope_id, chunk_id / 256;
DROP INDEX vectors_by_scope;
"""

# A block's stamp changes whenever it is packed: what is kept in memory under it is what the file holds.
STAMPS = """
ALTER TABLE signs ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;
CREATE INDEX signs_by_stamp ON signs (scope_id, block, stamp);
"""

# Which memories a turn tells of: by title it was another memory's turn too, and none after a new title.
TURN_MEMORIES = """
CREATE TABLE turn_memories (
    turn_id INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
    memory_id TEXT NOT NULL,
    PRIMARY KEY (turn_id, memory_id)
) WITHOUT ROWID;
CREATE INDEX turn_memories_by_memory ON turn_memories (memory_id);
INSERT INTO turn_memories
SELECT t.turn_id, m.memory_id FROM turns t JOIN json_each(t.titles) j JOIN memories m ON m.title = j.value
UNION SELECT t.turn_id, s.memory_id FROM traces r JOIN trace_memories s USING (trace_row)
JOIN turns t ON t.room_key = r.room_key AND t.text = iif(t.speaker = 'bot', r.answer, r.question);
ALTER TABLE turns DROP COLUMN titles;
"""

MIGRATIONS: tuple[Migration, ...] = (
    Migration(name="memories", sql=MEMORIES),
    Migration(name="conversations", sql=CONVERSATIONS),
    Migration(name="inbox", sql=INBOX),
    Migration(name="signs", sql=SIGNS),
    Migration(name="stamps", sql=STAMPS),
    Migration(name="turn memories", sql=TURN_MEMORIES),
)


async def migrate(database: Database, migrations: tuple[Migration, ...] = MIGRATIONS) -> tuple[str, ...]:
    """Apply what is missing, in order; returns the names applied. Raises StorageTrouble on a newer palace's file."""
    done = await database.read(_newest)
    if done > len(migrations):
        raise StorageTrouble(f"{database.path} was written by a newer version of Palace; update this one.")
    applied = []
    for number, migration in list(enumerate(migrations, start=1))[done:]:
        if await database.write(partial(_apply, number=number, migration=migration)):
            applied.append(migration.name)
    return tuple(applied)


def _newest(connection: Connection) -> int:
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchone() is None:
        return 0
    return int(connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone()[0])


def _apply(connection: Connection, *, number: int, migration: Migration) -> bool:
    """Apply one step and record it; False where another process has just done so."""
    if _newest(connection) >= number:
        return False
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migrations "
        "(number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)"
    )
    connection.execute(migration.sql)
    connection.execute("INSERT INTO migrations VALUES (?, ?, datetime('now'))", (number, migration.name))
    return True
