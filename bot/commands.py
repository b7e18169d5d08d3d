"""The command table, one row a command, the same on every platform; and the buttons under what the bot says."""

from dataclasses import dataclass
from typing import Final, Literal

from bot.ports import CommandRow

ACTIONS: Final = ("undo", "retry", "edit", "tags", "up", "down", "why", "share", "stop", "confirm", "cancel")
"""Every name that a button's `Action` may carry."""

COMMANDS: Final = (
    CommandRow(name="help", help="Show what I can do, with examples"),
    CommandRow(
        name="save", help="Save a link, a file, or the message you reply to", argument="a link, with a note and #tags"
    ),
    CommandRow(name="note", help="Keep a thought of your own", argument="the thought, with #tags"),
    CommandRow(name="ask", help="Ask about what was saved here", argument="your question"),
    CommandRow(name="search", help="List passages that hold these words or mean them", argument="words"),
    CommandRow(name="list", help="List what was saved", argument="#tag, a pocket, or words like 'links last week'"),
    CommandRow(
        name="show",
        help="Show one memory: title, note, tags, state, text",
        argument="its id or address",
        completes="title",
    ),
    CommandRow(
        name="edit",
        help="Change a title, note or tags",
        argument="id title: … | note: … | tags: #a #b",
        completes="title",
    ),
    CommandRow(name="tag", help="Set the tags of a memory", argument="its id and #tags", completes="title"),
    CommandRow(name="pin", help="Pin a memory to the top of lists, or unpin it", argument="its id", completes="title"),
    CommandRow(
        name="pocket",
        help="Choose the pocket that this room saves into and asks from, or list pockets",
        argument="a name, or off",
        completes="pocket",
    ),
    CommandRow(name="retry", help="Read a page again now", argument="its id, or failed", completes="title"),
    CommandRow(name="undo", help="Take back your last save here"),
    CommandRow(
        name="forget",
        help="Show what will go, then remove it everywhere",
        argument="an id, an address, mine, or room",
        completes="title",
    ),
    CommandRow(name="confirm", help="Carry out what I asked you to confirm", argument="the code"),
    CommandRow(name="why", help="Show how the last answer came about"),
    CommandRow(name="feedback", help="List votes on answers here, or undo one", argument="undo and its number"),
    CommandRow(name="recall", help="Let me use older turns of this room, or not", argument="on or off"),
    CommandRow(
        name="watch",
        help="Save links in this room without being asked, or not",
        argument="on or off",
        administrators_only=True,
    ),
    CommandRow(name="status", help="Show how many memories there are and what is waiting"),
)


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
    name = first[1:].split("@")[0].lower()
    if not name.isalpha():
        return None
    argument = f"{more}\n{rest}".strip() if more else rest.strip()
    return Command(name=name, argument=argument, known=any(row.name == name for row in COMMANDS))


def nearest_command(name: str) -> str:
    """Return the known command that starts alike, or help."""
    alike = [row.name for row in COMMANDS if row.name.startswith(name[:2])]
    return alike[0] if alike else "help"


def on_or_off(argument: str) -> Literal["on", "off"] | None:
    """Read a switch in a few languages; None when it says neither."""
    word = argument.strip().lower()
    if word in {"on", "yes", "an", "ein", "ja", "sí", "si", "true"}:
        return "on"
    if word in {"off", "no", "aus", "nein", "false"}:
        return "off"
    return None
