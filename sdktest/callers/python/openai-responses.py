"""The package openai, with its Responses API."""

import json

import openai

import lib

TOOLS = [{"type": "function", "strict": True, **lib.WEATHER}]


def client(key=lib.KEY):
    return openai.OpenAI(base_url=lib.URL + "/v1", api_key=key, max_retries=0, timeout=15)


weir = client()


def ask(model, **more):
    return {"model": model, "input": lib.QUESTION, "store": False} | more


def calls(response):
    return [item for item in response.output if item.type == "function_call"]


def loop(model, said, count, **more):
    asked = [{"role": "user", "content": said}]
    with weir.responses.stream(**ask(model, input=asked, tools=TOOLS, **more)) as stream:
        first = stream.get_final_response()
    assert len({c.call_id for c in calls(first)}) == count, first
    for call in calls(first):
        lib.check_arguments(json.loads(call.arguments))
    history = [item.model_dump(exclude={"parsed_arguments"}, exclude_none=True) for item in first.output]
    results = [{"type": "function_call_output", "call_id": c.call_id, "output": lib.TOOL_RESULT} for c in calls(first)]
    second = weir.responses.create(**ask(model, input=asked + history + results, tools=TOOLS, **more))
    lib.says_result(second.output_text)
    return first


def text(model, _):
    got = weir.responses.create(**ask(model))
    lib.says_back(got.output_text)
    assert got.status == "completed", got
    lib.check_usage(got.usage.input_tokens, got.usage.output_tokens)


def stream(model, _):
    pieces = []
    with weir.responses.stream(**ask(model)) as events:
        for event in events:
            if event.type == "response.output_text.delta":
                pieces.append(event.delta)
        final = events.get_final_response()
    assert len(pieces) > 1 and "".join(pieces) == final.output_text, final
    lib.says_back(final.output_text)
    lib.check_usage(final.usage.input_tokens, final.usage.output_tokens)


def image(model, _):
    content = [{"type": "input_text", "text": lib.QUESTION}, {"type": "input_image", "image_url": lib.IMAGE, "detail": "auto"}]
    lib.says_back(weir.responses.create(**ask(model, input=[{"role": "user", "content": content}])).output_text)


def structured(model, _):
    got = weir.responses.create(**ask(model, text={"format": {"type": "json_schema", "name": "report", "schema": lib.REPORT, "strict": True}}))
    lib.check_report(json.loads(got.output_text))


def reasoning(model, target):
    if target == "chat":
        return lib.NO_THOUGHTS
    first = loop(model, lib.QUESTION, 1, reasoning={"effort": "low", "summary": "auto"}, include=["reasoning.encrypted_content"])
    assert any(getattr(i, "encrypted_content", None) or "__" in getattr(i, "call_id", "") for i in first.output), first


def errors(model, _):
    refused = lib.fails(openai.BadRequestError, lambda: weir.responses.create(**ask(model)))
    assert "The upstream's own words" in refused.message, refused
    lib.fails(openai.AuthenticationError, lambda: client(lib.BAD_KEY).responses.create(**ask(model)))
    lib.fails(openai.NotFoundError, lambda: weir.responses.create(**ask("nope")))


def hangup(model, _):
    with weir.responses.create(**ask(model, stream=True)) as events:
        for event in events:
            if event.type == "response.output_text.delta":
                break


def breaks(model, _):
    def collect():
        with weir.responses.stream(**ask(model)) as events:
            for _ in events:
                pass
            return events.get_final_response()

    lib.fails((openai.OpenAIError, RuntimeError), collect)


lib.run(["openai"], {
    "text": text, "stream": stream, "tools": lambda m, _: loop(m, lib.QUESTION, 1) and None, "parallel": lambda m, _: loop(m, lib.PARALLEL_QUESTION, 2) and None,
    "image": image, "structured": structured, "reasoning": reasoning, "errors": errors, "hangup": hangup, "cut": breaks, "breaks": breaks,
})
