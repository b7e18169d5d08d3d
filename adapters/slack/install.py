"""Keep who installed the app, encrypted on disk, and the OAuth flow that adds workspaces."""

import asyncio
import json
import os
import secrets
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore
from slack_sdk.web.async_client import AsyncWebClient

from bot.domain.errors import StorageTrouble

STATE_LASTS_S = 600


class EncryptedInstallations(AsyncInstallationStore):
    """Installations by (organisation, team) in one file, encrypted with a key that lies beside it (mode 0600).

    The key keeps tokens out of backups and copies of the file alone; whoever reads the folder reads both.
    """

    def __init__(self, home: Path) -> None:
        self._file = home / "slack" / "installations.bin"
        self._key_file = home / "slack" / "installations.key"
        self._changing = asyncio.Lock()

    async def async_save(self, installation: Installation) -> None:
        key = _key(installation.enterprise_id, installation.team_id, org_wide=bool(installation.is_enterprise_install))
        await self._change(key, _plain(installation.to_dict()))

    async def async_save_bot(self, bot: Bot) -> None:
        """Keep a rotated token; the rest of the installation stays."""
        key = _key(bot.enterprise_id, bot.team_id, org_wide=bool(bot.is_enterprise_install))
        known = (await asyncio.to_thread(self._read)).get(key, {})
        await self._change(key, {**known, **_plain(bot.to_dict())})

    async def async_find_bot(
        self, *, enterprise_id: str | None, team_id: str | None, is_enterprise_install: bool | None = False
    ) -> Bot | None:
        found = await self.async_find_installation(
            enterprise_id=enterprise_id, team_id=team_id, is_enterprise_install=is_enterprise_install
        )
        return found.to_bot() if found else None

    async def async_find_installation(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None = None,  # noqa: ARG002 - bots have one installation a team
        is_enterprise_install: bool | None = False,
    ) -> Installation | None:
        known = await asyncio.to_thread(self._read)
        keys = [_key(enterprise_id, team_id, org_wide=False), _key(None, team_id, org_wide=False)]
        in_organisation = [_key(enterprise_id, None, org_wide=True)] if enterprise_id else []
        wanted = [*in_organisation, *keys] if is_enterprise_install else [*keys, *in_organisation]
        value = next((known[key] for key in wanted if key in known), None)
        return Installation(**value) if value else None

    async def async_delete_installation(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None = None,  # noqa: ARG002 - the same
    ) -> None:
        await self._change(_key(enterprise_id, team_id, org_wide=team_id is None), None)
        await self._change(_key(None, team_id, org_wide=False), None)

    async def async_delete_bot(self, *, enterprise_id: str | None, team_id: str | None) -> None:
        await self.async_delete_installation(enterprise_id=enterprise_id, team_id=team_id)

    async def _change(self, key: str, value: dict[str, Any] | None) -> None:
        async with self._changing:
            await asyncio.to_thread(self._write, key, value)

    def _read(self) -> dict[str, dict[str, Any]]:
        if not self._file.exists():
            return {}
        try:
            text = Fernet(self._key()).decrypt(self._file.read_bytes())
        except (InvalidToken, ValueError) as error:
            raise StorageTrouble("The Slack installations cannot be decrypted: their key is another one.") from error
        value: dict[str, dict[str, Any]] = json.loads(text)
        return value

    def _write(self, key: str, value: dict[str, Any] | None) -> None:
        """Replace the file as a whole, so that a crash leaves the old one or the new one."""
        known = {**self._read(), key: value} if value else {k: v for k, v in self._read().items() if k != key}
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = self._file.with_suffix(".new")
        _write_private(beside, Fernet(self._key()).encrypt(json.dumps(known).encode()))
        beside.replace(self._file)

    def _key(self) -> bytes:
        if not self._key_file.exists():
            self._key_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write_private(self._key_file, Fernet.generate_key())
        return self._key_file.read_bytes()


class States(AsyncOAuthStateStore):
    """The installs under way: each state works once. After a restart somebody has to click again."""

    def __init__(self) -> None:
        self._issued: dict[str, float] = {}

    async def async_issue(self, *_: Any, **__: Any) -> str:
        now = time.monotonic()
        self._issued = {state: until for state, until in self._issued.items() if until > now}
        state = secrets.token_urlsafe(32)
        self._issued[state] = now + STATE_LASTS_S
        return state

    async def async_consume(self, state: str) -> bool:
        return self._issued.pop(state, 0.0) > time.monotonic()


def oauth_flow(
    *,
    client_id: str,
    client_secret: str,
    scopes: tuple[str, ...],
    installations: EncryptedInstallations,
    api_url: str,
) -> AsyncOAuthFlow:
    """Return the flow behind /slack/install and /slack/oauth_redirect; each state works once, for ten minutes."""
    web = api_url.rstrip("/").removesuffix("/api")
    settings = AsyncOAuthSettings(
        client_id=client_id,
        client_secret=client_secret,
        scopes=list(scopes),
        installation_store=installations,
        state_store=States(),
        authorization_url=f"{web}/oauth/v2/authorize",
    )
    return AsyncOAuthFlow(settings=settings, client=AsyncWebClient(base_url=api_url))


def _key(enterprise: str | None, team: str | None, *, org_wide: bool) -> str:
    return f"{enterprise or '-'}/{'-' if org_wide else team or '-'}"


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """Return what the constructors of slack_sdk take back: numbers for times, no made-up fields."""
    plain = {name: int(part.timestamp()) if isinstance(part, datetime) else part for name, part in value.items()}
    plain["installed_at"] = float(plain["installed_at"])
    return plain | {"bot_scopes": _list(plain.get("bot_scopes")), "user_scopes": _list(plain.get("user_scopes"))}


def _list(value: Any) -> list[str]:
    return [word for word in value.split(",") if word] if isinstance(value, str) else list(value or ())


def _write_private(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
