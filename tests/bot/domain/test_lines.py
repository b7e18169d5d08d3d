"""Names and titles are one line of what people can see."""

import pytest

from bot.domain.lines import one_line


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("A\x00 title\x1b[31m in red\x1b[0m", "A title in red"),
        ("\x1b]0;owned\x07A title", "A title"),
        ("photo\u202egpj.exe", "photogpj.exe"),
        ("\u2066isolated\u2069 \ufeffmark", "isolated mark"),
        ("two\nlines\tand\u2028a third", "two lines and a third"),
        ("soft\u00adhyphen", "softhyphen"),
        ("half \ud83d a pair", "half \ufffd a pair"),
        ("👩\u200d🚀 and می\u200cخواهم", "👩\u200d🚀 and می\u200cخواهم"),
        ("Größe – 図書館", "Größe – 図書館"),
    ],
)
def test_what_is_not_meant_to_be_seen_is_gone(written: str, shown: str) -> None:
    assert one_line(written) == shown


def test_a_long_line_ends_where_it_is_told_to() -> None:
    assert one_line("word " * 9, longest=9) == "word word"
