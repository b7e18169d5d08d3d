"""Know a question that asks about a thing as a whole ("summarise X", "tell me about X"), and what thing that is (pure)."""

# ruff: noqa: E501 - patterns read better unbroken

import re
from typing import Final

from bot.rag.lexicon import FUNCTION_WORDS, TOKEN

WHOLE: Final = r"(?:(?:everything|all|anything|something|more|what(?:\s+(?:we|i|you)\s+(?:have|saved|know|kept))?)\s+)?"
ASKS: Final = (
    rf"(?:summari[sz]e|sum\s+up|recap|outline)\s+{WHOLE}(?:(?:about|on|of)\s+)?(?P<topic>.+)",
    r"(?:.{0,40}\b)?(?:summary|overview|recap|gist|outline|tl;?dr|key\s+points|main\s+points|takeaways|highlights)\s+(?:of|on|about|from)\s+(?P<topic>.+)",
    rf"tell\s+(?:me|us)\s+{WHOLE}(?:about|on|of)\s+(?P<topic>.+)",
    r"what\s+(?:do|did)\s+(?:we|you|i)\s+(?:know|have|remember|learn)\s+(?:about|on|of)\s+(?P<topic>.+)",
    r"(?:(?:do\s+we\s+have|is\s+there|have\s+we|show\s+me|give\s+me)\s+)?(?:anything|something|everything|information|info|details)\s+(?:about|on)\s+(?P<topic>.+)",
    r"what(?:['’]s|\s+is|\s+are)\s+(?P<topic>.+?)\s+(?:all\s+)?about",
    r"fasse?\s+(?:(?:mir|uns)\s+)?(?:alles\s+)?(?:(?:über|zu)\s+)?(?P<topic>.+?)\s+zusammen",
    r"(?:.{0,40}\b)?(?:zusammenfassung|überblick|kernpunkte)\s+(?:von|vom|der|des|über|zu|zum|zur)\s+(?P<topic>.+)",
    r"(?:was\s+(?:wissen|haben)\s+wir|was\s+weißt\s+du|erzähl\w*\s+(?:mir|uns)(?:\s+(?:etwas|mehr|alles))?|etwas|alles)\s+(?:über|zu|zum|zur|von|vom)\s+(?P<topic>.+)",
    r"worum\s+geht\s+es\s+(?:in|im|bei|beim)\s+(?P<topic>.+)",
    r"resum(?:e|en|ir|eme|enme)\s+(?:todo\s+)?(?:(?:sobre|de)\s+)?(?P<topic>.+)",
    r"(?:.{0,40}\b)?(?:resumen|puntos\s+clave|panorama)\s+(?:de|del|sobre)\s+(?P<topic>.+)",
    r"(?:háblame|cuéntame|qué\s+sabemos|qué\s+tenemos|algo|todo)\s+(?:de|del|sobre)\s+(?P<topic>.+)",
    r"de\s+qué\s+trata\s+(?P<topic>.+)",
)
LEAD: Final = r"\W*(?:(?:and|so|ok|okay|please|can\s+you|could\s+you|bitte|kannst\s+du|y|por\s+favor|puedes)[\s,]+)*"
ASKED: Final = tuple(re.compile(rf"{LEAD}{asks}\W*", re.IGNORECASE | re.DOTALL) for asks in ASKS)
HOLDERS: Final = frozenset(
    [
        "guide",
        "page",
        "article",
        "note",
        "notes",
        "document",
        "documents",
        "report",
        "link",
        "links",
        "post",
        "paper",
        "talk",
        "thread",
        "file",
        "video",
        "book",
        "recipe",
        "seite",
        "artikel",
        "notiz",
        "notizen",
        "dokument",
        "bericht",
        "link",
        "text",
        "buch",
        "página",
        "artículo",
        "nota",
        "notas",
        "documento",
        "informe",
        "enlace",
    ]
)
"""What a topic comes in, which its text seldom says."""


def topic_words(question: str) -> tuple[str, ...]:
    """Return the words of the thing that a question asks about as a whole; none where it asks for one fact."""
    found = next((match for asked in ASKED if (match := asked.fullmatch(question.strip()))), None)
    words = content_words(found["topic"]) if found else ()
    return tuple(word for word in words if word.lower() not in HOLDERS) or words


def content_words(text: str) -> tuple[str, ...]:
    """Return the words of a text that are no small words, as written."""
    return tuple(word for word in TOKEN.findall(text) if word.lower() not in FUNCTION_WORDS)
