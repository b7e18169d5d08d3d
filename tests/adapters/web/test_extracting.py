"""The processes that read pages end with the program, however suddenly it ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROGRAM = """
import asyncio, os
from adapters.web.extracting import Processes

async def main():
    processes = Processes(count=1, seconds=20)
    print(await processes.run(os.getpid), flush=True)
    await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_no_reading_process_is_left_behind_by_a_program_that_was_killed(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    program = subprocess.Popen(
        [sys.executable, script], env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True
    )
    with program:
        reader = int(program.stdout.readline())
        assert alive(reader)
        program.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 10
    while alive(reader) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(reader)


def alive(number):
    """Whether a process runs; one that ended but was not fetched by anybody does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
