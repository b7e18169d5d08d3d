"""What of Markdown's blocks a text leaves open where it ends, and how it is closed (pure)."""

import re

FENCE = re.compile(
    r"^(?P<quote>(?:[ ]{0,3}>[ ]?)*)[ ]*(?P<item>[-*+][ ]+|\d+[.)][ ]+)?(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)$",
    re.MULTILINE,
)


def open_fence(text: str) -> re.Match[str] | None:
    """Return the fence that is still open at the end of a text (groups quote, item, marks, info), or None."""
    opened: re.Match[str] | None = None
    for match in FENCE.finditer(text):
        if opened is None:
            opened = match if "`" not in match["info"] or match["marks"][0] == "~" else None
        elif match["marks"].startswith(opened["marks"]) and not match["item"] and not match["info"].strip():
            opened = None
    return opened


def closed(text: str) -> str:
    """Return a text that broke off with its code block closed, so that what is said behind it is no code."""
    fence = open_fence(text)
    return text if fence is None else f"{text.rstrip()}\n{fence['quote']}{fence['marks']}"
