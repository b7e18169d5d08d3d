"""Read a set of saved pages through the product's own extraction, for the evaluations of it."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.web.extract import extract_page
from bot.domain.errors import Unreadable
from tests.evals.records import records

MARKS = re.compile(r"^\s*(?:#{1,6} |> |[-*] |\d+\. )|^\s*```\w*$|[`|]|\|?(?: --- \|)+", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage:
    """What is right for a page, and what was read of it; empty where nothing could be."""

    gold: dict[str, Any]
    markdown: str


def read_pages(folder: Path) -> list[ReadPage]:
    """`folder` holds gold.jsonl (each line with an `id`) and html/ID.html, gzipped or not."""
    golds = records(folder / "gold.jsonl")
    return [ReadPage(gold=gold, markdown=read(folder / "html", gold)) for gold in golds]


def read(folder: Path, gold: dict[str, Any]) -> str:
    plain = folder / f"{gold['id']}.html"
    path = plain if plain.exists() else folder / f"{gold['id']}.html.gz"
    url = gold.get("url") or "https://example.org/page"
    try:
        return extract_page(path.read_bytes(), url=url, media_type="text/html").text
    except Unreadable:
        return ""


def unmarked(markdown: str) -> str:
    """The text without Markdown's marks, for a comparison with plain text."""
    return MARKS.sub(" ", markdown)
