"""Take interactions: answered within Discord's three seconds before anything else is done, then kept."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Literal, cast

import discord

from adapters.aside import REPLACING
from adapters.discord.buttons import FIELDS, JsonObject, form, pressed, submitted
from adapters.discord.calls import Refused
from adapters.discord.commands import THREADS, choices, completion_of, typed_command
from adapters.discord.inbound import Around, Place
from adapters.discord.interactions import PUBLIC_ACTIONS, SILENT
from adapters.discord.keeping import Asked, Kept, Kind
from adapters.discord.listening import Listener
from adapters.discord.parts import Parts
from adapters.discord.private import EPHEMERAL
from adapters.discord.recording import runs_room, user_record
from adapters.discord.rooms import place_of
from adapters.outlet import Lost, MessageGone, RetryLater, TooLong
from bot.domain.rooms import Person, Scope, readable

_LOG = logging.getLogger(__name__)

MESSAGE, DEFERRED, DEFERRED_UPDATE, COMPLETIONS, MODAL = 4, 5, 6, 8, 9
"""Types of an interaction's response (interaction response object)."""
ALREADY_ANSWERED = 40060
COMPLETE_WITHIN_S = 2.0
COMPLETED = {"tag", "title", "pocket"}


class Invoking:
    """Everything that people use instead of writing a message."""

    def __init__(self, parts: Parts, listener: Listener) -> None:
        self._parts = parts
        self._listener = listener

    async def take(self, interaction: discord.Interaction) -> None:
        """Answer an interaction with what its kind needs, and keep what is to be done."""
        data = cast("Mapping[str, Any]", interaction.data or {})
        match interaction.type:
            case discord.InteractionType.application_command if data.get("type") == 3:  # noqa: PLR2004 - a message's menu
                await self._menu(interaction, data)
            case discord.InteractionType.application_command:
                await self._command(interaction, data)
            case discord.InteractionType.autocomplete:
                await self._complete(interaction, data)
            case discord.InteractionType.component:
                await self._button(interaction, *pressed(str(data.get("custom_id") or "")))
            case discord.InteractionType.modal_submit:
                await self._form(interaction, *submitted(data))
            case _:
                pass

    async def _command(self, interaction: discord.Interaction, data: Mapping[str, Any]) -> None:
        text, private, files = typed_command(data)
        if data["name"] == THREADS.name:
            await self._threads(interaction, text)
            return
        private = private and interaction.guild_id is not None
        if not await self._defer(interaction, private=private):
            return
        record = {
            "id": str(interaction.id),
            "content": "",
            "timestamp": self._parts.clock.now().isoformat(),
            "author": user_record(interaction.user),
            "attachments": list(files),
        }
        await self._keep(interaction, "command", self._asked(interaction, private=private, value=text), record)

    async def _menu(self, interaction: discord.Interaction, data: Mapping[str, Any]) -> None:
        if not await self._defer(interaction, private=True):
            return
        record = data["resolved"]["messages"][str(data["target_id"])]
        await self._keep(interaction, "menu", self._asked(interaction), record)

    async def _button(self, interaction: discord.Interaction, name: str, target: str) -> None:
        if name == "stop":
            self._parts.running.stop(target)
            await self._respond(interaction, DEFERRED_UPDATE)
            return
        if name in FIELDS:
            await self._respond(interaction, MODAL, form(name, target))
            if name != "down":
                return
            # The thumb counts at once; what is typed into the form is added to it.
            asked = self._asked(interaction, name=name, target=target, options={SILENT: True})
            await self._keep(interaction, "button", asked)
        elif name:
            shown = name in PUBLIC_ACTIONS | REPLACING
            deferred = await (
                self._respond(interaction, DEFERRED_UPDATE) if shown else self._defer(interaction, private=True)
            )
            if deferred:
                asked = self._asked(interaction, name=name, target=target, private=not shown)
                await self._keep(interaction, "button", asked)

    async def _form(self, interaction: discord.Interaction, name: str, target: str, value: str) -> None:
        if name and not value:
            await self._respond(interaction, DEFERRED_UPDATE)
        elif name and await self._defer(interaction, private=True):
            asked = self._asked(interaction, name=name, target=target, value=value)
            await self._keep(interaction, "form", asked)

    async def _complete(self, interaction: discord.Interaction, data: Mapping[str, Any]) -> None:
        kind, typed, lead = completion_of(data, self._parts.core.command_table)
        found: tuple[str, ...] = ()
        if kind in COMPLETED:
            try:
                async with asyncio.timeout(COMPLETE_WITHIN_S):
                    scopes = await self._readable(interaction)
                    wanted = cast("Literal['title', 'tag', 'pocket']", kind)
                    found = await self._parts.core.suggest(typed, scopes, kind=wanted)
            except TimeoutError:
                _LOG.info("A completion took too long")
        await self._respond(interaction, COMPLETIONS, {"choices": choices(found, lead)})

    async def _readable(self, interaction: discord.Interaction) -> tuple[Scope, ...]:
        """Return what the person may see completed here: no more than a private answer would use."""
        room = self._around(interaction).place.room
        person = Person(platform="discord", person_id=str(interaction.user.id))
        direct = room.kind == "direct"
        memberships = await self._parts.memberships.of(person.person_id) if direct else ()
        return readable(room, person, memberships, private_reply=True)

    async def _threads(self, interaction: discord.Interaction, text: str) -> None:
        """Set whether each answer in this channel gets a thread of its own."""
        place, word = self._around(interaction).place, text.partition(" ")[2].strip().lower()
        if not place.guild:
            said = "There are no threads in a direct chat."
        elif word in {"on", "off"} and runs_room(interaction.permissions):
            await self._parts.rooms.set(place.room.key, "threads", word)
            said = (
                f"From now on answers here come {'each in its own thread' if word == 'on' else 'beside the question'}."
            )
        elif word in {"on", "off"}:
            said = "Only somebody who runs this server can change that."
        else:
            now = await self._parts.rooms.get(place.room.key, "threads") or "off"
            said = f"Threads for answers are {now} in this channel. `/threads on` or `/threads off` changes it."
        await self._respond(interaction, MESSAGE, {"content": said, "flags": EPHEMERAL})

    async def _defer(self, interaction: discord.Interaction, *, private: bool) -> bool:
        return await self._respond(interaction, DEFERRED, {"flags": EPHEMERAL} if private else {})

    async def _respond(self, interaction: discord.Interaction, kind: int, data: JsonObject | None = None) -> bool:
        """Give the one answer within three seconds; False when it came too late and nobody waits any more."""
        try:
            await self._parts.calls(
                "POST",
                # These names give every interaction its own bucket in the library.
                "/interactions/{webhook_id}/{webhook_token}/callback",
                webhook_id=str(interaction.id),
                webhook_token=interaction.token,
                json={"type": kind, **({"data": data} if data is not None else {})},
            )
        except Refused as error:
            if error.code == ALREADY_ANSWERED:
                return True
            _LOG.warning("An interaction could not be answered in time: %s", error)
            return False
        except (RetryLater, MessageGone, TooLong) as error:
            _LOG.warning("An interaction could not be answered: %s", error)
            return False
        except Lost:
            return True  # it may have arrived; the answer itself will show
        return True

    async def _keep(
        self, interaction: discord.Interaction, kind: Kind, asked: Asked, record: Mapping[str, Any] | None = None
    ) -> None:
        around = self._around(interaction)
        kept = Kept(kind=kind, around=around, record=record or {}, asked=asked)
        order = f"{around.place.channel}:{asked.person['id']}" if kind == "command" else f"interaction:{interaction.id}"
        await self._listener.keep(kept, f"interaction:{interaction.id}", order)

    def _around(self, interaction: discord.Interaction) -> Around:
        bot_id = self._parts.bot_id
        channel = interaction.channel_id or 0
        guild = interaction.client.get_guild(interaction.guild_id) if interaction.guild_id else None
        place = place_of(guild, channel, bot_id=bot_id, direct=interaction.guild_id is None)
        if guild is None and interaction.guild_id:
            place = Place(channel=str(channel), home=str(channel), kind="private", guild=str(interaction.guild_id))
        return Around(place=place, bot_id=str(bot_id), administrator=runs_room(interaction.permissions))

    def _asked(self, interaction: discord.Interaction, **more: Any) -> Asked:
        return Asked(
            interaction=str(interaction.id),
            application=str(interaction.application_id),
            token=interaction.token,
            received_at=self._parts.clock.now().isoformat(),
            person=user_record(interaction.user),
            language=interaction.locale.value,
            **more,
        )
