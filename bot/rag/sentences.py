"""Cut Markdown into its sentences, in several languages, with code and tables kept whole."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bot.rag.lexicon import FUNCTION_WORDS, TOKEN

SentenceKind = Literal["text", "heading", "item", "code", "table"]

FENCE = re.compile(r"^\s*(```+|~~~+)(.*)$")
HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
ITEM = re.compile(r"^\s*(?:[-*+•‣◦]|\d{1,3}[.)])\s+(.*)$")
TABLE = re.compile(r"^\s*\|.*\|\s*$")
QUOTE = re.compile(r"^\s*(?:>\s?)+")
RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")

END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？｡]+[」』”）]*")
ABBREVIATIONS_TEXT = """
mr mrs ms dr prof sr jr st vs gov sen rep gen col lt sgt capt rev hon messrs mt ft
etc e.g i.e eg ie cf al fig figs no nos vol pp p ch sec approx dept est inc ltd corp
co jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri u.s u.k a.m p.m ph.d bzw ca evtl ggf z.b d.h
u.a o.ä nr str tel usw vgl sog bspw max min inkl zzgl sra srta dra ud uds ej p.ej pág núm aprox mme mlle m mm éd env
ex p.ex
"""
ABBREVIATIONS = frozenset(ABBREVIATIONS_TEXT.split())

DOTTED = re.compile(r"^[^\W\d_](?:\.[^\W\d_])*$")
"""Initials, and letters with full stops between them: "u.s", "d.c"."""
ACRONYM = re.compile(r"^[A-Z]{2}$")
ORDINARY = frozenset({"US", "UK", "EU", "UN", "TV", "PC", "AM", "PM", "AI", "IT", "CD", "EV", "HQ", "DC", "LA", "NY"})
"""Two letters written without a full stop, so that one after them ends the sentence."""

MONTH = re.compile(r"(?:Jan|Feb|Mär|Mar|Apr|Ma[iy]|Jun|Jul|Aug|Sep|Okt|Oct|Nov|De[zc])\w*")
"""After `3.`: a German date, not a sentence's end."""

TARGET = r"\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)"
MARKS = (
    (re.compile(r"!\[([^\]]*)\]" + TARGET), r"\1"),
    (re.compile(r"\[([^\]]+)\]" + TARGET), r"\1"),
    (re.compile(r"\[\^?\d+\]"), ""),
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])"), r"\1"),
    (re.compile(r"~~(.+?)~~"), r"\1"),
    (re.compile(r"\s+"), " "),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence, list item, heading, table or code block, in reading order."""

    text: str
    """Without Markdown's marks; code and tables as they stand, without the fence."""
    kind: SentenceKind = "text"
    language: str = ""
    """What stands after a code block's fence."""


def sentences(markdown: str) -> tuple[Sentence, ...]:
    """Return what the text says, piece by piece, in reading order."""
    return tuple(piece for block in blocks(markdown) for piece in pieces(block))


def split_sentences(text: str) -> tuple[str, ...]:
    """Cut running text at the ends of its sentences; abbreviations, initials and decimals do not end one."""
    found, start = [], 0
    for end in END.finditer(text):
        if ends_sentence(text[start : end.start()], end[0], text[end.end() :]):
            found.append(text[start : end.end()].strip())
            start = end.end()
    return tuple(piece for piece in (*found, text[start:].strip()) if piece)


def ends_sentence(before: str, mark: str, after: str) -> bool:
    """Whether a mark between these texts ends the sentence."""
    following = after.lstrip()
    if mark[0] in "。！？｡":
        return True
    if following[:1].islower():
        return False
    if mark[0] != "." or mark[:2] == "..":
        return True
    written = before.rsplit(maxsplit=1)[-1].lstrip("(\"'“„«[") if before.strip() else ""
    last = written.lower()
    counted = last.isdigit() and (before.strip() == last or MONTH.match(following) is not None)
    return not (last in ABBREVIATIONS or DOTTED.match(last) or counted or begins_name(written, following))


def begins_name(written: str, following: str) -> bool:
    """Whether a few capitals and what follows are one name ("ID. Buzz"): no function word opens a sentence there."""
    opening = TOKEN.match(following)
    capitals = ACRONYM.match(written) is not None and written not in ORDINARY
    return capitals and opening is not None and opening[0][:1].isupper() and opening[0].lower() not in FUNCTION_WORDS


def blocks(markdown: str) -> Iterator[Sentence]:
    """Yield paragraphs, items, headings, tables and code blocks, each as one piece."""
    gathered: list[str] = []
    kind: SentenceKind = "text"
    fence, language = "", ""
    for line in markdown.replace("\r\n", "\n").split("\n"):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                yield from block(gathered, "code", language)
                gathered, kind, fence = [], "text", ""
            else:
                gathered.append(line)
            continue
        new = "code" if mark else line_kind(line)
        if starts_block(line, kind, new):
            yield from block(gathered, kind)
            gathered, kind = [], new
        if mark:
            fence, language = mark[1], mark[2].strip()
        elif line.strip() and not RULE.match(line):
            gathered.append(line)
    yield from block(gathered, "code" if fence else kind, language if fence else "")


def line_kind(line: str) -> SentenceKind:
    """Say what a line outside code is."""
    if HEADING.match(line):
        return "heading"
    if TABLE.match(line):
        return "table"
    return "item" if ITEM.match(line) else "text"


def starts_block(line: str, kind: SentenceKind, new: SentenceKind) -> bool:
    """Whether a line begins something new; a plain line goes on with the list item above it."""
    if kind == "item" and new == "text" and line.strip():
        return False
    return new != kind or new in {"heading", "item"} or not line.strip()


def block(lines: list[str], kind: SentenceKind, language: str = "") -> Iterator[Sentence]:
    """Yield the gathered lines as one piece, if they hold anything."""
    text = "\n".join(lines)
    if text.strip():
        yield Sentence(text=text, kind=kind, language=language)


def pieces(piece: Sentence) -> Iterator[Sentence]:
    """Yield the sentences of a block; code and tables stay whole."""
    match piece.kind:
        case "code" | "table":
            yield piece
        case "heading":
            found = HEADING.match(piece.text)
            yield Sentence(text=without_marks(found[1] if found else piece.text), kind="heading")
        case kind:
            lines = [QUOTE.sub("", line) for line in piece.text.split("\n")]
            item = ITEM.match(lines[0])
            if kind == "item" and item:
                lines[0] = item[1]
            for text in split_sentences(without_marks(" ".join(lines))):
                yield Sentence(text=text, kind=kind)


def without_marks(text: str) -> str:
    """Return the text without Markdown's inline marks and footnote numbers; a link keeps its words."""
    for pattern, replacement in MARKS:
        text = pattern.sub(replacement, text)
    return text.strip()
