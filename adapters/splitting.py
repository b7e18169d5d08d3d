"""Cut a growing Markdown text into parts that fit a platform's message, in the platform's own measure."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from bot.domain.markup import open_fence

Measure = Callable[[str], int]
"""The size of a piece of Markdown as the platform counts it once rendered: bytes, characters, UTF-16 units."""

CLOSING_ROOM = 12
"""Room in every part for the marks or the fence that are closed at its end or opened again at its beginning."""
LONGEST_INFO = 40
"""A fence is reopened with its language up to this length, else bare."""
LONGEST_SPAN = 600
"""A link, an address or inline code up to this length is kept whole."""
NEARLY_FULL = 0.95
"""The share of the limit at which no longer part is looked for."""
AIM = 0.985
MOST_GUESSES = 5
MOST_MEASURES = 24


def split(markdown: str, *, limit: int, measure: Measure) -> tuple[str, ...]:
    """Return the parts of a whole text; see `Splitter`."""
    return Splitter(limit=limit, measure=measure).parts(markdown)


class Splitter:
    """Cuts one growing text: a cut once made stays as long as the text only grows.

    The best boundary that fits is taken: paragraph, line, sentence, word. Fences and table headers are reopened,
    emphasis is closed and opened again, links stay whole. Beside what is reopened, the parts joined are the text.
    """

    def __init__(self, *, limit: int, measure: Measure) -> None:
        self._limit = limit
        self._measure = measure
        self._cuts: list[int] = []
        self._before = ""

    def parts(self, markdown: str) -> tuple[str, ...]:
        """Return the parts, at least one; each measures at most the limit."""
        if not markdown.startswith(self._before):
            self._cuts = []
        while (cut := self._next_cut(markdown)) is not None:
            self._cuts.append(cut)
        self._before = markdown[: self._cuts[-1]] if self._cuts else ""
        edges = [0, *self._cuts, len(markdown)]
        return tuple(piece(markdown, start, end) for start, end in pairwise(edges))

    def _next_cut(self, markdown: str) -> int | None:
        start = self._cuts[-1] if self._cuts else 0
        limit = self._limit - CLOSING_ROOM
        reopened = reopening(markdown, start)

        def size(end: int) -> int:
            return self._measure(reopened.applied(markdown[start:end]))

        if not markdown[start:].strip() or size(len(markdown)) <= limit:
            return None
        longest = _longest(start, len(markdown), limit, size)
        return best_cut(markdown, start, longest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reopening:
    """What a part begins with because the part before ended inside it."""

    opener: str = ""
    indent: int = 0
    """Spaces to take off the lines of a reopened fence that stood inside a list."""
    closing: str = ""

    def applied(self, text: str) -> str:
        """Return the text as it has to stand at the beginning of a part."""
        return self.opener + (_dedented(text, self.indent, self.closing) if self.indent else text)


def piece(markdown: str, start: int, end: int) -> str:
    """Return one part: what has to be reopened, the text between two cuts, what has to be closed."""
    text = reopening(markdown, start).applied(markdown[start:end])
    fence = open_fence(markdown[:end]) if end < len(markdown) else None
    if fence is not None:
        return f"{text.rstrip()}\n{fence['quote']}{fence['marks']}\n"
    return _with_marks(text, open_marks(markdown, start), tuple(reversed(open_marks(markdown, end))))


def reopening(markdown: str, start: int) -> Reopening:
    """Return what is open at a cut and can be opened again: a fence with its language, a table with its header."""
    fence = open_fence(markdown[:start])
    if fence is not None:
        info = fence["info"].strip()
        opener = f"{fence['quote']}{fence['marks']}{info if len(info) <= LONGEST_INFO else ''}\n"
        return Reopening(opener=opener, indent=fence.start("marks") - fence.end("quote"), closing=fence["marks"])
    return Reopening(opener=_table_header(markdown, start))


def best_cut(text: str, start: int, end: int) -> int:
    """Return the best place to cut at or before `end`: after a paragraph, a line, a sentence, a word.

    Each is looked for in the second half of what fits, so that no part stays nearly empty.
    """
    window = text[start:end]
    kept_whole = tuple(_spans(window))
    for boundary in (_PARAGRAPH, _LINE, _SENTENCE, _WORD):
        for match in reversed(list(boundary.finditer(window))):
            place = start + match.end()
            if match.end() < len(window) // 2:
                break
            fits_code = boundary is _LINE or boundary is _WORD or open_fence(text[:place]) is None
            if fits_code and not _inside(match.end(), kept_whole):
                return place
    before_span = min((first for first, last in kept_whole if first < len(window) <= last), default=0)
    return start + (before_span or _between_characters(text, start, len(window)))


def open_marks(text: str, position: int) -> tuple[str, ...]:
    """Return the emphasis marks that are open at a position and closed later in the same paragraph, outermost first."""
    if open_fence(text[:position]) is not None:
        return ()
    begin = text.rfind("\n\n", 0, position) + 1
    end = text.find("\n\n", position)
    paragraph = text[begin : end if end >= 0 else len(text)]
    spans = tuple(_spans(paragraph))
    opened: list[tuple[str, int]] = []
    for match in _MARK.finditer(paragraph):
        if _inside(match.start() + 1, spans):
            continue
        mark = match[0]
        if opened and opened[-1][0] == mark and _may_close(paragraph, match.start()):
            _, since = opened.pop()
            if since < position - begin <= match.start():
                return (*(open_mark for open_mark, at in opened if at < position - begin), mark)
        elif _may_open(paragraph, match.end()):
            opened.append((mark, match.start()))
    return ()


def unfinished_tail(text: str) -> int:
    """Return where an unfinished link at the end of a growing text begins, or its length: shown only when whole."""
    match = _unfinished(text[-LONGEST_SPAN:])
    if match is None or open_fence(text) is not None:
        return len(text)
    return max(0, len(text) - LONGEST_SPAN) + match.start()


def _longest(start: int, end: int, limit: int, size: Callable[[int], int]) -> int:
    """Return nearly the last end that fits, knowing that `end` does not.

    Measuring reads the whole part, so the place is guessed from how the text has measured so far, and halving
    comes only after some guesses; the last few hundredths are not looked for.
    """
    fitting, too_far = start, end
    guess = start + limit
    for attempt in range(MOST_MEASURES):
        guess = min(max(guess, fitting + 1), too_far - 1)
        measured = size(guess)
        if measured > limit:
            too_far = guess
        else:
            fitting = guess
            if measured >= limit * NEARLY_FULL:
                break
        if too_far - fitting <= 1:
            break
        by_rate = start + int((guess - start) * limit * AIM / max(measured, 1))
        guess = by_rate if attempt < MOST_GUESSES and fitting < by_rate < too_far else (fitting + too_far) // 2
    return max(fitting, start + 1)


def _between_characters(text: str, start: int, length: int) -> int:
    """Step back so that no cut falls inside what people see as one character."""
    place = length
    while place > 1 and place > length - 12 and _continues(text, start + place):
        place -= 1
    return length if place <= max(1, length - 12) else place


def _continues(text: str, position: int) -> bool:
    after = text[position : position + 1]
    return bool(after) and (_JOINS.match(after) is not None or text[position - 1] == "\u200d")


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches that must not be cut: links, addresses, inline code, and those unfinished at the end."""
    for match in _KEPT_WHOLE.finditer(text):
        if match.end() - match.start() <= LONGEST_SPAN:
            yield match.start(), match.end()
    unfinished = _unfinished(text)
    if unfinished is not None and len(text) - unfinished.start() <= LONGEST_SPAN:
        yield unfinished.start(), len(text) + 1


