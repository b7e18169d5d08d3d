"""Fit the rewriter's two tables of weights: `python -m tests.evals.fit_rewriter --data DIR` prints both.

Ridge logistic regression on the development turns of rewrite_cast, with those of rewrite_ikat and rewrite_mtrag at a
smaller weight. The features are the product's own; nothing of the data goes into it but the numbers printed here.
"""

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bot.rag import carried, leaning
from bot.rag.nearness import nearness
from bot.rag.rewrite import REMEMBERED
from tests.evals.conversations import history_of
from tests.evals.records import records
from tests.evals.vectors import CachedEmbedder, eval_embedder

SETS = {"rewrite_cast": 1.0, "rewrite_ikat": 0.3, "rewrite_mtrag": 0.3}
"""How much a turn of each set counts for whether it leans; for the words left out the first two count in full."""
RIDGE_TURNS, RIDGE_WORDS = 2.0, 5.0
STEPS = 30

Row = tuple[dict[str, float], bool, float]
"""Features, the truth, the weight."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.evals.fit_rewriter", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with one folder a set")
    turns = {name: turns_of(parser.parse_args().data / name) for name in SETS}
    leans = [row for name, weight in SETS.items() for row in turn_rows(turns[name], weight)]
    words = asyncio.run(word_rows([turn for name in list(SETS)[:2] for turn in turns[name]]))
    for title, rows, ridge in (("leaning", leans, RIDGE_TURNS), ("carried", words, RIDGE_WORDS)):
        weights, bias = fit(rows, ridge=ridge)
        print(
            title, *(f'    "{name}": {value:.2f},' for name, value in weights.items()), f"BIAS = {bias:.2f}", sep="\n"
        )


def turns_of(folder: Path, split: str = "dev") -> list[dict[str, Any]]:
    """The turns that have a history."""
    turns = records(folder / split / "queries.jsonl")
    for turn in turns:
        said = turn.get("history") or [{"role": "user", "text": text} for text in turn.get("user_history", ())]
        turn["history"] = history_of(said)[-REMEMBERED:]
    return [turn for turn in turns if turn["history"]]


def turn_rows(turns: Sequence[dict[str, Any]], weight: float) -> Iterator[Row]:
    """A row a turn: does it need what was said before?"""
    for turn in turns:
        yield leaning.features(turn["query"], turn["history"]), turn["needs_context"], weight


async def word_rows(turns: Sequence[dict[str, Any]]) -> list[Row]:
    """A row a word of the history, for the turns that need it: do people add it?"""
    embedder = eval_embedder()
    return [row for turn in turns if turn["added"] for row in await rows_of(turn, embedder)]


async def rows_of(turn: dict[str, Any], embedder: CachedEmbedder) -> list[Row]:
    """The rows of one turn."""
    text, history = turn["query"], turn["history"]
    words = [term.word for term in carried.words_of(text, history).values()]
    near = await nearness(embedder, text, history, carried.answer_before(history), words)
    return [
        (values, {term.word.lower(), leaning.plain(term.word)} & set(turn["added"]) != set(), 1.0)
        for term, values in carried.candidates(text, history, near).values()
    ]


def fit(rows: Sequence[Row], *, ridge: float) -> tuple[dict[str, float], float]:
    """Weights and bias by Newton's method; the penalty is on features scaled to deviation 1."""
    names = list(rows[0][0])
    values = np.array([[features[name] for name in names] for features, _, _ in rows])
    truth = np.array([float(right) for _, right, _ in rows])
    counted = np.array([weight for _, _, weight in rows])
    centre, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = np.hstack([(values - centre) / spread, np.ones((len(rows), 1))])
    penalty = np.diag([ridge] * len(names) + [0.0])
    found = np.zeros(len(names) + 1)
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-scaled @ found))
        slope = scaled.T @ (counted * (truth - likely)) - penalty @ found
        curve = (scaled * (counted * likely * (1 - likely))[:, None]).T @ scaled + penalty
        found += np.linalg.solve(curve, slope)
    weights = found[:-1] / spread
    return dict(zip(names, weights.tolist(), strict=True)), float(found[-1] - weights @ centre)


if __name__ == "__main__":
    main()
