"""Write what only one person sees: through the response_url of a command or a button."""

from collections.abc import Callable
from dataclasses import replace

import aiohttp

from adapters.outlet import Draft, Lost, MaybeSent, MessageGone, RetryLater, Undeliverable
from adapters.pacing import Pace, Timing
from adapters.slack import mrkdwn
from adapters.slack.calls import RATE_LIMITED, SERVER_ERROR, Calls, retry_after
from adapters.slack.outbound import LIMIT_BYTES, Place
from adapters.source_words import share_label
from bot.domain.replies import Button, Sign

MOST_RESPONSES = 5
"""Uses of one response_url (interactivity documentation)."""


class PrivateOutlet:
    """A reply that one person sees: through the response_url of a command or button, five times in half an hour.

    `replacing`: it takes the place of the message whose button was pressed, for everybody who sees that.
    """

    limit = LIMIT_BYTES
    live = False
    status_apart = True

    def __init__(
        self,
        session: Callable[[], aiohttp.ClientSession],
        response_url: str,
        place: Place,
        calls: Calls,
        timing: Timing,
        *,
        replacing: bool = False,
    ) -> None:
        self._session = session
        self._response_url = response_url
        self._place = place
        self._calls = calls
        self._replacing = replacing
        self._uses = 0
        self.pace = Pace(every_s=0.2, timing=timing)

    def measure(self, markdown: str, /) -> int:
        return mrkdwn.size(markdown)

    async def status(self, text: str) -> None:
        """Nothing: every use of the response_url is needed for words that last."""

    async def post(self, draft: Draft) -> str:
        await self._respond(draft)
        return "response"

    async def edit(self, _reference: str, draft: Draft) -> None:
        """Say it once more: only after a restart, where the original of a button would be the answer of others."""
        await self._respond(draft)

    async def delete(self, _reference: str) -> None:
        """Nothing: a private message goes by itself."""

    async def find(self, _key: str) -> str | None:
        return None

    async def mark(self, sign: Sign) -> None:
        """Nothing: there is no message to put a sign on."""

    async def _respond(self, draft: Draft) -> None:
        draft = with_share(draft)
        where = {} if self._replacing else {"response_type": "ephemeral"}
        body = {
            **where,
            "replace_original": self._replacing,
            "text": mrkdwn.mrkdwn(draft.markdown),
            "blocks": mrkdwn.blocks(draft.markdown, draft.buttons),
            "unfurl_links": False,
        }
        self._uses += 1
        if not self._response_url or self._uses > MOST_RESPONSES or not await self._send(body):
            await self._ephemeral(draft)

    async def _send(self, body: dict[str, object]) -> bool:
        """Use the response_url; False when it is used up or too old."""
        try:
            async with self._session().post(self._response_url, json=body) as response:
                if response.status == RATE_LIMITED:
                    raise RetryLater(retry_after(response.headers))
                if response.status >= SERVER_ERROR:
                    raise RetryLater
                return response.ok
        except aiohttp.ClientConnectorError as error:
            raise RetryLater from error
        except (aiohttp.ClientError, TimeoutError) as error:
            raise MaybeSent from error

    async def _ephemeral(self, draft: Draft) -> None:
        thread = {"thread_ts": self._place.thread} if self._place.thread else {}
        try:
            await self._calls(
                "chat.postEphemeral",
                channel=self._place.channel,
                user=self._place.person,
                text=mrkdwn.mrkdwn(draft.markdown),
                blocks=mrkdwn.blocks(draft.markdown, draft.buttons),
                **thread,
            )
        except Lost as error:
            raise MaybeSent from error
        except MessageGone as error:
            raise Undeliverable(str(error)) from error


def with_share(draft: Draft) -> Draft:
    """Add a share button to a private answer, and take the stop button away: private replies do not grow."""
    buttons = [button for button in draft.buttons if button.name != "stop"]
    why = next((button for button in buttons if button.name == "why"), None)
    share = [Button(name="share", target=why.target, label=share_label(why.label))] if why else []
    return replace(draft, buttons=(*buttons, *share))
