"""Read the JSON exports of bookmark services that people host themselves: Karakeep and Linkwarden."""

from collections.abc import Iterator, Mapping
from typing import Any

from adapters.imports.records import (
    Details,
    Keeper,
    Record,
    Skipped,
    bookmark,
    dicts,
    moment_of,
    record,
    thought,
)


def is_karakeep(data: object) -> bool:
    """Whether this is a Karakeep (Hoarder) export: bookmarks, each with its content."""
    return isinstance(data, dict) and isinstance(data.get("bookmarks"), list)


def is_linkwarden(data: object) -> bool:
    """Whether this is a Linkwarden backup: collections of links."""
    return isinstance(data, dict) and isinstance(data.get("collections"), list)


def read_karakeep(data: Mapping[str, Any], keeper: Keeper) -> Iterator[Record]:
    """Yield links and texts; a list becomes a pocket."""
    lists = {str(one.get("id")): str(one.get("name") or "") for one in dicts(data.get("lists"))}
    for entry in dicts(data["bookmarks"]):
        content = record(entry.get("content"))
        title = str(entry.get("title") or "")
        details = Details(
            title=title,
            note=str(entry.get("note") or ""),
            tags=names(entry.get("tags")),
            pocket=first_list(entry, lists),
            shared_at=moment_of(entry.get("createdAt")),
        )
        match content.get("type"):
            case "link":
                yield bookmark(keeper, "karakeep", str(content.get("url") or ""), details)
            case "text":
                yield thought(keeper, "karakeep", str(content.get("text") or ""), details)
            case _:
                yield Skipped(what=title or "an entry", why="its content is not in the export")


def read_linkwarden(data: Mapping[str, Any], keeper: Keeper) -> Iterator[Record]:
    """Yield links; a collection becomes a pocket."""
    for collection in dicts(data["collections"]):
        pocket = str(collection.get("name") or "")
        for link in dicts(collection.get("links")):
            title = str(link.get("name") or link.get("title") or "")
            if not link.get("url"):
                yield Skipped(what=title or "an entry", why="its content is not in the export")
                continue
            details = Details(
                title=title,
                note=str(link.get("description") or ""),
                tags=names(link.get("tags")),
                pocket="" if pocket.lower() == "unorganized" else pocket,
                shared_at=moment_of(link.get("importDate") or link.get("createdAt")),
            )
            yield bookmark(keeper, "linkwarden", str(link["url"]), details)


def first_list(entry: Mapping[str, Any], lists: Mapping[str, str]) -> str:
    """Return the name of the first list an entry is in; exports hold ids or names."""
    held = entry.get("lists")
    first = held[0] if isinstance(held, list) and held else ""
    return lists.get(str(first), str(first))


def names(values: object) -> tuple[str, ...]:
    """Return tags, written as texts or as objects with a name."""
    items = values if isinstance(values, list) else []
    return tuple(str(record(item).get("name") or "") if isinstance(item, dict) else str(item) for item in items)
