"""Google's own SDK."""

import base64
import json

from google import genai
from google.genai import errors as failures
from google.genai import types

import lib

TOOLS = [types.Tool(function_declarations=[types.FunctionDeclaration(
    name=lib.WEATHER["name"], description=lib.WEATHER["description"], parameters_json_schema=lib.WEATHER["parameters"])])]


def client(key=lib.KEY):
    return genai.Client(api_key=key, http_options=types.HttpOptions(base_url=lib.URL, timeout=15_000))


weir = client()


def config(**more):
    return types.GenerateContentConfig(automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True), **more)


def user(*parts):
    return [types.Content(role="user", parts=list(parts))]


def loop(model, question, count, **more):
    asked = user(types.Part(text=question))
    parts = []
    for chunk in weir.models.generate_content_stream(model=model, contents=asked, config=config(tools=TOOLS, **more)):
        for candidate in chunk.candidates or []:
            parts += [p for p in (candidate.content.parts if candidate.content else None) or [] if p.text != "" or p.thought_signature]
    calls = [p.function_call for p in parts if p.function_call]
    assert len(calls) == count, parts
    for call in calls:
        lib.check_arguments(call.args)
    results = [types.Part(function_response=types.FunctionResponse(id=c.id, name=c.name, response={"output": lib.TOOL_RESULT})) for c in calls]
    contents = asked + [types.Content(role="model", parts=parts), types.Content(role="user", parts=results)]
    second = weir.models.generate_content(model=model, contents=contents, config=config(tools=TOOLS, **more))
    lib.says_result(second.text)
    return parts


def text(model, _):
    got = weir.models.generate_content(model=model, contents=lib.QUESTION, config=config())
    lib.says_back(got.text)
    assert got.candidates[0].finish_reason == "STOP", got
    lib.check_usage(got.usage_metadata.prompt_token_count, got.usage_metadata.candidates_token_count)


def stream(model, _):
    chunks = list(weir.models.generate_content_stream(model=model, contents=lib.QUESTION, config=config()))
    assert len(chunks) > 2, chunks
    lib.says_back("".join(c.text or "" for c in chunks))
    lib.check_usage(chunks[-1].usage_metadata.prompt_token_count, chunks[-1].usage_metadata.candidates_token_count)


def image(model, _):
    parts = user(types.Part(text=lib.QUESTION), types.Part.from_bytes(data=base64.b64decode(lib.IMAGE_DATA), mime_type="image/png"))
    lib.says_back(weir.models.generate_content(model=model, contents=parts, config=config()).text)


def structured(model, _):
    got = weir.models.generate_content(model=model, contents=lib.QUESTION, config=config(response_mime_type="application/json", response_json_schema=lib.REPORT))
    lib.check_report(json.loads(got.text))


def reasoning(model, target):
    if target == "chat":
        return lib.NO_THOUGHTS
    parts = loop(model, lib.QUESTION, 1, thinking_config=types.ThinkingConfig(thinking_budget=1024, include_thoughts=True))
    assert any(p.thought_signature for p in parts), parts


def errors(model, _):
    def status(want, call):
        e = lib.fails(failures.APIError, call)
        assert e.code == want, e
        return e

    refused = status(400, lambda: weir.models.generate_content(model=model, contents="hi"))
    assert "The upstream's own words" in refused.message, refused
    stranger = client(lib.BAD_KEY)  # it closes when it is let go
    status(401, lambda: stranger.models.generate_content(model=model, contents="hi"))
    status(404, lambda: weir.models.generate_content(model="nope", contents="hi"))


def hangup(model, _):
    chunks = weir.models.generate_content_stream(model=model, contents=lib.QUESTION, config=config())
    for chunk in chunks:
        if chunk.text:
            break
    chunks.close()


def breaks(model, _):
    lib.fails(Exception, lambda: list(weir.models.generate_content_stream(model=model, contents=lib.QUESTION, config=config())))


lib.run(["google-genai"], {
    "text": text, "stream": stream, "tools": lambda m, _: loop(m, lib.QUESTION, 1) and None, "parallel": lambda m, _: loop(m, lib.PARALLEL_QUESTION, 2) and None,
    "image": image, "structured": structured, "reasoning": reasoning, "errors": errors, "hangup": hangup, "cut": breaks, "breaks": breaks,
})
