"""Guess the charset of bytes that do not say it: each is read in every likely charset, and the readings compared."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from adapters.web.language import languages_of

LATIN = "en fr de es pt it sv da no nb nn fi nl is ca eu gl ga gd cy af lb oc br fo la id ms tl sw eo"
CENTRAL = "pl cs sk hu sl hr bs sr sh ro sq"
CYRILLIC = "ru uk bg sr mk be kk ky tg mn"
ICELANDIC = frozenset(("is", "fo"))
ICELANDIC_LETTERS = re.compile("[ðþÐÞ]")
"""Only these languages have them; in other charsets their bytes are Baltic and Turkish letters of every other word."""
SIGNS = "\u00a0“”„‘’‚–—…•·«»‹›€£§©®™°¿¡ªº½¼¾²³×±µ¶†"
"""What stands beside letters in Western and Central European writing, but hardly ever between two of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charset:
    """A charset, the languages written in it, and the characters that such writing consists of."""

    name: str
    languages: frozenset[str]
    usual: "re.Pattern[str]"
    prior: float
    """How much likelier than others it is, before anything was read, in (0, 1]."""
    mixes: bool = False
    """Its words mix ASCII letters with others, as in `café`."""
    frequent: frozenset[str] = frozenset()
    """The dozen letters that make up more than half of any text."""


def _charset(
    name: str, languages: str, usual: str, prior: float, *, mixes: bool = False, frequent: str = ""
) -> Charset:
    return Charset(
        name=name,
        languages=frozenset(languages.split()),
        usual=re.compile(f"[{usual}]"),
        prior=prior,
        mixes=mixes,
        frequent=frozenset(frequent),
    )


WESTERN_LETTERS = "À-ÖØ-öø-ÿŒœŠšŽžŸ"
CENTRAL_LETTERS = "ÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖŘŮÚŰÜÝŢßáâăäĺćçčéęëěíîďđńňóôőöřůúűüýţŠŚŤŽŹšśťžźŁłĄąŞşĽľŻż"
TURKISH_LETTERS = "ÂÇĞÎİıÖŞÛÜâçğîöşûü"
BALTIC_LETTERS = "ĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖŲŁŚŪÜŻŽßąįāćäåęēčéźėģķīļšńņóōõöųłśūüżž"
CYRILLIC_FREQUENT = "оеаинтсрвлкі"
HAN = "\u4e00-\u9fff\u3000-\u3011\uff01-\uff5e“”‘’—…·"
CHARSETS = (
    _charset("cp1252", LATIN, WESTERN_LETTERS, 1.0, mixes=True),
    _charset("cp1250", CENTRAL, CENTRAL_LETTERS, 0.5, mixes=True),
    _charset("iso8859-2", CENTRAL, CENTRAL_LETTERS, 0.5, mixes=True),
    _charset("cp1254", "tr az", TURKISH_LETTERS, 0.5, mixes=True),
    _charset("cp1257", "lt lv et", BALTIC_LETTERS, 0.5, mixes=True),
    _charset("mac_roman", LATIN, WESTERN_LETTERS, 0.3, mixes=True),
    _charset("cp850", LATIN, WESTERN_LETTERS, 0.3, mixes=True),
    _charset("cp1251", CYRILLIC, "Ѐ-ґ«»–—…№„“”’\u00a0", 0.9, frequent=CYRILLIC_FREQUENT),
    _charset("koi8-u", CYRILLIC, "Ѐ-ґ\u00a0", 0.9, frequent=CYRILLIC_FREQUENT),
    _charset("cp866", CYRILLIC, "Ѐ-ґ№\u00a0", 0.6, frequent=CYRILLIC_FREQUENT),
    _charset("cp1253", "el", "Ά-ώ«»–—…·’\u00a0", 0.9, frequent="αοιετσςνηυρκ"),
    _charset("cp1255", "he yi", "א-ת\u05b0-\u05c3–—“”„₪’\u00a0", 0.9, frequent="יוהלארתבשמםנ"),
    _charset("cp1256", "ar fa ur ps", "،؛؟ء-ي\u064b-\u0652پچژگک\u200c\u200d«»–\u00a0", 0.9, frequent="اليمنوترهبةد"),
    _charset("cp874", "th", "ก-๛–“”’…\u00a0", 0.9, frequent="านรอกเงมยลวดสทต"),
    _charset("gb18030", "zh wuu yue", HAN, 0.9),
    _charset("big5", "zh wuu yue", HAN, 0.9),
    _charset("cp932", "ja", HAN + "\u3012-\u30ff", 0.9),
    _charset("euc_jp", "ja", HAN + "\u3012-\u30ff", 0.9),
    _charset("cp949", "ko", "\uac00-\ud7a3\u3000-\u3011\uff01-\uff5e“”‘’…·", 0.9),
)
DAILY = {
    "gb18030": ((0xA1, 0xA3), (0xB0, 0xD7)),
    "big5": ((0xA1, 0xC6),),
    "cp932": ((0x81, 0x83), (0x88, 0x97)),
    "euc_jp": ((0xA1, 0xA5), (0xB0, 0xCF)),
    "cp949": ((0xA1, 0xA3), (0xB0, 0xC8)),
}
"""First bytes of the characters of daily use, each charset's first level (GB 2312, Big5, JIS X 0208, KS X 1001)."""
FINAL_FORMS = frozenset("ךםןףץςةى")
"""Letters that only end a word."""
WORD = re.compile(r"[^\W\d_]+")
MOST_READ = 4_000
"""Bytes around what is not ASCII that are read for a guess."""
LEAST = 0.02
"""Score of a language that the detector does not see at all: short texts are often taken for another."""
USUAL_SHARE = 0.6
TEXT_SHARE = 0.95


