"""A program that ends early ends cleanly: told to stop, or at the end of a short pipe."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def test_a_stop_signal_ends_the_bot_with_status_0(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PALACE_HOME": str(tmp_path),
        "TELEGRAM_BOT_TOKEN": "1:a",
        "TELEGRAM_API_URL": "http://127.0.0.1:9",
    }
    bot = subprocess.Popen(
        [sys.executable, "-m", "bot", "run"], env=environment, stderr=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    try:
        assert bot.stderr is not None
        assert b"Listening on telegram" in bot.stderr.readline()
        readers = children_of(bot.pid)
        bot.send_signal(signal.SIGTERM)
        assert bot.wait(timeout=60) == 0
        assert b"Traceback" not in bot.stderr.read()
        assert not [number for number in readers if Path(f"/proc/{number}").exists()]
    finally:
        bot.kill()
        bot.wait()
        bot.stderr.close()


def children_of(number: int) -> list[str]:
    """Wait for the processes that a process starts, and return them."""
    until = time.monotonic() + 20
    children = Path(f"/proc/{number}/task/{number}/children")
    while not children.read_text() and time.monotonic() < until:
        time.sleep(0.02)
    found = children.read_text().split()
    assert found
    return found


def test_a_pipe_that_ends_while_the_model_still_loads_ends_with_status_0(tmp_path: Path) -> None:
    chat = subprocess.run(
        [sys.executable, "-m", "bot", "chat"],
        env={**os.environ, "PALACE_HOME": str(tmp_path)},
        input=b"hello\n",
        capture_output=True,
        cwd=Path(__file__).parents[2],
        timeout=90,
        check=False,
    )
    assert (chat.returncode, chat.stderr) == (0, b"")
