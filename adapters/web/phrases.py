"""The names and phrases by which the parts of a page are recognised, in several languages, one idea a list."""

import re

BLOCK_TAGS = frozenset(
    re.findall(
        r"\w+",
        """address article aside blockquote body caption center dd details dialog div dl dt fieldset figure footer form
        h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p section slot summary table
        tbody td template tfoot th thead tr ul""",
    )
)
"""Elements that begin and end a line of their own."""
SKIPPED_TAGS = frozenset(
    re.findall(
        r"\w+",
        """audio base button canvas datalist embed head iframe input link map meta nav noscript object rp rt script
        select style svg textarea title video""",
    )
)
"""Elements whose inside is no text of the page."""
MULTILINE_TAGS = frozenset(re.findall(r"\w+", "p div li td th dd dt blockquote section article ul ol table pre"))
"""Elements that stand on lines of their own inside a code block."""


def any_of(phrases: str) -> "re.Pattern[str]":
    """Compile a pattern, blind to case, of the alternatives that stand one a line."""
    return re.compile("|".join(line.strip() for line in phrases.splitlines() if line.strip()), re.IGNORECASE)


ASIDE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:"
    r"ads?|advert\w*|author\w*|banner|bio|byline|caption|comments?|cookies?|credits?|disclaimer|follow|footer|jump|meta"
    r"|modal|more|nav\w*|newsletter\w*|paywall|popup|promo\w*|rail|rating|read-?more|recirc\w*|recommend\w*|related\w*"
    r"|share\w*|sharing|sidebar|signup|social\w*|sponsor\w*|subscri\w*|tags?|teaser\w*|toolbar|tooltip|trending|widget\w*"
    r")(?:$|[\s_-])",
    re.IGNORECASE,
)
"""Words in the class or id of an element that is not the article."""

LEADS_AWAY = re.compile(
    r"^[^\w]*(?:"
    + any_of(r"""
        (?:please )?(?:read|see|check out|watch) (?:also|more|next|now)\b
        (?:also|more) (?:read|see|from|on this)\b
        related\b
        recommended\b
        you (?:may|might) (?:also )?(?:like|be interested)
        don.t miss\b
        most (?:read|popular)
        trending
        popular (?:posts|now)
        share (?:this|on|via)
        filed under
        tags?\s*:
        sign up (?:for|to)
        subscribe (?:to|for|now)
        follow us
        get (?:the|our) \w+ newsletter
        lesen sie (?:auch|mehr)
        lies auch
        mehr (?:zum thema|dazu|lesen)
        das (?:thema )?könnte (?:dich|sie|euch)
        auch interessant
        schon gelesen
        empfohlene (?:beiträge|artikel)
        weitere (?:artikel|beiträge|themen|news)
        ähnliche (?:artikel|beiträge)
        passend(?:e artikel|es )
        artikel teilen
        schlagwörter
        (?:à )?lire (?:aussi|également)
        sur le même (?:sujet|thème)
        voir aussi
        articles? (?:liés|similaires)
        lea también
        lee (?:también|además)
        (?:te|le) puede interesar
        temas$
        artículos relacionados
        más (?:información|noticias)
        leggi anche
        potrebbe interessarti
        leia (?:também|mais)
        veja também
        czytaj (?:także|też|również)
        zobacz (?:także|też|również)
        lees ook
    """).pattern
    + ")",
    re.IGNORECASE,
)
"""How a line begins that leads to other pages."""

