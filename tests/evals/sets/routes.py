"""Our own messages over the seven routes: greetings, typos, three languages; a third is held out by hash."""

import hashlib
from collections import defaultdict
from pathlib import Path

from bot.rag.route import Router
from tests.evals.conversations import history_of
from tests.evals.records import records
from tests.evals.scoring import macro_f1, mean
from tests.evals.vectors import eval_embedder

ROUTES = Path(__file__).parent.parent / "routes.jsonl"


async def evaluate(folder: Path, split: str) -> dict:
    messages = records(ROUTES)
    router = Router(eval_embedder())
    truth, guess = defaultdict(list), defaultdict(list)
    for message in messages:
        part = "held" if held_out(message["text"]) else "dev"
        said = zip(("user", "assistant"), message.get("history", ()), strict=False)
        history = history_of([{"role": role, "text": text} for role, text in said])
        truth[part].append(message["intent"])
        guess[part].append((await router.route(message["text"], history)).intent)
    right = {part: [one == other for one, other in zip(truth[part], guess[part], strict=True)] for part in truth}
    return {
        "items": len(messages),
        "held_out": len(right["held"]),
        "accuracy": mean(right["held"]),
        "macro_f1": macro_f1(truth["held"], guess["held"]),
        "accuracy_rest": mean(right["dev"]),
    }


def held_out(text: str) -> bool:
    """A third of the messages, by hash: never looked at while the router is made."""
    return hashlib.sha256(text.encode()).digest()[0] % 3 == 0
