"""Tell the sides that a question compares: "Apple and Google", "green tea vs. black tea" (pure)."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from bot.rag.lexicon import FUNCTION_WORDS, fold, terms
from bot.rag.naming import alike

CONNECTORS = (
    r"vs\.?|versus|gegenüber|gegen|contra|contre",
    r"and|und|y|e|et|&",
    r"or|oder|o|ou",
    r"compared (?:to|with)|differ from|with|to|mit|con|avec|than|als",
)
"""From the surest to the least sure."""
WORD = re.compile(r"[\w.+#/-]*\w[+#]*(?:['’]s?)?")
THAN = frozenset({"than", "als"})
DEGREE = re.compile(r"(?:\s+(?:is|are|was|ist|sind|war))?\s+(?-i:[a-zäöüß]+)\s*$")
"""What stands between a side and "than": "is heavier"."""
ASKING = re.compile(
    r"\W*(?:which|what|who|welche\w*|was|wer|qué|cuál(?:es)?|quién)\b(?!.*\b(?:of|von|between|zwischen|entre|de)\b)",
    re.IGNORECASE,
)
"""A clause that asks before the sides are named: "Which is bigger, …"."""
COMPARING_TEXT = """
compare compares compared comparing comparison difference differences differ different between better best worse
pros cons versus similarities similar contrast advantages vergleich vergleiche vergleichen unterschied unterschiede
zwischen besser compara comparar comparación diferencia diferencias entre mejor comparer comparez comparaison
différence différences mieux
"""
COMPARING = frozenset(COMPARING_TEXT.split())
JOINING = frozenset({"of", "de", "del", "di"})
"""Words inside a name: "queso de cabra"."""
LONGEST_SIDE = 5
LONG_NAME, MOST_WORDS = 3, 0.65
"""From so many words on, a side is named by most of them: people shorten and lengthen long names."""


def sides(question: str) -> tuple[str, ...]:
    """Return the names of what is compared, as typed; empty when the question does not tell."""
    for connector in CONNECTORS:
        for found in re.finditer(rf"(?<=\s)(?:{connector})(?=\s)", question, re.IGNORECASE):
            left = before(
                DEGREE.sub("", question[: found.start()]) if found[0].lower() in THAN else question[: found.start()]
            )
            right = after(question[found.end() :])
            if left and all(name[:1].isupper() for name in left):
                right = proper(right)
            if left and right and fold(left[-1]) != fold(right):
                return (*left, right)
    return ()


def before(text: str) -> tuple[str, ...]:
    """Return the side that ends here, and those before it in a list with commas."""
    listed = re.split(r",\s*", text.strip().rstrip(","))
    last = tail(listed[-1])
    if last != listed[-1].strip():
        return (last,) if last else ()
    earlier = []
    for part in reversed(listed[:-1]):
        if ASKING.match(part):
            break
        name = tail(part)
        if not name:
            break
        earlier.append(name)
        if name != part.strip():
            break
    return (*reversed(earlier), last) if last else ()


def tail(text: str) -> str:
    """Return the run of telling words at the end of a text."""
    found = [match[0] for match in WORD.finditer(text) if match[0]]
    while found and found[-1].lower() in COMPARING:
        found.pop()
    start = next((at for at in range(len(found), 0, -1) if not telling(found[at - 1])), 0)
    return clean(" ".join(found[max(start, len(found) - LONGEST_SIDE) :]))


def after(text: str) -> str:
    """Return the run of telling words at the beginning of a text; a possessive ends it."""
    found = [match[0] for match in WORD.finditer(re.split(r"[?!;:,]|\.\s", text.strip(), maxsplit=1)[0]) if match[0]]
    start = next((at for at, word in enumerate(found) if telling(word)), len(found))
    return clean(" ".join(run(found[start:])))


def run(words: Sequence[str]) -> list[str]:
    """Return the telling words that a list begins with, and those joined to them by an "of"."""
    kept: list[str] = []
    for at, word in enumerate(words):
        joins = word.lower() in JOINING and kept and at + 1 < len(words) and telling(words[at + 1])
        if not (telling(word) or joins) or len(kept) >= LONGEST_SIDE:
            break
        kept.append(word)
        if word.endswith(("'s", "’s")):
            break
    return kept


def proper(name: str) -> str:
    """Return `Forge pricing` as `Forge`: beside a proper name, what follows one is the aspect compared."""
    words = name.split()
    count = next((at for at, word in enumerate(words) if not word[:1].isupper()), len(words))
    return " ".join(words[:count]) if count else name


def telling(word: str) -> bool:
    """Whether a word can be part of a side's name."""
    return word.lower() not in FUNCTION_WORDS and word.lower() not in COMPARING


def clean(name: str) -> str:
    """Return a name without a possessive ending."""
    return re.sub(r"['’]s?$", "", name).strip(" .")


def speaks_of(side: str, text: str) -> bool:
    """Whether a text names this side: all of its words, or its first where that is a name, or most of a long one."""
    wanted = terms(side)
    there = set(terms(text))
    named = bool(wanted) and side[:1].isupper() and any(alike(wanted[0], other) for other in there)
    return named or share(side, there) >= (MOST_WORDS if len(wanted) >= LONG_NAME else 1.0)


def share(side: str, there: AbstractSet[str]) -> float:
    """Return the share of a side's words, as `terms` gives them, that are there in one form or another."""
    wanted = terms(side)
    held = sum(term in there or any(alike(term, other) for other in there) for term in wanted)
    return held / len(wanted) if wanted else 0.0


def naming(named: Sequence[str], text: str) -> str:
    """Return the one side that a text names more fully than any other; empty where there is none."""
    there = set(terms(text))
    shares = sorted(((share(side, there), side) for side in named), reverse=True)
    if not shares or not shares[0][0] or (len(shares) > 1 and shares[0][0] == shares[1][0]):
        return ""
    return shares[0][1]
