"""Score the Markdown of news pages against their article bodies by 4-token shingles (Zyte's article benchmark)."""

from pathlib import Path
from typing import Any

from tests.evals.pages import read_pages, unmarked
from tests.evals.scoring import shingle_scores


async def evaluate(folder: Path, split: str) -> dict[str, Any]:
    pages = read_pages(folder / split)
    return {"items": len(pages)} | shingle_scores(
        [(page.gold["article_body"], unmarked(page.markdown)) for page in pages]
    )
