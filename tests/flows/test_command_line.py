"""The command line as a process of its own: killed in the middle of bulk work, and started again."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from contextlib import asynccontextmanager
import bot.app
from adapters import Outside, SystemClock
from bot.cli import main
from tests.fakes.commandline import SmallWeb
from tests.fakes.embedder import HashEmbedder

@asynccontextmanager
async def outside(settings):
    yield Outside(reader=SmallWeb(), embedder=HashEmbedder(), model=None, clock=SystemClock())

bot.app.open_adapters = outside
main()
"""


def start(home: Path, *arguments: str) -> "subprocess.Popen[str]":
    environment = os.environ | {"PALACE_HOME": str(home), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        env=environment, cwd=home.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def run(home: Path, *arguments: str) -> list[dict[str, object]]:
    out, err = start(home, *arguments).communicate(timeout=60)
    assert "Traceback" not in err
    return [json.loads(line) for line in out.splitlines()]


def test_a_bulk_save_killed_in_the_middle_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    folder, home = tmp_path / "papers", tmp_path / "home"
    folder.mkdir()
    for number in range(60):
        (folder / f"{number}.txt").write_text(f"Paper {number}\n\nIt tells of topic{number} at length.")
    first = start(home, "save", "--json", "--recursive", str(folder))
    assert first.stdout is not None
    assert first.stdout.readline()
    first.kill()
    first.communicate()
    again = run(home, "save", "--json", "--recursive", str(folder))
    assert {item["status"] for item in again} <= {"ready", "known"}
    listed = run(home, "list", "--json", "--limit", "200")
    assert len(listed) == len({item["key"] for item in listed}) == 60
    assert {item["status"] for item in listed} == {"ready"}
    assert all(finding["ok"] for finding in run(home, "doctor", "--json"))


def test_a_reader_that_goes_away_is_no_failure_worth_a_traceback(tmp_path: Path) -> None:
    home = tmp_path / "home"
    run(home, "save", "--json", "--note", "The ladder is behind the shed")
    listing = start(home, "list", "--json")
    assert listing.stdout is not None
    assert listing.stderr is not None
    listing.stdout.close()
    listing.wait(timeout=30)
    assert "Traceback" not in listing.stderr.read()
    listing.stderr.close()


def test_nothing_slow_is_imported_before_it_is_needed() -> None:
    slow = {
        "torch",
        "sentence_transformers",
        "trafilatura",
        "anthropic",
        "slack_bolt",
        "discord",
        "aiogram",
        "markitdown",
    }
    seen = "import sys, bot.commandline.program, bot.app; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert not slow & set(loaded.split())


QUICK = """
import sys
from bot.cli import run
run()
print("torch" in sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "hello!"),
        ("ask", "how many links did we save?"),
        ("search", "--words", "rye"),
        ("list",),
        ("stats",),
        ("export",),
        ("tags",),
    ],
)
def test_what_needs_no_vectors_does_not_load_the_model(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", QUICK, *arguments],
        env=os.environ | {"PALACE_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ran.stderr.splitlines()[-1] == "False", ran.stderr


def test_progress_is_told_beside_json_and_not_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(20):
        (folder / f"{number}.txt").write_text(f"Paper {number}\n\nIt tells of topic{number}.")
    saving = start(tmp_path / "home", "save", "--json", "--recursive", str(folder))
    out, err = saving.communicate(timeout=60)
    assert len([json.loads(line) for line in out.splitlines()]) == 20
    assert "50 % · 10 of 20 read" in err
