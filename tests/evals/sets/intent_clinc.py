"""CLINC150: small talk told from everything else, with real commands and out-of-scope questions beside it."""

from pathlib import Path

from bot.rag.route import Router
from tests.evals.records import records
from tests.evals.scoring import harmonic, precision_of, recall_of
from tests.evals.vectors import eval_embedder


async def evaluate(folder: Path, split: str) -> dict:
    items = records(folder / split / "items.jsonl")
    embedder = eval_embedder()
    router = Router(embedder)
    truth = [bool(item["small_talk"]) for item in items]
    guess = [(await router.route(item["text"], ())).intent == "no_retrieval" for item in items]
    precision, recall = precision_of(truth, guess, True), recall_of(truth, guess, True)
    return {"items": len(items), "precision": precision, "recall": recall, "f1": harmonic(precision, recall)}
