"""Scientific claims against the abstract they cite: carried, denied, or not spoken of?"""

from pathlib import Path
from typing import Any

from bot.domain.memories import Passage
from bot.rag.reflect import Checker
from tests.evals.records import records
from tests.evals.scoring import balanced_accuracy, precision_of, recall_of
from tests.evals.vectors import eval_embedder


async def evaluate(folder: Path, split: str) -> dict[str, Any]:
    corpus = {one["id"]: one for one in records(folder.parent / "retrieve_scifact" / "shared" / "corpus.jsonl")}
    items = records(folder / split / "items.jsonl")
    checker = Checker(eval_embedder())
    gold = [item["label"] == "SUPPORT" for item in items]
    predicted = [await checker.carries(item["claim"], [abstract_of(corpus[item["doc_id"]])]) for item in items]
    return {
        "items": len(items),
        "balanced_accuracy": balanced_accuracy(gold, predicted),
        "precision": precision_of(gold, predicted, True),
        "recall": recall_of(gold, predicted, True),
    }


def abstract_of(record: dict[str, Any]) -> Passage:
    text = " ".join(record["sentences"])
    return Passage(chunk_id=1, memory_id="m1", number=0, text=text, title=record["title"], url="")
