"""The words by which a question leans on what was said before, in English, German and Spanish."""

# ruff: noqa: E501, SIM905 - word lists read better unbroken

import re

FUNCTION = frozenset(
    (
        "a an the and or but if then than so as at by for from in into of off on onto out over to under up with without within about "
        "above across after against along among around because before behind below beneath beside besides between beyond down during "
        "except inside like near outside per since through throughout till toward towards until upon via while although though unless "
        "whether i me my mine myself we us our ours you your yours he him his she her hers it its itself they them their theirs "
        "themselves this that these those here there who whom whose which what when where why how is am are was were be been being do "
        "does did done doing has have had having can could will would shall should may might must ought not no nor only own same too "
        "very just also even ever never again once more most much many few less least some any each every either neither both all "
        "another other others such else one ones i'm i've i'd it's that's what's who's don't doesn't didn't can't isn't aren't wasn't "
        "yes yeah yep no nope ok okay oh well please thanks thank hi hello hey s t re ve ll d m "
        "der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als wie an auf aus bei bis durch für gegen in "
        "mit nach neben ohne seit über um unter von vor während wegen zu zum zur zwischen ich mich mir mein meine wir uns unser du dich "
        "dir dein ihr euch er ihn ihm sie es sein seine ihre sich dies diese dieser dieses diesen diesem jene jener jenes wer was wann wo "
        "warum wieso welche welcher welches welchen ist sind waren sei haben habe hatte kann können könnte wird werden würde "
        "soll sollte muss nicht kein keine nur auch noch schon sehr mehr viel viele wenig alle jede jeder beide andere anderen ja nein "
        "bitte danke denn doch mal da dort hier davon damit dazu darüber daran darin dafür "
        "el la los las un una unos unas y o u e pero si de del en a al por para con sobre entre hasta desde según yo me mi mis "
        "nosotros nos nuestro tú te tu tus él ella ellos ellas ello su sus se lo le les esto este esta estos estas eso ese esa esos esas "
        "aquel quién quien qué que cuándo cuando dónde donde cómo como cuál cuáles cuánto cuánta cuántos es eran ser está están "
        "ha han hay fue fueron puede pueden no ni sí también más muy ya otro otra otros otras mismo ambos toda todos todas allí ahí"
    ).split()
)
"""Words that carry no content of their own."""

GENERIC = frozenset(
    (
        # verbs and phrases of asking
        "tell know think say said give show explain describe mean want need like look find get got make made let go going come see use "
        "used using help work works working happen happened happens start started begin began end ended take took talk interested hear "
        "heard read learn wonder wondering understand discuss mention mentioned compare compared elaborate expand provide include "
        "included become became keep put try call called consider recommend suggest share saved found told seem seems sounds sound "
        "interesting cool great good nice bad better best worse worst wow awesome actually really maybe perhaps sure right wrong sorry "
        "curious please anything something everything nothing someone anyone things thing stuff lot lots bit kind kinds type types sort "
        "sorts way ways part parts form forms example examples instance case cases detail details information info fact facts idea "
        "ideas point points question questions answer answers list summary overview description explanation definition meaning "
        # nouns that are of something
        "advantage advantages disadvantage disadvantages benefit benefits drawback drawbacks pro pros con cons difference differences "
        "similarity similarities alternative alternatives option options choice choices cause causes reason reasons effect effects "
        "impact impacts influence consequence consequences result results outcome outcomes symptom symptoms sign signs treatment "
        "treatments cure prevention risk risks danger dangers side cost costs price prices value worth amount number size length height "
        "weight age speed color colour name names term terms origin origins originate history background beginning past present future "
        "purpose goal goals role roles function functions importance significance relationship relation connection feature features "
        "characteristic characteristics quality property properties component components element elements ingredient ingredients step "
        "steps process procedure method methods technique techniques approach approaches strategy strategies rule rules requirement "
        "requirements condition conditions factor factors issue issues problem problems challenge challenges concern concerns solution "
        "solutions theme themes character characters plot story author writer director founder founders inventor leader leaders member "
        "members people person man woman group groups place places location locations area areas region regions country countries city "
        "time times year years day days month months week weeks century period era date moment level levels degree rate percentage "
        "source sources topic topics subject subjects situation circumstances experience development growth success failure main major "
        "important key common popular famous different similar various specific general typical usual normal special particular certain "
        "possible available necessary effective efficient safe dangerous healthy unhealthy easy hard difficult simple complex cheap "
        "expensive cheaper big bigger biggest large larger largest small smaller smallest long longer longest short tall high higher "
        "highest low lower lowest fast faster fastest slow old older oldest young younger youngest new newer newest latest recent early "
        "earlier late later first second third last next previous current modern traditional original largely usually typically often "
        "generally still today now currently yet ago always sometimes soon long far away back instead together alone exactly enough "
        "worth true false real live lived living die died dying eat born grow grown look looks feel last lasts affect affects affected "
        "cost change changed changes increase decrease reduce prevent avoid stop treat treated cure cured fix improve solve handle deal "
        "protect build built create created develop developed produce produced invent invented discover discovered found founded "
        "establish established form formed locate located compare differ differs win won lose lost play played buy sell pay paid "
        "choose pick prefer join leave meet met "
        # German
        "erzähl erzähle sag sagen gib zeig zeige erklär erkläre beschreibe meinst heißt heisst macht machen gemacht geht gehen gibt "
        "kostet kosten vorteile nachteile vorteil nachteil unterschied unterschiede ursache ursachen grund gründe folgen wirkung "
        "wirkungen symptome preis preise größe name ursprung geschichte zweck rolle bedeutung merkmale eigenschaften schritte "
        "methode methoden problem probleme lösung lösungen beispiel beispiele arten typ typen weitere wichtig wichtigsten häufig "
        "besser beste besten schlechter groß größer größte klein alt neu neueste erste zweite letzte genau details mehr passiert "
        # Spanish
        "dime cuéntame explica describe muestra significa hace hacen hecho sirve funciona funcionan cuesta cuestan ventajas desventajas "
        "ventaja desventaja diferencia diferencias causa causas razón razones efecto efectos síntomas precio precios tamaño edad nombre "
        "origen historia propósito papel importancia características pasos método métodos problema problemas solución soluciones ejemplo "
        "ejemplos tipo tipos importante importantes común mejor mejores peor grande mayor pequeño nuevo primero segundo último pasó pasa"
    ).split()
)
"""Words that ask about something and do not say about what: "the main advantages", "how long do they live"."""

