"""Installs: encrypted on disk, found for teams and organisations, rotated, taken away when revoked."""

import json
import time as wall
from pathlib import Path

import aiohttp
import pytest
from slack_sdk.oauth.installation_store import Installation

from adapters.outlet import Undeliverable
from adapters.pacing import Timing
from adapters.slack.envelopes import Home
from adapters.slack.install import EncryptedInstallations
from adapters.slack.manifest import manifest_text, scope_sentence, wanted_scopes
from adapters.slack.workspaces import Workspaces
from bot.domain.errors import StorageTrouble
from tests.fakes.core import ScriptedCore, answer_with
from tests.fakes.slack.harness import listening, until
from tests.fakes.slack.server import SECRET, fake_slack


def installation(**more) -> Installation:
    return Installation(
        **{
            "app_id": "A1",
            "team_id": "T1",
            "enterprise_id": None,
            "bot_token": "xoxb-very-secret",
            "bot_id": "B1",
            "bot_user_id": "U0BOT",
            "bot_scopes": ["chat:write"],
            "user_id": "U0ADMIN",
        }
        | more
    )


def files_under(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def test_no_token_stands_readable_on_disk(tmp_path: Path) -> None:
    await EncryptedInstallations(tmp_path).async_save(installation())
    again = EncryptedInstallations(tmp_path)
    found = await again.async_find_bot(enterprise_id=None, team_id="T1")
    assert found is not None
    assert found.bot_token == "xoxb-very-secret"
    written = files_under(tmp_path)
    assert all(b"xoxb" not in content and b"U0ADMIN" not in content for content in written.values())
    assert {path.stat().st_mode & 0o077 for path in written} == {0}


async def test_another_key_is_told_in_a_sentence(tmp_path: Path) -> None:
    store = EncryptedInstallations(tmp_path)
    await store.async_save(installation())
    (tmp_path / "slack" / "installations.key").write_bytes(b"x" * 44)
    with pytest.raises(StorageTrouble):
        await store.async_find_bot(enterprise_id=None, team_id="T1")


async def test_an_organisation_wide_install_serves_its_teams(tmp_path: Path) -> None:
    store = EncryptedInstallations(tmp_path)
    await store.async_save(installation(team_id=None, enterprise_id="E1", is_enterprise_install=True))
    found = await store.async_find_bot(enterprise_id="E1", team_id="T7")
    assert found is not None
    assert await store.async_find_bot(enterprise_id="E2", team_id="T7") is None
    await store.async_delete_bot(enterprise_id="E1", team_id=None)
    assert await store.async_find_bot(enterprise_id="E1", team_id="T7") is None


async def test_a_token_about_to_expire_is_rotated_before_every_call(tmp_path: Path) -> None:
    async with fake_slack() as slack:
        slack.tokens = {}
        slack.refresh = {"xoxe-first": "T0TEAM"}
        store = EncryptedInstallations(tmp_path)
        await store.async_save(
            installation(
                team_id="T0TEAM",
                bot_token="xoxe.xoxb-old",
                bot_refresh_token="xoxe-first",
                bot_token_expires_at=int(wall.time()) + 60,
            )
        )
        workspaces = Workspaces(
            token="", api_url=slack.api_url, installations=store, client_id="c", client_secret="s", timing=Timing()
        )
        home = Home(team="T0TEAM")
        calls = workspaces.calls(home)
        await calls("auth.test")
        await calls("auth.test")
        assert len(slack.made("oauth.v2.access")) == 1
        kept = await EncryptedInstallations(tmp_path).async_find_bot(enterprise_id=None, team_id="T0TEAM")
        assert kept is not None
        assert kept.bot_token in slack.tokens
        await workspaces.forget(home)
        with pytest.raises(Undeliverable):
            await calls("auth.test")


async def test_the_install_flow_adds_a_workspace_and_uninstalling_removes_it(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Hello."))
    options = {"bot_token": "", "app_token": "", "client_id": "c1", "client_secret": "s1", "signing_secret": SECRET}
    async with (
        fake_slack() as slack,
        listening(slack, core, tmp_path, **options) as adapter,
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as browser,
    ):
        base = f"http://127.0.0.1:{adapter.http_port}"
        async with browser.get(f"{base}/slack/install", allow_redirects=False) as page:
            cookie = page.headers["Set-Cookie"].split(";")[0]
            state = cookie.partition("=")[2]
            assert page.status in {200, 302}
        granted = {
            "access_token": "xoxb-installed",
            "token_type": "bot",
            "bot_user_id": "U0BOT",
            "app_id": "A1",
            "scope": "chat:write",
            "team": {"id": "T0TEAM", "name": "Garden"},
            "enterprise": None,
            "authed_user": {"id": "U0ANA"},
            "is_enterprise_install": False,
        }
        slack.tokens = {"xoxb-installed": "T0TEAM"}
        query = {"code": json.dumps(granted), "state": state}
        url = f"{base}/slack/oauth_redirect"
        async with browser.get(url, params=query, headers={"Cookie": cookie}) as page:
            assert page.status == 200
        async with browser.get(url, params=query, headers={"Cookie": cookie}) as page:
            assert page.status == 401

        posted = slack.workspace.post("C0DEV", "U0ANA", "<@U0BOT> hi")
        mention = {**posted.event(), "type": "app_mention", "channel": "C0DEV", "team": "T0TEAM"}
        assert (await slack.post_signed(f"{base}/slack/events", slack.envelope(mention)))[0] == 200
        await until(lambda: bool(slack.workspace.own("C0DEV")))

        stranger = slack.envelope(
            mention, team_id="T9", authorizations=[{"team_id": "T9", "user_id": "U", "is_bot": True}]
        )
        await slack.post_signed(f"{base}/slack/events", stranger)
        gone = slack.envelope({"type": "app_uninstalled"})
        assert (await slack.post_signed(f"{base}/slack/events", gone))[0] == 200
        store = EncryptedInstallations(tmp_path)
        for _ in range(100):
            if await store.async_find_bot(enterprise_id=None, team_id="T0TEAM") is None:
                break
        assert await store.async_find_bot(enterprise_id=None, team_id="T0TEAM") is None
        assert len(core.received) == 1


async def test_an_organisation_without_a_team_is_installed_under_its_own_id(tmp_path: Path) -> None:
    options = {"bot_token": "", "app_token": "", "client_id": "c1", "client_secret": "s1", "signing_secret": SECRET}
    async with (
        fake_slack() as slack,
        listening(slack, ScriptedCore(), tmp_path, **options) as adapter,
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as browser,
    ):
        slack.tokens = {"xoxe.xoxb-org": "T0TEAM"}
        base = f"http://127.0.0.1:{adapter.http_port}"
        async with browser.get(f"{base}/slack/install", allow_redirects=False) as page:
            cookie = page.headers["Set-Cookie"].split(";")[0]
        granted = {
            "access_token": "xoxe.xoxb-org",
            "token_type": "bot",
            "bot_user_id": "U0BOT",
            "app_id": "A1",
            "scope": "chat:write",
            "expires_in": 43200,
            "refresh_token": "xoxe-1",
            "team": None,
            "enterprise": {"id": "E7", "name": "Org"},
            "authed_user": {"id": "U0ANA"},
            "is_enterprise_install": True,
        }
        query = {"code": json.dumps(granted), "state": cookie.partition("=")[2]}
        async with browser.get(f"{base}/slack/oauth_redirect", params=query, headers={"Cookie": cookie}) as page:
            assert page.status == 200
        found = await EncryptedInstallations(tmp_path).async_find_bot(enterprise_id="E7", team_id="T5")
        assert found is not None
        assert found.enterprise_id == "E7"


def test_the_manifest_names_every_scope_with_its_use() -> None:
    manifest = json.loads(manifest_text())
    assert manifest["settings"]["socket_mode_enabled"]
    assert {"message.channels", "app_mention", "reaction_added"} <= set(
        manifest["settings"]["event_subscriptions"]["bot_events"]
    )
    for scope in wanted_scopes():
        assert "do all I should" not in scope_sentence(scope)
