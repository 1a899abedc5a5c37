"""Anthropic's Python SDK, unmodified, against a running Weir. messages_test.go starts both; see there for the models."""

import json
import os
import sys

import anthropic

COLUMNS = json.loads(os.environ["WEIR_COLUMNS"])
BASE_URL = os.environ["WEIR_BASE_URL"].removesuffix("/v1")
HELLO = [{"role": "user", "content": "Grüße, 世界 👋"}]
WEATHER = {
    "name": "get_weather",
    "description": "The weather in a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def client(**options):
    return anthropic.Anthropic(base_url=BASE_URL, **{"api_key": os.environ["WEIR_KEY"], "max_retries": 0, "timeout": 60, **options})


def text(message):
    return "".join(block.text for block in message.content if block.type == "text")


def answer(model):
    message = client().messages.create(model=model, max_tokens=500, messages=HELLO)
    assert message.type == "message" and message.role == "assistant" and message.id.startswith("msg_"), message
    assert "世界 👋" in text(message), message
    assert message.stop_reason == "end_turn" and message.usage.input_tokens > 0 and message.usage.output_tokens > 0, message
    assert message._request_id.startswith("req_"), message._request_id


def stream(model):
    with client().messages.stream(model=model, max_tokens=500, system="Be brief.", messages=HELLO) as events:
        pieces = "".join(events.text_stream)
        message = events.get_final_message()
    assert pieces == text(message) and "世界 👋" in pieces, message
    assert message.stop_reason == "end_turn" and message.usage.output_tokens > 0, message


def loop(model, streams):
    weir, messages = client(), list(HELLO)
    for turn in range(2):
        asked = {"model": model, "max_tokens": 500, "messages": messages, "tools": [WEATHER]}
        if streams:
            with weir.messages.stream(**asked) as events:
                message = events.get_final_message()
        else:
            message = weir.messages.create(**asked)
        calls = [block for block in message.content if block.type == "tool_use"]
        if turn == 1:
            assert not calls and "sunny" in text(message), message
            return
        assert message.stop_reason == "tool_use" and len(calls) == 1 and isinstance(calls[0].input["city"], str), message
        messages += [
            {"role": "assistant", "content": message.content},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": calls[0].id, "content": "sunny"}]},
        ]


def tools(model):
    loop(model, False)


def streamed_tools(model):
    loop(model, True)


def counted(model):
    assert client().messages.count_tokens(model=model, messages=HELLO).input_tokens > 0


def listed(model):
    names = [m.id for m in client().models.list(limit=3)]
    assert model in names and names == sorted(names), names
    assert client().models.retrieve(model).id == model


def raises(kind, call):
    try:
        call()
    except kind as e:
        assert e.request_id and e.body["error"]["type"], e.body
        return
    raise AssertionError("no error")


def refused(model):
    ask = {"max_tokens": 5, "messages": HELLO}
    raises(anthropic.AuthenticationError, lambda: client(api_key="wrong").messages.create(model=model, **ask))
    raises(anthropic.NotFoundError, lambda: client().messages.create(model="nothing", **ask))
    raises(anthropic.BadRequestError, lambda: client().messages.create(model=model, max_tokens=5, messages=[]))


def main():
    failed = 0
    for column in COLUMNS:
        for feature in (answer, stream, tools, streamed_tools, counted, listed, refused):
            name = column["name"] + ": " + feature.__name__
            try:
                feature(column["prefix"] + "chat")
                print("ok - " + name)
            except Exception as e:  # whatever it is, the others are tried
                failed += 1
                print("not ok - " + name + ": " + repr(e)[:2000])
    sys.exit(failed > 0)


main()
