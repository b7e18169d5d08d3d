"""What a target of `palace save` stands for: an address, a file, a folder's files, standard input, a thought."""

import secrets
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.app import Palace
from bot.conversation import CONSOLE_ROOM, OWNER
from bot.domain.keys import digest, file_key
from bot.domain.links import addresses_in, typed_address
from bot.domain.memories import Shared
from bot.domain.messages import Attachment, Message
from bot.saving import shared_in, tags_in

LARGEST_INPUT = 20 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A target that cannot be saved, and why."""

    target: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """What is said about everything saved at once."""

    note: str = ""
    tags: tuple[str, ...] = ()
    pocket: str = ""


def items_of(palace: Palace, targets: Sequence[str], extras: Extras, *, recursive: bool) -> Iterator[Shared | Refused]:
    """Yield what each target shares, or why it cannot be saved."""
    if not targets:
        yield from shares_of(said_now(palace, extras.note), replace(extras, note=""), as_note=True)
    for target in targets:
        for message in messages_of(palace, target, recursive=recursive):
            if isinstance(message, Refused):
                yield message
            else:
                yield from shares_of(message, extras, as_note=message.message_id.startswith("note-"))


def shares_of(message: Message, extras: Extras, *, as_note: bool = False) -> Iterator[Shared]:
    """Yield what a message shares, with the note, tags and pocket of the command."""
    tags = tags_in(" ".join(f"#{tag.lstrip('#')}" for tag in extras.tags))
    for shared in shared_in(message, pocket=extras.pocket, as_note=as_note):
        yield replace(
            shared,
            note="\n".join(part for part in (shared.note, extras.note) if part),
            tags=tuple(dict.fromkeys((*shared.tags, *tags, *tags_in(extras.note)))),
        )


def messages_of(palace: Palace, target: str, *, recursive: bool) -> Iterator[Message | Refused]:
    """Yield the messages that a target stands for: an address, a file, the files of a folder, standard input."""
    if target == "-":
        yield from input_messages(palace)
        return
    path = Path(target.removeprefix("file://")).expanduser()
    if target.lower().startswith(("http://", "https://")):
        named = typed_address(target) or addresses_in(target)
        yield said_now(palace, target) if named else Refused(target=target, why="this address names no host")
    elif path.is_dir():
        files = sorted(one for one in path.rglob("*") if one.is_file() and not hidden(one, path)) if recursive else []
        yield from (file_message(palace, one) for one in files)
        if not recursive:
            yield Refused(target=target, why="it is a folder; --recursive saves the files in it")
        elif not files:
            yield Refused(target=target, why="there is no file in it")
    elif path.exists():
        yield file_message(palace, path)
    elif "://" in target:
        yield Refused(target=target, why="only http and https addresses can be read")
    elif address := typed_address(target):
        yield said_now(palace, address)
    elif addresses_in(target):
        yield said_now(palace, target)
    else:
        yield Refused(target=target, why="there is no such file, and it is no address")


def hidden(file: Path, folder: Path) -> bool:
    """Whether a file or a folder on the way to it starts with a dot."""
    return any(part.startswith(".") for part in file.relative_to(folder).parts)


def file_message(palace: Palace, path: Path) -> Message:
    """Return a message with a local file."""
    resolved = path.resolve()
    size = resolved.stat().st_size
    return replace(
        said_now(palace, ""),
        attachments=(Attachment(name=path.name, path=str(resolved), size=size, url=resolved.as_uri()),),
    )


def input_messages(palace: Palace) -> Iterator[Message | Refused]:
    """Yield what stands on standard input: a page or PDF, a list of addresses, or a thought."""
    content = sys.stdin.buffer.read(LARGEST_INPUT + 1)
    if len(content) > LARGEST_INPUT:
        yield Refused(target="-", why="standard input is larger than 20 MB")
    elif not content.strip():
        yield Refused(target="-", why="standard input is empty")
    elif suffix := suffix_of(content):
        yield file_message(palace, kept_input(palace, content, suffix))
    else:
        yield from text_messages(palace, content)


def text_messages(palace: Palace, content: bytes) -> Iterator[Message | Refused]:
    """Yield a link a line where there is nothing else in the text, or the text as a thought."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        yield Refused(target="-", why="standard input is neither text nor HTML nor PDF")
        return
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if all(line.lower().startswith(("http://", "https://")) and " " not in line for line in lines):
        yield from (said_now(palace, line) for line in lines)
    else:
        yield replace(said_now(palace, text), message_id=f"note-{secrets.token_hex(8)}")


def suffix_of(content: bytes) -> str:
    """Return the file name's end for a page or PDF by what it starts with; nothing for a text."""
    head = content[:2048].lstrip().lower()
    if content.startswith(b"%PDF"):
        return ".pdf"
    if content.startswith(b"\x1f\x8b"):
        return ".html.gz"
    return ".html" if head.startswith((b"<!doctype html", b"<html")) or b"<html" in head else ""


def kept_input(palace: Palace, content: bytes, suffix: str) -> Path:
    """Write standard input beside the palace's file until it is read; the same input has the same name."""
    folder = palace.settings.palace_home / "input"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{digest(content.hex())[:16]}{suffix}"
    path.write_bytes(content)
    return path


def said_now(palace: Palace, text: str) -> Message:
    """Return what the owner says on the command line as a message."""
    return Message(
        message_id=f"save-{secrets.token_hex(8)}",
        room=CONSOLE_ROOM,
        author=OWNER,
        text=text,
        sent_at=palace.outside.clock.now(),
        addressed=True,
        administrator=True,
    )


def local_key(given: str) -> str:
    """Return the key of a local file; nothing where there is none of this name."""
    path = Path(given).expanduser()
    return file_key(str(path.resolve())) if path.is_file() else ""
