"""The command `palace`: its subcommands, and one sentence for whatever goes wrong."""

import contextlib
import io
import os
import sys


def main() -> None:
    """Run the command line and leave at once with its exit status.

    Everything is closed by then. What may still run is a thread that loads the embedding model, for seconds; a program
    that takes itself down around it is aborted by the libraries underneath, so this one does not take itself down.
    """
    status = run()
    with contextlib.suppress(BrokenPipeError, ValueError):
        sys.stdout.flush()
    with contextlib.suppress(BrokenPipeError, ValueError):
        sys.stderr.flush()
    os._exit(status)


def run() -> int:
    """Run the command that was typed and return its exit status.

    The commands are imported here, since the processes that read pages import this file again when they start.
    """
    from bot.commandline.program import dispatch  # noqa: PLC0415 - slow import
    from bot.commandline.session import guarded  # noqa: PLC0415 - slow import

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    return guarded(dispatch)
