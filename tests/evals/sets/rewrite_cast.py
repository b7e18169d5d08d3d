"""TREC CAsT 2019 to 2022: does the rewriter know which turns need context, and does it add the right words?"""

import re
from datetime import UTC, datetime
from pathlib import Path

from bot.domain.messages import Turn
from bot.rag.rewrite import Rewriter
from tests.evals.records import records
from tests.evals.scoring import harmonic, mean
from tests.evals.vectors import eval_embedder

WORD = re.compile(r"\w+")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


async def evaluate(folder: Path, split: str) -> dict:
    turns = records(folder / split / "queries.jsonl")
    rewriter = Rewriter(eval_embedder())
    made = [await rewriter.rewrite(turn["query"], history_of(turn)) for turn in turns]
    needs = [turn["needs_context"] for turn in turns]
    flagged = [rewrite.needed_context for rewrite in made]
    changed = [rewrite.standalone != turn["query"] for turn, rewrite in zip(turns, made, strict=True)]
    scored = [scores(turn, rewrite.standalone) for turn, rewrite in zip(turns, made, strict=True) if turn["added"]]
    return {
        "items": len(turns),
        "needs_context_f1": f1(needs, flagged),
        "changed_f1": f1(needs, changed),
        "untouched": mean([not touched for need, touched in zip(needs, changed, strict=True) if not need]),
        "hinted_alone": mean([bool(one.hints) for one, need in zip(made, needs, strict=True) if not need]),
        "added_recall": mean([recall for recall, _ in scored]),
        "wrong_terms": mean([wrong for _, wrong in scored]),
        "by_year": {
            year: mean([scores(turn, rewrite.standalone)[0] for turn, rewrite in zip(turns, made, strict=True)
                        if turn["added"] and turn["year"] == year])
            for year in sorted({turn["year"] for turn in turns})
        },
    }  # fmt: skip


def history_of(turn: dict) -> tuple[Turn, ...]:
    return tuple(
        Turn(speaker="person" if said["role"] == "user" else "bot", text=said["text"], at=NOON)
        for said in turn["history"]
    )


def f1(truth: list[bool], guess: list[bool]) -> float:
    hits = sum(one and other for one, other in zip(truth, guess, strict=True))
    return harmonic(hits / max(1, sum(guess)), hits / max(1, sum(truth)))


def scores(turn: dict, standalone: str) -> tuple[float, int]:
    """Return the share of the wanted terms that are there, and how many words were added that nobody wanted."""
    words = set(WORD.findall(standalone.lower()))
    own, wanted = (set(WORD.findall(turn[key].lower())) for key in ("query", "rewrite"))
    return len(words & set(turn["added"])) / len(turn["added"]), len(words - own - wanted)
