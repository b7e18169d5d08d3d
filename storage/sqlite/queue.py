"""Hand out memories to be read, each to one process at a time, also after a crash."""

import os
import socket
import sys
from datetime import datetime, timedelta
from pathlib import Path

from bot.domain.memories import Memory
from storage.sqlite.database import Connection
from storage.sqlite.rows import memory_at, microseconds

LEASE = timedelta(minutes=10)
"""After this a claim is open to everybody: what its process is (another machine's, perhaps) no longer matters."""


def claim(connection: Connection, now: datetime, *, limit: int, owner: str) -> tuple[Memory, ...]:
    """Take what is queued, due for another try, or claimed too long ago; the newest share first, before any import."""
    at = microseconds(now)
    rows = connection.execute(
        "SELECT memory_row, coalesce(next_try, 0) AS due, shared_at FROM memories "
        "WHERE state IN ('queued', 'fetching') AND iif(state = 'queued', coalesce(next_try, 0), claimed_until) <= ?1 "
        "UNION ALL SELECT memory_row, next_try, shared_at FROM memories WHERE next_try <= ?1 "
        "AND state NOT IN ('queued', 'fetching') ORDER BY due, shared_at DESC, memory_row LIMIT ?2",
        (at, limit),
    ).fetchall()
    for memory_row, _, _ in rows:
        connection.execute(
            "UPDATE memories SET state = 'fetching', attempts = attempts + 1, claimed_by = ?, claimed_until = ? "
            "WHERE memory_row = ?",
            (owner, microseconds(now + LEASE), memory_row),
        )
    return tuple(memory_at(connection, memory_row, text=True) for memory_row, _, _ in rows)


def release_stale(connection: Connection) -> int:
    """Put back what processes of this machine claimed that no longer live."""
    owners = connection.execute("SELECT DISTINCT claimed_by FROM memories WHERE state = 'fetching'").fetchall()
    released = 0
    for (owner,) in owners:
        if not _lives(owner):
            connection.execute(
                "UPDATE memories SET state = 'queued', next_try = NULL, claimed_by = '' "
                "WHERE state = 'fetching' AND claimed_by = ?",
                (owner,),
            )
            released += connection.changes()
    return released


def this_process() -> str:
    """Return who claims: machine, process and when it started, so that a number used again is not mistaken."""
    return f"{socket.gethostname()} {os.getpid()} {_started(os.getpid())}"


def _lives(owner: str) -> bool:
    """Whether a claim's process still runs; where that cannot be told (another machine), its lease decides."""
    machine, number, started = (*owner.split(" "), "", "", "")[:3]
    if not number.isdigit():
        return False
    if machine != socket.gethostname() or sys.platform == "win32":
        return True
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return _started(int(number)) == started


def _started(number: int) -> str:
    """Return when a living process started, in the kernel's ticks (proc(5)); nothing where that is not told."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]
