"""Parts fit the platform's measure, read well alone, and are the whole text together."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.rendering import Code, Table, parse, plain
from adapters.splitting import Splitter, split, unfinished_tail


def utf16(text: str) -> int:
    return len(plain(parse(text)).encode("utf-16-le")) // 2


def escaped_bytes(text: str) -> int:
    return sum({"&": 5, "<": 4, ">": 4}.get(character, len(character.encode())) for character in text)


MEASURES = {"characters": len, "bytes": escaped_bytes, "utf16": utf16}


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


PROSE = st.lists(
    st.sampled_from(
        [
            "The mill grinds slowly. ",
            "Wheat & rye < spelt > oats. ",
            "See [the long guide](https://mill.example.org/guides/flour?a=1&b=2) first. ",
            "https://bread.example.org/starter/of-the-year ",
            "**bold words here** ",
            "🌱🌾👩‍🌾 ",
            "小麦粉は十日もちます。",
            "`inline code` ",
            "\n",
            "\n\n",
            "\n- item one\n- item two\n",
        ]
    ),
    min_size=1,
    max_size=120,
).map("".join)


@given(PROSE, st.integers(min_value=150, max_value=500), st.sampled_from(sorted(MEASURES)))
@settings(max_examples=80, deadline=None)
def test_every_part_fits_and_together_they_are_the_text(text: str, limit: int, name: str) -> None:
    parts = split(text, limit=limit, measure=MEASURES[name])
    assert all(MEASURES[name](part) <= limit for part in parts)
    visible = squeezed("".join(plain(parse(part)) for part in parts))
    assert visible == squeezed(plain(parse(text)))


@given(PROSE, st.integers(min_value=150, max_value=400), st.integers(min_value=11, max_value=97))
@settings(max_examples=30, deadline=None)
def test_a_growing_text_never_moves_a_full_part(text: str, limit: int, step: int) -> None:
    splitter = Splitter(limit=limit, measure=len)
    before: tuple[str, ...] = ()
    for end in (*range(step, len(text), step), len(text)):
        parts = splitter.parts(text[:end])
        assert len(parts) >= len(before)
        for old, new in zip(before[:-1], parts, strict=False):
            assert squeezed(plain(parse(new))).replace("*", "") == squeezed(plain(parse(old))).replace("*", "")
        before = parts


def code_answer(lines: int, info: str = "python") -> str:
    code = "\n".join(f"    beds[{number}] = water(beds[{number}])  # bed {number}" for number in range(lines))
    return f"Here it is [1]:\n\n```{info}\n{code}\n```\n\nThat was all [2]."


def test_code_is_closed_and_reopened_with_its_language() -> None:
    text = code_answer(130)
    for limit in range(1900, 2101, 7):
        parts = split(text, limit=limit, measure=len)
        assert len(parts) > 2
        assert all(part.startswith("```python\n") for part in parts[1:])
        assert all(len(part) <= limit and part.count("```") % 2 == 0 for part in parts)
        blocks = [block for part in parts for block in parse(part) if isinstance(block, Code)]
        assert {block.language for block in blocks} == {"python"}
        whole = parse(text)[1]
        assert isinstance(whole, Code)
        assert "\n".join(block.text for block in blocks) == whole.text
        assert "[2]" in parts[-1]


def test_a_very_long_info_string_is_not_repeated() -> None:
    parts = split(code_answer(130, "python " + "x" * 300), limit=2000, measure=len)
    assert all(part.startswith("```\n") for part in parts[1:])
    assert all(len(part) <= 2000 for part in parts)


def test_code_inside_a_list_goes_on_as_code_in_the_next_part() -> None:
    code = "\n".join(f"       step({number})" for number in range(80))
    text = f"1. First:\n   - do this\n\n       ```sh\n{code}\n       ```\n\n2. Then **rest**."
    parts = split(text, limit=600, measure=len)
    assert len(parts) > 1
    assert all(isinstance(parse(part)[0], Code) for part in parts[1:])
    last = parse(parts[-1])
    assert "```" not in plain(last)
    assert "step(79)" in plain(last)
    assert "Then rest." in plain(last)


def test_a_table_goes_on_under_its_header() -> None:
    rows = "\n".join(f"| {number} | grain number {number} |" for number in range(60))
    parts = split(f"| no | name |\n|---|---|\n{rows}\n", limit=500, measure=len)
    tables = [parse(part)[0] for part in parts]
    assert all(isinstance(table, Table) for table in tables)
    assert sum(len(table.rows) for table in tables if isinstance(table, Table)) == 60


def test_bold_over_a_cut_is_bold_on_both_sides() -> None:
    text = "**" + "🌱🌾 bed " * 700 + "end** and <b>plain</b>"
    parts = split(text, limit=4096, measure=utf16)
    assert len(parts) > 1
    runs = [run for part in parts for block in parse(part) for run in block.runs]  # type: ignore[union-attr]
    assert "".join(run.text for run in runs if not run.bold).strip() == "and <b>plain</b>"
    assert not any("*" in run.text for run in runs)


def test_a_link_is_never_cut() -> None:
    filler = "word " * 30
    link = "[a title of many words](https://mill.example.org/a/very/long/path?with=query)"
    for length in range(60):
        text = f"{'x' * length} {filler}{link} {filler}"
        assert sum(link in part for part in split(text, limit=220, measure=len)) == 1


def test_a_word_longer_than_the_limit_is_cut_hard_between_characters() -> None:
    family = "👩‍👩‍👧"
    parts = split(family * 100, limit=100, measure=len)
    assert all(part.startswith("👩") and not part.endswith("\u200d") for part in parts)
    assert "".join(parts) == family * 100


def test_paragraphs_are_preferred_to_lines_to_sentences_to_words() -> None:
    first = "One sentence. Another one.\nA second line. "
    assert split(f"{first}\n\n{'y ' * 50}", limit=100, measure=len)[0] == f"{first}\n\n"
    assert split("a" * 60 + ".\n" + "b " * 50, limit=100, measure=len)[0] == "a" * 60 + ".\n"
    assert split("a" * 60 + ". " + "b " * 50, limit=100, measure=len)[0] == "a" * 60 + ". "


def test_an_unfinished_link_is_held_back() -> None:
    assert unfinished_tail("See [the gui") == 4
    assert unfinished_tail("See [the guide](https://mill.exam") == 4
    assert unfinished_tail("See [the guide](https://mill.example.org) now") == 45
    assert unfinished_tail("As said [1]") == 11
