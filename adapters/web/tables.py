"""Tell tables of data from tables that only lay out the page, and write the former as Markdown."""

import re
from collections.abc import Callable
from typing import Any

LONGEST_CELL = 1_500
"""Characters; a longer cell holds an article, not a datum."""
SMALLEST = 2
"""Rows and columns that a table of data has at least."""
NOT_DATA = ("pre", "article", "h1", "h2", "h3", "h4", "h5", "h6")


def pipe_table(table: Any, cell_text: Callable[[Any], str]) -> str:
    """Return the table as Markdown, its caption above; empty where it only lays out the page."""
    rows = [row for row in table.iter("tr") if next(row.iterancestors("table"), None) is table]
    texts = [[cell_text(cell) for cell in row if cell.tag in {"td", "th"}] for row in rows] if _may_be(table) else []
    width = max((len(row) for row in texts), default=0)
    filled = [text for row in texts for text in row if text]
    if width < SMALLEST or len(texts) < SMALLEST or len(filled) < len(texts) or max(map(len, filled)) > LONGEST_CELL:
        return ""
    lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in texts if any(row)]
    lines.insert(1, f"|{' --- |' * width}")
    caption = " ".join(" ".join("".join(found.itertext()).split()) for found in table.iter("caption"))
    return "\n".join(([caption, ""] if caption else []) + lines)


def one_line(parts: list[str]) -> str:
    """Join the parts of a cell, such as the items of a list, so that they stay apart on one line."""
    joined = "; ".join(parts)
    return re.sub(r"([.;:,!?])?; ", lambda end: f"{end[1]} " if end[1] else "; ", joined).replace("|", "\\|")


def _may_be(table: Any) -> bool:
    if table.get("role") == "presentation" or next(table.iter(*NOT_DATA), None) is not None:
        return False
    return next(table.iterdescendants("table"), None) is None
