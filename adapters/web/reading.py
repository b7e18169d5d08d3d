"""Read the article of a page's tree as Markdown: trafilatura finds it, the page's own structure is written out."""

from copy import deepcopy
from typing import Any

from adapters.web.selection import choose
from adapters.web.structure import Block, blocks_of, letters, markdown

BELIEVED = 0.6
"""Share of trafilatura's text that must be found among the page's blocks; less, and the text came from elsewhere
(data for search engines), so it is taken as it is."""
MOST = 0.5
"""An <aside> with more of the page's paragraphs than this is no aside."""


def read_tree(tree: Any, *, url: str, title: str = "") -> str:
    """The article as Markdown, without its title; empty where there is none. Changes the tree."""
    _open_templates(tree)
    _free_asides(tree)
    text = _trafilatura(tree, url)
    choice = choose(blocks_of(tree), text)
    if choice.covered < BELIEVED:
        return "\n\n".join(line.strip() for line in text.split("\n") if line.strip())
    return markdown(_without_title(choice.blocks, title))


def _trafilatura(tree: Any, url: str) -> str:
    """The plain text that trafilatura takes for the article."""
    import trafilatura  # noqa: PLC0415 - slow import

    return trafilatura.extract(deepcopy(tree), url=url or None, output_format="txt", include_comments=False) or ""


def _open_templates(tree: Any) -> None:
    """A declarative shadow root is shown by the browser where it stands (HTML, the template element)."""
    for template in tree.iter("template"):
        if template.get("shadowrootmode") or template.get("shadowroot"):
            template.tag = "div"


def _free_asides(tree: Any) -> None:
    """Some sites lay out the article itself in an <aside>: by its share of the paragraphs it is known."""
    asides = list(tree.iter("aside"))
    if not asides:
        return
    total = sum(_paragraph_letters(part) for part in tree.iter("body"))
    for aside in asides:
        if total and _paragraph_letters(aside) > MOST * total:
            aside.tag = "article"


def _paragraph_letters(element: Any) -> int:
    return sum(len(letters("".join(paragraph.itertext()))) for paragraph in element.iter("p"))


def _without_title(blocks: tuple[Block, ...], title: str) -> list[Block]:
    """Drop the page's title where it stands above the text: it is kept beside the text already."""
    key = letters(title)
    for at, block in enumerate(blocks[:6]):
        if block.kind == "heading" and block.key and (block.key == key or (block.level == 1 and block.key in key)):
            return [*blocks[:at], *blocks[at + 1 :]]
    return list(blocks)
