"""The App Home: recent memories, a search box, room settings and what is kept about whom."""

from typing import Any

from adapters.slack import mrkdwn
from bot.domain.answers import Answer
from bot.domain.replies import Notice, Sign

PRIVACY = (
    "*What I keep.* Links, files and messages that people share in rooms I sit in, who shared them, when and where; "
    "questions to me and my answers. What was shared in a public channel can be found in this workspace; what was "
    "shared in a private channel only there, and by its members in their direct chat with me; what you send me here "
    "only by you. Deleting a message makes me forget what it shared; `/palace forget mine` removes all that is yours."
)
MOST_BLOCKS = 60


class Captured:
    """A `bot.ports.Reply` that keeps what the core says, to be shown as part of a page."""

    def __init__(self) -> None:
        self.text = ""

    @property
    def stopped(self) -> bool:
        return False

    async def status(self, text: str) -> None:
        """Nothing: a page is shown when it is whole."""

    async def show(self, text_so_far: str) -> None:
        """Nothing: the same."""

    async def mark(self, sign: Sign) -> None:
        """Nothing: there is no message."""

    async def finish(self, answer: Answer) -> None:
        self.text = answer.text

    async def fail(self, reason: str) -> None:
        self.text = reason

    async def say(self, notice: Notice) -> None:
        self.text = f"{self.text}\n\n{notice.text}".strip()


def home_view(*, recent: str, found: str = "", searched: str = "", said: str = "") -> dict[str, Any]:
    """Return the view for views.publish. `recent` and `found` are Markdown; `said` answers a setting just changed."""
    blocks = [
        _heading("Recent memories"),
        *_text(recent or "Nothing is saved yet. Share a link in a channel that I am in, or send me one here."),
        _divider(),
        _heading("Search"),
        _search_box(searched),
        *(_text(found) if found else ()),
        _divider(),
        _heading("Rooms"),
        *_room_settings(said),
        _divider(),
        _heading("Privacy"),
        {"type": "section", "text": {"type": "mrkdwn", "text": PRIVACY}},
    ]
    return {"type": "home", "blocks": blocks[:MOST_BLOCKS]}


def chosen_room(view: dict[str, Any]) -> str:
    """Return the channel picked in the room settings."""
    picked = ((view.get("state") or {}).get("values") or {}).get("room") or {}
    return str((picked.get("palace:home:room") or {}).get("selected_conversation") or "")


def _heading(text: str) -> dict[str, Any]:
    return {"type": "header", "text": {"type": "plain_text", "text": text}}


def _divider() -> dict[str, Any]:
    return {"type": "divider"}


def _text(markdown: str) -> list[dict[str, Any]]:
    return mrkdwn.blocks(markdown)[:10]


def _search_box(searched: str) -> dict[str, Any]:
    element = {
        "type": "plain_text_input",
        "action_id": "palace:home:search",
        "placeholder": {"type": "plain_text", "text": "Words, or a question"},
        "dispatch_action_config": {"trigger_actions_on": ["on_enter_pressed"]},
    }
    if searched:
        element["initial_value"] = searched
    return {
        "type": "input",
        "block_id": "search",
        "dispatch_action": True,
        "label": {"type": "plain_text", "text": "Search what you may read"},
        "element": element,
    }


def _room_settings(said: str) -> list[dict[str, Any]]:
    pick = {
        "type": "section",
        "block_id": "room",
        "text": {"type": "mrkdwn", "text": said or "Choose a room, then whether I save its links without being asked."},
        "accessory": {
            "type": "conversations_select",
            "action_id": "palace:home:room",
            "placeholder": {"type": "plain_text", "text": "Choose a room"},
            "filter": {"include": ["public", "private"]},
        },
    }
    switches = [
        {
            "type": "button",
            "action_id": f"palace:home:watch_{word}",
            "text": {"type": "plain_text", "text": label},
        }
        for word, label in (("on", "Save links here"), ("off", "Leave this room alone"))
    ]
    return [pick, {"type": "actions", "block_id": "switches", "elements": switches}]
