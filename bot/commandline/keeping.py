"""`palace list`, `show`, `edit`, `forget`, `tags` and `pockets`: look after what was saved."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

import typer

from bot.app import Palace
from bot.commandline.output import emit, memory_value, reason_of, show, state_word, tell
from bot.commandline.saving import Json, every, one_memory
from bot.commandline.session import COULD_NOT, DONE, WrongUsage, in_palace
from bot.domain.lines import printable
from bot.domain.memories import Filters, Memory, State
from bot.saving import tags_in
from bot.wording import counted, day_of, forgotten

NOT_READ: tuple[State, ...] = ("failed", "link_only")
SHOWN_BEFORE_FORGETTING = 20

Tag = Annotated[list[str] | None, typer.Option(metavar="TAG", help="Only with this tag; give it again for more.")]
Pocket = Annotated[str, typer.Option(help="Only in this pocket.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="An id, its beginning, an address or a file.")]


def list_memories(
    words: Annotated[list[str] | None, typer.Argument(metavar="WORDS", show_default=False)] = None,
    *,
    failed: Annotated[bool, typer.Option("--failed", help="Only what could not be read, with the reason.")] = False,
    tag: Tag = None,
    pocket: Pocket = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many.")] = 50,
    as_json: Json = False,
) -> None:
    """List memories, newest first.

    With words, only those that hold them.

    \b
    palace list --tag recipes --limit 10
    palace list --failed
    """
    filters = Filters(states=NOT_READ if failed else (), tags=given_tags(tag), pocket=pocket)
    matching = " ".join(words or ())
    in_palace(lambda palace: print_list(palace, filters, matching, limit=limit, as_json=as_json))


def show_memory(memory_id: Id, *, as_json: Json = False) -> None:
    """Show one memory with its text.

    \b
    palace show 1a2b
    palace show https://example.org/article
    """
    in_palace(lambda palace: print_memory(palace, memory_id, as_json=as_json))


def edit(
    memory_id: Id,
    *,
    title: Annotated[str | None, typer.Option(help="A new title.")] = None,
    note: Annotated[str | None, typer.Option(help="A new note.")] = None,
    tag: Annotated[
        list[str] | None, typer.Option(metavar="TAG", help="The tags it shall have; give it again for more.")
    ] = None,
    pocket: Annotated[str | None, typer.Option(help="The pocket to put it in; '' for none.")] = None,
    pin: Annotated[bool | None, typer.Option("--pin/--unpin", help="Keep it at the top of lists.")] = None,
    as_json: Json = False,
) -> None:
    """Change a title, note, tags, pocket or pin.

    \b
    palace edit 1a2b --title "Sourdough, the long way" --tag bread --tag slow
    """
    if all(value is None for value in (title, note, tag, pocket, pin)):
        raise WrongUsage("Change what? Give --title, --note, --tag, --pocket, --pin or --unpin.")

    async def job(palace: Palace) -> int:
        found = await one_memory(palace, memory_id)
        tags = None if tag is None else given_tags(tag)
        edited = await palace.storage.memories.edit(
            found.memory_id, title=title, note=note, tags=tags, pocket=pocket, pinned=pin
        )
        print_line(palace, edited or found, as_json=as_json)
        return DONE

    in_palace(job)


def forget(
    targets: Annotated[list[str] | None, typer.Argument(metavar="ID|URL|FILE…", show_default=False)] = None,
    *,
    tag: Tag = None,
    pocket: Pocket = "",
    everything: Annotated[bool, typer.Option("--all", help="Everything in the palace.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Show what will go, ask, then remove it for good.

    \b
    palace forget 1a2b3c4d
    palace forget https://example.org/article --yes
    palace forget --pocket old-project
    """
    if not (targets or tag or pocket or everything):
        raise WrongUsage("Forget what? Name an id, an address or a file, --tag, --pocket or --all.")
    filters = Filters(tags=given_tags(tag), pocket=pocket)
    given = tuple(targets or ())
    whole = everything or not filters.empty
    in_palace(lambda palace: forget_all(palace, given, filters if whole else None, yes=yes, as_json=as_json))


def tags(*, as_json: Json = False) -> None:
    """List the tags in use, most used first.

    \b
    palace tags
    palace tags --json
    """
    in_palace(lambda palace: print_vocabulary(palace, "tag", as_json=as_json))


def pockets(*, as_json: Json = False) -> None:
    """List the pockets in use, most used first.

    \b
    palace pockets
    palace pockets --json
    """
    in_palace(lambda palace: print_vocabulary(palace, "pocket", as_json=as_json))


