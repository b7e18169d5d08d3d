"""Write a neutral document in Discord's Markdown, so that nothing quoted is read as its signs (pure)."""

import re
from collections.abc import Iterator, Sequence

from adapters.escaping import defuse
from adapters.rendering import Block, Code, Heading, Item, Paragraph, Rule, Run, Table, parse, table_text

DEEPEST_HEADING = 3
"""Discord reads `#`, `##` and `###`."""


def discord_markdown(markdown: str) -> str:
    """Return Markdown in Discord's subset; tables become aligned code, and nobody is called."""
    return "\n".join(_written(parse(markdown)))


def size(markdown: str) -> int:
    """Return what Discord counts: the code points of the written text."""
    return len(discord_markdown(markdown))


def _written(document: Sequence[Block]) -> Iterator[str]:
    """Yield each block, with an empty line where a paragraph ends."""
    before: Block | None = None
    for block in document:
        close = before is None or (isinstance(before, Item) and isinstance(block, Item))
        yield ("" if close else "\n") + _quoted(_block(block), block.quote)
        before = block


def _block(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * min(block.level, DEEPEST_HEADING)} {_line(block.runs)}"
        case Paragraph():
            return _indented(_escaped_starts(_runs(block.runs)), "  " * block.indent)
        case Item():
            return f"{'  ' * block.indent}{block.marker} {_line(block.runs)}"
        case Code():
            return _fenced(block.text, block.language)
        case Table():
            return _fenced(table_text(block), "")
        case Rule():
            return "———"


def _line(runs: Sequence[Run]) -> str:
    return " ".join(_runs(runs).split("\n"))


def _runs(runs: Sequence[Run]) -> str:
    return "".join(map(_run, runs))


def _run(run: Run) -> str:
    if run.text.isspace():
        return run.text
    if run.code and not run.url:
        inner = _code_span(run.text)
    elif run.url:
        inner = _link(run)
    else:
        inner = _escaped(run.text)
    core = inner.strip()
    lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
    for mark, wanted in (("~~", run.strike), ("*", run.italic), ("**", run.bold)):
        core = "\n".join(f"{mark}{line}{mark}" if line else "" for line in core.split("\n")) if wanted else core
    return f"{lead}{core}{trail}"


def _link(run: Run) -> str:
    """Write a link whose preview stays closed; Discord shows one whose words look like an address as it is typed."""
    label = " ".join(run.text.split())
    url = run.url.translate(_IN_ADDRESS)
    if label == run.url or not re.match(r"https?://", url, re.IGNORECASE):
        return f"<{url}>" if url.lower().startswith("http") else _escaped(label)
    shown = _escaped(label).replace("[", "(").replace("]", ")").replace("://", ":\u200b//")
    return f"[{shown}](<{url}>)"


def _code_span(text: str) -> str:
    inner = " ".join(text.split("\n"))
    return f"`` {inner} ``" if "`" in inner else f"`{inner}`"


def _fenced(text: str, language: str) -> str:
    info = language if _LANGUAGE.fullmatch(language) else ""
    return f"```{info}\n{text.replace('```', _BROKEN_FENCE)}\n```"


def _escaped(text: str) -> str:
    """Escape what Discord would read as a sign; an underscore inside a word is none."""
    return defuse(_MASKED.sub(r"]\\(", _SIGN.sub(r"\\\g<0>", text)))


def _escaped_starts(text: str) -> str:
    """Escape what would begin a heading, a quote or a list at the beginning of a line."""
    return _START.sub(r"\g<1>\\\g<2>", text)


def _quoted(text: str, depth: int) -> str:
    return _indented(text, "> ") if depth else text


def _indented(text: str, indent: str) -> str:
    return "\n".join(indent + line for line in text.split("\n")) if indent else text


_SIGN = re.compile(r"[\\`*]|~~|\|\||(?<!\w)_|_(?!\w)|<(?=[@#:/at!])")
_START = re.compile(r"^(\s*)(#{1,3}(?=\s)|-#(?=\s)|>(?=\s|>>)|[-+](?=\s))", re.MULTILINE)
_MASKED = re.compile(r"\]\(")
_LANGUAGE = re.compile(r"[A-Za-z0-9+\-._#]{1,30}")
_BROKEN_FENCE = "`\u200b`\u200b`"
_IN_ADDRESS = {ord(" "): "%20", ord("<"): "%3C", ord(">"): "%3E", ord("\n"): ""}
