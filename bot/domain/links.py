"""Find the addresses that people and platforms write into a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.domain.messages import Link
from bot.domain.page_keys import opened_url, page_key, shown_url

__all__ = ["Link", "addresses_in", "opened_url", "page_key", "shown_url"]

COMMON_ENDINGS = (
    "com|org|net|edu|gov|io|dev|app|ai|co|me|info|eu|uk|de|fr|es|it|nl|be|ch|at|se|no|fi|dk|cz|jp|cn|in|br|ca|au"
)
START = re.compile(
    r"(?P<web>(?<!\+)https?://)"
    r"|(?P<www>(?<![\w@./:+-])www\.(?=[\w-]+\.\w))"
    # A domain without anything in front is an address only with a path: `node.js` and `etc.` are words.
    r"|(?P<bare>(?<![\w@./:+-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,4}"
    rf"(?:{COMMON_ENDINGS})"
    r"/(?=[\w~@#?%-]))",
    re.IGNORECASE,
)
MARKED = re.compile(
    r"<(?P<url>(?:https?://|www\.)[^<>|\s]+)(?:\|(?P<label>[^<>]*))?>|\]\(<?(?P<masked>(?=https?://))", re.IGNORECASE
)
STOP = re.compile(
    r"[\s<>\"`\\^\x00-\x20\x7f\u200b\u2028\u2029\ufeff“”„‟‘’‚‹›«»…，。、；：？！（）［］｛｝【】〔〕《》〈〉「」『』・～｜]"
    r"|&(?:[lg]t|quot);|\]\(|[,;|](?=https?://)"
    r"|(?P<bracket>[()\[\]{}])"
)
OPENERS = {")": "(", "]": "[", "}": "{"}
TRAILING = ".,;:!?'*~|({[$"
POSSESSIVE = re.compile(r"'s?$")
HOST = re.compile(
    r"https?://(?:[^/?#@\s]*@)?(?P<host>\[[0-9a-f:.]+\]|[^/?#:@\[\]]+)(?::\d{0,5})?(?=[/?#]|$)", re.IGNORECASE
)
BAD_IN_HOST = re.compile(r"[^\w.\u00a1-\U0010ffff-]")
HAN = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
GLUED_HOST = re.compile(rf"(https?://[a-z0-9.-]+\.[a-z]{{2,24}}(?::\d+)?)[{HAN}]", re.IGNORECASE)
GLUED_END = re.compile(rf"(?<=[A-Za-z0-9])[{HAN}]+$")
TYPED = re.compile(
    rf"(?:[\w-]+\.)+(?:(?:{COMMON_ENDINGS})(?::\d+)?(?:[/?#]\S*)?|(?!\d)[\w-]{{2,24}}(?::\d+)?/\S*)", re.IGNORECASE
)
"""A host as people type it: with a common ending, or with a path behind any other; `README.md` and `2.1.0` are none."""
TICKS = re.compile(r"`+|\n")
FENCE_TICKS = 3
LONGEST = 8_000
"""Characters of one address; browsers and servers give up there (RFC 9110 recommends 8000 octets)."""
LONGEST_LABEL = 500


@dataclass(frozen=True, slots=True)
class Found:
    """An address and where its mark begins and ends."""

    at: int
    until: int
    link: Link


def addresses_in(text: str) -> tuple[Link, ...]:
    """Return every web address in the text, in order, each once, as it would be opened; linear in time, never raises.

    Understands bare addresses, `www.`, `<address>`, Slack's `<address|label>` and Markdown's `[label](address)`. Code,
    e-mail addresses, file names and version numbers hold none.
    """
    prose = without_code(text)
    marked = list(marked_links(prose))
    bare = bare_links(blanked(prose, [(found.at, found.until) for found in marked]))
    ordered = sorted((*marked, *bare), key=lambda found: found.at)
    first: dict[str, Link] = {}
    for found in ordered:
        first.setdefault(found.link.url, found.link)
    return tuple(first.values())


def typed_address(text: str) -> str:
    """Return the web address that somebody typed as the thing to save, `https://` in front where nothing is.

    Nothing where it is none: `http://` alone, a file's name, a version number. For what is asked to be saved only.
    """
    typed = text.strip()
    if not re.match(r"https?://", typed, re.IGNORECASE):
        typed = f"https://{typed}" if TYPED.fullmatch(typed) else ""
    return typed if not re.search(r"\s", typed) and usable(typed) else ""


def without_code(text: str) -> str:
    """Return the text with code spans and blocks blanked; a lone backtick or an open block hides nothing."""
    ticks, lines = [], 0
    for found in TICKS.finditer(text):
        if found[0] == "\n":
            lines += 1
        else:
            ticks.append((found.start(), found.end(), lines))
    spans, at = [], 0
    partner = partners(ticks)
    while at < len(ticks):
        end = partner[at]
        if end is not None:
            spans.append((ticks[at][0], ticks[end][1]))
        at = at + 1 if end is None else end + 1
    return blanked(text, spans)


def partners(ticks: list[tuple[int, int, int]]) -> list[int | None]:
    """Return for each run of backticks the next one of its length that can close it: a short one on its own line."""
    nearest: dict[int, int] = {}
    partner: list[int | None] = [None] * len(ticks)
    for index in range(len(ticks) - 1, -1, -1):
        start, end, line = ticks[index]
        later = nearest.get(end - start)
        if later is not None and (end - start >= FENCE_TICKS or ticks[later][2] == line):
            partner[index] = later
        nearest[end - start] = index
    return partner


def blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """Return the text with these parts as spaces, every other character at its place."""
    pieces, done = [], 0
    for start, end in spans:
        pieces += [text[done:start], " " * (end - start)]
        done = end
    return "".join([*pieces, text[done:]])


def marked_links(text: str) -> Iterator[Found]:
    """Yield addresses that stand in marks: `<address>`, `<address|label>`, `[label](address)`."""
    done = 0
    for mark in MARKED.finditer(text):
        if mark.start() < done:
            continue
        found = masked_link(text, mark, done) if mark["url"] is None else angle_link(mark)
        if found:
            done = found.until
            yield found


def angle_link(mark: re.Match[str]) -> Found | None:
    """Return the address between angle brackets, with Slack's label."""
    url = usable(mark["url"].replace("&amp;", "&"))
    label = (mark["label"] or "").strip()
    shown = "" if label == mark["url"] else label
    return Found(mark.start(), mark.end(), Link(url=url, label=shown)) if url else None


