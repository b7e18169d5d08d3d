"""Discord's dialect: what is written is shown as meant, calls nobody, and fits a message."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.markdown import discord_markdown, size
from adapters.discord.outbound import LIMIT
from adapters.splitting import split


def parts_of(markdown: str) -> list[str]:
    return [discord_markdown(part) for part in split(markdown, limit=LIMIT, measure=size)]


@pytest.mark.parametrize(
    ("markdown", "written"),
    [
        ("**bold** and *soft* and ~~gone~~", "**bold** and *soft* and ~~gone~~"),
        ("# One\n\n#### Deep", "# One\n\n### Deep"),
        ("- a\n- b\n  - c", "- a\n- b\n  - c"),
        ("3. three\n4. four", "3. three\n4. four"),
        ("> quoted\n> twice", "> quoted\n> twice"),
        ("[the mill](https://mill.example.org/a_(b))", "[the mill](<https://mill.example.org/a_(b)>)"),
        ("see https://mill.example.org/x.", "see <https://mill.example.org/x>."),
        ("[https://bank.example/](https://evil.example/)", "<https://evil.example/>"),
        ("`a*b` and ``a`b``", "`a*b` and `` a`b ``"),
        ("```python\nx = 1\n```", "```python\nx = 1\n```"),
        ("```not a language!\nx\n```", "```not\nx\n```"),
        ("snake_case_name stays, \\_this\\_ too", "snake_case_name stays, \\_this\\_ too"),
        ("||no spoiler|| \\~\\~no\\~\\~", "\\||no spoiler\\|| \\~~no\\~~"),
        ("said [2] and [3]\\(https://x.example)", "said [2] and [3]\\(<https://x.example>)"),
    ],
)
def test_markdown_is_written_in_discords_subset(markdown: str, written: str) -> None:
    assert discord_markdown(markdown) == written


def test_a_table_is_aligned_code() -> None:
    table = "| flour | days |\n|---|---|\n| rye | 10 |\n| 小麦 | 90 |"
    assert discord_markdown(table) == "```\nflour | days\n------+-----\nrye   | 10\n小麦  | 90\n```"


def test_a_line_that_looks_like_a_heading_or_a_list_is_escaped() -> None:
    assert discord_markdown("first\n\\# no heading\n\\> no quote\n\\- no list") == (
        "first\n\\# no heading\n\\> no quote\n\\- no list"
    )


@given(st.text(alphabet="@<>#&!:/*_~|`[]()\\ abc123\n", max_size=200))
def test_nobody_is_ever_called(text: str) -> None:
    written = discord_markdown(f"{text} <@77> @everyone @here")
    outside_code = re.sub(r"```.*?```|``.+?``|`[^`\n]+`", "", written, flags=re.DOTALL)
    assert not re.search(r"(?<!\\)<@[!&]?\d", outside_code)
    assert not re.search(r"@(?:everyone|here)\b", outside_code)


def long_answer(lines: int, info: str) -> str:
    code = "\n".join(f"    loaf_{line} = bake(dough[{line}], hours={line % 7})" for line in range(lines))
    return f"This is how the oven is driven [1].\n\n```{info}\n{code}\n```\n\nIt was checked last week [2]."


@pytest.mark.parametrize("info", ["python", "", "x" * 250])
@pytest.mark.parametrize("lines", [20, 41, 42, 43, 180])
def test_a_block_of_code_over_several_messages_keeps_its_fences_and_its_lines(lines: int, info: str) -> None:
    answer = long_answer(lines, info)
    parts = parts_of(answer)
    assert all(len(part) <= LIMIT for part in parts)
    assert all(part.count("```") % 2 == 0 for part in parts)
    assert "[2]" in parts[-1]
    without_fences = "\n".join(re.sub(r"```\w*", "", part) for part in parts)
    kept = [line.strip() for line in without_fences.split("\n") if line.strip()]
    assert kept == [line.strip() for line in answer.split("\n") if line.strip() and not line.startswith("```")]
    if info == "python":
        assert all(part.startswith("```python\n") for part in parts[1:] if "loaf" in part)


@pytest.mark.parametrize("length", range(1900, 2101, 7))
def test_no_length_around_the_limit_loses_anything(length: int) -> None:
    answer = ("```python\n" + "x = 1 + 2\n" * 400)[: length - 4] + "\n```"
    parts = parts_of(answer)
    assert all(len(part) <= LIMIT and part.count("```") % 2 == 0 for part in parts)
    text = "".join(re.sub(r"```(?:python)?", "", part) for part in parts)
    assert "".join(text.split()) == "".join(answer.replace("```python", "").replace("```", "").split())
