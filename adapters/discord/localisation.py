"""The commands' descriptions in the languages that Discord shows them in; English stands in the command table."""

from collections.abc import Mapping
from typing import Final

Words = Mapping[str, str]
"""By Discord's locale."""

MENU_NAMES: Final[Words] = {"de": "Ins Gedächtnis", "es-ES": "Guardar en memoria"}
PARAMETERS: Final[Mapping[str, Words]] = {
    "private": {"de": "Nur mir die Antwort zeigen", "es-ES": "Mostrar la respuesta solo a mí"},
    "file": {"de": "Eine Datei, die bleiben soll", "es-ES": "Un archivo para guardar"},
}
DESCRIPTIONS: Final[Mapping[str, Words]] = {
    "help": {"de": "Zeigen, was ich kann, mit Beispielen", "es-ES": "Mostrar lo que sé hacer, con ejemplos"},
    "save": {"de": "Einen Link oder eine Datei aufheben", "es-ES": "Guardar un enlace o un archivo"},
    "note": {"de": "Einen eigenen Gedanken festhalten", "es-ES": "Guardar una idea propia"},
    "ask": {"de": "Nach dem fragen, was hier gespeichert wurde", "es-ES": "Preguntar por lo que se guardó aquí"},
    "search": {"de": "Stellen mit diesen Worten finden", "es-ES": "Buscar pasajes con estas palabras"},
    "list": {"de": "Auflisten, was gespeichert wurde", "es-ES": "Listar lo que se guardó"},
    "show": {"de": "Eine Erinnerung ganz zeigen", "es-ES": "Mostrar un recuerdo entero"},
    "edit": {"de": "Titel, Notiz oder Schlagwörter ändern", "es-ES": "Cambiar el título, la nota o las etiquetas"},
    "tag": {"de": "Schlagwörter setzen", "es-ES": "Poner etiquetas"},
    "pin": {"de": "Oben anheften oder lösen", "es-ES": "Fijar arriba, o soltar"},
    "pocket": {"de": "Die Sammlung dieses Raums wählen", "es-ES": "Elegir la colección de esta sala"},
    "retry": {"de": "Eine Seite jetzt noch einmal lesen", "es-ES": "Volver a leer una página ahora"},
    "undo": {"de": "Das zuletzt Gespeicherte zurücknehmen", "es-ES": "Deshacer lo último que guardaste"},
    "forget": {"de": "Zeigen, was geht, und es überall löschen", "es-ES": "Mostrar lo que se irá y borrarlo"},
    "confirm": {"de": "Ausführen, was zu bestätigen war", "es-ES": "Hacer lo que pedí confirmar"},
    "why": {"de": "Zeigen, wie die letzte Antwort entstand", "es-ES": "Mostrar cómo surgió la última respuesta"},
    "feedback": {"de": "Stimmen zu Antworten zeigen", "es-ES": "Mostrar los votos sobre respuestas"},
    "recall": {"de": "Ältere Gespräche nutzen, oder nicht", "es-ES": "Usar conversaciones anteriores, o no"},
    "watch": {"de": "Links hier ungefragt speichern, oder nicht", "es-ES": "Guardar enlaces sin pedirlo, o no"},
    "status": {"de": "Zeigen, wie viel da ist und wartet", "es-ES": "Mostrar cuánto hay y qué espera"},
    "threads": {"de": "Jede Antwort in einem eigenen Thread", "es-ES": "Cada respuesta en su propio hilo"},
}
