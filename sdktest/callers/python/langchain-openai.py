"""LangChain's OpenAI package, with use_responses_api."""

import openai
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI

import lib

TOOLS = [{"type": "function", "function": lib.WEATHER}]


def chat(model, key=lib.KEY, **more):
    return ChatOpenAI(model=model, base_url=lib.URL + "/v1", api_key=key, max_retries=0, timeout=15, use_responses_api=True, store=False, **more)


def streamed(model, messages):
    whole = None
    for chunk in model.stream(messages):
        whole = chunk if whole is None else whole + chunk
    return whole


def loop(model, question, count, **more):
    weir = chat(model, **more).bind_tools(TOOLS)
    messages = [HumanMessage(question)]
    first = streamed(weir, messages)
    assert len({c["id"] for c in first.tool_calls}) == count, first
    for call in first.tool_calls:
        lib.check_arguments(call["args"])
    second = weir.invoke(messages + [first] + [ToolMessage(lib.TOOL_RESULT, tool_call_id=c["id"]) for c in first.tool_calls])
    lib.says_result(second.text)
    return first


def text(model, _):
    got = chat(model).invoke(lib.QUESTION)
    lib.says_back(got.text)
    lib.check_usage(got.usage_metadata["input_tokens"], got.usage_metadata["output_tokens"])


def stream(model, _):
    pieces = [c.text for c in chat(model).stream(lib.QUESTION) if c.text]
    assert len(pieces) > 1, pieces
    lib.says_back("".join(pieces))


def image(model, _):
    content = [{"type": "text", "text": lib.QUESTION}, {"type": "image", "base64": lib.IMAGE_DATA, "mime_type": "image/png"}]
    lib.says_back(chat(model).invoke([HumanMessage(content=content)]).text)


def structured(model, _):
    schema = {"title": "report", "description": "A report.", **lib.REPORT}
    lib.check_report(chat(model).with_structured_output(schema, method="json_schema", strict=True).invoke(lib.QUESTION))


def reasoning(model, target):
    if target == "chat":
        return lib.NO_THOUGHTS
    loop(model, lib.QUESTION, 1, reasoning={"effort": "low", "summary": "auto"}, include=["reasoning.encrypted_content"])
    return None


def errors(model, _):
    refused = lib.fails(openai.BadRequestError, lambda: chat(model).invoke("hi"))
    assert "The upstream's own words" in str(refused), refused
    lib.fails(openai.AuthenticationError, lambda: chat(model, lib.BAD_KEY).invoke("hi"))
    lib.fails(openai.NotFoundError, lambda: chat("nope").invoke("hi"))


def hangup(model, _):
    chunks = chat(model).stream(lib.QUESTION)
    for chunk in chunks:
        if chunk.text:
            break
    chunks.close()


def breaks(model, _):
    lib.fails(Exception, lambda: streamed(chat(model), lib.QUESTION))


lib.run(["langchain-openai", "openai"], {
    "text": text, "stream": stream, "tools": lambda m, _: loop(m, lib.QUESTION, 1) and None, "parallel": lambda m, _: loop(m, lib.PARALLEL_QUESTION, 2) and None,
    "image": image, "structured": structured, "reasoning": reasoning, "errors": errors, "hangup": hangup, "cut": breaks, "breaks": breaks,
})
