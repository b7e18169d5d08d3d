"""Call Discord's REST API through discord.py's own client, and say in our words what went wrong."""

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp
import discord
from discord.http import Route

from adapters.outlet import Lost, MessageGone, RetryLater, TooLong, Undeliverable

RATE_LIMITED = 429
SERVER_ERROR = 500
PATIENCE_S = 60.0
"""One call with the library's own retries of 500, 502 and 504."""
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK = 10003, 10008, 10015
EDITED_TOO_OFTEN = 30046
"""Of a message older than an hour."""
NO_ACCESS, CANNOT_DIRECT, NO_PERMISSION, BAD_WEBHOOK_TOKEN = 50001, 50007, 50013, 50027
BAD_FORM, ARCHIVED = 50035, 50083
NO_REPLIES = 160002
"""Without the permission to read a channel's history one may write there, but not reply."""
HAS_THREAD, LOCKED = 160004, 160005


class Refused(Undeliverable):
    """Discord said no; `code` is its error code, or the status where it gave none."""

    def __init__(self, code: int, sentence: str = "") -> None:
        super().__init__(f"Discord refused the call: {code} {sentence}".strip())
        self.code = code


class Calls:
    """The REST API as the bot; the client may be another one after a reconnect with other intents."""

    def __init__(self, client: Callable[[], discord.Client]) -> None:
        self._client = client

    async def __call__(
        self, method: str, path: str, *, json: Any = None, query: dict[str, str] | None = None, **ids: str
    ) -> Any:
        """Call one route and return its JSON.

        Raises RetryLater (429 with its wait, nothing sent), Lost (5xx, a broken connection), MessageGone, TooLong,
        Refused.
        """
        body: dict[str, Any] = {} if json is None else {"json": json}
        asked: dict[str, Any] = {} if query is None else {"params": query}
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self._client().http.request(Route(method, path, **ids), **body, **asked)
        except discord.RateLimited as error:
            raise RetryLater(error.retry_after) from error
        except discord.HTTPException as error:
            raise translated(error) from error
        except aiohttp.ClientConnectorError as error:
            raise RetryLater from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise Lost(path) from error


def translated(error: discord.HTTPException) -> Exception:
    """Return our word for an error of the API."""
    if error.status == RATE_LIMITED:
        return RetryLater(retry_after(error))
    if error.status >= SERVER_ERROR:
        return Lost(f"{error.status}")
    if error.code == UNKNOWN_MESSAGE:
        return MessageGone(str(error.code))
    if error.code == EDITED_TOO_OFTEN:
        return RetryLater()
    if error.code == BAD_FORM and "content" in error.text and "length" in error.text:
        return TooLong(error.text)
    return Refused(error.code or error.status, error.text)


def retry_after(error: discord.HTTPException) -> float:
    """Return the seconds of a Retry-After header; a second where it cannot be read."""
    try:
        return max(0.0, float(error.response.headers.get("Retry-After", 1)))
    except ValueError:
        return 1.0
