"""Recognise the pages that are served instead of the one asked for, by several signs together.

Consent walls, bot checks, "enable JavaScript", "your browser is not supported" and paywall teasers. One sign is never
enough: an article about CAPTCHAs uses the words, but it is long and has none of the machinery.
"""

import re
from dataclasses import dataclass
from typing import Any

from adapters.web.structure import letters
from bot.domain.memories import Reason

SHORT, SHORTER = 1_500, 500
"""Letters of readable text below which a page may be a wall."""

BOT_WORDS = re.compile(
    r"(?:are you|you are|you're) (?:a |not a )?(?:human|robot)|verify(?:ing)? (?:that )?you(?:'re| are)? (?:a )?(?:human|not a robot)"
    r"|checking your browser|just a moment|attention required|unusual traffic|access denied|pardon our interruption"
    r"|complete the (?:security check|captcha)|security check to access|performing security verification|press (?:&|and) hold"
    r"|ray id|enable (?:javascript and )?cookies to continue|automated (?:access|requests)|bot detection|ddos protection",
    re.IGNORECASE,
)
BOT_MACHINERY = re.compile(
    r"cf-(?:challenge|chl|browser-verification|turnstile|error-details)|_cf_chl|challenge-platform|challenges\.cloudflare\.com|g-recaptcha"
    r"|recaptcha/api\.js|hcaptcha\.com|h-captcha|px-captcha|perimeterx|captcha-delivery|datadome|_Incapsula_|distil_r_|awswaf|ak_bmsc|kasada",
    re.IGNORECASE,
)
SCRIPT_WORDS = re.compile(
    r"(?:enable|activate|turn on|requires?|need(?:s)?|without|allow)\s+(?:\w+\s+){0,3}java ?script"
    r"|java ?script\s+(?:\w+\s+){0,4}(?:disabled|enabled|required|not available|turned off|to run this app|aktivieren)"
    r"|loading\s*(?:…|\.\.\.)|activez javascript|javascript aktivieren|habilita javascript|please wait",
    re.IGNORECASE,
)
APP_ROOTS = frozenset(
    {
        "root",
        "app",
        "__next",
        "__nuxt",
        "___gatsby",
        "svelte",
        "react-root",
        "ember-app",
        "main-app",
        "gatsby",
        "app-root",
    }
)
BROWSER_WORDS = re.compile(
    r"(?:browser|version)\s+(?:\w+\s+){0,5}(?:not (?:supported|compatible)|unsupported|no longer supported|out of date|outdated|too old)"
    r"|unsupported browser|(?:update|upgrade) (?:your|to a (?:modern|supported)) browser|browser (?:is )?not supported"
    r"|we (?:no longer |don't |do not )?support(?: this| your)? browser|browser wird nicht unterstützt",
    re.IGNORECASE,
)
BROWSERS = re.compile(r"\b(?:chrome|firefox|safari|microsoft edge|opera)\b", re.IGNORECASE)
CONSENT_WORDS = re.compile(
    r"(?:we|we and our (?:\w+ )?partners) (?:use|store|and our)|cookies?|consent|personal data|privacy (?:policy|settings|centre|center|choices|preferences)"
    r"|legitimate interest|accept(?: all)?|reject all|manage (?:options|choices|preferences|settings)|vendors|partners"
    r"|einwilligung|datenschutz|zustimmen|alle akzeptieren|accepter|refuser|consentement|aceptar|rechazar",
    re.IGNORECASE,
)
CONSENT_NAME = re.compile(
    r"(?:^|[\s_-])(?:consent\w*|cookies?(?:banner|bar|notice|wall|law|policy|popup|modal|overlay|message|info)?|cookie-\w+|gdpr\w*|ccpa|cmp\w*"
    r"|privacy-(?:notice|banner|manager|prompt|wall|overlay|popup)|onetrust\w*|ot-sdk\w*|didomi\w*|qc-cmp\w*|truste\w*|sp_message\w*|usercentrics\w*|cybot\w*"
    r"|cc-(?:window|banner)|fc-consent\w*|tc-privacy\w*|iubenda\w*)(?:$|[\s_-])",
    re.IGNORECASE,
)
PAYWALL_WORDS = re.compile(
    r"(?:subscribe|sign ?in|log ?in|register|become a (?:member|subscriber))\s+(?:\w+\s+){0,3}(?:to|and)\s+(?:continue|keep|read|unlock|access|view)"
    r"|to (?:continue|keep) reading|already a (?:subscriber|member)|(?:for|to|only) (?:paid )?(?:subscribers|members)(?: only)?|this (?:article|story|post|content) is (?:for|only|exclusive|reserved)"
    r"|unlock (?:this|the) (?:article|story|post)|free articles? (?:left|remaining|this month)|start your (?:free )?trial|you've reached your limit"
    r"|jetzt weiterlesen|artikel freischalten|réservé aux abonnés|pour lire la suite|contenido exclusivo|suscríbete para",
    re.IGNORECASE,
)
PAYWALL_NAME = re.compile(
    r"paywall|piano-|tp-modal|regwall|subscriber-?only|premium-?(?:wall|content|gate)|article-?gate|metered|meter-|post-?gate|reg-gate|subscription-required|truncated",
    re.IGNORECASE,
)
NOT_FREE = re.compile(r'"isAccessibleForFree"\s*:\s*"?false', re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """What stands in the way, in a word and in a sentence."""

    reason: Reason
    sentence: str
    teaser: bool = False
    """The text before the wall is the article's own beginning."""


def find_wall(source: str, tree: Any, text: str) -> Wall | None:
    """The wall that this page is, if it is one. `source` is its markup, `text` what was read of it."""
    size = len(letters(text))
    shown = _shown(tree)
    head = f"{_title(tree)}\n{shown[:4_000]}"
    if size < SHORT and _is_bot_check(source, head, size):
        return Wall(
            reason="bot_check", sentence="The site wants to see a person first (a bot check), so it could not be read."
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
    if _is_paywalled(source, tree, shown, size):
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
    scripts = len(list(tree.iter("script")))
    root = any(
        element.get("id") in APP_ROOTS or element.tag == "app-root" for element in tree.iter("div", "main", "app-root")
    )
    little = len(letters(text)) < SHORTER
    asks = bool(
        SCRIPT_WORDS.search(text)
        or any(SCRIPT_WORDS.search(" ".join(part.itertext())) for part in tree.iter("noscript"))
    )
    empty = len(letters(text)) < 100  # noqa: PLR2004 - a menu's words
    return (
        scripts > 0 and little and ((asks and (root or empty)) or (root and empty) or (empty and len(source) > 20_000))
    )  # noqa: PLR2004


def _is_paywalled(source: str, tree: Any, shown: str, size: int) -> bool:
    """Two signs of three on a page with little text: its words, the machinery, what it tells search engines."""
    if size > 2 * SHORT:
        return False
    words = bool(PAYWALL_WORDS.search(shown))
    named = any(
        PAYWALL_NAME.search(f"{element.get('id') or ''} {element.get('class') or ''}")
        for element in tree.iter("div", "section", "aside", "article")
    )
    return (words + named + bool(NOT_FREE.search(source))) > 1


def _title(tree: Any) -> str:
    return next(("".join(title.itertext()).strip() for title in tree.iter("title")), "")


def _shown(tree: Any) -> str:
    """The text of the body without scripts and styles, on one line."""
    skipped = frozenset({"script", "style", "noscript", "head", "title", "svg"})
    parts: list[str] = []
    for element in tree.iter():
        if isinstance(element.tag, str):
            if element.tag not in skipped and element.text:
                parts.append(element.text)
            if element.tail and element.getparent() is not None and element.getparent().tag not in skipped:
                parts.append(element.tail)
    return " ".join(" ".join(parts).split())
