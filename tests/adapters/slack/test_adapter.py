"""The adapter through the real slack_bolt and slack_sdk, over a strict stand-in on loopback."""

import asyncio
import time
from pathlib import Path

import aiohttp
import pytest

from adapters.slack.interactions import command_text
from adapters.wording import BROKEN
from bot.domain.errors import BadInput
from bot.domain.messages import Action, Message
from bot.domain.replies import Notice
from bot.ports import Reply
from tests.fakes.core import ScriptedCore, answer, answer_with
from tests.fakes.inbox import MemoryInbox
from tests.fakes.slack.harness import MemoryRooms, adapter_on, listening, until
from tests.fakes.slack.server import SECRET, FakeSlack, fake_slack
from tests.fakes.slack.web_api import Fault

MENTION = "<@U0BOT>"


def contents(path: str) -> bytes:
    return Path(path).read_bytes()


async def test_a_mention_gives_one_streamed_answer_in_its_thread(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Flour ", "keeps ", "ten days [1].", trace_id="t1", pause_s=0.05))
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        asked = slack.written("C0DEV", "U0ANA", f"{MENTION} how long does flour keep?")
        await until(lambda: bool(slack.made("chat.stopStream", "chat.update")))
        await slack.delivered()
        (posted,) = slack.workspace.own("C0DEV")
        assert posted.text == "Flour keeps ten days [1]."
        assert posted.thread == asked.ts
        assert [block["type"] for block in posted.blocks] == ["context_actions", "actions"]
        assert [message.text for message in core.received] == ["how long does flour keep?"]
        (message,) = core.received
        assert (message.author.name, message.room.kind, message.timezone) == ("Ana", "public", "Europe/Berlin")
        assert slack.violations == []
        await until(lambda: not asked.reactions)


async def test_a_link_in_a_channel_is_saved_with_a_sign_only(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        shared = slack.written("C0DEV", "U0BEN", "look: <https://mill.example.org/a?b=1&amp;c=2|the mill>")
        slack.written("C0DEV", "U0BEN", "chatter about nothing")
        await until(lambda: bool(shared.reactions))
        (message,) = core.received
        assert [(link.url, link.label) for link in message.links] == [
            ("https://mill.example.org/a?b=1&c=2", "the mill")
        ]
        assert message.permalink == f"https://garden.slack.com/archives/C0DEV/p{shared.ts.replace('.', '')}"
        assert not message.addressed
        assert slack.workspace.own() == []
        assert shared.reactions == {("floppy_disk", "U0BOT")}


async def test_the_asker_goes_on_in_the_thread_without_a_mention(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Yes."))
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        asked = slack.written("C0DEV", "U0ANA", f"{MENTION} first?")
        await until(lambda: len(core.received) == 1)
        slack.written("C0DEV", "U0ANA", "and the second?", thread=asked.ts)
        await until(lambda: len(core.received) == 2)
        assert core.received[1].addressed
        assert core.received[1].replying_to_bot
        slack.written("C0DEV", "U0BEN", "I think so too", thread=asked.ts)
        slack.written("C0DEV", "U0ANA", "right?", thread=asked.ts)
        await until(lambda: len(core.received) == 4)
        assert [message.addressed for message in core.received] == [True, True, False, False]
        await slack.delivered()


async def test_a_direct_chat_answers_beside_with_memberships_checked(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Here."))
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        slack.written("D0ANA", "U0ANA", "what do I have?")
        await until(lambda: bool(slack.workspace.own("D0ANA")) and "Here." in slack.workspace.own("D0ANA")[0].text)
        (message,) = core.received
        assert message.room.kind == "direct"
        assert {scope.key for scope in message.memberships} == {"slack/T0TEAM/G0SECRET", "slack/T0TEAM/C0SHARED"}
        assert slack.workspace.own("D0ANA")[0].thread is None
        assert slack.violations == []


async def test_a_command_is_answered_to_its_person_alone(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Private ", "answer [1].", trace_id="t9"))
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        acknowledged = await slack.command("C0DEV", "U0ANA", "what about flour?")
        assert acknowledged["text"] == "Looking that up…"
        await until(lambda: bool(slack.workspace.ephemerals))
        (shown,) = slack.workspace.ephemerals
        assert "Private answer [1]." in shown["text"]
        assert slack.workspace.own() == []
        labels = [e["text"]["text"] for b in shown["blocks"] if b["type"] == "actions" for e in b["elements"]]
        assert labels == ["Why?", "Share here"]
        (message,) = core.received
        assert (message.text, message.surface, message.private_reply) == ("/ask what about flour?", "command", True)
        await slack.command("C0DEV", "U0ANA", "save https://mill.example.org/x #rye")
        await until(lambda: len(core.received) == 2)
        assert core.received[1].text == "/save https://mill.example.org/x #rye"


async def test_the_shortcut_saves_for_who_pressed_it_and_names_who_wrote(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        written = slack.workspace.post("C0DEV", "U0BEN", "read <https://mill.example.org/z>")
        await slack.shortcut(written, "U0ANA")
        await until(lambda: bool(core.received))
        (message,) = core.received
        assert (message.surface, message.author.name, message.private_reply) == ("shortcut", "Ana", True)
        assert message.origin is not None
        assert message.origin.name == "Ben"
        assert message.links[0].url == "https://mill.example.org/z"


async def test_the_chosen_reaction_saves_and_taking_it_back_undoes(tmp_path: Path) -> None:
    core, rooms = ScriptedCore(), MemoryRooms()
    await rooms.set("slack/T0TEAM/C0OPS", "reaction", ":pushpin:")
    async with fake_slack() as slack, listening(slack, core, tmp_path, rooms=rooms):
        old = slack.workspace.post("C0DEV", "U0BEN", "an old one <https://mill.example.org/old>")
        item = {"type": "message", "channel": "C0DEV", "ts": old.ts}
        slack.event({"type": "reaction_added", "user": "U0CLEO", "reaction": "thumbsup", "item": item})
        slack.event({"type": "reaction_added", "user": "U0CLEO", "reaction": "brain", "item": item})
        await until(lambda: bool(core.received))
        (message,) = core.received
        assert (message.surface, message.author.name, message.links[0].url) == (
            "reaction",
            "Cleo",
            "https://mill.example.org/old",
        )
        slack.event({"type": "reaction_removed", "user": "U0CLEO", "reaction": "brain", "item": item})
        await until(lambda: bool(core.deletes))
        assert [(room.key, source) for room, source in core.deletes] == [(message.room.key, message.message_id)]
        other = slack.workspace.post("C0OPS", "U0BEN", "<https://mill.example.org/ops>")
        item = {"type": "message", "channel": "C0OPS", "ts": other.ts}
        slack.event({"type": "reaction_added", "user": "U0CLEO", "reaction": "brain", "item": item})
        await slack.delivered()
        assert len(core.received) == 1


async def test_the_reaction_that_saves_is_chosen_by_who_runs_the_workspace(tmp_path: Path) -> None:
    rooms = MemoryRooms()
    async with fake_slack() as slack, listening(slack, ScriptedCore(), tmp_path, rooms=rooms):
        slack.workspace.people["U0ANA"]["is_admin"] = True
        for user, text in (("U0BEN", "reaction :x:"), ("U0ANA", "reaction two words"), ("U0ANA", "reaction :pushpin:")):
            count = len(slack.workspace.ephemerals)
            slack.command("C0DEV", user, text)
            await until(lambda count=count: len(slack.workspace.ephemerals) > count)
        told = [shown["text"] for shown in slack.workspace.ephemerals if "Looking" not in shown["text"]]
        assert "Only somebody who runs" in told[0]
        assert "Name one emoji" in told[1]
        assert ":pushpin: saves a message" in told[2]
        assert await rooms.get("slack/T0TEAM/C0DEV", "reaction") == "pushpin"
        assert slack.violations == []


async def test_a_press_on_stop_ends_the_answer_at_once(tmp_path: Path) -> None:
    async def long_answer(message: Message, reply: Reply) -> None:
        text = "Word"
        for _ in range(400):
            if reply.stopped:
                break
            text += " word"
            await reply.show(text)
            await asyncio.sleep(0.01)
        await reply.finish(answer(text, stopped=reply.stopped))

    core = ScriptedCore(long_answer)
    async with fake_slack() as slack, listening(slack, core, tmp_path, streams=False):
        asked = slack.written("C0DEV", "U0ANA", f"{MENTION} tell me everything")
        await until(lambda: bool(slack.workspace.own("C0DEV")))
        (posted,) = slack.workspace.own("C0DEV")
        (stop,) = [e for b in posted.blocks if b["type"] == "actions" for e in b["elements"]]
        slack.pressed(stop, "U0ANA", channel="C0DEV", ts=posted.ts)
        await until(lambda: "Stopped." in posted.text)
        assert posted.text.count("word") < 300
        asked = slack.written("C0DEV", "U0ANA", f"{MENTION} again")
        await until(lambda: len(slack.workspace.own("C0DEV")) == 2)
        slack.written("C0DEV", "U0ANA", "stop", thread=asked.ts)
        await until(lambda: "Stopped." in slack.workspace.own("C0DEV")[1].text)
        assert len(core.received) == 2
        assert slack.violations == []


async def test_a_wish_to_stop_is_the_askers_own_and_one_with_nothing_under_way_is_answered(tmp_path: Path) -> None:
    async def until_stopped(message: Message, reply: Reply) -> None:
        if not message.addressed:
            return
        await reply.show("So far")
        while not reply.stopped:  # noqa: ASYNC110 - a core looks now and then, as it writes
            await asyncio.sleep(0.01)
        await reply.finish(answer("So far", stopped=True))

    async with fake_slack() as slack, listening(slack, ScriptedCore(until_stopped), tmp_path, streams=False):
        asked = slack.written("C0DEV", "U0ANA", f"{MENTION} tell me everything")
        await until(lambda: bool(slack.workspace.own("C0DEV")))
        slack.written("C0DEV", "U0BEN", "stop", thread=asked.ts)
        await slack.delivered()
        assert "Stopped." not in slack.workspace.own("C0DEV")[0].text
        slack.written("C0DEV", "U0ANA", f"{MENTION} stop", thread=asked.ts)
        await until(lambda: "Stopped." in slack.workspace.own("C0DEV")[0].text)
        await slack.delivered()
        slack.written("C0DEV", "U0ANA", f"{MENTION} stop", thread=asked.ts)
        await until(lambda: len(slack.workspace.own("C0DEV")) == 2)
        assert slack.workspace.own("C0DEV")[1].text == "There is no answer under way to stop."


async def test_a_post_whose_reply_was_lost_is_found_in_a_long_thread(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Once ", "only."))
    async with fake_slack() as slack, listening(slack, core, tmp_path, streams=False):
        root = slack.workspace.post("C0DEV", "U0BEN", "a long talk")
        for number in range(20):
            slack.workspace.post("C0DEV", "U0BEN", f"and {number}", thread=root.ts)
        slack.fail("chat.postMessage", Fault(lost=True))
        slack.written("C0DEV", "U0ANA", f"{MENTION} how often?", thread=root.ts)
        await until(lambda: [one.text for one in slack.workspace.own("C0DEV")] == ["Once only."])
        assert len(slack.made("chat.postMessage")) == 1
        assert slack.violations == []


async def test_nothing_goes_on_when_the_adapter_has_ended(tmp_path: Path) -> None:
    async with fake_slack() as slack:
        async with listening(slack, ScriptedCore(), tmp_path) as adapter:
            slack.delay_s = 30.0
            slack.written("C0DEV", "U0ANA", f"{MENTION} well?")
            await until(lambda: bool(slack.made("reactions.add")))
            adapter._dispatcher._grace_s = 0.02
        assert not [task for task in asyncio.all_tasks() if "EditedReply" in task.get_coro().__qualname__]


async def test_whoever_used_a_command_or_a_button_that_breaks_is_told_alone(tmp_path: Path) -> None:
    async def breaks(*_: object) -> None:
        raise ValueError("a fault of ours")

    async with fake_slack() as slack, listening(slack, ScriptedCore(breaks, breaks), tmp_path):
        await slack.command("C0DEV", "U0ANA", "what about flour?")
        slack.pressed({"action_id": "palace:why:t1", "value": "why:t1"}, "U0ANA", channel="C0DEV")
        await until(lambda: len(slack.workspace.ephemerals) == 2)
        assert {shown["text"] for shown in slack.workspace.ephemerals} == {BROKEN}
        assert slack.workspace.own() == []


async def test_why_an_answer_is_not_shared_is_told_to_who_asked_for_it_alone(tmp_path: Path) -> None:
    async def refuses(_: object, reply: Reply) -> None:
        await reply.fail("It stays private.")

    async with fake_slack() as slack, listening(slack, ScriptedCore(on_action=refuses), tmp_path):
        slack.pressed({"action_id": "palace:share:t1", "value": "share:t1"}, "U0ANA", channel="C0DEV", ts="1.0")
        await until(lambda: bool(slack.workspace.ephemerals))
        assert [shown["text"] for shown in slack.workspace.ephemerals] == ["It stays private."]
        assert slack.workspace.own() == []
        assert slack.violations == []


async def test_what_came_of_an_undo_takes_the_place_of_the_receipt_and_a_refusal_leaves_it(tmp_path: Path) -> None:
    async def undoes(action: Action, reply: Reply) -> None:
        if action.person.person_id == "U0BEN":
            await reply.fail("Only who saved it can take it back.")
        else:
            await reply.say(Notice(text="Taken back: the mill."))

    async with fake_slack() as slack, listening(slack, ScriptedCore(on_action=undoes), tmp_path):
        button = {"action_id": "palace:undo:c0de", "value": "undo:c0de"}
        slack.pressed(button, "U0BEN", channel="C0DEV", ts="1.0")
        await until(lambda: bool(slack.workspace.ephemerals))
        assert slack.workspace.replaced == []
        slack.pressed(button, "U0ANA", channel="C0DEV", ts="1.0")
        await until(lambda: bool(slack.workspace.replaced))
        (shown,) = slack.workspace.replaced
        assert shown["text"] == "Taken back: the mill."
        assert not any(block["type"] == "actions" for block in shown["blocks"])
        assert len(slack.workspace.ephemerals) == 1
        assert slack.violations == []


async def test_thumbs_and_forms_become_actions(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        thumb = {"type": "feedback_buttons", "action_id": "palace:feedback", "value": "down:t1"}
        slack.pressed(thumb, "U0ANA", channel="C0DEV", ts="1.0")
        await until(lambda: bool(slack.workspace.opened_views) and bool(core.actions))
        (view,) = slack.workspace.opened_views
        sent = {
            "type": "view_submission",
            "team": {"id": "T0TEAM"},
            "user": {"id": "U0ANA"},
            "view": {**view, "id": "V1", "hash": "h", "state": {"values": {"reason": {"typed": {"value": "too old"}}}}},
        }
        await slack.deliver(sent, kind="interactive")
        await until(lambda: len(core.actions) == 2)
        assert [(a.name, a.target, a.value, a.person.name) for a in core.actions] == [
            ("down", "t1", "", "Ana"),
            ("down", "t1", "too old", "Ana"),
        ]
        assert core.actions[0].room.key == "slack/T0TEAM/C0DEV"


async def test_a_press_on_edit_opens_its_form_and_says_nothing_beside_it(tmp_path: Path) -> None:
    core = ScriptedCore(on_action=lambda action, reply: reply.say(Notice(text="Changed.")))
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        slack.pressed({"action_id": "palace:edit:m1", "value": "edit:m1"}, "U0ANA", channel="C0DEV", ts="1.0")
        await until(lambda: bool(slack.workspace.opened_views))
        (view,) = slack.workspace.opened_views
        typed = {"values": {"title": {"typed": {"value": "The mill"}}}}
        sent = {
            "type": "view_submission",
            "team": {"id": "T0TEAM"},
            "user": {"id": "U0ANA"},
            "view": {**view, "id": "V1", "hash": "h", "state": typed},
        }
        await slack.deliver(sent, kind="interactive")
        await until(lambda: bool(slack.workspace.ephemerals))
        assert [(action.name, action.value) for action in core.actions] == [("edit", "title: The mill")]
        assert [shown["text"] for shown in slack.workspace.ephemerals] == ["Changed."]
        assert slack.violations == []


async def test_edits_and_deletes_are_followed_unfurls_are_not(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        base = {"type": "message", "channel": "C0DEV", "channel_type": "channel", "hidden": True}
        before = {"type": "message", "user": "U0ANA", "text": "notes", "ts": "1767300030.000200"}
        unfurled = {**before, "attachments": [{"from_url": "https://mill.example.org/a", "title": "Mill"}]}
        edited = {
            **before,
            "text": "notes <https://mill.example.org/new>",
            "edited": {"user": "U0ANA", "ts": "1767300031.000000"},
        }
        own = {**before, "user": "U0BOT", "bot_id": "B0BOT", "attachments": unfurled["attachments"]}
        for _ in range(2):
            changed = {**base, "subtype": "message_changed"}
            await slack.event({**changed, "message": unfurled, "previous_message": before, "ts": "1.1"})
            await slack.event({**changed, "message": own, "previous_message": own, "ts": "1.2"})
            await slack.event({**changed, "message": edited, "previous_message": before, "ts": "1.3"})
        await until(lambda: bool(core.edits))
        deleted = {**base, "subtype": "message_deleted", "deleted_ts": before["ts"], "previous_message": edited}
        await slack.event({**deleted, "ts": "1.4"})
        other_bot = {"type": "message", "subtype": "bot_message", "bot_id": "B9", "text": f"{MENTION} hi", "ts": "1.5"}
        await slack.event({**other_bot, "channel": "C0DEV", "channel_type": "channel"})
        await until(lambda: bool(core.deletes))
        (edit,) = core.edits
        assert (edit.message_id, edit.author.person_id) == ("1767300030.000200", "U0ANA")
        assert [link.url for link in edit.links] == ["https://mill.example.org/new"]
        assert [source for _, source in core.deletes] == ["1767300030.000200"]
        assert core.received == []


async def test_a_file_is_fetched_with_the_token_and_a_login_page_is_none(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        slack.pages["notes"] = b"%PDF flour"
        file = {
            "id": "F1",
            "name": "notes.pdf",
            "mimetype": "application/pdf",
            "size": 10,
            "mode": "hosted",
            "url_private": f"{slack.base}/files/notes",
            "permalink": "https://garden.slack.com/files/F1",
        }
        slack.written("D0ANA", "U0ANA", "", files=[file], subtype="file_share")
        await until(lambda: len(core.received) == 1)
        (attachment,) = core.received[0].attachments
        assert attachment.path.endswith(".pdf")
        assert contents(attachment.path) == b"%PDF flour"
        slack.tokens = {"xoxb-other": "T"}
        slack.written("D0ANA", "U0ANA", "", files=[{**file, "id": "F2"}], subtype="file_share")
        slack.written(
            "D0ANA",
            "U0ANA",
            "",
            files=[{**file, "id": "F3", "url_private": "http://elsewhere.example.org/files/notes"}],
            subtype="file_share",
        )
        await until(lambda: len(core.received) == 3)
        assert [message.attachments[0].path for message in core.received[1:]] == ["", ""]


def shared_file(slack: FakeSlack, name: str, media_type: str) -> dict[str, object]:
    slack.pages[name] = f"%PDF {name}".encode()
    url = f"{slack.base}/files/{name}"
    return {"id": f"F{name}", "name": name, "mimetype": media_type, "size": 10, "mode": "hosted", "url_private": url}


async def test_documents_of_a_watched_channel_are_kept_unasked_pictures_only_when_asked(tmp_path: Path) -> None:
    core, rooms = ScriptedCore(), MemoryRooms()
    await rooms.set("slack/T0TEAM/C0OPS", "watch", "off")
    async with fake_slack() as slack, listening(slack, core, tmp_path, rooms=rooms):
        plan, picture = shared_file(slack, "plan.pdf", "application/pdf"), shared_file(slack, "cat.png", "image/png")
        slack.written("C0DEV", "U0BEN", "", files=[picture], subtype="file_share")
        slack.written("C0DEV", "U0BEN", "the plan", files=[picture, plan], subtype="file_share")
        slack.written("C0OPS", "U0BEN", "the plan", files=[plan], subtype="file_share")
        slack.written("C0DEV", "U0ANA", f"{MENTION} keep this", files=[picture], subtype="file_share")
        await until(lambda: len(core.received) == 3)
        by_room = {(message.room.channel, message.addressed): message.attachments for message in core.received}
        assert [file.name for file in by_room["C0DEV", False]] == ["plan.pdf"]
        assert contents(by_room["C0DEV", False][0].path) == b"%PDF plan.pdf"
        assert by_room["C0OPS", False] == ()
        assert [(file.name, bool(file.path)) for file in by_room["C0DEV", True]] == [("cat.png", True)]


async def test_a_file_of_a_shared_channel_is_asked_for_by_its_id(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        slack.withheld["F7"] = shared_file(slack, "plan.pdf", "application/pdf")
        files = [{"id": number, "file_access": "check_file_info"} for number in ("F7", "F8")]
        slack.written("C0SHARED", "U0ANA", "", files=files, subtype="file_share")
        await until(lambda: len(core.received) == 1)
        assert [(file.name, bool(file.path)) for file in core.received[0].attachments] == [("plan.pdf", True)]
        assert slack.violations == []


async def test_a_file_above_is_at_hand_for_a_save_this_below_it(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Saved."))
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        plan = shared_file(slack, "plan.pdf", "application/pdf")
        above = slack.written("C0DEV", "U0BEN", "", files=[plan], subtype="file_share")
        await until(lambda: len(core.received) == 1)
        slack.written("C0DEV", "U0ANA", f"{MENTION} save this", thread=above.ts)
        await until(lambda: len(core.received) == 2)
        assert core.received[1].replied is not None
        assert [bool(file.path) for file in core.received[1].replied.attachments] == [True]


async def test_joining_a_room_is_introduced_in_one_line_once(tmp_path: Path) -> None:
    async with fake_slack() as slack, listening(slack, ScriptedCore(), tmp_path):
        for _ in range(2):
            slack.event({"type": "member_joined_channel", "user": "U0BOT", "channel": "C0DEV", "channel_type": "C"})
            await slack.delivered()
        slack.event({"type": "member_joined_channel", "user": "U0ANA", "channel": "C0OPS"})
        await until(lambda: bool(slack.workspace.own()))
        await slack.delivered()
        (posted,) = slack.workspace.own()
        assert "\n" not in posted.text
        assert "watch off" in posted.text


async def test_the_agent_surface_gets_prompts_and_its_own_stop(tmp_path: Path) -> None:
    async with fake_slack() as slack, listening(slack, ScriptedCore(), tmp_path):
        slack.event({"type": "app_home_opened", "user": "U0ANA", "channel": "D0ANA", "tab": "messages"})
        thread = {"user_id": "U0ANA", "channel_id": "D0ANA", "thread_ts": "1.0"}
        slack.event({"type": "assistant_thread_started", "assistant_thread": thread})
        slack.event({"type": "agent_session_stopped", "channel": "D0ANA", "thread_ts": "1.0", "user": "U0ANA"})
        await until(lambda: len(slack.workspace.prompts) == 2 and bool(slack.made("agents.sessions.setStatus")))
        assert [call.get("thread_ts") for call in slack.workspace.prompts] in ([None, "1.0"], ["1.0", None])


async def test_the_home_tab_lists_searches_and_switches_rooms(tmp_path: Path) -> None:
    async def script(message: Message, reply: Reply) -> None:
        from bot.domain.replies import Notice  # noqa: PLC0415

        await reply.say(Notice(text=f"said {message.text} in {message.room.channel}"))

    core = ScriptedCore(script)
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        slack.event({"type": "app_home_opened", "user": "U0ANA", "channel": "D0ANA", "tab": "home"})
        await until(lambda: "U0ANA" in slack.workspace.views)
        assert "said /list" in str(slack.workspace.views["U0ANA"])
        assert "What I keep" in str(slack.workspace.views["U0ANA"])
        search = {"action_id": "palace:home:search", "value": "flour"}
        slack.pressed(search, "U0ANA", channel="", container={"type": "view"})
        await until(lambda: "said /search flour" in str(slack.workspace.views["U0ANA"]))
        picked = {"state": {"values": {"room": {"palace:home:room": {"selected_conversation": "C0DEV"}}}}}
        off = {"action_id": "palace:home:watch_off"}
        slack.pressed(off, "U0ANA", channel="", container={"type": "view"}, view=picked)
        await until(lambda: "said /watch off in C0DEV" in str(slack.workspace.views["U0ANA"]))
        assert slack.violations == []


async def test_the_same_thing_delivered_again_is_worked_once_also_after_a_restart(tmp_path: Path) -> None:
    core, inbox = ScriptedCore(answer_with("Once.")), MemoryInbox()
    async with fake_slack() as slack:
        posted = slack.workspace.post("C0DEV", "U0ANA", f"{MENTION} how?")
        mention = slack.envelope({**posted.event(), "type": "app_mention", "channel": "C0DEV", "team": "T0TEAM"})
        async with listening(slack, core, tmp_path, inbox=inbox):
            for _ in range(3):
                await slack.deliver(mention)
            await until(lambda: inbox.states == ["done"])
        async with listening(slack, core, tmp_path, inbox=inbox):
            await slack.deliver(mention)
            twin = slack.envelope({**posted.event(), "channel": "C0DEV", "channel_type": "channel", "team": "T0TEAM"})
            await slack.deliver(twin)
        assert len(core.received) == 1
        assert len(slack.workspace.own()) == 1
        assert slack.unacknowledged == []


async def test_what_could_not_be_written_down_is_not_acknowledged_and_comes_again(tmp_path: Path) -> None:
    core, inbox = ScriptedCore(answer_with("Once.")), MemoryInbox()
    inbox.trouble.append(OSError("disk full"))
    async with (
        fake_slack() as slack,
        listening(slack, core, tmp_path, inbox=inbox, signing_secret=SECRET) as adapter,
    ):
        url = f"http://127.0.0.1:{adapter.http_port}/slack/events"
        posted = slack.workspace.post("C0DEV", "U0ANA", f"{MENTION} how?")
        mention = slack.envelope({**posted.event(), "type": "app_mention", "channel": "C0DEV", "team": "T0TEAM"})
        assert (await slack.post_signed(url, mention))[0] == 500
        assert (await slack.post_signed(url, mention, retry=1))[0] == 200
        await until(lambda: inbox.states == ["done"])
        assert len(core.received) == 1


async def test_http_requests_are_checked_for_signature_and_age(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with (
        fake_slack() as slack,
        listening(slack, core, tmp_path, app_token="", signing_secret=SECRET) as adapter,
    ):
        url = f"http://127.0.0.1:{adapter.http_port}/slack/events"
        posted = slack.workspace.post("C0DEV", "U0ANA", "<https://mill.example.org/a>")
        event = slack.envelope({**posted.event(), "channel": "C0DEV", "channel_type": "channel"})
        assert (await slack.post_signed(url, event, secret="wrong"))[0] == 401
        assert (await slack.post_signed(url, event, age_s=301))[0] == 401
        assert core.received == []
        status, _, took = await slack.post_signed(url, event)
        assert (status, took < 1) == (200, True)
        challenge = {"type": "url_verification", "challenge": "xyz"}
        assert "xyz" in (await slack.post_signed(url, challenge))[1]
        pressed = {
            "type": "block_actions",
            "team": {"id": "T0TEAM"},
            "user": {"id": "U0ANA"},
            "channel": {"id": "C0DEV"},
            "container": {"message_ts": "1.0"},
            "actions": [{"action_id": "palace:why:t1", "value": "why:t1", "action_ts": "2.0"}],
            "trigger_id": "t",
            "response_url": slack.new_response_url(),
        }
        assert (await slack.post_signed(url, pressed, form=True))[0] == 200
        await until(lambda: len(core.actions) == 1 and len(core.received) == 1)


async def test_the_health_endpoint_tells_the_connection_the_last_event_and_what_waits(tmp_path: Path) -> None:
    options = {"signing_secret": SECRET}
    async with fake_slack() as slack, listening(slack, ScriptedCore(), tmp_path, **options) as adapter:
        url = f"http://127.0.0.1:{adapter.http_port}/health"
        async with aiohttp.ClientSession() as session:
            async with session.get(url) as response:
                before = await response.json()
            slack.written("C0DEV", "U0ANA", "<https://mill.example.org/a>")
            await slack.delivered()
            async with session.get(url) as response:
                after = await response.json()
        assert before == {"name": "slack", "connected": True, "last_event_at": None, "waiting": 0, "note": ""}
        assert after["last_event_at"] is not None


async def test_a_refused_handshake_and_a_dropped_socket_are_recovered_from(tmp_path: Path) -> None:
    core = ScriptedCore()
    async with fake_slack() as slack, listening(slack, core, tmp_path) as adapter:
        await slack.connected()
        slack.refuse_handshakes = 1
        await slack.drop_sockets()
        await slack.connected()
        slack.written("C0DEV", "U0ANA", "<https://mill.example.org/after>")
        await until(lambda: len(core.received) == 1)
        await until(lambda: adapter.health().connected)
        health = adapter.health()
        assert health.last_event_at is not None
        assert slack.violations == []


@pytest.mark.parametrize("options", [{"bot_token": ""}, {"app_token": ""}, {"client_id": "c"}])
async def test_settings_that_cannot_work_are_told_in_a_sentence(tmp_path: Path, options: dict[str, str]) -> None:
    async with fake_slack() as slack:
        with pytest.raises(BadInput, match="SLACK_"):
            async with listening(slack, ScriptedCore(), tmp_path, **options):
                pass


async def test_a_refused_token_and_missing_scopes_are_told(tmp_path: Path) -> None:
    async with fake_slack() as slack:
        with pytest.raises(BadInput, match="invalid_auth"):
            async with listening(slack, ScriptedCore(), tmp_path, bot_token="xoxb-wrong"):
                pass
        slack.scopes = slack.scopes.replace("files:read,", "").replace(",users:read", "")
        async with listening(slack, ScriptedCore(), tmp_path) as adapter:
            note = adapter.health().note
            assert note.count("lacks the scope") == 2
            assert "files:read" in note
            assert "users:read" in note


async def test_a_question_is_seen_at_once_while_names_are_slow(tmp_path: Path) -> None:
    async def slow(message: Message, reply: Reply) -> None:
        await asyncio.sleep(0.2)
        await reply.finish(answer("done"))

    async with fake_slack() as slack, listening(slack, ScriptedCore(slow), tmp_path):
        slack.fail("users.info", Fault(status=500), Fault(lost=True))
        started = time.monotonic()
        asked = slack.written("C0DEV", "U0ANA", f"{MENTION} well?")
        await until(lambda: ("eyes", "U0BOT") in asked.reactions)
        assert time.monotonic() - started < 0.3
        await until(lambda: bool(slack.workspace.own()))


async def test_what_stands_above_is_at_hand_for_a_save_this_below_it(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("Saved."))
    async with fake_slack() as slack, listening(slack, core, tmp_path):
        old = slack.workspace.post("C0DEV", "U0BEN", "an old one <https://mill.example.org/old>")
        slack.written("C0DEV", "U0ANA", f"{MENTION} save this", thread=old.ts)
        await until(lambda: len(core.received) == 1)
        replied = core.received[0].replied
        assert replied is not None
        assert (replied.author.name, replied.links[0].url) == ("Ben", "https://mill.example.org/old")
        older = slack.workspace.post("C0DEV", "U0BEN", "another")
        slack.written("C0DEV", "U0ANA", f"{MENTION} and this", thread=older.ts)
        await until(lambda: len(core.received) == 2)
        assert core.received[1].replied is None
        assert len(slack.made("conversations.history", "conversations.replies")) == 1
        assert slack.violations == []


async def test_a_command_over_http_is_heard_at_once_and_answered(tmp_path: Path) -> None:
    core = ScriptedCore(answer_with("By HTTP."))
    options = {"app_token": "", "signing_secret": SECRET}
    async with fake_slack() as slack, listening(slack, core, tmp_path, **options) as adapter:
        url = f"http://127.0.0.1:{adapter.http_port}/slack/events"
        command = {
            "command": "/palace",
            "text": "ask what is new?",
            "team_id": "T0TEAM",
            "channel_id": "D0ANA",
            "channel_name": "directmessage",
            "user_id": "U0ANA",
            "trigger_id": "t1",
            "response_url": slack.new_response_url(),
        }
        status, body, _ = await slack.post_signed(url, command, form=True)
        assert (status, "Looking that up" in body) == (200, True)
        await until(lambda: bool(slack.workspace.ephemerals))
        assert slack.workspace.ephemerals[0]["text"] == "By HTTP."
        assert (core.received[0].text, core.received[0].room.kind) == ("/ask what is new?", "direct")


async def test_who_waits_for_others_is_shown_a_place_in_line(tmp_path: Path) -> None:
    release = asyncio.Event()

    async def slow(message: Message, reply: Reply) -> None:
        await release.wait()
        await reply.finish(answer("done"))

    async with fake_slack() as slack, listening(slack, ScriptedCore(slow), tmp_path):
        asked = []
        for number in range(6):
            asked.append(slack.written("C0DEV", "U0ANA", f"{MENTION} question {number}?"))
            await slack.delivered()
        await until(lambda: len(slack.workspace.statuses) >= 2)
        assert {text for _, text in slack.workspace.statuses} == {
            "Waiting: next in line…",
            "Waiting: place 2 in line…",
        }
        release.set()
        await until(lambda: len(slack.workspace.own()) == 6, within_s=15)
        assert {posted.thread for posted in slack.workspace.own()} == {one.ts for one in asked}
        assert slack.violations == []


async def test_a_question_behind_another_in_its_thread_is_seen_at_once(tmp_path: Path) -> None:
    release = asyncio.Event()

    async def slow(message: Message, reply: Reply) -> None:
        await release.wait()
        await reply.finish(answer("done"))

    async with fake_slack() as slack, listening(slack, ScriptedCore(slow), tmp_path):
        first = slack.written("C0DEV", "U0ANA", f"{MENTION} question 1?")
        await slack.delivered()
        second = slack.written("C0DEV", "U0ANA", f"{MENTION} question 2?", thread=first.ts)
        await until(lambda: bool(second.reactions))
        assert slack.workspace.own() == []
        release.set()
        await until(lambda: len(slack.workspace.own()) == 2, within_s=15)
        await until(lambda: not second.reactions)
        assert slack.violations == []


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("", "/help"),
        ("help", "/help"),
        ("LIST links", "/list links"),
        ("/save https://a.example", "/save https://a.example"),
        ("frobnicate", "/frobnicate"),
        ("caching?", "/ask caching?"),
        ("what about caching", "/ask what about caching"),
    ],
)
def test_a_slash_command_is_a_command_of_the_core_or_a_question(typed: str, command: str) -> None:
    assert command_text(typed, {"help", "list", "save"}) == command


async def test_a_port_that_is_taken_is_told_and_socket_mode_goes_on(tmp_path: Path) -> None:
    async with fake_slack() as slack:
        taken = {"signing_secret": SECRET, "http_port": int(slack.base.rpartition(":")[2])}
        with pytest.raises(BadInput, match="SLACK_HTTP_PORT"):
            async with listening(slack, ScriptedCore(), tmp_path, app_token="", **taken):
                pass
        async with listening(slack, ScriptedCore(), tmp_path, **taken) as adapter:
            assert "SLACK_HTTP_PORT" in adapter.health().note


async def test_who_we_are_is_asked_without_listening_and_each_missing_scope_is_a_sentence(tmp_path: Path) -> None:
    async with fake_slack() as slack:
        slack.scopes = slack.scopes.replace("files:read,", "")
        found = await adapter_on(slack, tmp_path).examine()
        assert found.connected
        assert (
            found.note == "The Slack app lacks the scope files:read: without it I cannot read files that people share."
        )
        with pytest.raises(BadInput, match="invalid_auth"):
            await adapter_on(slack, tmp_path, bot_token="xoxb-wrong").examine()
        with pytest.raises(BadInput, match="SLACK_APP_TOKEN"):
            await adapter_on(slack, tmp_path, app_token="").examine()
        assert slack.sockets == []
