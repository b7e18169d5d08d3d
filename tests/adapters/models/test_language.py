"""The Anthropic model against a strict stand-in: what it sends, what it reads, how it fails."""

import asyncio
import json
import time
from contextlib import asynccontextmanager

import pytest

from adapters.models.language import open_anthropic
from adapters.models.replies import object_in
from bot.domain.errors import ModelRefused, ModelReplyBroken, ModelUnavailable, PromptTooLong
from bot.ports import ModelRequest
from tests.fakes.messages_api import (
    KEY,
    Breaks,
    Empty,
    Fails,
    Fills,
    Garbled,
    Hangs,
    Refuses,
    Says,
    messages_api,
)

SCHEMA = {
    "type": "object",
    "properties": {"colour": {"type": "string"}},
    "required": ["colour"],
    "additionalProperties": False,
}


@asynccontextmanager
async def connected(answer, *, key=KEY, timeout_s=5.0):
    async with (
        messages_api(answer) as api,
        open_anthropic(
            api_key=key, base_url=api.url, planning_model="small", answering_model="large", timeout_s=timeout_s
        ) as model,
    ):
        yield api, model


def asking(content="Which colour?", *, schema=None, system="Answer."):
    role = "planning" if schema else "answering"
    step = "plan" if schema else "generate"
    return ModelRequest(role=role, step=step, system=system, content=content, schema=schema)


async def read(model, request, *, heard=None):
    heard = [] if heard is None else heard
    last = None
    async for last in model.write(request):
        heard.append(last.text)
    return "".join(heard), last


async def test_a_structured_reply_comes_from_a_forced_tool():
    async with connected(lambda body: Fills(value={"colour": "red"})) as (api, model):
        filled = await model.fill(asking(schema=SCHEMA))
    assert filled.value == {"colour": "red"}
    assert filled.use.model == "small"
    assert filled.use.input_tokens > 0
    assert filled.use.output_tokens > 0
    assert api.requests[0].body["tool_choice"] == {"type": "tool", "name": "plan"}


async def test_a_model_that_refuses_forced_tools_is_asked_for_a_format_and_remembered():
    async with connected(lambda body: Fills(value={"colour": "red"})) as (api, model):
        api.refuses_forced_tools.add("small")
        api.thinking["small"] = {"disabled"}
        assert (await model.fill(asking(schema=SCHEMA))).value == {"colour": "red"}
        tries = len(api.requests)
        assert (await model.fill(asking(schema=SCHEMA))).value == {"colour": "red"}
    assert len(api.requests) == tries + 1
    assert api.requests[-1].body["output_config"]["format"]["type"] == "json_schema"
    assert api.requests[-1].body["thinking"] == {"type": "disabled"}


async def test_a_text_is_asked_for_without_thinking_in_the_way_the_model_takes():
    async with connected(lambda body: Says(text="Red.")) as (api, model):
        api.thinking["large"] = {"adaptive"}
        assert (await read(model, asking()))[0] == "Red."
        assert (await read(model, asking()))[0] == "Red."
    assert [request.status for request in api.requests] == [400, 400, 200, 200]
    assert api.requests[-1].body["output_config"] == {"effort": "low"}


async def test_a_text_streams_in_pieces_and_ends_with_its_cost():
    async with connected(lambda body: Says(text="The sky is blue today.")) as (_, model):
        pieces = [piece async for piece in model.write(asking())]
    assert "".join(piece.text for piece in pieces) == "The sky is blue today."
    assert sum(bool(piece.text) for piece in pieces) > 2
    assert pieces[-1].use.output_tokens > 1
    assert not pieces[-1].cut


async def test_the_cost_of_a_stream_is_known_before_its_first_word():
    async with connected(lambda body: Says(text="The sky is blue today.")) as (_, model):
        first = await anext(aiter(model.write(asking())))
    assert first.use.input_tokens > 0


async def test_a_text_that_ran_out_of_room_says_so():
    async with connected(lambda body: Says(text="The sky is", stop_reason="max_tokens")) as (_, model):
        text, last = await read(model, asking())
    assert text == "The sky is"
    assert last.cut


async def test_the_cached_prefix_is_the_same_bytes_and_is_read_from_the_cache():
    system = "Answer from the passages. " * 120
    async with connected(lambda body: Fills(value={"colour": "red"})) as (api, model):
        first = await model.fill(asking("one", schema=SCHEMA, system=system))
        second = await model.fill(asking("two", schema=SCHEMA, system=system))
    assert api.requests[0].prefix == api.requests[1].prefix
    assert first.use.cache_write_tokens > 512
    assert second.use.cache_read_tokens == first.use.cache_write_tokens
    assert json.dumps(api.requests[0].body).count("cache_control") == 1


@pytest.mark.parametrize("status", [429, 529])
async def test_an_overload_is_tried_again_after_the_time_it_asks_for(status):
    replies = [Fails(status=status, headers={"retry-after": "0.05"}), Fills(value={"colour": "red"})]
    async with connected(lambda body: replies.pop(0)) as (api, model):
        assert (await model.fill(asking(schema=SCHEMA))).value == {"colour": "red"}
    assert len(api.requests) == 2


@pytest.mark.parametrize(
    "reply",
    [
        Fails(status=529, headers={"retry-after": "0.01"}),
        Garbled(),
        Garbled(body="<html>A proxy's page</html>", kind="text/html"),
        Garbled(body="[1]"),
        Garbled(body='{"type": "message", "model": "small", "content": null, "usage": {}}'),
        Garbled(body='{"type": "message", "model": "small", "content": ["x"], "usage": {}}'),
    ],
)
async def test_a_service_that_stays_down_is_unavailable(reply):
    async with connected(lambda body: reply) as (api, model):
        with pytest.raises(ModelUnavailable):
            await model.fill(asking(schema=SCHEMA))
    assert len(api.requests) <= 3


