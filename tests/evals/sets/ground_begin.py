"""Replies in a conversation against the knowledge they were given: is all of it attributable?"""

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
    gold = [item["label"] == "Fully attributable" for item in items]
    predicted = [await checker.carries(item["response"], [knowledge_of(item["knowledge"])]) for item in items]
    return {
        "items": len(items),
        "balanced_accuracy": balanced_accuracy(gold, predicted),
        "precision": precision_of(gold, predicted, True),
        "recall": recall_of(gold, predicted, True),
    }


def knowledge_of(text: str) -> Passage:
    return Passage(chunk_id=1, memory_id="m1", number=0, text=text, title="", url="")
