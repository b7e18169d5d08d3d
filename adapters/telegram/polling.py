"""Ask Telegram for updates: the offset moves only past what is kept."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiogram.methods import GetWebhookInfo

from adapters.outlet import RetryLater, Trouble
from adapters.pacing import Timing
from adapters.telegram.calls import Calls, RawUpdates, Refused
from bot.domain.errors import StorageTrouble

_LOG = logging.getLogger(__name__)

ASK_FOR_S = 25
"""getUpdates is held open by the server for so long."""
ANSWER_WITHIN_S = 10
TRY_AGAIN_S = 1.0
LONGEST_WAIT_S = 30.0
WEBHOOK_SET = (
    "Telegram sends this bot's updates to a webhook, so it cannot be polled: set TELEGRAM_WEBHOOK_URL here too, "
    "or remove the webhook (deleteWebhook)."
)
POLLED_ELSEWHERE = "Another program polls Telegram with this token: stop it, or use a bot of its own here."

Take = Callable[[Mapping[str, Any]], Awaitable[None]]


class Polling:
    """Our own getUpdates loop: aiogram's confirms while handlers run and gives up a batch for one bad update."""

    def __init__(self, calls: Calls, take: Take, *, allowed: list[str], timing: Timing) -> None:
        self._calls = calls
        self._take = take
        self._allowed = allowed
        self._timing = timing
        self._offset: int | None = None
        self._wait_s = TRY_AGAIN_S
        self.connected = False
        self.note = ""

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            try:
                await self._round()
                self._tell(connected=True, note="")
                self._wait_s = TRY_AGAIN_S
            except RetryLater as error:
                await self._pause(error.seconds, "")
            except StorageTrouble as error:
                await self._pause(None, f"Updates cannot be kept: {error}")
            except Refused as error:
                await self._pause(None, await self._conflict(error))
            except Trouble as error:
                await self._pause(None, f"Telegram cannot be reached: {error}")

    async def _round(self) -> None:
        """Fetch one batch and keep each update; what could not be kept is not confirmed by the next call."""
        wait_s = ASK_FOR_S if self.connected else 0  # the first answer, which says that all is well, comes at once
        ask = RawUpdates(offset=self._offset, timeout=wait_s, allowed_updates=self._allowed)
        for raw in await self._calls(ask, timeout=ASK_FOR_S + ANSWER_WITHIN_S):
            await self._take(raw)
            self._offset = int(raw["update_id"]) + 1

    async def _pause(self, seconds: float | None, note: str) -> None:
        self._tell(connected=False, note=note)
        await self._timing.sleep(self._wait_s if seconds is None else seconds)
        self._wait_s = min(LONGEST_WAIT_S, self._wait_s * 2)

    async def _conflict(self, error: Refused) -> str:
        """Say in one sentence why polling is refused."""
        if "conflict" not in error.why:
            return str(error)
        try:
            info = await self._calls(GetWebhookInfo())
        except Trouble:
            return POLLED_ELSEWHERE
        return WEBHOOK_SET if info.url else POLLED_ELSEWHERE

    def _tell(self, *, connected: bool, note: str) -> None:
        if connected != self.connected or note != self.note:
            _LOG.warning("%s", note or f"Telegram is {'connected' if connected else 'away; trying again'}")
        self.connected, self.note = connected, note
