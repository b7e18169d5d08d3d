"""Write an answer from the passages' own sentences, each under its [n]."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.domain.answers import Intent
from bot.domain.memories import Passage
from bot.ports import Embedder
from bot.rag.answer_types import sort_of
from bot.rag.citations import cited_numbers
from bot.rag.evidence import compare
from bot.rag.leaning import specific
from bot.rag.lexicon import terms
from bot.rag.quotes import (
    CODE_WANTED,
    LONGEST,
    Quote,
    best,
    candidates,
    for_follow_up,
    in_reading_order,
    titles,
    with_blocks,
)
from bot.rag.sections import rows_that, spoken
from bot.rag.sides import sides, speaks_of
from bot.rag.wordings import NOTHING_ON_SIDE, nothing_found, said, small_talk

__all__ = ["Quoter", "nothing_found", "small_talk"]

SENTENCES: dict[Intent, int] = {"analytical": 6, "summarization": 6, "comparison": 6}
"""How many sentences an answer quotes at most, where it is not `FEW`."""
FEW = 3
A_SIDE = 3
A_FACT = 2
"""Where the question asks for one thing of a sort: a price, a date."""
SURE, CLEAR, REASONED, LOOSE = 0.85, 0.7, 0.6, 0.45
"""Least worth of a further sentence as a share of the best one's: beside a fact, in a short answer, among reasons, in
an overview."""
ENDING = re.compile(r"([.!?…:。！？：]+)$")
QUOTATION_MARKS = (("“", "”"), ("«", "»"))
FENCE = re.compile(r"`{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """An answer of quotes, and the passages it was written from under their numbers: the first cited is [1]."""

    passages: tuple[Passage, ...]
    pieces: tuple[str, ...]
    """To be joined."""


class Quoter:
    """The local generator: it says nothing that does not stand in a passage."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def write(
        self,
        question: str,
        passages: Sequence[Passage],
        *,
        intent: Intent,
        language: str,
        asked: str = "",
        said_before: str = "",
    ) -> Quoted:
        """Return the answer, and the passages in the order in which it cites them. Raises what the embedder raises.

        `asked`: a follow-up's own words, where `question` carries more than these; they count as much. `said_before`:
        the bot's last answer, which a follow-up does not want to hear again.
        """
        quotes = candidates(question, await compare(self._embedder, question, passages, every=True))
        if asked and asked != question:
            own = quotes
            if specific(asked):
                own = candidates(asked, await compare(self._embedder, asked, passages, every=True))
            quotes = for_follow_up(quotes, own, said_before=said_before)
        if not quotes:
            return Quoted(passages=tuple(passages), pieces=(nothing_found(language),))
        pieces = tuple(composed(question, quotes, intent=intent, language=language))
        order = citing_order(pieces, passages)
        numbers = {passage.chunk_id: number for number, passage in enumerate(order, start=1)}
        numbered = [replace(quote, number=numbers[quote.passage.chunk_id]) for quote in quotes]
        return Quoted(passages=order, pieces=tuple(composed(question, numbered, intent=intent, language=language)))


