"""Spreadsheets become tables of so many rows, however long they are, and say when there was more."""

import io
from datetime import date

from openpyxl import Workbook

from adapters.web import spreadsheets
from adapters.web.extract import extract_page


def workbook(*rows: list[object], title: str = "Sheet1") -> bytes:
    held, book = io.BytesIO(), Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.save(held)
    return held.getvalue()


def test_a_sheet_is_a_table_under_its_name_and_the_file_keeps_its_own() -> None:
    content = workbook(["day", "price", "left|right"], [date(2024, 5, 3), 12.0, None], [], [None, 0.5, "a\nb"])
    page = extract_page(content, url="prices.xlsx", name="prices.xlsx")
    assert page.title == "prices.xlsx"
    assert page.text == (
        "## Sheet1\n\n| day | price | left\\|right |\n| --- | --- | --- |\n| 2024-05-03 | 12 |  |\n|  | 0.5 | a b |"
    )
    assert page.partial == ""


def test_a_long_sheet_and_a_long_csv_are_cut_and_say_so(monkeypatch) -> None:
    monkeypatch.setattr(spreadsheets, "MOST_ROWS", 10)
    long = workbook(*([number, f"row {number}"] for number in range(40)))
    lines = "\n".join(f"{number},row {number}" for number in range(40)).encode()
    for content, name in ((long, "long.xlsx"), (lines, "long.csv")):
        page = extract_page(content, url=name, name=name)
        assert (page.partial, "row 9" in page.text, "row 10" in page.text) == ("too_large", True, False)


def test_a_wide_sheet_is_cut_at_its_cells(monkeypatch) -> None:
    monkeypatch.setattr(spreadsheets, "MOST_CELLS", 100)
    text, cut = spreadsheets.table([["x"] * 30 for _ in range(9)])
    assert (cut, text.count("\n")) == (True, 3)


def test_a_csv_with_one_endless_line_is_kept_as_it_is() -> None:
    text = '"' + "x" * 200_000
    assert spreadsheets.csv_table(text) == (text, False)
