"""Pages are fetched within every limit, each failure is one sentence, and nothing private is asked for."""

import asyncio
import gzip
import os
import signal
import socket
import time
import zlib
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

import aiohttp
import pytest
from aiohttp.abc import AbstractResolver

from adapters.web import fetching
from adapters.web.extracting import Processes
from adapters.web.fetching import Fetcher, Limits, seconds_in
from adapters.web.guard import trusted_hosts
from adapters.web.reader import WebReader, open_reader
from bot.domain.errors import BadInput, RefusedAddress, TemporarilyUnreadable, Unreadable
from bot.domain.memories import Page
from tests.fakes.web import article, bomb_bytes, serve

LIMITS = Limits(seconds=10, connect_s=5, silence_s=5, redirects=10, bytes_held=2_000_000)
IMPATIENT = replace(LIMITS, seconds=0.6, silence_s=0.3)


@pytest.fixture
async def web():
    async with serve() as fake:
        yield fake


@pytest.fixture(scope="module")
def processes():
    pool = Processes(count=1, seconds=20)
    yield pool
    pool.close()


@pytest.fixture
async def fetcher(web):
    opened = Fetcher(trusted=trusted_hosts([web.host]), limits=LIMITS)
    yield opened
    await opened.close()


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def reader(fetcher, pauses):
    async def pause(seconds):
        pauses.append(seconds)

    return WebReader(fetcher, InProcess(), limit=LIMITS.bytes_held, pause=pause)


class InProcess:
    """Runs the extraction here: the tests of fetching need no process."""

    async def run(self, job, *arguments, **named):
        return job(*arguments, **named)


async def failure(reading) -> Unreadable:
    with pytest.raises(Unreadable) as raised:
        await reading
    sentence = str(raised.value)
    assert sentence.endswith(".")
    assert not any(word in sentence for word in ("Error", "Exception", "Traceback", "aiohttp", "errno"))
    return raised.value


async def test_a_page_becomes_text_with_its_address_and_title(reader, web):
    page = await reader.read(web.page("/rye", article("Rye bread")))
    assert page.url == web.url("/rye")
    assert page.title == "Rye bread"
    assert "Paragraph 3 of Rye bread" in page.text
    assert page.media_type == "text/html"


async def test_the_bot_says_who_it_is_and_offers_only_what_it_can_undo(reader, web):
    await reader.read(web.page("/manners", article("Manners")))
    headers = next(headers for path, headers in web.requests if path == "/manners")
    assert "MemoryPalaceBot" in headers["User-Agent"]
    assert headers["Accept-Encoding"] == "gzip, deflate"
    assert "Accept-Language" in headers
    assert "Cookie" not in headers


async def test_redirects_are_followed_and_remembered(reader, web):
    web.redirect("/s/1", "/s/2", status=301)
    web.redirect("/s/2", web.url("/end"), status=307)
    web.page("/end", article("The end"))
    page = await reader.read(web.url("/s/1"))
    assert page.url == web.url("/end")
    assert page.aliases == (web.url("/s/1"), web.url("/s/2"))


async def test_a_page_that_only_sends_on_is_followed_like_a_redirect(reader, web):
    web.page(
        "/short", '<head><noscript><META http-equiv="refresh" content="0;URL=/end2?a=1&amp;b=2"></noscript></head>'
    )
    web.page("/end2?a=1&b=2", article("The other end"))
    assert (await reader.read(web.url("/short"))).title == "The other end"


async def test_a_site_that_sets_a_cookie_and_redirects_to_itself_is_read(reader, web):
    web.first("/wall", status=302, Location="/wall", Set_Cookie="seen=1; Path=/")
    web.page("/wall", article("Behind the cookie"))
    assert (await reader.read(web.url("/wall"))).title == "Behind the cookie"
    await reader.read(web.page("/other", article("Other")))
    assert all("Cookie" not in headers for path, headers in web.requests if path == "/other")


async def test_a_redirect_loop_ends_after_ten(reader, web):
    web.redirect("/loop", "/loop")
    error = await failure(reader.read(web.url("/loop")))
    assert error.reason == "too_many_redirects"
    assert web.asked["/loop"] == 11


