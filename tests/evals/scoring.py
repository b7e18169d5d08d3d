"""The metrics that every evaluation shares; each follows the definition of the set's own benchmark."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

WORD = re.compile(r"\w+")


def ndcg(ranked: Sequence[str], relevant: Mapping[str, float] | Collection[str], *, k: int = 10) -> float:
    """Normalised discounted cumulative gain at k, linear gains (Jarvelin and Kekalainen 2002)."""
    gains = dict(relevant) if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1.0)
    found = sum(gains.get(item, 0.0) / math.log2(place + 2) for place, item in enumerate(ranked[:k]))
    best = sum(gain / math.log2(place + 2) for place, gain in enumerate(sorted(gains.values(), reverse=True)[:k]))
    return found / best if best else 0.0


def recall_at(ranked: Sequence[str], relevant: Collection[str], *, k: int) -> float:
    wanted = set(relevant)
    return len(wanted & set(ranked[:k])) / len(wanted) if wanted else 0.0


def any_at(ranked: Sequence[str], relevant: Collection[str], *, k: int) -> float:
    return float(bool(set(ranked[:k]) & set(relevant)))


def mean(values: Collection[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


# Extraction ---------------------------------------------------------------------------------------------


def shingle_scores(pairs: Sequence[tuple[str, str]], *, size: int = 4) -> dict[str, float]:
    """Macro precision and recall of 4-token shingles over (true, extracted), F1 of the means (Zyte's benchmark)."""
    precisions, recalls = [], []
    for true, extracted in pairs:
        wanted, got = shingles(true, size), shingles(extracted, size)
        both = sum((wanted & got).values())
        missed, extra = sum((wanted - got).values()), sum((got - wanted).values())
        if both + extra:
            precisions.append(both / (both + extra))
        if both + missed:
            recalls.append(both / (both + missed))
    precision, recall = mean(precisions), mean(recalls)
    return {"precision": precision, "recall": recall, "f1": harmonic(precision, recall)}


def shingles(text: str, size: int) -> "Counter[tuple[str, ...]]":
    tokens = WORD.findall(text or "")
    if not tokens:
        return Counter()
    return Counter(tuple(tokens[at : at + size]) for at in range(max(1, len(tokens) - size + 1)))


def segment_scores(pages: Sequence[tuple[Sequence[str], Sequence[str], str]]) -> dict[str, float]:
    """Wanted segments present and boilerplate segments absent, counted over all pages (trafilatura's evaluation).

    `pages`: (wanted, unwanted, extracted text).
    """
    kept = slipped = wanted_total = 0
    for wanted, unwanted, text in pages:
        flat = squeeze(text)
        kept += sum(squeeze(segment) in flat for segment in wanted)
        slipped += sum(squeeze(segment) in flat for segment in unwanted)
        wanted_total += len(wanted)
    precision = kept / (kept + slipped) if kept + slipped else 0.0
    recall = kept / wanted_total if wanted_total else 0.0
    return {"precision": precision, "recall": recall, "f1": harmonic(precision, recall)}


def squeeze(text: str) -> str:
    return " ".join((text or "").split())


HEADING = re.compile(r"\s*(#{1,6})\s+(.*)")
ITEM = re.compile(r"\s*(?:[-*+•‣◦]|\d+[.)])\s+(.*)")
MARKS = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*_`]+")


def letters(text: str) -> str:
    """The text without anything but letters and digits, in lower case."""
    return re.sub(r"\W+", "", text or "").lower()


def without_marks(text: str) -> str:
    """The text without Markdown's inline marks; a link keeps its words."""
    return MARKS.sub(lambda found: found.group(1) or "", text)


def markdown_lines(markdown: str) -> list[tuple[str, str]]:
    """(kind, text) of each line: heading, item, code or text."""
    lines, in_code = [], False
    for line in (markdown or "").split("\n"):
        if line.strip().startswith("```"):
            in_code = not in_code
        elif in_code:
            lines.append(("code", line))
        elif heading := HEADING.match(line):
            lines.append(("heading", without_marks(heading[2])))
        elif item := ITEM.match(line):
            lines.append(("item", without_marks(item[1])))
        elif line.strip():
            lines.append(("text", without_marks(line)))
    return lines


def structure_counts(blocks: Sequence[Mapping[str, Any]], markdown: str) -> "Counter[str]":
    """Count, for one page's gold blocks ({t: tag, s: text}), what the Markdown kept of their structure."""
    lines = markdown_lines(markdown)
    headings = {letters(text) for kind, text in lines if kind == "heading"}
    items = {letters(text)[:60] for kind, text in lines if kind == "item"}
    keys = [letters(text) for _, text in lines]
    whole = {line.strip() for line in (markdown or "").split("\n")}
    counts: Counter[str] = Counter()
    for block in blocks:
        tag, text = block["t"], block["s"]
        key = letters(text)
        if not key:
            continue
        if re.fullmatch(r"h[1-6]", tag):
            counts["headings"] += 1
            counts["headings_marked"] += key in headings
        elif tag == "li":
            counts["items"] += 1
            counts["items_marked"] += key[:60] in items
        elif tag == "p" and len(key) > 40:
            counts["paragraphs"] += 1
            starts = any(line.startswith(key[:40]) for line in keys)
            counts["own_line"] += starts and any(line.endswith(key[-40:]) for line in keys)
        elif tag == "pre":
            code = [line.strip() for line in text.split("\n") if line.strip()]
            if len(code) > 1:
                counts["codes"] += 1
                counts["code_lines"] += sum(line in whole for line in code) / len(code)
    return counts


def structure_scores(pages: Sequence["Counter[str]"]) -> dict[str, float | None]:
    """Shares over all pages; None where a half holds no such block."""
    total: Counter[str] = Counter()
    for page in pages:
        total.update(page)
    pairs = {"headings_marked": "headings", "items_marked": "items", "own_line": "paragraphs", "code_lines": "codes"}
    return {name: total[name] / total[of] if total[of] else None for name, of in pairs.items()}


# Labels -------------------------------------------------------------------------------------------------


def recall_of(gold: Sequence[Any], predicted: Sequence[Any], label: Any) -> float:
    hits = [guess == label for truth, guess in zip(gold, predicted, strict=True) if truth == label]
    return mean(hits)


def precision_of(gold: Sequence[Any], predicted: Sequence[Any], label: Any) -> float:
    hits = [truth == label for truth, guess in zip(gold, predicted, strict=True) if guess == label]
    return mean(hits)


def balanced_accuracy(gold: Sequence[Any], predicted: Sequence[Any]) -> float:
    """Mean recall over the labels that occur."""
    return mean([recall_of(gold, predicted, label) for label in set(gold)])


def macro_f1(gold: Sequence[Any], predicted: Sequence[Any]) -> float:
    """Mean F1 over the labels that occur."""
    return mean(
        [harmonic(precision_of(gold, predicted, label), recall_of(gold, predicted, label)) for label in set(gold)]
    )
