"""An independent check: simcord's own model of Discord's permissions, error codes and interactions."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import discord
import simcord

from adapters.discord.adapter import DiscordAdapter, DiscordOptions
from adapters.discord.catching_up import CatchingUp
from adapters.discord.client import PalaceClient
from adapters.discord.invoking import Invoking
from adapters.discord.listening import Listener
from adapters.discord.seen import Seen
from adapters.discord.working import Working
from adapters.dispatch import Dispatcher
from adapters.pacing import Timing
from bot.domain.messages import Message
from bot.domain.replies import Button, Notice
from bot.ports import Core, Reply
from tests.fakes.core import ScriptedCore, answer, answer_with
from tests.fakes.discord.harness import MemoryRooms
from tests.fakes.inbox import MemoryInbox


class SimulatedTime:
    """Simcord's own time, once its world stands."""

    def __init__(self) -> None:
        self.env: simcord.Env | None = None

    def now(self) -> datetime:
        return self.env.now() if self.env else datetime.now(UTC)

    @property
    def timing(self) -> Timing:
        return Timing(now=lambda: self.now().timestamp(), sleep=asyncio.sleep)


@asynccontextmanager
async def simulated(core: Core, home: Path) -> AsyncIterator[simcord.Env]:
    """Run our client inside simcord instead of on a gateway."""
    inbox, time = MemoryInbox(), SimulatedTime()
    adapter = DiscordAdapter(
        DiscordOptions(token="x"),
        inbox=inbox,
        rooms=MemoryRooms(),
        home=home,
        clock=time,
        timing=time.timing,
    )
    async with aiohttp.ClientSession() as session:
        parts = adapter._parts(core, session)
        working = Working(parts)
        dispatcher = Dispatcher(inbox, source="discord", work=working, give_up=working.give_up, grace_s=0.1)
        seen = Seen(inbox)
        listener = Listener(parts, dispatcher, seen)
        client = PalaceClient(
            parts,
            listener,
            Invoking(parts, listener),
            CatchingUp(parts, listener, seen),
            content=True,
            ready_wait_s=0.1,
        )
        adapter._client = client
        async with simcord.run(client) as env, dispatcher.running():
            time.env = env
            await adapter._tell_commands(parts, client)
            yield env


async def test_a_mention_is_answered_where_the_bot_may_write(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Ten days."))
    async with simulated(core, tmp_path) as env:
        guild = env.create_guild()
        channel = guild.create_text_channel("dev")
        ana = guild.add_member(env.create_user("ana"))
        await ana.send(channel, f"<@{env.bot.user.id}> how long?")
        await env.advance_time(3)
        assert channel.last_message.content == "Ten days."
        assert core.received[0].room.kind == "public"


async def test_a_channel_closed_to_everyone_is_private_and_a_refused_post_becomes_a_direct_message(
    tmp_path: Path,
) -> None:
    core = ScriptedCore(answer_with("Ten days."))
    async with simulated(core, tmp_path) as env:
        guild, user = env.create_guild(), env.create_user("ana")
        ana = guild.add_member(user)
        channel = guild.create_text_channel(
            "secret",
            overwrites={
                guild.default_role: discord.PermissionOverwrite(view_channel=False),
                ana: discord.PermissionOverwrite(view_channel=True, send_messages=True),
                guild.me: discord.PermissionOverwrite(view_channel=True, send_messages=False),
            },
        )
        await ana.send(channel, f"<@{env.bot.user.id}> how long?")
        await env.advance_time(5)
        assert core.received[0].room.kind == "private"
        assert channel.last_message.author.id == ana.id
        assert "Ten days." in user.dm_channel.last_message.content


async def test_a_command_is_answered_once_and_to_its_person(tmp_path: Path) -> None:
    async def receive(message: Message, reply: Reply) -> None:
        await reply.finish(answer("Ten days.", trace_id="t1"))

    async with simulated(ScriptedCore(receive), tmp_path) as env:
        guild = env.create_guild()
        channel = guild.create_text_channel("dev")
        ana = guild.add_member(env.create_user("ana"))
        result = await ana.slash(channel, "ask", text="how long?", private=True)
        await env.advance_time(3)
        assert result.ephemeral
        assert result.response.content == "Ten days."


async def test_the_menu_gives_a_receipt_with_buttons(tmp_path: Path) -> None:
    async def receive(message: Message, reply: Reply) -> None:
        await reply.say(Notice(text="Saved", kind="receipt", buttons=(Button(name="edit", target="m1", label="Edit"),)))

    core = ScriptedCore(receive)
    async with simulated(core, tmp_path) as env:
        guild = env.create_guild()
        channel = guild.create_text_channel("dev")
        ana = guild.add_member(env.create_user("ana"))
        written = await ana.send(channel, "read https://mill.example.org/z")
        await env.advance_time(1)
        result = await ana.context_menu(channel, "Save to memory", written)
        await env.advance_time(3)
        assert result.response.content == "Saved"
        shown = await ana.click(result.response, label="Edit")
        assert shown.modal is not None
        await ana.submit_modal(shown, {"title": "A better title"})
        await env.advance_time(3)
        assert core.actions[0].value == "title: A better title"
        assert isinstance(env.bot, discord.Client)