def citing_order(pieces: Sequence[str], passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return the passages as an answer first cites their memories, so that its sources count from 1."""
    cited = [passages[number - 1] for number in cited_numbers("".join(pieces)) if number <= len(passages)]
    first = {passage.memory_id: passage for passage in reversed(cited)}
    leading = [passage for passage in cited if first[passage.memory_id] is passage]
    taken = {passage.chunk_id for passage in leading}
    return (*leading, *(passage for passage in passages if passage.chunk_id not in taken))


def composed(question: str, quotes: Sequence[Quote], *, intent: Intent, language: str) -> Iterator[str]:
    """Yield the pieces of an answer in the form that the intent asks for."""
    told = quotes if CODE_WANTED.search(question) else [quote for quote in quotes if quote.piece.kind != "code"]
    match intent:
        case "comparison" if told:
            yield from compared(question, told, language)
        case "summarization" if told:
            chosen = best(told, most=SENTENCES[intent], least_share=LOOSE, per_memory=spread(told, intent))
            yield from bullets([quote for group in in_reading_order(chosen) for quote in group])
        case _:
            chosen = telling(question, quotes, intent)
            yield from paragraphs(in_reading_order(with_blocks(question, chosen, quotes)))


def telling(question: str, quotes: Sequence[Quote], intent: Intent) -> list[Quote]:
    """Return the few sentences that answer: for one fact the best and what adds to it, for reasons some more."""
    quotes = [quote for quote in quotes if quote is quotes[0] or not quote.is_block or to_the_point(question, quote)]
    if intent == "analytical":
        return best(quotes, most=SENTENCES[intent], least_share=REASONED, elsewhere_share=CLEAR)
    wanted = sort_of(question)
    if wanted is None:
        return best(quotes, most=FEW, least_share=CLEAR, elsewhere_share=SURE)
    holding = [quote for quote in quotes if wanted.holds.search(spoken(quote.piece))]
    if holding and holding[0].score >= CLEAR * quotes[0].score:
        return best(holding, most=A_FACT, least_share=SURE, elsewhere_share=SURE)
    return best(quotes, most=A_FACT, least_share=CLEAR, elsewhere_share=SURE)


def to_the_point(question: str, block: Quote) -> bool:
    """Whether a table or code holds a word of the question that does not stand in the title above it already."""
    asked = set(terms(question)) - titles(block.passage, block.heading)
    return not asked or bool(asked & set(terms(block.text)))


def spread(quotes: Sequence[Quote], intent: Intent) -> int:
    """Return how many sentences one memory may give, so that a summary hears every source."""
    memories = len({quote.passage.memory_id for quote in quotes})
    return max(1, -(-SENTENCES[intent] // max(1, memories)))


def compared(question: str, quotes: Sequence[Quote], language: str) -> Iterator[str]:
    """Yield each side under its name, in the question's order; by source where no side is named or spoken of."""
    named = sides(question)
    told = {side: best(list(of_side(quotes, side, named)), most=A_SIDE, least_share=REASONED) for side in named}
    if not any(told.values()):
        chosen = best(quotes, most=SENTENCES["comparison"], least_share=LOOSE, per_memory=A_SIDE)
        told = {label(group[0].passage): group for group in in_reading_order(chosen)}
    for side, own in told.items():
        yield f"**{side}**\n"
        yield from bullets([quote for group in in_reading_order(own) for quote in group])
        yield "\n" if own else f"- {said(NOTHING_ON_SIDE, language)}\n\n"


def of_side(quotes: Sequence[Quote], side: str, named: Sequence[str]) -> Iterator[Quote]:
    """Yield the quotes that speak of this side more than of another; of a table the rows that name it."""
    others = [other for other in named if other != side]
    for quote in quotes:
        if quote.piece.kind == "table":
            rows = rows_that(quote.piece, lambda row: speaks_of(side, row))
            if rows is not None:
                yield replace(quote, piece=rows)
        elif of_this(quote, side, others):
            yield quote


def of_this(quote: Quote, side: str, others: Sequence[str]) -> bool:
    """Whether a quote speaks of this side: in its own words, or under a title that names no other side."""
    above = f"{quote.passage.title} {quote.heading}"
    if speaks_of(side, quote.text):
        return speaks_of(side, above) or not any(speaks_of(other, above) for other in others)
    return speaks_of(side, f"{above} {quote.text}") and not any(
        speaks_of(other, f"{above} {quote.text}") for other in others
    )


def bullets(quotes: Sequence[Quote]) -> Iterator[str]:
    """Yield one list item a quote; blocks stand below their label."""
    for quote in quotes:
        if quote.is_block:
            yield f"- {label(quote.passage)} [{quote.number}]:\n\n{block(quote)}\n\n"
        else:
            yield f"- {marked(quote)}\n"


def paragraphs(groups: Sequence[Sequence[Quote]]) -> Iterator[str]:
    """Yield one paragraph a memory, sentence by sentence, code and tables below it."""
    for place, group in enumerate(groups):
        if place:
            yield "\n\n"
        before = None
        for quote in group:
            yield from following(quote, before)
            before = quote


def following(quote: Quote, before: Quote | None) -> Iterator[str]:
    """Yield one quote of a paragraph with what joins it to the one before; code and tables have their own lines."""
    if not quote.is_block:
        gap = "" if before is None else "\n\n" if before.is_block else " "
        yield gap + marked(quote)
    elif before is not None and not before.is_block and before.number == quote.number:
        yield f"\n\n{block(quote)}"
    else:
        gap = "" if before is None else "\n\n"
        yield f"{gap}{label(quote.passage)} [{quote.number}]:\n\n{block(quote)}"


def marked(quote: Quote) -> str:
    """Return a quoted sentence with its mark before the full stop."""
    text = balanced(" ".join(quote.text.split()))
    if len(text) > LONGEST:
        text = f"{text[:LONGEST].rsplit(' ', 1)[0]} …"
    ending = ENDING.search(text)
    if ending is None:
        return f"{text} [{quote.number}]"
    return f"{text[: ending.start()].rstrip()} [{quote.number}]{ending[1]}"


def balanced(text: str) -> str:
    """Return a sentence with the quotation mark that its cutting took away put back."""
    for opening, closing in QUOTATION_MARKS:
        if text.count(opening) > text.count(closing):
            return f"{text}{closing}"
        if text.count(closing) > text.count(opening):
            return f"{opening}{text}"
    if text.count('"') % 2:
        opens = re.search(r'(?:^|[\s(])"', text) is not None
        return f'{text}"' if opens else f'"{text}'
    return text


def block(quote: Quote) -> str:
    """Return code in a fence that its own text cannot close, or a table as it stands."""
    if quote.piece.kind == "table":
        return quote.text
    longest = max((len(ticks[0]) for ticks in FENCE.finditer(quote.text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{quote.piece.language}\n{quote.text.rstrip()}\n{fence}"


def label(passage: Passage) -> str:
    """Return what a source is called in the text."""
    name = passage.title or passage.site or passage.url or "…"
    return re.sub(r"[*_`\[\]]", "", " ".join(name.split()))
