"""Tell what bytes are by looking at them: a name or a server's word counts only where they agree with it."""

import re
import zipfile
import zlib
from io import BytesIO
from pathlib import PurePosixPath
from typing import Literal

from adapters.web.charsets import unmarked_utf16
from bot.domain.errors import Unreadable

Kind = Literal["html", "feed", "pdf", "docx", "pptx", "xlsx", "epub", "csv", "markdown", "text"]

MOST_BYTES = 20_000_000
"""What a compressed file may grow to: a 65 KB archive can hold 67 MB of nothing."""
HTML_START = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|article|div|p|h1|title|meta|script|table|section|main|span|link|style|center|font)\b",
    re.IGNORECASE,
)
FEED_START = re.compile(rb"<(?:rss|feed|rdf:RDF)\b", re.IGNORECASE)
MARKDOWN_NAMES = frozenset({".md", ".markdown", ".mdown", ".mkd"})
HTML_NAMES = frozenset({".html", ".htm", ".xhtml", ".xht", ".shtml", ".php", ".asp", ".aspx", ".jsp"})
CONTROL = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")
STRAY = 2
"""Control characters that stray into the shortest text."""
PICTURE = "A picture is not read; it is found by its name and by the words beside it."
SOUND = "Sound and film are not heard; it is found by its name and by the words beside it."
ARCHIVE = "An archive is not read; share the files in it."
OLD_OFFICE = "This Office file is of the old kind or locked with a password; save it as DOCX, XLSX, PPTX or PDF."
PROGRAM = "A program is not read."
UNREAD = {
    PICTURE: (
        *(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"BM", b"\0\0\1\0", b"8BPS"),
        *(b"ftypheic", b"ftypavif", b"ftypmif1", b"\xff\x0a"),
    ),
    SOUND: (b"ftyp", b"ID3", b"\xff\xfb", b"OggS", b"fLaC", b"\x1aE\xdf\xa3", b"FLV"),
    ARCHIVE: (b"Rar!", b"7z\xbc\xaf", b"\xfd7zXZ", b"BZh", b"\x28\xb5\x2f\xfd", b"ustar"),
    OLD_OFFICE: (b"\xd0\xcf\x11\xe0",),
    PROGRAM: (b"MZ", b"\x7fELF", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\0asm"),
}
"""How such files begin, or go on after their first four bytes (ISO 14496-12) or in a tape archive's header."""
OFFICE = {"word/": "docx", "ppt/": "pptx", "xl/": "xlsx"}


def inflated(content: bytes, name: str) -> tuple[bytes, str]:
    """Return the bytes without gzip around them, and the name without `.gz`. Raises Unreadable when it is too much."""
    if not content.startswith(b"\x1f\x8b"):
        return content, name
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        text = inflater.decompress(content, MOST_BYTES + 1)
    except zlib.error as error:
        raise Unreadable("The file is damaged: it cannot be unpacked.") from error
    if len(text) > MOST_BYTES:
        raise Unreadable("The file unpacks to more than 20 MB.", reason="too_large")
    return text, name.removesuffix(".gz")


def kind_of(content: bytes, *, media_type: str = "", name: str = "") -> Kind:
    """Tell what to read the bytes as.

    Raises Unreadable: `empty`, or `unsupported_type` for pictures, programs and the like.
    """
    if not content.strip():
        raise Unreadable("It is empty.", reason="empty")
    said = media_type.partition(";")[0].strip().lower()
    ending = PurePosixPath(name.partition("?")[0].lower()).suffix
    if b"%PDF-" in content[:1024]:
        return "pdf"
    if content.startswith(b"PK\x03\x04"):
        return _zipped(content)
    if not _is_text(content) and not HTML_START.match(content[:1024].lstrip()):
        raise Unreadable(_what_it_is(content, said), reason="unsupported_type")
    return _text_kind(content, said, ending)


def _text_kind(content: bytes, said: str, ending: str) -> Kind:
    start = content[:2048].lstrip(b"\xef\xbb\xbf \t\r\n")
    if ending in MARKDOWN_NAMES or said in {"text/markdown", "text/x-markdown"}:
        return "markdown"
    if FEED_START.search(start) and not start[:15].lower().startswith((b"<!doctype html", b"<html")):
        return "feed"
    if ending == ".csv" or said == "text/csv":
        return "csv"
    if ending == ".txt" and not start.lower().startswith((b"<!doctype html", b"<html")):
        return "text"
    if ending in HTML_NAMES or "html" in said or HTML_START.search(start):
        return "html" if HTML_START.search(content[:100_000]) or b"</" in content else "text"
    return "text"


def _zipped(content: bytes) -> Kind:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            names = archive.namelist()
            total = sum(part.file_size for part in archive.infolist())
            epub = "mimetype" in names and archive.read("mimetype")[:40].strip() == b"application/epub+zip"
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error) as error:
        raise Unreadable("The file is damaged or locked: it cannot be unpacked.") from error
    if total > 5 * MOST_BYTES:
        raise Unreadable("The file unpacks to more than 100 MB.", reason="too_large")
    if epub:
        return "epub"
    for folder, kind in OFFICE.items():
        if any(name.startswith(folder) for name in names):
            return kind  # type: ignore[return-value] # the values of OFFICE are Kinds
    raise Unreadable(ARCHIVE, reason="unsupported_type")


def _what_it_is(content: bytes, said: str) -> str:
    """Say in a sentence what a file without text is."""
    if content.startswith(b"RIFF"):
        return PICTURE if content[8:12] == b"WEBP" else SOUND
    for sentence, beginnings in UNREAD.items():
        if content.startswith(beginnings) or content[4:12].startswith(beginnings) or content[257:262] in beginnings:
            return sentence
    return f"This kind of file{f' ({said})' if said else ''} cannot be read."


def _is_text(content: bytes) -> bool:
    """Text has no control bytes to speak of, unless it is UTF-16 or UTF-32."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")) or unmarked_utf16(content):
        return True
    head = content[:65_536]
    return len(CONTROL.findall(head)) <= max(STRAY, len(head) // 1000)
