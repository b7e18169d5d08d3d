"""Call the Bot API through aiogram and say in our words what went wrong."""

from typing import Any, ClassVar, TypeVar

import aiohttp
from aiogram import Bot
from aiogram.exceptions import (
    ClientDecodeError,
    TelegramAPIError,
    TelegramBadRequest,
    TelegramEntityTooLarge,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramNetworkError,
    TelegramRetryAfter,
    TelegramServerError,
    TelegramUnauthorizedError,
)
from aiogram.methods import TelegramMethod
from aiogram.types import Message as TelegramMessage

from adapters.outlet import Lost, MessageGone, RetryLater, TooLong, Trouble, Undeliverable

Result = TypeVar("Result")

NOT_MODIFIED = "message is not modified"
TOO_LONG = ("message is too long", "message_too_long", "entity_too_large", "text is too long")
GONE = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
    "message identifier is not specified",
    "message to delete not found",
    "message can't be deleted",
)
NO_THREAD = ("message thread not found", "topic_closed", "topic_deleted", "topic_id_invalid")


class Unread(Lost):
    """The call was done, and its result is none that aiogram's models know."""

    def __init__(self, result: Any) -> None:
        super().__init__("an unreadable result")
        self.result = result


class Moved(Trouble):
    """The group has become a supergroup with another id."""

    def __init__(self, chat_id: int) -> None:
        super().__init__(f"the group is {chat_id} now")
        self.chat_id = chat_id


class Refused(Undeliverable):
    """Telegram said no; `why` is its description in lower case."""

    def __init__(self, why: str) -> None:
        super().__init__(f"Telegram refused the call: {why}")
        self.why = why


class RawUpdates(TelegramMethod[list[dict[str, Any]]]):
    """getUpdates without reading the updates: one that aiogram's models do not know must not hold up the rest."""

    __returning__: ClassVar[Any] = list[dict[str, Any]]
    __api_method__: ClassVar[str] = "getUpdates"

    offset: int | None = None
    timeout: int = 0
    allowed_updates: list[str] | None = None


class RawMember(TelegramMethod[dict[str, Any]]):
    """getChatMember as it comes: every new right of administrators would make older results unreadable."""

    __returning__: ClassVar[Any] = dict[str, Any]
    __api_method__: ClassVar[str] = "getChatMember"

    chat_id: int
    user_id: int


class Calls:
    """One bot's calls. Raises RetryLater, Lost, Moved, MessageGone, TooLong, Refused."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    async def __call__(self, method: TelegramMethod[Result], *, timeout: int | None = None) -> Result:
        """Make one call and return its result."""
        try:
            return await self.bot(method, request_timeout=timeout)
        except (TelegramAPIError, ClientDecodeError) as error:
            raise translated(error) from error
        except OSError as error:
            raise Lost(type(error).__name__) from error

    async def sent(self, method: TelegramMethod[TelegramMessage]) -> int:
        """Send something and return its message id, also where the message that comes back cannot be read."""
        try:
            return (await self(method)).message_id
        except Unread as error:
            return int(error.result["message_id"])


def translated(error: TelegramAPIError | ClientDecodeError) -> Exception:
    """Return our word for an error of aiogram's."""
    if isinstance(error, ClientDecodeError):
        done = isinstance(error.data, dict) and error.data.get("ok")
        return Unread(error.data["result"]) if done else RetryLater()
    why = error.message.lower()
    match error:
        case TelegramRetryAfter():
            return RetryLater(float(error.retry_after))
        case TelegramMigrateToChat():
            return Moved(error.migrate_to_chat_id)
        case TelegramEntityTooLarge():
            return TooLong(why)
        case TelegramNetworkError():
            unsent = isinstance(error.__cause__, aiohttp.ClientConnectorError)
            # By its kind alone: some of the library's words carry the address, and that carries the token.
            return RetryLater() if unsent else Lost(type(error.__cause__ or error).__name__)
        case TelegramServerError():
            return RetryLater()
        case TelegramForbiddenError() | TelegramUnauthorizedError():
            return Refused(why)
        case TelegramBadRequest() if any(words in why for words in TOO_LONG):
            return TooLong(why)
        case TelegramBadRequest() if any(words in why for words in GONE):
            return MessageGone(why)
        case _:
            return Refused(why)
