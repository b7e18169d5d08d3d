"""Write into Telegram: drafts in private chats, posts and paced edits elsewhere, reactions; within its limits."""

import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from aiogram.methods import (
    DeleteMessage,
    EditMessageText,
    SendChatAction,
    SendMessage,
    SendMessageDraft,
    SetMessageReaction,
)
from aiogram.types import (
    LinkPreviewOptions,
    MessageEntity,
    ReactionTypeEmoji,
    ReplyParameters,
)

from adapters.outlet import Draft, Lost, MaybeSent, MessageGone, RetryLater
from adapters.pacing import Pace
from adapters.telegram.budgets import Budgets
from adapters.telegram.calls import NO_THREAD, NOT_MODIFIED, Calls, Moved, Refused, Unread
from adapters.telegram.drafts import Shown
from adapters.telegram.entities import TEXT_UNITS, Rendered, render, size
from adapters.telegram.keyboards import keyboard
from bot.domain.replies import Sign

_LOG = logging.getLogger(__name__)

DRAFT_EVERY_S = 0.5
"""Drafts are previews and no messages; this is what a person can follow."""
PRIVATE_EVERY_S = 1.05
GROUP_EVERY_S = 3.1
"""About one message a second a chat, 20 a minute a group (bots/faq), and edits count like messages."""
TYPING_EVERY_S = 4.5
"""A chat action is shown for five seconds."""
SIGNS = {"seen": "👀", "saved": "✍", "known": "👌", "failed": "🤷"}
"""Telegram lets bots choose from a fixed list of emoji only."""
NOTHING_YET = "…"
"""Telegram refuses an empty message."""
DRAFT = "draft:"
PREVIEW_OFF = LinkPreviewOptions(is_disabled=True)


