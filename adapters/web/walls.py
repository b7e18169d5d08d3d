"""Recognise the pages that are served instead of the one asked for, by several signs together.

Consent walls, bot checks, "enable JavaScript", "your browser is not supported" and paywall teasers. One sign is never
enough: an article about CAPTCHAs uses the words, but it is long and has none of the machinery.
"""

import re
from dataclasses import dataclass
from typing import Any

from adapters.web.phrases import (
    APP_ROOTS,
    BOT_MACHINERY,
    BOT_WORDS,
    BROWSER_WORDS,
    BROWSERS,
    CONSENT_NAME,
    CONSENT_WORDS,
    LOGIN_TITLE,
    MISSING_TITLE,
    MISSING_WORDS,
    NOT_FREE,
    PAYWALL_NAME,
    PAYWALL_WORDS,
    SCRIPT_WORDS,
)
from adapters.web.structure import letters
from bot.domain.memories import Reason

SHORT, SHORTER = 1_500, 500
"""Letters of readable text below which a page may be a wall."""


BARE = 100
"""Letters; a menu has more."""
HEAVY = 20_000
"""Characters of markup that carry some text on any page that is not built by scripts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """What stands in the way, in a word and in a sentence."""

    reason: Reason
    sentence: str
    teaser: bool = False
    """The text before the wall is the article's own beginning."""
    foreign: bool = False
    """What the page says of itself is the wall's, too."""


def find_wall(source: str, tree: Any, text: str) -> Wall | None:
    """Tell which wall this page is, if it is one. `source` is its markup, `text` what was read of it."""
    size = len(letters(text))
    shown = _shown(tree)
    head = f"{_title(tree)}\n{shown[:4_000]}"
    if size < SHORT and _is_bot_check(source, head, size):
        return Wall(
            reason="bot_check",
            sentence="The site wants to see a person first (a bot check), so it could not be read.",
            foreign=True,
        )
    if size < SHORT and _is_consent(text or shown[:3_000]):
        return Wall(
            reason="consent_wall", sentence="The site shows only its cookie question, so the page could not be read."
        )
    if size < SHORT and len(BROWSER_WORDS.findall(head)) and (size < SHORTER or len(BROWSERS.findall(head)) > 1):
        return Wall(reason="browser_unsupported", sentence="The site turns this reader away as an unsupported browser.")
    if size < SHORTER and _is_shell(source, tree, f"{shown} {text}"):
        return Wall(
            reason="js_required",
            sentence="The page is built by scripts in the browser; its text is not in what the server sends.",
        )
    if size < SHORTER and _is_missing(tree, f"{head}\n{text}"):
        return Wall(reason="not_found", sentence="The site says that there is no such page.", foreign=True)
    if size < SHORTER and _is_login(tree):
        return Wall(reason="forbidden", sentence="The page asks for a login.", foreign=True)
    if _is_paywalled(source, tree, shown, text):
        return Wall(
            reason="paywall", sentence="Only the beginning can be read; the rest is behind a paywall.", teaser=True
        )
    return None


def drop_consent(tree: Any) -> None:
    """Take consent layers out of the tree (in place): named as one, speaking as one, and not around the article."""
    total = max(1, len(letters(_shown(tree))))
    for element in list(tree.iter("div", "section", "aside", "dialog", "form", "footer", "p", "template")):
        if element.getparent() is None or not _named_consent(element):
            continue
        words = " ".join(element.itertext())
        size = len(letters(words))
        headings = sum(1 for _ in element.iter("h1", "article"))
        if (
            headings == 0
            and size < max(0.6 * total, SHORT)
            and len(set(map(str.lower, CONSENT_WORDS.findall(words)))) > 1
        ):
            element.drop_tree()


def _named_consent(element: Any) -> bool:
    names = " ".join(element.get(name) or "" for name in ("id", "class", "aria-label"))
    return bool(CONSENT_NAME.search(names))


def _is_bot_check(source: str, head: str, size: int) -> bool:
    words = len({found.lower() for found in BOT_WORDS.findall(head)})
    machinery = bool(BOT_MACHINERY.search(source))
    return (words > 0 and machinery and size < SHORT) or (words > 1 and size < SHORTER)


def _is_consent(text: str) -> bool:
    """Most sentences are about consent, in at least four of its different words."""
    sentences = [sentence for sentence in re.split(r"[.!?\n]+", text) if len(sentence) > 15]  # noqa: PLR2004 - a few words
    about = sum(bool(CONSENT_WORDS.search(sentence)) for sentence in sentences)
    different = {found.lower() for found in CONSENT_WORDS.findall(text)}
    return len(different) > 3 and about > 0.6 * len(sentences)  # noqa: PLR2004 - said above


def _is_shell(source: str, tree: Any, text: str) -> bool:
    """Tell a page that scripts fill: nearly no text, and an empty root, a request for JavaScript or much script."""
    size = len(letters(text))
    if size >= SHORTER or next(tree.iter("script"), None) is None:
        return False
    root = any(element.get("id") in APP_ROOTS or element.tag == "app-root" for element in tree.iter("div", "app-root"))
    notes = " ".join(" ".join(part.itertext()) for part in tree.iter("noscript"))
    asks = bool(SCRIPT_WORDS.search(f"{text} {notes}"))
    signs = root + asks + (size < BARE) + (size < BARE and len(source) > HEAVY)
    return signs > 1


def _is_missing(tree: Any, words: str) -> bool:
    """Tell an error page that is served as a good one: its title or heading says so, and so does its text."""
    titled = any(MISSING_TITLE.search(name) for name in _names(tree))
    return titled and len({found.lower() for found in MISSING_WORDS.findall(words)}) > 1


def _is_login(tree: Any) -> bool:
    """Tell a page that is a login and no page with one in its corner: it asks for a password and is called so."""
    asks = any((field.get("type") or "").lower() == "password" for field in tree.iter("input"))
    return asks and any(LOGIN_TITLE.search(name) for name in _names(tree))


def _names(tree: Any) -> list[str]:
    """Return what a page calls itself: its title and main headings."""
    return [_title(tree), *(" ".join(" ".join(part.itertext()).split()) for part in tree.iter("h1", "h2"))]


def _is_paywalled(source: str, tree: Any, shown: str, text: str) -> bool:
    """Tell by two signs of three, on little text: words outside it, the machinery, what search engines are told."""
    if len(letters(text)) > 2 * SHORT:
        return False
    above = text[:-BARE]
    words = any(found[0] not in above for found in PAYWALL_WORDS.finditer(shown))
    named = any(
        PAYWALL_NAME.search(f"{element.get('id') or ''} {element.get('class') or ''}")
        for element in tree.iter("div", "section", "aside", "article")
    )
    return (words + named + bool(NOT_FREE.search(source))) > 1


def _title(tree: Any) -> str:
    return next(("".join(title.itertext()).strip() for title in tree.iter("title")), "")


def _shown(tree: Any) -> str:
    """Return the text of the body without scripts and styles, on one line."""
    skipped = frozenset({"script", "style", "noscript", "head", "title", "svg"})
    parts: list[str] = []
    for element in tree.iter():
        if isinstance(element.tag, str):
            if element.tag not in skipped and element.text:
                parts.append(element.text)
            if element.tail and element.getparent() is not None and element.getparent().tag not in skipped:
                parts.append(element.tail)
    return " ".join(" ".join(parts).split())
