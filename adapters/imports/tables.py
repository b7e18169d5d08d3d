"""Read a table of bookmarks: the CSV exports of Pocket, Raindrop and their like."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence

from adapters.imports.records import Details, Keeper, Record, Skipped, bookmark, moment_of

COLUMNS = {
    "url": ("url", "link", "href", "address"),
    "title": ("title", "name"),
    "note": ("note", "notes", "description", "selection", "comment"),
    "tags": ("tags", "labels"),
    "folder": ("folder", "collection", "list"),
    "date": ("created", "time_added", "timestamp", "date", "added", "created_at", "saved_at"),
}
"""The headings under which services write the same thing, first one first (Pocket, Raindrop, Instapaper)."""
NO_FOLDER = {"", "unsorted", "unread", "archive", "starred"}
"""Folders that every account has."""


def is_table(head: str) -> bool:
    """Whether a text starts with a heading line that names an address."""
    headings = next(csv.reader(io.StringIO(head.lstrip("\ufeff"))), [])
    return len(headings) > 1 and column(headings, "url") is not None


def read_table(text: str, keeper: Keeper) -> Iterator[Record]:
    """Yield every row as a bookmark; a folder becomes a pocket, `archive` and the like none."""
    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
    names = {name: column(rows.fieldnames or (), name) for name in COLUMNS}
    for row in rows:
        cells = {name: cell(row, heading) for name, heading in names.items()}
        if not any(cells.values()):
            continue
        if not cells["url"]:
            yield Skipped(what=cells["title"] or f"line {rows.line_num}", why="no address")
            continue
        folder = cells["folder"].split("/")[-1].strip()
        details = Details(
            title=cells["title"],
            note=cells["note"],
            tags=tuple(re.split(r"[|,;]", cells["tags"].strip("[]").replace('"', ""))),
            pocket="" if folder.lower() in NO_FOLDER else folder,
            shared_at=moment_of(cells["date"]),
        )
        yield bookmark(keeper, "table", cells["url"], details)


def column(headings: Sequence[str], name: str) -> str | None:
    """Return the heading under which a table keeps something."""
    written = {heading.strip().lower(): heading for heading in headings if heading}
    return next((written[known] for known in COLUMNS[name] if known in written), None)


def cell(row: Mapping[str, str | None], heading: str | None) -> str:
    """Return one cell's text, empty where there is none."""
    return (row.get(heading) or "").strip() if heading else ""