Called = TypeVar("Called")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a reply goes, and the message it is for."""

    chat: int
    direct: bool
    thread: int | None = None
    message: int | None = None
    """What signs are put on, and in groups what is replied to."""


class TelegramOutlet:
    """A chat or a topic: an `adapters.outlet.Outlet`.

    In private chats a growing text is a draft, and its final text one message; elsewhere a message is edited.
    `moved` is told when the group turns out to have become a supergroup.
    """

    limit = TEXT_UNITS
    live = True
    status_apart = True

    def __init__(
        self, calls: Calls, place: Place, budgets: Budgets, *, moved: Callable[[int, int], Awaitable[None]]
    ) -> None:
        self._calls = calls
        self._place = place
        self._budgets = budgets
        self._moved = moved
        self._direct = place.direct
        """Whether this chat takes drafts, as far as is known."""
        self._typed_at = float("-inf")
        self._make_paces()
        self.draft = Shown(calls, self._drafting, budgets.timing)

    @property
    def pace(self) -> Pace:
        """The pace of the next call: drafts are quick, messages are not."""
        return self._drafting if self._drafts else self._sending

    def measure(self, markdown: str, /) -> int:
        return size(markdown)

    async def status(self, text: str) -> None:
        if self._drafts:
            with contextlib.suppress(Refused, Lost, RetryLater):
                await self._draft(f"{text.removesuffix('…')}…")
        elif self._budgets.timing.now() - self._typed_at >= TYPING_EVERY_S:
            await self.typing()

    async def typing(self) -> None:
        """Show that somebody writes, for five seconds (core.telegram.org/bots/api#sendchataction)."""
        self._typed_at = self._budgets.timing.now()
        if self._budgets.chat(self._place.chat).cooling() > 0:
            return
        await self._quietly(
            SendChatAction(chat_id=self._place.chat, action="typing", message_thread_id=self._place.thread)
        )

    async def post(self, draft: Draft) -> str:
        if self._drafts and draft.stage != "final":
            try:
                await self._draft(draft.markdown)
            except (Refused, Lost) as error:
                raise RetryLater(DRAFT_EVERY_S) from error
            return f"{DRAFT}{draft.key}"
        self._wait_for_turn(draft)
        return await self._send(draft)

    async def edit(self, reference: str, draft: Draft) -> str | None:
        """Make the message look like the draft; a draft's final text is a message, whose reference is returned."""
        if not reference.startswith(DRAFT):
            await self._edit(int(reference), draft)
            return None
        if not self._drafts:
            raise MessageGone(reference)
        if draft.stage == "final":
            self._wait_for_turn(draft)
            return await self._settled(draft)
        try:
            await self._draft(draft.markdown)
        except Lost:
            return None
        except Refused as error:
            raise MessageGone(reference) from error
        return None

    async def delete(self, reference: str) -> None:
        if reference.startswith(DRAFT):
            return
        try:
            await self._calls(DeleteMessage(chat_id=self._place.chat, message_id=int(reference)))
        except MessageGone:
            return
        except (Lost, Moved) as error:
            raise RetryLater from error

    async def find(self, key: str) -> str | None:  # noqa: ARG002 - the port's
        """Bots have no history to look in, and no key to send again with: nobody can say."""
        return None

    async def mark(self, sign: Sign) -> None:
        if sign == "seen" or self._place.message is None:
            return
        reaction = SetMessageReaction(
            chat_id=self._place.chat,
            message_id=self._place.message,
            reaction=[ReactionTypeEmoji(emoji=SIGNS[sign])],
        )
        try:
            await self._calls(reaction)
        except (Lost, MessageGone, Moved):
            return

    @property
    def _drafts(self) -> bool:
        return self._direct and self._budgets.drafts_work

    def _make_paces(self) -> None:
        budget = self._budgets.chat(self._place.chat)
        every_s = PRIVATE_EVERY_S if self._place.direct else GROUP_EVERY_S
        self._sending = Pace(every_s=every_s, posts=budget, edits=budget, timing=self._budgets.timing)
        self._drafting = Pace(every_s=DRAFT_EVERY_S, timing=self._budgets.timing)
        self._drafting.in_flight = self._sending.in_flight

    def _wait_for_turn(self, draft: Draft) -> None:
        """Hold a message back that is paced as a draft: it is the chat's budget that it goes on."""
        if not self._drafts:
            return
        budget = self._budgets.chat(self._place.chat)
        final = draft.stage == "final"
        if (delay := budget.delay(final=final)) > 0:
            raise RetryLater(delay)
        budget.count(final=final)

    async def _draft(self, markdown: str) -> None:
        """Show a preview, always of the same draft: its changes are animated.

        Where the server knows no drafts, messages are edited from now on.
        """
        if (left := self._budgets.chat(self._place.chat).cooling()) > 0:
            raise RetryLater(left)
        rendered = render(markdown)
        preview = SendMessageDraft(
            chat_id=self._place.chat,
            draft_id=self._place.message or 1,
            message_thread_id=self._place.thread,
            text=rendered.text or NOTHING_YET,
            entities=_entities(rendered),
            can_stop=True,
        )
        try:
            await self._heeding(self.draft.send(preview))
        except Refused as error:
            if self._without_thread(error):
                raise RetryLater(0.0) from error
            _LOG.info("No drafts here (%s); messages are edited instead", error.why)
            self._direct = False
            self._budgets.drafts_work = "method not found" not in error.why
            raise

    async def _heeding(self, call: Awaitable[Called]) -> Called:
        """Make a call; a pause that Telegram asks for holds for every reply in this chat."""
        try:
            return await call
        except RetryLater as error:
            self._budgets.chat(self._place.chat).cool_off(error.seconds or 0.0)
            raise

    async def _settled(self, draft: Draft) -> str:
        """Send the final text that replaces a draft; where its reply is lost, believe that it arrived."""
        try:
            return await self._send(draft)
        except MaybeSent:
            _LOG.warning("The reply to a message was lost; it is taken for sent")
            return ""

    async def _send(self, draft: Draft) -> str:
        self.draft.replaced()
        try:
            return str(await self._heeding(self._calls.sent(self._message(draft))))
        except Moved as error:
            await self._follow(error.chat_id)
        except Refused as error:
            if not self._without_thread(error):
                raise
        except Lost as error:
            raise MaybeSent from error
        try:
            return str(await self._heeding(self._calls.sent(self._message(draft))))
        except Lost as error:
            raise MaybeSent from error
        except Moved as error:
            raise RetryLater from error

    def _without_thread(self, error: Refused) -> bool:
        """Go on beside a topic that is closed or gone; False where that was not what went wrong."""
        if self._place.thread is None or not any(words in error.why for words in NO_THREAD):
            return False
        self._place = replace(self._place, thread=None)
        return True

    async def _follow(self, chat_id: int) -> None:
        """Go on in the supergroup that the group has become; its messages have other ids."""
        old = self._place.chat
        await self._moved(old, chat_id)
        self._place = Place(chat=chat_id, direct=False)

    async def _edit(self, message_id: int, draft: Draft) -> None:
        rendered = render(draft.markdown)
        change = EditMessageText(
            chat_id=self._place.chat,
            message_id=message_id,
            text=rendered.text or NOTHING_YET,
            entities=_entities(rendered),
            link_preview_options=PREVIEW_OFF,
            reply_markup=keyboard(draft.buttons),
        )
        try:
            await self._heeding(self._calls(change))
        except Refused as error:
            if NOT_MODIFIED not in error.why:
                raise
        except Unread:
            return
        except Moved as error:
            await self._follow(error.chat_id)
            raise MessageGone(str(message_id)) from error
        except Lost as error:
            raise RetryLater from error

    def _message(self, draft: Draft) -> SendMessage:
        rendered = render(draft.markdown)
        quoted = None
        if not self._place.direct and self._place.message is not None:
            quoted = ReplyParameters(message_id=self._place.message, allow_sending_without_reply=True)
        return SendMessage(
            chat_id=self._place.chat,
            message_thread_id=self._place.thread,
            text=rendered.text or NOTHING_YET,
            entities=_entities(rendered),
            link_preview_options=PREVIEW_OFF,
            reply_parameters=quoted,
            reply_markup=keyboard(draft.buttons),
        )

    async def _quietly(self, method: SendChatAction) -> None:
        try:
            await self._heeding(self._calls(method))
        except (Refused, Lost, Moved, MessageGone, RetryLater):
            return


def _entities(rendered: Rendered) -> list[MessageEntity]:
    return [
        MessageEntity(
            type=entity.kind,
            offset=entity.offset,
            length=entity.length,
            url=entity.url or None,
            language=entity.language or None,
        )
        for entity in rendered.entities
    ]
