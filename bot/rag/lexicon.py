"""The words of a text as evidence is compared: folded, stemmed, without function words; its numbers and its names."""

import re
import unicodedata
from functools import lru_cache

TOKEN = re.compile(
    r"[぀-ヿ㐀-鿿가-힯฀-๿]"  # one character a token, where words are not spaced
    r"|\d+(?:[.,:]\d+)+"
    r"|[^\W_]+(?:['’][^\W_]+)?"
)
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
ENDINGS = ("ization", "isation", "ational", "fulness", "ousness", "iveness", "ations", "ingly", "ation")
SHORT_ENDINGS = ("ments", "ment", "ness", "ings", "ing", "ies", "ied", "edly", "ers", "er", "est", "ed", "ly")
LEAST_STEM = 4
"""Letters that a stem keeps at least."""

NUMBER_WORDS = {
    word: str(value)
    for names in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
    )
    for value, word in enumerate(names.split())
    if word != "un"
}

FUNCTION_WORDS_TEXT = """
a an the and or but if of in on at to for from by with without as is are was were be been being am do does did done
has have had having it its it's he she they them their his her hers him we us our you your i me my mine this that
these those there here which who whom whose what when where why how than then so such not no nor also into onto over
under about after before between during through up down out off again more most some any each few other own same
very can could will would shall should may might must just only while because until against both all too s t d ll re
ve der die das den dem des ein eine einen einem einer eines und oder aber wenn von im auf zu zum zur für mit ohne
als ist sind war waren sein wird werden wurde wurden hat haben hatte es er sie ihr ihre wir uns unser du ich mein
dieser diese dieses dass daß wann wo warum wie wer nicht kein keine auch bei nach vor aus über unter durch el la los
las un una unos unas y o u pero si de del en al por para con sin como son era eran fue fueron ser ha han había lo le
les se su sus nos nuestro yo mi este esta estos estas eso que qué cuándo dónde cómo quién cual ni también más muy ya
entre sobre desde hasta cuando donde l une et ou mais dans au aux à par pour avec sans comme est sont était étaient
être été ont avait il elle ils elles nous vous je mon ma mes ce cet cette ces ça qui quoi quand où comment ne pas
aussi plus très sur depuis dont
"""
FUNCTION_WORDS = frozenset(FUNCTION_WORDS_TEXT.split())


def terms(text: str) -> tuple[str, ...]:
    """Return the content words of a text in order, as `fold` leaves them."""
    return tuple(fold(token) for token in TOKEN.findall(text) if token.lower() not in FUNCTION_WORDS)


@lru_cache(maxsize=65_536)
def fold(token: str) -> str:
    """Return a word without case, accents and common endings; a number in digits without thousands marks."""
    word = "".join(c for c in unicodedata.normalize("NFKD", token.lower()) if not unicodedata.combining(c))
    word = word.replace("’", "'").removesuffix("'s")
    if word[:1].isdigit():
        return plain_number(word)
    return NUMBER_WORDS.get(token.lower()) or stem(word)


def stem(word: str) -> str:
    """Return a word without its commonest English endings; a shorter relative of Porter (1980)."""
    for ending in (*ENDINGS, *SHORT_ENDINGS):
        if word.endswith(ending) and len(word) - len(ending) >= LEAST_STEM - 1:
            return undouble(word.removesuffix(ending) + ("i" if ending in {"ies", "ied"} else ""))
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) >= LEAST_STEM:
        word = word[:-1]
    return undouble(word.removesuffix("e")) if len(word) >= LEAST_STEM else word


def undouble(word: str) -> str:
    """Return `stopp` as `stop`: a doubled last consonant is single, a last `y` is `i`."""
    if len(word) >= LEAST_STEM and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") else word


def plain_number(number: str) -> str:
    """Return `1,234.50` as `1234.5`: thousands marks and trailing zeros of decimals away."""
    digits = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", number)
    digits = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", digits).replace(",", ".")
    return digits.rstrip("0").rstrip(".") if digits.count(".") == 1 else digits


def numbers(text: str) -> tuple[str, ...]:
    """Return the numbers of a text, as `plain_number` writes them."""
    return tuple(plain_number(found) for found in NUMBER.findall(text))


def names(text: str) -> tuple[str, ...]:
    """Return the folded words that look like names: with a capital inside a sentence, or letters beside digits."""
    found = []
    for match in TOKEN.finditer(text):
        token = match[0]
        opens = not text[: match.start()].rstrip("\"'“„«(* ") or text[: match.start()].rstrip()[-1:] in ".!?:\n"
        mixed = any(c.isdigit() for c in token) and any(c.isalpha() for c in token)
        inside = any(c.isupper() for c in token[1:])
        if mixed or inside or (token[0].isupper() and not opens):
            found.append(token)
    return tuple(fold(token) for token in found if token.lower() not in FUNCTION_WORDS)
