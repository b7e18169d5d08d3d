"""Speak with Anthropic's Messages API: structured replies and streamed texts, every failure translated."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from adapters.models.replies import Streamed, about_the_form, structured, too_long, translated, use_of
from bot.domain.answers import ModelUse
from bot.domain.errors import ModelUnavailable, PromptTooLong
from bot.ports import Filled, ModelRequest, ModelRole, Written

CHARACTERS_PER_TOKEN: Final = 3.5
"""There is no local tokenizer; the estimate is corrected from what each reply says it used."""
SAFETY_MARGIN: Final = 0.9
"""Share of the window that a prompt may fill."""

QUIET: Final[tuple[Mapping[str, Any], ...]] = (
    {"thinking": {"type": "between_tools"}},
    {"thinking": {"type": "disabled"}},
    {"output_config": {"effort": "low"}},
    {},
)
"""Ways to ask for words at once, without thinking first: which of them a model takes differs, so they are tried in
this order and the first that works is remembered (platform.claude.com, "Thinking", "What's new in Sonnet 5.5")."""


@asynccontextmanager
async def open_anthropic(
    *,
    api_key: str,
    base_url: str,
    planning_model: str,
    answering_model: str,
    window_tokens: int = 100_000,
    timeout_s: float = 30.0,
) -> AsyncIterator["AnthropicModel"]:
    """Open the client in a thread (importing it takes over a second); the first call waits for it."""

    def connect() -> Any:
        from anthropic import AsyncAnthropic, Timeout  # noqa: PLC0415 - slow import

        timeout = Timeout(timeout_s, connect=5.0)
        return AsyncAnthropic(api_key=api_key, base_url=base_url or None, timeout=timeout)

    opening = asyncio.create_task(asyncio.to_thread(connect))
    models: dict[ModelRole, str] = {"planning": planning_model, "answering": answering_model}
    try:
        yield AnthropicModel(opening, models=models, window_tokens=window_tokens)
    finally:
        client = await opening
        await client.close()


class AnthropicModel:
    """`LanguageModel` through the official async client.

    Structured replies come from a forced tool; a model that refuses forced tools (Sonnet 5.5, Opus 5.5) is asked for
    `output_config.format` instead. Raises ModelUnavailable, ModelRefused, ModelReplyBroken, PromptTooLong.
    """

    def __init__(self, opening: "asyncio.Task[Any]", *, models: Mapping[ModelRole, str], window_tokens: int) -> None:
        self._opening = opening
        self._models = dict(models)
        self._window_tokens = window_tokens
        self._forms: dict[tuple[str, bool], int] = {}
        self._tokens_per_estimate = 1.0

    async def fill(self, request: ModelRequest) -> Filled:
        client = await asyncio.shield(self._opening)
        with translated():
            message = await self._send(client, request, forms=forms_of_structure(request), stream=False)
            use = use_of(message.model, request.step, message.usage)
            value = structured(message, use, wanted=(request.schema or {}).get("required", ()))
        self._learn(request, use)
        return Filled(value=value, use=use)

    async def write(self, request: ModelRequest) -> AsyncIterator[Written]:
        client = await asyncio.shield(self._opening)
        streamed = Streamed(step=request.step, model=self._models[request.role])
        with translated(streamed):
            stream = await self._send(client, request, forms=QUIET, stream=True)
            async with stream:
                async for event in stream:
                    if piece := streamed.take(event):
                        yield piece
        self._learn(request, streamed.use)
        yield streamed.last()

    @property
    def window_tokens(self) -> int:
        return int(self._window_tokens * SAFETY_MARGIN / self._tokens_per_estimate)

    async def _send(
        self, client: Any, request: ModelRequest, *, forms: tuple[Mapping[str, Any], ...], stream: bool
    ) -> Any:
        """Send in the first form that this model takes; what it takes is remembered."""
        from anthropic import BadRequestError  # noqa: PLC0415 - slow import, done by now

        known = (self._models[request.role], stream)
        for place in range(self._forms.get(known, 0), len(forms)):
            try:
                reply = await client.messages.create(**self._body(request), **forms[place], stream=stream)
            except BadRequestError as error:
                if too_long(error):
                    raise PromptTooLong("The prompt is longer than the model's window.") from error
                if place + 1 < len(forms) and about_the_form(error):
                    continue
                raise
            self._forms[known] = place
            return reply
        raise ModelUnavailable("The model takes no form of this request.")

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        """Put what is the same in every call first, under the mark up to which it is cached."""
        system = {"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}
        return {
            "model": self._models[request.role],
            "max_tokens": request.max_tokens,
            "system": [system],
            "messages": [{"role": "user", "content": request.content}],
        }

    def _learn(self, request: ModelRequest, use: ModelUse) -> None:
        """Correct the estimate of characters a token, upwards at once and downwards slowly."""
        used = use.input_tokens + use.cache_write_tokens + use.cache_read_tokens
        estimated = (len(request.system) + len(request.content)) / CHARACTERS_PER_TOKEN
        if request.schema is None and used and estimated:
            ratio = max(1.0, used / estimated)
            self._tokens_per_estimate = max(ratio, 0.9 * self._tokens_per_estimate + 0.1 * ratio)


def forms_of_structure(request: ModelRequest) -> tuple[Mapping[str, Any], ...]:
    """Return the ways to ask for a structured reply, the preferred one first."""
    schema = json.loads(json.dumps(request.schema))
    tool = {"name": request.step, "description": "Give the reply in this form.", "input_schema": schema}
    forced = {"tools": [tool], "tool_choice": {"type": "tool", "name": request.step}}
    wanted = {"type": "json_schema", "schema": schema}
    return (forced, *(merged(quiet, wanted) for quiet in QUIET))


def merged(quiet: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return a quiet form that also asks for a JSON format."""
    return {**quiet, "output_config": {**quiet.get("output_config", {}), "format": wanted}}
