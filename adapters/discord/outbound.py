"""Write into Discord: post, edit, signs; where a place is closed, the answer goes where it still may."""

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.discord.buttons import components
from adapters.discord.calls import (
    ARCHIVED,
    HAS_THREAD,
    LOCKED,
    NO_ACCESS,
    NO_PERMISSION,
    NO_REPLIES,
    UNKNOWN_CHANNEL,
    Calls,
    Refused,
)
from adapters.discord.channels import EVERY_S, ChannelBudgets, ChannelPace, Destination, Own
from adapters.discord.markdown import discord_markdown, size
from adapters.outlet import Draft, Lost, MaybeSent, MessageGone, RetryLater, TooLong
from adapters.pacing import Pace
from bot.domain.replies import Sign

LIMIT = 2000
"""Characters of a message (create message, API documentation)."""
SAME_NONCE_S = 120.0
"""A nonce is checked for uniqueness over "the past few minutes" (create message); so long a repeat is safe."""
LONGEST_NONCE = 25
LONGEST_THREAD_NAME = 90
DAY_MINUTES = 1440
SUPPRESS_EMBEDS = 1 << 2
NOBODY = {"parse": [], "replied_user": False}
SIGNS = {"seen": "👀", "saved": "💾", "known": "🔖", "failed": "⚠️"}
CLOSED = {ARCHIVED, LOCKED, NO_ACCESS, NO_PERMISSION, UNKNOWN_CHANNEL}
WHY = {
    ARCHIVED: "it is archived",
    LOCKED: "it is locked",
    NO_ACCESS: "I cannot see it",
    NO_PERMISSION: "I lack a permission there",
    UNKNOWN_CHANNEL: "it is gone",
}
RECENT_OWN = 50
"""How many of the newest messages are looked through for a post whose reply was lost."""


