"""Tell documents from all other files: what is kept of a watched room without being asked."""

import re

from bot.domain.messages import Attachment

DOCUMENT = re.compile(
    r"application/(?:pdf|msword|epub\+zip|vnd\.(?:openxmlformats-officedocument\.|ms-(?:excel|powerpoint))\S*)|text/markdown"
)
NAMED = re.compile(r"\S.*\.(?:pdf|docx|pptx|xlsx|epub|md|markdown)", re.IGNORECASE)


def is_document(file: Attachment) -> bool:
    """Whether a file is one that people read; pictures, sounds, archives, logs and pasted code are kept when asked."""
    return bool(DOCUMENT.fullmatch(file.media_type) or NAMED.fullmatch(file.name))
