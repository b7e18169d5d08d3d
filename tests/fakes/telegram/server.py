"""The Bot API on loopback: getUpdates and webhook, messages, drafts, files, floods and errors, for the real aiogram."""

import asyncio
import contextlib
import re
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web

from tests.fakes.telegram.rules import REACTIONS, TOAST, decoded, keyboard_error, text_error, units

TOKEN = "123456:test-token"
ME = {"id": 123456, "is_bot": True, "first_name": "Palace", "username": "palace_bot"}
DATE = 1_767_254_400
DRAFT_FADES_S = 30
_FOUND = re.compile(r"https?://[^\s]+|(?<!\w)@\w+|(?:^|(?<=\s))/\w+(?:@\w+)?|#\w+")
_COMMAND = re.compile(r"(?:^|\s)/\w+(?:@palace_bot)?(?=\s|$)")


@dataclass
class Fault:
    """What goes wrong with the next call of a method."""

    code: int = 0
    description: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    lost: bool = False
    """The call is done, its reply never arrives."""
    html: bool = False


class FakeTelegram:
    """The stand-in; open it with `fake_telegram`."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.base = ""
        self.now = now
        self.privacy = False
        self.drafts_known = True
        self.floods = True
        self.chats: dict[int, dict[str, Any]] = {}
        self.members: dict[tuple[int, int], str] = {}
        self.blocked: set[int] = set()
        """People who have blocked the bot."""
        self.migrated: dict[int, int] = {}
        self.messages: dict[int, dict[int, dict[str, Any]]] = defaultdict(dict)
        self.reactions: dict[tuple[int, int], str] = {}
        self._drafts: dict[int, tuple[str, float]] = {}
        self.draft_ids: dict[int, int] = {}
        self.calls: list[tuple[float, str, dict[str, Any]]] = []
        self.violations: list[str] = []
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.files: dict[str, bytes] = {}
        self.pages: dict[str, bytes] = {}
        self.toasts: list[str] = []
        self.found: list[dict[str, Any]] = []
        self.menu: dict[tuple[str, str], list[dict[str, str]]] = {}
        self.webhook = ""
        self.secret = ""
        self.pending: list[dict[str, Any]] = []
        self.delivered: list[int] = []
        self.unseen: list[str] = []
        self._numbers = defaultdict(int)
        self._update = 1000
        self._more = asyncio.Event()
        self._spent: dict[int, deque[float]] = defaultdict(deque)
        self._all: deque[float] = deque()
        self._polling = asyncio.Event()

    # Chats and people ------------------------------------------------------------------------------------

    def group(self, chat_id: int, title: str, *users: int, **more: Any) -> int:
        self.chats[chat_id] = {"id": chat_id, "type": "supergroup", "title": title, **more}
        for user in (*users, ME["id"]):
            self.members[chat_id, user] = "member"
        return chat_id

    def migrate(self, old: int, new: int) -> None:
        """Make a supergroup of a group and tell it in both of them."""
        self.chats[new] = {**self.chats[old], "id": new, "type": "supergroup"}
        self.migrated[old] = new
        self._numbers[new] = 0
        for (chat, user), status in list(self.members.items()):
            if chat == old:
                self.members[new, user] = status
        self.update(message=self.message(old, 7, migrate_to_chat_id=new))
        self.update(message=self.message(new, 7, migrate_from_chat_id=old))

    def chat(self, chat_id: int) -> dict[str, Any]:
        return self.chats.get(chat_id) or {"id": chat_id, "type": "private", "first_name": f"Person{chat_id}"}

    def user(self, user_id: int) -> dict[str, Any]:
        return {"id": user_id, "is_bot": False, "first_name": f"Person{user_id}", "language_code": "en"}

    # What people do ----------------------------------------------------------------------------------------

    def message(self, chat_id: int, user_id: int, text: str = "", **more: Any) -> dict[str, Any]:
        """Make a message with the entities that Telegram finds by itself."""
        self._numbers[chat_id] += 1
        made = {
            "message_id": self._numbers[chat_id],
            "date": DATE,
            "chat": self.chat(chat_id),
            "from": self.user(user_id),
        }
        if text:
            made |= {"text": text, "entities": marked(text)}
        if "caption" in more and "caption_entities" not in more:
            made["caption_entities"] = marked(more["caption"])
        made |= more
        self.messages[chat_id][made["message_id"]] = made
        return made

    def update(self, **content: Any) -> dict[str, Any]:
        """Queue an update."""
        self._update += 1
        made = {"update_id": self._update, **content}
        self.pending.append(made)
        self._more.set()
        return made

    def say(self, chat_id: int, user_id: int, text: str = "", **more: Any) -> dict[str, Any]:
        """Let somebody write; the bot is told what privacy mode lets through."""
        made = self.message(chat_id, user_id, text, **more)
        if self._lets_through(made):
            self.update(message=made)
        else:
            self.unseen.append(text or more.get("caption", ""))
        return made

    def press(self, message: dict[str, Any], user_id: int, label: str) -> None:
        """Press the button of this label."""
        keys = [key for row in message["reply_markup"]["inline_keyboard"] for key in row]
        key = next(key for key in keys if key["text"] == label)
        self.update(
            callback_query={
                "id": f"q{self._update}",
                "from": self.user(user_id),
                "chat_instance": "1",
                "message": message,
                "data": key["callback_data"],
            }
        )

    def inline(self, user_id: int, query: str) -> None:
        self.update(inline_query={"id": f"i{self._update}", "from": self.user(user_id), "query": query, "offset": ""})

    def own(self, chat_id: int) -> list[dict[str, Any]]:
        """Return what the bot has written in a chat."""
        return [message for message in self.messages[chat_id].values() if message["from"]["id"] == ME["id"]]

    def made(self, *methods: str) -> list[dict[str, Any]]:
        return [arguments for _, method, arguments in self.calls if method in methods]

    @property
    def drafts(self) -> dict[int, str]:
        """The drafts in sight: one fades after thirty seconds."""
        return {chat: text for chat, (text, at) in self._drafts.items() if self.now() - at < DRAFT_FADES_S}

    def _lets_through(self, message: dict[str, Any]) -> bool:
        chat, text = message["chat"], message.get("text") or message.get("caption") or ""
        if chat["type"] == "private" or not self.privacy:
            return True
        if self.members.get((chat["id"], ME["id"])) == "administrator":
            return True
        replied = message.get("reply_to_message", {}).get("from", {}).get("id") == ME["id"]
        named = f"@{ME['username']}" in text
        return replied or (bool(_COMMAND.search(text)) and (named or not self._another_bot_wrote_last(chat["id"])))

    def _another_bot_wrote_last(self, chat_id: int) -> bool:
        """A command without a name is for the bot that wrote last in the group (bots/features#privacy-mode)."""
        writers = (message["from"] for message in reversed(self.messages[chat_id].values()))
        last = next((writer for writer in writers if writer["is_bot"]), ME)
        return last["id"] != ME["id"]

    # The API -------------------------------------------------------------------------------------------------

    async def called(self, request: web.Request) -> web.StreamResponse:
        method, token = request.match_info["method"], request.match_info["token"]
        arguments = decoded({name: str(value) for name, value in (await request.post()).items()})
        if token != TOKEN:
            return failed(401, "Unauthorized")
        self.calls.append((self.now(), method, arguments))
        fault = self.faults[method].popleft() if self.faults[method] else None
        if fault is not None and fault.html:
            return web.Response(status=502, text="<html>Bad Gateway</html>", content_type="text/html")
        if fault is not None and fault.code:
            return failed(fault.code, fault.description, fault.parameters)
        handler = getattr(self, f"on_{method}", None)
        if handler is None:
            self.violations.append(f"unknown method {method}")
            return failed(404, "Not Found: method not found")
        reply = await handler(arguments)
        if fault is not None and fault.lost:
            assert request.transport is not None
            request.transport.abort()
        return reply if isinstance(reply, web.Response) else web.json_response({"ok": True, "result": reply})

    async def on_getMe(self, _: dict[str, Any]) -> Any:  # noqa: N802 - Telegram's name
        return ME | {"can_read_all_group_messages": not self.privacy, "supports_inline_queries": True}

    async def on_getUpdates(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        if self.webhook:
            return failed(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first")
        self._polling.set()
        offset = arguments.get("offset")
        if offset is not None:
            self.pending = [update for update in self.pending if update["update_id"] >= offset]
        if not self.pending:
            self._more.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(arguments.get("timeout", 0)):
                    await self._more.wait()
        batch = self.pending[:100]
        self.delivered += [update["update_id"] for update in batch]
        return batch

    async def on_getWebhookInfo(self, _: dict[str, Any]) -> Any:  # noqa: N802
        return {"url": self.webhook, "has_custom_certificate": False, "pending_update_count": len(self.pending)}

    async def on_setWebhook(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        self.webhook, self.secret = arguments["url"], str(arguments["secret_token"])
        self._polling.set()
        return True

    async def on_setMyCommands(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        for command in arguments["commands"]:
            if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]) or not 1 <= len(command["description"]) <= 256:
                return failed(400, "Bad Request: BOT_COMMAND_INVALID")
        scope = arguments["scope"]["type"]
        self.menu[scope, str(arguments.get("language_code") or "")] = arguments["commands"]
        return True

    async def on_getChatMember(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        status = self.members.get((arguments["chat_id"], arguments["user_id"]))
        if status is None:
            return failed(400, "Bad Request: member not found")
        return member(self.user(arguments["user_id"]), status)

    async def on_sendChatAction(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        return self._wrong_place(arguments) or True

    async def on_sendMessage(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        chat_id = arguments["chat_id"]
        problem = self._wrong_place(arguments) or self._wrong_text(arguments) or self._flood(chat_id)
        if problem:
            return problem
        more = {name: arguments[name] for name in ("entities", "reply_markup") if name in arguments}
        if "inline_keyboard" not in more.get("reply_markup", {}):
            more.pop("reply_markup", None)
        thread = arguments.get("message_thread_id")
        topic = {"message_thread_id": thread, "is_topic_message": True} if thread else {}
        reply = arguments.get("reply_parameters")
        quoted = self.messages[chat_id].get(reply["message_id"]) if reply else None
        if quoted:
            more["reply_to_message"] = {name: value for name, value in quoted.items() if name != "reply_to_message"}
        self._drafts.pop(chat_id, None)
        return self.message(chat_id, ME["id"], **{"from": ME, "text": arguments["text"].strip(), **topic, **more})

    async def on_editMessageText(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        chat_id = arguments["chat_id"]
        message = self.messages[chat_id].get(arguments["message_id"])
        problem = self._wrong_place(arguments) or self._wrong_text(arguments) or self._flood(chat_id)
        if problem:
            return problem
        if message is None or message["from"]["id"] != ME["id"]:
            return failed(400, "Bad Request: message to edit not found")
        new = {
            "text": arguments["text"].strip(),
            "entities": arguments.get("entities"),
            "reply_markup": arguments.get("reply_markup"),
        }
        if all(message.get(name) == value for name, value in new.items()):
            return failed(
                400,
                "Bad Request: message is not modified: specified new message content and reply markup are exactly "
                "the same as a current content and reply markup of the message",
            )
        message.update({name: value for name, value in new.items() if value is not None})
        for name in [name for name, value in new.items() if value is None]:
            message.pop(name, None)
        return message

    async def on_deleteMessage(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        if self.messages[arguments["chat_id"]].pop(arguments["message_id"], None) is None:
            return failed(400, "Bad Request: message to delete not found")
        return True

    async def on_sendMessageDraft(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        chat_id = arguments["chat_id"]
        if not self.drafts_known:
            return failed(404, "Not Found: method not found")
        if self.chat(chat_id)["type"] != "private":
            return failed(400, "Bad Request: TEXTDRAFT_PEER_INVALID")
        if not arguments.get("draft_id"):
            return failed(400, "Bad Request: DRAFT_ID_INVALID")
        problem = self._wrong_text(arguments)
        if problem:
            return problem
        self._drafts[chat_id] = (arguments["text"], self.now())
        self.draft_ids[chat_id] = arguments["draft_id"]
        return True

    async def on_setMessageReaction(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        chat_id = arguments["chat_id"]
        problem = self._wrong_place(arguments)
        if problem:
            return problem
        emoji = arguments["reaction"][0]["emoji"]
        if self.chat(chat_id).get("no_reactions") or emoji not in REACTIONS:
            return failed(400, "Bad Request: REACTION_INVALID")
        self.reactions[chat_id, arguments["message_id"]] = emoji
        return True

    async def on_answerCallbackQuery(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        text = str(arguments.get("text", ""))
        if units(text) > TOAST:
            return failed(400, "Bad Request: MESSAGE_TOO_LONG")
        self.toasts.append(text)
        return True

    async def on_answerInlineQuery(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        results = arguments["results"]
        ids = [result["id"] for result in results]
        if len(results) > 50 or len(set(ids)) != len(ids) or any(not 1 <= len(one.encode()) <= 64 for one in ids):
            return failed(400, "Bad Request: RESULT_ID_INVALID")
        if not arguments.get("is_personal"):
            self.violations.append("inline results that others may be served")
        self.found.append(arguments)
        return True

    async def on_getFile(self, arguments: dict[str, Any]) -> Any:  # noqa: N802
        file_id = str(arguments["file_id"])
        if file_id not in self.files:
            return failed(400, "Bad Request: wrong file_id")
        if len(self.files[file_id]) > 20_000_000:
            return failed(400, "Bad Request: file is too big")
        return {"file_id": file_id, "file_unique_id": file_id, "file_path": f"documents/{file_id}"}

    async def file(self, request: web.Request) -> web.Response:
        return web.Response(body=self.files[request.match_info["path"].removeprefix("documents/")])

    async def page(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in self.pages:
            return web.Response(status=404)
        return web.Response(body=self.pages[name], content_type="text/html")

    def _wrong_place(self, arguments: dict[str, Any]) -> web.Response | None:
        chat_id = arguments["chat_id"]
        if chat_id in self.migrated:
            new = self.migrated[chat_id]
            description = "Bad Request: group chat was upgraded to a supergroup chat"
            return failed(400, description, {"migrate_to_chat_id": new})
        if chat_id < 0 and chat_id not in self.chats:
            return failed(400, "Bad Request: chat not found")
        if self.members.get((chat_id, ME["id"])) in {"kicked", "left"}:
            return failed(403, f"Forbidden: bot was kicked from the {self.chats[chat_id]['type']} chat")
        if chat_id in self.blocked:
            return failed(403, "Forbidden: bot was blocked by the user")
        thread = arguments.get("message_thread_id")
        if thread and thread not in self.chat(chat_id).get("topics", ()):
            return failed(400, "Bad Request: message thread not found")
        return None

    def _wrong_text(self, arguments: dict[str, Any]) -> web.Response | None:
        if arguments.get("parse_mode"):
            self.violations.append("a parse mode")
        problem = text_error(arguments["text"], arguments.get("entities") or [])
        problem = problem or keyboard_error(arguments.get("reply_markup"))
        if problem:
            self.violations.append(problem)
            return failed(400, problem)
        return None

    def _flood(self, chat_id: int) -> web.Response | None:
        """Count messages and edits alike: 20 a minute a group, about one a second a chat, 30 a second in all."""
        if not self.floods:
            return None
        now, spent = self.now(), self._spent[chat_id]
        while spent and spent[0] <= now - 60:
            spent.popleft()
        while self._all and self._all[0] <= now - 1:
            self._all.popleft()
        most = 20 if chat_id < 0 else 60
        burst = sum(1 for one in spent if one > now - 3)
        if len(spent) >= most or burst >= 5 or len(self._all) >= 30:
            self.violations.append(f"flood in {chat_id}")
            return failed(429, "Too Many Requests: retry after 30", {"retry_after": 30})
        spent.append(now)
        self._all.append(now)
        return None

    def listened_to(self) -> bool:
        """Whether somebody polls, or has set a webhook."""
        return self._polling.is_set()

    def nobody_listens(self) -> None:
        self._polling.clear()

    async def connected(self, within_s: float = 5.0) -> None:
        async with asyncio.timeout(within_s):
            await self._polling.wait()

    async def deliver(self, url: str, *, secret: str | None = None) -> list[int]:
        """Send what is pending to the webhook; what is not taken with 200 stays. Returns the statuses."""
        statuses = []
        headers = {"X-Telegram-Bot-Api-Secret-Token": self.secret if secret is None else secret}
        async with aiohttp.ClientSession() as session:
            for update in list(self.pending):
                async with session.post(url, json=update, headers=headers) as response:
                    statuses.append(response.status)
                    if response.status == 200:
                        self.pending.remove(update)
        return statuses


def marked(text: str) -> list[dict[str, Any]]:
    """Return the entities that Telegram finds in a plain text."""
    kinds = {"@": "mention", "/": "bot_command", "#": "hashtag", "h": "url"}
    return [
        {"type": kinds[match[0][0]], "offset": units(text[: match.start()]), "length": units(match[0])}
        for match in _FOUND.finditer(text)
    ]


def member(user: dict[str, Any], status: str) -> dict[str, Any]:
    if status == "administrator":
        rights = dict.fromkeys(_RIGHTS, False)
        return {"user": user, "status": status, "can_be_edited": False, **rights}
    return {"user": user, "status": status} | ({"is_anonymous": False} if status == "creator" else {})


_RIGHTS = (
    "is_anonymous", "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members",
    "can_promote_members", "can_change_info", "can_invite_users", "can_post_stories", "can_edit_stories",
    "can_delete_stories", "can_send_welcome_messages",
)  # fmt: skip


def failed(code: int, description: str, parameters: dict[str, Any] | None = None) -> web.Response:
    body = {"ok": False, "error_code": code, "description": description}
    return web.json_response(body | ({"parameters": parameters} if parameters else {}), status=code)


@asynccontextmanager
async def fake_telegram(now: Callable[[], float] = time.monotonic) -> AsyncIterator[FakeTelegram]:
    """Serve on a free port until the context closes."""
    telegram = FakeTelegram(now)
    application = web.Application()
    application.router.add_post("/bot{token}/{method}", telegram.called)
    application.router.add_get("/file/bot{token}/{path:.+}", telegram.file)
    application.router.add_get("/page/{name}", telegram.page)
    runner = web.AppRunner(application, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    telegram.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield telegram
    finally:
        await runner.cleanup()
