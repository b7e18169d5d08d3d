"""Files give their text and say plainly why when they have none."""

import io
import zipfile

import pypdfium2
import pytest
from openpyxl import Workbook
from pptx import Presentation

from adapters.web.extract import extract_page
from bot.domain.errors import Unreadable
from bot.domain.memories import Page


def read(content: bytes, name: str, **more: str) -> Page:
    return extract_page(content, url=name, name=name, **more)


def pdf(*lines: str, title: str = "") -> bytes:
    """The smallest PDF that shows these lines, one under the other."""
    shown = "BT /F1 12 Tf 72 720 Td 14 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << "
            "/F1 5 0 R >> >> >>"
        ),
        f"<< /Length {len(shown)} >>\nstream\n{shown}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Title ({title}) /Author (Ada Palmer) >>",
    ]
    out, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R /Info 6 0 R "
        f">>\nstartxref\n{len(out)}\n%%EOF"
    )
    return (out + end).encode("latin-1")


def archive(**files: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as book:
        for name, text in files.items():
            book.writestr(name, text)
    return held.getvalue()


def test_a_pdf_gives_paragraphs_with_its_title_and_author() -> None:
    lines = (
        "The lock was built in eighteen hundred and twelve to lift the",
        "barges over the weir below the mill, which had stopped all traf-",
        "fic on the river.",
    )
    found = read(pdf(*lines, title="The lock"), "lock.pdf")
    assert found.text == (
        "The lock was built in eighteen hundred and twelve to lift the barges over the weir below the "
        "mill, which had stopped all "
        "traffic on the river."
    )
    assert (found.title, found.author) == ("The lock", "Ada Palmer")


def test_a_pdf_without_text_and_a_broken_one_say_so() -> None:
    with pytest.raises(Unreadable, match="a scan") as scan:
        read(pdf(""), "scan.pdf")
    assert scan.value.reason == "empty"
    with pytest.raises(Unreadable, match="damaged"):
        read(b"%PDF-1.7\n garbage", "broken.pdf")


def test_a_locked_pdf_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(content: bytes) -> None:
        raise pypdfium2.PdfiumError("Failed to load document (PDFium: Incorrect password error).")

    monkeypatch.setattr(pypdfium2, "PdfDocument", locked)
    with pytest.raises(Unreadable, match="password"):
        read(pdf("secret"), "locked.pdf")


def test_a_word_file_keeps_headings_lists_and_tables() -> None:
    w = "xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'"
    body = (
        "<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:t>Minutes</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>The bridge stays closed until June.</w:t></w:r></w:p>"
    )
    content = archive(
        **{
            "[Content_Types].xml": "<Types "
            "xmlns='http://schemas.openxmlformats.org/package/2006/content-types'><Default Extension='rels' "
            "ContentType='application/vnd.openxmlformats-package.relationships+xml'/><Override "
            "PartName='/word/document.xml' ContentType="
            "'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'/></Types>",
            "_rels/.rels": "<Relationships "
            "xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='r1' Type="
            "'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument' "
            "Target='word/document.xml'/></Relationships>",
            "word/document.xml": f"<w:document {w}><w:body>{body}</w:body></w:document>",
            "docProps/core.xml": "<p:coreProperties xmlns:p='urn:p' xmlns:d='urn:d'><d:title>Council "
            "minutes</d:title><d:creator>Ada Palmer"
            "</d:creator></p:coreProperties>",
        }
    )
    found = read(content, "minutes.docx")
    assert "The bridge stays closed until June." in found.text
    assert (found.title, found.author) == ("Council minutes", "Ada Palmer")


def test_slides_and_sheets_give_their_text() -> None:
    deck, sheet = io.BytesIO(), io.BytesIO()
    slides = Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[1])
    slide.shapes.title.text, slide.placeholders[1].text = "Flood plan", "Sandbags stand in the fire station."
    slides.save(deck)
    book = Workbook()
    book.active.append(["Gauge", "Level"])
    book.active.append(["Mill", 214])
    book.save(sheet)
    assert "Sandbags stand in the fire station." in read(deck.getvalue(), "plan.pptx").text
    assert "| Mill | 214 |" in read(sheet.getvalue(), "levels.xlsx").text


