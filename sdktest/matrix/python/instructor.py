"""Instructor around the official SDK: what it does itself, and what it passes to the SDK below, an older one than the newest."""

import importlib.metadata
import sys

sys.path.append(sys.path.pop(0))  # the package is meant below, not this file of the same name

from collections.abc import Iterable
from typing import Literal

import instructor
import openai
import pydantic
from instructor.core.exceptions import InstructorRetryException

import matrix

suite = matrix.Suite("instructor", importlib.metadata.version("instructor"))
suite.absent("its mode for parallel tools refuses to stream", "parallel-tool-stream")


class Answer(pydantic.BaseModel):
    city: str
    degrees: int
    sunny: bool


class get_weather(pydantic.BaseModel):
    """The weather in a city."""

    city: str
    unit: Literal["celsius", "fahrenheit"]


def client(mode=instructor.Mode.TOOLS, key=matrix.KEY, max_retries=0):
    sdk = openai.OpenAI(base_url=matrix.BASE_URL, api_key=key, max_retries=max_retries, timeout=matrix.PATIENCE)
    return instructor.from_openai(sdk, mode=mode)


def user(*parts):
    return [{"role": "user", "content": list(parts) if len(parts) > 1 else parts[0]}]


HELLO = user(matrix.HELLO)


def create(model="chat", messages=HELLO, response_model=None, weir=None, **options):
    return (weir or client()).create(model=model, messages=messages, response_model=response_model, **options)


def partial(model="chat", **options):
    """A structure that grows while it is streamed."""
    return client(instructor.Mode.JSON_SCHEMA).create_partial(model=model, messages=HELLO, response_model=Answer, max_retries=0, **options)


@suite.feature("models")
def models():
    matrix.equal([m.id for m in client().models.list()], matrix.MODELS)
    matrix.equal([m.id for m in client(key=matrix.SCOPED_KEY).models.list()], matrix.SCOPED_MODELS)


@suite.feature("chat")
def chat():
    got = create()
    matrix.equal(got.choices[0].message.content, matrix.ANSWER)
    matrix.equal(got.choices[0].finish_reason, "stop")
    matrix.usage(got.usage.prompt_tokens, got.usage.completion_tokens, got.usage.total_tokens)


@suite.feature("stream")
def streamed():
    choices = [chunk.choices[0] for chunk in create(stream=True)]
    matrix.pieces([c.delta.content for c in choices], matrix.ANSWER)
    matrix.equal([c.finish_reason for c in choices if c.finish_reason], ["stop"])
    growing = list(partial())
    matrix.equal(growing[-1].model_dump(), matrix.STRUCTURE)
    assert len(growing) > 2 and growing[0].city is None, growing


@suite.feature("stream-usage")
def stream_usage():
    asked = {"stream_options": {"include_usage": True}}
    chunks = list(create(stream=True, **asked))
    matrix.pieces([c.delta.content for chunk in chunks for c in chunk.choices], matrix.ANSWER)
    usage = chunks[-1].usage
    matrix.usage(usage.prompt_tokens, usage.completion_tokens, usage.total_tokens)
    matrix.equal(list(partial(**asked))[-1].model_dump(), matrix.STRUCTURE)


@suite.feature("tools")
def tools():
    messages = user(matrix.WEATHER_QUESTION)
    args, whole = client().create_with_completion(model="chat", messages=messages, response_model=get_weather, max_retries=0)
    matrix.equal(args.model_dump(), matrix.TOOL_ARGUMENTS)
    [call] = whole.choices[0].message.tool_calls
    answered = [
        *messages, whole.choices[0].message.model_dump(),
        {"role": "tool", "tool_call_id": call.id, "content": matrix.WEATHER_RESULT},
    ]
    matrix.equal(create(messages=answered).choices[0].message.content, matrix.ANSWER_TO_RESULT)
    both = create(
        messages=user(matrix.PARALLEL_QUESTION), response_model=Iterable[get_weather],
        weir=client(instructor.Mode.PARALLEL_TOOLS), max_retries=0,
    )
    matrix.equal([args.model_dump() for args in both], [matrix.TOOL_ARGUMENTS] * 2)


@suite.feature("structured")
def structured():
    got = create(response_model=Answer, weir=client(instructor.Mode.JSON_SCHEMA), max_retries=0)
    matrix.equal(got.model_dump(), matrix.STRUCTURE)


@suite.feature("reasoning")
def reasoning():
    message = create("reasoner").choices[0].message
    matrix.equal((message.reasoning_content, message.content), (matrix.THOUGHT, matrix.AFTERTHOUGHT))


@suite.feature("image")
def image():
    got = create(messages=user(matrix.HELLO, instructor.Image.from_base64(matrix.IMAGE)))
    matrix.equal(got.choices[0].message.content, matrix.IMAGE_ANSWER)


def embed(input, **options):
    return [item.embedding for item in client().embeddings.create(model="embed", input=input, **options).data]


@suite.feature("embeddings-float")
def embeddings_float():
    matrix.vectors(lambda texts: embed(texts, encoding_format="float"))


@suite.feature("embeddings-base64")
def embeddings_base64():
    # Without encoding_format the SDK below asks for base64 and decodes it.
    matrix.vectors(embed)


@suite.feature("embeddings-tokens")
def embeddings_tokens():
    for got, want in zip(embed([[1, 2], [3]]), embed([matrix.as_text([1, 2]), matrix.as_text([3])]), strict=True):
        matrix.same(got, want)


def read(kind):
    """What the error of the SDK says, which Instructor's own carries."""
    def read(err):
        cause = err.__cause__
        matrix.equal(type(cause), kind)
        return cause.status_code, cause.code, str(err)
    return read


suite.errors(lambda model, key: create(model, response_model=Answer, weir=client(key=key), max_retries=0), {
    "error-400": (InstructorRetryException, read(openai.BadRequestError)),
    "error-401": (InstructorRetryException, read(openai.AuthenticationError)),
    "error-404": (InstructorRetryException, read(openai.NotFoundError)),
    "error-429": (InstructorRetryException, read(openai.RateLimitError)),
    "error-502": (InstructorRetryException, read(openai.InternalServerError)),
    "error-503": (InstructorRetryException, read(openai.InternalServerError)),
})


@suite.feature("retry-429")
def retry_429():
    got = create("limited-once", response_model=Answer, weir=client(max_retries=2), max_retries=0)
    matrix.equal(got.model_dump(), matrix.STRUCTURE)


@suite.feature("retry-503")
def retry_503():
    got = create("overloaded-once", response_model=Answer, weir=client(max_retries=2), max_retries=0)
    matrix.equal(got.model_dump(), matrix.STRUCTURE)


@suite.feature("cancel")
def cancel():
    chunks = create("endless", stream=True)
    next(iter(chunks))
    chunks.close()


def broken_stream(model):
    err = matrix.raised(InstructorRetryException, lambda: list(partial(model)))
    matrix.equal((type(err.__cause__), err.__cause__.type), (openai.APIError, "upstream_error"))
    assert str(err)


@suite.feature("truncated")
def truncated():
    broken_stream("cut")


@suite.feature("error-in-stream")
def error_in_stream():
    broken_stream("breaks")


if __name__ == "__main__":
    suite.run()
