"""The keys of what is no page: a text is known by its words, a file by where it lies."""

import hashlib


def text_key(text: str) -> str:
    """Return the key of a thought or a message: the same words, however they are spaced, are the same thing."""
    return f"text:{digest(' '.join(text.split()))}"


def file_key(known_by: str) -> str:
    """Return the key of a file."""
    return f"file:{digest(known_by)}"


def digest(text: str) -> str:
    """Return 32 hexadecimal digits of the text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
