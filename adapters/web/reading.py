"""Read the article of a page's tree as Markdown: trafilatura finds it, the page's own structure is written out."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from adapters.web.selection import choose
from adapters.web.structure import Block, blocks_of, letters, markdown

BELIEVED = 0.6
"""Share of trafilatura's text that must be found among the page's blocks; less, and the text came from elsewhere
(data for search engines), so it is taken as it is."""
MOST = 0.5
"""An <aside> with more of the page's paragraphs than this is no aside."""

REPEATED = 20
"""Characters from which the same line a second time is a fault and no refrain."""
DEEPEST_TITLE = 4
"""A heading of this level or below is never the page's title."""


def read_tree(tree: Any, *, url: str, titles: tuple[str, ...] = ()) -> str:
    """Write the article as Markdown, without the page's `titles`; empty where there is none. Changes the tree."""
    _open_templates(tree)
    _free_asides(tree)
    text = _trafilatura(tree, url)
    blocks = blocks_of(tree)
    choice = choose(blocks, text)
    if choice.covered < BELIEVED:
        text = "\n".join(_once(text.split("\n")))
        choice = choose(blocks, text)
    if choice.covered < BELIEVED:
        return "\n\n".join(line.strip() for line in text.split("\n") if line.strip())
    return markdown(_without_title(choice.blocks, titles))


def _trafilatura(tree: Any, url: str) -> str:
    """Return the plain text that trafilatura takes for the article."""
    import trafilatura  # noqa: PLC0415 - slow import

    return trafilatura.extract(deepcopy(tree), url=url or None, output_format="txt", include_comments=False) or ""


def _once(lines: list[str]) -> Iterator[str]:
    """Without the long lines that were there before: short pages come back twice."""
    seen: set[str] = set()
    for line in lines:
        if len(line) < REPEATED or line not in seen:
            yield line
        seen.add(line)


def _open_templates(tree: Any) -> None:
    """Show declarative shadow roots where they stand, as a browser does (HTML, the template element)."""
    for template in tree.iter("template"):
        if template.get("shadowrootmode") or template.get("shadowroot"):
            template.tag = "div"


def _free_asides(tree: Any) -> None:
    """Free the article that a site lays out in an <aside>: by its share of the paragraphs it is known."""
    asides = list(tree.iter("aside"))
    if not asides:
        return
    total = sum(_paragraph_letters(part) for part in tree.iter("body"))
    for aside in asides:
        if total and _paragraph_letters(aside) > MOST * total:
            aside.tag = "article"


def _paragraph_letters(element: Any) -> int:
    return sum(len(letters("".join(paragraph.itertext()))) for paragraph in element.iter("p"))


def _without_title(blocks: tuple[Block, ...], titles: tuple[str, ...]) -> list[Block]:
    """Drop the page's title where it stands above the text: it is kept beside the text already."""
    keys = [key for title in titles if (key := letters(title))]
    for at, block in enumerate(blocks[:6]):
        same = any(block.key in key and len(block.key) > MOST * len(key) for key in keys)
        if block.kind == "heading" and block.level < DEEPEST_TITLE and block.key and same:
            return [*blocks[:at], *blocks[at + 1 :]]
    return list(blocks)
