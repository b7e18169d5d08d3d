"""Slash commands and the message menu: what Discord is told of them, and what comes back (pure)."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.discord.localisation import DESCRIPTIONS, MENU_NAMES, PARAMETERS
from bot.ports import CommandRow

JsonObject = dict[str, Any]

CHAT, MESSAGE = 1, 3
STRING, BOOLEAN, ATTACHMENT = 3, 5, 11
MANAGE_GUILD = str(1 << 5)
GUILD, BOT_DIRECT = 0, 1
"""Contexts in which a command is offered (application command object)."""
LONGEST_DESCRIPTION = 100
SAVE_MENU = "Save to memory"
TYPED, PRIVATE, FILE = "text", "private", "file"
TAGGED = {"list", "save", "note", "tag", "edit"}
"""Commands in whose text a `#` begins a tag."""
THREADS = CommandRow(
    name="threads",
    help="Answer each question here in a thread of its own, or not",
    argument="on or off",
    administrators_only=True,
)
"""The adapter's own: only Discord opens threads for answers."""


def payload(table: Sequence[CommandRow]) -> list[JsonObject]:
    """Return every command as "bulk overwrite global application commands" takes them."""
    menu = {
        "name": SAVE_MENU,
        "name_localizations": _localised(MENU_NAMES),
        "type": MESSAGE,
        "contexts": [GUILD, BOT_DIRECT],
    }
    return [*(_command(row) for row in (*table, THREADS)), menu]


def typed_command(data: Mapping[str, Any]) -> tuple[str, bool, tuple[Mapping[str, Any], ...]]:
    """Return a slash command as the core reads it, whether it asks for a private answer, and its files.

    Only questions are answered to all, unless they ask otherwise.
    """
    options = {str(option["name"]): option.get("value") for option in data.get("options") or ()}
    name = str(data["name"])
    given = (data.get("resolved") or {}).get("attachments") or {}
    files = tuple(given[str(options[FILE])] for _ in (0,) if str(options.get(FILE)) in given)
    said = next((value for option, value in options.items() if option not in {FILE, PRIVATE}), "")
    text = f"/{name} {options.get(TYPED) or said or ''}".rstrip()
    return text, bool(options.get(PRIVATE, name != "ask")), files


def completion_of(data: Mapping[str, Any], table: Sequence[CommandRow]) -> tuple[str, str, str]:
    """Return what to complete (`tag`, `title`, `pocket` or nothing), the word begun, and what stands before it."""
    name = str(data["name"])
    typed = next((str(option.get("value") or "") for option in data.get("options") or () if option.get("focused")), "")
    before, space, word = typed.rpartition(" ")
    if name in TAGGED and word.startswith("#"):
        return "tag", word[1:], f"{before}{space}#"
    completes = next((row.completes for row in table if row.name == name), "")
    return (completes, typed, "") if completes else ("", "", "")


def choices(words: Sequence[str], lead: str) -> list[JsonObject]:
    """Return completions as Discord takes them: at most 25 of at most 100 characters."""
    whole = (f"{lead}{word}" for word in words[:25])
    return [{"name": word[:LONGEST_DESCRIPTION], "value": word[:LONGEST_DESCRIPTION]} for word in whole if word]


def _command(row: CommandRow) -> JsonObject:
    allowed = {"default_member_permissions": MANAGE_GUILD} if row.administrators_only else {}
    return {
        "name": row.name,
        "type": CHAT,
        "description": row.help[:LONGEST_DESCRIPTION],
        "description_localizations": _localised(DESCRIPTIONS.get(row.name, {})),
        "options": list(_options(row)),
        "contexts": [GUILD, BOT_DIRECT],
        **allowed,
    }


def _options(row: CommandRow) -> Sequence[JsonObject]:
    options: list[JsonObject] = []
    if row.argument:
        options.append(
            {
                "name": TYPED,
                "type": STRING,
                "description": row.argument[:LONGEST_DESCRIPTION],
                "required": row.name == "ask",
                "autocomplete": bool(row.completes) or row.name in TAGGED,
            }
        )
    if row.name == "ask":
        options.append(_option(PRIVATE, BOOLEAN, "Show the answer to me alone"))
    if row.name == "save":
        options.append(_option(FILE, ATTACHMENT, "A file to keep"))
    return options


def _option(name: str, kind: int, description: str) -> JsonObject:
    return {
        "name": name,
        "type": kind,
        "description": description,
        "description_localizations": _localised(PARAMETERS[name]),
        "required": False,
    }


def _localised(words: Mapping[str, str]) -> JsonObject:
    """Return words by locale; Spanish serves on both sides of the ocean."""
    both = {**words, "es-419": words["es-ES"]} if "es-ES" in words else words
    return {locale: text[:LONGEST_DESCRIPTION] for locale, text in both.items()}
