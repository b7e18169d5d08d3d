"""`palace export` and `palace import`: the whole palace as JSON Lines, and what other programs exported."""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.app import Palace, open_import
from bot.commandline.output import Progress, emit, tell
from bot.commandline.saving import Json, report_all
from bot.commandline.session import COULD_NOT, DONE, in_palace, reading, with_model
from bot.conversation import OWNER
from bot.domain.errors import BadInput
from bot.domain.memories import Kept, Shared
from bot.domain.messages import Message
from bot.domain.rooms import personal_scope
from bot.saving import shared_in
from bot.wording import counted, day_of


@dataclass(slots=True)
class Preview:
    """What an import holds, counted before anything is written."""

    shares: list[Shared] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def days(self) -> tuple[datetime, datetime]:
        """The first and the last day of what is shared."""
        moments = [share.shared_at for share in self.shares]
        return min(moments), max(moments)


def export(
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; standard output without.")] = None,
    *,
    as_json: Json = False,
) -> None:
    """Write the whole palace as JSON Lines.

    What is imported into an empty home is the same palace.

    \b
    palace export --output palace.jsonl
    palace export | gzip > palace.jsonl.gz
    """
    in_palace(lambda palace: write_export(palace, output, as_json=as_json))


def import_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", show_default=False)],
    *,
    preview: Annotated[bool, typer.Option("--preview", help="Only count what would come in.")] = False,
    rooms: Annotated[
        bool, typer.Option("--rooms", help="Readable where it was written, instead of by you alone.")
    ] = False,
    later: Annotated[bool, typer.Option("--later", help="Do not read pages now; `palace run` will.")] = False,
    as_json: Json = False,
) -> None:
    """Bring in exports of Palace, browsers, services, chats.

    Dates, authors, rooms and tags come along.
    Known are palace exports (.jsonl), bookmarks.html, Pocket and Raindrop CSV, Karakeep and Linkwarden JSON, Slack
    export zips, Telegram Desktop's result.json and DiscordChatExporter JSON. Importing again adds only what is new.

    \b
    palace import bookmarks.html --preview
    palace import slack-export.zip --rooms
    palace import palace.jsonl
    """
    in_palace(lambda palace: bring_in(palace, files, preview=preview, rooms=rooms, later=later, as_json=as_json))


async def write_export(palace: Palace, output: Path | None, *, as_json: bool) -> int:
    """Write every record; a file is put in its place only when it is whole."""
    records = 0
    partial = output.with_name(f"{output.name}.part") if output else None
    stream = partial.open("w", encoding="utf-8") if partial else sys.stdout
    try:
        async for record in palace.storage.memories.export():
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")
            records += 1
        stream.flush()
        if partial and output:
            os.fsync(stream.fileno())
            partial.replace(output)
    finally:
        if partial:
            stream.close()
            partial.unlink(missing_ok=True)
    if output and as_json:
        emit({"exported": records, "file": str(output)})
    else:
        tell(f"Exported {counted(records, 'record', 'records')}.")
    return DONE


async def bring_in(
    palace: Palace, files: Iterable[Path], *, preview: bool, rooms: bool, later: bool, as_json: bool
) -> int:
    """Bring in every file; one that cannot be read does not stop the others."""
    worst = DONE
    for path in files:
        try:
            if is_own_export(path):
                await restore(palace, path, preview=preview, as_json=as_json)
            else:
                worst = max(
                    worst,
                    await bring_in_export(palace, path, preview=preview, rooms=rooms, later=later, as_json=as_json),
                )
        except BadInput as error:
            tell(str(error))
            worst = COULD_NOT
    return worst


