"""Write other people's text without what is not meant to be seen: a name or title on one line, a text on its own."""

import re

CONTROLS = re.compile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?")
"""A terminal's own orders (ECMA-48), whose letters would stay behind."""
UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]"
)
"""Control characters, and signs that turn the direction of writing: they make `gpj.exe` look like `exe.jpg`."""
CURSOR = re.compile(f"{CONTROLS.pattern}|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What moves a terminal's cursor, its line ends and tabs left out."""
HALVES = re.compile("[\ud800-\udfff]")


def one_line(text: str, *, longest: int = 0) -> str:
    """Return the text on one line, at most `longest` characters; 0 for all of it."""
    seen = HALVES.sub("\ufffd", UNSEEN.sub("", CONTROLS.sub("", text)))
    line = " ".join(seen.split())
    return line[:longest].rstrip() if longest else line


def printable(text: str) -> str:
    """Return a text that can be written to a terminal: a saved page must not move anybody's cursor."""
    return CURSOR.sub("", text)


def so_many(number: int, noun: str) -> str:
    """Return a number with its English noun: "1 passage", "3 memories"."""
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else several}"
