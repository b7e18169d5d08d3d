"""Turn any text a person types into words that FTS5 finds: folded letters, spaced scripts, quoted terms (pure)."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

MOST_ROWS = 10_000
"""Rows that the terms of one query may match together: FTS5 has no early stopping, each costs 1 to 3 µs."""
MOST_TERMS = 32
LONGEST_QUERY = 20_000

# Letters with strokes and ligatures have no decomposition, so no tokenizer's diacritics rule reaches them.
_STROKES = str.maketrans(
    {
        "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T",
        "ı": "i", "ŀ": "l", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ß": "ss", "ẞ": "SS", "ð": "d", "Ð": "D",
        "þ": "th", "Þ": "TH", "ŋ": "n", "Ŋ": "N", "\0": " ", "’": "'", "‘": "'", "ʼ": "'",
    }
)  # fmt: skip
# Scripts written without spaces, and Korean, whose words carry their particles: each character is a word here.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
_ONE_UNSPACED = re.compile(f"([{_UNSPACED}])")
_RUNS = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_ELISION = re.compile(r"^(?:l|d|j|c|n|m|t|s|qu)'(?=\w{3})", re.IGNORECASE)
_POSSESSIVE = re.compile(r"'s$", re.IGNORECASE)

STOP_WORDS = frozenset(
    # English
    "a about all also am an and any are as at be been being but by can could did do does doing done for from had has "
    "have having he her here hers him his how i if in into is it its just me more most my no nor not of on one or our "
    "out over own said same say she should so some such than that the their them then there these they this those to "
    "too us very was we were what what's when where which while who whom whose why will with would you your yours "
    "don't doesn't didn't isn't aren't wasn't i'm it's that's there's please tell "
    # German
    "der die das den dem des ein eine einen einem einer und oder ist sind war waren wird werden wie was wer wo wann "
    "warum mit von zu zum zur für auf aus bei nach über unter im am es er sie wir ihr ich du nicht auch noch nur als "
    "dass hat haben "
    # Spanish
    "el la los las un una unos unas y o es son era fue de del al en por para con sin que qué como cómo quién cuál "
    "cuándo dónde su sus se lo le les nos mi tu yo ha han más pero "
    # French
    "le les une des du et ou est sont était dans sur sous pour par avec sans que qui quoi quel quelle comment quand où "
    "ce cette ces son sa ses leur leurs il elle ils elles nous vous je ne pas plus au aux en".split()
)


def fold(text: str) -> str:
    """Return `text` with one spelling for each letter; case and accents are the tokenizer's work."""
    return unicodedata.normalize("NFKC", sound(text)).translate(_STROKES)


def sound(text: str) -> str:
    """Return a text that a file can hold: half of a surrogate pair, which some platforms send, is replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


def indexed(text: str) -> str:
    """Return `text` as it is written into an index: folded, every character of an unspaced script a word."""
    return _ONE_UNSPACED.sub(r" \1 ", fold(text))


def terms(text: str) -> tuple[str, ...]:
    """Return the distinct terms of what a person typed, in order, each a phrase of words that stand together.

    `state-of-the-art` and `node.js` are one term each; a run of an unspaced script is its pairs of characters.
    Stop words go where other terms remain. Signs alone (also emoji) give nothing.
    """
    found = list(dict.fromkeys(term for token in fold(text[:LONGEST_QUERY]).split() for term in _of_token(token)))
    telling = [term for term in found if term not in STOP_WORDS]
    return tuple(telling or found)


def _of_token(token: str) -> Iterable[str]:
    for run in _RUNS.findall(token):
        if _ONE_UNSPACED.match(run):
            letters = "".join(letter for letter in run if letter.isalnum())
            yield from _pairs(letters)
        else:
            yield from _word(run)


def _pairs(letters: str) -> Iterable[str]:
    if len(letters) < 2:  # noqa: PLR2004 - a pair
        return (letters,) if letters else ()
    return (" ".join(letters[at : at + 2]) for at in range(len(letters) - 1))


def _word(run: str) -> Iterable[str]:
    word = _ELISION.sub("", _POSSESSIVE.sub("", _trimmed(run.lower())))
    return (word,) if any(letter.isalnum() for letter in word) else ()


def _trimmed(word: str) -> str:
    start, end = 0, len(word)
    while start < end and not word[start].isalnum():
        start += 1
    while end > start and not word[end - 1].isalnum():
        end -= 1
    return word[start:end]


def parts(found: Sequence[str]) -> tuple[str, ...]:
    """Return the single words of these terms, for a search that no longer asks them to stand together."""
    return tuple(dict.fromkeys(part for term in found for part in re.findall(r"[^\W_]+", term)))


def chosen(found: Sequence[str], frequency: Mapping[str, int]) -> tuple[str, ...]:
    """Return the terms worth searching, rarest first: those that occur, within what a large index can bear."""
    occurring = sorted((term for term in found if frequency[term]), key=lambda term: frequency[term])
    kept: list[str] = []
    rows = 0
    for term in occurring[:MOST_TERMS]:
        rows += frequency[term]
        if kept and rows > MOST_ROWS:
            break
        kept.append(term)
    return tuple(kept)


def quoted(term: str) -> str:
    """Return a term as an FTS5 string, so that nothing in it is an operator."""
    return '"' + term.replace('"', '""') + '"'


def all_of(found: Iterable[str]) -> str:
    """Return the FTS5 expression for rows with every one of these terms."""
    return " AND ".join(quoted(term) for term in found)


def any_of(found: Iterable[str]) -> str:
    """Return the FTS5 expression for rows with at least one of these terms."""
    return " OR ".join(quoted(term) for term in found)
