"""The command `palace`: its subcommands, and one sentence for whatever goes wrong."""

import contextlib
import io
import sys


def main() -> None:
    """Run the command line and leave with its exit status.

    The commands are imported here, since the processes that read pages import this file again when they start.
    """
    from bot.commandline.program import dispatch  # noqa: PLC0415 - slow import
    from bot.commandline.session import guarded  # noqa: PLC0415 - slow import

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    status = guarded(dispatch)
    with contextlib.suppress(BrokenPipeError, ValueError):
        sys.stdout.flush()
    sys.exit(status)