def _unfinished(text: str) -> re.Match[str] | None:
    """Return the link or inline code that begins in a text and does not end there."""
    return _OPEN_LINK.search(_KEPT_WHOLE.sub(_blanked, text))


def _blanked(match: re.Match[str]) -> str:
    """Hide what is whole; an address at the very end may still grow."""
    grows = match.end() == len(match.string) and match[0][-1] not in ")`>"
    return match[0] if grows else "x" * len(match[0])


def _inside(place: int, spans: tuple[tuple[int, int], ...]) -> bool:
    return any(first < place < last for first, last in spans)


def _may_open(text: str, after: int) -> bool:
    return after < len(text) and not text[after].isspace()


def _may_close(text: str, at: int) -> bool:
    return at > 0 and not text[at - 1].isspace()


def _with_marks(text: str, before: tuple[str, ...], after: tuple[str, ...]) -> str:
    body = text.rstrip() if after else text
    space = text[len(body) :]
    lead = body[: len(body) - len(body.lstrip())] if before else ""
    return f"{lead}{''.join(before)}{body[len(lead) :]}{''.join(after)}{space}"


def _dedented(text: str, indent: int, closing: str) -> str:
    """Take a list's indentation off the lines of a reopened fence, up to and with its closing line."""
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        lines[number] = line[min(indent, len(line) - len(line.lstrip(" "))) :]
        if lines[number].strip() == closing:
            break
    return "".join(lines)


def _table_header(text: str, start: int) -> str:
    """Return header and rule of the table whose rows go on at `start`, or nothing."""
    if not text[start:].startswith("|") or text[start - 1 : start] != "\n":
        return ""
    block = text[text.rfind("\n\n", 0, start) + 1 : start].lstrip("\n").splitlines(keepends=True)
    if len(block) < 2 or not _TABLE_RULE.fullmatch(block[1].strip()):  # noqa: PLR2004 - a header and its rule
        return ""
    return block[0] + block[1]


_PARAGRAPH = re.compile(r"\n[ \t]*\n+")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"[.!?…]['\"”’)\]*_]*\s+|[。！？]")
_WORD = re.compile(r"\s+")
_KEPT_WHOLE = re.compile(
    r"!?\[[^\[\]\n]*\]\((?:[^\s()]|\([^\s()]*\))*\)|<https?://[^\s>]*>|https?://\S+|`[^`\n]+`", re.IGNORECASE
)
_OPEN_LINK = re.compile(
    r"!?(?:\[[^\[\]\n]*|\[(?!\d+\])[^\[\]\n]*\]|\[[^\[\]\n]*\]\([^)\n]*|<?https?://\S*|`[^`\n]*)\Z", re.IGNORECASE
)
_MARK = re.compile(r"(?<!\\)(?:\*\*|__|~~|\*|(?<!\w)_|_(?!\w))")
_JOINS = re.compile("[\u0300-\u036f\u200d\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_TABLE_RULE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
