"""No private address is ever connected to, however it is written; no test here sends anything anywhere."""

import ipaddress
import socket

import pytest

from adapters.web.guard import NotPublicError, checked, public, public_socket, trusted_hosts
from bot.domain.errors import RefusedAddress

CLOSED = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.9",
    "127.0.0.1",
    "127.255.0.3",
    "168.63.129.16",
    "169.254.169.254",
    "172.31.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.168.1.1",
    "198.19.0.1",
    "203.0.113.7",
    "224.0.0.251",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001:db8::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "2606:4700::5efe:10.0.0.1",
]
OPEN = ["1.1.1.1", "93.184.215.14", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1"]


@pytest.mark.parametrize("address", CLOSED)
def test_a_closed_address_gets_no_socket(address):
    number = ipaddress.ip_address(address)
    family = socket.AF_INET if number.version == 4 else socket.AF_INET6
    assert not public(number)
    with pytest.raises(NotPublicError):
        public_socket((family, socket.SOCK_STREAM, 6, "", (address, 80)))


@pytest.mark.parametrize("address", OPEN)
def test_a_public_address_is_open(address):
    assert public(ipaddress.ip_address(address))


def test_a_zone_in_an_address_hides_nothing():
    with pytest.raises(NotPublicError):
        public_socket((socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("fe80::1%eth0", 80, 0, 2)))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://0/",
        "http://127.0.0.1./",
        "http://１２７.０.０.１/",
        "http://①②⑦.⓪.⓪.①/",
        "http://127。0。0。1/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[0:0:0:0:0:ffff:7f00:1]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[fe80::1%25eth0]/",
        "http://169.254.169.254/latest/",
        "http://user:pw@10.0.0.1/",
        "http://public.example@127.0.0.1/",
        "http://localhost:8080/",
        "http://LOCALHOST/",
        "http://api.localhost/",
        "http://localhost./",
        "http://intranet/",
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://wiki.home.arpa/",
        "http://metadata.packet.net/",
    ],
)
def test_every_spelling_of_an_inside_host_is_refused_in_one_sentence(url):
    with pytest.raises(RefusedAddress) as refused:
        checked(url)
    assert refused.value.reason == "refused_address"
    assert str(refused.value).count(".") == 1
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.example/x",
        "file:///etc/hosts",
        "javascript:alert(1)",
        "gopher://a.example/",
        "data:text/html,x",
        "a.example",
        "",
        "http://",
        "http:///x",
        "http://a.example\\@127.0.0.1/",
        "http://a.example @127.0.0.1/",
        "http://a@b@127.0.0.1/",
        "http://a.example:80:90/",
        "http://a.example:port/",
        "http://999.1.1.1/",
        "http://99999999999/",
        "http://1.2.3.4.5/",
        "http://a..example/",
        "http://[::1/",
        "http://[zz]/",
        "http://-/",
        "http://x1.2.3.4/",
    ],
)
def test_what_is_no_plain_web_address_is_refused(url):
    with pytest.raises(RefusedAddress):
        checked(url)


@pytest.mark.parametrize(
    ("url", "opened"),
    [
        ("https://bakery.example/rye?x=1", "https://bakery.example/rye?x=1"),
        ("http://ana:pw@bakery.example:8080/rye", "http://bakery.example:8080/rye"),
        ("https://bäckerei.example/ü", "https://xn--bckerei-5wa.example/%C3%BC"),
        ("https://1.1.1.1/", "https://1.1.1.1/"),
        ("https://web.archive.org/web/2016/http://127.0.0.1/", "https://web.archive.org/web/2016/http://127.0.0.1/"),
        ("https://bakery.example/?next=http://10.0.0.1@x\\y", "https://bakery.example/?next=http://10.0.0.1@x%5Cy"),
    ],
)
def test_a_public_address_is_opened_without_its_credentials(url, opened):
    assert str(checked(url)) == opened


def test_a_trusted_host_is_open_on_its_port_only_when_one_is_named():
    trusted = trusted_hosts(["wiki.corp", " 127.0.0.1:8099 ", "[::1]:8099"])
    for url in ("http://wiki.corp/x", "http://wiki.corp:81/x", "http://127.0.0.1:8099/", "http://[::1]:8099/"):
        assert checked(url, trusted)
    for url in ("http://127.0.0.1:8098/", "http://127.0.0.2:8099/", "http://files.wiki.corp/"):
        with pytest.raises(RefusedAddress):
            checked(url, trusted)
    with pytest.raises(RefusedAddress):
        checked("ftp://wiki.corp/x", trusted)
