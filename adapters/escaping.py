"""Write somebody else's words into our Markdown, so that they are shown as they are and call nobody."""

import re


def escaped(text: str) -> str:
    """Return somebody's own words as Markdown that shows them as they are, on one line."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))


def link(label: str, url: str) -> str:
    """Return a Markdown link with a label of somebody's own words; without an address, the label alone."""
    if not url:
        return escaped(label)
    return f"[{escaped(label) or escaped(url)}]({url.translate(_IN_LINK)})"


def defuse(text: str) -> str:
    """Return the text with an invisible joiner in everything that could call somebody: @name, <@id>, <!here>."""
    return _PING.sub("\\g<0>\u2060", text)


_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+\-.!~|<>&]")
_PING = re.compile(r"(?<![\w/])@(?=\w)|<(?=[@!#])")
_IN_LINK = {ord(" "): "%20", ord("("): "%28", ord(")"): "%29", ord("<"): "%3C", ord(">"): "%3E", ord("\n"): ""}
