"""The command table, one row a command, the same on every platform; and how a typed command is read."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from bot.ports import CommandRow

ACTIONS: Final = ("undo", "retry", "edit", "tags", "up", "down", "why", "share", "stop", "confirm", "cancel")
"""Every name that a button's `Action` may carry."""

COMMANDS: Final = (
    CommandRow(
        name="help", help="Show what I can do, with examples", argument="a command, or nothing", example="/help list"
    ),
    CommandRow(
        name="save",
        help="Save a link, a file, or the message you reply to",
        argument="a link, with a note and #tags",
        example="/save https://example.org/article for the talk #caching",
    ),
    CommandRow(
        name="note",
        help="Keep a thought of your own",
        argument="the thought, with #tags",
        example="/note The spare key is with Kim #house",
    ),
    CommandRow(
        name="ask",
        help="Ask about what was saved here",
        argument="your question",
        example="/ask How long does a rye starter keep?",
    ),
    CommandRow(
        name="search",
        help="List passages that hold these words or mean them",
        argument="words",
        example="/search cache invalidation",
    ),
    CommandRow(
        name="list",
        help="List what was saved",
        argument="#tag, a pocket, 'links last week', 'everything', or a page's number",
        example="/list links last week",
    ),
    CommandRow(
        name="show",
        help="Show one memory: title, note, tags, state, text",
        argument="its id, address or title",
        completes="title",
        example="/show 1a2b3c4d",
    ),
    CommandRow(
        name="edit",
        help="Change a title, note, tags or pocket",
        argument="id title: … | note: … | tags: #a #b | pocket: …",
        completes="title",
        example="/edit 1a2b3c4d title: A better title | note: why it matters",
    ),
    CommandRow(
        name="tag",
        help="Set the tags of a memory",
        argument="its id and #tags",
        completes="title",
        example="/tag 1a2b3c4d #bread #rye",
    ),
    CommandRow(
        name="pin",
        help="Pin a memory to the top of lists, or unpin it",
        argument="its id",
        completes="title",
        example="/pin 1a2b3c4d",
    ),
    CommandRow(
        name="pocket",
        help="Choose this room's pocket, list pockets, rename one, or leave",
        argument="a name, list, rename old new, or off",
        completes="pocket",
        example="/pocket thesis",
    ),
    CommandRow(
        name="retry",
        help="Read a page again now",
        argument="its id, or failed",
        completes="title",
        example="/retry failed",
    ),
    CommandRow(name="undo", help="Take back your last save here", example="/undo"),
    CommandRow(
        name="forget",
        help="Show what will go, then remove it everywhere",
        argument="an id, an address, a title, mine, or room",
        completes="title",
        example="/forget https://example.org/article",
    ),
    CommandRow(
        name="confirm",
        help="Carry out what I asked you to confirm",
        argument="the code",
        example="/confirm 1f2e3d",
    ),
    CommandRow(name="why", help="Show how the last answer came about", example="/why"),
    CommandRow(
        name="feedback",
        help="List votes on answers here, or undo one",
        argument="undo and its number",
        example="/feedback undo 3",
    ),
    CommandRow(
        name="recall", help="Let me use older turns of this room, or not", argument="on or off", example="/recall off"
    ),
    CommandRow(
        name="watch",
        help="Save links in this room without being asked, or not",
        argument="on or off",
        administrators_only=True,
        example="/watch off",
    ),
    CommandRow(name="status", help="Show how many memories there are and what is waiting", example="/status"),
)
ROWS: Final[Mapping[str, CommandRow]] = {row.name: row for row in COMMANDS}
ALIASES: Final[Mapping[str, str]] = {
    "more": "list more",
    "next": "list more",
    "pockets": "pocket list",
    "find": "search",
    "delete": "forget",
    "remove": "forget",
    "commands": "help",
    "start": "help",
    "hilfe": "help",
    "befehle": "help",
    "ayuda": "help",
}
"""What people also type, and the command that it is."""
SPOKEN: Final[Mapping[str, str]] = {
    **dict.fromkeys(("help", "hilfe", "ayuda", "help me", "commands", "befehle"), "/help"),
    **dict.fromkeys(("undo", "undo that", "rückgängig", "deshacer"), "/undo"),
}
"""Whole messages that are commands without their stroke."""
FORGET = re.compile(
    r"\s*(?:please\s+)?(?:forget|delete|remove|vergiss|lösche?|olvida|borra)\s+"
    r"(?P<what><?https?://\S+|(?=\S*\d)[0-9a-f]{4,40}|mine|meine)\s*[.!]?\s*",
    re.IGNORECASE,
)
ONLY_TAGS = re.compile(r"\s*(?:#\w[\w-]*[\s,]*)+$")
ALIKE: Final = 0.6
"""How much of a mistyped name must be a command's, by `difflib`'s ratio."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command as typed."""

    name: str
    argument: str
    known: bool = True


def parse_command(text: str) -> Command | None:
    """Return the command that a text is, or None. `/name@bot` is `/name`; a path such as /etc/hosts is none."""
    first, _, rest = text.strip().partition(" ")
    first, _, more = first.partition("\n")
    if not first.startswith("/") or "/" in first[1:]:
        return None
    typed = first[1:].split("@")[0].lower()
    if not typed.isalpha():
        return None
    name, _, lead = ALIASES.get(typed, typed).partition(" ")
    argument = f"{more}\n{rest}".strip() if more else rest.strip()
    return Command(name=name, argument=f"{lead} {argument}".strip(), known=name in ROWS)


def spoken_command(text: str) -> str:
    """Return the command that a whole message is without its stroke: "help", "forget https://…", nothing but #tags."""
    if ONLY_TAGS.match(text):
        return f"/list {text.strip()}"
    if forget := FORGET.fullmatch(text):
        return f"/forget {forget['what'].strip('<>')}"
    return SPOKEN.get(text.strip(" \n.!?¿¡").lower(), "")


def nearest_command(name: str) -> str:
    """Return the command that a mistyped name is most like, as /help lists it; nothing where none is."""
    near = difflib.get_close_matches(name, (*ROWS, *ALIASES), n=1, cutoff=ALIKE)
    return ALIASES.get(near[0], near[0]) if near else ""


def on_or_off(argument: str) -> Literal["on", "off"] | None:
    """Read a switch in a few languages; None when it says neither."""
    word = argument.strip().lower()
    if word in {"on", "yes", "an", "ein", "ja", "sí", "si", "true"}:
        return "on"
    if word in {"off", "no", "aus", "nein", "false"}:
        return "off"
    return None


AGREED: Final = re.compile(
    r"\W*(?:yes|yep|yeah|y|sure|ok|okay|do\s+it|go\s+on|ja|j|jawohl|klar|mach(?:\s+das)?|sí|si|s|claro|vale|adelante)"
    r"(?:[\s,]+(?:please|do\s+it|forget\s+(?:it|them|all)|bitte|por\s+favor))?\W*",
    re.IGNORECASE,
)
REFUSED: Final = re.compile(
    r"\W*(?:no|nope|n|cancel|stop|keep(?:\s+(?:it|them|all))?|never\s*mind|don'?t|nein|abbrechen|behalten|lass(?:\s+es)?|"
    r"cancelar?|cons[eé]rva(?:lo|los|r)?)(?:[\s,]+(?:thanks|thank\s+you|please|danke|bitte|gracias))?\W*",
    re.IGNORECASE,
)


def agreement(text: str) -> bool | None:
    """Return whether a whole message is a yes or a no, in a few languages; None where it is neither."""
    if AGREED.fullmatch(text):
        return True
    return False if REFUSED.fullmatch(text) else None