@pytest.mark.parametrize(
    "inside",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://127.0.0.1:1/",
        "http://127.1:1/",
        "http://2130706433:1/",
        "http://0x7f000001:1/",
        "http://0177.0.0.1:1/",
        "http://[::1]:1/",
        "http://[::ffff:7f00:1]:1/",
        "http://0:1/",
        "http://１２７.0.0.1:1/",
        "http://localhost:1/",
        "//10.0.0.1/",
        "http://[64:ff9b::7f00:1]/",
        "file:///etc/hosts",
    ],
)
async def test_a_redirect_inside_is_refused_and_no_socket_is_made(reader, web, inside, monkeypatch):
    web.redirect("/inside", inside)
    await reader.read(web.page("/warm", article("Keeps the connection to the fake open")))
    monkeypatch.setattr(socket, "socket", None)
    error = await failure(reader.read(web.url("/inside")))
    assert isinstance(error, RefusedAddress)


async def test_credentials_are_neither_sent_nor_returned(reader, web):
    web.page("/mine", article("Mine"))
    page = await reader.read(f"http://ana:secret@{web.host}/mine")
    assert "secret" not in repr(page)
    assert all("Authorization" not in headers for path, headers in web.requests if path == "/mine")


class ChangingNames(AbstractResolver):
    """A name server that gives a public address first and an inside one afterwards."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = 0

    async def resolve(self, host, port=0, family=socket.AF_INET):
        address = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [{"hostname": host, "host": address, "port": port, "family": family, "proto": 6, "flags": 0}]

    async def close(self):
        pass


@pytest.mark.parametrize("answers", [["10.0.0.1"], ["127.0.0.1"], ["169.254.169.254"]])
async def test_a_name_that_resolves_inside_gets_no_socket(reader, fetcher, answers, monkeypatch):
    names = ChangingNames(answers)
    monkeypatch.setattr(fetcher._guarded, "_resolver", names)
    monkeypatch.setattr(socket, "socket", None)
    error = await failure(reader.read("http://rebind.example/"))
    assert isinstance(error, RefusedAddress)
    assert names.asked == 1


async def test_a_name_that_changes_its_answer_is_judged_by_the_address_connected_to(fetcher, web, monkeypatch):
    judged = []
    real = fetching.public_socket

    def counting(info):
        judged.append(info[4][0])
        if len(judged) == 1:
            raise OSError("unreachable in this test: nothing is sent")
        return real(info)

    connector = aiohttp.TCPConnector(
        socket_factory=counting, resolver=ChangingNames(["93.184.215.14", "127.0.0.1"]), ttl_dns_cache=0
    )
    monkeypatch.setattr(fetcher, "_guarded", connector)
    first = await failure(fetcher.fetch("http://rebind.example/"))
    assert isinstance(first, TemporarilyUnreadable)
    connector.clear_dns_cache()
    second = await failure(fetcher.fetch("http://rebind.example/"))
    assert isinstance(second, RefusedAddress)
    assert judged == ["93.184.215.14", "127.0.0.1"]
    await connector.close()


async def test_a_page_that_has_not_changed_comes_back_as_nothing(reader, web):
    web.page("/same", article("Same"), ETag='"v1"', Last_Modified="Tue, 01 Dec 2026 08:00:00 GMT")
    page = await reader.read(web.url("/same"))
    assert page.etag == '"v1"'
    assert await reader.read(web.url("/same"), etag=page.etag, last_modified=page.last_modified) is None


def halves_apart(body):
    return gzip.compress(body[:700]) + gzip.compress(body[700:])


def bare_deflate(body):
    return zlib.compress(body)[2:-4]


@pytest.mark.parametrize(
    "pack", [gzip.compress, zlib.compress, bare_deflate, halves_apart], ids=["gzip", "zlib", "bare", "two members"]
)
@pytest.mark.parametrize("name", ["gzip", "deflate"])
async def test_compressed_pages_are_read_whatever_kind_of_deflate_it_is(reader, web, pack, name):
    web.page("/packed", pack(article("Packed").encode()), Content_Encoding=name)
    assert "Paragraph 4 of Packed" in (await reader.read(web.url("/packed"))).text


@pytest.mark.parametrize(
    ("body", "encoding", "reason"), [(b"no gzip at all", "gzip", "unreadable"), (b"x", "br", "unsupported_type")]
)
async def test_a_body_that_cannot_be_unpacked_is_unreadable(reader, web, body, encoding, reason):
    error = await failure(reader.read(web.page("/broken", body, Content_Encoding=encoding)))
    assert error.reason == reason


async def test_a_bomb_is_left_before_it_grows(reader, web):
    bomb_bytes()
    error = await failure(reader.read(web.url("/bomb")))
    assert error.reason == "too_large"


async def test_a_page_over_the_limit_is_refused_by_its_length_alone(reader, web):
    error = await failure(reader.read(web.page("/large", b"x" * 2_000_001)))
    assert error.reason == "too_large"
    assert str(error) == "It is larger than the 2 MB that are read."


async def test_an_endless_body_is_left_at_the_limit(reader, web):
    assert (await failure(reader.read(web.url("/endless")))).reason == "too_large"


@pytest.mark.parametrize("path", ["/drip", "/silence"])
async def test_a_slow_page_is_given_up_in_time_and_holds_nobody_up(reader, web, path):
    web.page("/quick", article("Quick"))
    impatient = Fetcher(trusted=trusted_hosts([web.host]), limits=IMPATIENT)
    slow = asyncio.create_task(failure(impatient.fetch(web.url(path))))
    await asyncio.sleep(0.02)
    assert (await reader.read(web.url("/quick"))).title == "Quick"
    assert not slow.done()
    error = await asyncio.wait_for(slow, 5)
    await impatient.close()
    assert error.reason == "timed_out"
    assert isinstance(error, TemporarilyUnreadable)


@pytest.mark.parametrize(
    ("status", "reason", "again"),
    [
        (401, "forbidden", False),
        (402, "paywall", False),
        (403, "forbidden", False),
        (404, "not_found", False),
        (410, "not_found", False),
        (451, "forbidden", False),
        (418, "unreadable", False),
        (300, "unreadable", False),
        (408, "timed_out", True),
        (429, "rate_limited", True),
        (500, "server_error", True),
        (503, "server_error", True),
    ],
)
async def test_an_error_page_is_never_content(reader, web, status, reason, again):
    web.page("/error", article("A long and readable page about the fault"), status=status)
    error = await failure(reader.read(web.url("/error")))
    assert error.reason == reason
    assert isinstance(error, TemporarilyUnreadable) is again


async def test_a_robot_check_is_told_from_a_plain_refusal(reader, web):
    web.page("/check", "Just a moment", status=403, cf_mitigated="challenge")
    assert (await failure(reader.read(web.url("/check")))).reason == "bot_check"


async def test_a_fault_that_passes_is_not_even_noticed(reader, web, pauses):
    web.first("/moody", status=500)
    web.page("/moody", article("Moody"))
    assert (await reader.read(web.url("/moody"))).title == "Moody"
    assert len(pauses) == 1
    assert 0.5 <= pauses[0] <= 1


async def test_a_site_that_names_its_time_is_left_alone_until_then(reader, web, pauses):
    web.page("/busy", "", status=429, Retry_After="120")
    error = await failure(reader.read(web.url("/busy")))
    assert error.retry_after_s == 120
    assert (web.asked["/busy"], pauses) == (1, [])


def test_retry_after_may_be_seconds_or_a_date():
    now = datetime(2026, 12, 1, 8, 0, tzinfo=UTC)
    assert seconds_in("7", now) == 7
    assert seconds_in("Tue, 01 Dec 2026 08:01:00 GMT", now) == 60
    assert seconds_in("Tue, 01 Dec 2026 07:00:00 GMT", now) == 0
    assert seconds_in("soon", now) is None


async def test_a_connection_that_breaks_off_may_be_tried_again(reader, web):
    error = await failure(reader.read(web.url("/hang-up")))
    assert isinstance(error, TemporarilyUnreadable)
    assert web.asked["/hang-up"] == 2


async def test_a_host_that_does_not_listen_is_unreachable_for_now(web):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{taken.getsockname()[1]}"
        fetcher = Fetcher(trusted=trusted_hosts([host]), limits=LIMITS)
        error = await failure(fetcher.fetch(f"http://{host}/"))
        await fetcher.close()
    assert error.reason == "unreachable"
    assert isinstance(error, TemporarilyUnreadable)


async def test_the_environment_cannot_send_requests_through_a_proxy(reader, web, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert await reader.read(web.page("/direct", article("Direct")))


async def test_a_site_with_very_long_headers_is_read(reader, web):
    url = web.page("/policy", article("Policy"), Content_Security_Policy="default-src 'self'; " * 1_000)
    assert (await reader.read(url)).title == "Policy"


async def test_a_page_that_changes_is_read_anew(reader, web):
    web.page("/news", article("Old news"), ETag='"1"')
    old = await reader.read(web.url("/news"))
    web.page("/news", article("New news"), ETag='"2"')
    assert (await reader.read(web.url("/news"), etag=old.etag)).title == "New news"


# Files --------------------------------------------------------------------------------------------------


async def test_a_file_is_read_under_its_own_name(reader, tmp_path):
    path = tmp_path / "rye.html"
    path.write_text(article("Rye in a file"), encoding="utf-8")
    page = await reader.read_file(path)
    assert page.title == "Rye in a file"
    assert page.url == "rye.html"


async def test_what_is_no_file_is_the_persons_to_mend(reader, tmp_path):
    for path, words in [
        (tmp_path, "is a folder"),
        (tmp_path / "none.md", "There is no file"),
        (tmp_path / "a\0b", "no file"),
    ]:
        with pytest.raises(BadInput, match=words):
            await reader.read_file(path)


async def test_a_file_over_the_limit_is_refused_unread(reader, tmp_path):
    path = tmp_path / "huge.html"
    with path.open("wb") as huge:
        huge.truncate(200_000_000)
    started = time.monotonic()
    assert (await failure(reader.read_file(path))).reason == "too_large"
    assert time.monotonic() - started < 0.5


async def test_bytes_at_hand_are_read_like_a_page(reader):
    page = await reader.read_bytes(
        article("Captured").encode(), url="https://a.example/captured", media_type="text/html"
    )
    assert (page.title, page.url) == ("Captured", "https://a.example/captured")
    assert (await failure(reader.read_bytes(b"x" * 2_000_001, url=""))).reason == "too_large"


# Processes ----------------------------------------------------------------------------------------------


def double(number):
    return 2 * number


def hang():
    time.sleep(60)


def crash():
    os.kill(os.getpid(), signal.SIGKILL)


def refuse():
    error = Unreadable("It is empty.", reason="empty")
    error.metadata = Page(url="", text="", title="Known all the same")
    raise error


async def test_the_process_outlives_its_jobs_and_hands_on_their_errors(processes):
    assert await processes.run(double, 2) == 4
    first = await processes.run(os.getpid)
    with pytest.raises(Unreadable) as raised:
        await processes.run(refuse)
    assert raised.value.reason == "empty"
    assert raised.value.metadata.title == "Known all the same"
    assert await processes.run(os.getpid) == first != os.getpid()


async def test_a_crashed_process_is_replaced(processes):
    error = await failure(processes.run(crash))
    assert error.reason == "unreadable"
    assert await processes.run(double, 3) == 6


async def test_a_job_that_hangs_is_ended_with_its_process(processes):
    before = await processes.run(os.getpid)
    processes._seconds = 0.2
    error = await failure(processes.run(hang))
    processes._seconds = 20
    assert error.reason == "timed_out"
    assert await processes.run(os.getpid) != before
    assert await ended(before)


async def ended(number):
    for _ in range(100):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return True
        await asyncio.sleep(0.02)
    return False


@asynccontextmanager
async def opened(web):
    async with open_reader(trusted_hosts=[web.host], limits=LIMITS) as reader:
        yield reader


async def test_the_whole_reader_reads_a_page_in_a_process_of_its_own(web):
    web.page("/whole", article("Whole"))
    async with opened(web) as reader:
        assert (await reader.read(web.url("/whole"))).title == "Whole"
