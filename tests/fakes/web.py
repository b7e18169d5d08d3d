"""A web server on loopback that plays the web, good pages and bad ones, and remembers what it was asked."""

import asyncio
import gzip
import io
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache

from aiohttp import web

HTML = "text/html; charset=utf-8"


def article(title: str, topic: str = "rye bread", *, paragraphs: int = 4) -> str:
    """A page that reads like one: enough sentences for an extractor to believe in."""
    body = "".join(
        f"<p>Paragraph {number} of {title} tells at some length about {topic}, how it is made in the village of "
        f"Number{number}, and why the bakers there let the dough rest for {number + 7} hours before they bake it.</p>"
        for number in range(1, paragraphs + 1)
    )
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title></head>"
        f"<body><article><h1>{title}</h1>{body}</article></body></html>"
    )


@dataclass
class FakeWeb:
    """What the server has and what it was asked. Paths not set answer 404."""

    port: int = 0
    pages: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    then: dict[str, list[tuple[int, dict[str, str], bytes]]] = field(default_factory=dict)
    """Answers given once each, before the page proper."""
    asked: Counter = field(default_factory=Counter)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    delay_s: float = 0.0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        return f"http://{self.host}{path}"

    def page(self, path: str, body: str | bytes, *, status: int = 200, **headers: str) -> str:
        """Put a page there; header names with `_` for `-`."""
        self.pages[path] = answer(body, status, headers)
        return self.url(path)

    def first(self, path: str, body: str | bytes = b"", *, status: int = 200, **headers: str) -> None:
        """Answer this once before the page proper."""
        self.then.setdefault(path, []).append(answer(body, status, headers))

    def redirect(self, path: str, to: str, *, status: int = 302) -> str:
        return self.page(path, b"", status=status, Location=to)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        path = request.path_qs
        self.asked[path] += 1
        self.requests.append((path, dict(request.headers)))
        if self.delay_s:
            await asyncio.sleep(self.delay_s)
        if special := SPECIAL.get(path):
            return await special(request)
        status, headers, body = self.then[path].pop(0) if self.then.get(path) else self.pages.get(path, NOT_FOUND)
        if headers.get("ETag") and headers["ETag"] == request.headers.get("If-None-Match"):
            return web.Response(status=304)
        return web.Response(status=status, headers=headers, body=body)


def answer(body: str | bytes, status: int, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content = body.encode() if isinstance(body, str) else body
    return status, {"Content-Type": HTML} | named, content


NOT_FOUND = answer(article("Not found", "missing pages"), 404, {})


async def endless(request: web.Request) -> web.StreamResponse:
    """A body that never ends, as fast as it is taken."""
    response = web.StreamResponse(headers={"Content-Type": HTML})
    await response.prepare(request)
    piece = b"<p>and another paragraph of the story without an end</p>" * 1_000
    while True:
        await response.write(piece)


async def drip(request: web.Request) -> web.StreamResponse:
    """A body that comes byte by byte and would take an hour."""
    response = web.StreamResponse(headers={"Content-Type": HTML, "Content-Length": "100000"})
    await response.prepare(request)
    while True:
        await response.write(b"x")
        await asyncio.sleep(0.02)


async def silence(request: web.Request) -> web.StreamResponse:
    """Headers, and then nothing."""
    response = web.StreamResponse(headers={"Content-Type": HTML, "Content-Length": "10"})
    await response.prepare(request)
    await asyncio.sleep(30)
    return response


async def hang_up(request: web.Request) -> web.StreamResponse:
    """The connection is closed in the middle of the body."""
    response = web.StreamResponse(headers={"Content-Type": HTML, "Content-Length": "5000"})
    await response.prepare(request)
    await response.write(b"<p>half a")
    request.transport.close()
    return response


async def bomb(request: web.Request) -> web.StreamResponse:
    """64 KB of gzip that become 64 MB."""
    return web.Response(headers={"Content-Type": HTML, "Content-Encoding": "gzip"}, body=bomb_bytes())


@cache
def bomb_bytes() -> bytes:
    """Made once: it takes half a second."""
    held = io.BytesIO()
    with gzip.GzipFile(fileobj=held, mode="wb", mtime=0) as packed:
        for _ in range(64):
            packed.write(b"<p>" + b"0" * (1024 * 1024 - 3))
    return held.getvalue()


SPECIAL = {"/endless": endless, "/drip": drip, "/silence": silence, "/hang-up": hang_up, "/bomb": bomb}


@asynccontextmanager
async def serve() -> AsyncIterator[FakeWeb]:
    """Run the server on a free port of loopback."""
    fake = FakeWeb()
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", fake.handle)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    fake.port = runner.addresses[0][1]
    try:
        yield fake
    finally:
        await runner.cleanup()
