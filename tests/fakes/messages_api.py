"""A strict loopback stand-in of the Messages API: it refuses what that refuses and fails in every known way."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

KEY = "test-key"
KNOWN = {
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "stream", "stop_sequences", "metadata",
    "output_config", "thinking", "service_tier", "cache_control", "container", "inference_geo", "diagnostics", "speed",
}  # fmt: skip
SAMPLING = ("temperature", "top_p", "top_k")
CANNOT_CONSTRAIN = {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "multipleOf"}


# What it may be told to send -----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Says:
    """A text, as one block or streamed."""

    text: str
    stop_reason: str = "end_turn"


@dataclass(frozen=True, kw_only=True)
class Fills:
    """A structured reply: a tool call where a tool is offered, JSON text where a format is asked for."""

    value: Any
    stop_reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Fails:
    """An HTTP error before anything else."""

    status: int
    kind: str = "api_error"
    message: str = "scripted failure"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Breaks:
    """A reply that starts well: then `ends`, is `overloaded`, `cut` in a chunk, or `hangs`."""

    text: str
    how: str


@dataclass(frozen=True, kw_only=True)
class Refuses:
    """A refusal, perhaps after some words."""

    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Empty:
    """No content at all, as if that were a whole answer."""


@dataclass(frozen=True, kw_only=True)
class Hangs:
    """Nothing, for ever."""


@dataclass(frozen=True, kw_only=True)
class Garbled:
    """A 200 whose body is not what was asked for: half a JSON document, or another one; events of a stream."""

    body: str = '{"id": "msg_1", "content": [{"type": "te'
    kind: str = "application/json"
    events: tuple[Mapping[str, Any], ...] = ()


Reply = Says | Fills | Fails | Breaks | Refuses | Empty | Hangs | Garbled


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """A request that arrived."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]
    status: int
    """What it was answered with."""

    @property
    def step(self) -> str:
        return step_of(self.body)

    @property
    def system(self) -> str:
        return "".join(block["text"] for block in self.body.get("system", ()))

    @property
    def content(self) -> str:
        return "".join(words_of(message["content"]) for message in self.body["messages"])

    @property
    def prefix(self) -> str:
        """What stands before the messages, as it came over the wire."""
        return json.dumps([self.body.get("tools"), self.body.get("system")])


