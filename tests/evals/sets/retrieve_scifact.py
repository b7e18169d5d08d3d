"""Scientific claims against 5,183 abstracts: does the search find the abstract that speaks of it?"""

from pathlib import Path
from typing import Any

from tests.evals.conversations import plan
from tests.evals.palace import Document, palace_of
from tests.evals.records import records
from tests.evals.scoring import mean, ndcg, recall_at


async def evaluate(folder: Path, split: str) -> dict[str, Any]:
    """`ndcg@10` is what a person is served, with the intent's other wordings; `one_wording` is the claim alone."""
    documents = [
        Document(name=one["id"], title=one["title"], text=" ".join(one["sentences"]))
        for one in records(folder / "shared" / "corpus.jsonl")
    ]
    queries = records(folder / split / "queries.jsonl")
    async with palace_of(documents) as palace:
        plans = [await plan(palace, query["query"], ()) for query in queries]
        served = [await palace.search(asked, alike=alike, intent=intent) for asked, alike, intent in plans]
        plain = [await palace.search((query["query"],)) for query in queries]
    wanted = [query["qrels"] for query in queries]
    return {
        "items": len(queries),
        "ndcg@10": mean([ndcg(found, right) for found, right in zip(served, wanted, strict=True)]),
        "recall@10": mean([recall_at(found, right, k=10) for found, right in zip(served, wanted, strict=True)]),
        "one_wording": mean([ndcg(found, right) for found, right in zip(plain, wanted, strict=True)]),
        "wordings": mean([len(asked) for asked, _, _ in plans]),
    }
