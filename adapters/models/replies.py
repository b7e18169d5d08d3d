"""Read what the Messages API sends back: an object, a stream's events, usage, and every kind of failure."""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bot.domain.answers import ModelUse
from bot.domain.errors import ModelRefused, ModelReplyBroken, ModelTrouble, ModelUnavailable, PromptTooLong
from bot.ports import Written

REFUSED = "The model declined to answer."
MOST_VALUES = 200
"""Braces and brackets of a reply that are tried as the beginning of JSON."""


class Streamed:
    """A streamed text as it comes: pieces to hand on, and at the end how it stopped and what it used."""

    def __init__(self, *, step: str, model: str) -> None:
        self.use = ModelUse(model=model, step=step)
        self._stop_reason: str | None = None

    def take(self, event: Any) -> Written | None:
        """Return what this event adds to the text; usage is passed on as soon as it is known."""
        match event.type:
            case "message_start":
                self.use = use_of(event.message.model, self.use.step, event.message.usage)
                return Written(use=self.use)
            case "content_block_start" if event.content_block.type == "text" and event.content_block.text:
                return Written(text=event.content_block.text)
            case "content_block_delta" if event.delta.type == "text_delta" and event.delta.text:
                return Written(text=event.delta.text)
            case "message_delta":
                self._stop_reason = event.delta.stop_reason
                self.use = use_of(self.use.model, self.use.step, event.usage, before=self.use)
        return None

    def last(self) -> Written:
        """Return the end of the text. Raises what kept it from ending well."""
        match self._stop_reason:
            case None:
                raise ModelUnavailable("The model's answer broke off.", use=self.use)
            case "refusal":
                raise ModelRefused(REFUSED, use=self.use)
            case reason:
                return Written(use=self.use, cut=reason in {"max_tokens", "model_context_window_exceeded"})


def structured(message: Any, use: ModelUse, *, wanted: Collection[str] = ()) -> Mapping[str, Any]:
    """Return the object that a message carries, as a tool call or as text; `wanted` are the names it has to hold."""
    if message.stop_reason == "refusal":
        raise ModelRefused(REFUSED, use=use)
    if message.stop_reason == "model_context_window_exceeded":
        raise PromptTooLong("The prompt leaves the model no room to reply.", use=use)
    text = "".join(block.text for block in message.content if block.type == "text")
    if message.stop_reason == "max_tokens":  # a cut tool call comes out as a shorter object that looks whole
        raise ModelReplyBroken("The model's reply was cut off.", use=use)
    for block in message.content:
        if block.type == "tool_use" and isinstance(block.input, dict):
            return block.input
        if block.type == "tool_use" and isinstance(block.input, str):
            text += block.input
    found = object_in(text, wanted=wanted)
    if found is None:
        raise ModelReplyBroken("The model's reply cannot be read.", use=use, raw=text)
    return found


def object_in(text: str, *, wanted: Collection[str] = ()) -> Mapping[str, Any] | None:
    """Return the first JSON object in a text that holds the wanted names, else the first; None without one.

    Words and fences may stand around it. The objects of a list are no replies of their own.
    """
    found = [value for value in json_values(text) if isinstance(value, dict)]
    return next((one for one in found if set(wanted) <= one.keys()), found[0] if found else None)


def json_values(text: str) -> Iterator[Any]:
    """Yield the JSON objects, and the lists of objects, that stand in a text one after the other."""
    decoder = json.JSONDecoder()
    for _ in range(MOST_VALUES):
        start = min((place for place in (text.find("{"), text.find("[")) if place >= 0), default=-1)
        if start < 0:
            return
        try:
            value, end = decoder.raw_decode(text, start)
        except ValueError:
            value, end = None, start + 1
        text = text[end:]
        if isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], dict)):
            yield value


def use_of(model: str, step: str, usage: Any, *, before: ModelUse | None = None) -> ModelUse:
    """Return the tokens of a call; a stream's later counts are cumulative and replace those `before`."""

    def count(name: str, known: int) -> int:
        value = getattr(usage, name, None)
        return known if value is None else int(value)

    known = before or ModelUse(model=model, step=step)
    return ModelUse(
        model=model,
        step=step,
        input_tokens=count("input_tokens", known.input_tokens),
        cache_write_tokens=count("cache_creation_input_tokens", known.cache_write_tokens),
        cache_read_tokens=count("cache_read_input_tokens", known.cache_read_tokens),
        output_tokens=count("output_tokens", known.output_tokens),
    )


@contextmanager
def translated(streamed: Streamed | None = None) -> Iterator[None]:
    """Turn the client's failures into ours, with what a broken stream cost.

    A cut chunked body raises httpx2's error, half a JSON body ValueError: neither is one of the client's own. The
    client checks no reply against its types, so that one of another form fails where it is read.
    """
    import anthropic  # noqa: PLC0415 - slow import
    import httpx2  # noqa: PLC0415 - comes with the slow import

    try:
        yield
    except ModelTrouble:
        raise
    except (anthropic.AnthropicError, httpx2.HTTPError, ValueError, AttributeError, TypeError) as error:
        raise ModelUnavailable(sentence(error), use=streamed.use if streamed else None) from error


def sentence(error: Exception) -> str:
    """Say in one sentence what went wrong; the service's own words go to the log with the cause."""
    match getattr(error, "status_code", None):
        case 401 | 403:
            return "The model service refused the key."
        case 429:
            return "The model service asks us to slow down."
        case int(status) if status >= 400:  # noqa: PLR2004 - where HTTP's errors begin
            return f"The model service answered {status}."
        case int():
            return "The model service broke off in the middle."
        case _:
            return "The model service could not be reached or broke off."


def too_long(error: Any) -> bool:
    """Whether a 400 says that the prompt does not fit; the service gives no code for it."""
    words = str(error).lower()
    return "too long" in words or "context window" in words or "maximum context" in words


def about_the_form(error: Any) -> bool:
    """Whether a 400 names one of the parameters whose support differs by model."""
    words = str(error).lower()
    return any(name in words for name in ("tool", "thinking", "output_config", "effort", "format", "schema"))
