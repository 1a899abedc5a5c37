"""The official SDK."""

import sys

sys.path.append(sys.path.pop(0))  # the package is meant below, not this file of the same name

import json

import openai
import pydantic

import matrix

suite = matrix.Suite("openai", openai.__version__)

HELLO = [{"role": "user", "content": matrix.HELLO}]
TOOLS = [{
    "type": "function",
    "function": {"name": matrix.TOOL, "description": matrix.TOOL_DESCRIPTION, "parameters": matrix.TOOL_PARAMETERS, "strict": True},
}]


class Answer(pydantic.BaseModel):
    city: str
    degrees: int
    sunny: bool


def client(key=matrix.KEY, max_retries=0):
    return openai.OpenAI(base_url=matrix.BASE_URL, api_key=key, max_retries=max_retries, timeout=matrix.PATIENCE)


weir = client()


def stream(model="chat", **options):
    return weir.chat.completions.create(model=model, messages=HELLO, stream=True, **options)


@suite.feature("models")
def models():
    matrix.equal([m.id for m in weir.models.list()], matrix.MODELS)
    matrix.equal([m.id for m in client(matrix.SCOPED_KEY).models.list()], matrix.SCOPED_MODELS)
    matrix.equal(weir.models.retrieve("team/chat").id, "team/chat")


@suite.feature("chat")
def chat():
    got = weir.chat.completions.create(model="chat", messages=HELLO)
    matrix.equal(got.choices[0].message.content, matrix.ANSWER)
    matrix.equal(got.choices[0].finish_reason, "stop")
    matrix.usage(got.usage.prompt_tokens, got.usage.completion_tokens, got.usage.total_tokens)


@suite.feature("stream")
def streamed():
    choices = [chunk.choices[0] for chunk in stream()]
    matrix.pieces([c.delta.content for c in choices], matrix.ANSWER)
    matrix.equal([c.finish_reason for c in choices if c.finish_reason], ["stop"])
    matrix.equal([c.delta.role for c in choices if c.delta.role], ["assistant"])


@suite.feature("stream-usage")
def stream_usage():
    chunks = list(stream(stream_options={"include_usage": True}))
    matrix.pieces([c.delta.content for chunk in chunks for c in chunk.choices], matrix.ANSWER)
    matrix.equal([bool(chunk.usage) for chunk in chunks], [False] * (len(chunks) - 1) + [True])
    usage = chunks[-1].usage
    matrix.usage(usage.prompt_tokens, usage.completion_tokens, usage.total_tokens)


@suite.feature("tools")
def tools():
    messages = [{"role": "user", "content": matrix.WEATHER_QUESTION}]
    first = weir.chat.completions.create(model="chat", messages=messages, tools=TOOLS).choices[0]
    matrix.equal(first.finish_reason, "tool_calls")
    [call] = first.message.tool_calls
    matrix.equal((call.type, call.function.name), ("function", matrix.TOOL))
    matrix.equal(json.loads(call.function.arguments), matrix.TOOL_ARGUMENTS)
    messages += [first.message, {"role": "tool", "tool_call_id": call.id, "content": matrix.WEATHER_RESULT}]
    second = weir.chat.completions.create(model="chat", messages=messages, tools=TOOLS).choices[0]
    matrix.equal((second.finish_reason, second.message.content), ("stop", matrix.ANSWER_TO_RESULT))


@suite.feature("parallel-tool-stream")
def parallel_tools():
    messages = [{"role": "user", "content": matrix.PARALLEL_QUESTION}]
    with weir.chat.completions.stream(model="chat", messages=messages, tools=TOOLS) as events:
        [choice] = events.until_done().get_final_completion().choices
    matrix.equal(choice.finish_reason, "tool_calls")
    matrix.parallel((c.id, c.function.name, json.loads(c.function.arguments)) for c in choice.message.tool_calls)


@suite.feature("structured")
def structured():
    got = weir.chat.completions.parse(model="chat", messages=HELLO, response_format=Answer)
    matrix.equal(got.choices[0].message.parsed, Answer(**matrix.STRUCTURE))


@suite.feature("reasoning")
def reasoning():
    message = weir.chat.completions.create(model="reasoner", messages=HELLO).choices[0].message
    matrix.equal((message.reasoning_content, message.content), (matrix.THOUGHT, matrix.AFTERTHOUGHT))
    deltas = [chunk.choices[0].delta for chunk in stream("reasoner")]
    matrix.equal("".join(getattr(d, "reasoning_content", None) or "" for d in deltas), matrix.THOUGHT)
    matrix.pieces([d.content for d in deltas], matrix.AFTERTHOUGHT)


@suite.feature("image")
def image():
    parts = [{"type": "text", "text": matrix.HELLO}, {"type": "image_url", "image_url": {"url": matrix.IMAGE}}]
    got = weir.chat.completions.create(model="chat", messages=[{"role": "user", "content": parts}])
    matrix.equal(got.choices[0].message.content, matrix.IMAGE_ANSWER)


def embed(input, **options):
    return [item.embedding for item in weir.embeddings.create(model="embed", input=input, **options).data]


@suite.feature("embeddings-float")
def embeddings_float():
    matrix.vectors(lambda texts: embed(texts, encoding_format="float"))


@suite.feature("embeddings-base64")
def embeddings_base64():
    # Without encoding_format the SDK asks for base64 and decodes it; when asked for it, it hands out the text.
    decoded = matrix.vectors(embed)
    plain = embed(["one", "two"], encoding_format="float")
    raw = embed(["one", "two"], encoding_format="base64")
    for got, text, want in zip(decoded, raw, plain, strict=True):
        matrix.same(got, want)
        matrix.same(matrix.unpack(text), want)


@suite.feature("embeddings-tokens")
def embeddings_tokens():
    matrix.same(embed([1, 2, 3])[0], embed(matrix.as_text([1, 2, 3]))[0])
    for got, want in zip(embed([[1, 2], [3]]), embed([matrix.as_text([1, 2]), matrix.as_text([3])]), strict=True):
        matrix.same(got, want)


def read(err):
    matrix.equal(err.response.json()["error"], err.body)
    assert err.request_id
    return err.status_code, err.code, err.message


suite.errors(lambda model, key: client(key).chat.completions.create(model=model, messages=HELLO), {
    "error-400": (openai.BadRequestError, read),
    "error-401": (openai.AuthenticationError, read),
    "error-404": (openai.NotFoundError, read),
    "error-429": (openai.RateLimitError, read),
    "error-502": (openai.InternalServerError, read),
    "error-503": (openai.InternalServerError, read),
})


@suite.feature("retry-429")
def retry_429():
    got = client(max_retries=2).chat.completions.create(model="limited-once", messages=HELLO)
    matrix.equal(got.choices[0].message.content, matrix.ANSWER)


@suite.feature("retry-503")
def retry_503():
    got = client(max_retries=2).chat.completions.create(model="overloaded-once", messages=HELLO)
    matrix.equal(got.choices[0].message.content, matrix.ANSWER)


@suite.feature("cancel")
def cancel():
    endless = stream("endless")
    assert next(iter(endless)).choices
    endless.close()


@suite.feature("truncated")
def truncated():
    err = matrix.raised(openai.APIError, lambda: [chunk for chunk in stream("cut")])
    matrix.equal(err.type, "upstream_error")


@suite.feature("error-in-stream")
def error_in_stream():
    err = matrix.raised(openai.APIError, lambda: [chunk for chunk in stream("breaks")])
    matrix.equal(err.type, "upstream_error")
    assert err.message


if __name__ == "__main__":
    suite.run()
