"""Show people and channels by name: asked for once, kept for a while, an id where nobody tells."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from adapters.outlet import Trouble
from adapters.pacing import Budget, Timing
from adapters.slack.calls import Calls
from adapters.slack.envelopes import Home
from adapters.slack.inbound import Known, KnownPerson, KnownRoom
from bot.domain.rooms import Room, Scope, room_scope

_LOG = logging.getLogger(__name__)

KEPT_S = 900.0
REFUSED_KEPT_S = 120.0
MEMBERSHIPS_KEPT_S = 5.0
"""Memberships open private memories in a direct chat: asked anew for all but questions close together."""
MOST = 5000
PATIENCE_S = 2.0
"""Names are worth this much waiting; then an id serves."""
A_MINUTE = {"users.info": 90, "conversations.info": 45, "users.conversations": 18}
"""Tiers 4, 3 and 2, with a little left."""


class Names:
    """The cache of one process, for all workspaces."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._kept: OrderedDict[tuple[str, str], tuple[float, dict[str, Any] | None]] = OrderedDict()
        self._asking: dict[tuple[str, str], asyncio.Future[dict[str, Any] | None]] = {}
        self._budgets: dict[tuple[str, str], Budget] = {}

    async def known(self, calls: Calls, home: Home, *, people: Iterable[str], rooms: Iterable[str]) -> Known:
        """Find out about these ids, all at once; those that nobody tells of are left out."""
        people, rooms = tuple(people), tuple(rooms)
        found = await asyncio.gather(
            *(self.person(calls, home, user) for user in people), *(self.room(calls, home, room) for room in rooms)
        )
        persons, places = found[: len(people)], found[len(people) :]
        return Known(
            people={user: one for user, one in zip(people, persons, strict=True) if isinstance(one, KnownPerson)},
            rooms={room: one for room, one in zip(rooms, places, strict=True) if isinstance(one, KnownRoom)},
        )

    async def person(self, calls: Calls, home: Home, user: str) -> KnownPerson | None:
        """Return what is known of a person; None when Slack does not tell."""
        reply = await self._ask(calls, home, "users.info", user=user)
        info = (reply or {}).get("user") or {}
        profile = info.get("profile") or {}
        name = profile.get("display_name") or info.get("real_name") or profile.get("real_name") or info.get("name")
        if not name:
            return None
        return KnownPerson(
            name=name,
            team=info.get("team_id") or "",
            enterprise=(info.get("enterprise_user") or {}).get("enterprise_id") or "",
            timezone=info.get("tz") or "",
            administrator=bool(info.get("is_admin") or info.get("is_owner")),
            guest=bool(info.get("is_restricted") or info.get("is_ultra_restricted")),
        )

    async def room(self, calls: Calls, home: Home, channel: str) -> KnownRoom | None:
        """Return what is known of a channel; None when Slack does not tell."""
        reply = await self._ask(calls, home, "conversations.info", channel=channel)
        info = (reply or {}).get("channel") or {}
        if not info:
            return None
        if info.get("is_im"):
            return KnownRoom(kind="direct")
        private = info.get("is_private") or info.get("is_mpim") or info.get("is_group")
        return KnownRoom(
            kind="private" if private else "public",
            name=info.get("name") or "",
            external=bool(info.get("is_ext_shared") or info.get("is_pending_ext_shared")),
        )

    async def memberships(self, calls: Calls, home: Home, user: str) -> tuple[Scope, ...]:
        """Return the private rooms that this person and the bot share just now; none when Slack does not tell."""
        channels: list[Mapping[str, Any]] = []
        cursor = ""
        while True:
            reply = await self._ask(
                calls,
                home,
                "users.conversations",
                kept_s=MEMBERSHIPS_KEPT_S,
                user=user,
                types="private_channel,mpim,public_channel",
                exclude_archived="true",
                limit=200,
                **({"cursor": cursor} if cursor else {}),
            )
            if reply is None:
                return ()
            channels.extend(reply.get("channels") or ())
            cursor = (reply.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                return tuple(_scope(home, channel) for channel in channels if _own_room(channel))

    def drop(self, home: Home, some_id: str) -> None:
        """Forget what was known of a person or channel that has changed."""
        for key in [key for key in self._kept if key[0] == home.team and some_id in key[1]]:
            del self._kept[key]

    async def _ask(
        self, calls: Calls, home: Home, method: str, *, kept_s: float = KEPT_S, **arguments: Any
    ) -> dict[str, Any] | None:
        """Return a reply, kept or new; who asks the same at the same time waits for the first."""
        key = (home.team, f"{method} {sorted(arguments.items())}")
        until, value = self._kept.get(key, (0.0, None))
        if until > self._timing.now():
            return value
        if key not in self._asking:
            self._asking[key] = asyncio.ensure_future(self._call(calls, home, method, arguments))
            self._asking[key].add_done_callback(lambda _: self._asking.pop(key, None))
        reply = await asyncio.shield(self._asking[key])
        self._kept[key] = (self._timing.now() + (kept_s if reply else min(kept_s, REFUSED_KEPT_S)), reply)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return reply

    async def _call(self, calls: Calls, home: Home, method: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        budget = self._budgets.setdefault(
            (home.team, method),
            Budget(per_minute=A_MINUTE[method], kept=1, burst=A_MINUTE[method], timing=self._timing),
        )
        try:
            async with asyncio.timeout(PATIENCE_S):
                while (delay := budget.delay(final=False)) > 0:
                    await self._timing.sleep(delay)
                budget.count(final=False)
                return await calls(method, **arguments)
        except (Trouble, TimeoutError) as error:
            _LOG.info("%s tells nothing: %s", method, error)
            return None


def _own_room(channel: Mapping[str, Any]) -> bool:
    """Whether what is written there has a scope of its own."""
    return bool(channel.get("is_private") or channel.get("is_mpim") or channel.get("is_ext_shared"))


def _scope(home: Home, channel: Mapping[str, Any]) -> Scope:
    return room_scope(Room(platform="slack", space=home.team, channel=channel["id"], kind="private"))
