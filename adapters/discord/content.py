"""Read the words of a Discord message: mentions, spoilers, links to messages, emojis, code left alone (pure)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What stands in a message."""

    text: str
    """With names for mentions; the bot's own mention is taken out."""
    rooms: tuple[str, ...] = ()
    """Ids of the channels named."""
    messages: tuple[str, ...] = ()
    """Ids of messages pointed at by their address: never fetched as pages."""


def read_content(content: str, names: Mapping[str, str], *, bot_id: str) -> Content:
    """Return a message's text as people read it. `names`: of people and channels mentioned, by id."""
    rooms: list[str] = []
    messages: list[str] = []
    written: list[str] = []
    for piece, is_code in _pieces(content):
        if is_code:
            written.append(piece)
            continue
        messages.extend(found["message"] for found in _MESSAGE_LINK.finditer(piece))
        pointed = _MESSAGE_LINK.sub(r"message \g<message>", piece)
        rooms.extend(found["channel"] for found in _TOKEN.finditer(pointed) if found["channel"])
        written.append(_TOKEN.sub(lambda found: _token(found, names, bot_id), pointed).replace("||", " "))
    return Content(
        text=_tidied("".join(written)), rooms=tuple(dict.fromkeys(rooms)), messages=tuple(dict.fromkeys(messages))
    )


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    position = 0
    for code in _CODE.finditer(text):
        yield text[position : code.start()], False
        yield code[0], True
        position = code.end()
    yield text[position:], False


def _token(found: re.Match[str], names: Mapping[str, str], bot_id: str) -> str:
    if found["person"]:
        return "" if found["person"] == bot_id else f"@{names.get(found['person'], found['person'])}"
    if found["role"]:
        return "@role"
    if found["channel"]:
        # Without a number sign: that would be a tag.
        return names.get(found["channel"]) or "a channel"
    if found["time"]:
        return _day(int(found["time"]))
    return found["emoji"] or found["command"] or ""


def _day(seconds: int) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return ""


def _tidied(text: str) -> str:
    """Take the gap away that the bot's own mention left."""
    return re.sub(r"(?<=\S)[ \t]{2,}(?=\S)", " ", text).lstrip(" \t,:\n").rstrip(" \t,\n")


_CODE = re.compile(r"```.*?```|``[^\n]+?``|`[^`\n]+`", re.DOTALL)
_MESSAGE_LINK = re.compile(
    r"<?https?://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/channels/(?:\d+|@me)/\d+/(?P<message>\d+)/?>?",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"<(?:@!?(?P<person>\d+)|@&(?P<role>\d+)|#(?P<channel>\d+)|t:(?P<time>-?\d{1,15})(?::\w)?"
    r"|a?(?P<emoji>:\w+:)\d+|(?P<command>/[^:<>\n]+):\d+)>"
)
