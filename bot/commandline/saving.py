"""`palace save` and `palace retry`: keep links, files and thoughts, and see them read."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Annotated

import typer

from bot.app import Palace, must_be_writable
from bot.commandline.output import Progress, emit, reason_of, show, state_word, tell
from bot.commandline.session import COULD_NOT, DONE, WrongUsage, in_palace, reading
from bot.commandline.targets import Extras, Refused, items_of, local_key, said_now
from bot.domain.errors import BadInput
from bot.domain.links import addresses_in, shown_url
from bot.domain.memories import Filters, Kept, Memory, Shared
from bot.saving import shared_in

WAITING = frozenset({"queued", "fetching"})
LOOK_EVERY_S = 0.05
LOOKS_BEFORE_WRITING = 100
"""A full disk stops the reader without a word: writing something now and then raises what is wrong."""

Json = Annotated[bool, typer.Option("--json", help="One JSON object a line instead of words.")]


def save(
    targets: Annotated[list[str] | None, typer.Argument(metavar="URL|FILE…|-", show_default=False)] = None,
    *,
    note: Annotated[str, typer.Option(help="Words to keep with it; alone, they are the thing to keep.")] = "",
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="A tag; give it again for more.")] = None,
    pocket: Annotated[str, typer.Option(help="The pocket to put it in.")] = "",
    recursive: Annotated[bool, typer.Option("--recursive", "-r", help="Save the files in folders too.")] = False,
    as_json: Json = False,
) -> None:
    """Save links, files, thoughts, or standard input.

    \b
    palace save https://example.org/article --note "for the talk" --tag caching
    palace save notes.md report.pdf --pocket thesis
    palace save --recursive ~/papers
    palace save --note "The spare key is with Kim"
    pbpaste | palace save -
    """
    if not targets and not note.strip():
        raise WrongUsage("Save what? Name an address or a file, - for standard input, or --note with a thought.")
    extras = Extras(note=note.strip(), tags=tuple(tag or ()), pocket=pocket.strip())
    in_palace(lambda palace: save_all(palace, tuple(targets or ()), extras, recursive=recursive, as_json=as_json))


def retry(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID…", show_default=False)] = None,
    *,
    failed: Annotated[bool, typer.Option("--failed", help="Everything that could not be read.")] = False,
    as_json: Json = False,
) -> None:
    """Read memories again now.

    Without an id, whatever still waits to be read.

    \b
    palace retry 1a2b3c4d
    palace retry --failed
    """
    in_palace(lambda palace: retry_all(palace, tuple(ids or ()), failed=failed, as_json=as_json))


async def save_all(palace: Palace, targets: Sequence[str], extras: Extras, *, recursive: bool, as_json: bool) -> int:
    """Keep every target, then see them read; one bad target never stops the others."""
    kept: list[Kept] = []
    refused = 0
    async with reading(palace) as reader:
        for item in items_of(palace, targets, extras, recursive=recursive):
            if isinstance(item, Refused):
                refused += 1
                report_refused(item, as_json=as_json)
            else:
                kept.append(await keep(palace, item))
        palace.worker.nudge()
        worst = await report_all(palace, kept, reader, as_json=as_json)
    return COULD_NOT if refused else worst


async def keep(palace: Palace, shared: Shared) -> Kept:
    """Write one share; a page known before is read again, to see whether it changed."""
    kept = await palace.storage.memories.keep(shared)
    if kept.known and kept.memory.state not in WAITING:
        await palace.storage.memories.retry(kept.memory.memory_id)
    return kept


async def report_all(palace: Palace, kept: Sequence[Kept], reader: "asyncio.Task[None]", *, as_json: bool) -> int:
    """Print what became of each as it is read; 1 if any could not be."""
    worst = DONE
    with Progress(len(kept), "read") as progress:
        done = 0
        async for one, memory in settled(palace, kept, reader, progress):
            progress.clear()
            report(one, memory, as_json=as_json)
            done += 1
            progress.reached(done)
            worst = worst if memory and memory.state == "ready" else COULD_NOT
    return worst


async def settled(
    palace: Palace, kept: Sequence[Kept], reader: "asyncio.Task[None]", progress: Progress
) -> AsyncIterator[tuple[Kept, Memory | None]]:
    """Yield each as soon as it and those before it are read. Raises what keeps them from being read."""
    for one in kept:
        looks = 0
        memory = await present(palace, one)
        while memory and memory.state in WAITING:
            looks += 1
            if reader.done():
                reader.result()
            if embedded := palace.ingest.embedded(memory.memory_id):
                progress.inside(memory.title or shown_url(memory.url), embedded.done, embedded.total)
            if looks % LOOKS_BEFORE_WRITING == 0:
                await must_be_writable(palace)
            await asyncio.sleep(LOOK_EVERY_S)
            memory = await present(palace, one)
        yield one, memory


async def present(palace: Palace, one: Kept) -> Memory | None:
    """Return a memory as it is now; it may have become one with another of the same page."""
    memories = palace.storage.memories
    memory = await memories.get(one.memory.memory_id)
    if memory is None and one.memory.key:
        memory = next(iter(await memories.find(one.memory.key, (one.memory.scope,))), None)
    return memory


def report(one: Kept, memory: Memory | None, *, as_json: bool) -> None:
    """Print what became of one item, and on standard error why it could not be read."""
    now = memory or one.memory
    why = reason_of(now) if memory else "it was forgotten meanwhile"
    ready = memory is not None and now.state == "ready"
    known = one.known or now.memory_id != one.memory.memory_id
    if as_json:
        emit(
            {
                "memory_id": now.memory_id,
                "status": ("known" if known else "ready") if ready else (now.state if memory else "failed"),
                "url": now.url,
                "key": now.key,
                "title": now.title,
                "chunks": now.chunks,
                "reason": why,
            }
        )
    else:
        state = ("known" if known else "saved") if ready else state_word(now)
        show(f"{state:9} {now.memory_id}  {now.title or now.url}")
    if why and not ready:
        tell(f"{now.path if now.kind == 'file' else now.url or now.title}: {why}")


def report_refused(item: Refused, *, as_json: bool) -> None:
    """Say why a target cannot be saved."""
    if as_json:
        emit(
            {
                "memory_id": None,
                "status": "failed",
                "url": item.target,
                "key": "",
                "title": "",
                "chunks": 0,
                "reason": item.why,
            }
        )
    tell(f"{item.target}: {item.why}")


async def retry_all(palace: Palace, ids: Sequence[str], *, failed: bool, as_json: bool) -> int:
    """Queue memories again and see them read."""
    memories = palace.storage.memories
    found: list[Memory] = []
    for given in ids:
        memory = await memories.retry(await known_id(palace, given))
        found += [memory] if memory else []
    if failed:
        for one in await every(palace, Filters(states=("failed", "link_only"))):
            memory = await memories.retry(one.memory_id)
            found += [memory] if memory else []
    if not ids:
        waiting = await every(palace, Filters(states=("queued", "fetching")))
        found += [one for one in waiting if one.memory_id not in {memory.memory_id for memory in found}]
    if not found:
        tell("There is nothing to read again.")
        return DONE
    async with reading(palace) as reader:
        return await report_all(palace, [Kept(memory=one, known=False) for one in found], reader, as_json=as_json)


async def every(palace: Palace, filters: Filters) -> tuple[Memory, ...]:
    """Return all memories that a filter leaves."""
    memories = palace.storage.memories
    return await memories.list(filters, None, limit=await memories.count(filters, None) or 1)


async def known_id(palace: Palace, given: str) -> str:
    """Return the id that a beginning or an address stands for. BadInput when it stands for none."""
    return (await one_memory(palace, given)).memory_id


async def one_memory(palace: Palace, given: str) -> Memory:
    """Return the memory of an id, the beginning of one, an address or a file. BadInput when there is none."""
    memories = palace.storage.memories
    keys = [link.url for link in addresses_in(given)]
    found = await memories.get(given)
    for shared in shared_in(said_now(palace, given)) if keys and not found else ():
        found = next(iter(await memories.find(shared.key)), None)
        found = await memories.get(found.memory_id) if found else None
    if found is None and (key := local_key(given)):
        found = next(iter(await memories.find(key)), None)
    if found is None:
        raise BadInput(f"There is no memory {given!r}; `palace list` shows the ids.")
    return found
