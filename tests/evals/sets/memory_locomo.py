"""LoCoMo: turns of a long chat that answer a question, by the product's recall; its sessions, by both searches."""

import tempfile
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.domain.messages import Turn
from bot.domain.rooms import Person, Room, scope_of
from bot.rag.fusion import RANK_OFFSET
from bot.rag.recall import lifted, recall_query
from storage import open_storage
from tests.evals.palace import Document, palace_of
from tests.evals.records import records
from tests.evals.scoring import any_at, mean, recall_at
from tests.evals.vectors import eval_embedder

START = datetime(2023, 1, 1, tzinfo=UTC)
PERSON = Person(platform="console", person_id="reader")


async def evaluate(folder: Path, split: str) -> dict:
    questions = defaultdict(list)
    for question in records(folder / split / "questions.jsonl"):
        questions[question["conv"]].append(question)
    scores = defaultdict(list)
    embedder = eval_embedder()
    for conversation in records(folder / split / "conversations.jsonl"):
        room = Room(platform="console", channel=conversation["conv"], kind="private")
        scope = scope_of(room, PERSON)
        said = [
            (f"{session['n']}", turn["dia_id"], spoken(turn), f"{turn['speaker']}")
            for session in conversation["sessions"]
            for turn in session["turns"]
        ]
        vectors = await embedder.embed([text for _, _, text, _ in said])
        with tempfile.TemporaryDirectory(prefix="palace-eval-") as place:
            texts = [
                Document(name=f"{session['n']}", text="\n".join(spoken(turn) for turn in session["turns"]))
                for session in conversation["sessions"]
            ]
            async with (
                open_storage(f"sqlite:///{place}/palace.db") as storage,
                palace_of(texts) as kept_sessions,
            ):
                await storage.prepare_embeddings(model_name=embedder.model_name, dimensions=embedder.dimensions)
                where: dict[int, tuple[str, str]] = {}
                for at, ((session, dia_id, text, name), vector) in enumerate(zip(said, vectors, strict=True)):
                    turn = Turn(speaker="person", text=text, at=START + timedelta(minutes=at), name=name)
                    kept = await storage.transcript.add(room, turn, scope, vector=vector)
                    where[kept.turn_id] = (session, dia_id)
                for question in questions[conversation["conv"]]:
                    if not question["evidence"]:
                        continue
                    text, vector = await recall_query(embedder, question["question"])
                    found = await storage.transcript.similar(room, (scope,), text, vector, limit=100, before_id=0)
                    found = lifted(found)
                    turns = [where[turn.turn_id][1] for turn, _ in found]
                    recalled = list(dict.fromkeys(where[turn.turn_id][0] for turn, _ in found))
                    read = await kept_sessions.search([question["question"]])
                    sessions = fused(recalled, read)
                    wanted = [str(number) for number in question["sessions"]]
                    scores["turn_any@5"].append(any_at(turns, question["evidence"], k=5))
                    scores["turn_rec@5"].append(recall_at(turns, question["evidence"], k=5))
                    scores["session_any@10_by_turns"].append(any_at(recalled, wanted, k=10))
                    scores["session_any@10_by_texts"].append(any_at(read, wanted, k=10))
                    scores["session_any@5"].append(any_at(sessions, wanted, k=5))
                    scores["session_any@10"].append(any_at(sessions, wanted, k=10))
    return {"items": len(scores["turn_any@5"])} | {name: mean(values) for name, values in scores.items()}


def fused(*rankings: list[str]) -> list[str]:
    """Sessions by reciprocal rank in both searches, with the product's own constant."""
    scores: dict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, session in enumerate(ranking, start=1):
            scores[session] += 1 / (RANK_OFFSET + rank)
    return sorted(scores, key=lambda session: -scores[session])


def spoken(turn: dict) -> str:
    """A turn as it stands in the transcript: with its speaker's name, and with what a shared picture shows."""
    caption = f" ({turn['image_caption']})" if turn.get("image_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{caption}"
