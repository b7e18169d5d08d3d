"""Cut a page's text into chunks along its own headings, paragraphs and code blocks, to the embedder's token limit."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from semantic_text_splitter import MarkdownSplitter
from tokenizers import Tokenizer

from bot.domain.memories import Chunk

FENCE = re.compile(r"^[ \t]*(?P<ticks>`{3,}|~{3,})(?P<language>[^\n`]*)$", re.MULTILINE)
HEADING = re.compile(r"^ {0,3}(?P<level>#{1,6})[ \t]+(?P<words>[^\n]*?)[ \t]*#*[ \t]*$", re.MULTILINE)
SPECIAL_TOKENS = 2
"""What the model puts around every text: [CLS] and [SEP] (Devlin et al. 2019, arXiv:1810.04805)."""
TITLE_TOKENS = 32
"""At most this much of a title stands in front of each chunk."""
HEADING_TOKENS = 16
LEAST_TOKENS = 16
MOST_CHARACTERS = 12
"""Characters a token, at most: a text longer than that counts as too long without being asked for its tokens. It saves
most of the work, and a kilometre of letters without a space, one unknown word to a tokenizer, is cut all the same."""
LONGEST_LANGUAGE = 20


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced code block: where its code begins and ends, and the lines that open and close it."""

    start: int
    end: int
    opening: str
    closing: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text with the code fences that its cut took from it."""

    start: int
    text: str


def cut(text: str, *, title: str, tokenizer: Tokenizer, max_tokens: int) -> tuple[Chunk, ...]:
    """Return the text's chunks, in order, with nothing but white space lost between them.

    Each has at most `max_tokens` tokens together with its title line and the model's special tokens. A code block that
    is too long for one chunk is cut between its lines, and every part is fenced.
    """
    fences = code_fences(text)
    headings = heading_paths(text, fences)
    starts = [start for start, _ in headings]
    room = max_tokens - SPECIAL_TOKENS - tokens(clipped(title, tokenizer, TITLE_TOKENS), tokenizer)
    room -= HEADING_TOKENS * bool(headings) + fence_tokens(fences, tokenizer)
    splitter = splitter_for(max(LEAST_TOKENS, room), tokenizer)
    chunks: list[Chunk] = []
    for piece in pieces(text, splitter, fences):
        at = bisect_right(starts, piece.start + len(piece.text) - len(piece.text.lstrip())) - 1
        heading = headings[at][1] if at >= 0 else ""
        chunks.append(Chunk(number=len(chunks), text=refenced(piece, fences), heading=heading))
    return tuple(chunks)


def splitter_for(room: int, tokenizer: Tokenizer) -> MarkdownSplitter:
    """Return a splitter to `room` tokens; a callback, since handing over the tokenizer copies its whole vocabulary."""

    def size(text: str) -> int:
        return len(text) if len(text) > MOST_CHARACTERS * room else tokens(text, tokenizer)

    return MarkdownSplitter.from_callback(size, room, trim=False)


def embedding_text(
    chunk: Chunk, *, title: str, note: str = "", tags: tuple[str, ...] = (), tokenizer: Tokenizer, max_tokens: int
) -> str:
    """Return what the embedding model reads of a chunk: title, headings, note and tags in front, as far as they fit."""
    room = max_tokens - SPECIAL_TOKENS - tokens(chunk.text, tokenizer)
    lines = []
    for line, most in (
        (title, TITLE_TOKENS),
        ("" if chunk.heading == title else chunk.heading, TITLE_TOKENS),
        (note, TITLE_TOKENS),
        (", ".join(tags), HEADING_TOKENS),
    ):
        fitting = clipped(" ".join(line.split()), tokenizer, min(most, room))
        room -= tokens(fitting, tokenizer)
        lines.append(fitting)
    return "\n".join([*(line for line in lines if line), chunk.text])


def tokens(text: str, tokenizer: Tokenizer) -> int:
    """Return the number of tokens without the model's special ones."""
    return len(tokenizer.encode(text, add_special_tokens=False).ids)


def clipped(text: str, tokenizer: Tokenizer, most: int) -> str:
    """Return as much of a line's beginning as `most` tokens hold."""
    if most <= 0:
        return ""
    encoded = tokenizer.encode(text, add_special_tokens=False)
    return text if len(encoded.ids) <= most else text[: encoded.offsets[most - 1][1]].rstrip()


def code_fences(text: str) -> tuple[Fence, ...]:
    """Return the fenced code blocks (CommonMark 0.31, section 4.5); one that is never closed ends with the text."""
    fences = []
    opened: re.Match[str] | None = None
    for line in FENCE.finditer(text):
        if opened is None:
            opened = line
        elif line["ticks"].startswith(opened["ticks"]) and not line["language"].strip():
            fences.append(fence(opened, line.start(), line["ticks"]))
            opened = None
    if opened is not None:
        fences.append(fence(opened, len(text), opened["ticks"]))
    return tuple(fences)


def fence(opened: re.Match[str], end: int, closing: str) -> Fence:
    """Return the block between its two lines."""
    language = opened["language"].strip()[:LONGEST_LANGUAGE]
    return Fence(opened.end() + 1, end, f"{opened['ticks']}{language}\n", closing)


def fence_tokens(fences: tuple[Fence, ...], tokenizer: Tokenizer) -> int:
    """Return what putting back one opening and one closing line may cost."""
    openings, closings = {block.opening for block in fences}, {block.closing for block in fences}
    return sum(max((tokens(line, tokenizer) for line in lines), default=0) for lines in (openings, closings))


def heading_paths(text: str, fences: tuple[Fence, ...]) -> list[tuple[int, str]]:
    """Return (where it stands, the path of headings down to it) for each heading outside code."""
    paths: list[tuple[int, str]] = []
    above: list[tuple[int, str]] = []
    for heading in HEADING.finditer(text):
        if inside(heading.start(), fences) is None and heading["words"]:
            level = len(heading["level"])
            above = [(upper, words) for upper, words in above if upper < level] + [(level, heading["words"])]
            paths.append((heading.start(), " > ".join(words for _, words in above)))
    return paths


def inside(at: int, fences: tuple[Fence, ...]) -> Fence | None:
    """Return the code block around this place."""
    index = bisect_right(fences, at, key=lambda block: block.start) - 1
    return fences[index] if index >= 0 and at < fences[index].end else None


def pieces(text: str, splitter: MarkdownSplitter, fences: tuple[Fence, ...]) -> Iterator[Piece]:
    """Yield the parts of the text that hold something."""
    for start, part in splitter.chunk_indices(text):
        piece = Piece(start, part)
        if bare(piece, fences).strip():
            yield piece


def bare(piece: Piece, fences: tuple[Fence, ...]) -> str:
    """Return a piece without a fence's line whose code went into the piece before or after it."""
    text = piece.text
    before = inside(piece.start - 1, fences)
    if before is not None and piece.start == before.end:
        text = text.lstrip(" \t").removeprefix(before.closing)
    after = inside(piece.start + len(piece.text), fences)
    if after is not None and piece.start + len(piece.text) == after.start:
        text = text.rstrip("\n").rpartition("\n")[0]
    return text


def refenced(piece: Piece, fences: tuple[Fence, ...]) -> str:
    """Return the piece's text with the fences put back that the cut took away."""
    text = bare(piece, fences).strip("\n").rstrip()
    opened, closed = inside(piece.start, fences), inside(piece.start + len(piece.text) - 1, fences)
    return f"{opened.opening if opened else ''}{text}" + (f"\n{closed.closing}" if closed else "")
