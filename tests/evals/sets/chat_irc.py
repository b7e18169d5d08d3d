"""Addresses found in real chat: precision and recall against a plain reading of each message, word by word."""

import re
from pathlib import Path

from bot.domain.links import addresses_in
from tests.evals.records import records
from tests.evals.scoring import harmonic, mean

WORD_WITH_ADDRESS = re.compile(r"(?:https?://|(?<![\w@./-])www\.)[^\s<>\"`“”]+", re.IGNORECASE)
HOST = re.compile(r"(?:https?://)?[\w.-]*\w", re.IGNORECASE)


async def evaluate(folder: Path, split: str) -> dict:
    hits = found_total = wanted_total = messages = 0
    exact = []
    for text in texts(folder / split / "logs.jsonl"):
        wanted, found = plainly_read(text), {link.url.removeprefix("https://www.") for link in addresses_in(text)}
        wanted = {url.removeprefix("https://www.") for url in wanted}
        messages += bool(wanted)
        hits += len(wanted & found)
        found_total += len(found)
        wanted_total += len(wanted)
        if wanted or found:
            exact.append(wanted == found)
    precision, recall = hits / found_total, hits / wanted_total
    figures = {"precision": precision, "recall": recall, "f1": harmonic(precision, recall)}
    return {"items": messages, **figures, "messages_exact": mean(exact)}


def texts(path: Path) -> list[str]:
    return [message["text"] for log in records(path) for message in log["messages"] if message.get("text")]


def plainly_read(text: str) -> set[str]:
    """Every word that begins like an address, less what a careful reader takes for the sentence's own marks."""
    found = set()
    for match in WORD_WITH_ADDRESS.finditer(text):
        url = match[0]
        while url and (url[-1] in ".,;:!?'*~|" or (url[-1] in ")]}" and unbalanced(url))):
            url = url[:-1]
        if HOST.fullmatch(url) or re.match(r"(?:https?://)?[\w.-]*\w[:/?#]", url, re.IGNORECASE):
            found.add(url if url.lower().startswith("http") else f"https://{url}")
    return found


def unbalanced(url: str) -> bool:
    """Whether the closing bracket at the end has no opening one in the address."""
    closing = url[-1]
    return url.count(closing) > url.count({")": "(", "]": "[", "}": "{"}[closing])
