"""Fit the weights by which the checker judges, and say how they do on pages that they have not seen.

python -m tests.evals.fitting --data FOLDER
"""

import argparse
import asyncio
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold

from bot.domain.memories import Passage
from bot.rag.reflect import bare, told
from bot.rag.support import Support, support, supporting
from bot.rag.support_words import Nearness, nearness, worth_comparing
from bot.rag.weights import WordWeights
from tests.evals.records import records
from tests.evals.scoring import balanced_accuracy, mean
from tests.evals.sets.ground_begin import knowledge_of
from tests.evals.sets.ground_wice import page_of
from tests.evals.vectors import CachedEmbedder, eval_embedder

FOLDS, TIMES = 5, 10


async def main(folder: Path) -> None:
    """Fit both judgements, each on the half of its set that may be looked at."""
    embedder = eval_embedder()
    await embedder.load()
    pages = records(folder / "ground_wice" / "dev" / "items.jsonl")
    claims = [await figures(embedder, item["claim"], page_of(item["evidence"])) for item in pages]
    print("drawn from a page")
    gold = np.array([item["label"] == "supported" for item in pages])
    fit([drawn_from(*found) for found in claims], gold, [item["title"] for item in pages])
    replies = records(folder / "ground_begin" / "dev" / "items.jsonl")
    claims = [await figures(embedder, item["response"], knowledge_of(item["knowledge"])) for item in replies]
    print("restated from a few sentences")
    gold = np.array([item["label"] == "Fully attributable" for item in replies])
    fit([restated_from(*found) for found in claims], gold, [item["knowledge"] for item in replies])


async def figures(embedder: CachedEmbedder, claim: str, passage: Passage) -> tuple[Support, Nearness]:
    """Return what a claim is judged by, as the checker sees it."""
    weights = WordWeights(embedder.tokenizer)
    said, texts = bare(claim), told([passage])
    chosen = supporting(said, texts, weights)
    near = await nearness(embedder, said, worth_comparing(said, texts, chosen, weights))
    return support(said, texts, chosen, weights), near


def drawn_from(found: Support, near: Nearness) -> dict[str, float]:
    return {"named": near.named, "figures": near.figures, "loosest": near.loosest, "near": found.near}


def restated_from(found: Support, near: Nearness) -> dict[str, float]:
    return {
        "all_words": found.all_words,
        "order": found.order,
        "weakest": near.weakest,
        "missing_words": math.log1p(len(found.missing_words)),
        "missing_numbers": min(2, len(found.missing_numbers)),
        "trailing": math.log1p(found.trailing),
        "question": float(found.question),
        "aside": float(found.aside),
        "negation": float(found.negation),
    }


def fit(found: Sequence[dict[str, float]], gold: np.ndarray, groups: Sequence[str]) -> None:
    """Print the weights of all, and the mean of several cross-validations by what the claims were held to."""
    rows = np.array([list(one.values()) for one in found])
    model = fitted(rows, gold)
    print(*(f"  {name} {weight:+.2f}" for name, weight in zip(found[0], model.coef_[0], strict=True)), sep="\n")
    print(f"  offset {model.intercept_[0]:+.2f}")
    odds = [cross_validated(rows, gold, groups, seed=seed) for seed in range(TIMES)]
    print(f"  balanced accuracy, fitted {balanced_accuracy(gold, model.predict(rows)):.3f}")
    print(f"  balanced accuracy, cross-validated {mean([balanced_accuracy(gold, one > 0) for one in odds]):.3f}")
    print(f"  area under the curve, cross-validated {mean([roc_auc_score(gold, one) for one in odds]):.3f}")


def fitted(rows: np.ndarray, gold: np.ndarray) -> LogisticRegression:
    """Both answers weigh the same, so that even odds are the threshold."""
    return LogisticRegression(C=2.0, class_weight="balanced", max_iter=3_000).fit(rows, gold)


def cross_validated(rows: np.ndarray, gold: np.ndarray, groups: Sequence[str], *, seed: int) -> np.ndarray:
    """Return the log odds of each row by a model that saw no claim of the same group."""
    odds = np.zeros(len(gold))
    for learnt, left in StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed).split(rows, gold, groups):
        odds[left] = fitted(rows[learnt], gold[learnt]).decision_function(rows[left])
    return odds


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True, help="the folder that holds the sets")
    asyncio.run(main(arguments.parse_args().data))
