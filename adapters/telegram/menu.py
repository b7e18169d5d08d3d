"""Tell Telegram the commands, for private chats, groups and those who run them, in three languages."""

import logging
from collections.abc import Mapping, Sequence

from aiogram.methods import SetMyCommands
from aiogram.types import (
    BotCommand,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeUnion,
)

from adapters.outlet import Trouble
from adapters.telegram.calls import Calls
from bot.ports import CommandRow

_LOG = logging.getLogger(__name__)

IN_GROUPS = ("ask", "save", "search", "list", "forget", "undo", "why", "status", "help")
"""What people need in a group; the rest works there too, it only is not offered."""
WORDS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "help": "Zeigt mit Beispielen, was ich kann",
        "save": "Merkt sich einen Link, eine Datei oder die beantwortete Nachricht",
        "note": "Merkt sich einen eigenen Gedanken",
        "ask": "Fragt nach dem, was hier gemerkt wurde",
        "search": "Zeigt Stellen mit diesen Wörtern oder dieser Bedeutung",
        "list": "Zeigt, was gemerkt wurde",
        "show": "Zeigt einen Eintrag: Titel, Notiz, Schlagwörter, Stand, Text",
        "edit": "Ändert Titel, Notiz oder Schlagwörter",
        "tag": "Setzt die Schlagwörter eines Eintrags",
        "pin": "Heftet einen Eintrag oben an oder löst ihn",
        "pocket": "Wählt das Fach dieses Chats oder zeigt alle Fächer",
        "retry": "Liest eine Seite jetzt noch einmal",
        "undo": "Nimmt das zuletzt Gemerkte zurück",
        "forget": "Zeigt, was verschwinden wird, und vergisst es dann überall",
        "confirm": "Führt aus, was ich bestätigen ließ",
        "why": "Zeigt, wie die letzte Antwort entstand",
        "feedback": "Zeigt die Stimmen zu Antworten oder nimmt eine zurück",
        "recall": "Erlaubt mir ältere Gespräche dieses Chats oder nicht",
        "watch": "Merkt sich Links hier ungefragt oder nicht",
        "status": "Zeigt, wie viel gemerkt ist und was noch wartet",
    },
    "es": {
        "help": "Muestra lo que sé hacer, con ejemplos",
        "save": "Guarda un enlace, un archivo o el mensaje al que respondes",
        "note": "Guarda una idea tuya",
        "ask": "Pregunta sobre lo guardado aquí",
        "search": "Muestra pasajes con estas palabras o con este sentido",
        "list": "Muestra lo guardado",
        "show": "Muestra un recuerdo: título, nota, etiquetas, estado, texto",
        "edit": "Cambia el título, la nota o las etiquetas",
        "tag": "Pone las etiquetas de un recuerdo",
        "pin": "Fija un recuerdo arriba o lo suelta",
        "pocket": "Elige el bolsillo de este chat o muestra todos",
        "retry": "Vuelve a leer una página ahora",
        "undo": "Deshace lo último que guardaste aquí",
        "forget": "Muestra lo que se borrará y lo olvida en todas partes",
        "confirm": "Hace lo que te pedí confirmar",
        "why": "Muestra cómo se llegó a la última respuesta",
        "feedback": "Muestra los votos sobre respuestas o retira uno",
        "recall": "Me permite usar conversaciones anteriores, o no",
        "watch": "Guarda los enlaces de este chat sin pedirlo, o no",
        "status": "Muestra cuánto hay guardado y qué está en espera",
    },
}
"""By language: each command's sentence, where it is not English."""


async def register(calls: Calls, rows: Sequence[CommandRow]) -> None:
    """Set the commands of every scope and language; without them they only are not offered while one types."""
    scopes: tuple[tuple[BotCommandScopeUnion, Sequence[CommandRow]], ...] = (
        (BotCommandScopeAllPrivateChats(), rows),
        (BotCommandScopeAllGroupChats(), [row for row in rows if row.name in IN_GROUPS]),
        (
            BotCommandScopeAllChatAdministrators(),
            [row for row in rows if row.name in IN_GROUPS or row.administrators_only],
        ),
    )
    try:
        for scope, offered in scopes:
            for language in ("", *WORDS):
                commands = [_command(row, language) for row in offered]
                await calls(SetMyCommands(commands=commands, scope=scope, language_code=language or None))
    except Trouble as error:
        _LOG.info("The commands could not be registered: %s", error)


def _command(row: CommandRow, language: str) -> BotCommand:
    return BotCommand(command=row.name, description=WORDS.get(language, {}).get(row.name, row.help))
