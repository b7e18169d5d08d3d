"""Call Slack's Web API and say in our words what went wrong."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.outlet import Lost, MessageGone, RetryLater, TooLong, Undeliverable
from adapters.pacing import Timing

_LOG = logging.getLogger(__name__)

RATE_LIMITED = 429
SERVER_ERROR = 500
READS = {
    "conversations.history",
    "conversations.info",
    "conversations.replies",
    "files.info",
    "users.conversations",
    "users.info",
}
"""Methods that take no JSON body."""
DOWN = {"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"}
GONE = {"message_not_found", "cant_update_message", "edit_window_closed", "cant_delete_message"}
TOO_LONG = {"msg_too_long", "msg_blocks_too_long", "invalid_blocks", "invalid_blocks_format"}


class Refused(Undeliverable):
    """Slack said no; `code` is its error."""

    def __init__(self, code: str) -> None:
        super().__init__(f"Slack refused the call: {code}")
        self.code = code


class Gate:
    """The methods that a workspace has closed with a Retry-After: nothing calls them before it is over."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._closed_until: dict[str, float] = {}

    def check(self, method: str) -> None:
        """Raise RetryLater while a method is closed."""
        left = self._closed_until.get(method, 0.0) - self._timing.now()
        if left > 0:
            raise RetryLater(left)

    def close(self, method: str, seconds: float) -> None:
        """Close a method for so long."""
        self._closed_until[method] = self._timing.now() + seconds


class Calls:
    """The Web API of one workspace. A token is asked for before every call, since it may be rotated."""

    def __init__(self, client: Callable[[], Awaitable[AsyncWebClient]], gate: Gate) -> None:
        self._client = client
        self._gate = gate

    async def __call__(self, method: str, **arguments: Any) -> dict[str, Any]:
        """Call one method and return its reply.

        Raises RetryLater (429 with its Retry-After), Lost (5xx, a broken connection), MessageGone, TooLong, Refused.
        """
        client = await self._client()
        self._gate.check(method)
        try:
            if method in READS:
                response = await client.api_call(method, http_verb="GET", params=arguments)
            else:
                response = await client.api_call(method, json=arguments)
        except SlackApiError as error:
            trouble = translated(error)
            if isinstance(trouble, RetryLater):
                self._gate.close(method, trouble.seconds or 1.0)
            raise trouble from error
        except aiohttp.ClientConnectorError as error:
            raise RetryLater from error
        except (aiohttp.ClientError, SlackClientError, TimeoutError, OSError) as error:
            raise Lost(method) from error
        return dict(response.data) if isinstance(response.data, dict) else {}


def translated(error: SlackApiError) -> Exception:
    """Return our word for an error of the Web API."""
    response = error.response
    status = getattr(response, "status_code", 0)
    if status == RATE_LIMITED:
        return RetryLater(retry_after(getattr(response, "headers", {})))
    data = getattr(response, "data", None)
    code = str(data.get("error") or "") if isinstance(data, dict) else ""
    if code in {"ratelimited", "rate_limited"}:
        return RetryLater(retry_after(getattr(response, "headers", {})))
    if status >= SERVER_ERROR or code in DOWN or not code:
        return Lost(f"{status} {code}".strip())
    if code in GONE:
        return MessageGone(code)
    return TooLong(code) if code in TOO_LONG else Refused(code)


def retry_after(headers: Any) -> float:
    """Return the seconds of a Retry-After header in any case of letters; a second where it cannot be read."""
    lowered = {str(name).lower(): value for name, value in dict(headers or {}).items()}
    try:
        return max(0.0, float(lowered.get("retry-after", 1)))
    except ValueError:
        return 1.0
