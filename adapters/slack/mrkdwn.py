"""Write a neutral document in Slack's mrkdwn, and an answer as blocks with their buttons (pure)."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from adapters.rendering import Block, Code, Heading, Item, Paragraph, Rule, Run, Table, parse, table_text
from bot.domain.replies import Button

JsonBlock = dict[str, Any]

SECTION_CHARACTERS = 2900
"""A section's text may have 3,000 characters (block kit reference, section block)."""
LONGEST_VALUE = 2000
"""Of a button's value (block kit reference, button element)."""
LONGEST_LABEL = 75


def mrkdwn(markdown: str) -> str:
    """Return Markdown as mrkdwn with `&`, `<` and `>` escaped, so that nobody is called from quoted text."""
    return "\n".join(_written(parse(markdown)))


def size(markdown: str) -> int:
    """Return what chat.update counts: the UTF-8 bytes of the escaped text (seen in the wild, not documented)."""
    return len(mrkdwn(markdown).encode())


def blocks(markdown: str, buttons: Sequence[Button] = ()) -> list[JsonBlock]:
    """Return sections of the text, and the buttons under it."""
    sections: list[JsonBlock] = [
        {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}
        for text in _packed(list(_written(parse(markdown))))
    ]
    return [*sections, *button_blocks(buttons)]


def button_blocks(buttons: Sequence[Button]) -> list[JsonBlock]:
    """Return a feedback element for the two thumbs, and a row of the other buttons."""
    thumbs = {button.name: button for button in buttons if button.name in {"up", "down"}}
    found: list[JsonBlock] = []
    if len(thumbs) == 2:  # noqa: PLR2004 - both of them
        found.append({"type": "context_actions", "elements": [_feedback(thumbs["up"], thumbs["down"])]})
    rest = [button for button in buttons if button.name not in thumbs]
    if rest:
        found.append({"type": "actions", "elements": [_button(button) for button in rest]})
    return found


def escape(text: str) -> str:
    """Return a text with Slack's three control characters escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def address(url: str) -> str:
    """Return an address as it may stand inside `<…>`: a `|` would begin a label of somebody else's choice."""
    return escape(url.replace("|", "%7C").replace("<", "%3C").replace(">", "%3E").replace(" ", "%20"))


def _written(document: Sequence[Block]) -> Iterator[str]:
    """Yield each block's mrkdwn, with an empty line where a paragraph ends."""
    before: Block | None = None
    for block in document:
        gap = "" if before is None or (isinstance(before, Item) and isinstance(block, Item)) else "\n"
        yield gap + _quoted(_block(block), block.quote)
        before = block


def _block(block: Block) -> str:
    match block:
        case Heading():
            return _runs([Run(text=run.text, url=run.url, code=run.code, bold=not run.code) for run in block.runs])
        case Paragraph():
            return _indented(_runs(block.runs), "    " * block.indent)
        case Item():
            marker = "•" if block.marker == "-" else block.marker
            return f"{'    ' * block.indent}{marker} {_runs(block.runs)}"
        case Code():
            return _fenced(block.text)
        case Table():
            return _fenced(table_text(block))
        case Rule():
            return "———"


def _runs(runs: Sequence[Run]) -> str:
    written = ""
    for run in runs:
        text = _run(run)
        # Slack reads a mark only beside a space or punctuation; the invisible space stands for one.
        if run.bold or run.italic or run.strike or run.code:
            joined = written[-1:].isalnum()
            written += f"\u200b{text}" if joined else text
        else:
            marked_before = written[-1:] in {"*", "_", "~", "`"} and text[:1].isalnum()
            written += f"\u200b{text}" if marked_before else text
    return written


def _run(run: Run) -> str:
    if run.text.isspace():
        return run.text
    if run.url:
        label = " ".join(run.text.split())
        inner = f"<{address(run.url)}>" if run.text == run.url else f"<{address(run.url)}|{escape(label)}>"
    else:
        inner = escape(run.text)
    inner = f"`{inner.replace('`', 'ˋ')}`" if run.code and not run.url else inner
    core = inner.strip()
    lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
    for mark, wanted in (("~", run.strike), ("_", run.italic), ("*", run.bold)):
        core = "\n".join(f"{mark}{line}{mark}" if line else "" for line in core.split("\n")) if wanted else core
    return f"{lead}{core}{trail}"


def _fenced(text: str) -> str:
    return f"```\n{escape(text).replace('```', _BROKEN_FENCE)}\n```"


def _quoted(text: str, depth: int) -> str:
    return _indented(text, "> " * depth) if depth else text


def _indented(text: str, indent: str) -> str:
    return "\n".join(indent + line for line in text.split("\n")) if indent else text


def _packed(written: Sequence[str]) -> Iterator[str]:
    """Join blocks into sections as long as they fit."""
    section = ""
    for text in (piece for block in written for piece in _short(block)):
        if section and len(section) + 1 + len(text) > SECTION_CHARACTERS:
            yield section
            section = ""
        section = f"{section}\n{text}" if section else text.lstrip("\n")
    if section.strip():
        yield section


def _short(text: str) -> Iterator[str]:
    """Cut one block that is longer than a section at its lines; code stays code."""
    if len(text) <= SECTION_CHARACTERS:
        yield text
        return
    code = text.lstrip("\n").startswith("```\n")
    body = text.strip("\n").removeprefix("```\n").removesuffix("\n```") if code else text
    part = ""
    for line in (piece for whole in body.split("\n") for piece in _line_pieces(whole)):
        if part and len(part) + len(line) + 10 > SECTION_CHARACTERS:
            yield f"```\n{part}\n```" if code else part
            part = ""
        part = f"{part}\n{line}" if part else line
    yield f"```\n{part}\n```" if code else part


def _line_pieces(line: str) -> Iterator[str]:
    """Cut a very long line between words, never inside a link or an escape."""
    piece = ""
    for word in _WORDS.findall(line):
        if piece and len(piece) + len(word) + 10 > SECTION_CHARACTERS:
            yield piece
            piece = ""
        piece += word
    yield piece


def _feedback(up: Button, down: Button) -> JsonBlock:
    return {
        "type": "feedback_buttons",
        "action_id": "palace:feedback",
        "positive_button": _thumb("up", up),
        "negative_button": _thumb("down", down),
    }


def _thumb(name: str, button: Button) -> JsonBlock:
    return {
        "text": {"type": "plain_text", "text": button.label[:LONGEST_LABEL]},
        "value": f"{name}:{button.target}"[:LONGEST_VALUE],
    }


def _button(button: Button) -> JsonBlock:
    return {
        "type": "button",
        "action_id": f"palace:{button.name}:{button.target}"[:255],
        "text": {"type": "plain_text", "text": button.label[:LONGEST_LABEL]},
        "value": f"{button.name}:{button.target}"[:LONGEST_VALUE],
    }


_BROKEN_FENCE = "`\u200b`\u200b`"
_WORDS = re.compile(r"<[^<>]*>\s*|[^\s<]+\s*|\s+|<")
