"""Tell the sides that a question compares: "Apple and Google", "green tea vs. black tea" (pure)."""

import re

from bot.rag.lexicon import FUNCTION_WORDS, fold, terms

CONNECTORS = (
    r"vs\.?|versus|gegenüber|gegen|contra|contre",
    r"and|und|y|e|et|&",
    r"or|oder|o|ou",
    r"compared (?:to|with)|differ from|with|to|mit|con|avec|than|als",
)
"""From the surest to the least sure."""
WORD = re.compile(r"[\w.+#/-]*\w[+#]*(?:['’]s?)?")
COMPARING_TEXT = """
compare compares compared comparing comparison difference differences differ different between better best worse
pros cons versus similarities similar contrast advantages vergleich vergleiche vergleichen unterschied unterschiede
zwischen besser compara comparar comparación diferencia diferencias entre mejor comparer comparez comparaison
différence différences mieux
"""
COMPARING = frozenset(COMPARING_TEXT.split())
LONGEST_SIDE = 4


def sides(question: str) -> tuple[str, ...]:
    """Return the names of what is compared, as typed; empty when the question does not tell."""
    for connector in CONNECTORS:
        for found in re.finditer(rf"(?<=\s)(?:{connector})(?=\s)", question, re.IGNORECASE):
            left = before(question[: found.start()])
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
        name = tail(part)
        if not name:
            break
        earlier.append(name)
        if name != part.strip():
            break
    return (*reversed(earlier), last) if last else ()


def tail(text: str) -> str:
    """Return the run of telling words at the end of a text."""
    words: list[str] = []
    found = [match[0] for match in WORD.finditer(text) if match[0]]
    while found and found[-1].lower() in COMPARING:
        found.pop()
    for word in reversed(found):
        if not telling(word) or len(words) == LONGEST_SIDE:
            break
        words.insert(0, word)
    return clean(" ".join(words))


def after(text: str) -> str:
    """Return the run of telling words at the beginning of a text; a possessive ends it."""
    words: list[str] = []
    for match in WORD.finditer(re.split(r"[?!;:,]|\.\s", text.strip(), maxsplit=1)[0]):
        if not (word := match[0]):
            continue
        if words and not telling(word):
            break
        if telling(word):
            words.append(word)
        if word.endswith(("'s", "’s")) or len(words) == LONGEST_SIDE:
            break
    return clean(" ".join(words))


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
    """Whether a text names this side: all of its words, or its first where that is a name."""
    wanted = terms(side)
    there = set(terms(text))
    return bool(wanted) and (all(term in there for term in wanted) or (side[:1].isupper() and wanted[0] in there))
