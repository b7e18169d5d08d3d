"""Small values for tests of what is kept: rooms, people, things shared, pages and their vectors."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from bot.domain.memories import Chunk, Memory, Page, Shared
from bot.domain.rooms import Person, Room, Scope, scope_of
from bot.ports import Storage, Vectors

NOON = datetime(2026, 5, 3, 12, 0, tzinfo=UTC)
ANA = Person(platform="slack", space="T1", person_id="U1", name="Ana Silva")
BEN = Person(platform="slack", space="T1", person_id="U2", name="Ben")
DEV = Room(platform="slack", space="T1", channel="C1", kind="public", name="dev")
OPS = Room(platform="slack", space="T1", channel="C2", kind="private", name="ops")
DIRECT = Room(platform="slack", space="T1", channel="D1", kind="direct")
TEAM = scope_of(DEV, ANA)
SECRET = scope_of(OPS, ANA)
OWN = scope_of(DIRECT, ANA)
DIMENSIONS = 8


class SetClock:
    """A clock that stands until it is moved."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


def shared(name: str = "owls", *, room: Room = DEV, person: Person = ANA, **other: Any) -> Shared:
    url = f"https://example.com/{name}"
    values: dict[str, Any] = {
        "kind": "link", "scope": scope_of(room, person), "room": room, "person": person, "shared_at": NOON,
        "source": f"{room.key}/{name}", "url": url, "key": url, "title": name.title(),
    }  # fmt: skip
    return Shared(**(values | other))


def page(text: str, *, title: str = "", **other: Any) -> Page:
    return Page(**({"url": "https://example.com/", "text": text, "title": title} | other))


def direction(at: int, *, tilt: float = 0.0) -> Vectors:
    """Return the unit vector along axis `at`, tilted to the next one."""
    vector = np.zeros(DIMENSIONS, dtype=np.float32)
    vector[at % DIMENSIONS] = np.cos(tilt)
    vector[(at + 1) % DIMENSIONS] += np.sin(tilt)
    return vector


def directions(*at: int) -> Vectors:
    return np.stack([direction(one) for one in at]) if at else np.zeros((0, DIMENSIONS), dtype=np.float32)


async def saved(
    storage: Storage, name: str, *texts: str, axes: tuple[int, ...] = (), title: str = "", **other: Any
) -> Memory:
    """Keep and read a page of these chunks; returns the memory as it is then."""
    kept = await storage.memories.keep(shared(name, **other))
    chunks = [Chunk(number=number, text=text) for number, text in enumerate(texts)]
    vectors = directions(*(axes or range(len(texts))))
    written = await storage.memories.write_version(
        kept.memory.memory_id, page("\n\n".join(texts), title=title), chunks, vectors, now=NOON
    )
    assert written is not None
    return written


def scopes(*given: Scope) -> tuple[Scope, ...]:
    return given or (TEAM,)
