"""Know every workspace the app is installed in: who the bot is there, and a token that is fresh."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from time import time

from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError, SlackTokenRotationError
from slack_sdk.oauth.installation_store import Bot
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient

from adapters.outlet import Undeliverable
from adapters.pacing import Timing
from adapters.slack.budgets import TeamBudgets
from adapters.slack.calls import Calls, Gate
from adapters.slack.envelopes import Home
from adapters.slack.install import EncryptedInstallations
from bot.domain.errors import BadInput

_LOG = logging.getLogger(__name__)

ROTATE_MINUTES_BEFORE = 120


class Workspaces:
    """One workspace by its token from the settings, or many from the installation store."""

    def __init__(
        self,
        *,
        token: str,
        api_url: str,
        installations: EncryptedInstallations | None = None,
        client_id: str = "",
        client_secret: str = "",
        timing: Timing,
        after_crash: bool = False,
    ) -> None:
        self._token = token
        self._api_url = api_url
        self._installations = installations
        self._rotator = (
            AsyncTokenRotator(client_id=client_id, client_secret=client_secret, client=AsyncWebClient(base_url=api_url))
            if client_id
            else None
        )
        self._rotating = asyncio.Lock()
        self._timing = timing
        self._after_crash = after_crash
        self._homes: dict[str, Home] = {}
        self._budgets: dict[str, TeamBudgets] = {}
        self._gates: dict[str, Gate] = {}

    def new_client(self, token: str) -> AsyncWebClient:
        """Return a client that never repeats a call by itself: a repeated post is a second message."""
        return AsyncWebClient(token=token, base_url=self._api_url, retry_handlers=[])

    async def check(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """Ask auth.test who we are; returns the missing scopes. Raises BadInput for a token that is refused."""
        if not self._token:
            return ()
        try:
            reply = await self.new_client(self._token).auth_test()
        except SlackApiError as error:
            code = error.response.get("error") if isinstance(error.response.data, dict) else ""
            if code:
                raise BadInput(f"Slack refuses the bot token ({code}): check SLACK_BOT_TOKEN.") from error
            raise
        home = Home(
            team=reply.get("team_id") or "",
            enterprise=reply.get("enterprise_id") or "",
            org_wide=bool(reply.get("is_enterprise_install")),
            bot_user=reply.get("user_id") or "",
            bot_id=reply.get("bot_id") or "",
            url=reply.get("url") or "",
        )
        self._homes[""] = home
        headers = {str(name).lower(): value for name, value in reply.headers.items()}
        granted = {scope.strip() for scope in headers.get("x-oauth-scopes", "").split(",") if scope.strip()}
        return tuple(scope for scope in wanted if granted and scope not in granted)

    async def authorize(self, enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
        """Tell slack_bolt whose token serves an event; None where the app is not installed."""
        if self._token and "" in self._homes:
            home = self._homes[""]
            return AuthorizeResult(
                enterprise_id=enterprise_id,
                team_id=team_id,
                bot_user_id=home.bot_user,
                bot_id=home.bot_id,
                bot_token=self._token,
            )
        bot = await self._bot(enterprise_id, team_id)
        if bot is None:
            return None
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            bot_user_id=bot.bot_user_id,
            bot_id=bot.bot_id,
            bot_token=bot.bot_token,
        )

    async def home(self, seen: Home) -> Home:
        """Fill in who the bot is in the workspace that an event names."""
        known = self._homes.get("" if self._token else f"{seen.enterprise}/{seen.team}")
        if known is None:
            known = await self._ask_home(seen)
        return replace(
            known,
            team=seen.team or known.team,
            enterprise=seen.enterprise or known.enterprise,
            org_wide=seen.org_wide or known.org_wide,
            bot_user=known.bot_user or seen.bot_user,
        )

    async def client(self, home: Home) -> AsyncWebClient:
        """Return a client with a token that is good now. Raises Undeliverable where the app is not installed."""
        if self._token:
            return self.new_client(self._token)
        bot = await self._bot(home.enterprise, home.team)
        if bot is None or not bot.bot_token:
            raise Undeliverable("The app is not installed in this workspace any more")
        return self.new_client(bot.bot_token)

    def calls(self, home: Home) -> Calls:
        """Return the Web API of a workspace; every call takes the token that is good by then."""
        return Calls(lambda: self.client(home), self._gates.setdefault(home.team, Gate(self._timing)))

    def budgets(self, home: Home) -> TeamBudgets:
        """Return what the replies of a workspace share."""
        if home.team not in self._budgets:
            self._budgets[home.team] = TeamBudgets(self._timing, after_crash=self._after_crash)
        return self._budgets[home.team]

    async def forget(self, home: Home) -> None:
        """Drop a workspace that uninstalled the app or revoked its tokens."""
        self._homes.pop(f"{home.enterprise}/{home.team}", None)
        if self._installations is not None:
            team = None if home.org_wide else home.team
            await self._installations.async_delete_installation(enterprise_id=home.enterprise or None, team_id=team)

    async def _ask_home(self, seen: Home) -> Home:
        bot = await self._bot(seen.enterprise, seen.team)
        if bot is None:
            return seen
        home = replace(seen, bot_user=bot.bot_user_id or seen.bot_user, bot_id=bot.bot_id or "")
        try:
            reply = await self.new_client(bot.bot_token or "").auth_test()
        except SlackApiError as error:
            _LOG.warning("auth.test is refused for a workspace: %s", error.response.get("error"))
            return home
        home = replace(home, url=reply.get("url") or "")
        self._homes[f"{seen.enterprise}/{seen.team}"] = home
        return home

    async def _bot(self, enterprise: str | None, team: str | None) -> Bot | None:
        """Find the installation, org-wide ones included, with its token rotated in time."""
        if self._installations is None:
            return None
        bot = await self._find(enterprise, team)
        if bot is None or self._rotator is None or not _expires_soon(bot):
            return bot
        async with self._rotating:
            bot = await self._find(enterprise, team)
            if bot is None or not _expires_soon(bot):
                return bot
            try:
                rotated = await self._rotator.perform_bot_token_rotation(
                    bot=bot, minutes_before_expiration=ROTATE_MINUTES_BEFORE
                )
            except SlackTokenRotationError:
                _LOG.exception("A Slack token could not be rotated")
                return bot
            if rotated is not None:
                await self._installations.async_save_bot(rotated)
            return rotated or bot

    async def _find(self, enterprise: str | None, team: str | None) -> Bot | None:
        assert self._installations is not None  # noqa: S101 - asked by _bot
        return await self._installations.async_find_bot(
            enterprise_id=enterprise or None, team_id=team or None, is_enterprise_install=False
        )


def _expires_soon(bot: Bot) -> bool:
    expires = bot.bot_token_expires_at
    return expires is not None and expires < time() + ROTATE_MINUTES_BEFORE * 60
