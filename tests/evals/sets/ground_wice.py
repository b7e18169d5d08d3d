"""Claims of an encyclopedia against the page they cite: does the checker see which the page carries?"""

from pathlib import Path
from typing import Any

from bot.domain.memories import Passage
from bot.rag.reflect import Checker
from tests.evals.records import records
from tests.evals.scoring import balanced_accuracy, precision_of, recall_of
from tests.evals.vectors import eval_embedder


async def evaluate(folder: Path, split: str) -> dict[str, Any]:
    items = records(folder / split / "items.jsonl")
    checker = Checker(eval_embedder())
    gold = [item["label"] == "supported" for item in items]
    predicted = [await checker.carries(item["claim"], [page_of(item["evidence"])]) for item in items]
    return {
        "items": len(items),
        "balanced_accuracy": balanced_accuracy(gold, predicted),
        "precision": precision_of(gold, predicted, True),
        "recall": recall_of(gold, predicted, True),
    }


def page_of(sentences: list[str]) -> Passage:
    return Passage(chunk_id=1, memory_id="m1", number=0, text="\n\n".join(sentences), title="", url="")
