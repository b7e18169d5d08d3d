"""Decode a page's bytes although its header, its meta tag or both may lie about the charset."""

import codecs
import re

from adapters.web.charsets import guessed_charset, unmarked_utf16

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.IGNORECASE)
ESCAPED = b"\x1b$"
"""How ISO-2022-JP, which has no byte above 127, begins its Japanese (RFC 1468)."""
WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "tis_620": "cp874",
}
"""Browsers read the label on the left as the superset on the right (WHATWG Encoding, names and labels)."""
MOJIBAKE = re.compile(r"[ÃÂ][\u0080-\u00bf]|[\u0080-\u009f]|�|[À-ÿ¡-¿]{4,}")
TOO_STRANGE = 0.02
"""Share of suspicious places, of all that is not ASCII, from which a charset is not believed."""

MOSTLY_RIGHT = 0.2
"""UTF-8 with a few broken bytes pasted in is still UTF-8: other charsets never form its sequences by chance."""


def decode(content: bytes, *, charset: str = "") -> str:
    """Decode the bytes. A byte order mark wins, then valid UTF-8, then what was declared, then a guess."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    if (wide := _strict(content, unmarked_utf16(content))) is not None:
        return wide
    if ESCAPED in content and (escaped := _strict(content, "iso2022_jp")) is not None:
        return escaped
    if (text := _strict(content, "utf-8")) is not None:
        return text
    lenient = content.decode("utf-8", errors="replace")
    if strangeness(lenient) < MOSTLY_RIGHT:
        return lenient
    tried = [text for name in _declared(content, charset) if (text := _strict(content, name)) is not None]
    for text in tried:
        if strangeness(text) < TOO_STRANGE:
            return text
    if (guessed := _strict(content, guessed_charset(content))) is not None:
        return guessed
    return tried[0] if tried else _nearest(content, _declared(content, charset))


def strangeness(text: str) -> float:
    """How much of the text that is not ASCII looks wrongly decoded, in [0, 1]."""
    foreign = sum(ord(character) > 127 for character in text)  # noqa: PLR2004 - the end of ASCII
    wrong = sum(len(found[0]) for found in MOJIBAKE.finditer(text))
    return wrong / foreign if foreign else 0.0


def _declared(content: bytes, charset: str) -> list[str]:
    """List the names declared, the page's own first: servers send one default for every page."""
    found = [match[1].decode("ascii") for match in DECLARED.finditer(content[:100_000])][:3]
    names = [_codec(name) for name in (*found, charset)]
    return list(dict.fromkeys(name for name in names if name and name != "utf-8"))


def _codec(name: str) -> str:
    try:
        known = codecs.lookup(name).name
    except LookupError:
        return ""
    return WIDER.get(known, known)


def _strict(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _nearest(content: bytes, declared: list[str]) -> str:
    """Take, where some bytes are broken, the reading with the fewest replacement characters."""
    names = dict.fromkeys(("utf-8", *declared, "cp1252"))
    return min((content.decode(name, errors="replace") for name in names), key=lambda text: text.count("�"))
