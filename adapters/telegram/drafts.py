"""Show a growing text as a draft in a private chat, and keep it in sight while its answer pauses."""

import logging

from aiogram.methods import SendMessageDraft

from adapters.outlet import Lost, MessageGone, RetryLater, TooLong
from adapters.pacing import Pace, Timing
from adapters.telegram.calls import Calls, Moved, Refused

_LOG = logging.getLogger(__name__)

RESTS_S = 20.0
"""A draft fades thirty seconds after it was last sent (sendMessageDraft)."""


class Shown:
    """The draft in sight, as long as no message has taken its place."""

    def __init__(self, calls: Calls, pace: Pace, timing: Timing) -> None:
        self._calls = calls
        self._pace = pace
        self._timing = timing
        self._draft: SendMessageDraft | None = None
        self._sent_at = 0.0

    async def send(self, draft: SendMessageDraft) -> None:
        """Show a draft, in the place of the one before."""
        self._draft, self._sent_at = draft, self._timing.now()
        try:
            await self._calls(draft)
        except Refused:
            self._draft = None
            raise

    def replaced(self) -> None:
        """Note that a message takes the draft's place."""
        self._draft = None

    async def stay_in_sight(self) -> None:
        """Send the draft again whenever it has rested so long that it would fade, until cancelled."""
        while True:
            rested = self._timing.now() - self._sent_at if self._draft else 0.0
            if rested < RESTS_S:
                await self._timing.sleep(RESTS_S - rested)
                continue
            async with self._pace.in_flight:
                await self._send_again()

    async def _send_again(self) -> None:
        draft, self._sent_at = self._draft, self._timing.now()
        if draft is None or self._pace.delay("edit", final=False) > 0:
            return
        try:
            await self._calls(draft)
        except RetryLater as error:
            self._pace.cool_off("edit", error.seconds or RESTS_S)
        except (Refused, Lost, MessageGone, TooLong, Moved) as error:
            _LOG.info("A draft could not be shown again: %s", error)
