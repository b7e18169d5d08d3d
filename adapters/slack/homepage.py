"""Publish the App Home and work what is done on it; everything shown comes from the core's own commands."""

from dataclasses import replace

from adapters.outlet import Trouble
from adapters.slack.envelopes import Home, Json
from adapters.slack.home import Captured, chosen_room, home_view
from adapters.slack.inbound import message_from
from adapters.slack.parts import Parts
from bot.domain.messages import Message


class HomePage:
    """The App Home of one person at a time."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def publish(self, user: str, home: Home, *, channel: str = "", searched: str = "", said: str = "") -> None:
        """Show recent memories, and what was searched or set just now."""
        recent = await self._ask("/list", user, home, channel)
        found = await self._ask(f"/search {searched}", user, home, channel) if searched else ""
        view = home_view(recent=recent, found=found, searched=searched, said=said)
        try:
            await self._parts.workspaces.calls(home)("views.publish", user_id=user, view=view)
        except Trouble:
            return  # it is published anew whenever it is opened

    async def pressed(self, pressed: Json, body: Json, home: Home) -> None:
        """Search, or switch a room's watching on or off."""
        user = str(body["user"]["id"])
        match str(pressed["action_id"]).removeprefix("palace:home:"):
            case "search":
                await self.publish(user, home, searched=str(pressed.get("value") or ""))
            case "watch_on" | "watch_off" as name:
                channel = chosen_room(dict(body.get("view") or {}))
                word = name.removeprefix("watch_")
                said = await self._ask(f"/watch {word}", user, home, channel) if channel else "Choose a room first."
                await self.publish(user, home, said=said)
            case _:
                pass

    async def _ask(self, command: str, user: str, home: Home, channel: str) -> str:
        captured = Captured()
        await self._parts.core.receive(await self._message(command, user, home, channel), captured)
        return captured.text

    async def _message(self, command: str, user: str, home: Home, channel: str) -> Message:
        """Return a command as if typed in the person's direct chat, or in a room chosen on the page."""
        parts = self._parts
        calls = parts.workspaces.calls(home)
        now = parts.clock.now()
        rooms = (channel,) if channel else ()
        known = await parts.names.known(calls, home, people=(user,), rooms=rooms)
        typed = {"channel": channel or f"D-{user}", "user": user, "text": "", "ts": f"{now.timestamp():.6f}"}
        direct = not channel or channel.startswith("D")
        message = message_from(
            typed,
            home=home,
            known=known,
            addressed=True,
            surface="command",
            memberships=await parts.names.memberships(calls, home, user) if direct else (),
        )
        return replace(message, text=command, private_reply=True, room=message.room.channel_room, permalink="")
