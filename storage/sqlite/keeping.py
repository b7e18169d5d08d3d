"""Write what was shared, and what was read of it: shares, memories, versions and states."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.errors import BadInput
from bot.domain.memories import Chunk, Kept, Memory, Page, Reason, Shared, State
from bot.ports import Vectors
from storage.sqlite import index
from storage.sqlite.database import Connection
from storage.sqlite.rows import (
    ORIGIN,
    PERSON,
    ROOM,
    fingerprint,
    host_of,
    memory_at,
    microseconds,
    name_fold,
    row_of,
    scope_id,
)
from storage.sqlite.words import sound


def keep(connection: Connection, shared: Shared, *, state: State, memory_id: str) -> Kept:
    """Write one act of sharing; `memory_id` is used where the page is new in this scope."""
    key = shared.key or fingerprint(f"{shared.kind}\n{shared.url}\n{shared.text}\n{shared.title}")
    row = connection.execute(
        "SELECT share_id, memory_row FROM shares WHERE source = ? AND key = ?", (shared.source, key)
    ).fetchone()
    if row is not None:
        return _kept(connection, memory_row=row[1], share_id=row[0], new_share=False)
    memory_row = _known(connection, shared, key)
    known = memory_row is not None
    if memory_row is None:
        memory_row = _insert_memory(connection, shared, key, state=state, memory_id=memory_id)
    share_id = _insert_share(connection, memory_row, shared, key)
    add_tags(connection, memory_row, shared.tags)
    if known:
        _add_to_known(connection, memory_row, shared)
    follow_shares(connection, memory_row)
    index.write_words(connection, memory_row)
    return _kept(connection, memory_row=memory_row, share_id=share_id, new_share=True)


def write_version(
    connection: Connection,
    memory_id: str,
    page: Page,
    chunks: Sequence[Chunk],
    vectors: Vectors | None,
    *,
    now: datetime,
) -> Memory | None:
    """Make `page` the memory's present version and the memory `ready`; None where it was forgotten meanwhile."""
    memory_row = row_of(connection, memory_id)
    if memory_row is None:
        return None
    _write_page(connection, memory_row, page)
    if vectors is not None:
        _write_text(connection, memory_row, page.text)
        index.write_chunks(connection, memory_row, chunks, vectors)
    else:
        index.write_words(connection, memory_row)
    connection.execute(
        "UPDATE memories SET state = 'ready', reason = ?, detail = '', attempts = 0, next_try = NULL, claimed_by = '', "
        "read_at = ? WHERE memory_row = ?",
        (page.partial, microseconds(now), memory_row),
    )
    return memory_at(connection, memory_row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a reading ended."""

    state: State
    reason: Reason = ""
    detail: str = ""
    next_try: datetime | None = None


def set_state(
    connection: Connection,
    memory_id: str,
    outcome: Outcome,
    *,
    page: Page | None,
    chunks: Sequence[Chunk],
    vectors: Vectors | None,
) -> None:
    """Record how reading ended, with what metadata gave."""
    memory_row = row_of(connection, memory_id)
    if memory_row is None:
        return
    if page is not None:
        _write_page(connection, memory_row, page)
        if page.text:
            _write_text(connection, memory_row, page.text)
    if chunks:
        index.write_chunks(connection, memory_row, chunks, vectors)
    else:
        index.write_words(connection, memory_row)
    next_try = None if outcome.next_try is None else microseconds(outcome.next_try)
    connection.execute(
        "UPDATE memories SET state = ?1, reason = ?2, detail = ?3, next_try = ?4, "
        "claimed_by = iif(?1 = 'fetching', claimed_by, '') WHERE memory_row = ?5",
        (outcome.state, outcome.reason, sound(outcome.detail), next_try, memory_row),
    )


def add_aliases(connection: Connection, memory_id: str, keys: Sequence[str]) -> str | None:
    """Record more keys of one page; returns the id of another memory of its scope that holds one of them."""
    memory_row = row_of(connection, memory_id)
    if memory_row is None:
        return None
    other = None
    for key in dict.fromkeys(key for key in keys if key):
        holder = connection.execute(
            "SELECT a.memory_row, o.memory_id FROM memories m JOIN aliases a USING (scope_id) "
            "JOIN memories o ON o.memory_row = a.memory_row WHERE m.memory_row = ? AND a.key = ?",
            (memory_row, key),
        ).fetchone()
        if holder is None:
            _add_alias(connection, memory_row, key)
        elif holder[0] != memory_row:
            other = other or holder[1]
    return other


def add_tags(connection: Connection, memory_row: int, tags: Sequence[str]) -> None:
    """Add tags, written in small letters without their sign."""
    connection.executemany(
        "INSERT OR IGNORE INTO tags VALUES (?, ?)",
        ((memory_row, tag) for tag in (sound(tag).strip().lstrip("#").lower() for tag in tags) if tag),
    )


def follow_shares(connection: Connection, memory_row: int) -> None:
    """Make the memory's note and time those of its shares: every note once, one a line, oldest first."""
    rows = connection.execute(
        "SELECT note, shared_at FROM shares WHERE memory_row = ? ORDER BY shared_at, share_id", (memory_row,)
    ).fetchall()
    note = "\n".join(dict.fromkeys(note for note, _ in rows if note))
    connection.execute(
        "UPDATE memories SET note = ?, shared_at = ? WHERE memory_row = ?", (note, rows[0][1], memory_row)
    )


def _kept(connection: Connection, *, memory_row: int, share_id: int, new_share: bool) -> Kept:
    memory = memory_at(connection, memory_row)
    first = connection.execute("SELECT min(share_id) FROM shares WHERE memory_row = ?", (memory_row,)).fetchone()[0]
    return Kept(
        memory=memory,
        known=first != share_id,
        new_share=new_share,
        first_person=memory.person.name,
        first_room=memory.room.name,
        first_at=memory.shared_at,
    )


def _known(connection: Connection, shared: Shared, key: str) -> int | None:
    row = connection.execute(
        "SELECT memory_row FROM aliases WHERE key = ? AND scope_id = ?", (key, scope_id(connection, shared.scope))
    ).fetchone()
    return row[0] if row else None


def _insert_memory(connection: Connection, shared: Shared, key: str, *, state: State, memory_id: str) -> int:
    preview, attachment = shared.preview, shared.attachment
    title = shared.title or (preview.title if preview else "") or (attachment.name if attachment else "")
    description = (preview.description if preview else "") or (attachment.caption if attachment else "")
    connection.execute(
        "INSERT INTO memories (memory_id, scope_id, kind, state, url, host, key, title, pocket, shared_at, site, "
        "description, media_type, path) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            memory_id,
            scope_id(connection, shared.scope),
            shared.kind,
            state,
            sound(shared.url),
            sound(host_of(shared.url)),
            sound(key),
            sound(title),
            sound(shared.pocket),
            microseconds(shared.shared_at),
            sound(preview.site if preview else ""),
            sound(description),
            attachment.media_type if attachment else "",
            attachment.path if attachment else "",
        ),
    )
    memory_row = connection.last_insert_rowid()
    _add_alias(connection, memory_row, sound(key))
    if shared.text:
        connection.execute("INSERT INTO texts (memory_row, text) VALUES (?, ?)", (memory_row, sound(shared.text)))
    return memory_row


