"""LiteLLM as a client: litellm.completion with a model of the provider openai and an api_base."""

import importlib.metadata
import os
import sys

sys.path.append(sys.path.pop(0))  # the package is meant below, not this file of the same name
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # it would fetch a list of prices when it is imported

import asyncio
import json

import litellm
import pydantic

import matrix

litellm.suppress_debug_info = True

suite = matrix.Suite("litellm", importlib.metadata.version("litellm"))

HELLO = [{"role": "user", "content": matrix.HELLO}]
TOOLS = [{
    "type": "function",
    "function": {"name": matrix.TOOL, "description": matrix.TOOL_DESCRIPTION, "parameters": matrix.TOOL_PARAMETERS},
}]


class Answer(pydantic.BaseModel):
    city: str
    degrees: int
    sunny: bool


def arguments(model="chat", key=matrix.KEY, messages=HELLO, max_retries=0, **options):
    return {
        "model": f"openai/{model}", "api_base": matrix.BASE_URL, "api_key": key, "messages": messages,
        "max_retries": max_retries, "timeout": matrix.PATIENCE, **options,
    }


def complete(*args, **options):
    return litellm.completion(**arguments(*args, **options))


def text(response):
    return response.choices[0].message.content


def usage(got):
    matrix.usage(got.prompt_tokens, got.completion_tokens, got.total_tokens)


@suite.feature("models")
def models():
    def listed(key):
        return litellm.get_valid_models(
            check_provider_endpoint=True, custom_llm_provider="openai", api_base=matrix.BASE_URL, api_key=key,
        )
    matrix.equal(listed(matrix.KEY), matrix.MODELS)
    matrix.equal(listed(matrix.SCOPED_KEY), matrix.SCOPED_MODELS)


@suite.feature("chat")
def chat():
    got = complete()
    matrix.equal(text(got), matrix.ANSWER)
    matrix.equal(got.choices[0].finish_reason, "stop")
    usage(got.usage)


@suite.feature("stream")
def streamed():
    choices = [chunk.choices[0] for chunk in complete(stream=True)]
    matrix.pieces([c.delta.content for c in choices], matrix.ANSWER)
    matrix.equal([c.finish_reason for c in choices if c.finish_reason], ["stop"])


@suite.feature("stream-usage")
def stream_usage():
    chunks = list(complete(stream=True, stream_options={"include_usage": True}))
    matrix.pieces([c.delta.content for chunk in chunks for c in chunk.choices], matrix.ANSWER)
    [got] = [chunk.usage for chunk in chunks if getattr(chunk, "usage", None)]
    usage(got)


@suite.feature("tools")
def tools():
    messages = [{"role": "user", "content": matrix.WEATHER_QUESTION}]
    first = complete(messages=messages, tools=TOOLS).choices[0]
    matrix.equal(first.finish_reason, "tool_calls")
    [call] = first.message.tool_calls
    matrix.equal((call.type, call.function.name), ("function", matrix.TOOL))
    matrix.equal(json.loads(call.function.arguments), matrix.TOOL_ARGUMENTS)
    messages += [first.message, {"role": "tool", "tool_call_id": call.id, "content": matrix.WEATHER_RESULT}]
    matrix.equal(text(complete(messages=messages, tools=TOOLS)), matrix.ANSWER_TO_RESULT)


@suite.feature("parallel-tool-stream")
def parallel_tools():
    messages = [{"role": "user", "content": matrix.PARALLEL_QUESTION}]
    whole = litellm.stream_chunk_builder(list(complete(messages=messages, tools=TOOLS, stream=True)), messages)
    matrix.equal(whole.choices[0].finish_reason, "tool_calls")
    calls = whole.choices[0].message.tool_calls
    matrix.parallel((c.id, c.function.name, json.loads(c.function.arguments)) for c in calls)


@suite.feature("structured")
def structured():
    matrix.equal(Answer.model_validate_json(text(complete(response_format=Answer))), Answer(**matrix.STRUCTURE))


@suite.feature("reasoning")
def reasoning():
    message = complete("reasoner").choices[0].message
    matrix.equal((message.reasoning_content, message.content), (matrix.THOUGHT, matrix.AFTERTHOUGHT))
    deltas = [chunk.choices[0].delta for chunk in complete("reasoner", stream=True)]
    matrix.pieces([getattr(d, "reasoning_content", None) for d in deltas], matrix.THOUGHT)
    matrix.pieces([d.content for d in deltas], matrix.AFTERTHOUGHT)


@suite.feature("image")
def image():
    # The short form of image_url, which it makes the object that the convention wants.
    parts = [{"type": "text", "text": matrix.HELLO}, {"type": "image_url", "image_url": matrix.IMAGE}]
    matrix.equal(text(complete(messages=[{"role": "user", "content": parts}])), matrix.IMAGE_ANSWER)


def embed(input, **options):
    got = litellm.embedding(
        model="openai/embed", api_base=matrix.BASE_URL, api_key=matrix.KEY, input=input, max_retries=0, timeout=matrix.PATIENCE, **options,
    )
    return [item["embedding"] for item in got.data]


@suite.feature("embeddings-float")
def embeddings_float():
    matrix.vectors(embed)


@suite.feature("embeddings-base64")
def embeddings_base64():
    # It hands out the text as it comes.
    matrix.vectors(lambda texts: [matrix.unpack(text) for text in embed(texts, encoding_format="base64")])


@suite.feature("embeddings-tokens")
def embeddings_tokens():
    for got, want in zip(embed([[1, 2], [3]]), embed([matrix.as_text([1, 2]), matrix.as_text([3])]), strict=True):
        matrix.same(got, want)


def read(err):
    return err.status_code, err.body["code"], err.message


def read_message(err):  # these classes drop the body
    return err.status_code, matrix.DROPPED, err.message


suite.errors(complete, {
    "error-400": (litellm.BadRequestError, read),
    "error-401": (litellm.AuthenticationError, read_message),
    "error-404": (litellm.NotFoundError, read_message),
    "error-429": (litellm.RateLimitError, read),
    "error-502": (litellm.BadGatewayError, read_message),
    "error-503": (litellm.ServiceUnavailableError, read_message),
})


@suite.feature("retry-429")
def retry_429():
    matrix.equal(text(complete("limited-once", max_retries=2)), matrix.ANSWER)


@suite.feature("retry-503")
def retry_503():
    matrix.equal(text(complete("overloaded-once", num_retries=2)), matrix.ANSWER)


@suite.feature("cancel")
def cancel():
    async def leave():
        chunks = await litellm.acompletion(**arguments("endless", stream=True))
        await anext(chunks)
        await chunks.aclose()
    asyncio.run(leave())


def broken_stream(model, words):
    err = matrix.raised(litellm.exceptions.MidStreamFallbackError, lambda: list(complete(model, stream=True)))
    matrix.contains(err.message, words)


@suite.feature("truncated")
def truncated():
    broken_stream("cut", "ended its stream before the answer was complete")


@suite.feature("error-in-stream")
def error_in_stream():
    broken_stream("breaks", "answered with an error")


if __name__ == "__main__":
    suite.run()
