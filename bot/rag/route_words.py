"""The wordings that tell what kind of answer a question wants, in English, German and Spanish."""

import re

from bot.rag.narrow_words import LISTING, SHARED

GREETING = re.compile(
    r"^\W*(?:(?:hi+|hello|hey+|good\s+(?:morning|afternoon|evening)|morning|thanks?(?:\s+you)?|thx|hallo|guten\s+(?:morgen|tag|abend)|moin|danke|hola|buenos\s+días|"
    r"buenas(?:\s+tardes)?|gracias|привет|ok(?:ay)?|please|pls|sorry|quick\s+question)(?:\s+(?:all|everyone|team|folks|there|bot|palace|zusammen|todos|again))?[\s,.!:;-]+)+(?:(?:and|und|y)\s+)?",
    re.IGNORECASE,
)
"""A greeting in front of something else."""

COMPARISON = re.compile(
    r"\b(?:compar(?:e|es|ed|ing|ison|isons)|contrast|versus|vs\.?|differ(?:s|ent)?\s+(?:from|between|to)|differences?\s+(?:between|from|to|in)|how\s+(?:do|does|did|are|is)\s+(?:\S+\s+){1,9}?differ(?:ent)?|"
    r"similarit(?:y|ies)|pros\s+and\s+cons\s+of\s+.+\s+(?:vs|versus|and|over|against)|(?:better|worse|cheaper|faster|safer|bigger|slower|stronger|healthier|easier|older|newer|more\s+\w+|less\s+\w+|(?!other|rather|later|earlier|under)[a-z]{3,}er)\s+than(?!\s+\d)|"
    r"(?:which|who|what)\s+(?:one\s+)?(?:is|are|of|has|was)\s+(?:\S+\s+){0,6}?(?:better|cheaper|faster|safer|bigger|best|worse|older|more\s+\w+)\b.*(?:,|\bor\b)|"
    r"vergleich\w*|unterschied\w*|unterscheide[nt]?|(?:besser|schlechter|günstiger|schneller|teurer|größer)\s+als|was\s+ist\s+(?:besser|günstiger|schneller)|im\s+vergleich|gegenüber|"
    r"compar(?:a|ar|ación|ame)|diferencias?|(?:mejor|peor|más\s+\w+|menos\s+\w+)\s+que|qué\s+es\s+mejor|en\s+qué\s+se\s+diferencian?)(?!\w)",
    re.IGNORECASE,
)
SUMMARY = re.compile(
    r"\b(?:summar(?:y|ize|ise|ies|izing)|sum\s+(?:it\s+|this\s+|that\s+)?up|overview|tl;?dr|recap|gist|key\s+(?:points|takeaways|ideas)|main\s+(?:points|takeaways|ideas)|takeaways|highlights|"
    r"brief\s+(?:me|us)|outline\s+(?:the|of)|in\s+(?:short|a\s+nutshell)|catch\s+me\s+up|bring\s+me\s+up\s+to\s+speed|what\s+is\s+the\s+(?:article|page|paper|report|talk|thread)\s+about|"
    r"zusammenfass\w*|fass\w*\s+(?:\S+\s+){0,8}?zusammen|überblick|kernpunkte|das\s+wichtigste|worum\s+geht\s+es|in\s+kürze|"
    r"resum(?:e|en|ir|eme|ame|enme)\w*|panorama\s+general|puntos\s+clave|en\s+pocas\s+palabras|de\s+qué\s+trata)\b",
    re.IGNORECASE,
)
REASONS = re.compile(
    r"^\W*(?:so\s+|but\s+|and\s+|und\s+|y\s+)?(?:why\b|how\s+come\b|how\s+(?:do|does|did|can|could|should|would|will|might|are|is|has|have)\s+(?!(?:much|many|long|old)\b)|should\s+(?:i|we|one|you|people)\b|explain\b|analy[sz]e\b|evaluate\b|assess\b|discuss\b|"
    r"what\s+(?:are|is|were|was)\s+(?:the\s+|some\s+(?:of\s+the\s+)?)?(?:\w+\s+){0,2}?(?:implications?|consequences?|effects?|impacts?|causes?|reasons?|benefits?|advantages|disadvantages|drawbacks?|risks?|evidence|rationale|trade-?offs?|pros\b|arguments?|influence)\b|"
    r"what\s+(?:caused?|led|happens|would\s+happen|do\s+(?:you|people)\s+think|makes?)\b|is\s+it\s+(?:worth|a\s+good|bad|ok|safe|better|possible|true)\b|"
    r"warum\b|wieso\b|weshalb\b|inwiefern\b|erkläre?\b|analysiere?\b|wie\s+(?:wirkt|beeinfluss\w+|funktionier\w+|kann|können|konnte|hängt|entsteh\w+|verändert\w*)\b|sollten?\s+(?:wir|ich|man)\b|welche\s+(?:folgen|auswirkungen|gründe|ursachen|vorteile|nachteile|risiken)\b|was\s+(?:spricht|bedeutet\s+.+\s+für|passiert\s+wenn)\b|"
    r"¿?\s*(?:por\s+qué|explica\b|analiza\b|cómo\s+(?:afecta|funciona|influye|podemos|puedo|cambió)|deber[íi]a(?:mos)?\b|qué\s+(?:consecuencias|efectos|causas|riesgos|ventajas|impacto|provocó|pasaría)))",
    re.IGNORECASE,
)
LOOKUP = re.compile(
    r"^\W*(?:who|whom|whose|when|where|which|how\s+(?:much|many|long|old|far|tall|big|often|large|fast|high|deep|hot)|what\s+(?:year|time|date|day|name|port|version|number|city|country|color|colour|size|is\s+the\s+name)|"
    r"wer|wem|wann|wo|woher|wie\s+(?:viel|lange|alt|hoch|groß|oft|weit|heißt)|quién|cuándo|dónde|cuánto|cuánta|cuál)\b",
    re.IGNORECASE,
)
WHO_SHARED = re.compile(
    r"\b(?:who|wer|quién|quien)\s+(?:\w+\s+)?(?:shared?|saved?|posted|sent|added|uploaded|dropped|forwarded|linked|hat\s+.+\s+(?:geteilt|gespeichert|gepostet|geschickt)|compartió|guardó|envió|publicó|subió)\b",
    re.IGNORECASE,
)
WHAT_SHARED = re.compile(
    r"^\W*(?:what|which|was|welche|qué|cuáles|list|show)\b(?:\s+\S+){0,4}?\s*\b(?:did|has|have|had|hat|haben|habe|were|was|wurde|wurden|got)\s+\S+(?:\s+\S+){0,8}?\s*"
    r"\b(?:shared?|saved?|post(?:ed)?|sen[dt]|add(?:ed)?|drop(?:ped)?|upload(?:ed)?|forward(?:ed)?|bookmark(?:ed)?|geteilt|gespeichert|gepostet|geschickt)\b"
    r"|^\W*(?:what|which)\s+was\s+(?:shared|saved|posted|added)\b|^\W*qué\s+(?:hemos\s+|ha\s+|han\s+|se\s+)?(?:compart\w+|guard\w+|envi\w+|public\w+|subi\w+)\b"
    r"|^\W*(?:everything|all|anything|alles|todo)\s+(?:\S+\s+){0,3}?(?:shared|saved|posted|geteilt|gespeichert|compartido|guardado)\b",
    re.IGNORECASE,
)


def lists(text: str) -> bool:
    """Return whether a count or a list of what is kept is wanted."""
    return bool(LISTING.search(text) or WHO_SHARED.search(text) or WHAT_SHARED.search(text))


def about_saved(text: str) -> bool:
    """Return whether the message speaks of what is kept here: then it is never small talk."""
    return bool(SHARED.search(text)) or lists(text)
