"""Turn the bytes of a page or a file into readable Markdown with its title, author, date, site and language."""

from dataclasses import replace
from typing import Any

from adapters.web.decoding import decode
from adapters.web.documents import read_document
from adapters.web.hidden import drop_hidden, without_tags
from adapters.web.kinds import inflated, kind_of
from adapters.web.metadata import metadata_of, titles_of
from adapters.web.parsing import parse
from adapters.web.reading import read_tree
from adapters.web.sites import read_feed, read_site
from adapters.web.structure import letters
from adapters.web.walls import Wall, drop_consent, find_wall
from bot.domain.errors import Unreadable
from bot.domain.memories import Page

ENOUGH = 25
"""Letters of a teaser from which there is something to remember."""


def extract_page(content: bytes, *, url: str, media_type: str = "", charset: str = "", name: str = "") -> Page:
    """Read bytes into a Page. Pure, synchronous and picklable: meant for a process pool.

    `media_type` and `charset` are what the server said (they may lie), `name` is a file's own name. Raises Unreadable
    with its reason, never anything else; `metadata` on it holds what a wall let through (title, description, site).
    """
    try:
        return _page(content, url=url, media_type=media_type, charset=charset, name=name)
    except Unreadable:
        raise
    except (RecursionError, MemoryError) as error:
        raise Unreadable("It is too large or too deeply nested to read.", reason="too_large") from error
    except Exception as error:
        raise Unreadable(f"It could not be read ({type(error).__name__}).") from error


def _page(content: bytes, *, url: str, media_type: str, charset: str, name: str) -> Page:
    content, name = inflated(content, name or url)
    kind = kind_of(content, media_type=media_type, name=name)
    if kind == "feed" and (feed := read_feed(content, url=url)) is not None:
        return feed
    if kind not in {"html", "feed"}:
        return read_document(content, kind=kind, url=url, media_type=media_type, charset=charset, name=name)
    return _html_page(decode(content, charset=charset), url=url, media_type=media_type)


def _html_page(source: str, *, url: str, media_type: str) -> Page:
    source, tagged = without_tags(source)
    tree, cut = parse(source)
    if tree is None:
        raise Unreadable("There is no text on this page.", reason="empty")
    known = metadata_of(tree, url=url)
    known = replace(known, media_type=media_type, hidden_text=tagged, partial="too_large" if cut else "")
    if (special := read_site(tree, source, known)) is not None:
        return _finished(special, special.text)
    drop_consent(tree)
    hidden = drop_hidden(tree)
    known = replace(known, hidden_text=known.hidden_text or hidden)
    text = read_tree(tree, url=url, titles=titles_of(tree))
    wall = find_wall(source, tree, text)
    if wall is not None:
        return _behind(wall, known, text)
    if not letters(text):
        raise _unreadable("There is no readable text on this page.", "empty", known)
    return _finished(known, text)


def _behind(wall: Wall, known: Page, text: str) -> Page:
    """Keep a teaser as a part; any other wall is an error that carries what is known."""
    if wall.teaser and len(letters(text)) >= ENOUGH:
        return _finished(replace(known, partial=wall.reason), text)
    if wall.foreign:
        raise Unreadable(wall.sentence, reason=wall.reason)
    raise _unreadable(wall.sentence, wall.reason, known)


def _unreadable(sentence: str, reason: Any, known: Page) -> Unreadable:
    error = Unreadable(sentence, reason=reason)
    if known.title or known.description:
        error.metadata = replace(known, partial=reason, text=known.description)
    return error


def _finished(known: Page, text: str) -> Page:
    from adapters.web.language import language_of  # noqa: PLC0415 - slow import

    return replace(known, text=text.strip("\n"), language=language_of(text, declared=known.language))
