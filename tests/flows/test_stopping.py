"""A program that ends early ends cleanly: told to stop, or at the end of a short pipe."""

import os
import signal
import subprocess
import sys
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
        bot.send_signal(signal.SIGTERM)
        assert bot.wait(timeout=60) == 0
        assert b"Traceback" not in bot.stderr.read()
    finally:
        bot.kill()
        bot.wait()
        bot.stderr.close()


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