def _add_to_known(connection: Connection, memory_row: int, shared: Shared) -> None:
    connection.execute(
        "UPDATE memories SET pocket = CASE WHEN pocket = '' THEN ?1 ELSE pocket END, "
        "title = CASE WHEN title = '' THEN ?2 ELSE title END WHERE memory_row = ?3",
        (sound(shared.pocket), sound(shared.title), memory_row),
    )


def _insert_share(connection: Connection, memory_row: int, shared: Shared, key: str) -> int:
    if not shared.source:
        raise BadInput("What was shared carries no source.")
    connection.execute(
        "INSERT INTO shares (memory_row, source, key, shared_at, note, person, person_key, person_fold, room, "
        "room_key, room_fold, origin, permalink) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            memory_row,
            sound(shared.source),
            sound(key),
            microseconds(shared.shared_at),
            sound(shared.note),
            PERSON.dump_json(shared.person).decode(),
            shared.person.key,
            name_fold(shared.person.name),
            ROOM.dump_json(shared.room).decode(),
            shared.room.key,
            name_fold(shared.room.name),
            ORIGIN.dump_json(shared.origin).decode() if shared.origin else "",
            shared.permalink,
        ),
    )
    return connection.last_insert_rowid()


def _add_alias(connection: Connection, memory_row: int, key: str) -> None:
    connection.execute(
        "INSERT INTO aliases SELECT scope_id, ?, memory_row FROM memories WHERE memory_row = ?", (key, memory_row)
    )


def _write_page(connection: Connection, memory_row: int, page: Page) -> None:
    connection.execute(
        "UPDATE memories SET title = CASE WHEN title_by_person OR ?1 = '' THEN title ELSE ?1 END, "
        "author = ?2, site = CASE WHEN ?3 = '' THEN site ELSE ?3 END, language = ?4, published = ?5, "
        "description = CASE WHEN ?6 = '' THEN description ELSE ?6 END, media_type = ?7, etag = ?8, last_modified = ?9, "
        "hidden_text = ?10 WHERE memory_row = ?11",
        (
            sound(page.title),
            sound(page.author),
            sound(page.site),
            page.language,
            page.published,
            sound(page.description),
            page.media_type,
            page.etag,
            page.last_modified,
            page.hidden_text,
            memory_row,
        ),
    )


def _write_text(connection: Connection, memory_row: int, text: str) -> None:
    digest = fingerprint(text)
    connection.execute(
        "INSERT INTO texts (memory_row, text) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET "
        "previous = CASE WHEN text = excluded.text OR (SELECT version FROM memories WHERE memory_row = ?1) = 0 "
        "THEN previous ELSE text END, text = excluded.text",
        (memory_row, sound(text)),
    )
    connection.execute(
        "UPDATE memories SET version = version + (content_hash <> ?1), content_hash = ?1 WHERE memory_row = ?2",
        (digest, memory_row),
    )
