"""The words around conditions in questions (who, where, what kind), in English, German and Spanish."""

# ruff: noqa: E501, SIM905 - word lists and patterns read better unbroken

import re
from collections.abc import Mapping

from bot.domain.memories import MemoryKind

WORDS_OF_KIND: Mapping[MemoryKind, str] = {
    "link": "link links url urls bookmark bookmarks lesezeichen enlace enlaces",
    "note": "note notes notiz notizen nota notas thought thoughts",
    "file": "file files document documents pdf pdfs datei dateien dokument dokumente archivo archivos documento documentos",
    "message": "message messages nachricht nachrichten mensaje mensajes",
}
KINDS: Mapping[str, MemoryKind] = {word: kind for kind, words in WORDS_OF_KIND.items() for word in words.split()}

COLLECTIVE = (
    "memory memories thing things item items article articles page pages post posts stuff everything anything entry entries source "
    "sources resource resources erinnerung erinnerungen artikel seite seiten beiträge einträge alles quellen artículo artículos "
    "página páginas cosas todo recuerdos entradas"
).split()
"""What everything kept may be called; no kind of its own."""

KIND = "|".join(sorted(KINDS, key=len, reverse=True))
KEPT = f"{KIND}|{'|'.join(COLLECTIVE)}"
"""A pattern for any word that stands for something kept."""

MANY = "|".join(word for word in (*KINDS, *COLLECTIVE) if word.endswith(("s", "en", "everything", "todo")))
"""Those in the plural."""

SHARED = re.compile(
    r"\b(?:(?:we|i|you|he|she|they|someone|somebody|anyone|anybody|who|people|everyone|team|wir|ich|wer|jemand|alle)\s+"
    r"(?:\w+\s+){0,2}?(?:shared?|saved?|post(?:ed)?|sen[dt]|add(?:ed)?|drop(?:ped)?|upload(?:ed)?|forward(?:ed)?|keep|kept|"
    r"bookmark(?:ed)?|stor(?:e|ed)|geteilt|gespeichert|gepostet|geschickt|gemerkt)"
    r"|(?:was|were|been|got|wurden?|worden)\s+(?:\w+\s+){0,3}?(?:shared|saved|posted|sent|added|uploaded|forwarded|kept|geteilt|gespeichert|gepostet)"
    r"|(?:compartimos|guardamos|enviamos|guardé|compartí|compartió|guardó|envió|compartido|guardado|compartieron|guardaron)"
    r"|(?:hat|hast|haben|habe|habt)\s+(?:\S+\s+){1,8}?(?:geteilt|gespeichert|gepostet|geschickt|gemerkt)"
    r"|(?:shared|saved|posted|added|uploaded|geteilt|gespeichert)\s+(?:by|in|on|from|since|this|last|yesterday|today|von|am|im|gestern|heute)"
    rf"|(?:{KEPT})\s+(?:shared|saved|posted|sent|added|kept))\b",
    re.IGNORECASE,
)
"""Somebody shared, saved or sent something."""

TIMED = "from|about|by|on|in|of|with|tagged|since|before|after|until|between|during|older|newer|this|last|über|von|vom|aus|seit|vor|nach|bis|ab|im|am|mit|zwischen|sobre|de|del|en|desde|hasta|antes|entre|con"
"""What may follow the thing kept in "links since May"."""

SHOW = "list|lst|lsit|lits|show|shwo|sohw|give|get|display|enumerate|zeige?|liste|lista|muestra|muéstrame|enumera|dame"
"""With the commonest slips of the fingers."""

