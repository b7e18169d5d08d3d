"""Know a whole message that is nothing but a greeting, thanks, a farewell or talk to the bot itself (rules, pure)."""

import re
from collections.abc import Iterable

WORDS = (
    r"hi+|hello+|hey+|hiya|yo|howdy|heya|greetings|good\s+(?:morning|afternoon|evening|day|night)|morning|gm|gn|"
    r"thanks?(?:\s+(?:you|so\s+much|a\s+lot|a\s+bunch|again|very\s+much))*|thank\s+(?:you|u)(?:\s+(?:so\s+much|very\s+much|again))*|thx+|ty|tysm|cheers|much\s+appreciated|"
    r"bye+(?:\s+bye+)?|good\s*bye|see\s+(?:you|ya)(?:\s+(?:later|soon|tomorrow))?|later|cya|take\s+care|farewell|ttyl|"
    r"ok(?:ay)?|kk?|cool|great|nice|awesome|perfect|super|lol|haha+|hehe+|wow|alright|got\s+it|sounds\s+good|no\s+(?:problem|worries)|you're\s+welcome|well\s+done|good\s+(?:job|bot)|nice\s+one|"
    r"hallo+|servus|moin(?:\s+moin)?|grüezi|grüß\s+(?:dich|gott)|guten\s+(?:morgen|tag|abend)|gute\s+nacht|"
    r"danke(?:\s+(?:schön|sehr|dir|euch|vielmals))*|vielen\s+dank|besten\s+dank|merci|tschüss?|tschau|ciao|auf\s+wiedersehen|bis\s+(?:bald|später|dann|morgen)|alles\s+klar|prima|"
    r"hola|buenos\s+días|buenas(?:\s+(?:tardes|noches))?|buen\s+día|(?:muchas\s+|mil\s+)?gracias(?:\s+por\s+todo)?|adi[óo]s|hasta\s+(?:luego|pronto|mañana)|chao|vale|genial|de\s+nada|"
    r"привет|спасибо|здравствуйте|пока|bonjour|salut|au\s+revoir|bonsoir|grazie|buongiorno|obrigad[oa]|olá"
)
TO_WHOM = (
    r"all|everyone|everybody|team|folks|guys|there|bot|palace|friends?|y'?all|you|so\s+much|again|man|mate|buddy|everyone\s+here|for\s+(?:that|your\s+help|the\s+help|everything|all)|"
    r"alle|zusammen|an\s+alle|leute|a\s+todos|todos|equipo|amigos?|and|und|y|for\s+now|then|from\s+\w+|to\s+(?:you|all)"
)
WHOLE = re.compile(rf"^(?:[\W_]*(?:{WORDS})\b(?:[\W_]*(?:{TO_WHOM})\b)*)+[\W_]*$", re.IGNORECASE)

