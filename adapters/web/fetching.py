"""Fetch an address hop by hop: every hop checked, everything limited, every failure one sentence."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from html import unescape

import aiohttp
from yarl import URL

from adapters.web.guard import NotPublicError, checked, is_trusted, public_socket
from adapters.web.inflating import decoder_for, read_limited, too_large
from bot.domain.errors import RefusedAddress, TemporarilyUnreadable, Unreadable
from bot.domain.memories import Reason

HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; MemoryPalaceBot/0.1; saves pages that people share)",
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5",
    "Accept-Language": "en,*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
}
REDIRECTS = frozenset({301, 302, 303, 307, 308})
NOT_MODIFIED = 304
GOOD = range(200, 300)
SERVER_ERRORS = range(500, 600)
FINAL: Mapping[int, tuple[Reason, str]] = {
    401: ("forbidden", "The page asks for a login."),
    402: ("paywall", "The page asks for payment."),
    403: ("forbidden", "The site does not let this page be read."),
    404: ("not_found", "The page was not found."),
    407: ("forbidden", "The page asks for a login."),
    410: ("not_found", "The page is gone."),
    451: ("forbidden", "The page may not be shown for legal reasons."),
}
PASSING: Mapping[int, tuple[Reason, str]] = {
    408: ("timed_out", "The site took too long to answer."),
    425: ("unreachable", "The site asked to be tried again later."),
    429: ("rate_limited", "The site asked to be left alone for a while."),
}
META_REFRESH = re.compile(
    rb"<meta[^>]{1,80}?http-equiv\s*=\s*[\"']?refresh[\"']?[^>]{1,80}?content\s*=\s*"
    rb"[\"']\s*[0-5]\s*;\s*url\s*=\s*[\"']?([^\"'>\s]{1,2000})",
    re.IGNORECASE,
)
LONGEST_HEADER = 64 * 1024
"""Some sites send policies and cookies far beyond the library's 8 KB."""
SHORTEST_PAGE = 4096
"""A page that only sends on is shorter than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one page may take."""

    seconds: float = 40.0
    """For everything, all hops together."""
    connect_s: float = 10.0
    silence_s: float = 15.0
    """Between two pieces of a body."""
    redirects: int = 10
    bytes_held: int = 20_000_000
    """After decompression."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A page's bytes and what the server said of them."""

    url: str
    content: bytes
    media_type: str = ""
    charset: str = ""
    etag: str = ""
    last_modified: str = ""
    passed: tuple[str, ...] = ()
    """The addresses that sent on, first one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentOn:
    """A hop's answer: look there instead."""

    url: str


class Fetcher:
    """Fetches pages over two sets of connections: the guarded one, and one for the hosts that the owner trusts."""

    def __init__(self, *, trusted: frozenset[str], limits: Limits) -> None:
        self._trusted = trusted
        self._limits = limits
        self._guarded = aiohttp.TCPConnector(limit=50, limit_per_host=4, socket_factory=public_socket)
        self._open = aiohttp.TCPConnector(limit=20, limit_per_host=8)

    async def close(self) -> None:
        """Close every connection."""
        await self._guarded.close()
        await self._open.close()

    async def fetch(self, url: str, *, etag: str = "", last_modified: str = "") -> Fetched | None:
        """Return the page; None when it has not changed. Raises Unreadable, TemporarilyUnreadable, RefusedAddress."""
        conditions = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        headers = HEADERS | {name: value for name, value in conditions.items() if value}
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._follow(url, headers)
        except TimeoutError as error:
            raise TemporarilyUnreadable("The page took too long to arrive.", reason="timed_out") from error

    async def _follow(self, url: str, headers: Mapping[str, str]) -> Fetched | None:
        cookies = aiohttp.CookieJar(unsafe=True)  # one page's own: some sites set one and redirect to themselves
        passed: list[str] = []
        target = checked(url, self._trusted)
        while True:
            answer = await self._hop(target, headers, cookies, tuple(passed))
            if not isinstance(answer, SentOn):
                return answer
            if len(passed) == self._limits.redirects:
                raise Unreadable("The address only leads from one place to the next.", reason="too_many_redirects")
            passed.append(str(target))
            target = checked(joined(target, answer.url), self._trusted)

    async def _hop(
        self, target: URL, headers: Mapping[str, str], cookies: aiohttp.CookieJar, passed: tuple[str, ...]
    ) -> Fetched | SentOn | None:
        connector = self._open if is_trusted(target, self._trusted) else self._guarded
        timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=self._limits.connect_s, sock_read=self._limits.silence_s
        )
        session = aiohttp.ClientSession(
            connector=connector, connector_owner=False, cookie_jar=cookies, timeout=timeout, auto_decompress=False,
            trust_env=False, max_line_size=LONGEST_HEADER, max_field_size=LONGEST_HEADER,
        )  # fmt: skip
        async with (
            translated(str(target)),
            session,
            session.get(target, headers=headers, allow_redirects=False) as response,
        ):
            return await self._read(response, passed)

    async def _read(self, response: aiohttp.ClientResponse, passed: tuple[str, ...]) -> Fetched | SentOn | None:
        if response.status == NOT_MODIFIED:
            return None
        if response.status in REDIRECTS and response.headers.get("Location"):
            return SentOn(url=response.headers["Location"])
        if response.status not in GOOD:
            raise refusal(response.status, response.headers, str(response.url))
        if (response.content_length or 0) > self._limits.bytes_held:
            raise too_large(self._limits.bytes_held)
        decoder = decoder_for(response.headers.get("Content-Encoding", ""))
        content = await read_limited(response.content.iter_any(), decoder, limit=self._limits.bytes_held)
        if onwards := META_REFRESH.search(content) if len(content) < SHORTEST_PAGE else None:
            return SentOn(url=unescape(onwards[1].decode("utf-8", "replace")))
        media_type, charset = kind_of(response.headers.get("Content-Type", ""))
        return Fetched(
            url=str(response.url), content=content, media_type=media_type, charset=charset, passed=passed,
            etag=response.headers.get("ETag", ""), last_modified=response.headers.get("Last-Modified", ""),
        )  # fmt: skip


