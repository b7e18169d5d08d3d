"""Say greetings and that nothing was found, in the language of the question."""

import re
from typing import Literal

from bot.rag.small_talk import is_signs

SmallTalk = Literal["greeting", "thanks", "farewell", "who", "how", "signs"]

NOTHING = {
    "en": "Nothing saved here answers that.",
    "de": "Dazu ist hier nichts gespeichert.",
    "es": "No hay nada guardado aquí que responda a eso.",
    "fr": "Rien de ce qui est enregistré ici n'y répond.",
    "it": "Qui non è salvato nulla che risponda a questo.",
    "pt": "Nada do que está guardado aqui responde a isso.",
    "nl": "Hier is niets bewaard dat dit beantwoordt.",
    "ru": "Здесь не сохранено ничего, что отвечает на это.",
}

NOTHING_ON_SIDE = {
    "en": "nothing saved about it",
    "de": "dazu ist nichts gespeichert",
    "es": "no hay nada guardado sobre esto",
    "fr": "rien d'enregistré à ce sujet",
}

KINDS: tuple[tuple[SmallTalk, re.Pattern[str]], ...] = (
    (
        "who",
        re.compile(
            r"\b(who are you|what are you|what can you do|your name|how do you work|wer bist du|was kannst du|"
            r"qui[eé]n eres|qu[eé] puedes hacer|qui es[- ]tu|qui êtes[- ]vous|que peux[- ]tu|que sais[- ]tu)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "thanks",
        re.compile(
            r"\b(thanks?|thx|ty|cheers|great|awesome|perfect|nice|danke\w*|merci|gracias|super|prima|genial)\b|[🙏👍❤👏🎉]",
            re.IGNORECASE,
        ),
    ),
    (
        "farewell",
        re.compile(
            r"\b(bye|goodbye|good night|see you|later|tschüss?|ciao|gute nacht|bis (?:dann|bald|morgen)|ad[ií]os|"
            r"hasta \w+|buenas noches|au revoir|à bient[oô]t|bonne nuit|salut)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "how",
        re.compile(
            r"\b(how are you|how's it going|what's up|how do you do|wie geht|qu[eé] tal|c[oó]mo est[aá]s|ça va|"
            r"comment (?:vas|allez))",
            re.IGNORECASE,
        ),
    ),
)

REPLIES: dict[SmallTalk, dict[str, str]] = {
    "signs": {
        "en": "What would you like to know? Ask me in words and I answer from what is saved.",
        "de": "Was möchtest du wissen? Frag mich in Worten, und ich antworte aus dem Gespeicherten.",
        "es": "¿Qué quieres saber? Pregúntame con palabras y respondo con lo guardado.",
        "fr": "Que voulez-vous savoir ? Demandez-le avec des mots et je réponds avec ce qui est enregistré.",
    },
    "greeting": {
        "en": "Hello! Share a link, a file or a note and I keep it; ask me and I answer from what is saved.",
        "de": "Hallo! Teile einen Link, eine Datei oder eine Notiz, und ich bewahre sie auf; frag mich danach.",
        "es": "¡Hola! Comparte un enlace, un archivo o una nota y lo guardo; pregúntame y respondo con lo guardado.",
        "fr": "Bonjour ! Partagez un lien, un fichier ou une note et je le garde ; posez-moi ensuite vos questions.",
    },
    "thanks": {
        "en": "You're welcome!",
        "de": "Gern geschehen!",
        "es": "¡De nada!",
        "fr": "Avec plaisir !",
    },
    "farewell": {
        "en": "Goodbye! What you saved stays here.",
        "de": "Tschüss! Das Gespeicherte bleibt hier.",
        "es": "¡Hasta luego! Lo guardado se queda aquí.",
        "fr": "Au revoir ! Ce qui est enregistré reste ici.",
    },
    "who": {
        "en": "I am Palace: I keep the links, files and notes shared here and answer from them, with sources.",
        "de": "Ich bin Palace: Ich bewahre geteilte Links, Dateien und Notizen auf und beantworte Fragen daraus, "
        "mit Quellen.",
        "es": "Soy Palace: guardo los enlaces, archivos y notas que se comparten aquí y respondo con ellos, "
        "citando las fuentes.",
        "fr": "Je suis Palace : je garde les liens, fichiers et notes partagés ici et j'y réponds, sources à l'appui.",
    },
    "how": {
        "en": "All well, thank you! What would you like to know from what is saved?",
        "de": "Alles gut, danke! Was möchtest du aus dem Gespeicherten wissen?",
        "es": "Todo bien, ¡gracias! ¿Qué quieres saber de lo guardado?",
        "fr": "Tout va bien, merci ! Que voulez-vous savoir de ce qui est enregistré ?",
    },
}


def nothing_found(language: str) -> str:
    """Return the one honest sentence for a question that nothing saved answers."""
    return said(NOTHING, language)


def small_talk(text: str, language: str) -> str:
    """Return a short, helpful reply to a greeting, thanks, a farewell or a question about the bot."""
    bare: SmallTalk = "signs" if is_signs(text) else "greeting"
    kind: SmallTalk = next((kind for kind, pattern in KINDS if pattern.search(text)), bare)
    return said(REPLIES[kind], language)


def said(sentences: dict[str, str], language: str) -> str:
    """Return the sentence in this language, in English where we do not have it."""
    return sentences.get(language, sentences["en"])