TO_THE_BOT = re.compile(
    r"^[\W_]*(?:(?:hi|hello|hey|so|and|ok|hallo|hola|well)[\W_]+)*(?:"
    r"(?:who|what)(?:\s+(?:exactly|the\s+heck))?(?:\s+are|'s|'re|\s+r)\s+(?:you|u|this\s+bot)(?:\s+(?:called|named|for))?|are\s+you\s+(?:a\s+|an\s+)?(?:real|human|bot|robot|person|ai|machine|there|ok|okay|alive)(?:\s+\w+)?(?:\s+or\s+(?:a\s+)?\w+)?|"
    r"(?:what|how)\s+(?:can|do|could)\s+you\s+(?:do|help(?:\s+(?:me|us)\s+with)?|work)(?:\s+for\s+(?:me|us))?|what(?:'s|\s+is)\s+your\s+name|"
    r"how\s+(?:are|r)\s+(?:you|u|things)(?:\s+(?:doing|today|all|going))*|how(?:'s|\s+is)\s+(?:it\s+going|everything|life|your\s+day)|what'?s\s+up|sup|wass?up|how\s+do\s+you\s+do|"
    r"(?:tell|know)\s+(?:me\s+|us\s+)?(?:a|another|any|some)\s+(?:\w+\s+)?jokes?|make\s+me\s+laugh|how\s+old\s+are\s+you|where\s+(?:are\s+you\s+from|do\s+you\s+live)|"
    r"who\s+(?:made|built|created|wrote|owns)\s+you|do\s+you\s+(?:have\s+(?:feelings|pets|hobbies)|like\s+me|speak\s+\w+|sleep|dream)|nice\s+to\s+meet\s+you|i\s+love\s+you|you(?:'re|\s+are)\s+(?:the\s+)?(?:great|awesome|funny|best|smart|welcome|helpful)|"
    r"wer\s+bist\s+du|was\s+(?:bist|kannst)\s+du|wie\s+hei(?:ß|ss)t\s+du|wie\s+geht(?:'s|\s+es)?(?:\s+(?:dir|euch|ihnen))?|bist\s+du\s+(?:ein\s+|eine\s+)?(?:bot|mensch|roboter|maschine|ki|echt)|erzähl\s+(?:mir\s+)?(?:einen|noch\s+einen)\s+witz|"
    r"qui[eé]n\s+eres|qu[eé]\s+(?:eres|puedes\s+hacer|tal)|c[oó]mo\s+(?:est[aá]s|te\s+llamas|va\s+todo)|eres\s+(?:un\s+|una\s+)?(?:bot|robot|humano|persona|real|m[aá]quina)|cu[eé]ntame\s+un\s+chiste"
    r")[\W_]*(?:(?:today|bot|palace|please|heute|hoy|then|really|denn|so|anyway|exactly|eigentlich)[\W_]*)*$",
    re.IGNORECASE,
)


def is_small_talk(text: str) -> bool:
    """Return whether the whole of `text` is small talk by rule; signs without a letter or digit are."""
    if is_signs(text):
        return True
    return bool(WHOLE.match(text) or TO_THE_BOT.match(text) or mended(text.strip(), GREETINGS) in GREETINGS)


def is_signs(text: str) -> bool:
    """Return whether `text` holds no letter and no digit: "???", a picture."""
    return not re.search(r"[^\W_]", text)


SPOKEN = (
    (
        "de",
        r"hallo+|servus|moin|grüezi|grüß|guten|gute|danke|dankeschön|vielen|besten|tschüss?|tschau|auf|bis|alles|wer|wie|bist",
    ),
    (
        "es",
        r"hola|buenos|buenas|buen|gracias|muchas|mil|adi[óo]s|hasta|chao|vale|qui[eé]n|qu[eé]|c[oó]mo|eres|de\s+nada",
    ),
    ("fr", r"bonjour|salut|au\s+revoir|bonsoir|merci"),
    ("en", r"hi+|hello+|hey+|good|thanks?|thank|thx+|bye+|goodbye|see|who|what|how|are"),
)
"""How small talk begins, by language: too short for a detector."""


def spoken_in(text: str) -> str:
    """Return the language (ISO 639-1) of a message that is nothing but small talk; empty where it does not show."""
    if is_signs(text) or not is_small_talk(text):
        return ""
    return next((code for code, words in SPOKEN if re.match(rf"[\W_]*(?:{words})\b", text, re.IGNORECASE)), "")


GREETINGS = ("hello", "thanks", "thank you", "goodbye", "good morning", "danke", "gracias", "guten morgen")


def mended(word: str, known: Iterable[str]) -> str:
    """Return the known word that `word` misspells by one letter left out, doubled, changed or swapped; else `word`."""
    lower = word.lower().strip("!. ")
    return next((right for right in known if lower[:1] == right[0] and one_slip(lower, right)), lower)


def one_slip(wrong: str, right: str) -> bool:
    """Return whether two texts differ by one letter, or by two neighbours that changed places."""
    if wrong == right:
        return True
    shorter = min(len(wrong), len(right))
    start = next((at for at, (one, other) in enumerate(zip(wrong, right, strict=False)) if one != other), shorter)
    left, wanted = wrong[start:], right[start:]
    return left in {wanted[1:], wanted[:1] + wanted} or left[1:] in {wanted, wanted[1:]} or swapped(left, wanted)


def swapped(left: str, wanted: str) -> bool:
    """Return whether the first two letters changed places."""
    return len(left) > 1 and left[1::-1] == wanted[:2] and left[2:] == wanted[2:]
