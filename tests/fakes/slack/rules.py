"""Slack's limits as far as they are known, each broken one with Slack's own error or noted as a violation."""

import json
import re

UPDATE_BYTES = 4000
POST_CHARACTERS = 4000
SECTION = 3000
MARKDOWN_BLOCK = 12_000
BLOCK_TEXT = 13_202
STREAM_CHARACTERS = 12_000
STREAM_LIFE_S = 306.0
TIERS = {
    "chat.update": 50,
    "chat.startStream": 20,
    "chat.stopStream": 20,
    "chat.appendStream": 120,
    "users.info": 100,
    "conversations.info": 50,
    "users.conversations": 20,
    "conversations.history": 1,
    "conversations.replies": 1,
    "files.info": 100,
    "reactions.add": 50,
    "reactions.remove": 20,
    "assistant.threads.setStatus": 600,
}
READS = {
    "files.info",
    "users.info",
    "conversations.info",
    "users.conversations",
    "conversations.history",
    "conversations.replies",
}
_PINGS = re.compile(r"<!(?:here|channel|everyone|subteam)|<@[UW][A-Z0-9]+>")


def block_error(blocks: list[dict]) -> str | None:
    """Return Slack's error for a list of blocks, or None."""
    if len(blocks) > 50:
        return "invalid_blocks"
    total = 0
    for block in blocks:
        match block["type"]:
            case "section":
                text = block["text"]["text"]
                total += len(text)
                if not 1 <= len(text) <= SECTION:
                    return "invalid_blocks"
            case "markdown":
                total += len(block["text"])
                if len(block["text"]) > MARKDOWN_BLOCK:
                    return "invalid_blocks"
            case "header":
                if len(block["text"]["text"]) > 150:
                    return "invalid_blocks"
            case "context_actions":
                if len(block["elements"]) > 5 or any(e["type"] not in _CONTEXT for e in block["elements"]):
                    return "invalid_blocks"
                for element in block["elements"]:
                    for name in ("positive_button", "negative_button"):
                        button = element[name]
                        if len(button["text"]["text"]) > 75 or len(button["value"]) > 2000:
                            return "invalid_blocks"
            case "actions":
                if len(block["elements"]) > 25:
                    return "invalid_blocks"
                ids = [element["action_id"] for element in block["elements"]]
                if len(ids) != len(set(ids)) or any(len(one) > 255 for one in ids):
                    return "invalid_blocks"
                for element in block["elements"]:
                    if len(element["text"]["text"]) > 75 or len(element.get("value", "")) > 2000:
                        return "invalid_blocks"
            case "divider" | "input":
                pass
            case _:
                return "invalid_blocks"
    return "msg_blocks_too_long" if total > BLOCK_TEXT else None


def pings(arguments: dict) -> list[str]:
    """Return what would call somebody."""
    return _PINGS.findall(json.dumps({name: arguments.get(name) for name in ("text", "blocks", "markdown_text")}))


_CONTEXT = {"feedback_buttons", "icon_button"}
