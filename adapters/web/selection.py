"""Choose which of a page's blocks are its article, by where trafilatura found text and what stands between."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from adapters.web.structure import Block, letters

LONG = 24
"""Letters from which a block is recognised wherever it stands; a shorter one only in its place."""
LINKED = 0.5
"""Share of letters in links from which what stands between kept blocks is taken for navigation."""
CORE = 0.9
"""Share of the kept letters that an element must hold to be the article's."""
ASIDE_TAGS = frozenset({"aside", "nav", "footer", "form", "figure", "dialog", "figcaption", "header", "template"})
ASIDE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:ads?|advert\w*|author\w*|banner|bio|byline|caption|comments?|cookies?|credits?|disclaimer|follow|footer|"
    r"jump|meta|modal|more|nav\w*|newsletter\w*|paywall|popup|promo\w*|rail|rating|read-?more|recirc\w*|recommend\w*|related\w*|"
    r"share\w*|sharing|sidebar|signup|social\w*|sponsor\w*|subscri\w*|tags?|teaser\w*|toolbar|tooltip|trending|widget\w*)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The blocks kept, and how much of the other reading they cover."""

    blocks: tuple[Block, ...]
    covered: float
    """Share of the other reading's letters found among the blocks, in [0, 1]."""


def choose(blocks: Sequence[Block], reading: str) -> Choice:
    """The blocks that a reading (plain text) holds, with the headings, items and code that belong between them."""
    wanted = letters(reading)
    kept = _found(blocks, wanted)
    covered = sum(len(blocks[at].key) for at in kept) / max(1, len(wanted))
    kept |= _between(blocks, kept)
    return Choice(blocks=tuple(blocks[at] for at in sorted(kept)), covered=min(1.0, covered))


def _found(blocks: Sequence[Block], wanted: str) -> set[int]:
    """Long blocks that stand in the same order in both texts hold the place; the short ones are looked for between."""
    anchors = _anchors(blocks, wanted)
    kept = {at for at, _ in anchors}
    edges = [(-1, 0), *((at, start + len(blocks[at].key)) for at, start in anchors), (len(blocks), len(wanted))]
    starts = [*(start for _, start in anchors), len(wanted)]
    for ((before, place), (after, _)), end in zip(pairwise(edges), starts, strict=True):
        for at in range(before + 1, after):
            key = blocks[at].key
            found = wanted.find(key, place, end) if key else -1
            if found >= 0 and (found == place or len(key) >= LONG // 3):
                kept.add(at)
                place = found + len(key)
    return kept


def _anchors(blocks: Sequence[Block], wanted: str) -> list[tuple[int, int]]:
    """(block, its place in the reading) of long blocks: the longest run that rises in both."""
    places = [(at, wanted.find(block.key)) for at, block in enumerate(blocks) if len(block.key) >= LONG]
    places = [(at, place) for at, place in places if place >= 0]
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for number, (_, place) in enumerate(places):
        length = bisect_left(tails, place)
        previous.append(ends[length - 1] if length else -1)
        tails[length : length + 1] = [place]
        ends[length : length + 1] = [number]
    run, number = [], ends[-1] if ends else -1
    while number >= 0:
        run.append(places[number])
        number = previous[number]
    return run[::-1]


def _between(blocks: Sequence[Block], kept: set[int]) -> set[int]:
    """What the reading left out between kept blocks of the article, unless its place or its links speak against it."""
    if not kept:
        return set()
    weights = _weights(blocks, kept)
    total = sum(len(blocks[at].key) for at in kept)
    gaps = [at for at in range(min(kept), max(kept)) if at not in kept]
    shares = _link_shares(blocks, weights)
    added = {at for at in gaps if _belongs(blocks[at], weights, shares, total)}
    return {at for at in added if blocks[at].kind != "heading" or _leads(blocks, at, kept | added)}


def _weights(blocks: Sequence[Block], kept: set[int]) -> "Counter[Any]":
    """Kept letters inside each element."""
    weights: Counter[Any] = Counter()
    for at in kept:
        for element in _upwards(blocks[at]):
            weights[element] += len(blocks[at].key)
    return weights


def _link_shares(blocks: Sequence[Block], weights: "Counter[Any]") -> dict[Any, float]:
    """Share of letters in links inside each element that holds nothing kept."""
    linked: Counter[Any] = Counter()
    all_letters: Counter[Any] = Counter()
    for block in blocks:
        for element in _upwards(block):
            if not weights[element]:
                linked[element] += block.linked
                all_letters[element] += len(block.key)
    return {element: linked[element] / max(1, count) for element, count in all_letters.items()}


def _belongs(block: Block, weights: "Counter[Any]", shares: dict[Any, float], total: int) -> bool:
    if block.link_share > LINKED:
        return False
    for element in _upwards(block):
        if weights[element] >= CORE * total:
            return True
        if not weights[element] and (element.tag in ASIDE_TAGS or _named_aside(element) or shares[element] > LINKED):
            return False
    return False


def _named_aside(element: Any) -> bool:
    return bool(ASIDE_NAMES.search(f"{element.get('class') or ''} {element.get('id') or ''}"))


def _leads(blocks: Sequence[Block], at: int, kept: set[int]) -> bool:
    """Whether something kept follows a heading before the next one of its rank."""
    following = at + 1
    while following < len(blocks) and following not in kept:
        if blocks[following].kind == "heading" and blocks[following].level <= blocks[at].level:
            return False
        following += 1
    return following < len(blocks) and (
        blocks[following].kind != "heading" or blocks[following].level > blocks[at].level
    )


def _upwards(block: Block) -> Iterator[Any]:
    if block.element is not None:
        yield block.element
        yield from block.element.iterancestors()
