"""The palace's own copies of shared files, which lie in its home until they are forgotten."""

from collections.abc import Iterable
from pathlib import Path

FOLDERS = ("files", "input")
"""Where adapters and the command line put copies; a person's own files are never touched."""


def remove(home: Path, paths: Iterable[str]) -> int:
    """Remove those of these files that are the palace's own copies; returns how many there were."""
    removed = 0
    for path in map(Path, paths):
        if any(path.resolve().is_relative_to((home / folder).resolve()) for folder in FOLDERS) and path.is_file():
            path.unlink()
            removed += 1
    return removed