IDLE = frozenset(
    "tell know think say show give explain describe mean meant want need like look find compare compared let go see discuss talk mention "
    "mentioned help long much many wonder wondered wondering heard hear interesting interested cool great awesome sure right sorry maybe "
    "actually really mind never please more most other another best good lot lots list summarize summary "
    "erzähl erzähle zeig zeige erkläre beschreibe vergleiche vergleich kostet mehr lange dime explica describe compara cuesta más".split()
)
"""Words that ask and are never what a later question leaves out."""

PRONOUN = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|themselves|he|him|his|she|her|hers|this|that|these|those|"
    r"er|ihn|ihm|sein|seine|seinen|ihre|ihren|ihnen|dies|diese|dieser|dieses|diesen|davon|damit|dazu|darüber|dafür|daran|dort|"
    r"él|ella|ellos|ellas|ello|su|sus|esto|eso|este|esta|estos|estas|ese|esa|esos|esas|allí|ahí)\b",
    re.IGNORECASE,
)
"""Words that stand for something named elsewhere."""

CHOICE = re.compile(
    r"\b(?:(?:the\s+)?(?:former|latter|two|three|both)|(?:which|that|this|the|each|any|first|second|third|last|other|another|new|"
    r"old|good|bad|better|best|big|small|important|popular|common|ancient|traditional)\s+ones?|ones|others?|another|else|besides|"
    r"same|similar|such|instead|"
    r"welche\s+davon|beide[ns]?|andere[nrsm]?|sonst|derselbe|dasselbe|ersterer?|letzterer?|"
    r"cuál\s+de|ambos|ambas|otros?|otras?|mismo)\b",
    re.IGNORECASE,
)
"""Words that choose among things named elsewhere."""

LEAD = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|oh|ah|well|so|hmm?|cool|interesting|great|thanks|right|no|yes|yeah|sure|wow|also|actually|danke|gracias|vale|gut)\b[\s,.!]+)*"
    r"(?:(?:and|but|or|then|what|how)\s+(?:about|if|of|else|for|in|so|come|with)\b|and\b|but\b|or\b|then\b|so\b|why\b\W*$|how\b\W*$|"
    r"when\b\W*$|where\b\W*$|who\b\W*$|really\b|und\b|aber\b|oder\b|wie\s+(?:sieht|steht)\s+es\s+(?:mit|bei)|was\s+ist\s+mit|warum\W*$|wieso\W*$|"
    r"y\b|pero\b|o\b|qué\s+(?:tal|hay)\b|por\s+qué\W*$)",
    re.IGNORECASE,
)
"""Openings that go on from the turn before."""

BARE = re.compile(r"^\W*(?:and|but|or|und|aber|oder|y|pero|o)\s+(?:\S+\s+){0,3}\S+\W*$", re.IGNORECASE)
"""A few words after a conjunction: "And Google?"."""

ASSENT = re.compile(
    r"^\W*(?:(?:yes|yeah|yep|yup|sure|ok|okay|please|of\s+course|go\s+ahead|do\s+it|do\s+that|why\s+not|sounds\s+good|absolutely|definitely|"
    r"ja|gerne?|klar|bitte|na\s+klar|jawohl|mach\s+das|sí|si|claro|por\s+favor|vale|dale|bueno|👍)[\s,.!]*)+$",
    re.IGNORECASE,
)
"""A yes, and nothing else."""

OFFER = re.compile(
    r"(?:would\s+you\s+like|do\s+you\s+want|shall\s+i|should\s+i|can\s+i|want\s+me\s+to|if\s+you\s+(?:like|want)|interested\s+in|may\s+i|let\s+me\s+know\s+if|"
    r"möchtest\s+du|möchten\s+sie|soll\s+ich|willst\s+du|wollen\s+sie|quieres|quiere|te\s+gustaría|le\s+gustaría|puedo|desea)",
    re.IGNORECASE,
)
"""The bot's own offer in its last answer."""
