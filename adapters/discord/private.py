"""Answer an interaction: by its webhook for a quarter of an hour, after that where the bot may still write."""

from datetime import datetime, timedelta
from typing import Any

from adapters.aside import REPLACING
from adapters.discord.buttons import components
from adapters.discord.calls import BAD_WEBHOOK_TOKEN, UNKNOWN_WEBHOOK, Calls, Refused
from adapters.discord.channels import EVERY_S, ChannelPace
from adapters.discord.keeping import Asked
from adapters.discord.markdown import discord_markdown, size
from adapters.discord.outbound import LIMIT, NOBODY, SUPPRESS_EMBEDS, DiscordOutlet
from adapters.outlet import Draft, Lost, MaybeSent, MessageGone, RetryLater
from adapters.pacing import Pace, Timing
from adapters.source_words import share_label
from bot.domain.replies import Button, Sign
from bot.ports import Clock

TOKEN_LASTS = timedelta(minutes=14, seconds=30)
"""An interaction's token is good for 15 minutes (receiving and responding, API documentation)."""
EPHEMERAL = 1 << 6
HOOK = "hook/"
EXPIRED = {BAD_WEBHOOK_TOKEN, UNKNOWN_WEBHOOK}
ORIGINAL = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
MESSAGE = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"
MESSAGES = "/webhooks/{webhook_id}/{webhook_token}"


class InteractionOutlet:
    """The deferred reply to a command or a button: an `adapters.outlet.Outlet`.

    `beyond` takes over once the token is dead: the channel for an answer that everybody may see, else a direct message.
    `beside` leaves the original as it is: it is the message under which somebody pressed a button.
    """

    limit = LIMIT
    status_apart = True

    def __init__(
        self,
        calls: Calls,
        asked: Asked,
        beyond: DiscordOutlet,
        *,
        clock: Clock,
        timing: Timing,
        beside: bool = False,
    ) -> None:
        self._calls = calls
        self._asked = asked
        self._beyond = beyond
        self._clock = clock
        self._original_used = beside
        self._dead = False
        self._pace = ChannelPace(every_s=EVERY_S, timing=timing)

    @property
    def live(self) -> bool:
        """Whether a growing text is shown: everybody watches a public one, and it has a stop button."""
        return not self._asked.private

    @property
    def pace(self) -> Pace:
        """A webhook's own pace; the channel's once that has taken over."""
        return self._beyond.pace if self._expired else self._pace

    def measure(self, markdown: str, /) -> int:
        return size(markdown)

    async def status(self, text: str) -> None:
        """Nothing: Discord shows that the bot is thinking."""

    async def post(self, draft: Draft) -> str:
        if self._expired:
            return await self._beyond.post(draft)
        try:
            posted = await (self._send(draft) if self._original_used else self._fill(draft))
        except Refused as error:
            if error.code not in EXPIRED:
                raise
            self._dead = True
            raise RetryLater(0.0) from error
        return f"{HOOK}{posted['id']}"

    async def edit(self, reference: str, draft: Draft) -> None:
        if not reference.startswith(HOOK):
            await self._beyond.edit(reference, draft)
            return
        message = reference.removeprefix(HOOK)
        self._original_used = True  # known again after a restart: the next part is a message of its own
        if self._expired:
            await self._edit_beyond(message, draft)
            return
        try:
            await self._calls("PATCH", MESSAGE, **self._ids(message), json=self._body(draft))
        except Lost as error:
            raise RetryLater from error
        except Refused as error:
            if error.code not in EXPIRED:
                raise
            self._dead = True
            raise RetryLater(0.0) from error

    async def delete(self, reference: str) -> None:
        if not reference.startswith(HOOK):
            await self._beyond.delete(reference)
            return
        try:
            await self._calls("DELETE", MESSAGE, **self._ids(reference.removeprefix(HOOK)))
        except (Lost, MessageGone, Refused):
            return

    async def find(self, key: str) -> str | None:
        return await self._beyond.find(key) if self._expired else None

    async def mark(self, sign: Sign) -> None:
        """Nothing: there is no message to put a sign on."""

    @property
    def _expired(self) -> bool:
        age = self._clock.now() - datetime.fromisoformat(self._asked.received_at)
        return self._dead or age > TOKEN_LASTS

    async def _fill(self, draft: Draft) -> dict[str, Any]:
        """Put the first text in the place of "is thinking", or of the message whose button is used up.

        It is an edit, so it may be repeated. Where there is no such message any more, it is one of its own.
        """
        try:
            posted: dict[str, Any] = await self._calls("PATCH", ORIGINAL, **self._ids(), json=self._body(draft))
        except Lost as error:
            raise RetryLater from error
        except MessageGone:
            self._original_used = True
            return await self._send(draft)
        self._original_used = True
        return posted

    async def _send(self, draft: Draft) -> dict[str, Any]:
        body = self._body(draft)
        hidden = self._asked.private or self._asked.name in REPLACING
        body["flags"] |= EPHEMERAL if hidden else 0
        try:
            sent: dict[str, Any] = await self._calls("POST", MESSAGES, **self._ids(), json=body, query={"wait": "true"})
        except Lost as error:
            raise MaybeSent from error
        return sent

    async def _edit_beyond(self, message: str, draft: Draft) -> None:
        """Edit an answer that everybody sees as the bot's own message; a private one cannot be reached any more."""
        channel = self._beyond.channel
        if self._asked.private or not channel:
            raise MessageGone(message)
        await self._beyond.edit(f"{channel}/{message}", draft)

    def _ids(self, message: str = "") -> dict[str, Any]:
        named = {"message_id": message} if message else {}
        return {"webhook_id": self._asked.application, "webhook_token": self._asked.token, **named}

    def _body(self, draft: Draft) -> dict[str, Any]:
        buttons = with_share(draft) if self._asked.private else draft.buttons
        return {
            "content": discord_markdown(draft.markdown),
            "allowed_mentions": NOBODY,
            "flags": SUPPRESS_EMBEDS,
            "components": components(buttons),
        }


def with_share(draft: Draft) -> tuple[Button, ...]:
    """Return the buttons under a private answer: with one that shows it to all, without stop, as it does not grow."""
    buttons = tuple(button for button in draft.buttons if button.name != "stop")
    why = next((button for button in buttons if button.name == "why"), None)
    share = (Button(name="share", target=why.target, label=share_label(why.label)),) if why else ()
    return (*buttons, *share)
