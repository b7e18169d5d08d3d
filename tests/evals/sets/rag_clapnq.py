"""Real questions, each with one passage of the right page: does the grader see whether it answers?"""

from pathlib import Path
from typing import Any

from bot.domain.memories import Passage
from bot.rag.grade import Grader
from tests.evals.records import records
from tests.evals.scoring import balanced_accuracy, mean
from tests.evals.vectors import eval_embedder


async def evaluate(folder: Path, split: str) -> dict[str, Any]:
    passages = {one["id"]: one for one in records(folder / "shared" / "passages.jsonl")}
    items = records(folder / split / "items.jsonl")
    grader = Grader(eval_embedder())
    gold, predicted, verdicts = [], [], []
    for item in items:
        grading = await grader.grade(item["question"], [passage_of(passages[item["passage_id"]])])
        gold.append(item["answerable"])
        predicted.append(grading.verdict == "sufficient")
        verdicts.append(grading.verdict)
    return {
        "items": len(items),
        "balanced_accuracy": balanced_accuracy(gold, predicted),
        "needs_expansion": mean([verdict == "needs_expansion" for verdict in verdicts]),
    }


def passage_of(record: dict[str, Any]) -> Passage:
    return Passage(chunk_id=1, memory_id="m1", number=0, text=record["text"], title=record["title"], url="")
