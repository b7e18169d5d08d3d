"""Take what Telegram delivers: write it down before it is confirmed, each update by itself, and hear a stop at once."""

import json
import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from aiogram.methods import AnswerCallbackQuery
from aiogram.types import Update
from pydantic import ValidationError

from adapters.dispatch import Dispatcher
from adapters.documents import is_document
from adapters.outlet import Trouble
from adapters.telegram.contents import links_of
from adapters.telegram.inbound import (
    addressed,
    author_of,
    chat_room,
    for_another,
    keys_of,
    kind_of,
    message_of,
    order_key,
    room_of,
    spoken,
)
from adapters.telegram.media import attachments_of
from adapters.telegram.parts import Parts
from bot.ports import InboxEvent

_LOG = logging.getLogger(__name__)


class Listener:
    """The one place where updates come in, by polling and by webhook alike."""

    def __init__(self, parts: Parts, dispatcher: Dispatcher) -> None:
        self._parts = parts
        self._dispatcher = dispatcher
        self.last_event_at: datetime | None = None
        self.unreadable = 0
        """Updates that could not be parsed since the start."""

    async def take(self, raw: Mapping[str, Any]) -> None:
        """Keep one update. Raises StorageTrouble when it cannot be kept: then it must not be confirmed."""
        self.last_event_at = self._parts.clock.now()
        try:
            event = self._event(raw)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one update, it must not stop the rest
            await self._set_aside(raw, error)
            return
        if event is not None:
            await self._dispatcher.accept(event)

    def _event(self, raw: Mapping[str, Any]) -> InboxEvent | None:
        """Return what is to be kept of an update; None where there is nothing to do, or it is done."""
        update = Update.model_validate(raw)
        if self._stops(update) or not self._worth_keeping(update):
            return None
        return InboxEvent(
            source="telegram",
            keys=keys_of(update),
            body=json.dumps(raw),
            order_key=order_key(update),
            received_at=self._parts.clock.now(),
        )

    async def _set_aside(self, raw: Mapping[str, Any], error: Exception) -> None:
        """Keep an update that aiogram's models do not know, with why: newer than they are, it must stop nobody."""
        where = type(error).__name__
        if isinstance(error, ValidationError):
            where = "; ".join(".".join(map(str, one["loc"])) for one in error.errors()[:3])
        number = raw.get("update_id")
        kept = await self._parts.inbox.put(
            InboxEvent(
                source="telegram",
                keys=(f"update:{number}",),
                body=json.dumps(raw),
                order_key=f"update:{number}",
                received_at=self._parts.clock.now(),
            )
        )
        if kept is not None:
            self.unreadable += 1
            _LOG.error("Update %s cannot be read and is skipped; it is kept in the inbox (%s)", number, where)
            await self._parts.inbox.finish(kept.event_id, error=f"unreadable: {where}")

    def _worth_keeping(self, update: Update) -> bool:
        """Whether there is something to do: chatter without links and documents is not even written down."""
        kind = kind_of(update, self._parts.me)
        message = message_of(update)
        if kind != "message" or message is None:
            return kind not in {"ignored", "stopped"}
        if for_another(message, self._parts.me):
            return False
        if addressed(message, self._parts.me, self._parts.commands) or message.media_group_id:
            return True
        return bool(links_of(message)) or any(map(is_document, attachments_of(message, with_links=False)))

    def _stops(self, update: Update) -> bool:
        """Hear a wish to stop at once: in line behind the answer it would come too late."""
        running = self._parts.running
        if update.callback_query is not None and (update.callback_query.data or "").startswith("stop:"):
            running.stop((update.callback_query.data or "").removeprefix("stop:"))
            self._parts.beside(self._heard(update.callback_query.id))
            return True
        stopped = update.stopped_message_generation
        if stopped is not None:
            running.stop_in(chat_room(stopped.chat, stopped.message_thread_id).thread_key)
            return True
        message = message_of(update)
        if message is None or kind_of(update, self._parts.me) != "message":
            return False
        return running.hear_stop(
            spoken(message, self._parts.me),
            room_of(message).thread_key,
            person_id=author_of(message).person_id,
            message_id=str(message.message_id),
        )

    async def _heard(self, query_id: str) -> None:
        try:
            await self._parts.calls(AnswerCallbackQuery(callback_query_id=query_id))
        except Trouble as error:
            _LOG.info("A button could not be answered: %s", error)