@dataclass(slots=True)
class _State:
    """Where the reply stands now."""

    at: str
    lead: str = ""
    """What the first message says before the answer, after it had to go elsewhere."""
    leads: dict[str, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    tried: dict[str, float] = field(default_factory=dict)
    """When a nonce was first sent."""
    first: bool = True
    beside: bool = True
    """Whether the first message may be a reply to the question."""
    direct: bool = False
    """Everything else was closed: it goes to the person alone."""


class DiscordOutlet:
    """A channel, a thread or a direct chat: an `adapters.outlet.Outlet`."""

    limit = LIMIT
    live = True
    status_apart = True

    def __init__(self, calls: Calls, destination: Destination, budgets: ChannelBudgets, own: Own) -> None:
        self._calls = calls
        self._destination = destination
        self._budgets = budgets
        self._own = own
        self._state = _State(at=destination.channel, left=list(destination.fallbacks))
        self._paces: dict[str, ChannelPace] = {}

    @property
    def channel(self) -> str:
        """Where the reply stands now; empty before a direct chat is opened."""
        return self._state.at

    @property
    def pace(self) -> Pace:
        """The pace of the channel that the reply stands in."""
        at = self._state.at
        if at not in self._paces:
            budget, timing = self._budgets.texts(at or self._destination.person), self._budgets.timing
            self._paces[at] = ChannelPace(every_s=EVERY_S, posts=budget, edits=budget, timing=timing)
        return self._paces[at]

    def measure(self, markdown: str, /) -> int:
        return size(markdown)

    async def status(self, text: str) -> None:
        """Nothing: the typing line shows that something goes on."""

    async def post(self, draft: Draft) -> str:
        """Write a new message with a nonce: repeated within minutes, Discord gives back the first one."""
        await self._open_thread()
        if not self._state.at:
            await self._open_direct()
        nonce = self._nonce(draft.key)
        since = self._state.tried.setdefault(nonce, self._budgets.timing.now())
        try:
            posted = await self._calls(
                "POST", "/channels/{channel_id}/messages", channel_id=self._state.at, json=self._new(draft, nonce)
            )
        except Refused as error:
            await self._give_way(error)
            raise RetryLater(0.0) from error
        except Lost as error:
            if self._budgets.timing.now() - since < SAME_NONCE_S:
                raise RetryLater from error
            raise MaybeSent from error
        return await self._posted(posted, draft)

    async def edit(self, reference: str, draft: Draft) -> None:
        channel, _, message = reference.rpartition("/")
        body = self._body(draft, self._state.leads.get(reference, ""))
        path = "/channels/{channel_id}/messages/{message_id}"
        try:
            await self._calls("PATCH", path, channel_id=channel, message_id=message, json=body)
        except Refused as error:
            if error.code in CLOSED:
                raise MessageGone(str(error)) from error
            raise
        except Lost as error:
            raise RetryLater from error

    async def delete(self, reference: str) -> None:
        channel, _, message = reference.rpartition("/")
        path = "/channels/{channel_id}/messages/{message_id}"
        try:
            await self._calls("DELETE", path, channel_id=channel, message_id=message)
        except (MessageGone, Refused):
            return
        except Lost as error:
            raise RetryLater from error

    async def find(self, key: str) -> str | None:
        """Look for our message with this nonce: as the gateway told of it, else among the newest of the channel.

        The API seldom tells nonces; a reply's first message is also known by the question that it answers.
        """
        nonce = self._nonce(key)
        known = self._own.get(nonce)
        if known or not self._state.at:
            return known
        try:
            newest = await self._calls(
                "GET",
                "/channels/{channel_id}/messages",
                channel_id=self._state.at,
                query={"limit": str(RECENT_OWN)},
            )
        except Lost as error:
            raise RetryLater from error
        found = (message for message in newest if self._is_ours(message, nonce, first=key.endswith("-0")))
        return next((f"{self._state.at}/{message['id']}" for message in found), None)

    def _is_ours(self, message: dict[str, Any], nonce: str, *, first: bool) -> bool:
        if str(message.get("nonce") or "") == nonce:
            return True
        replied = str((message.get("message_reference") or {}).get("message_id") or "")
        ours = str((message.get("author") or {}).get("id")) == self._own.bot_id
        return first and ours and bool(replied) and replied == self._destination.question

    async def mark(self, sign: Sign) -> None:
        question = self._destination.question
        if not question or sign == "seen":
            return  # the typing line says that it was seen
        if not self._budgets.takes_signs(self._destination.channel):
            return
        budget = self._budgets.signs(self._destination.channel)
        if (delay := budget.delay(final=True)) > 0:
            raise RetryLater(delay)
        budget.count(final=True)
        try:
            await react(self._calls, self._destination.channel, question, SIGNS[sign])
        except Refused:
            self._budgets.close_signs(self._destination.channel)
            raise

    def _nonce(self, key: str) -> str:
        """Return a nonce that is the same after a restart, and another for another palace's same key."""
        text = f"{self._destination.channel}/{self._destination.question}/{self._destination.person}/{key}"
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()[:LONGEST_NONCE]

    def _new(self, draft: Draft, nonce: str) -> dict[str, Any]:
        question = self._destination.question
        reference = {"channel_id": self._state.at, "message_id": question, "fail_if_not_exists": False}
        at_home = self._state.at == self._destination.channel
        replying = self._state.first and self._state.beside and question and at_home
        beside = {"message_reference": reference} if replying else {}
        return {**self._body(draft, self._state.lead), "nonce": nonce, "enforce_nonce": True, **beside}

    def _body(self, draft: Draft, lead: str) -> dict[str, Any]:
        text = f"{lead}{discord_markdown(draft.markdown)}"
        if len(text) > LIMIT:
            raise TooLong
        return {
            "content": text,
            "allowed_mentions": NOBODY,
            "flags": SUPPRESS_EMBEDS,
            "components": components(draft.buttons),
        }

    async def _posted(self, posted: dict[str, Any], draft: Draft) -> str:
        """Take note of a post; one that an earlier attempt had made already may say something older."""
        reference = f"{self._state.at}/{posted['id']}"
        lead, self._state.lead, self._state.first = self._state.lead, "", False
        if lead:
            self._state.leads[reference] = lead
        if posted.get("content") != self._body(draft, lead)["content"]:
            await self.edit(reference, draft)
        return reference

    async def _open_thread(self) -> None:
        """Open a thread of the answer's own, where the room wishes so; without one it is answered in the channel."""
        name, question = self._destination.thread_name, self._destination.question
        if not name or not self._state.first or self._state.at != self._destination.channel:
            return
        try:
            thread = await self._calls(
                "POST",
                "/channels/{channel_id}/messages/{message_id}/threads",
                channel_id=self._state.at,
                message_id=question,
                json={"name": name[:LONGEST_THREAD_NAME], "auto_archive_duration": DAY_MINUTES},
            )
        except Refused as error:
            # A thread opened from a message bears the message's own id.
            thread = {"id": question} if error.code == HAS_THREAD else {}
        except MessageGone:
            thread = {}
        except Lost as error:
            raise RetryLater from error
        self._destination = replace(self._destination, thread_name="")
        if thread:
            self._state.left.insert(0, self._state.at)
            self._state.at = str(thread["id"])

    async def _open_direct(self) -> None:
        try:
            direct = await self._calls("POST", "/users/@me/channels", json={"recipient_id": self._destination.person})
        except Lost as error:
            raise RetryLater from error
        self._state.at = str(direct["id"])

    async def _give_way(self, error: Refused) -> None:
        """Find another way to write, or raise what was refused."""
        if error.code == NO_REPLIES and self._state.beside:
            self._state.beside = False
        elif error.code in CLOSED:
            await self._move(error)
        else:
            raise error

    async def _move(self, error: Refused) -> None:
        """Go where the answer may still be written: an archived thread opened again, its parent, a direct message."""
        closed, self._state.tried = self._state.at, {}
        if error.code == ARCHIVED and await self._reopen(closed):
            return
        if self._state.left:
            self._state.at = self._state.left.pop(0)
        elif self._destination.person and not self._state.direct:
            self._state.direct = True
            await self._open_direct()
        else:
            raise error
        if self._state.at == closed:
            raise error
        self._state.lead = f"*I could not write in <#{closed}>: {WHY[error.code]}.*\n"

    async def _reopen(self, thread: str) -> bool:
        try:
            await self._calls("PATCH", "/channels/{channel_id}", channel_id=thread, json={"archived": False})
        except (Refused, MessageGone):
            return False
        except Lost as error:
            raise RetryLater from error
        return True


async def react(calls: Calls, channel: str, message: str, emoji: str) -> None:
    """Put a reaction of ours on a message; raises Refused where that is not allowed."""
    path = "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me"
    try:
        await calls("PUT", path, channel_id=channel, message_id=message, emoji=emoji)
    except (Lost, MessageGone):
        return


async def unreact(calls: Calls, channel: str, message: str, emoji: str) -> None:
    """Take a reaction of ours away; one that is not there is a success."""
    path = "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me"
    try:
        await calls("DELETE", path, channel_id=channel, message_id=message, emoji=emoji)
    except (Lost, MessageGone, Refused, RetryLater):
        return
