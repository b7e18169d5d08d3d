"""The small forms that a button opens: edit, tags, why an answer was bad; and what was typed into them (pure)."""

import json
from typing import Any

from adapters.slack.envelopes import Json

FIELDS = {
    "edit": (("title", "New title"), ("note", "New note"), ("tags", "New tags, such as #flour #rye")),
    "tags": (("tags", "Tags, such as #flour #rye"),),
    "down": (("reason", "What was wrong with this answer? (optional)"),),
}
TITLES = {"edit": "Edit this memory", "tags": "Set the tags", "down": "Thank you"}


def form(name: str, target: str, *, channel: str, thread: str, response_url: str) -> dict[str, Any]:
    """Return the view for views.open; what it belongs to travels in its private metadata."""
    carried = {"name": name, "target": target, "channel": channel, "thread": thread, "response_url": response_url}
    return {
        "type": "modal",
        "callback_id": "palace:form",
        "private_metadata": json.dumps(carried),
        "title": {"type": "plain_text", "text": TITLES[name]},
        "submit": {"type": "plain_text", "text": "Save"},
        "close": {"type": "plain_text", "text": "Cancel"},
        "blocks": [
            {
                "type": "input",
                "block_id": field,
                "optional": len(FIELDS[name]) > 1 or name == "down",
                "label": {"type": "plain_text", "text": label},
                "element": {"type": "plain_text_input", "action_id": "typed"},
            }
            for field, label in FIELDS[name]
        ],
    }


def submitted(view: Json) -> tuple[dict[str, str], str]:
    """Return what a form belongs to, and what was typed as one value for the core."""
    carried: dict[str, str] = json.loads(view.get("private_metadata") or "{}")
    values = (view.get("state") or {}).get("values") or {}
    typed = {
        field: (values.get(field) or {}).get("typed", {}).get("value") or ""
        for field, _ in FIELDS.get(carried.get("name", ""), ())
    }
    if carried.get("name") == "edit":
        return carried, " | ".join(f"{field}: {value}" for field, value in typed.items() if value)
    return carried, " ".join(value for value in typed.values() if value)
