"""Answers in Slack's own dialect: escaped, calling nobody, within the limits of its blocks."""

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack.mrkdwn import address, blocks, mrkdwn, size
from bot.domain.replies import Button
from tests.fakes.slack.rules import block_error

ANSWER = """## Oven times

A loaf takes **40 minutes** at 1 < 2 & 3 > 2 [1].

1. preheat
   - the *stone*, too
2. ~~guess~~ measure

> said Ben

Read [the guide](https://oven.example.org/loaf?temp=220&fan=1) or https://oven.example.org/q?a=b|nice.example.com.

<!here> and <@U0BEN> and <!subteam^S1> stood on the page; `5 ** 2 * 1` too.

| loaf | minutes |
|---|---|
| rye | 55 |

```sh
cut -d'|' -f1 < list & # <done>
```"""


def test_an_answer_becomes_mrkdwn() -> None:
    assert mrkdwn(ANSWER) == (
        "*Oven times*\n\n"
        "A loaf takes *40 minutes* at 1 &lt; 2 &amp; 3 &gt; 2 [1].\n\n"
        "1. preheat\n    • the _stone_, too\n2. ~guess~ measure\n\n"
        "> said Ben\n\n"
        "Read <https://oven.example.org/loaf?temp=220&amp;fan=1|the guide> or "
        "<https://oven.example.org/q?a=b%7Cnice.example.com>.\n\n"
        "&lt;!here&gt; and &lt;@U0BEN&gt; and &lt;!subteam^S1&gt; stood on the page; `5 ** 2 * 1` too.\n\n"
        "```\nloaf | minutes\n-----+--------\nrye  | 55\n```\n\n"
        "```\ncut -d'|' -f1 &lt; list &amp; # &lt;done&gt;\n```"
    )


def test_an_address_cannot_bring_its_own_label() -> None:
    assert address("https://thief.example.net/|bank") == "https://thief.example.net/%7Cbank"
    assert "|bank" not in mrkdwn("[x](https://thief.example.net/|bank)")


def test_marks_inside_words_are_still_marks() -> None:
    assert mrkdwn("un**believ**able") == "un\u200b*believ*\u200bable"


@given(st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_no_text_can_call_anybody(words: str) -> None:
    for text in (words, f"<!channel> {words}", f"<@U0ANA> {words} <!here>", f"`<!channel>`{words}"):
        written = mrkdwn(text)
        assert "<!" not in written
        assert "<@" not in written


@given(st.lists(st.sampled_from(ANSWER.split("\n")), max_size=120).map("\n".join))
@settings(max_examples=40, deadline=None)
def test_blocks_keep_slacks_limits_and_the_whole_text(text: str) -> None:
    made = blocks(text)
    assert block_error(made) is None
    shown = "".join(block["text"]["text"] for block in made)
    for fence in ("```", "\n", " "):
        shown = shown.replace(fence, "")
    whole = mrkdwn(text)
    for fence in ("```", "\n", " "):
        whole = whole.replace(fence, "")
    assert shown == whole


def test_one_very_long_line_and_one_very_long_code_are_cut_into_sections() -> None:
    for text in ("word & " * 800, "```\n" + "x = 1 & 2\n" * 500 + "```", "[a](https://x.example.org/&) " * 200):
        made = blocks(text)
        assert block_error(made) is None
        assert all(block["text"]["text"].count("```") % 2 == 0 for block in made)
        assert all(block["text"]["text"].count("<") == block["text"]["text"].count(">") for block in made)


def test_size_is_bytes_after_escaping() -> None:
    assert size("a & ü") == len("a &amp; ü".encode())


def test_thumbs_are_one_feedback_element_and_the_rest_buttons() -> None:
    made = blocks("x", [Button(name=name, target="t1", label=name) for name in ("up", "down", "why", "share")])
    assert [block["type"] for block in made] == ["section", "context_actions", "actions"]
    assert made[1]["elements"][0]["positive_button"]["value"] == "up:t1"
    assert [element["value"] for element in made[2]["elements"]] == ["why:t1", "share:t1"]
    assert block_error(made) is None
