"""Write replies as plain text: for pipes, files and terminals without redrawing."""

import re
import sys
from collections.abc import Sequence

from adapters.source_words import source_words
from bot.domain.answers import Answer, Citation
from bot.domain.lines import printable
from bot.domain.replies import Notice, Sign

LINK = re.compile(r"\[(?P<label>[^\[\]\n]+)\]\(<?(?P<url>[^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?\)")
BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


class PlainReply:
    """One reply, written when it is whole; failures go to standard error."""

    def __init__(self) -> None:
        self.stopped = False
        self.failed = False

    async def status(self, text: str) -> None:
        """Nothing: a status would stand between the answers for ever."""

    async def show(self, text_so_far: str) -> None:
        """Nothing: the text is written when it is whole, since its last check may still change it."""

    async def finish(self, answer: Answer) -> None:
        text = plain(answer.text) or ("(stopped)" if answer.stopped else "")
        write("\n".join([text, *source_lines(answer.citations, answer.language)]))

    async def fail(self, reason: str) -> None:
        self.failed = True
        sys.stdout.flush()
        sys.stderr.write(f"{printable(reason)}\n")
        sys.stderr.flush()

    async def say(self, notice: Notice) -> None:
        write(plain(notice.text))

    async def mark(self, sign: Sign) -> None:
        """Nothing: a line of its own would say more than a sign does."""


def write(text: str) -> None:
    """Write a text and an empty line after it, at once."""
    sys.stdout.write(f"{text}\n\n")
    sys.stdout.flush()


def plain(markdown: str) -> str:
    """Return Markdown as people write it in a letter: links with their address behind them, no other marks."""
    text = LINK.sub(lambda link: f"{link['label']} ({link['url']})", printable(markdown))
    return CODE.sub(r"\1", BOLD.sub(r"\1", text)).rstrip()


def source_lines(citations: Sequence[Citation], language: str = "") -> list[str]:
    """Return the sources of an answer, one a line under its number; nothing where there are none."""
    if not citations:
        return []
    return ["", f"{source_words(language).heading}:", *(printable(source_line(one, language)) for one in citations)]


def source_line(citation: Citation, language: str = "") -> str:
    """Return a source in a line: number, title, who shared it where and when, address."""
    words = source_words(language)
    who = " ".join(
        part
        for part in (
            f"{words.by} {citation.person_name}" if citation.person_name else "",
            f"{words.room} {citation.room_name}" if citation.room_name else "",
            f"{words.on} {words.date(citation.shared_at)}" if citation.shared_at else "",
        )
        if part
    )
    parts = (citation.title or citation.url or "untitled", f"{words.saved} {who}" if who else "", citation.url)
    shown = parts if citation.title else parts[:2]
    return f"[{citation.number}] " + " · ".join(part for part in shown if part)
