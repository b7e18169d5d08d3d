"""Turn a line typed in the terminal into a message: paths of local files become attachments (pure but for the disk)."""

import re
import shlex
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bot.domain.errors import BadInput
from bot.domain.messages import Attachment, Message
from bot.domain.rooms import Person, Room

SAVE = re.compile(r"(?P<asked>/save\b|save\s*:)\s*", re.IGNORECASE)
PATH = re.compile(r"(?:~|\.{1,2})?/\S|~$|[A-Za-z]:\\")
"""How a path starts that is meant as one, whether it exists or not."""
COMMAND = re.compile(r"/[A-Za-z]+(?:\s|$)")


def message_of(line: str, *, number: str, room: Room, person: Person, now: datetime) -> Message:
    """Return a line as a message. BadInput for a path that leads nowhere or to a folder."""
    files, text = files_in(line.strip())
    return Message(
        message_id=number,
        room=room,
        author=person,
        text=text,
        sent_at=now,
        attachments=files,
        addressed=True,
        administrator=True,
    )


def files_in(line: str) -> tuple[tuple[Attachment, ...], str]:
    """Return the local files that a line shares, and the words that are left.

    A line is files when it is one path or several, or when it asks to save and one of its words is a path.
    """
    asked = SAVE.match(line)
    if not asked:
        paths = paths_of(line)
        return tuple(attachment(path) for path in paths), "" if paths else line
    rest = line[asked.end() :]
    whole = paths_of(rest)
    if whole:
        return tuple(attachment(path) for path in whole), asked["asked"]
    found = {word: path for word in words_of(rest) if (path := file_at(word)) and (path.is_file() or PATH.match(word))}
    left = " ".join(word for word in words_of(rest) if word not in found) if found else rest
    return tuple(attachment(path) for path in found.values()), f"{asked['asked']} {left}".rstrip()


def paths_of(line: str) -> tuple[Path, ...]:
    """Return the paths that a whole line is made of, as typed or as dropped from a file manager; none for words."""
    if not line or (COMMAND.match(line) and not Path(line).exists()):
        return ()
    single = file_at(line.strip("'\""))
    if single and (single.is_file() or (single.is_dir() and PATH.match(line))):
        return (single,)
    words = words_of(line)
    several = [path for word in words if (path := file_at(word)) and path.is_file()]
    if words and len(several) == len(words):
        return tuple(several)
    meant = PATH.match(line.strip("'\"")) and " " not in line.strip("'\"")
    if meant or line.startswith("file:"):
        return (single or Path(line),)
    return ()


def attachment(path: Path) -> Attachment:
    """Return a local file as an attachment. BadInput where there is none."""
    if path.is_dir():
        raise BadInput(f"{path} is a folder; `palace save --recursive {path}` saves the files in it.")
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    resolved = path.resolve()
    return Attachment(name=path.name, size=resolved.stat().st_size, path=str(resolved), url=resolved.as_uri())


def file_at(word: str) -> Path | None:
    """Return the path that a word is; None for an address and for what no file system could hold."""
    if word.startswith("file://"):
        word = unquote(urlsplit(word).path)
    if "://" in word or "\0" in word or not word:
        return None
    try:
        path = Path(word).expanduser()
        path.exists()
    except (OSError, RuntimeError):
        return None
    return path


def words_of(line: str) -> list[str]:
    """Return the words of a line as a shell would; plain words where its quotes are not paired."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()
