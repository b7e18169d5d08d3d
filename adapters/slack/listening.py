"""Take what Slack delivers: write it down before it is acknowledged, on Socket Mode and HTTP alike."""

import logging
from datetime import datetime
from typing import Any

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.response import BoltResponse

from adapters.dispatch import Dispatcher
from adapters.outlet import Trouble
from adapters.slack.deliveries import Delivery, inbox_event, read_delivery, worth_keeping
from adapters.slack.entities import Reader
from adapters.slack.envelopes import kind_of
from adapters.slack.events import OtherEvents
from adapters.slack.forms import form
from adapters.slack.inbound import Known, room_of
from adapters.slack.interactions import command_text
from adapters.slack.parts import Parts

_LOG = logging.getLogger(__name__)

LOOKING = "Looking that up…"
FORMS_OF = {"edit", "tags", "down"}


class Listener:
    """Bolt's one middleware. It answers every request itself, so that nothing goes unacknowledged."""

    def __init__(self, parts: Parts, dispatcher: Dispatcher) -> None:
        self._parts = parts
        self._dispatcher = dispatcher
        self._others = OtherEvents(parts)
        self.last_event_at: datetime | None = None

    def app(self, *, signing_secret: str) -> AsyncApp:
        """Return the app that checks signatures and ages, and asks our store whose token an event needs."""

        # Bolt passes arguments by the names of a plain function's parameters.
        async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
            return await self._parts.workspaces.authorize(enterprise_id, team_id)

        async def take(body: dict[str, Any], context: AsyncBoltContext) -> BoltResponse:
            return await self.take(body, context)

        library = logging.getLogger(f"{__name__}.library")
        library.setLevel(logging.ERROR)  # it warns of a token that is ours to give
        app = AsyncApp(
            logger=library,
            signing_secret=signing_secret or None,
            client=self._parts.workspaces.new_client(""),
            authorize=authorize,  # type: ignore[arg-type]  # None says that a workspace is unknown
            attaching_conversation_kwargs_enabled=False,
            request_verification_enabled=bool(signing_secret),
        )
        app.use(take)
        return app

    async def take(self, body: dict[str, Any], context: AsyncBoltContext) -> BoltResponse:
        """Keep a delivery and acknowledge it. Raises StorageTrouble when it cannot be kept: Slack sends it again."""
        self.last_event_at = self._parts.clock.now()
        delivery = read_delivery(body, bot_user=context.bot_user_id or "")
        if delivery.kind == "event" and kind_of(delivery.event, delivery.home) == "message":
            self._parts.recent.add(delivery.home, delivery.event)
        if not self._stops(delivery) and worth_keeping(delivery):
            new = await self._dispatcher.accept(inbox_event(delivery, self._parts.clock.now()))
            if new:
                self._open_form(delivery)
        return self._acknowledgement(delivery)

    def _acknowledgement(self, delivery: Delivery) -> BoltResponse:
        """Return the empty 200; a question by command shows at once that it was heard."""
        if delivery.kind == "command":
            names = {"reaction", *(row.name for row in self._parts.core.command_table)}
            if command_text(str(delivery.body.get("text") or ""), names).startswith("/ask "):
                return BoltResponse(status=200, body={"response_type": "ephemeral", "text": LOOKING})
        return BoltResponse(status=200, body="")

    def _stops(self, delivery: Delivery) -> bool:
        """Hear a wish to stop at once: in line behind the answer it would come too late."""
        event, home, running = delivery.event, delivery.home, self._parts.running
        name, target = delivery.button
        if delivery.kind == "action" and name == "stop":
            running.stop(target)
            return True
        kind = kind_of(event, home) if delivery.kind == "event" else "ignored"
        if kind == "stopped":
            where = {"channel": event["channel"], "thread_ts": event.get("thread_ts")}
            running.stop_in(room_of(where, home=home, known=Known()).thread_key)
            self._parts.beside(self._others.stopped(event, home))
            return True
        return kind == "message" and running.hear_stop(
            Reader(home.bot_user).read(event.get("text") or "").text,
            room_of(event, home=home, known=Known()).thread_key,
            person_id=str(event.get("user") or ""),
            message_id=str(event["ts"]),
        )

    def _open_form(self, delivery: Delivery) -> None:
        """Open a button's form while its trigger is good: three seconds."""
        name, target = delivery.button
        if delivery.kind == "action" and name in FORMS_OF:
            self._parts.beside(self._form(delivery, name, target))

    async def _form(self, delivery: Delivery, name: str, target: str) -> None:
        body = delivery.body
        container = body.get("container") or {}
        view = form(
            name,
            target,
            channel=str((body.get("channel") or {}).get("id") or container.get("channel_id") or ""),
            thread=str(container.get("thread_ts") or ""),
            response_url=str(body.get("response_url") or ""),
        )
        try:
            home = await self._parts.workspaces.home(delivery.home)
            await self._parts.workspaces.calls(home)("views.open", trigger_id=body.get("trigger_id"), view=view)
        except Trouble as error:
            _LOG.info("A form could not be opened: %s", error)
