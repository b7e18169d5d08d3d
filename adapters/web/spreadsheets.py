"""Write the rows of Excel and CSV files as Markdown tables, row by row: however long, only so much is read."""

import csv
import zipfile
from collections.abc import Iterable
from datetime import datetime, time
from io import BytesIO, StringIO
from typing import Any
from xml.etree.ElementTree import ParseError

from bot.domain.errors import Unreadable

MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 20_000, 256, 150_000
"""What is read of one table; a cell of an Excel file takes about 10 µs."""
MOST_SCANNED = 200_000
"""Rows that are looked at, empty ones included."""


def csv_table(text: str) -> tuple[str, bool]:
    """Return the table of a CSV file, as it is where it is none, and whether rows were left out."""
    try:
        dialect: Any = csv.Sniffer().sniff(text[:10_000], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel
    try:
        return table(csv.reader(StringIO(text), dialect))
    except csv.Error:  # a line longer than 128 KB: no table, whatever its name
        return text, False


def workbook_tables(content: bytes) -> tuple[str, bool]:
    """Return an Excel file's sheets, each under its name, and whether rows were left out. Raises Unreadable."""
    from openpyxl import load_workbook  # noqa: PLC0415 - slow import
    from openpyxl.utils.exceptions import InvalidFileException  # noqa: PLC0415 - slow import

    parts, cut = [], False
    try:
        workbook = load_workbook(BytesIO(content), read_only=True, data_only=True)
        for sheet in workbook.worksheets:
            rows = sheet.iter_rows(values_only=True, max_col=MOST_COLUMNS)
            text, left = table([shown(value) for value in row] for row in rows)
            parts += [f"## {sheet.title}\n\n{text}"] if text else []
            cut = cut or left
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, TypeError, ParseError) as error:
        raise Unreadable("This Excel file is damaged: it cannot be read.") from error
    return "\n\n".join(parts), cut


def table(rows: Iterable[list[str]]) -> tuple[str, bool]:
    """Return filled rows as one Markdown table, and whether there were more than are read."""
    kept: list[list[str]] = []
    cells = 0
    for scanned, row in enumerate(rows):
        filled = without_end(row)[:MOST_COLUMNS]
        cells += len(filled)
        if scanned >= MOST_SCANNED or len(kept) >= MOST_ROWS or cells > MOST_CELLS:
            return pipes(kept), True
        if filled:
            kept.append(filled)
    return pipes(kept), False


def without_end(row: list[str]) -> list[str]:
    """Return the cells up to the last one that holds something."""
    last = max((at for at, text in enumerate(row) if text.strip()), default=-1)
    return row[: last + 1]


def pipes(rows: list[list[str]]) -> str:
    """Return rows as a Markdown table, the first one its head."""
    width = max((len(row) for row in rows), default=0)
    lines = ["| " + " | ".join([*map(one_cell, row), *[""] * (width - len(row))]) + " |" for row in rows]
    return "\n".join([*lines[:1], "|" + " --- |" * width, *lines[1:]]) if rows else ""


def one_cell(text: str) -> str:
    """Return a cell's text on one line, its pipes escaped."""
    return " ".join(text.split()).replace("|", "\\|")


def shown(value: object) -> str:
    """Return a cell's value as people see it: no time on a plain day, no `.0` on a whole number."""
    if value is None:
        return ""
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
