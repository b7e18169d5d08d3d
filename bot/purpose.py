"""Decide what a message is for: a save, a note, a question, a command, or nothing of ours (pure)."""

import re
from typing import Final, Literal

from bot.commands import parse_command, spoken_command
from bot.domain.links import addresses_in, typed_address
from bot.domain.messages import Message
from bot.rag.route_words import lists
from bot.saving import asked_to_keep, note_of, tags_in, without_request

Purpose = Literal["save", "note", "watch", "answer", "command", "ignore"]

SAVE_THIS: Final = re.compile(
    r"\s*(?:please\s+)?(?:save|note|keep|remember|speicher\w*|merk\w*|notiz|guarda\w*|nota)"
    r"(?:\s+(?:this|that|it|das|dies|esto))?\s*[.!:：]*\s*",
    re.IGNORECASE,
)
"""A whole message that asks to keep something which is not in it."""
LEAD: Final = (
    r"\W*(?:(?:and|so|but|ok|okay|hey|hi|hello|please|palace|can\s+you|could\s+you|und|hallo|bitte|kannst\s+du|"
    r"y|hola|por\s+favor|puedes)[\s,]+)*"
)
QUESTION: Final = re.compile(
    rf"{LEAD}(?:"
    r"(?:what|who|whom|when|where|why|how|which)(?:['’]s|\s+(?:is|are|was|were|do|does|did|can|could|should|would|will|has|"
    r"have|had|about|else|many|much|long|old|often|far))\b"
    r"|(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have)\s+(?:it|there|this|that|these|the|we|you|i|he|"
    r"she|they|any\w*|some\w*|https?)\b"
    r"|(?:was|wer|wen|wem|wann|wo|woher|wohin|warum|wieso|weshalb|wie|welche[rsmn]?)\s+(?:\w+\s+)?(?:ist|sind|war|waren|hat|"
    r"haben|habt|kann|können|soll|sollte|muss|wird|werden|gibt|geht|kostet|steht|sagt|heißt|funktioniert|viele?|lange|oft)\b"
    r"|(?:wer|wen|wem|wann|wo|woher|wohin|warum|wieso|weshalb|wie|welche[rsmn]?)\s+\w{2,}t\b"
    r"|(?:gibt\s+es|haben\s+wir|habe\s+ich|hat\s+(?:jemand|wer))\b"
    r"|(?:qué|quién(?:es)?|cuándo|dónde|por\s+qué|cómo|cuál(?:es)?|cuánt[oa]s?|hay|tenemos)\s+(?:es|son|fue|está|están|hay|dice|"
    r"cuesta|tenemos|guard\w+|compart\w+|algo|funciona|se|enlaces|notas)\b"
    r")",
    re.IGNORECASE,
)
"""A question by its first words; "How I bake" and "Why we left" are titles."""
LOOK_UP: Final = re.compile(
    rf"{LEAD}(?:list|show|find|search|look\s+(?:up|for)|get\s+me|give\s+me|tell\s+(?:me|us)|count|summari[sz]e|compare|explain|"
    r"remind\s+me|(?:any|every)thing\s+(?:about|on|in|with|tagged|from)|zeige?|liste|suche?|finde?|gib\s+(?:mir|uns)|nenne?|"
    r"sag\s+mir|erzähl\w*|vergleiche?|erklär\w*|fasse?|zähle?|alles\s+(?:über|zu|mit|aus)|lista|muestra|muéstra\w*|busca|"
    r"encuentra|dame|dime|cuenta|resume|compara|explica|enumera|todo\s+(?:sobre|con|de))\b",
    re.IGNORECASE,
)
"""Words that tell the bot to look something up."""
LOOK_INTO: Final = re.compile(
    rf"{LEAD}(?:summari[sz]e|compare|explain(?:\s+(?:me|to\s+me))?|tell\s+(?:me|us)|show\s+(?:me|us)|give\s+(?:me|us)|"
    r"zeige?\s+mir|erklär\w*|vergleiche?|fasse?|gib\s+mir|sag\s+mir|resume|explica|compara|dime|dame|muéstrame)\b",
    re.IGNORECASE,
)
"""The same beside an address, where "Show HN" and "Find your pace" are a page's title."""


def purpose(message: Message) -> Purpose:
    """Decide what a message is for. Nobody is answered who did not address the bot."""
    if message.surface in {"shortcut", "menu", "reaction", "import"}:
        return "save"
    command = parse_command(message.text)
    if command and (command.known or message.addressed):
        return "command"
    links = message.links or addresses_in(message.text)
    if not message.addressed:
        brought = links or any(file.path for file in message.attachments)
        return "watch" if brought and message.watched else "ignore"
    if message.origin is not None or message.attachments:
        return "save"
    if spoken_command(message.text):
        return "command"
    if SAVE_THIS.fullmatch(message.text):
        return "save"
    if asked_to_keep(message.text):
        return "save" if links or typed_address(without_request(message.text)) else "note"
    if links:
        return "answer" if asks_about_link(note_of(message.text, tuple(links)), message.text) else "save"
    if message.room.kind == "direct" and tags_in(message.text) and not asks(message.text):
        return "note"
    return "answer"


def asks(text: str) -> bool:
    """Whether a text without an address wants something looked up: then it is no thought, whatever tags it names."""
    return bool(re.search(r"[?？¿]", text) or QUESTION.match(text) or LOOK_UP.match(text) or lists(text))


def asks_about_link(words: str, text: str) -> bool:
    """Whether the words beside an address ask about it; a page's title often begins like a question."""
    return bool(re.search(r"[?？¿]", words) or QUESTION.match(text) or LOOK_INTO.match(words) or lists(words))
