"""The adapter through the real discord.py, over a strict stand-in on loopback."""

from pathlib import Path

from tests.fakes.core import ScriptedCore, answer_with
from tests.fakes.discord.guild import BOT
from tests.fakes.discord.harness import listening, until
from tests.fakes.discord.server import ANA, BEN, DEV, fake_discord

MENTION = f"<@{BOT}>"


async def test_a_mention_gives_one_answer_beside_it(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Flour ", "keeps ", "ten days [1].", trace_id="t1", pause_s=0.05))
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        asked = discord.says(DEV, ANA, f"{MENTION} how long does flour keep?")
        await until(lambda: any("ten days" in one.content and one.components for one in discord.world.own(DEV)))
        (posted,) = discord.world.own(DEV)
        assert posted.content == "Flour keeps ten days [1]."
        assert posted.reply_to == asked.message_id
        assert [one["label"] for one in posted.components[0]["components"]] == ["Good answer", "Bad answer", "Why?"]
        (message,) = core.received
        assert (message.text, message.author.name, message.room.kind) == ("how long does flour keep?", "Ana", "public")
        assert message.room.name == "dev"
        assert message.administrator
        assert discord.made("typing")
        assert (discord.violations, discord.limited) == ([], [])


async def test_a_link_in_a_channel_is_saved_with_a_sign_only(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        shared = discord.says(DEV, BEN, "look: [the mill](https://mill.example.org/a)")
        discord.says(DEV, BEN, "chatter about nothing")
        await until(lambda: bool(shared.reactions))
        (message,) = core.received
        assert [(link.url, link.label) for link in message.links] == [("https://mill.example.org/a", "the mill")]
        assert shared.reactions == {("💾", BOT)}
        assert not message.addressed
        assert discord.world.own() == []
        assert (discord.violations, discord.limited) == ([], [])
