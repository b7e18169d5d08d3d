"""Refuse every address that is not public: by its spelling before anything is asked, and by the number connected to."""

import ipaddress
import re
import socket
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from aiohttp.typedefs import StrOrURL
from yarl import URL

from bot.domain.errors import RefusedAddress
from bot.domain.page_keys import opened_url, plain_name

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
AddressInfo = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[object, ...]]

ALSO_CLOSED = tuple(
    ipaddress.ip_network(network)
    for network in (
        # Python 3.11 takes these for global; IANA's special-purpose registries or their owners say otherwise.
        "192.0.0.0/24",  # IETF protocol assignments; Oracle's metadata service sits here
        "192.88.99.0/24",  # 6to4 relays, deprecated
        "168.63.129.16/32",  # Azure's own agent address
        "64:ff9b:1::/48",  # local NAT64
        "100::/64",  # discard only
        "2001::/23",  # IETF protocol assignments; Teredo is unwrapped before
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fec0::/10",  # site-local, deprecated
    )
)
NAT64 = ipaddress.ip_network("64:ff9b::/96")
COMPATIBLE = ipaddress.ip_network("::/96")
ISATAP = (0x00005EFE, 0x02005EFE)
PRIVATE_ENDINGS = (
    *("localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan", "home.arpa"),
    *("arpa", "onion", "invalid"),
)
METADATA_NAMES = frozenset(
    {
        "metadata.packet.net",
        "metadata.platformequinix.com",
        "metadata.tencentyun.com",
        "metadata.cloud.tencent.com",
        "metadata.azure.com",
    }
)
"""Names that clouds resolve, inside only, to their machines' credentials."""
NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
HOST_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
OUT_OF_PLACE = re.compile(r"[\s\\\x00-\x20\x7f<>\"^`{|}]")
MOST_PARTS = 4
BYTE = 256


class NotPublicError(OSError):
    """Raised in place of making a socket, so that no packet leaves."""


def checked(url: StrOrURL, trusted: frozenset[str] = frozenset()) -> URL:
    """Return the address to open, without credentials. Raises RefusedAddress for one that is never fetched.

    `trusted`: what `trusted_hosts` made of the setting. Names still have to pass `public_socket` when they resolve.
    """
    parts = str(url).strip()
    scheme, colon, rest = parts.partition("://")
    if not colon or scheme.lower() not in {"http", "https"}:
        raise RefusedAddress("Only http and https addresses are read.")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if OUT_OF_PLACE.search(authority) or authority.count("@") > 1:
        raise RefusedAddress("This address is written in a way that could mean two hosts.")
    target = parsed(parts)
    if not is_trusted(target, trusted):
        check_host(target.raw_host or "")
    return target


def parsed(url: str) -> URL:
    """Return the address taken apart. Raises RefusedAddress where that cannot be done."""
    try:
        urlsplit(url).port  # noqa: B018 - raises for a port that is no number
        target = URL(opened_url(url), encoded=True)
        _ = target.port, target.raw_host
    except ValueError as error:
        raise RefusedAddress("This is not an address that can be opened.") from error
    if not target.raw_host:
        raise RefusedAddress("This address names no host.")
    return target


def check_host(host: str) -> None:
    """Raise RefusedAddress for a host that is a closed address in any spelling, or a name for inside use."""
    name = plain_name(host.strip("[]").partition("%")[0])
    number = literal(name)
    if number is not None:
        if not public(number):
            raise RefusedAddress("This address lies inside a private network and is not fetched.")
        return
    if not HOST_NAME.fullmatch(name) or ".." in name:
        raise RefusedAddress("This is not a host name that can be looked up.")
    if "." not in name or name in METADATA_NAMES or name.endswith(tuple(f".{ending}" for ending in PRIVATE_ENDINGS)):
        raise RefusedAddress("This host is known inside a private network only and is not fetched.")


def literal(name: str) -> Address | None:
    """Return the address that a host spells out, or None for a name.

    Reads what resolvers read: one to four parts, decimal, octal or hexadecimal (inet_aton; WHATWG URL, section 4.5.2).
    Raises RefusedAddress for a host that ends in a number and is no address.
    """
    if ":" in name:
        return ipaddress_of(name)
    parts = name.split(".")
    if not NUMBER.fullmatch(parts[-1]):
        return None
    try:
        *first, last = (number_of(part) for part in parts)
    except ValueError as error:
        raise RefusedAddress("This host is a number and yet no address.") from error
    if len(parts) > MOST_PARTS or max(first, default=0) >= BYTE or last >= BYTE ** (5 - len(parts)):
        raise RefusedAddress("This host is a number and yet no address.")
    return ipaddress.IPv4Address(sum(number << (24 - 8 * at) for at, number in enumerate(first)) + last)


def number_of(part: str) -> int:
    """Return a part of a dotted address: `0x` hexadecimal, `0` octal, else decimal. Raises ValueError."""
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8) if part.startswith("0") and part != "0" else int(part)


def ipaddress_of(text: str) -> Address:
    """Return the address. Raises RefusedAddress for what is none."""
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError as error:
        raise RefusedAddress("This is not an address that can be opened.") from error


def public(address: Address) -> bool:
    """Say whether an address, and every address hidden inside it, belongs to the public internet."""
    return all(
        each.is_global
        and not (each.is_multicast or each.is_reserved or each.is_unspecified)
        and not any(each.version == network.version and each in network for network in ALSO_CLOSED)
        for each in unwrapped(address)
    )


def unwrapped(address: Address) -> Iterator[Address]:
    """Yield the addresses that packets to this one reach, through every known way of carrying IPv4 inside IPv6."""
    if isinstance(address, ipaddress.IPv4Address):
        yield address
        return
    last = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if address.ipv4_mapped is not None or address in NAT64:
        yield last
    elif address.teredo is not None:
        yield from address.teredo
    elif address.sixtofour is not None:
        yield address.sixtofour
    else:
        yield address
        if address in COMPATIBLE or (int(address) >> 32) & 0xFFFFFFFF in ISATAP:
            yield last


def public_socket(info: AddressInfo) -> socket.socket:
    """Make the socket for one connection attempt; for aiohttp's `TCPConnector(socket_factory=…)`.

    It is handed the very address that will be connected to, after names were resolved, for every attempt of every hop:
    a name that changes its answer gains nothing. Raises NotPublicError before a socket exists.
    """
    family, kind, protocol, _, place = info
    if family not in (socket.AF_INET, socket.AF_INET6) or not public(ipaddress_of(str(place[0]))):
        raise NotPublicError("not a public address")
    return socket.socket(family, kind, protocol)


def trusted_hosts(setting: Iterable[str]) -> frozenset[str]:
    """Return the hosts that may be fetched although private, from `host` and `host:port` as people write them."""
    return frozenset(entry.strip().lower().replace("[", "").replace("]", "") for entry in setting if entry.strip())


def is_trusted(target: URL, trusted: frozenset[str]) -> bool:
    """Say whether the owner opened this host, on this port or on all."""
    host = plain_name(target.raw_host or "")
    return host in trusted or f"{host}:{target.port}" in trusted