async def print_list(palace: Palace, filters: Filters, matching: str, *, limit: int, as_json: bool) -> int:
    """Print memories, and how many there are in all."""
    memories = palace.storage.memories
    for memory in await memories.list(filters, None, limit=limit, matching=matching):
        print_line(palace, memory, as_json=as_json)
    total = await memories.count(filters, None, matching=matching)
    if not as_json:
        tell(counted(total, "memory", "memories") + (f", the first {limit} shown" if total > limit else ""))
    return DONE


def print_line(palace: Palace, memory: Memory, *, as_json: bool) -> None:
    """Print one memory on one line."""
    if as_json:
        emit(memory_value(memory))
        return
    timezone = palace.settings.palace_timezone
    parts = (
        f"{memory.memory_id}  {'* ' if memory.pinned else ''}{memory.title or memory.url}",
        " ".join(f"#{tag}" for tag in memory.tags),
        f"[{memory.pocket}]" if memory.pocket else "",
        day_of(memory.shared_at, timezone),
        "" if memory.state == "ready" else state_word(memory),
        reason_of(memory),
    )
    show(" · ".join(part for part in parts if part))


async def print_memory(palace: Palace, given: str, *, as_json: bool) -> int:
    """Print one memory with everything known of it."""
    found = await one_memory(palace, given)
    memory = await palace.storage.memories.get(found.memory_id) or found
    values = memory_value(memory) | {
        "author": memory.author,
        "site": memory.site,
        "language": memory.language,
        "published": memory.published,
        "version": memory.version,
        "shares": memory.shares,
        "scope": f"{memory.scope.kind} {memory.scope.key}",
        "text": memory.text,
    }
    if as_json:
        emit(values)
        return DONE
    for name, value in values.items():
        if name != "text" and value not in ("", [], False):
            show(f"{name.replace('_', ' '):10} {' '.join(value) if isinstance(value, list) else value}")
    show(f"\n{memory.text}")
    return DONE


async def forget_all(
    palace: Palace, targets: Sequence[str], filters: Filters | None, *, yes: bool, as_json: bool
) -> int:
    """Show what will go, ask, forget, look again, and give the space back where much went."""
    going = {memory.memory_id: memory for memory in await every(palace, filters)} if filters is not None else {}
    for given in targets:
        memory = await one_memory(palace, given)
        going[memory.memory_id] = memory
    if not going:
        tell("There is nothing to forget.")
        return DONE
    show_going(palace, tuple(going.values()))
    if not (yes or agreed(len(going))):
        tell("Nothing was forgotten.")
        return COULD_NOT
    result = await palace.storage.memories.forget(tuple(going))
    left = await palace.storage.memories.count(Filters(memory_ids=tuple(going)), None)
    if as_json:
        rows = {table: count for table, count in result.rows if count}
        emit({"forgotten": result.memories, "titles": list(result.titles), "rows": rows, "still_found": left})
    else:
        show(forgotten(result, left))
    if await palace.storage.maintenance_due():
        await palace.storage.maintain()
    return COULD_NOT if left else DONE


def show_going(palace: Palace, going: Sequence[Memory]) -> None:
    """Say on standard error what will be forgotten."""
    tell(f"This will forget {counted(len(going), 'memory', 'memories')} for good:")
    for memory in going[:SHOWN_BEFORE_FORGETTING]:
        when = day_of(memory.shared_at, palace.settings.palace_timezone)
        tell(f"  {memory.memory_id}  {memory.title or memory.url} · {when}")
    if len(going) > SHOWN_BEFORE_FORGETTING:
        tell(f"  and {len(going) - SHOWN_BEFORE_FORGETTING} more")


def agreed(number: int) -> bool:
    """Ask whether to go on. BadInput where nobody can be asked."""
    if not sys.stdin.isatty():
        raise WrongUsage("Nobody can be asked here; add --yes to forget without asking.")
    sys.stderr.write(f"Forget {counted(number, 'memory', 'memories')}? Type yes: ")
    sys.stderr.flush()
    return printable(sys.stdin.readline()).strip().lower() in {"y", "yes"}


async def print_vocabulary(palace: Palace, kind: Literal["tag", "pocket"], *, as_json: bool) -> int:
    """Print tags or pockets with how many memories they hold."""
    memories = palace.storage.memories
    scopes = {memory.scope for memory in await every(palace, Filters())}
    for name in await memories.vocabulary(tuple(scopes), kind=kind):
        filters = replace(Filters(), tags=(name,)) if kind == "tag" else Filters(pocket=name)
        number = await memories.count(filters, None)
        emit({kind: name, "memories": number}) if as_json else show(f"{number:5}  {name}")
    return DONE


def given_tags(tag: Sequence[str] | None) -> tuple[str, ...]:
    """Return tags as they are kept."""
    return tags_in(" ".join(f"#{one.lstrip('#')}" for one in tag or ()))
