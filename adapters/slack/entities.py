"""Read the text of a Slack message: its links, people, channels and escapes (pure)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.domain.messages import Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A text in plain words, and what stood in it."""

    text: str
    links: tuple[Link, ...]
    people: tuple[str, ...]
    rooms: tuple[str, ...]
    addressed: bool


class Reader:
    """Reads texts for one bot; `names` are shown for ids, where they are known."""

    def __init__(self, bot_user: str, names: Mapping[str, str] | None = None) -> None:
        self._bot_user = bot_user
        self._names = names or {}

    def read(self, text: str) -> Found:
        """Return the text with names for ids, and its parts. What stands in code is text, not a link."""
        links: dict[str, Link] = {}
        people: list[str] = []
        rooms: list[str] = []
        written: list[str] = []
        addressed = False
        for piece, is_code in _pieces(text):
            position = 0
            for token in _TOKEN.finditer(piece):
                written.append(unescape(piece[position : token.start()]))
                position = token.end()
                body, _, label = token[1].partition("|")
                if body.startswith("@"):
                    addressed = addressed or body[1:] == self._bot_user
                    written.append(self._person(body[1:], unescape(label), people))
                elif body.startswith("#"):
                    rooms.append(body[1:])
                    written.append(f"#{unescape(label) or self._names.get(body[1:], body[1:])}")
                elif body.startswith("!"):
                    written.append(_special(body, unescape(label)))
                else:
                    written.append(_address(unescape(body), unescape(label), links, is_code=is_code))
            written.append(unescape(piece[position:]))
        return Found(
            text=_tidied("".join(written)),
            links=tuple(links.values()),
            people=tuple(dict.fromkeys(people)),
            rooms=tuple(dict.fromkeys(rooms)),
            addressed=addressed,
        )

    def _person(self, user: str, label: str, people: list[str]) -> str:
        if user == self._bot_user:
            return ""
        people.append(user)
        return f"@{self._names.get(user) or label or user}"


def unescape(text: str) -> str:
    """Undo Slack's three escapes, in the one order that does not undo twice."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    position = 0
    for code in _CODE.finditer(text):
        yield text[position : code.start()], False
        yield code[0], True
        position = code.end()
    yield text[position:], False


def _address(url: str, label: str, links: dict[str, Link], *, is_code: bool) -> str:
    if url.startswith(("mailto:", "tel:")):
        return label or url.partition(":")[2]
    if is_code:
        return label or url
    shown = "" if label in {url, url.partition("://")[2]} else label
    links.setdefault(url, Link(url=url, label=shown))
    return f"[{shown}]({url})" if shown else url


def _special(body: str, label: str) -> str:
    if label:
        return label
    name = body[1:].partition("^")[0]
    return f"@{name}" if name in {"here", "channel", "everyone"} else ""


def _tidied(text: str) -> str:
    """Take the gap away that the bot's own mention left."""
    return re.sub(r"[ \t]{2,}(?=\S)", " ", text).strip(" \t,:") if "\n" not in text else text.strip(" \t,:\n")


_TOKEN = re.compile(r"<([^<>\n]+)>")
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
