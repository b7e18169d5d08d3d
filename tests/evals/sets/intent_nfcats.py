"""NF-CATS: categories of questions, mapped to our routes as the set's description does."""

from pathlib import Path

from bot.rag.route import Router
from tests.evals.records import records
from tests.evals.scoring import macro_f1, mean
from tests.evals.vectors import eval_embedder

ROUTE_OF = {
    "COMPARISON": "comparison",
    "REASON": "analytical",
    "DEBATE": "analytical",
    "EXPERIENCE": "analytical",
    "EVIDENCE-BASED": "analytical",
    "INSTRUCTION": "analytical",
    "FACTOID": "simple_lookup",
    "NOT-A-QUESTION": "simple_lookup",
}
"""A statement without a question is looked up by its words; "how do I …" wants steps explained."""


async def evaluate(folder: Path, split: str) -> dict:
    items = records(folder / split / "items.jsonl")
    router = Router(eval_embedder())
    truth = [ROUTE_OF[item["category"]] for item in items]
    guess = [(await router.route(item["text"], ())).intent for item in items]
    right = [one == other for one, other in zip(truth, guess, strict=True)]
    return {"items": len(items), "macro_f1": macro_f1(truth, guess), "accuracy": mean(right)}
