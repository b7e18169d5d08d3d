"""The Bot API's rules as documented, each broken one with Telegram's own error."""

import json
from typing import Any

TEXT = 4096
CALLBACK = 64
TOAST = 200
KINDS = {
    "bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote",
    "code", "pre", "text_link", "text_mention", "url", "mention", "hashtag", "bot_command", "email",
}  # fmt: skip
REACTIONS = set(
    "👍👎🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🤮💩🙏👌🕊🤡🥱🥴😍🐳🌚🌭💯🤣⚡🍌🏆💔🤨😐🍓🍾💋🖕😈😴😭🤓👻👀🎃🙈😇😨🤝✍🤗🫡🎅🎄💅🤪🗿🆒💘🙉🦄😘💊🙊😎👾🤷😡"
)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, offset: int, length: int) -> str:
    """Return a stretch; raises where it begins or ends inside a character."""
    return text.encode("utf-16-le")[2 * offset : 2 * (offset + length)].decode("utf-16-le")


def text_error(text: str, entities: list[dict[str, Any]]) -> str | None:
    """Return what the server says of a text and its entities, or None."""
    if not text.strip():
        return "Bad Request: message text is empty"
    if units(text) > TEXT:
        return "Bad Request: message is too long"
    for entity in entities:
        problem = _entity_problem(text, entity)
        if problem:
            return f"Bad Request: can't parse entities: {problem}"
    return _nesting_problem(entities)


def _entity_problem(text: str, entity: dict[str, Any]) -> str | None:
    offset, length = entity["offset"], entity["length"]
    if entity["type"] not in KINDS:
        return f"unsupported type {entity['type']}"
    if length <= 0 or offset < 0 or offset + length > units(text):
        return f"entity outside of the text: {entity}"
    try:
        cut(text, offset, length)
    except UnicodeDecodeError:
        return f"entity inside a surrogate pair: {entity}"
    if entity["type"] == "text_link" and not entity.get("url", "").startswith(("http://", "https://", "tg://")):
        return "text_link without url"
    return None


def _nesting_problem(entities: list[dict[str, Any]]) -> str | None:
    spans = [(e["offset"], e["offset"] + e["length"], e["type"]) for e in entities]
    for number, (start, end, kind) in enumerate(spans):
        for other_start, other_end, other in spans[number + 1 :]:
            if end <= other_start or other_end <= start:
                continue
            if (start < other_start < end < other_end) or (other_start < start < other_end < end):
                return f"Bad Request: can't parse entities: {kind} and {other} overlap"
            quotes = {"blockquote", "expandable_blockquote"}
            if {kind, other} & {"code", "pre"} and not {kind, other} & (quotes | {"text_link"}):
                return f"Bad Request: can't parse entities: {kind} with {other}"
            if kind in quotes and other in quotes:
                return "Bad Request: can't parse entities: nested blockquote"
    return None


def keyboard_error(markup: dict[str, Any] | None) -> str | None:
    for row in (markup or {}).get("inline_keyboard", ()):
        for key in row:
            if not key["text"]:
                return "Bad Request: text buttons are unallowed in the inline keyboard"
            if not 1 <= len(key.get("callback_data", "x").encode()) <= CALLBACK:
                return "Bad Request: BUTTON_DATA_INVALID"
    return None


def decoded(form: dict[str, str]) -> dict[str, Any]:
    """Return a request's fields as values."""
    found: dict[str, Any] = {}
    for name, value in form.items():
        try:
            found[name] = (
                json.loads(value) if name not in {"text", "url", "inline_query_id", "callback_query_id"} else value
            )
        except ValueError:
            found[name] = value
    return found
