"""Say the few fixed sentences of an answer in the language of the question."""

from collections.abc import Mapping
from typing import Literal

Phrase = Literal["refused", "broke_off", "too_late", "unread"]

PHRASES: Mapping[Phrase, Mapping[str, str]] = {
    "refused": {
        "en": "I am sorry, I cannot help with that question.",
        "de": "Es tut mir leid, bei dieser Frage kann ich nicht helfen.",
        "es": "Lo siento, no puedo ayudar con esa pregunta.",
        "fr": "Je suis désolé, je ne peux pas aider pour cette question.",
        "ru": "К сожалению, я не могу помочь с этим вопросом.",
    },
    "broke_off": {
        "en": "(The answer broke off here; ask again for the rest.)",
        "de": "(Die Antwort brach hier ab; frag noch einmal nach dem Rest.)",
        "es": "(La respuesta se cortó aquí; pregunta de nuevo para ver el resto.)",
        "fr": "(La réponse s'est interrompue ici ; redemandez pour la suite.)",
        "ru": "(Ответ здесь оборвался; спросите ещё раз, чтобы узнать остальное.)",
    },
    "too_late": {
        "en": "This took too long, so I stopped. Please ask again in a moment.",
        "de": "Das hat zu lange gedauert, ich habe abgebrochen. Bitte frag gleich noch einmal.",
        "es": "Esto tardó demasiado y lo detuve. Vuelve a preguntar en un momento.",
        "fr": "Cela a pris trop de temps, j'ai arrêté. Redemandez dans un instant.",
        "ru": "Это заняло слишком много времени, я остановился. Спросите ещё раз чуть позже.",
    },
    "unread": {
        "en": "I could not tell what {said} means here, so I did not filter by it.",
        "de": "Ich konnte nicht erkennen, was {said} hier bedeutet, und habe nicht danach gefiltert.",
        "es": "No pude entender qué significa {said} aquí, así que no filtré por ello.",
        "fr": "Je n'ai pas compris ce que {said} veut dire ici et n'ai pas filtré en conséquence.",
        "ru": "Я не понял, что здесь значит {said}, и не стал по этому отбирать.",
    },
}


def phrase(name: Phrase, language: str, **values: str) -> str:
    """Return a fixed sentence in `language` (ISO 639-1), in English where we do not have it."""
    sentences = PHRASES[name]
    return sentences.get(language, sentences["en"]).format(**values)