class MessagesApi:
    """Answers `POST /v1/messages` by script and records every request.

    `answer` gives the reply to a body; `latency_s` passes before each reply, `tokens_per_s` paces a stream.
    """

    def __init__(self, answer: Callable[[Mapping[str, Any]], Reply] | None = None) -> None:
        self.answer = answer or (lambda body: Says(text="Hello."))
        self.requests: list[Recorded] = []
        self.latency_s = 0.0
        self.tokens_per_s = 0.0
        self.window_tokens = 200_000
        self.refuses_forced_tools: set[str] = set()
        self.thinking: dict[str, set[str]] = {}
        """By model, the kinds of thinking it takes; a model not named takes all."""
        self.cache_minimum = 512
        self.url = ""
        self._cached: set[str] = set()
        self._stopping = asyncio.Event()

    def of_step(self, step: str) -> list[Recorded]:
        return [request for request in self.requests if request.step == step and request.status == 200]

    async def respond(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        problem = self.refusal(body, request.headers)
        reply = problem or self.answer(body)
        status = reply.status if isinstance(reply, Fails) else 200
        self.requests.append(Recorded(body=body, headers=dict(request.headers), status=status))
        if not problem:
            await self.pause(self.latency_s)
        if isinstance(reply, Fails):
            return error(reply)
        if isinstance(reply, Hangs):
            await self._stopping.wait()
        if body.get("stream"):
            return await self.stream(request, body, reply)
        return await self.whole(request, body, reply)

    async def whole(self, request: web.Request, body: Mapping[str, Any], reply: Reply) -> web.StreamResponse:
        if isinstance(reply, Garbled):
            return web.Response(text=reply.body, content_type=reply.kind)
        if isinstance(reply, Breaks):
            response = web.StreamResponse(headers={"content-type": "application/json"})
            response.enable_chunked_encoding()
            await response.prepare(request)
            await response.write(b'{"id": "msg_1", ')
            cut(request)
            return response
        content, stop_reason = blocks(body, reply)
        output = tokens(json.dumps(content))
        usage = self.usage(body) | {"output_tokens": output}
        return web.json_response(message(body, content=content, stop_reason=stop_reason, usage=usage))

    async def stream(self, request: web.Request, body: Mapping[str, Any], reply: Reply) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        response.enable_chunked_encoding()
        await response.prepare(request)
        written = 0
        try:
            for event in self.events(body, reply):
                await response.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
                if event["type"] == "content_block_delta":
                    written += 1
                    await self.pause(1 / self.tokens_per_s if self.tokens_per_s else 0)
            if isinstance(reply, Breaks) and reply.how == "hangs":
                await self._stopping.wait()
            if isinstance(reply, Breaks) and reply.how == "cut":
                cut(request)
        except ConnectionResetError:  # the client has heard enough
            pass
        return response

    def events(self, body: Mapping[str, Any], reply: Reply) -> Iterator[dict[str, Any]]:
        if isinstance(reply, Garbled):
            yield from reply.events
            return
        usage = self.usage(body) | {"output_tokens": 1}
        yield {"type": "message_start", "message": message(body, content=[], stop_reason=None, usage=usage)}
        yield {"type": "ping"}
        text = words(reply)
        if text:
            yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
            for piece in pieces(text):
                delta = {"type": "text_delta", "text": piece}
                yield {"type": "content_block_delta", "index": 0, "delta": delta}
        if isinstance(reply, Breaks):
            if reply.how == "overloaded":
                yield {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
            return
        if text:
            yield {"type": "content_block_stop", "index": 0}
        _, stop_reason = blocks(body, reply)
        delta = {"stop_reason": stop_reason, "stop_sequence": None}
        yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": tokens(text)}}
        yield {"type": "message_stop"}

    def usage(self, body: Mapping[str, Any]) -> dict[str, int]:
        """Count tokens as the service does: the cached prefix apart, when it is long enough to be cached."""
        prefix = json.dumps([body["model"], body.get("tools"), body.get("system")])
        rest = tokens(json.dumps(body["messages"]))
        marked = '"cache_control"' in prefix
        if not marked or tokens(prefix) < self.cache_minimum:
            return {"input_tokens": rest + tokens(prefix)}
        key = hashlib.sha256(prefix.encode()).hexdigest()
        name = "cache_read_input_tokens" if key in self._cached else "cache_creation_input_tokens"
        self._cached.add(key)
        return {"input_tokens": rest, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0} | {
            name: tokens(prefix)
        }

    def refusal(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Fails | None:
        """Return the error that the real service answers a wrong request with."""
        if KEY not in {headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer ")}:
            return Fails(status=401, kind="authentication_error", message="invalid x-api-key")
        if not headers.get("anthropic-version"):
            return wrong("anthropic-version: header is required")
        for found in self.faults(body):
            return wrong(found)
        length = tokens(json.dumps([body.get("system"), body["messages"], body.get("tools")]))
        if length > self.window_tokens:
            return wrong(f"prompt is too long: {length} tokens > {self.window_tokens} maximum")
        return None

    def faults(self, body: Mapping[str, Any]) -> Iterator[str]:
        for name in SAMPLING:
            if name in body:
                yield f"`{name}` is not supported in this version."
        for name in body.keys() - KNOWN:
            yield f"{name}: Extra inputs are not permitted"
        if not isinstance(body.get("model"), str) or not body["model"]:
            yield "model: Field required"
        if not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 1:
            yield "max_tokens: must be a positive integer"
        yield from faulty_messages(body.get("messages"))
        yield from faulty_system(body.get("system", []))
        if json.dumps(body).count('"cache_control"') > 4:
            yield "A maximum of 4 blocks with cache_control may be provided."
        yield from self.faulty_tools(body)
        yield from self.faulty_thinking(body)
        wanted = body.get("output_config", {}).get("format")
        if wanted:
            yield from faulty_schema(wanted.get("schema", {}), at="output_config.format.schema")

    def faulty_tools(self, body: Mapping[str, Any]) -> Iterator[str]:
        names = [tool.get("name") for tool in body.get("tools", ())]
        choice = body.get("tool_choice")
        for tool in body.get("tools", ()):
            if tool.get("input_schema", {}).get("type") != "object":
                yield "tools.0.custom.input_schema.type: Input should be 'object'"
        if choice and choice["type"] == "tool" and choice.get("name") not in names:
            yield f"tool_choice: Tool '{choice.get('name')}' not found in provided tools"
        if choice and choice["type"] in {"tool", "any"} and body["model"] in self.refuses_forced_tools:
            yield "tool_choice: forced tool use is not supported by this model"

    def faulty_thinking(self, body: Mapping[str, Any]) -> Iterator[str]:
        kind = body.get("thinking", {}).get("type")
        taken = self.thinking.get(body["model"])
        if kind and taken is not None and kind not in taken:
            yield f"thinking.type: `{kind}` is not supported by this model"
        choice = body.get("tool_choice", {}).get("type")
        if kind in {"enabled", "adaptive", "between_tools"} and choice in {"tool", "any"}:
            yield "Thinking may not be enabled when tool_choice forces tool use."

    async def pause(self, seconds: float) -> None:
        if seconds:
            await asyncio.sleep(seconds)


@asynccontextmanager
async def messages_api(answer: Callable[[Mapping[str, Any]], Reply] | None = None) -> AsyncIterator[MessagesApi]:
    """Serve the stand-in on a free loopback port."""
    api = MessagesApi(answer)
    application = web.Application(client_max_size=64 * 1024 * 1024)
    application.router.add_post("/v1/messages", api.respond)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    api.url = f"http://{host}:{port}"
    try:
        yield api
    finally:
        api._stopping.set()
        await runner.cleanup()


def by_step(**replies: Reply | list[Reply]) -> Callable[[Mapping[str, Any]], Reply]:
    """Script one reply a step, or several to be given in turn (the last one again and again)."""
    given = {step: list(reply) if isinstance(reply, list) else [reply] for step, reply in replies.items()}

    def answer(body: Mapping[str, Any]) -> Reply:
        left = given.get(step_of(body))
        if not left:
            return Fails(status=500, message=f"no reply scripted for {step_of(body)!r}")
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


def step_of(body: Mapping[str, Any]) -> str:
    """Which step asks: by the tool it offers, the format it wants, or a text."""
    if body.get("tools"):
        return str(body["tools"][0]["name"])
    wanted = body.get("output_config", {}).get("format")
    if wanted:
        properties = set(wanted["schema"]["properties"])
        return "plan" if "intent" in properties else "grade" if "grades" in properties else "reflect"
    return "generate"


def words(reply: Reply) -> str:
    match reply:
        case Says(text=text) | Refuses(text=text) | Breaks(text=text):
            return text
        case Fills(value=value):
            return value if isinstance(value, str) else json.dumps(value)
        case _:
            return ""


def blocks(body: Mapping[str, Any], reply: Reply) -> tuple[list[dict[str, Any]], str]:
    """The content and stop reason of a whole reply."""
    match reply:
        case Fills(value=value, stop_reason=reason) if body.get("tools") and not isinstance(value, str):
            name = body["tools"][0]["name"]
            return [{"type": "tool_use", "id": "toolu_1", "name": name, "input": value}], reason or "tool_use"
        case Fills(stop_reason=reason):
            return [{"type": "text", "text": words(reply)}], reason or "end_turn"
        case Says(text=text, stop_reason=reason):
            return ([{"type": "text", "text": text}] if text else []), reason
        case Refuses(text=text):
            return ([{"type": "text", "text": text}] if text else []), "refusal"
        case _:
            return [], "end_turn"


def message(body: Mapping[str, Any], **values: Any) -> dict[str, Any]:
    fixed = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "stop_sequence": None}
    return fixed | values


def faulty_messages(messages: Any) -> Iterator[str]:
    if not messages:
        yield "messages: at least one message is required"
        return
    for place, one in enumerate(messages):
        content = one.get("content")
        if one.get("role") not in {"user", "assistant"}:
            yield f"messages.{place}.role: Input should be 'user' or 'assistant'"
        if not content or (isinstance(content, str) and not content.strip()):
            yield f"messages.{place}: all messages must have non-empty content"
        elif not isinstance(content, str):
            for block in content:
                if block.get("type") == "text" and not block.get("text", "").strip():
                    yield "messages: text content blocks must be non-empty"
                if block.get("type") == "text" and "citations" in block:
                    yield "messages: citations are not supported on user text blocks"
    if messages[0].get("role") != "user":
        yield "messages: first message must use the user role"
    if messages[-1].get("role") == "assistant":
        yield "This model does not support assistant message prefill."


def faulty_system(system: Any) -> Iterator[str]:
    if isinstance(system, str):
        return
    for block in system:
        if not block.get("text", "").strip():
            yield "system: text content blocks must be non-empty"


def faulty_schema(schema: Any, *, at: str) -> Iterator[str]:
    """A format's schema must close its objects and may not bound numbers, lengths or counts."""
    if isinstance(schema, list):
        for part in schema:
            yield from faulty_schema(part, at=at)
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        yield f"{at}: For 'object' type, 'additionalProperties' must be explicitly set to false"
    for name in CANNOT_CONSTRAIN & schema.keys():
        yield f"{at}: property '{name}' is not supported"
    for part in schema.values():
        yield from faulty_schema(part, at=at)


def words_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)


def pieces(text: str) -> list[str]:
    """Cut a text into about one token a piece, losing nothing."""
    return [text[at : at + 4] for at in range(0, len(text), 4)]


def tokens(text: str) -> int:
    return max(1, round(len(text) / 3.5))


def wrong(sentence: str) -> Fails:
    return Fails(status=400, kind="invalid_request_error", message=sentence)


def error(reply: Fails) -> web.Response:
    body = {"type": "error", "error": {"type": reply.kind, "message": reply.message}, "request_id": "req_1"}
    return web.json_response(body, status=reply.status, headers=dict(reply.headers))


def cut(request: web.Request) -> None:
    """Drop the connection in the middle of a chunked body."""
    if request.transport is not None:
        request.transport.abort()
