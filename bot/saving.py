"""Turn a message into what it shares: links, files, the message itself or a note, with its tags (pure)."""

import re
from dataclasses import replace

from bot.domain.keys import file_key, text_key
from bot.domain.lines import one_line
from bot.domain.links import addresses_in, opened_url, page_key, typed_address
from bot.domain.memories import Shared
from bot.domain.messages import Attachment, Link, Message, Origin
from bot.domain.rooms import scope_of

LONGEST_TITLE = 80
TAG = re.compile(r"(?<![\w/&#])#(\w[\w-]*)")
TAGS_BEHIND = re.compile(r"(?<=\S)(?:\s+#\w[\w-]*)+\s*$")
ASKED_TO_KEEP = re.compile(
    r"^\s*(?:please\s+)?(?:save|note|remember|keep|merke?|merk dir|notiz|speichere?|guarda|nota|recuerda)"
    r"(?:\s+(?:this|that|it|dir|dies|das|esto|to self))?\s*(?P<mark>[:：,-]|$|\s(?=https?://|that\b|dass\b|que\b))",
    re.IGNORECASE,
)


def shared_in(message: Message, *, pocket: str = "", as_note: bool = False) -> tuple[Shared, ...]:
    """Return what a message shares; several links are several items with one note. Nothing when it is empty.

    `as_note`: the text is the thing to keep, also where addresses stand in it.
    """
    words = without_request(message.text)
    links = () if as_note else links_of(message, words)
    shared = Shared(
        kind="note",
        scope=scope_of(message.room, message.author),
        room=message.room,
        person=message.author,
        shared_at=message.sent_at,
        source=message.key,
        note="\n".join(part for part in (note_of(message.comment, ()), note_of(words, links)) if part),
        tags=tags_in(f"{message.comment}\n{message.text}"),
        pocket=pocket,
        origin=message.origin,
        permalink=message.permalink,
    )
    pages = tuple(share_link(shared, message, link) for link in links)
    files = tuple(share_file(shared, message, file) for file in message.attachments)
    if pages or files or not words.strip():
        return pages + files
    own = as_note or (message.surface == "message" and message.origin is None)
    return (share_text(shared, message, words, own=own),)


def replied_instead(message: Message) -> Message:
    """Return the message replied to, as saved by who asked: its writer is kept as the origin. Itself where none is."""
    replied = message.replied
    if replied is None:
        return message
    origin = replied.origin or Origin(
        kind="person", name=replied.author.name, url=replied.permalink, written_at=replied.sent_at
    )
    return replace(replied, author=message.author, origin=origin, surface="shortcut", timezone=message.timezone)


def links_of(message: Message, words: str) -> tuple[Link, ...]:
    """Return the message's links, each page once: those that the platform marked first, then those in the text.

    Where all of the text is a host as people type it (`example.org`), that is one too.
    """
    found: dict[str, Link] = {}
    for link in (*message.links, *addresses_in(words)):
        found.setdefault(page_key(link.url), link)
    typed = "" if found else typed_address(words)
    return (Link(url=typed),) if typed else tuple(found.values())


def note_of(words: str, links: tuple[Link, ...]) -> str:
    """Return the words beside the links: addresses and tags taken out."""
    text = words
    for link in links:
        if link.label:
            text = text.replace(f"[{link.label}]({link.url})", link.label).replace(
                f"<{link.url}|{link.label}>", link.label
            )
        for spelling in (f"<{link.url}>", link.url, link.url.partition("://")[2]):
            text = text.replace(spelling, " ")
    text = TAG.sub(" ", text)
    cleaned = "\n".join(" ".join(line.split()) for line in text.splitlines())
    cleaned = re.sub(r"\n{2,}", "\n", cleaned).strip(" \n-:–—>")
    return cleaned if re.search(r"\w", cleaned) else ""


def tags_in(text: str) -> tuple[str, ...]:
    """Return the `#tags` of a text in lower case, each once; `#1` and parts of addresses are none."""
    without_addresses = re.sub(r"\S+://\S+", " ", text)
    found = (tag.lower().strip("-_") for tag in TAG.findall(without_addresses))
    return tuple(dict.fromkeys(tag for tag in found if tag and not tag.isdigit()))


def without_request(text: str) -> str:
    """Return the text without a leading `save:`, `note:`, `remember that` and their like."""
    asked = ASKED_TO_KEEP.match(text)
    if not asked:
        return text
    rest = text[asked.end() :].lstrip(" :：,-")
    return re.sub(r"^(?:that|dass|que)\s+", "", rest, flags=re.IGNORECASE)


def asked_to_keep(text: str) -> bool:
    """Whether a text starts with a request to keep it, with something after it."""
    asked = ASKED_TO_KEEP.match(text)
    return bool(asked) and bool(text[asked.end() :].strip(" :：,-")) if asked else False


def broken_address(message: Message) -> str:
    """Return the text of a message that is nothing but the beginning of an address: `http://`."""
    words = without_request(message.text).strip()
    alone = re.fullmatch(r"https?:/*\S*", words, re.IGNORECASE) and not message.attachments
    return words if alone and not links_of(message, words) else ""


def share_link(shared: Shared, message: Message, link: Link) -> Shared:
    """Return a link's share; the platform's own preview goes with it."""
    key = page_key(link.url)
    preview = next((one for one in message.previews if page_key(one.url) == key), None)
    label = link.label if " " in link.label else ""
    title = one_line(preview.title if preview else label)
    return replace(shared, kind="link", url=opened_url(link.url), key=key, title=title, preview=preview)


def share_file(shared: Shared, message: Message, file: Attachment) -> Shared:
    """Return a file's share. A local file is known by its path, so that saving it again reads it again."""
    local = file.path and (not file.url or file.url.startswith("file:"))
    known_by = file.path if local else f"{message.key}/{file.name}"
    told = file.caption if file.caption and file.caption not in shared.note else ""
    return replace(
        shared,
        kind="file",
        key=file_key(known_by),
        url=file.url,
        title=one_line(file.name),
        attachment=file,
        note="\n".join(part for part in (shared.note, told) if part),
    )


def share_text(shared: Shared, message: Message, text: str, *, own: bool) -> Shared:
    """Return the share of a thought of one's own, or of somebody's message."""
    first_line = one_line(TAGS_BEHIND.sub("", text.strip().splitlines()[0]))
    return replace(
        shared,
        kind="note" if own else "message",
        key=text_key(text),
        title=first_line if len(first_line) <= LONGEST_TITLE else first_line[:LONGEST_TITLE].rsplit(" ", 1)[0] + "…",
        text=text.strip(),
        note=note_of(message.comment, ()),
    )
