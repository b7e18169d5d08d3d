"""Strings that break programs: saved as notes, searched, asked, exported and restored; nothing may raise or change."""

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bot.app import Palace, open_palace, prepare_embeddings
from bot.conversation import CONSOLE_ROOM, OWNER
from bot.domain.errors import PalaceError
from bot.domain.links import addresses_in, opened_url, page_key, shown_url
from bot.domain.messages import Message
from bot.domain.rooms import personal_scope
from bot.saving import shared_in
from bot.settings import Settings
from bot.words.english import ENGLISH
from tests.evals.records import records
from tests.fakes.reply import RecordingReply


async def evaluate(folder: Path, split: str) -> dict:
    texts = [item["text"] for item in records(folder / split / "items.jsonl")]
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        async with open_palace(settings(first)) as palace:
            await prepare_embeddings(palace)
            changed = await save(palace, texts, faults)
            for number, text in enumerate(texts):
                await say(palace, f"/search {text}", number, faults)
                # An address alone would be saved; nothing is fetched here.
                await say(palace, f"what is {text} ?" if addresses_in(text) else text, number, faults)
                read_addresses(text, faults)
            exported = [json.dumps(record) async for record in palace.storage.memories.export()]
        async with open_palace(settings(second)) as palace:
            await prepare_embeddings(palace)
            for record in exported:
                await palace.storage.memories.restore(json.loads(record))
            restored = [json.dumps(record) async for record in palace.storage.memories.export()]
    return {
        "items": len(texts),
        "exceptions": len(faults),
        "changed": changed + len(set(exported) ^ set(restored)),
        **({"first_fault": faults[0]} if faults else {}),
    }


def settings(home: str) -> Settings:
    return Settings(_env_file=None, palace_home=Path(home), anthropic_api_key="")


async def save(palace: Palace, texts: list[str], faults: list[str]) -> int:
    """Save each as a note and have it read; returns how many do not come back as they were."""
    kept = []
    for number, text in enumerate(texts):
        try:
            shares = shared_in(message(text, number), as_note=True)
            kept += [(share.text, await palace.storage.memories.keep(share)) for share in shares]
        except PalaceError:
            continue
        except Exception as error:  # an exception is what is counted here
            faults.append(f"save {text!r}: {error!r}")
    await palace.worker.drain()
    changed = 0
    for text, one in kept:
        memory = await palace.storage.memories.get(one.memory.memory_id, (personal_scope(OWNER),))
        if memory is None or memory.state != "ready":
            faults.append(f"read {text!r}: {memory and memory.detail}")
        elif memory.text != text:
            changed += 1
    return changed


async def say(palace: Palace, text: str, number: int, faults: list[str]) -> None:
    """Type a text to the bot; what nobody foresaw ends in its one sentence for that."""
    reply = RecordingReply()
    try:
        await palace.bot.receive(message(text, number, asked=True), reply)
    except Exception as error:  # an exception is what is counted here
        faults.append(f"{text!r}: {error!r}")
    if ENGLISH.unexpected in reply.failures:
        faults.append(f"{text!r}: unexpected")


def read_addresses(text: str, faults: list[str]) -> None:
    try:
        for function in (addresses_in, page_key, opened_url, shown_url):
            function(text)
    except Exception as error:  # an exception is what is counted here
        faults.append(f"address {text!r}: {error!r}")


def message(text: str, number: int, *, asked: bool = False) -> Message:
    return Message(
        message_id=f"{'asked' if asked else 'saved'}-{number}-{len(text)}",
        room=CONSOLE_ROOM,
        author=OWNER,
        text=text,
        sent_at=datetime(2026, 12, 1, tzinfo=UTC),
        addressed=True,
    )
