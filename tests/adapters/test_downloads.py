"""Shared files are fetched from the platform's own addresses alone, so that a token is shown to nobody else."""

from pathlib import Path

import aiohttp
import pytest

from adapters.downloads import Downloads, named


class NoSession:
    """Records what was asked for, and gives nothing."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def get(self, url: str, **_: object) -> None:
        self.asked.append(url)
        raise aiohttp.ClientConnectionError


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("https://files.slack.com/a.pdf", True),
        ("https://slack.com/a.pdf", True),
        ("http://files.slack.com/a.pdf", False),
        ("http://slack.com/a.pdf", False),
        ("https://slack.com.example.org/a.pdf", False),
        ("https://notslack.com/a.pdf", False),
        ("https://slack.com@example.org/a.pdf", False),
        ("", False),
    ],
)
async def test_a_file_is_asked_for_on_the_platforms_own_hosts_and_encrypted(
    tmp_path: Path, url: str, asked: bool
) -> None:
    session = NoSession()
    downloads = Downloads(lambda: session, tmp_path, hosts=("slack.com",), api_url="https://slack.com/api/")
    assert await downloads.copy(url, stem="F1", name="a.pdf", size=1, headers={"Authorization": "Bearer x"}) == ""
    assert bool(session.asked) == asked


async def test_what_is_too_large_is_not_even_asked_for(tmp_path: Path) -> None:
    session = NoSession()
    downloads = Downloads(lambda: session, tmp_path, hosts=("slack.com",), api_url="https://slack.com/api/")
    assert await downloads.copy("https://slack.com/a", stem="F1", name="a", size=21 * 1024 * 1024) == ""
    assert session.asked == []


def test_a_copy_is_called_by_its_id_whatever_people_call_theirs() -> None:
    assert named("F1", "../../etc/notes.pdf") == "F1.pdf"
    assert "/" not in named("F1", "a./b")


@pytest.mark.parametrize(
    ("api_url", "url", "asked"),
    [
        ("http://127.0.0.1:9000/api/", "http://127.0.0.1:9001/a.pdf", True),
        ("http://127.0.0.1:9000/api/", "http://localhost:9001/a.pdf", True),
        ("http://127.0.0.1:9000/api/", "http://192.168.0.1/a.pdf", False),
        ("https://slack.com/api/", "http://127.0.0.1:9001/a.pdf", False),
    ],
)
async def test_a_file_server_beside_a_local_api_is_asked(tmp_path: Path, api_url: str, url: str, asked: bool) -> None:
    session = NoSession()
    downloads = Downloads(lambda: session, tmp_path, hosts=("slack.com",), api_url=api_url)
    assert await downloads.copy(url, stem="F1", name="a.pdf", size=1) == ""
    assert session.asked == ([url] if asked else [])
