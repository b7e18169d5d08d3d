"""Turn scopes and filters into the conditions that stand inside every query."""

from collections.abc import Sequence
from typing import Any

from bot.domain.memories import Filters
from bot.domain.rooms import Scope
from storage.sqlite.database import Connection
from storage.sqlite.rows import marks, microseconds, name_fold, scope_ids

Condition = tuple[str, list[Any]]


def in_scopes(connection: Connection, scopes: Sequence[Scope], column: str) -> Condition:
    """Return the condition that a row belongs to one of these scopes; no scope known, no row."""
    numbers = scope_ids(connection, scopes)
    return f"{column} IN ({marks(numbers)})", list(numbers)


def rows_matching(filters: Filters, column: str) -> Condition:
    """Return the condition that a row's memory passes the filters, or `1` where nothing is filtered."""
    own = _own(filters)
    # Who, where and when are asked of the shares alone: going through the memories took as long again.
    inside = own and (f"{column} IN (SELECT m.memory_row FROM memories m WHERE {own[0]})", own[1])
    return _all_of(_shared(filters, column), inside)


def memory_conditions(filters: Filters) -> Condition:
    """Return the filters as conditions on the table `memories m`."""
    return _all_of(_shared(filters, "m.memory_row"), _own(filters))


def _all_of(*conditions: Condition | None) -> Condition:
    wanted = [condition for condition in conditions if condition is not None]
    return " AND ".join(sql for sql, _ in wanted) or "1", [value for _, values in wanted for value in values]


def _own(filters: Filters) -> Condition | None:
    """Ask what a memory is."""
    conditions = (
        _one_of("m.kind", filters.kinds),
        _one_of("m.state", filters.states),
        _one_of("m.memory_id", filters.memory_ids),
        _pocket(filters.pocket),
        _site(filters.site),
        *(_tag(tag) for tag in filters.tags),
    )
    return _all_of(*conditions) if any(conditions) else None


def _shared(filters: Filters, column: str) -> Condition | None:
    """Ask who, where and when of one and the same act of sharing."""
    conditions = (
        _names("f.person_fold", "f.person_key", filters.person_names, filters.person_ids),
        _names("f.room_fold", "f.room_key", filters.room_names, filters.room_keys),
        ("f.shared_at >= ?", [microseconds(filters.since)]) if filters.since else None,
        ("f.shared_at < ?", [microseconds(filters.until)]) if filters.until else None,
    )
    if not any(conditions):
        return None
    sql, values = _all_of(*conditions)
    return f"{column} IN (SELECT f.memory_row FROM shares f WHERE {sql})", values


def _names(fold: str, key: str, names: Sequence[str], keys: Sequence[str]) -> Condition | None:
    """Fit a name whole or as the beginning of a longer one ("ana" for "Ana Silva"); a key exactly."""
    either = [f"{key} = ?"] * len(keys) + [f"{fold} = ? OR substr({fold}, 1, ?) = ?"] * len(names)
    values: list[Any] = [*keys]
    for name in map(name_fold, names):
        values += [name, len(name) + 1, name + " "]
    return (f"({' OR '.join(either)})", values) if either else None


def _one_of(column: str, values: Sequence[str]) -> Condition | None:
    return (f"{column} IN ({marks(values)})", list(values)) if values else None


def _pocket(pocket: str) -> Condition | None:
    return ("m.pocket = ? COLLATE NOCASE", [pocket]) if pocket else None


def _tag(tag: str) -> Condition:
    sql = "EXISTS (SELECT 1 FROM tags t WHERE t.memory_row = m.memory_row AND t.tag = ?)"
    return sql, [tag.strip().lstrip("#").lower()]


def _site(site: str) -> Condition | None:
    """Fit a site by its name, its host, the end of its host (`github.com`) or its middle (`github`)."""
    if not site:
        return None
    name = site.strip().lower().removeprefix("www.")
    sql = "(lower(m.site) = ?1 OR m.host = ?1 OR '.' || m.host || '.' LIKE '%.' || ?1 || '.%')".replace("?1", "?")
    return sql, [name] * 3