def is_own_export(path: Path) -> bool:
    """Whether a file starts with a record of a palace's export."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        first = stream.readline(1_000_000)
    try:
        record = json.loads(first)
    except ValueError:
        return False
    return isinstance(record, dict) and "record" in record


async def restore(palace: Palace, path: Path, *, preview: bool, as_json: bool) -> None:
    """Write the records of a palace's export; those already there are counted as known."""
    total = sum(1 for _ in records_of(path))
    if preview:
        tell(f"{path} is a palace export of {counted(total, 'record', 'records')}.")
        return
    new = 0
    with Progress(total, "records") as progress:
        for done, record in enumerate(records_of(path), 1):
            new += await palace.storage.memories.restore(record)
            progress.reached(done)
    if new:
        # An export carries no vectors: they are made now, so that the palace is whole when this command ends.
        await with_model(palace)
    if as_json:
        emit({"file": str(path), "format": "palace export", "records": total, "new": new, "known": total - new})
    tell(f"Imported {counted(new, 'record', 'records')} from {path}; {total - new} were there already.")


def records_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of an export. BadInput names the first broken line."""
    with path.open(encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except ValueError:
                raise BadInput(f"{path}, line {number}, is broken JSON; the lines before it are imported.") from None
            if not isinstance(record, dict):
                raise BadInput(f"{path}, line {number}, is no record; the lines before it are imported.")
            yield record


async def bring_in_export(palace: Palace, path: Path, *, preview: bool, rooms: bool, later: bool, as_json: bool) -> int:
    """Count what another program's export holds, keep it, and see it read."""
    opened = open_import(path)
    held = count(opened.records(), rooms=rooms)
    known = sum([bool(await palace.storage.memories.of_source(share.source)) for share in held.shares])
    describe(palace, path, opened.format, held, known)
    if preview:
        if as_json:
            emit(import_value(path, opened.format, held, known))
        return DONE
    kept: list[Kept] = []
    with Progress(len(held.shares), "kept") as progress:
        for done, share in enumerate(held.shares, 1):
            one = await palace.storage.memories.keep(share)
            kept += [one] if one.new_share else []
            progress.reached(done)
    if as_json:
        emit(import_value(path, opened.format, held, len(held.shares) - len(kept)))
    tell(f"Imported {counted(len(kept), 'share', 'shares')} from {path}; {len(held.shares) - len(kept)} known before.")
    if later or not kept:
        return DONE
    async with reading(palace) as reader:
        palace.worker.nudge()
        return await report_all(palace, kept, reader, as_json=as_json)


def count(records: Iterable[object], *, rooms: bool) -> Preview:
    """Sort an export's records into what is shared and what is left out, and why."""
    held = Preview()
    for record in records:
        match record:
            case Shared():
                held.shares.append(record)
            case Message():
                held.shares += [own(share, rooms=rooms) for share in shared_in(record)]
            case _:
                held.left_out[str(getattr(record, "why", "not understood"))] += 1
    return held


def own(share: Shared, *, rooms: bool) -> Shared:
    """Return a chat's share as the owner's alone, or as readable where it was written.

    In its room it has the source that the message itself has there, so that a bot in that room knows it.
    """
    if rooms:
        return share
    return replace(share, scope=personal_scope(OWNER), source=f"import:{share.source}")


def describe(palace: Palace, path: Path, name: str, held: Preview, known: int) -> None:
    """Say what an export holds, in a line or two."""
    kinds = Counter(share.kind for share in held.shares)
    parts = ", ".join(counted(number, kind, f"{kind}s") for kind, number in kinds.most_common())
    people = len({share.person.key for share in held.shares})
    places = len({share.room.key for share in held.shares})
    tell(f"{path} ({name}): {parts or 'nothing to import'}")
    if held.shares:
        first, last = (day_of(day, palace.settings.palace_timezone) for day in held.days)
        tell(
            f"  by {counted(people, 'person', 'people')} in {counted(places, 'room', 'rooms')}, {first} to {last}; "
            f"{known} known already"
        )
    for why, number in held.left_out.most_common():
        tell(f"  left out {number}: {why}")


def import_value(path: Path, name: str, held: Preview, known: int) -> dict[str, Any]:
    """Return an import's counts as `import --json` prints them."""
    total = len(held.shares)
    return {
        "file": str(path),
        "format": name,
        "records": total,
        "new": total - known,
        "known": known,
        "left_out": dict(held.left_out),
    }
