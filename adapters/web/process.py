"""The process that takes pages apart: it loads all it needs at once, then does one job after the other from a pipe."""

import os
import pickle
import struct
import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

POLITENESS = 10
LENGTH = struct.Struct(">Q")
SAMPLE = b"<html lang=en><title>A page</title><body><article><p>%s</p></article></body></html>" % (
    b"A reader that has read one page has everything loaded for the next. " * 9
)


def main() -> None:
    """Do what arrives on standard input, until it ends."""
    os.nice(POLITENESS)  # the processor belongs to whoever answers people
    answers = own_output()
    jobs: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=take, args=(sys.stdin.buffer, jobs), name="take jobs", daemon=True).start()
    read_something()
    while True:
        send(answers, done(jobs.get()))


def own_output() -> BinaryIO:
    """Keep standard output for answers alone: what a library prints goes to standard error."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers


def take(pipe: BinaryIO, jobs: "SimpleQueue[bytes]") -> None:
    """Hand on what arrives. When the pipe ends, the main process has ended, however suddenly: so does this one."""
    try:
        while True:
            jobs.put(receive(pipe))
    except EOFError:
        os._exit(0)


def read_something() -> None:
    """Load what reading a page needs; jobs that arrive meanwhile wait."""
    from adapters.web.extract import extract_page  # noqa: PLC0415 - the main process imports this file too

    extract_page(SAMPLE, url="https://example.org/")


def done(job: bytes) -> bytes:
    """Do a job; returns its result or what it raised."""
    try:
        call: Callable[[], Any] = pickle.loads(job)  # noqa: S301 - from our own process
        return pickle.dumps((call(), None))
    except Exception as error:  # noqa: BLE001 - whatever a job raises belongs to who gave it
        return pickle.dumps((None, error))


def send(pipe: Any, content: bytes) -> None:
    """Write a message whole, its length first."""
    pipe.write(LENGTH.pack(len(content)))
    pipe.write(content)
    pipe.flush()


def receive(pipe: Any) -> bytes:
    """Read a message whole. Raises EOFError when the pipe ends."""
    (length,) = LENGTH.unpack(whole(pipe, LENGTH.size))
    return whole(pipe, length)


def whole(pipe: Any, length: int) -> bytes:
    """Read so many bytes. Raises EOFError when the pipe ends before."""
    content: bytes = pipe.read(length)
    if len(content) < length:
        raise EOFError
    return content


if __name__ == "__main__":
    main()
