"""Take the teeth out of an answer's text: links only to stored sources, no pings (pure)."""

import re
from collections.abc import Collection

from bot.rag.citations import outside_code

IMAGE = re.compile(r"!\[([^\]\n]*)\]\([^)\n]*\)")
LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(\s*<?([^)\s>]+)>?[^)\n]*\)")
REFERENCE = re.compile(r"^[ \t]*\[[^\]\n]+\]:[ \t]*\S+.*$", re.MULTILINE)
ADDRESS = re.compile(r"(?i)\b(?!hxxps?:)(?:[a-z][a-z0-9+.-]*://|mailto:|tel:|www\.)[^\s<>\"'`|\\^{}\[\]]+")
BARE = re.compile(r"(?i)(?<![\w@./\[])(?:[a-z0-9-]+\.)+[a-z]{2,}(?=[/?]\S)[^\s<>\"'`|\\^{}\[\]]*")
PARTS = re.compile(r"(?i)(?P<scheme>[a-z][a-z0-9+.-]*:(?://)?)?(?P<host>[^/?#]*)(?P<rest>.*)", re.DOTALL)
TRAILING = ".,;:!?)*_"
PING = re.compile(r"(?i)@(?=(?:everyone|here|channel|all)\b)|<(?=[!@#]\S)|<(?=/?subteam)")
MENTION = re.compile(r"(?<![\w.@/\u200b-])@(?=\w)")
BREAK = "\u200b"
"""Stands where a ping would begin: reads the same, rings nobody."""


def defang(text: str, addresses: Collection[str]) -> str:
    """Return the text with every address but `addresses` made unclickable and every mention made silent.

    `addresses` are those of the stored sources that the answer was written from.
    """
    known = {bare(address) for address in addresses if address}
    text = REFERENCE.sub("", IMAGE.sub(r"\1", text))
    text = LINK.sub(lambda link: link[0] if bare(link[2]) in known else link[1], text)
    text = ADDRESS.sub(lambda found: address(found[0], known), text)
    text = BARE.sub(lambda found: address(found[0], known), text)
    text = PING.sub(lambda ping: ping[0] + BREAK, text)
    return outside_code(text, lambda prose: MENTION.sub("@" + BREAK, prose))


def address(found: str, known: Collection[str]) -> str:
    """Return an address as it is when known, else so that no platform makes a link of it."""
    link = found.rstrip(TRAILING)
    if bare(link) in known or bare(found) in known:
        return found
    parts = PARTS.match(link)
    if parts is None:
        return found
    scheme = parts["scheme"] or ""
    dead = scheme.lower().replace("http", "hxxp") if "http" in scheme.lower() else scheme.replace(":", "[:]")
    return dead + parts["host"].replace(".", "[.]") + parts["rest"] + found[len(link) :]


def bare(address: str) -> str:
    """Return an address in the form in which two spellings compare."""
    return re.sub(r"(?i)^(?:https?://)?(?:www\.)?", "", address.strip()).rstrip("/").lower()
