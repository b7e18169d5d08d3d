"""Choose which of a page's blocks are its article, by where trafilatura found text and what stands between."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from adapters.web.phrases import ASIDE_NAMES, LEADS_AWAY
from adapters.web.structure import Block, letters

LONG = 24
"""Letters from which a block is recognised wherever it stands; a shorter one only in its place."""
WINDOW = 20_000
"""Letters after the last block found, where the next one usually is; only otherwise is all of the text searched."""
LINKED = 0.5
"""Share of letters in links from which what stands between kept blocks is taken for navigation."""
CORE = 0.9
"""Share of the kept letters that an element must hold to be the article's."""
ASIDE_TAGS = frozenset({"aside", "nav", "footer", "form", "figure", "dialog", "figcaption", "header", "template"})
LISTS = frozenset({"ul", "ol", "dl", "menu"})
LAYOUT_DEPTH = 4
"""Elements upwards by which two paragraphs are laid out alike."""
DECK_PLACES = 6
"""Blocks after the title among which its subtitle stands."""
LEAD_LENGTH = 90
"""Letters; a longer line that begins so is a sentence of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The blocks kept, and how much of the other reading they cover."""

    blocks: tuple[Block, ...]
    covered: float
    """Share of the other reading's letters found among the blocks, in [0, 1]."""


def choose(blocks: Sequence[Block], reading: str) -> Choice:
    """Keep the blocks that a reading (plain text) holds, with the headings, items and code that belong between them."""
    wanted = letters(reading)
    kept = _found(blocks, wanted)
    covered = sum(len(blocks[at].key) for at in kept) / max(1, len(wanted))
    kept |= _alike(blocks, kept)
    kept |= _deck(blocks, kept)
    kept |= _between(blocks, kept)
    kept -= _leading_away(blocks, sorted(kept))
    return Choice(blocks=tuple(blocks[at] for at in sorted(kept)), covered=min(1.0, covered))


def _found(blocks: Sequence[Block], wanted: str) -> set[int]:
    """Long blocks that stand in the same order in both texts hold the place; the short ones are looked for between."""
    anchors = _anchors(blocks, wanted)
    kept = {at for at, _ in anchors}
    edges = [(-1, 0), *((at, start + len(blocks[at].key)) for at, start in anchors), (len(blocks), len(wanted))]
    starts = [*(start for _, start in anchors), len(wanted)]
    for ((before, place), (after, _)), end in zip(pairwise(edges), starts, strict=True):
        here = place
        for at in range(before + 1, after):
            key = blocks[at].key
            found = wanted.find(key, here, end) if key else -1
            if found >= 0 and (found == here or len(key) >= LONG // 3):
                kept.add(at)
                here = found + len(key)
    return kept


def _anchors(blocks: Sequence[Block], wanted: str) -> list[tuple[int, int]]:
    """(block, its place in the reading) of long blocks: the longest run that rises in both."""
    places: list[tuple[int, int]] = []
    again: dict[str, int] = {}
    last = 0
    for at, block in enumerate(blocks):
        if len(block.key) < LONG:
            continue
        start = again.get(block.key, 0)
        found = wanted.find(block.key, max(start, last), max(start, last) + WINDOW)
        if found < 0:
            found = wanted.find(block.key, start)
        if found >= 0:
            last = found
            places.append((at, found))
            again[block.key] = found + 1
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


def _alike(blocks: Sequence[Block], kept: set[int]) -> set[int]:
    """Find the paragraphs laid out exactly like most of the kept text: where a reading stopped short, they go on."""
    weights: Counter[tuple[str, ...]] = Counter()
    for at in kept:
        if blocks[at].kind == "paragraph":
            weights[_layout(blocks[at])] += len(blocks[at].key)
    total = sum(len(blocks[at].key) for at in kept)
    usual = {layout for layout, weight in weights.items() if weight > LINKED * total and len(layout) == LAYOUT_DEPTH}
    return {
        at
        for at, block in enumerate(blocks)
        if len(block.key) > LEAD_LENGTH
        and block.kind == "paragraph"
        and block.link_share < LINKED / 2
        and usual
        and _layout(block) in usual
    }


def _layout(block: Block) -> tuple[str, ...]:
    """Name the elements around a block by tag and class."""
    around = [element for element, _ in zip(_upwards(block), range(LAYOUT_DEPTH), strict=False)]
    return tuple(f"{element.tag}.{element.get('class') or ''}" for element in around)


def _deck(blocks: Sequence[Block], kept: set[int]) -> set[int]:
    """Find the subtitle: a heading between the page's title and the text."""
    first = min(kept, default=0)
    title = max((at for at in range(first) if blocks[at].kind == "heading" and blocks[at].level == 1), default=first)
    between = range(title + 1, min(first, title + DECK_PLACES))
    return {
        at for at in between if blocks[at].kind == "heading" and not blocks[at].linked and len(blocks[at].key) >= LONG
    }


def _between(blocks: Sequence[Block], kept: set[int]) -> set[int]:
    """Find what the reading left out inside the article, unless its place or its links speak against it."""
    if not kept:
        return set()
    weights = _weights(blocks, kept)
    total = sum(len(blocks[at].key) for at in kept)
    gaps = [at for at in range(min(kept), max(kept)) if at not in kept]
    shares = _link_shares(blocks, weights)
    added = {at for at in gaps if _belongs(blocks[at], weights, shares, total)}
    return {at for at in added if blocks[at].kind != "heading" or _leads(blocks, at, kept | added)}


def _leading_away(blocks: Sequence[Block], kept: Sequence[int]) -> set[int]:
    """Find the lines that lead to other pages, with the links below such a heading, and headings left with nothing."""
    away: set[int] = set()
    under = False
    for at in kept:
        block = blocks[at]
        leads = len(block.key) <= LEAD_LENGTH and block.kind != "code" and bool(LEADS_AWAY.match(block.text))
        follows = under and block.kind != "heading" and block.link_share > LINKED
        if leads or follows:
            away.add(at)
        under = leads or follows
    for at in reversed(kept):
        if at in away or (blocks[at].kind == "heading" and len(blocks[at].key) <= LEAD_LENGTH):
            away.add(at)
        else:
            break
    return away


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
    boxed = block.kind == "heading" and _boxed(block, weights, total)
    if block.link_share > LINKED and not boxed:
        return False
    if block.kind == "item" and any(weights[element] for element in _upwards(block) if element.tag in LISTS):
        return True
    for element in _upwards(block):
        if weights[element] >= CORE * total:
            return True
        if not weights[element] and (
            element.tag in ASIDE_TAGS or _named_aside(element) or (shares[element] > LINKED and not boxed)
        ):
            return False
    return False


def _boxed(block: Block, weights: "Counter[Any]", total: int) -> bool:
    """Whether a heading that is a link stands in one box with kept text: the box leads on, its text was wanted."""
    boxes = [element for element, _ in zip(block.element.iterancestors(), range(2), strict=False)]
    return any(0 < weights[element] < CORE * total for element in boxes)


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
