"""The command line in this process: a real palace on disk, a small web and a small model outside."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adapters import Outside, SystemClock
from bot.cli import run
from bot.domain.errors import TemporarilyUnreadable, Unreadable
from bot.domain.memories import Page
from bot.ports import Embedder
from bot.settings import Settings
from tests.fakes.embedder import HashEmbedder


@dataclass
class SmallWeb:
    """A reader of pages that a test wrote down, and of text files."""

    pages: Mapping[str, str] = field(default_factory=dict)

    async def read(self, url: str, *, etag: str = "", last_modified: str = "") -> Page:
        if url not in self.pages:
            raise TemporarilyUnreadable("The site could not be reached.", reason="unreachable")
        return page(url, self.pages[url])

    async def read_file(self, path: Path, *, name: str = "", media_type: str = "") -> Page:
        text = await asyncio.to_thread(path.read_text)
        if not text.strip():
            raise Unreadable("It is empty.", reason="empty")
        return page(name or path.name, text)

    async def read_bytes(self, content: bytes, *, url: str, media_type: str = "") -> Page:
        return page(url, content.decode())

    def warm(self) -> None:
        """Nothing is to be loaded."""


def page(url: str, text: str) -> Page:
    return Page(url=url, text=text, title=text.splitlines()[0].strip("# "))


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


def command_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    home: Path,
    web: SmallWeb,
    *,
    embedder: Embedder | None = None,
) -> Callable[..., Ran]:
    """Return `palace`, as a function of its arguments."""

    @asynccontextmanager
    async def outside(settings: Settings) -> AsyncIterator[Outside]:
        yield Outside(reader=web, embedder=embedder or HashEmbedder(), model=None, clock=SystemClock())

    monkeypatch.setattr("bot.app.open_adapters", outside)
    monkeypatch.setenv("PALACE_HOME", str(home))
    monkeypatch.chdir(home.parent)

    def palace(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["palace", *arguments])
        capsys.readouterr()
        status = run()
        said = capsys.readouterr()
        return Ran(status, said.out, said.err)

    return palace
