"""MTRAG: rewriting beside the human one, and what the rewrite finds where every relevant passage is in the corpus."""

from pathlib import Path

from bot.rag.rewrite import Rewriter
from tests.evals.conversations import history_of, plan
from tests.evals.palace import Document, palace_of
from tests.evals.records import records
from tests.evals.scoring import mean, ndcg, recall_at
from tests.evals.sets.rewrite_cast import f1, scores
from tests.evals.vectors import eval_embedder

CORPUS = Path("rag_mtragun") / "shared" / "corpus.jsonl"


async def evaluate(folder: Path, split: str) -> dict:
    turns = records(folder / split / "queries.jsonl")
    for turn in turns:
        turn["history"] = history_of([{"role": "user", "text": text} for text in turn["user_history"]])
    rewriter = Rewriter(eval_embedder())
    made = [await rewriter.rewrite(turn["query"], turn["history"]) for turn in turns]
    needs = [turn["needs_context"] for turn in turns]
    added = [scores(turn, rewrite.standalone) for turn, rewrite in zip(turns, made, strict=True) if turn["added"]]
    untouched = [one.standalone == turn["query"] for turn, one in zip(turns, made, strict=True) if not turn["added"]]
    found: dict[str, list[float]] = {"ndcg@10": [], "recall@5": [], "last_turn": [], "human": []}
    corpus = records(folder.parent / CORPUS)
    async with palace_of([Document(name=one["id"], text=one["text"]) for one in corpus]) as palace:
        for turn in (turn for turn in turns if turn["qrels_in_corpus"]):
            queries, alike, intent = await plan(palace, turn["query"], turn["history"])
            ranked = await palace.search(queries, alike=alike, intent=intent)
            found["ndcg@10"].append(ndcg(ranked, turn["qrels"], k=10))
            found["recall@5"].append(recall_at(ranked, turn["qrels"], k=5))
            for name, text in (("last_turn", turn["query"]), ("human", turn["rewrite"])):
                found[name].append(ndcg(await palace.search([text]), turn["qrels"], k=10))
    return {
        "items": len(turns),
        "queries": len(found["human"]),
        **{name: mean(values) for name, values in found.items()},
        "needs_context_f1": f1(needs, [rewrite.needed_context for rewrite in made]),
        "untouched": mean(untouched),
        "hinted_alone": mean([bool(one.hints) for turn, one in zip(turns, made, strict=True) if not turn["added"]]),
        "added_recall": mean([recall for recall, _ in added]),
        "wrong_terms": mean([wrong for _, wrong in added]),
    }
