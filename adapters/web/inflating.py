"""Undo a response's compression piece by piece, so that a small body cannot grow past the limit in memory."""

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Protocol

from bot.domain.errors import Unreadable

PIECE = 64 * 1024
GZIP_OR_ZLIB = 47
"""zlib's `wbits`: the largest window, the header recognised."""
RAW_DEFLATE = -15
BOMB_RATIO = 200
"""Deflate ends at about 1,032 : 1; text ends at about 20 : 1."""
BOMB_SIZE = 1024 * 1024
"""Below this a large ratio harms nobody."""


class Decoder(Protocol):
    """What turns a body's bytes as sent into the bytes meant."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what these bytes decode to, in small pieces. Raises zlib.error."""


class Plain:
    """A body that is sent as it is."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data


class Inflater:
    """A body sent with gzip or deflate (RFC 9110, section 8.4.1), several gzip members in a row included."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(GZIP_OR_ZLIB)
        self._started = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            piece = self._inflate(data)
            if piece:
                self._started = True
                yield piece
            data = self._zlib.unconsumed_tail
            if self._zlib.eof:
                data = self._zlib.unused_data.lstrip(b"\0")
                self._zlib = zlib.decompressobj(GZIP_OR_ZLIB)

    def _inflate(self, data: bytes) -> bytes:
        try:
            return self._zlib.decompress(data, PIECE)
        except zlib.error:
            if self._started:
                raise
            # Some servers send bare deflate under the name of zlib.
            self._zlib = zlib.decompressobj(RAW_DEFLATE)
            return self._zlib.decompress(data, PIECE)


def decoder_for(encoding: str) -> Decoder:
    """Return the decoder for a Content-Encoding. Raises Unreadable for one that was not offered."""
    match encoding.strip().lower():
        case "" | "identity":
            return Plain()
        case "gzip" | "x-gzip" | "deflate":
            return Inflater()
        case _:
            raise Unreadable("The page is compressed in a way that was not asked for.", reason="unsupported_type")


async def read_limited(pieces: AsyncIterator[bytes], decoder: Decoder, *, limit: int) -> bytes:
    """Return the whole body. Raises Unreadable (too_large) once it passes `limit` bytes or swells like a bomb."""
    body = bytearray()
    sent = 0
    try:
        async for data in pieces:
            sent += len(data)
            for piece in decoder.feed(data):
                body += piece
                if len(body) > limit or (len(body) > BOMB_SIZE and len(body) > BOMB_RATIO * sent):
                    raise too_large(limit)
    except zlib.error as error:
        raise Unreadable("The page arrived damaged: its compression cannot be undone.") from error
    return bytes(body)


def too_large(limit: int) -> Unreadable:
    """Return the error for a body over the limit."""
    return Unreadable(f"It is larger than the {limit // 1_000_000} MB that are read.", reason="too_large")
