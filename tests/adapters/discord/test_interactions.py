"""Commands, menus, buttons and forms through the real discord.py: in time, to the right people, once."""

import asyncio
from datetime import timedelta
from pathlib import Path

from adapters.discord.private import EPHEMERAL
from bot.commands import COMMANDS
from bot.domain.errors import StorageTrouble
from bot.domain.messages import Action, Message
from bot.domain.replies import Button, Notice
from bot.ports import CommandRow, Reply
from tests.fakes.core import ScriptedCore, answer, answer_with
from tests.fakes.discord.guild import BOT, MANAGE_GUILD
from tests.fakes.discord.harness import WallClock, listening, until
from tests.fakes.discord.rest import Fault
from tests.fakes.discord.server import ANA, BEN, DEV, SECRET, fake_discord
from tests.fakes.inbox import MemoryInbox

MENTION = f"<@{BOT}>"


def contents(path: str) -> bytes:
    return Path(path).read_bytes()


RECEIPT = Notice(
    text="Saved for everyone here: the mill",
    kind="receipt",
    buttons=(
        Button(name="undo", target="c0de", label="Undo"),
        Button(name="edit", target="m1", label="Edit"),
        Button(name="retry", target="m1", label="Retry"),
    ),
)


async def with_receipt(message: Message, reply: Reply) -> None:
    await reply.say(RECEIPT)


async def test_a_question_by_command_is_deferred_at_once_and_answered_to_all(tmp_path: Path) -> None:
    async def slow(message: Message, reply: Reply) -> None:
        await asyncio.sleep(0.5)
        await reply.finish(answer("Ten days [1].", trace_id="t1"))

    core = ScriptedCore(slow)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.deadline_s = 0.4
        used = discord.slash(DEV, BEN, "ask", "how long does flour keep?")
        await until(lambda: used.original is not None and used.original.content == "Ten days [1].")
        assert (used.answer, used.ephemeral) == (5, False)
        assert used.answered_after < 0.4
        assert [one.content for one in discord.world.own(DEV)] == ["Ten days [1]."]
        (message,) = core.received
        assert (message.text, message.surface, message.private_reply) == (
            "/ask how long does flour keep?",
            "command",
            False,
        )
        assert discord.violations == []


async def test_a_question_may_be_answered_to_its_asker_alone(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("For you ", "alone [1].", trace_id="t1"))
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        used = discord.slash(DEV, BEN, "ask", "what is mine?", private=True)
        await until(lambda: bool(used.shown))
        assert used.ephemeral
        assert used.shown[0].content == "For you alone [1]."
        assert [one["label"] for one in used.shown[0].components[0]["components"]][-1] == "Share here"
        assert core.received[0].private_reply
        assert discord.world.own() == []


async def test_who_sees_discord_in_another_language_is_known_by_it(tmp_path: Path) -> None:
    core = ScriptedCore(with_receipt)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.locale = "de"
        discord.slash(DEV, BEN, "status")
        discord.menu(discord.says(DEV, ANA, "a thought", told=False), BEN)
        await until(lambda: len(core.received) == 2)
        assert [message.language for message in core.received] == ["de", "de"]


async def test_a_long_private_answer_goes_on_in_private(tmp_path: Path) -> None:
    text = "\n\n".join(f"Paragraph {number} of what was saved about flour and rye." * 3 for number in range(30))
    core = ScriptedCore(answer_with(text))
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        used = discord.slash(DEV, BEN, "ask", "everything?", private=True)
        await until(lambda: "Paragraph 29" in "".join(one.content for one in used.shown))
        assert len(used.shown) > 2
        assert discord.world.own() == []


async def test_an_answer_after_the_token_has_died_comes_as_one_message_in_the_channel(tmp_path: Path) -> None:
    clock = WallClock()

    async def sixteen_minutes(message: Message, reply: Reply) -> None:
        clock.later = timedelta(minutes=16)
        for used in discord.used.values():
            used.made -= 960
        await reply.finish(answer("Late [1].", trace_id="t1"))

    core = ScriptedCore(sixteen_minutes)
    async with fake_discord() as discord, listening(discord, core, tmp_path, clock=clock):
        used = discord.slash(DEV, BEN, "ask", "how long?")
        await until(lambda: bool(discord.world.own(DEV)))
        assert [one.content for one in discord.world.own(DEV)] == ["Late [1]."]
        assert used.original is None
        assert not [call for call in discord.calls if call.status == 401]