BOT_WORDS = any_of(r"""
    (?:are you|you are|you're) (?:a |not a )?(?:human|robot)
    verify(?:ing)? (?:that )?you(?:'re| are)? (?:a )?(?:human|not a robot)
    checking your browser
    just a moment
    attention required
    unusual traffic
    access denied
    pardon our interruption
    complete the (?:security check|captcha)
    security check to access
    performing security verification
    press (?:&|and) hold
    ray id
    enable (?:javascript and )?cookies to continue
    automated (?:access|requests)
    bot detection
    ddos protection
    request (?:has been|was) blocked
""")
BOT_MACHINERY = any_of(r"""
    cf-(?:challenge|chl|browser-verification|turnstile|error-details)
    _cf_chl
    challenge-platform
    challenges\.cloudflare\.com
    g-recaptcha
    recaptcha/api\.js
    hcaptcha\.com
    h-captcha
    px-captcha
    perimeterx
    captcha-delivery
    datadome
    _incapsula_
    distil_r_
    awswaf
    ak_bmsc
    kasada
""")
SCRIPT_WORDS = any_of(r"""
    (?:enable|activate|turn on|requires?|needs?|without|allow)\s+(?:\w+\s+){0,3}java ?script
    java ?script\s+(?:\w+\s+){0,4}(?:disabled|enabled|required|not available|turned off|to run this app|aktivieren)
    loading\s*(?:…|\.\.\.)
    activez javascript
    javascript aktivieren
    habilita javascript
    please wait
""")
APP_ROOTS = frozenset(
    re.findall(r"\S+", "root app __next __nuxt ___gatsby svelte react-root ember-app main-app gatsby app-root")
)
"""Ids of the empty element that a script fills."""
BROWSER_WORDS = any_of(r"""
    (?:browser|version)\s+(?:\w+\s+){0,5}(?:not (?:supported|compatible)|unsupported|out of date|outdated|too old)
    (?:browser|version)\s+(?:\w+\s+){0,5}no longer supported
    unsupported browser
    (?:update|upgrade) (?:your|to a (?:modern|supported)) browser
    we (?:no longer |don't |do not )support(?: this| your)? browser
    browser wird nicht unterstützt
""")
MISSING_TITLE = re.compile(
    r"^(?:error |http )?404\b|\b(?:page|seite|article|content) (?:was |is |wurde )?(?:not|nicht|no longer) "
    r"(?:be )?(?:found|gefunden|available)"
    r"|\bpage (?:introuvable|non trouvée)|\bpágina no encontrada|^not found\b|^oops",
    re.IGNORECASE,
)
MISSING_WORDS = any_of(r"""
    404
    (?:not|nicht) (?:be )?(?:found|gefunden)
    (?:does|do)(?:n't| not) exist
    no longer (?:available|exists?)
    (?:has|have) been (?:moved|removed|deleted)
    looking for
    introuvable
    no encontrada
    existiert nicht
    gesuchte seite
""")
LOGIN_TITLE = re.compile(
    r"^(?:please )?(?:sign|log)[ -]?(?:in|on)\b|^welcome back|\b(?:sign|log)[ -]?(?:in|on)$"
    r"|^(?:anmelden|anmeldung|einloggen|se connecter|connexion|iniciar sesión|accedi|entrar)\b",
    re.IGNORECASE,
)
BROWSERS = re.compile(r"\b(?:chrome|firefox|safari|microsoft edge|opera)\b", re.IGNORECASE)
CONSENT_WORDS = any_of(r"""
    we and our (?:\w+ )?partners
    we use
    cookies?
    consent
    personal data
    privacy (?:policy|settings|cent(?:re|er)|choices|preferences)
    legitimate interest
    accept(?: all)?
    reject all
    manage (?:options|choices|preferences|settings)
    vendors
    partners
    einwilligung
    datenschutz
    zustimmen
    alle akzeptieren
    accepter
    refuser
    consentement
    aceptar
    rechazar
""")
CONSENT_NAME = re.compile(
    r"(?:^|[\s_-])(?:"
    r"consent\w*|cookies?(?:banner|bar|notice|wall|law|policy|popup|modal|overlay|message|info)?|cookie-\w+|gdpr\w*"
    r"|ccpa|cmp\w*|privacy-(?:notice|banner|manager|prompt|wall|overlay|popup)|onetrust\w*|ot-sdk\w*|didomi\w*"
    r"|qc-cmp\w*|truste\w*|sp_message\w*|usercentrics\w*|cybot\w*|cc-(?:window|banner)|fc-consent\w*|tc-privacy\w*"
    r"|iubenda\w*)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""Words in the class, id or label of a consent layer, with the makers of the common ones."""
PAYWALL_WORDS = any_of(r"""
    (?:subscribe|sign ?in|log ?in|register)\s+(?:\w+\s+){0,3}(?:to|and)\s+(?:continue|keep|read|unlock|access|view)
    become a (?:member|subscriber)\s+(?:\w+\s+){0,3}to\s+(?:continue|keep|read|unlock|access|view)
    to (?:continue|keep) reading
    already a (?:subscriber|member)
    (?:for|to|only) (?:paid )?(?:subscribers|members)(?: only)?
    this (?:article|story|post|content) is (?:for|only|exclusive|reserved)
    unlock (?:this|the) (?:article|story|post)
    free articles? (?:left|remaining|this month)
    start your (?:free )?trial
    you've reached your limit
    jetzt weiterlesen
    artikel freischalten
    réservé aux abonnés
    pour lire la suite
    contenido exclusivo
    suscríbete para
""")
PAYWALL_NAME = any_of(r"""
    paywall
    piano-
    tp-modal
    regwall
    subscriber-?only
    premium-?(?:wall|content|gate)
    article-?gate
    metered
    meter-
    post-?gate
    reg-gate
    subscription-required
    truncated
""")
NOT_FREE = re.compile(r'"isAccessibleForFree"\s*:\s*"?false', re.IGNORECASE)
"""What a page tells search engines about a paywall (schema.org)."""