def test_a_book_gives_its_chapters_in_the_order_of_its_spine() -> None:
    chapter = "<html><body><h1>{}</h1><p>{}</p></body></html>"
    content = archive(
        **{
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": "<container "
            "xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles><rootfile "
            "full-path='OEBPS/book.opf'/></rootfiles></container>",
            "OEBPS/book.opf": "<package xmlns='http://www.idpf.org/2007/opf' "
            "xmlns:dc='http://purl.org/dc/elements/1.1/'><metadata><dc:title>"
            "River days</dc:title><dc:creator>Ada Palmer</dc:creator></metadata><manifest><item id='b' "
            "href='two.xhtml'/><item id='a' "
            "href='one%20.xhtml'/></manifest><spine><itemref idref='a'/><itemref idref='b'/></spine></package>",
            "OEBPS/two.xhtml": chapter.format("Down", "We came to the weir at night."),
            "OEBPS/one .xhtml": chapter.format("Up", "The boat was old and slow."),
        }
    )
    found = read(content, "river.epub")
    assert found.text == "# Up\n\nThe boat was old and slow.\n\n# Down\n\nWe came to the weir at night."
    assert (found.title, found.author) == ("River days", "Ada Palmer")


def test_a_csv_is_a_table_whatever_its_separator() -> None:
    for separator in (",", ";", "\t"):
        rows = "\n".join(separator.join(row) for row in (("gauge", "level"), ("mill", "214"), ("quay", "98")))
        assert (
            read(rows.encode(), "levels.csv").text == "| gauge | level |\n| --- | --- |\n| mill | 214 |\n| quay | 98 |"
        )


def test_markdown_and_text_stay_as_they_are() -> None:
    notes = "# Plan\n\n- call the mill\n- [ ] measure\n\n```\n  x = 1\n```"
    found = read(notes.encode(), "plan.md")
    assert (found.text, found.title) == (notes, "Plan")
    found = read("Grüße vom Kanal\n  eingerückt".encode("cp1252"), "note.txt")
    assert (found.text, found.title) == ("Grüße vom Kanal\n  eingerückt", "note.txt")


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00", "photo.png", "unsupported_type"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00", "tool", "unsupported_type"),
        (b"\x00\x01\x02\x03binary", "page.html", "unsupported_type"),
        (archive(**{"a.txt": "x"}), "files.zip", "unsupported_type"),
        (b"PK\x03\x04 broken", "notes.docx", "unreadable"),
        (b"", "empty.txt", "empty"),
        (b" \n\t ", "blank.md", "empty"),
    ],
)
def test_what_cannot_be_read_says_why(content: bytes, name: str, reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(content, name)
    assert caught.value.reason == reason
    assert str(caught.value).endswith(".")


def test_an_archive_that_unpacks_to_too_much_is_not_unpacked() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as book:
        for number in range(11):
            book.writestr(f"word/{number}.xml", b"\x00" * 10_000_000)
    with pytest.raises(Unreadable) as caught:
        read(held.getvalue(), "bomb.docx")
    assert caught.value.reason == "too_large"


def test_a_content_type_that_lies_is_found_out() -> None:
    page = (
        b"<!DOCTYPE html><html><head><title>Mill</title></head><body><article><p>The mill stands "
        b"below the weir and grinds barley still.</p></article></body></html>"
    )
    assert (
        read(page, "mill", media_type="application/pdf").text
        == "The mill stands below the weir and grinds barley still."
    )
    assert read(pdf("The lock keeper keeps a log of every boat."), "x.html", media_type="text/html").text.startswith(
        "The lock keeper"
    )


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "A picture is not read"),
        ("photo.heic", b"\0\0\0\x18ftypheic\0\0", "A picture is not read"),
        ("photo.webp", b"RIFF\0\0\0\0WEBPVP8 \0\1\2", "A picture is not read"),
        ("talk.mp4", b"\0\0\0\x18ftypmp42\0\0", "Sound and film are not heard"),
        ("files.rar", b"Rar!\x1a\x07\x01\0" + bytes(range(256)), "An archive is not read"),
        ("files.tar", b"notes.txt" + b"\0" * 248 + b"ustar\x0000" + b"\0" * 99, "An archive is not read"),
        ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "locked with a password"),
        ("setup.exe", b"MZ\x90\0\3\0\0\0", "A program is not read"),
        ("data.bin", bytes(range(256)), "This kind of file cannot be read"),
    ],
)
def test_what_has_no_text_says_in_one_sentence_what_it_is(name: str, content: bytes, words: str) -> None:
    with pytest.raises(Unreadable, match=words) as refused:
        read(content, name)
    assert refused.value.reason == "unsupported_type"
