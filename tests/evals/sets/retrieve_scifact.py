"""Scientific claims against 5,183 abstracts: does the search find the abstract that speaks of it?"""

from pathlib import Path
from typing import Any

from tests.evals.palace import Document, palace_of, records
from tests.evals.scoring import mean, ndcg, recall_at


async def evaluate(folder: Path, split: str) -> dict[str, Any]:
    documents = [
        Document(name=one["id"], title=one["title"], text=" ".join(one["sentences"]))
        for one in records(folder / "shared" / "corpus.jsonl")
    ]
    queries = records(folder / split / "queries.jsonl")
    async with palace_of(documents) as palace:
        plain = [await palace.search((query["query"],)) for query in queries]
    wanted = [query["qrels"] for query in queries]
    return {
        "items": len(queries),
        "ndcg@10": mean([ndcg(found, right) for found, right in zip(plain, wanted, strict=True)]),
        "recall@10": mean([recall_at(found, right, k=10) for found, right in zip(plain, wanted, strict=True)]),
    }