RANK = r"(?:latest|lastest|newest|most\s+recent|last|oldest|earliest|first|neueste[nrs]?|letzte[nrs]?|älteste[nrs]?|erste[nrs]?|últim[oa]s?|primer[oa]?s?)"
RANKED = re.compile(
    rf"\b(?:(?P<before>\d{{1,2}}|two|three|five|ten|zwei|drei|fünf|zehn|dos|tres|cinco|diez)\s+)?(?P<rank>{RANK})\s+"
    rf"(?:(?P<count>\d{{1,2}}|two|three|five|ten|zwei|drei|fünf|zehn|dos|tres|cinco|diez)\s+)?(?:saved\s+|shared\s+|gespeicherten?\s+)?(?=(?P<noun>{KEPT})\b)",
    re.IGNORECASE,
)
"""The newest or oldest of what is kept: "latest link", "the last 3 notes"."""
AFTER_RANKED = (
    rf"(?=\W*$|\s+(?:{TIMED.replace('of|', '')})\b|\s+(?:(?:that|which|the)\s+)?(?:\w+\s+)?"
    r"(?:shared|saved|posted|sent|added|geteilt|gespeichert)\b)"
)
"""What shows that "the last message" is one kept here: nothing more, a condition, or somebody's sharing it."""
OLDEST = re.compile(r"oldest|earliest|first|älteste|erste|primer", re.IGNORECASE)

LISTING = re.compile(
    rf"\b(?:how\s+(?:many|meny|mny|mayn|manny)|number\s+of|count(?:\s+of)?|wie\s*viele|anzahl(?:\s+der)?|cuánt[oa]s|cuantos|cuantas)\s+(?:\S+\s+){{0,3}}?(?:{KEPT})\b"
    rf"|^\W*(?:(?:please|pls|can you|could you|bitte|por favor)\s+)*(?:{SHOW})\b"
    rf"(?:\s+\S+){{0,4}}?\s+(?:{KEPT})\b"
    rf"|^\W*(?:list|enumerate|liste|lista|enumera)\s+(?:all|every|the|our|my|alle|todos|todas)\b"
    rf"|^\W*(?:all|every|alle|todos|todas)\s+(?:the\s+|our\s+|my\s+|los\s+|las\s+|unsere\s+)?(?:\S+\s+)?(?:{KEPT})\b"
    rf"|^\W*(?:{MANY})\s+(?:{TIMED})\b"
    rf"|^\W*(?:(?:what|which|who|was|welche[rs]?|qué|cuál)\s+(?:was|is|were|are|war|ist|waren|sind|es|son|fue|fueron)\s+)?(?:(?:the|my|our|der|die|das|el|la|los|las)\s+)?(?:\d+\s+)?{RANK}\s+(?:\w+\s+)?(?:{KEPT})\b{AFTER_RANKED}"
    rf"|^\W*(?:my|our|meine|unsere|mis|nuestr[oa]s)\s+(?:{MANY})\W*$"
    r"|^\W*(?:what|was|qué)\s+(?:do|did|have|has|is|hast|habt|ist|hat|has|tienes)\s+(?:\S+\s+){0,3}?(?:saved?|stored?|kept|shared|gespeichert|gemerkt|guardado)\W*$"
    r"|^\W*what(?:['’]s|\s+is)\s+(?:in|inside)\s+(?:the|your|this|our|my)\s+(?:palace|memory|archive)\W*$"
    rf"|\b(?:which|what|welche|qué|cuáles)\s+(?:\S+\s+){{0,2}}?(?:{KEPT})\s+(?:about|on|from|with|über|zu|von|mit|sobre|de|con)\s+(?:\S+\s+){{1,6}}?"
    r"(?:are\s+there|do\s+we\s+have|do\s+you\s+have|did\s+we\s+save|gibt\s+es|haben\s+wir|hast\s+du|hay|tenemos|tienes)\b"
    rf"|\b(?:qué|cuáles)\s+(?:{KEPT})\s+(?:tienes|guardaste)\b"
    rf"|\b(?:which|what|welche|qué|cuáles)\s+(?:\S+\s+){{0,2}}?(?:{KEPT})\s+(?:gibt|do|did|have|has|were|are|was|haben|wurden|hay|tenemos)\b",
    re.IGNORECASE,
)
"""A count or a list of what is kept is wanted."""

KIND_LEAD = re.compile(
    r"(?:\b(?:how\s+(?:many|meny|mny|mayn|manny)|number\s+of|count|which|what|any|all|every|each|the|these|those|my|our|your|list|lst|show|me|recent|latest|newest|oldest|first|last|\d{1,2}|"
    r"new|saved|shared|wie\s*viele|welche|alle|die|meine|unsere|liste|zeige?|mir|neue|gespeicherten|geteilten|cuánt[oa]s|cuantos|"
    r"cuantas|qué|cuáles|los|las|todos|todas|mis|nuestros|nuestras|lista|muestra|and|und|y|or|oder|o|[\w-]+['’]s)\s+|^\W*)"
    rf"(?P<kind>{KIND})\b(?!\s*-)",
    re.IGNORECASE,
)

