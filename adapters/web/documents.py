"""Read files: PDF, Word, PowerPoint, Excel, CSV, EPUB, Markdown and text. Nothing in them is ever run."""

import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from lxml import etree

from adapters.web.decoding import decode
from adapters.web.hidden import drop_hidden, without_tags
from adapters.web.kinds import Kind
from adapters.web.language import language_of
from adapters.web.parsing import parse
from adapters.web.spreadsheets import csv_table, workbook_tables
from adapters.web.structure import blocks_of, letters, markdown
from bot.domain.errors import Unreadable
from bot.domain.lines import one_line
from bot.domain.memories import Page

MOST_PAGES, MOST_CHARACTERS = 2_000, 3_000_000
"""What is read of one file at most; the rest is cut and the page marked as partial."""
LONGEST_TITLE = 500
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->", re.DOTALL)
HYPHEN_AT_END = re.compile("[\x02\ufffe\u00ad]\n?")
"""How pdfium gives a hyphen that only breaks a word at the end of a line."""
XML = {"resolve_entities": False, "no_network": True, "huge_tree": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What a file gave."""

    text: str
    title: str = ""
    author: str = ""
    cut: bool = False
    """There was more than is read of one file."""


def read_document(content: bytes, *, kind: Kind, url: str, media_type: str, charset: str, name: str) -> Page:
    """Read a file into a Page. Raises Unreadable with a sentence that says what is in the way."""
    if kind in {"text", "markdown", "csv"}:
        content = decode(content, charset=charset).encode()
    read = READERS[kind](content)
    text, tagged = without_tags(read.text[: MOST_CHARACTERS + 1])
    text = re.sub(r"[ \t]+\n", "\n", text.replace("\r\n", "\n").replace("\x00", "")).strip("\n")
    if not letters(text):
        raise Unreadable("There is no text in this file.", reason="empty")
    return Page(
        url=url,
        text=text[:MOST_CHARACTERS],
        title=one_line(
            read.title or _heading(text, kind) or PurePosixPath(unquote(name or url)).name, longest=LONGEST_TITLE
        ),
        author=one_line(read.author, longest=LONGEST_TITLE),
        media_type=media_type,
        language=language_of(text),
        hidden_text=tagged,
        partial="too_large" if read.cut or len(read.text) > MOST_CHARACTERS else "",
    )


def _heading(text: str, kind: Kind) -> str:
    found = HEADING.search(text) if kind not in {"csv", "xlsx"} else None
    return found[1].strip() if found else ""


def _plain(content: bytes) -> Read:
    return Read(text=content.decode())


def _csv(content: bytes) -> Read:
    text, cut = csv_table(content.decode())
    return Read(text=text, cut=cut)


def _workbook(content: bytes) -> Read:
    text, cut = workbook_tables(content)
    title, author = _properties(content)
    return Read(text=text, title=title, author=author, cut=cut)


def _pdf(content: bytes) -> Read:
    import pypdfium2  # noqa: PLC0415 - slow import

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise Unreadable("This PDF is locked with a password.") from error
        raise Unreadable("This PDF is damaged: it cannot be opened.") from error
    try:
        cut = len(document) > MOST_PAGES
        pages = [_pdf_page(document[number]) for number in range(min(len(document), MOST_PAGES))]
        about = document.get_metadata_dict(skip_empty=True)
    finally:
        document.close()
    text = "\n\n".join(page for page in pages if page)
    if not letters(text):
        raise Unreadable("This PDF holds pictures of pages (a scan) and no text.", reason="empty")
    return Read(text=text, title=about.get("Title", ""), author=about.get("Author", ""), cut=cut)


def _pdf_page(page: Any) -> str:
    """Read a page with its printed lines joined into paragraphs."""
    layer = page.get_textpage()
    text = layer.get_text_bounded().replace("\r\n", "\n")
    layer.close()
    page.close()
    lines = HYPHEN_AT_END.sub("", text).split("\n")
    full = max((len(line) for line in lines), default=0)
    parts: list[str] = []
    for line in (line.strip() for line in lines):
        if parts and re.search(r"\w-$", parts[-1]) and line[:1].islower():
            parts[-1] = parts[-1][:-1] + line
        elif parts and line and parts[-1] and _goes_on(parts[-1], line, full):
            parts[-1] += f" {line}"
        else:
            parts.append(line)
    return "\n\n".join(part for part in parts if part)


def _goes_on(before: str, line: str, full: int) -> bool:
    """Whether a printed line continues the one before it: that one reached the margin, and no sentence ended there."""
    last = before[-full:]
    ended = last.endswith((".", "!", "?", ":", "。")) and not line[0].islower()
    listed = re.match(r"(?:[•▪–-]|\d{1,2}[.)])\s", line) is not None
    return not listed and (line[0].islower() or (not ended and len(before) >= full // 2))


def _office(converter: str, ending: str) -> Callable[[bytes], Read]:
    def read(content: bytes) -> Read:
        from markitdown import StreamInfo, converters  # noqa: PLC0415 - slow import

        try:
            found = getattr(converters, converter)().convert(BytesIO(content), StreamInfo(extension=ending))
        except Exception as error:
            raise Unreadable(f"This {ending[1:].upper()} file is damaged or locked: it cannot be read.") from error
        title, author = _properties(content)
        return Read(text=re.sub(r"\n{3,}", "\n\n", PICTURE.sub("", found.markdown)), title=title, author=author)

    return read


def _properties(content: bytes) -> tuple[str, str]:
    """Title and author of an Office file."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        if "docProps/core.xml" not in archive.namelist():
            return "", ""
        return _named(archive.read("docProps/core.xml"), "title"), _named(archive.read("docProps/core.xml"), "creator")


def _named(xml: bytes, name: str) -> str:
    """Return the text of the first element of this local name."""
    try:
        root = etree.fromstring(xml, parser=etree.XMLParser(**XML))
    except etree.LxmlError:
        return ""
    return next((" ".join("".join(part.itertext()).split()) for part in root.iter(f"{{*}}{name}")), "")


def _epub(content: bytes) -> Read:
    """Read the chapters in the order of the book's spine (EPUB 3.3, package document)."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        try:
            container = etree.fromstring(archive.read("META-INF/container.xml"), parser=etree.XMLParser(**XML))
            path = next(container.iter("{*}rootfile")).get("full-path", "")
            package = archive.read(path)
            root = etree.fromstring(package, parser=etree.XMLParser(**XML))
        except (KeyError, StopIteration, etree.LxmlError, zipfile.BadZipFile) as error:
            raise Unreadable("This EPUB file is damaged: it cannot be read.") from error
        places = {item.get("id"): item.get("href", "") for item in root.iter("{*}item")}
        folder = PurePosixPath(path).parent
        chapters = [str(folder / unquote(places.get(item.get("idref"), ""))) for item in root.iter("{*}itemref")]
        known = set(archive.namelist())
        texts = [_chapter(archive.read(chapter)) for chapter in chapters if chapter in known]
    text = "\n\n".join(text for text in texts if text)
    return Read(text=text, title=_named(package, "title"), author=_named(package, "creator"))


def _chapter(content: bytes) -> str:
    tree, _ = parse(decode(content))
    if tree is None:
        return ""
    drop_hidden(tree)
    return markdown(blocks_of(tree))


READERS: dict[Kind, Callable[[bytes], Read]] = {
    "pdf": _pdf,
    "docx": _office("DocxConverter", ".docx"),
    "pptx": _office("PptxConverter", ".pptx"),
    "xlsx": _workbook,
    "epub": _epub,
    "csv": _csv,
    "markdown": _plain,
    "text": _plain,
}
