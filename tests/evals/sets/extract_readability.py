"""Count the headings, list items, paragraphs and code lines that stay what they are (Mozilla Readability's pages)."""

from pathlib import Path
from typing import Any

from tests.evals.pages import read_pages
from tests.evals.scoring import structure_counts, structure_scores


async def evaluate(folder: Path, split: str) -> dict[str, Any]:
    pages = read_pages(folder / split)
    return {"items": len(pages)} | structure_scores(
        [structure_counts(page.gold["blocks"], page.markdown) for page in pages]
    )
