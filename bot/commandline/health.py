"""`palace doctor` and `palace stats`: whether all is well, and what there is."""

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.app import Palace
from bot.commandline.output import emit, show, tell
from bot.commandline.saving import Json
from bot.commandline.session import COULD_NOT, DONE, in_palace
from bot.domain.answers import ModelUse
from bot.domain.errors import PalaceError
from bot.ports import Platform
from bot.rag.costs import dollars
from bot.wording import counted

LEAST_FREE = 200 * 1024 * 1024
"""Bytes on the disk under which saving may soon fail."""
ANSWER_WITHIN_S = 5.0
MEGA = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that `doctor` looked at."""

    name: str
    value: str
    ok: bool = True


def doctor(*, as_json: Json = False) -> None:
    """Check that all is well; exit 1 if something is wrong.

    The driver, the file, the index, the models, the platforms (each is asked), the disk.

    \b
    palace doctor
    palace doctor --json
    """
    in_palace(lambda palace: print_findings(palace, as_json=as_json))


def stats(*, as_json: Json = False) -> None:
    """Count memories, chunks, answers and votes.

    \b
    palace stats
    palace stats --json
    """
    in_palace(lambda palace: print_stats(palace, as_json=as_json))


async def print_findings(palace: Palace, *, as_json: bool) -> int:
    """Print one finding a line, each as soon as it is known; the model, which takes seconds, last."""
    well = True
    async for one in findings(palace):
        well = well and one.ok
        if as_json:
            emit({"check": one.name, "value": one.value, "ok": one.ok})
        else:
            show(f"{'ok   ' if one.ok else 'WRONG'} {one.name:16} {' '.join(one.value.split())}")
    return DONE if well else COULD_NOT


async def findings(palace: Palace) -> AsyncIterator[Finding]:
    """Yield what is found of the storage, of what is switched on, of the disk and of the model."""
    for one in (*stored(await palace.storage.describe()), *outside(palace), disk(palace.settings.palace_home)):
        yield one
    for answered in asyncio.as_completed([platform(palace, adapter) for adapter in palace.adapters]):
        yield await answered
    if sys.stderr.isatty():
        tell("Loading the embedding model, some seconds …")
    yield await model(palace)


def stored(described: Mapping[str, str]) -> list[Finding]:
    """Judge what the storage says of itself."""
    wrong = {
        "integrity": described.get("integrity", "ok") != "ok",
        "rows": described.get("rows", "").endswith("not equal"),
    }
    return [Finding(name=name, value=value, ok=not wrong.get(name, False)) for name, value in described.items()]


async def model(palace: Palace) -> Finding:
    """Load the embedding model and say which it is."""
    embedder = palace.embedder
    try:
        await embedder.load()
    except (PalaceError, OSError) as error:
        return Finding(name="model in use", value=str(error), ok=False)
    return Finding(name="model in use", value=f"{embedder.model_name} ({embedder.dimensions} dimensions)")


def outside(palace: Palace) -> list[Finding]:
    """Say what is switched on; never a secret."""
    settings = palace.settings
    key = "present" if settings.anthropic_api_key.get_secret_value() else "not set: every step goes its local way"
    names = ", ".join(adapter.name for adapter in palace.adapters)
    return [
        Finding(name="model key", value=key),
        Finding(name="platforms", value=names or "none: `palace run` opens the chat in the terminal"),
        Finding(name="trusted hosts", value=", ".join(settings.palace_trusted_hosts) or "none"),
        Finding(name="time zone", value=settings.palace_timezone),
    ]


async def platform(palace: Palace, adapter: Platform) -> Finding:
    """Ask a platform whether it knows the bot and what it lacks; say too how many events wait here."""
    waiting = counted(await palace.storage.inbox.waiting(adapter.name), "event waits", "events wait")
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            found = await adapter.examine()
    except TimeoutError:
        sentence = f"It has not answered within {ANSWER_WITHIN_S:g} s; {waiting}."
        return Finding(name=adapter.name, value=sentence, ok=False)
    except PalaceError as error:
        return Finding(name=adapter.name, value=str(error), ok=False)
    return Finding(name=adapter.name, value=f"It knows the bot; {waiting}. {found.note}".rstrip(), ok=not found.note)


def disk(home: Path) -> Finding:
    """Say how much room there is where the palace lives."""
    free = shutil.disk_usage(home).free
    return Finding(name="disk", value=f"{free // MEGA} MB free in {home}", ok=free >= LEAST_FREE)


async def print_stats(palace: Palace, *, as_json: bool) -> int:
    """Print the counts of memories and of answers."""
    counts = dict(await palace.storage.memories.stats())
    answers = await palace.storage.traces.summary()
    values: dict[str, object] = {
        **counts,
        "answers": answers.answers,
        "verdicts": dict(answers.verdicts),
        "intents": dict(answers.intents),
        "fallbacks": dict(answers.fallbacks),
        "votes_up": answers.votes_up,
        "votes_down": answers.votes_down,
        "took_ms_median": answers.took_ms_median,
        "model_calls": dict(answers.calls),
        "model_tokens": {use.model: tokens_of(use) for use in answers.uses},
        "model_dollars": {use.model: cost_of(use) for use in answers.uses},
    }
    if as_json:
        emit(values)
        return DONE
    for name, value in values.items():
        shown = (
            ", ".join(f"{key} {'unknown' if number is None else number}" for key, number in value.items())
            if isinstance(value, dict)
            else value
        )
        if shown != "":
            show(f"{name.replace('_', ' '):18} {shown}")
    return DONE


def tokens_of(use: ModelUse) -> int:
    """Return every token of a model's calls, those from its cache too."""
    return use.input_tokens + use.cache_write_tokens + use.cache_read_tokens + use.output_tokens


def cost_of(use: ModelUse) -> float | None:
    """Return what a model's calls cost at list price, to a hundredth of a cent; None where no price is known."""
    cost = dollars(use)
    return None if cost is None else round(cost, 4)