def guessed_charset(content: bytes) -> str:
    """Return the likeliest charset of bytes that are no UTF-8; empty where none can read them."""
    telling = b"\n".join(_telling(content))[:MOST_READ] or content[:MOST_READ]
    scores = {charset.name: _score(telling, charset) for charset in CHARSETS}
    readable = sorted((name for name in scores if scores[name] > 0), key=lambda name: -scores[name])
    return next((name for name in readable if _strict(content, name) is not None), "")


def unmarked_utf16(content: bytes) -> str:
    """Return `utf-16-le` or `utf-16-be` for UTF-16 without its mark, else nothing.

    Its spaces, digits and line ends carry a zero byte. Of the two bytes of each character, the one that names the
    script differs less; what is no text at all reads as gibberish.
    """
    head = content[:65_536]
    first, second = head[::2], head[1::2]
    if len(content) % 2 or b"\0" not in head:
        return ""
    name = "utf-16-le" if len(set(second)) < len(set(first)) else "utf-16-be"
    text = _strict(head, name) or ""
    printed = sum(unicodedata.category(character)[0] in "LMNPSZ" or character in "\t\n\r" for character in text)
    return name if text and printed >= TEXT_SHARE * len(text) else ""


def _telling(content: bytes) -> Iterator[bytes]:
    """Yield the parts that are not ASCII alone: a long head of style sheets says nothing."""
    for found in re.finditer(rb"[^<>\r\n]*[\x80-\xff][^<>\r\n]*", content):
        yield found[0]


def _strict(content: bytes, name: str) -> str | None:
    try:
        return content.decode(name)
    except (UnicodeDecodeError, LookupError):
        return None


def _score(telling: bytes, charset: Charset) -> float:
    """Tell how good a reading is: of usual characters, in usual places, in a language written so."""
    text = _strict(telling, charset.name)
    if text is None:
        text = _strict(telling.rpartition(b"\n")[0], charset.name)  # the last line may be cut inside a character
    if not text:
        return 0.0
    fitting = _fitting(text, charset) * _daily(text, charset)
    if fitting == 0:
        return 0.0
    known = languages_of(text.lower())
    languages = ICELANDIC if ICELANDIC_LETTERS.search(text) else charset.languages
    spoken = sum(probability for language, probability in known.items() if language in languages)
    return charset.prior * fitting**2 * _frequent(text, charset) * max(spoken, LEAST)


def _fitting(text: str, charset: Charset) -> float:
    """Return the share of what is not ASCII that is usual in this charset and stands where it usually does."""
    total = sum(ord(character) > 127 for character in text)  # noqa: PLR2004 - the end of ASCII
    odd = {at for word in WORD.finditer(text) if not _evenly_cased(word[0]) for at in range(*word.span())}
    fits = sum(_fits(text, at, charset) for at, character in enumerate(text) if ord(character) > 127 and at not in odd)  # noqa: PLR2004
    return fits / max(1, total)


def _evenly_cased(word: str) -> bool:
    return word.isupper() or word[1:] == word[1:].lower()


def _fits(text: str, at: int, charset: Charset) -> bool:
    character, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    usual = bool(charset.usual.match(character))
    if unicodedata.category(character) == "Mn":
        return usual and bool(before) and unicodedata.category(before)[0] in "LM"
    if not character.isalpha():
        inside = before.isalpha() and after.isalpha() and character not in "’·"
        return (usual or character in SIGNS) and not inside
    if not usual or (character in FINAL_FORMS and after.isalpha()):
        return False
    if charset.mixes:
        return not (_foreign(before) and _foreign(after))
    return not any(beside.isascii() and beside.isalpha() for beside in (before, after))


def _foreign(character: str) -> bool:
    return character.isalpha() and not character.isascii()


def _daily(text: str, charset: Charset) -> float:
    """Return the share of two-byte characters that are in daily use; 1 for charsets of one byte."""
    rows = DAILY.get(charset.name)
    if rows is None:
        return 1.0
    leads = [code[0] for character in text if len(code := character.encode(charset.name)) > 1]
    daily = sum(any(first <= lead <= last for first, last in rows) for lead in leads)
    return daily / max(1, len(leads))


def _frequent(text: str, charset: Charset) -> float:
    """Return how much of the text is of its script's frequent letters, at most 1 for what any text has of them."""
    if not charset.frequent:
        return 1.0
    plain = unicodedata.normalize("NFD", text.lower())
    foreign = [letter for letter in plain if _foreign(letter)]
    frequent = sum(letter in charset.frequent for letter in foreign)
    return min(1.0, frequent / (USUAL_SHARE * max(1, len(foreign))))