def joined(base: URL, location: str) -> str:
    """Return where a redirect leads. Raises RefusedAddress for what cannot be read."""
    try:
        return location if re.match(r"\s*[A-Za-z][A-Za-z0-9+.-]*:", location) else str(base.join(URL(location)))
    except ValueError as error:
        raise RefusedAddress("The address leads to something that is no address.") from error


def kind_of(header: str) -> tuple[str, str]:
    """Return media type and charset of a Content-Type header, in lower case; empty where it says nothing."""
    message = Message()
    message["Content-Type"] = header
    return (message.get_content_type(), (message.get_content_charset() or "")) if header.strip() else ("", "")


def refusal(status: int, headers: Mapping[str, str], url: str) -> Unreadable:
    """Return the error for an answer that is no page; an error page is never kept as content."""
    if headers.get("cf-mitigated") == "challenge":
        return Unreadable("The site checks for robots before it shows the page.", reason="bot_check", final_url=url)
    if status in FINAL:
        reason, sentence = FINAL[status]
        return Unreadable(sentence, reason=reason, final_url=url)
    if status in PASSING or status in SERVER_ERRORS:
        reason, sentence = PASSING.get(status, ("server_error", f"The site has a fault of its own (status {status})."))
        pause = seconds_in(headers.get("Retry-After", ""), datetime.now(UTC))
        return TemporarilyUnreadable(sentence, reason=reason, final_url=url, retry_after_s=pause)
    return Unreadable(f"The site did not give the page (status {status}).", final_url=url)


def seconds_in(retry_after: str, now: datetime) -> float | None:
    """Return what a Retry-After header asks for (RFC 9110, section 10.2.3): seconds, or a date; None for neither."""
    if re.fullmatch(r"\s*\d{1,9}\s*", retry_after):
        return float(retry_after)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after).astimezone(UTC) - now).total_seconds())
    except (ValueError, TypeError):
        return None


@asynccontextmanager
async def translated(url: str) -> AsyncIterator[None]:
    """Turn the library's errors into ours, with a sentence for people."""
    try:
        yield
    except aiohttp.ClientConnectorDNSError as error:
        raise TemporarilyUnreadable("There is no such host, or it cannot be looked up now.", final_url=url) from error
    except aiohttp.ClientSSLError as error:
        raise Unreadable("The site cannot prove who it is.", reason="unreachable", final_url=url) from error
    except aiohttp.ClientConnectorError as error:
        if isinstance(error.os_error, NotPublicError) or "not a public address" in str(error.os_error):
            raise RefusedAddress("This host lies inside a private network and is not fetched.") from error
        raise TemporarilyUnreadable("The site cannot be reached.", final_url=url) from error
    except aiohttp.ServerTimeoutError as error:
        raise TemporarilyUnreadable("The site fell silent.", reason="timed_out", final_url=url) from error
    except aiohttp.InvalidURL as error:
        raise RefusedAddress("This is not an address that can be opened.") from error
    except (aiohttp.ClientError, ConnectionError) as error:
        raise TemporarilyUnreadable("The connection broke off.", final_url=url) from error