async def test_a_token_that_died_unexpectedly_gives_the_same_one_message(tmp_path: Path) -> None:
    async def late(message: Message, reply: Reply) -> None:
        for used in discord.used.values():
            used.made -= 960
        await reply.finish(answer("Late all the same."))

    core = ScriptedCore(late)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.slash(DEV, BEN, "ask", "how long?")
        await until(lambda: bool(discord.world.own(DEV)))
        assert [one.content for one in discord.world.own(DEV)] == ["Late all the same."]


async def test_a_private_answer_that_is_too_late_never_stands_in_the_channel(tmp_path: Path) -> None:
    async def late(message: Message, reply: Reply) -> None:
        for used in discord.used.values():
            used.made -= 960
        await reply.finish(answer("A secret."))

    core = ScriptedCore(late)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.slash(DEV, BEN, "ask", "what is mine?", private=True)
        direct = discord.world.direct(BEN).channel_id
        await until(lambda: bool(discord.world.own(direct)))
        assert [one.content for one in discord.world.own()] == ["A secret."]


async def test_an_interaction_that_cannot_be_answered_in_time_is_let_go(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Too late."))
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.deadline_s = -1.0
        discord.slash(DEV, BEN, "ask", "how long?")
        await until(lambda: any(call.route == "callback" and call.status == 404 for call in discord.calls))
        await asyncio.sleep(0.05)
        assert core.received == []
        assert discord.world.own() == []


async def test_a_command_cut_by_a_restart_is_answered_by_the_next_process(tmp_path: Path) -> None:
    async def hangs(message: Message, reply: Reply) -> None:
        await asyncio.Event().wait()

    inbox = MemoryInbox()
    async with fake_discord() as discord:
        async with listening(discord, ScriptedCore(hangs), tmp_path, inbox=inbox) as adapter:
            used = discord.slash(DEV, BEN, "ask", "how long?")
            await until(lambda: used.answer == 5 and bool(inbox.events))
            adapter._dispatcher._grace_s = 0.02
        async with listening(discord, ScriptedCore(answer_with("Ten days.")), tmp_path, inbox=inbox):
            await until(lambda: used.original is not None and used.original.content == "Ten days.")
            assert len(discord.world.own(DEV)) == 1


async def test_a_disk_that_refuses_for_a_moment_loses_no_command(tmp_path: Path) -> None:
    inbox = MemoryInbox()
    async with fake_discord() as discord, listening(discord, ScriptedCore(answer_with("Kept.")), tmp_path, inbox=inbox):
        inbox.trouble = [StorageTrouble("The disk is full.")]
        used = discord.slash(DEV, BEN, "ask", "is it kept?")
        await until(lambda: used.original is not None and used.original.content == "Kept.")


async def test_a_long_answer_to_a_command_that_a_restart_cut_arrives_with_all_its_parts(tmp_path: Path) -> None:
    async def hangs(message: Message, reply: Reply) -> None:
        await reply.show("Half of it")
        await asyncio.Event().wait()

    text = "\n\n".join(f"Paragraph {number} of what was saved about flour and rye." for number in range(60))
    inbox = MemoryInbox()
    async with fake_discord() as discord:
        async with listening(discord, ScriptedCore(hangs), tmp_path, inbox=inbox) as adapter:
            discord.slash(DEV, BEN, "ask", "everything?")
            await until(lambda: bool(discord.world.own(DEV)))
            adapter._dispatcher._grace_s = 0.05
        async with listening(discord, ScriptedCore(answer_with(text)), tmp_path, inbox=inbox):
            await until(lambda: set(inbox.states) == {"done"})
            shown = "\n".join(one.content for one in discord.world.own(DEV))
            assert [f"Paragraph {number} " in shown for number in range(60)] == [True] * 60


async def test_the_menu_saves_for_who_used_it_and_names_who_wrote(tmp_path: Path) -> None:
    core = ScriptedCore(with_receipt)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        written = discord.says(DEV, BEN, "read https://mill.example.org/z", told=False)
        used = discord.menu(written, ANA)
        await until(lambda: bool(used.shown))
        assert used.ephemeral
        assert used.shown[0].content == "Saved for everyone here: the mill"
        (message,) = core.received
        assert (message.surface, message.author.name, message.private_reply) == ("menu", "Ana", True)
        assert message.origin is not None
        assert message.origin.name == "Ben"
        assert message.origin.url.endswith(f"/{DEV}/{written.message_id}")
        assert discord.world.own() == []


async def test_a_feeds_post_is_saved_by_the_address_on_its_card(tmp_path: Path) -> None:
    core = ScriptedCore(with_receipt)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.world.user("790000000000000001", "Feed", bot=True)
        card = {"type": "rich", "url": "https://mill.example.org/news", "title": "News of the mill"}
        post = discord.says(DEV, "790000000000000001", "", embeds=[card])
        await asyncio.sleep(0.05)
        assert core.received == []
        discord.menu(post, ANA)
        await until(lambda: bool(core.received))
        assert [link.url for link in core.received[0].links] == ["https://mill.example.org/news"]
        assert core.received[0].previews[0].title == "News of the mill"


async def test_a_file_may_be_saved_by_command(tmp_path: Path) -> None:
    core = ScriptedCore(with_receipt)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.pages["rye.txt"] = b"rye"
        file = {"id": "81", "filename": "rye.txt", "size": 3, "url": f"{discord.base}/files/rye.txt"}
        data = {
            "id": "1",
            "name": "save",
            "type": 1,
            "options": [
                {"name": "text", "type": 3, "value": "#rye for the winter"},
                {"name": "file", "type": 11, "value": "81"},
            ],
            "resolved": {"attachments": {"81": file | {"proxy_url": ""}}},
        }
        discord.uses(DEV, ANA, 2, data)
        await until(lambda: bool(core.received))
        (message,) = core.received
        assert message.text == "/save #rye for the winter"
        assert contents(message.attachments[0].path) == b"rye"


async def test_buttons_work_after_a_restart(tmp_path: Path) -> None:
    async def act(action: Action, reply: Reply) -> None:
        await reply.say(Notice(text=f"Done: {action.name}"))

    inbox = MemoryInbox()
    async with fake_discord() as discord:
        core = ScriptedCore(answer_with("Ten days [1].", trace_id="t1"))
        async with listening(discord, core, tmp_path, inbox=inbox):
            discord.says(DEV, ANA, f"{MENTION} how long?")
            await until(lambda: "palace:why" in str([one.components for one in discord.world.own(DEV)]))
        (posted,) = discord.world.own(DEV)
        core = ScriptedCore(with_receipt, on_action=act)
        async with listening(discord, core, tmp_path, inbox=inbox):
            used = discord.presses(posted, BEN, "up")
            await until(lambda: bool(used.shown))
            assert used.shown[0].content == "Done: up"
            (action,) = core.actions
            assert (action.name, action.target, action.person.name) == ("up", "t1", "Ben")
            assert action.room.key == f"discord/700000000000000001/{DEV}"
            assert discord.world.own(DEV) == [posted]


async def test_a_bad_answer_counts_at_once_and_its_reason_is_added(tmp_path: Path) -> None:
    async def act(action: Action, reply: Reply) -> None:
        await reply.say(Notice(text="Noted."))

    core = ScriptedCore(answer_with("Ten days [1].", trace_id="t1"), on_action=act)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.says(DEV, ANA, f"{MENTION} how long?")
        await until(lambda: "palace:why" in str([one.components for one in discord.world.own(DEV)]))
        opened = discord.presses(discord.world.own(DEV)[0], BEN, "down")
        await until(lambda: opened.answer == 9 and len(core.actions) == 1)
        sent = discord.fills(opened, BEN, reason="too old")
        await until(lambda: bool(sent.shown))
        assert [(action.name, action.target, action.value) for action in core.actions] == [
            ("down", "t1", ""),
            ("down", "t1", "too old"),
        ]


async def test_a_receipt_is_edited_by_a_form(tmp_path: Path) -> None:
    core = ScriptedCore(with_receipt)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.says(DEV, ANA, f"{MENTION} https://mill.example.org/z")
        await until(lambda: bool(discord.world.own(DEV)))
        (receipt,) = discord.world.own(DEV)
        opened = discord.presses(receipt, ANA, "edit")
        await until(lambda: opened.answer == 9)
        assert [row["components"][0]["custom_id"] for row in opened.data["components"]] == ["title", "note", "tags"]
        discord.fills(opened, ANA, title="A better title", note="", tags="#rye")
        await until(lambda: bool(core.actions))
        (action,) = core.actions
        assert (action.name, action.target, action.value) == ("edit", "m1", "title: A better title | tags: #rye")
        assert action.administrator


async def test_a_private_answer_is_shared_into_its_channel(tmp_path: Path) -> None:
    async def act(action: Action, reply: Reply) -> None:
        await reply.finish(answer("Ten days [1].", trace_id="t1"))

    core = ScriptedCore(answer_with("Ten days [1].", trace_id="t1"), on_action=act)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        used = discord.slash(DEV, BEN, "ask", "how long?", private=True)
        await until(lambda: bool(used.shown))
        discord.uses(DEV, BEN, 3, {"custom_id": used.shown[0].button("share")["custom_id"], "component_type": 2})
        await until(lambda: bool(discord.world.own(DEV)))
        assert not core.actions[0].private_reply
        assert discord.world.own(DEV)[0].content == "Ten days [1]."


async def test_what_came_of_an_undo_takes_the_place_of_the_receipt_and_a_refusal_leaves_it(tmp_path: Path) -> None:
    async def undoes(action: Action, reply: Reply) -> None:
        if action.person.person_id == BEN:
            await reply.fail("Only who saved it can take it back.")
        else:
            await reply.say(Notice(text="Taken back: the mill."))

    async def receipt(_: Message, reply: Reply) -> None:
        await reply.say(Notice(text="Saved.", buttons=(Button(name="undo", target="c0de", label="Undo"),)))

    core = ScriptedCore(receipt, on_action=undoes)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        discord.says(DEV, ANA, f"{MENTION} save: the mill")
        await until(lambda: bool(discord.world.own(DEV)))
        (saved,) = discord.world.own(DEV)
        refused = discord.presses(saved, BEN, "undo")
        await until(lambda: bool(refused.shown))
        assert refused.shown[-1].flags & EPHEMERAL
        assert saved.content == "Saved."
        discord.presses(saved, ANA, "undo")
        await until(lambda: saved.content == "Taken back: the mill.")
        assert saved.components == []


async def test_why_an_answer_is_not_shared_is_told_to_who_asked_for_it_alone(tmp_path: Path) -> None:
    async def refuses(_: Action, reply: Reply) -> None:
        await reply.fail("It stays private.")

    core = ScriptedCore(answer_with("Ten days [1].", trace_id="t1"), on_action=refuses)
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        used = discord.slash(DEV, BEN, "ask", "how long?", private=True)
        await until(lambda: bool(used.shown))
        custom_id = used.shown[0].button("share")["custom_id"]
        pressed = discord.uses(DEV, BEN, 3, {"custom_id": custom_id, "component_type": 2})
        await until(lambda: bool(pressed.shown))
        (told,) = pressed.shown
        assert told.content == "It stays private."
        assert told.flags & EPHEMERAL
        assert discord.world.own(DEV) == []


async def test_commands_are_told_once_with_languages_and_permissions(tmp_path: Path) -> None:
    class WholeTable(ScriptedCore):
        @property
        def command_table(self):
            return COMMANDS

    inbox = MemoryInbox()
    async with fake_discord() as discord:
        discord.fail("commands", Fault(status=503), Fault(lost=True, done=False))
        for _ in range(2):
            async with listening(discord, WholeTable(), tmp_path, inbox=inbox):
                await until(lambda: bool(discord.commands))
        assert discord.syncs == 1
        told = {command["name"]: command for command in discord.commands}
        assert set(told) == {row.name for row in COMMANDS} | {"threads", "Save to memory"}
        for row in COMMANDS:
            assert {"de", "es-ES"} <= set(told[row.name]["description_localizations"])
            allowed = told[row.name].get("default_member_permissions")
            assert allowed == (str(MANAGE_GUILD) if row.administrators_only else None)
        assert told["Save to memory"]["type"] == 3
        assert told["show"]["options"][0]["autocomplete"]
        assert discord.violations == []


async def test_saved_titles_and_tags_are_completed_from_what_the_person_may_read(tmp_path: Path) -> None:
    asked: list[tuple[str, ...]] = []

    class Completing(ScriptedCore):
        @property
        def command_table(self):
            return (CommandRow(name="show", help="Show one.", argument="its title", completes="title"),)

        async def suggest(self, typed, scopes, *, kind):
            asked.append(tuple(scope.key for scope in scopes))
            return await super().suggest(typed, scopes, kind=kind)

    core = Completing()
    core.completions = {"title": ("The mill", "The oven"), "tag": ("rye", "rye-bread")}
    async with fake_discord() as discord, listening(discord, core, tmp_path):
        titles = discord.completes(SECRET, ANA, "show", "The m")
        tags = discord.completes(DEV, ANA, "list", "saved #rye")
        nothing = discord.completes(DEV, ANA, "ask", "The m")
        await until(lambda: all(one.answer == 8 for one in (titles, tags, nothing)))
        assert titles.data["choices"] == [{"name": "The mill", "value": "The mill"}]
        assert [one["value"] for one in tags.data["choices"]] == ["saved #rye", "saved #rye-bread"]
        assert nothing.data["choices"] == []
        home = "discord/700000000000000001"
        assert sorted(asked) == sorted([(home, f"{home}/{SECRET}", f"discord//@{ANA}"), (home, f"discord//@{ANA}")])