async def test_a_wrong_key_is_named_in_one_sentence_and_never_repeated():
    async with connected(lambda body: Says(text="no"), key="wrong") as (api, model):
        with pytest.raises(ModelUnavailable, match="refused the key") as caught:
            await read(model, asking())
    assert "wrong" not in str(caught.value)
    assert len(api.requests) == 1


@pytest.mark.parametrize("how", ["ends", "overloaded", "cut"])
async def test_a_stream_that_breaks_raises_after_its_pieces_and_keeps_its_cost(how):
    async with connected(lambda body: Breaks(text="The sky is", how=how)) as (_, model):
        heard = []
        with pytest.raises(ModelUnavailable) as caught:
            await read(model, asking(), heard=heard)
    assert "".join(heard) == "The sky is"
    assert caught.value.use.input_tokens > 0


START = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "The "}}
PIECE = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "sky"}}


@pytest.mark.parametrize(
    "last", [{"type": "message_delta", "usage": {}}, {"type": "message_start"}, {"type": "content_block_delta"}]
)
async def test_a_stream_whose_events_have_another_form_is_unavailable_after_its_pieces(last):
    heard = []
    async with connected(lambda body: Garbled(events=(START, PIECE, last))) as (_, model):
        with pytest.raises(ModelUnavailable):
            await read(model, asking(), heard=heard)
    assert "".join(heard) == "The sky"


async def test_an_object_written_as_a_text_into_a_tool_call_is_read():
    async with connected(lambda body: Fills(value='{"colour": "red"}')) as (_, model):
        assert (await model.fill(asking(schema=SCHEMA))).value == {"colour": "red"}


async def test_a_cut_body_of_a_structured_reply_is_unavailable():
    async with connected(lambda body: Breaks(text="", how="cut")) as (_, model):
        with pytest.raises(ModelUnavailable):
            await model.fill(asking(schema=SCHEMA))


@pytest.mark.parametrize("words", ["", "The sky"])
async def test_a_refusal_is_raised_with_or_without_words_before_it(words):
    async with connected(lambda body: Refuses(text=words)) as (api, model):
        with pytest.raises(ModelRefused):
            await read(model, asking())
        with pytest.raises(ModelRefused):
            await model.fill(asking(schema=SCHEMA))
    assert len(api.requests) == 2


async def test_an_answer_without_content_is_no_text():
    async with connected(lambda body: Empty()) as (_, model):
        text, last = await read(model, asking())
        with pytest.raises(ModelReplyBroken):
            await model.fill(asking(schema=SCHEMA))
    assert text == ""
    assert last.use is not None


async def test_a_tool_call_cut_by_its_token_limit_is_not_taken_for_whole():
    async with connected(lambda body: Fills(value={"colour": "r"}, stop_reason="max_tokens")) as (_, model):
        with pytest.raises(ModelReplyBroken):
            await model.fill(asking(schema=SCHEMA))


async def test_a_reply_in_words_is_kept_for_whoever_can_read_it():
    async with connected(lambda body: Says(text="incorrect")) as (_, model):
        with pytest.raises(ModelReplyBroken) as caught:
            await model.fill(asking(schema=SCHEMA))
    assert caught.value.raw == "incorrect"
    assert caught.value.use.output_tokens > 0


async def test_a_prompt_that_does_not_fit_is_told_apart():
    async with connected(lambda body: Says(text="no")) as (api, model):
        api.window_tokens = 50
        with pytest.raises(PromptTooLong):
            await read(model, asking("word " * 200))
        with pytest.raises(PromptTooLong):
            await model.fill(asking("word " * 200, schema=SCHEMA))
    assert len(api.requests) == 2


async def test_a_hang_ends_when_the_caller_gives_up():
    async with connected(lambda body: Hangs()) as (_, model):
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await model.fill(asking(schema=SCHEMA))
        assert time.monotonic() - started < 1


async def test_a_window_shrinks_when_a_script_costs_more_tokens_than_estimated():
    async with connected(lambda body: Says(text="好")) as (_, model):
        before = model.window_tokens
        await read(model, asking("記憶" * 200))
        assert model.window_tokens < before


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('Sure! {"a": {"b": 2}} There.', {"a": {"b": 2}}),
        ("incorrect", None),
        ('{"a": [', None),
        ("", None),
        ("[1, 2]", None),
        ('{broken} {"a": 1}', {"a": 1}),
    ],
)
def test_an_object_is_found_in_whatever_stands_around_it(text, found):
    assert object_in(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"note": 1} {"colour": "red"}', {"colour": "red"}),
        ('{"colour": "red"} {"colour": "blue"}', {"colour": "red"}),
        ('{"note": 1}', {"note": 1}),
        ('[{"colour": "red"}]', None),
    ],
)
def test_the_object_with_the_wanted_names_comes_first(text, found):
    assert object_in(text, wanted=("colour",)) == found


async def test_the_stand_in_refuses_what_the_service_refuses():
    async with messages_api() as api:
        good = {"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "hi"}]}
        headers = {"x-api-key": KEY, "anthropic-version": "2026-10-21"}
        assert api.refusal(good, headers) is None
        assert api.refusal(good, {}).status == 401
        for wrong in (
            {"temperature": 0},
            {"messages": []},
            {"messages": [{"role": "user", "content": " "}]},
            {"messages": [*good["messages"], {"role": "assistant", "content": ""}]},
            {"max_tokens": 0},
            {"colour": "red"},
            {"system": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}] * 5},
            {"tool_choice": {"type": "tool", "name": "absent"}},
            {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}},
        ):
            assert api.refusal(good | wrong, headers).status == 400, wrong
