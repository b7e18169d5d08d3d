"""Count the wanted segments that stay and the boilerplate that goes, on pages in many languages (trafilatura's set)."""

from pathlib import Path
from typing import Any

from tests.evals.pages import read_pages
from tests.evals.scoring import segment_scores


async def evaluate(folder: Path, split: str) -> dict[str, Any]:
    pages = read_pages(folder / split)
    scores = segment_scores([(page.gold["with"], page.gold["without"], page.markdown) for page in pages])
    return {"items": len(pages)} | scores
