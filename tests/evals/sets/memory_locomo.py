"""LoCoMo: the turns and sessions of a long chat that answer a question, found by the product's own recall."""

import tempfile
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.domain.messages import Turn
from bot.domain.rooms import Person, Room, scope_of
from bot.rag.recall import lifted, recall_query
from storage import open_storage
from tests.evals.palace import records
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
            async with open_storage(f"sqlite:///{place}/palace.db") as storage:
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
                    sessions = best_sessions([(where[turn.turn_id][0], score) for turn, score in found])
                    wanted = [str(number) for number in question["sessions"]]
                    scores["turn_any@5"].append(any_at(turns, question["evidence"], k=5))
                    scores["turn_rec@5"].append(recall_at(turns, question["evidence"], k=5))
                    scores["session_any@5"].append(any_at(sessions, wanted, k=5))
                    scores["session_any@10"].append(any_at(sessions, wanted, k=10))
    return {"items": len(scores["turn_any@5"])} | {name: mean(values) for name, values in scores.items()}


def best_sessions(found: list[tuple[str, float]]) -> list[str]:
    """Sessions by the sum of their three best turns."""
    scores: dict[str, list[float]] = defaultdict(list)
    for session, score in found:
        scores[session].append(score)
    return sorted(scores, key=lambda session: -sum(scores[session][:3]))


def spoken(turn: dict) -> str:
    """A turn as it stands in the transcript: with its speaker's name, and with what a shared picture shows."""
    caption = f" ({turn['image_caption']})" if turn.get("image_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{caption}"
