"""Which files are documents."""

import pytest

from adapters.documents import is_document
from bot.domain.messages import Attachment

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize(
    ("name", "media_type", "document"),
    [
        ("plan.pdf", "", True),
        ("PLAN.PDF", "application/octet-stream", True),
        ("plan", "application/pdf", True),
        ("plan", WORD, True),
        ("notes.md", "text/plain", True),
        ("cat.png", "image/png", False),
        ("voice-message.ogg", "audio/ogg", False),
        ("message.txt", "text/plain", False),
        ("server.log", "text/plain", False),
        ("all.zip", "application/zip", False),
        (".pdf", "", False),
    ],
)
def test_documents_are_what_people_read(name: str, media_type: str, *, document: bool) -> None:
    assert is_document(Attachment(name=name, media_type=media_type)) is document
