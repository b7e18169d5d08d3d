"""A page served instead of the one asked for is never kept as its text; a page about such pages is."""

import pytest

from adapters.web.extract import extract_page
from bot.domain.errors import Unreadable
from bot.domain.memories import Page

URL = "https://news.example/2026/crane"
CHALLENGE = (
    "<html><head><title>Just a moment...</title></head><body><h1>news.example</h1><p>Checking your "
    "browser before you go on."
    "</p><div class='cf-turnstile'></div><p>Ray ID: 81ab</p><script "
    "src='https://challenges.cloudflare.com/x.js'></script></body></html>"
)
HUMAN = (
    "<html><head><title>Access denied</title></head><body><p>Please verify you are human to go on. We "
    "saw unusual traffic "
    "from your network.</p><div id='px-captcha'></div></body></html>"
)
SHELL = (
    "<html><head><title>Boards</title><meta property='og:description' content='Plan work together.'></head><body>"
    "<noscript>You need to enable JavaScript to run this app.</noscript><div id='root'></div><script "
    "src='/m.js'></script></body></html>"
)
EMPTY_SHELL = (
    "<html><head><title>Maps</title></head><body><div "
    "id='app'></div><script>window.__D={}</script><script src='a.js'></script></body></html>"
)
OLD_BROWSER = (
    "<html><head><title>Video</title></head><body><h1>Your browser is not supported</h1><p>Please update your browser: "
    "Chrome, Firefox or Safari.</p></body></html>"
)
CONSENT = (
    "<html><head><title>Before you go on</title></head><body><main><h1>Before you go on</h1><p>We use "
    "cookies and data to "
    "deliver and maintain our services and to measure engagement.</p><p>If you choose to accept all, "
    "we will also use cookies and "
    "personal data to show personalised content with our partners.</p><p>If you choose to reject all, "
    "we will not use cookies for "
    "these purposes.</p><p>You can manage preferences in the privacy settings at any time; see our privacy policy.</p>"
    "<button>Reject all</button><button>Accept all</button></main></body></html>"
)
TEASER = (
    '<html><head><title>The crane</title><script type=\'application/ld+json\'>{"@type":"NewsArticle",'
    '"isAccessibleForFree": false}</script></head><body><article><h1>The crane</h1><p>The old crane on '
    "the north quay was lifted "
    "back on Saturday, forty years after it had been taken down and sold by the "
    "harbour.</p></article><div class='paywall'>"
    "<p>Subscribe to continue reading. Already a subscriber? Log in.</p></div></body></html>"
)


def read(source: str) -> Page:
    return extract_page(source.encode(), url=URL, media_type="text/html")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (CHALLENGE, "bot_check"),
        (HUMAN, "bot_check"),
        (SHELL, "js_required"),
        (EMPTY_SHELL, "js_required"),
        (OLD_BROWSER, "browser_unsupported"),
        (CONSENT, "consent_wall"),
    ],
)
def test_a_wall_is_told_by_its_reason_and_nothing_of_it_is_kept(source: str, reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(source)
    assert caught.value.reason == reason
    assert str(caught.value).endswith(".")


def test_what_a_shell_says_for_previews_goes_with_the_error() -> None:
    with pytest.raises(Unreadable) as caught:
        read(SHELL)
    known = caught.value.metadata
    assert known is not None
    assert (known.title, known.text, known.partial) == ("Boards", "Plan work together.", "js_required")


def test_the_beginning_before_a_paywall_is_kept_as_a_part() -> None:
    found = read(TEASER)
    assert found.partial == "paywall"
    assert found.text.startswith("The old crane on the north quay")
    assert "Subscribe" not in found.text


ABOUT = {
    "captchas": "The captcha asks whether you are human. A challenge such as “verify you are human” or "
    "“checking your browser” "
    "from Cloudflare or hCaptcha keeps robots out, and people with them; unusual traffic from one network is enough.",
    "cookies": "A consent banner must offer reject all beside accept all, says the court. Cookies that "
    "measure need consent; "
    "partners and vendors cannot rely on legitimate interest when they process personal data of visitors.",
    "paywalls": "Newspapers ask readers to subscribe to continue reading. “Already a subscriber? Log "
    "in” is the line under most of "
    "them, and a paywall that is metered leaves some free articles remaining each month.",
    "browsers": "Sites say your browser is not supported and name Chrome, Firefox and Safari. Please "
    "update your browser is bad "
    "advice, the author finds, when JavaScript is required only for the menu.",
}


@pytest.mark.parametrize("topic", sorted(ABOUT))
def test_an_article_about_walls_is_an_article(topic: str) -> None:
    more = "".join(
        (
            f"<p>{ABOUT[topic]} In part {number} the author looks at what this means for libraries, schools "
            f"and town halls.</p>"
        )
        for number in range(8)
    )
    widget = "<script src='https://www.google.com/recaptcha/api.js'></script><div class='metered'></div>"
    found = read(
        f"<html lang='en'><head><title>On {topic}</title></head><body><article><h1>On "
        f"{topic}</h1>{more}</article>{widget}</body></html>"
    )
    assert found.partial == ""
    assert found.text.count("In part") == 8


def test_a_short_ordinary_page_with_scripts_is_no_shell() -> None:
    found = read(
        "<html><head><title>Opening hours</title><script src='a.js'></script></head><body><h1>Opening hours</h1>"
        "<p>The library is open from Monday to Friday between nine and six, and on Saturdays until "
        "noon.</p></body></html>"
    )
    assert found.text.startswith("The library is open")


def test_a_page_without_any_text_is_empty() -> None:
    for source in ("", "   \n", "<html><body><img src='a.png'></body></html>"):
        with pytest.raises(Unreadable) as caught:
            read(source)
        assert caught.value.reason == "empty"


LOGIN = (
    "<html><head><title>Sign in · Boards</title></head><body><form><h1>Sign in to continue</h1><input name=user>"
    "<input type=password><button>Sign in</button><p>Forgot your password?</p></form></body></html>"
)
GONE = (
    "<html><head><title>Page not found | Boards</title></head><body><h1>404</h1>"
    "<p>Sorry, the page you are looking for does not exist or has been moved.</p></body></html>"
)


@pytest.mark.parametrize(("page", "reason"), [(LOGIN, "forbidden"), (GONE, "not_found"), (CHALLENGE, "bot_check")])
def test_a_wall_that_is_no_page_at_all_gives_no_title(page: str, reason: str) -> None:
    with pytest.raises(Unreadable) as refused:
        extract_page(page.encode(), url=URL)
    assert refused.value.reason == reason
    assert refused.value.metadata is None


def test_a_short_post_beside_a_login_box_and_one_about_missing_pages_are_read() -> None:
    box = "<form><input name=user><input type=password><button>Log in</button></form>"
    post = (
        f"<html><head><title>The crane at the lock</title></head><body>{box}<h1>The crane</h1><p>It is back.</p></body>"
    )
    assert "It is back." in extract_page(post.encode(), url=URL).text
    about = (
        "<html><head><title>Page not found: a short story</title></head><body><article><h1>Page not found</h1><p>"
        + "The librarian turned the sheets of the old book one by one and counted them again in the evening. " * 9
        + "</p></article></body></html>"
    )
    assert "librarian" in extract_page(about.encode(), url=URL).text
