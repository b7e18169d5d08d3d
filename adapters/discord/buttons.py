"""Buttons and forms: what they look like on the wire, and what comes back when they are used (pure).

A button carries its whole meaning in its id, so that it works after any number of restarts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.domain.replies import Button

JsonObject = dict[str, Any]

ROW, BUTTON, TEXT_INPUT = 1, 2, 4
GREY, GREEN, RED = 2, 3, 4
IN_A_ROW = 5
LONGEST_LABEL, LONGEST_ID = 80, 100
"""Characters of a label and a custom_id (component reference)."""
SHORT, LONG = 1, 2
LONGEST_TYPED = 1000
PREFIX = "palace"

FIELDS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "edit": (("title", "New title"), ("note", "New note"), ("tags", "New tags, such as #flour #rye")),
    "tags": (("tags", "Tags, such as #flour #rye"),),
    "down": (("reason", "What was wrong with this answer?"),),
}
"""The buttons that open a form, and its fields."""
TITLES = {"edit": "Edit this memory", "tags": "Set the tags", "down": "Thank you: noted"}
_STYLES = {"confirm": RED, "stop": RED, "up": GREY, "share": GREEN}
_EMOJIS = {"up": "👍", "down": "👎"}


def components(buttons: Sequence[Button]) -> list[JsonObject]:
    """Return the rows of buttons for a message; an empty list takes away what was there."""
    rows = [buttons[start : start + IN_A_ROW] for start in range(0, len(buttons), IN_A_ROW)]
    return [{"type": ROW, "components": [_button(button) for button in row]} for row in rows]


def pressed(custom_id: str) -> tuple[str, str]:
    """Return the name and target of a button of ours; two empty words for any other."""
    prefix, _, rest = custom_id.partition(":")
    name, _, target = rest.partition(":")
    return (name, target) if prefix == PREFIX and name != "form" else ("", "")


def form(name: str, target: str) -> JsonObject:
    """Return the modal that a button opens."""
    return {
        "custom_id": f"{PREFIX}:form:{name}:{target}"[:LONGEST_ID],
        "title": TITLES[name],
        "components": [
            {"type": ROW, "components": [_field(field, label, only=len(FIELDS[name]) == 1)]}
            for field, label in FIELDS[name]
        ],
    }


def submitted(data: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the name and target of the button behind a form, and what was typed as one value for the core."""
    _, _, carried = str(data.get("custom_id") or "").partition(f"{PREFIX}:form:")
    name, _, target = carried.partition(":")
    fields = [field for row in data.get("components") or () for field in row.get("components") or ()]
    typed = {str(field.get("custom_id")): " ".join(str(field.get("value") or "").split()) for field in fields}
    if name == "edit":
        return name, target, " | ".join(f"{field}: {value}" for field, value in typed.items() if value)
    return name, target, " ".join(value for value in typed.values() if value)


def _button(button: Button) -> JsonObject:
    emoji = {"emoji": {"name": _EMOJIS[button.name]}} if button.name in _EMOJIS else {}
    return {
        "type": BUTTON,
        "style": _STYLES.get(button.name, GREY),
        "label": button.label[:LONGEST_LABEL],
        "custom_id": f"{PREFIX}:{button.name}:{button.target}"[:LONGEST_ID],
        **emoji,
    }


def _field(field: str, label: str, *, only: bool) -> JsonObject:
    return {
        "type": TEXT_INPUT,
        "custom_id": field,
        "label": label,
        "style": LONG if field in {"note", "reason"} else SHORT,
        "required": only and field != "reason",
        "max_length": LONGEST_TYPED,
    }