TAGGED = re.compile(
    r"\b(?:tagged(?:\s+(?:as|with))?|with\s+(?:the\s+)?tag|under\s+(?:the\s+)?tag|tag:|mit\s+(?:dem\s+)?(?:tag|schlagwort)|"
    r"con\s+(?:la\s+)?etiqueta|etiquetad[oa]s?(?:\s+como)?)\s*[#\"'“]?(?P<tag>[\w-]+)[\"'”]?",
    re.IGNORECASE,
)
POCKET = re.compile(
    r"\b(?:in|from|of|aus|en|de)?\s*(?:the|my|our|der|meiner|el|mi)?\s*"
    r"(?:\b(?:pocket|collection|tasche|sammlung|bolsillo|colección)[:\s]+(?:called\s+|named\s+)?(?P<after>[\"“'][^\"”']+[\"”']|[\w-]+)"
    r"|(?<=\s)(?P<before>(?!the\b|my\b|our\b|this\b|a\b)[\w-]+)\s+(?:pocket|collection)\b)",
    re.IGNORECASE,
)
SITE = re.compile(
    r"\b(?:(?:from|on|at|of|via|auf|von|bei|aus|de|en|desde)\s+|site:\s*|domain\s+)(?:https?://)?(?P<site>(?:[a-z0-9-]+\.)+[a-z]{2,12})\b(?![/\w])",
    re.IGNORECASE,
)
HERE = re.compile(
    r"\b(?:here|in\s+this\s+(?:channel|room|group|chat|thread)|hier|in\s+diesem\s+(?:kanal|raum|chat)|aquí|en\s+este\s+(?:canal|grupo|chat))\b",
    re.IGNORECASE,
)
ME = re.compile(
    r"(?<=\bdid )i\b|(?<=\bhave )i\b|\bi(?=\s+(?:have\s+)?(?:shared?|saved?|posted|sent|added|uploaded)\b)|\bby\s+me\b"
    rf"|\bmy(?=\s+(?:\w+\s+)?(?:{KEPT})\b)|\bhabe\s+ich\b|\bmeine(?=\s+(?:\w+\s+)?(?:{KEPT})\b)"
    rf"|\b(?:guardé|compartí)\b|\bmis(?=\s+(?:{KEPT})\b)",
    re.IGNORECASE,
)

SCAFFOLD = frozenset(
    (
        "a an the and or of in on at to for from by with about into over is are was were be been do does did has have had "
        "what which who whom whose when where why how many much number count list show me give get display find tell all any every each "
        "some we i you he she they our my your their us it its that this these those there here please pls can could would will "
        "shall share shared save saved post posted send sent add added drop dropped upload uploaded forward forwarded keep kept stored "
        "bookmarked so far hi hello hey thanks ok okay somebody someone anybody anyone people everyone team enumerate regarding "
        "palace archive inside tienes concerning related called named not "
        "der die das den dem des ein eine einen und oder von vom im in am auf zu zum zur über mit für ist sind war waren hat haben habe "
        "habt hast du meny mny manny lst lsit lits shwo sohw was welche welcher wer wo wann wie viele viel anzahl zeig zeige liste mir alle uns wir ich ihr bitte gibt es geteilt "
        "gespeichert gepostet geschickt gemerkt wurde wurden jemand hallo danke "
        "el la los las un una unos unas y o de del en a al para por con sobre acerca es son está están hay qué que cuál cuáles quién "
        "quien cuándo dónde cómo cuántos cuántas cuantos cuantas lista muestra muéstrame dame todos todas compartió guardó envió "
        "compartimos guardamos hemos ha han compartido guardado nos mi mis nuestros tenemos hola gracias favor guardé compartí"
    ).split()
) | frozenset(COLLECTIVE)
"""Words that frame a question about what is kept and say nothing about the topic."""
