"""MTRAG-UN: the passages of a conversation's last question, found with our rewriter and expander, on 1,488 passages."""

from pathlib import Path

from bot.rag.rewrite import join_last
from tests.evals.conversations import history_of, plan
from tests.evals.palace import Document, palace_of
from tests.evals.records import records
from tests.evals.scoring import any_at, mean, ndcg, recall_at


async def evaluate(folder: Path, split: str) -> dict:
    tasks = [task for task in records(folder / split / "tasks.jsonl") if task["qrels"]]
    corpus = records(folder / "shared" / "corpus.jsonl")
    scores: dict[str, list[float]] = {
        "ndcg@10": [],
        "recall@5": [],
        "any@5": [],
        "last_turn": [],
        "previous_and_last": [],
    }
    async with palace_of([Document(name=one["id"], text=one["text"]) for one in corpus]) as palace:
        for task in tasks:
            history, text = history_of(task["messages"][:-1]), task["messages"][-1]["text"]
            queries, alike, intent = await plan(palace, text, history)
            found = await palace.search(queries, alike=alike, intent=intent)
            scores["ndcg@10"].append(ndcg(found, task["qrels"], k=10))
            scores["recall@5"].append(recall_at(found, task["qrels"], k=5))
            scores["any@5"].append(any_at(found, task["qrels"], k=5))
            scores["last_turn"].append(ndcg(await palace.search([text]), task["qrels"], k=10))
            joined = await palace.search([join_last(text, history)])
            scores["previous_and_last"].append(ndcg(joined, task["qrels"], k=10))
    return {"items": len(tasks)} | {name: mean(values) for name, values in scores.items()}