def masked_link(text: str, mark: re.Match[str], done: int) -> Found | None:
    """Return a Markdown link; its label is looked for at most a few hundred characters back."""
    opening = matching_bracket(text, mark.start(), max(done, mark.start() - LONGEST_LABEL))
    start = mark.end()
    url = usable(cut(text, start))
    if opening is None or not url:
        return None
    closing = text.find(")", start + len(url), start + len(url) + LONGEST_LABEL)
    until = closing + 1 if closing >= 0 else start + len(url)
    return Found(opening, until, Link(url=url, label=text[opening + 1 : mark.start()].strip()))


def matching_bracket(text: str, closing: int, earliest: int) -> int | None:
    """Return where the bracket that `closing` closes was opened."""
    if text.find("[", earliest, closing) < 0:
        return None
    depth = 0
    for at in range(closing, earliest - 1, -1):
        depth += {"]": 1, "[": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return None


def bare_links(text: str) -> Iterator[Found]:
    """Yield addresses that stand by themselves."""
    at = 0
    while start := START.search(text, at):
        written = cut(text, start.start())
        url = usable(written if start["web"] else f"https://{written}")
        at = max(start.end(), start.start() + len(written))
        if url:
            yield Found(start.start(), at, Link(url=url))


def cut(text: str, start: int) -> str:
    """Return the address that begins here, without what the sentence around it adds to its end."""
    written = text[start : end_of(text, start)]
    if glued := GLUED_HOST.match(written):
        written = glued[1]
    written = GLUED_END.sub("", written) if "/" in written[8:] else written
    return POSSESSIVE.sub("", trimmed(written, emphasised=text[start - 1 : start] == "_"))


def end_of(text: str, start: int) -> int:
    """Return where an address ends: at white space, a quotation mark, a closing bracket that nothing in it opened."""
    limit = min(len(text), start + LONGEST)
    depth = dict.fromkeys("([{", 0)
    for stop in STOP.finditer(text, start, limit):
        bracket = stop["bracket"]
        if bracket is None or (bracket in OPENERS and depth[OPENERS[bracket]] == 0):
            return stop.start()
        depth[OPENERS.get(bracket, bracket)] += -1 if bracket in OPENERS else 1
    return limit


def trimmed(written: str, *, emphasised: bool) -> str:
    """Return the address without the sentence's punctuation and Markdown's marks at its end."""
    return written.rstrip(TRAILING + ("_" if emphasised else ""))


def usable(url: str) -> str:
    """Return the address if its host can be one, else nothing."""
    url = url.replace("&amp;", "&")
    found = HOST.match(url)
    host = found["host"] if found else ""
    if not any(character.isalnum() or ord(character) > 127 for character in host):  # noqa: PLR2004 - the end of ASCII
        return ""
    named = not host.startswith(("-", ".")) and ".." not in host and not BAD_IN_HOST.search(host)
    return url if host.startswith("[") or named else ""
