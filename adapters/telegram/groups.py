"""Know the groups: who is a member just now, who runs one, what privacy mode lets the bot see."""

import asyncio
import json

from aiogram.types import Message as TelegramMessage

from adapters.outlet import Trouble
from adapters.pacing import Timing
from adapters.telegram.calls import Calls, RawMember
from adapters.telegram.inbound import ANONYMOUS_ADMIN, Me
from bot.domain.rooms import Room, Scope, room_scope
from bot.ports import Inbox

KNOWN_FOR_S = 2.0
"""Memberships open other rooms' memories: asked anew for each question and each few letters of an inline search."""
MOST_GROUPS = 20
"""Groups asked about for one person; those spoken in last come first."""
MANAGERS = {"creator", "administrator"}
MEMBERS = {*MANAGERS, "member", "restricted"}


class Groups:
    """Memberships, asked from Telegram for each question; nobody who cannot be asked about is a member."""

    def __init__(self, calls: Calls, inbox: Inbox, me: Me, timing: Timing) -> None:
        self._calls = calls
        self._inbox = inbox
        self._me = me
        self._timing = timing
        self._known: dict[tuple[int, int], tuple[float, str]] = {}
        self._groups: list[int] | None = None

    async def seen(self, chat_id: int) -> None:
        """Note that something was said in a group."""
        groups = await self._all()
        if chat_id < 0 and chat_id not in groups[-1:]:
            self._groups = [*(group for group in groups if group != chat_id), chat_id]
            await self._write()

    async def moved(self, old: int, new: int) -> None:
        """Follow a group's new id."""
        groups = await self._all()
        if old in groups:
            self._groups = [group for group in groups if group not in {old, new}] + [new]
            await self._write()

    async def memberships(self, user_id: int) -> tuple[Scope, ...]:
        """Return the scopes of the groups that this person is in just now."""
        groups = (await self._all())[-MOST_GROUPS:]
        present = await asyncio.gather(*(self.is_member(group, user_id) for group in groups))
        return tuple(_scope(group) for group, there in zip(groups, present, strict=True) if there)

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        """Whether a person is in a group."""
        return await self._status(chat_id, user_id) in MEMBERS

    async def runs(self, message: TelegramMessage) -> bool:
        """Whether the writer of a message runs its group."""
        if message.chat.type == "private":
            return False  # the core knows what somebody may do in their own chat; groups' memories show there too
        sender = message.from_user
        if sender is None:
            return message.chat.type == "channel"
        if sender.id == ANONYMOUS_ADMIN:
            return message.sender_chat is not None and message.sender_chat.id == message.chat.id
        return await self._status(message.chat.id, sender.id) in MANAGERS

    async def manages(self, chat_id: int, user_id: int) -> bool:
        """Whether a person runs a group."""
        return await self._status(chat_id, user_id) in MANAGERS

    async def privacy_note(self, chat_id: int | None = None) -> str:
        """Say what the bot cannot see (in this group) and how to cure it, or nothing where it sees everything."""
        if self._me.sees_everything:
            return ""
        manages = chat_id is not None and await self._status(chat_id, self._me.bot_id) in MANAGERS
        return "" if manages else sees_little(self._me)

    async def _status(self, chat_id: int, user_id: int) -> str:
        known = self._known.get((chat_id, user_id))
        if known is not None and known[0] > self._timing.now():
            return known[1]
        try:
            member = await self._calls(RawMember(chat_id=chat_id, user_id=user_id))
        except Trouble:
            return ""
        status = "left" if member.get("is_member") is False else str(member.get("status"))
        self._known[chat_id, user_id] = (self._timing.now() + KNOWN_FOR_S, status)
        return status

    async def _all(self) -> list[int]:
        if self._groups is None:
            self._groups = json.loads(await self._inbox.value("telegram", "groups") or "[]")
        return self._groups

    async def _write(self) -> None:
        await self._inbox.set_value("telegram", "groups", json.dumps(self._groups))


def _scope(chat_id: int) -> Scope:
    return room_scope(Room(platform="telegram", channel=str(chat_id), kind="private"))


def sees_little(me: Me) -> str:
    """Say what privacy mode hides, and how to cure it.

    A command without the bot's name reaches the bot that wrote last in the group alone (bots/features#privacy-mode).
    """
    return (
        "Privacy mode is on: in groups I see only commands and replies to me, so I cannot save links by myself there, "
        f"and a plain mention does not reach me (`/ask@{me.username}` does). Two cures: make me an administrator of "
        "the group, or switch privacy mode off ([@BotFather](https://t.me/BotFather), `/setprivacy`) and add me to the "
        "group again."
    )
