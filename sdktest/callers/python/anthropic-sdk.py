"""Anthropic's own SDK."""

import json

import anthropic

import lib

TOOLS = [{"name": lib.WEATHER["name"], "description": lib.WEATHER["description"], "input_schema": lib.WEATHER["parameters"]}]


def client(key=lib.KEY):
    return anthropic.Anthropic(base_url=lib.URL, api_key=key, max_retries=0, timeout=15)


weir = client()


def user(content):
    return [{"role": "user", "content": content}]


def ask(model, **more):
    return {"model": model, "max_tokens": 500, "messages": user(lib.QUESTION)} | more


def said(message):
    return "".join(b.text for b in message.content if b.type == "text")


def loop(model, question, count, **more):
    with weir.messages.stream(**ask(model, messages=user(question), tools=TOOLS, **more)) as stream:
        first = stream.get_final_message()
    calls = [b for b in first.content if b.type == "tool_use"]
    assert first.stop_reason == "tool_use" and len({c.id for c in calls}) == count, first
    for call in calls:
        lib.check_arguments(call.input)
    results = user([{"type": "tool_result", "tool_use_id": c.id, "content": lib.TOOL_RESULT} for c in calls])
    second = weir.messages.create(**ask(model, messages=user(question) + [{"role": "assistant", "content": first.content}] + results, tools=TOOLS, **more))
    lib.says_result(said(second))
    return first


def text(model, _):
    got = weir.messages.create(**ask(model))
    lib.says_back(said(got))
    assert got.stop_reason == "end_turn", got
    lib.check_usage(got.usage.input_tokens, got.usage.output_tokens)


def stream(model, _):
    with weir.messages.stream(**ask(model)) as events:
        pieces = list(events.text_stream)
        got = events.get_final_message()
    assert len(pieces) > 1 and "".join(pieces) == said(got), got
    lib.says_back(said(got))
    lib.check_usage(got.usage.input_tokens, got.usage.output_tokens)


def image(model, _):
    source = {"type": "base64", "media_type": "image/png", "data": lib.IMAGE_DATA}
    lib.says_back(said(weir.messages.create(**ask(model, messages=user([{"type": "text", "text": lib.QUESTION}, {"type": "image", "source": source}])))))


def structured(model, _):
    got = weir.messages.create(**ask(model, output_config={"format": {"type": "json_schema", "schema": lib.REPORT}}))
    lib.check_report(json.loads(said(got)))


def reasoning(model, target):
    if target == "chat":
        return lib.NO_THOUGHTS
    first = loop(model, lib.QUESTION, 1, max_tokens=4000, thinking={"type": "enabled", "budget_tokens": 1024})
    assert any(getattr(b, "signature", None) or getattr(b, "data", None) for b in first.content), first


def errors(model, _):
    refused = lib.fails(anthropic.BadRequestError, lambda: weir.messages.create(**ask(model)))
    assert "The upstream's own words" in refused.message, refused
    lib.fails(anthropic.AuthenticationError, lambda: client(lib.BAD_KEY).messages.create(**ask(model)))
    lib.fails(anthropic.NotFoundError, lambda: weir.messages.create(**ask("nope")))


def hangup(model, _):
    with weir.messages.create(**ask(model, stream=True)) as events:
        for event in events:
            if event.type == "content_block_delta":
                break


def breaks(model, _):
    def collect():
        with weir.messages.stream(**ask(model)) as events:
            return events.get_final_message()

    lib.fails(anthropic.APIError, collect)


lib.run(["anthropic"], {
    "text": text, "stream": stream, "tools": lambda m, _: loop(m, lib.QUESTION, 1) and None, "parallel": lambda m, _: loop(m, lib.PARALLEL_QUESTION, 2) and None,
    "image": image, "structured": structured, "reasoning": reasoning, "errors": errors, "hangup": hangup, "cut": breaks, "breaks": breaks,
})
