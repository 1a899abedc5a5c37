"""Pydantic AI's OpenAIChatModel and OpenAIEmbeddingModel."""

import importlib.metadata
import sys

sys.path.append(sys.path.pop(0))  # openai is the package, not the file beside this one

from typing import Literal

import openai
import pydantic
from pydantic_ai import Agent, Embedder, ImageUrl, ModelRequest, NativeOutput, ToolDefinition, exceptions
from pydantic_ai.direct import model_request_stream_sync, model_request_sync
from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta, ThinkingPart, ThinkingPartDelta, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

import matrix

suite = matrix.Suite("pydantic-ai", importlib.metadata.version("pydantic-ai-slim"))
suite.absent("no list of models", "models")
suite.absent("embeds text only", "embeddings-tokens")


class Answer(pydantic.BaseModel):
    city: str
    degrees: int
    sunny: bool


def provider(key=matrix.KEY, max_retries=0):
    client = openai.AsyncOpenAI(base_url=matrix.BASE_URL, api_key=key, max_retries=max_retries, timeout=matrix.PATIENCE)
    return OpenAIProvider(openai_client=client)


def model(name="chat", key=matrix.KEY, max_retries=0):
    return OpenAIChatModel(name, provider=provider(key, max_retries))


def prompt(*parts):
    return [ModelRequest(parts=[UserPromptPart(list(parts) or matrix.HELLO)])]


def streamed_events(name="chat", messages=None, **options):
    with model_request_stream_sync(model(name), messages or prompt(), **options) as stream:
        return list(stream), stream.response


def text(events, part=TextPart, delta=TextPartDelta):
    for event in events:
        if isinstance(event, PartStartEvent) and isinstance(event.part, part):
            yield event.part.content
        if isinstance(event, PartDeltaEvent) and isinstance(event.delta, delta):
            yield event.delta.content_delta


def usage(response):
    matrix.usage(response.usage.input_tokens, response.usage.output_tokens, response.usage.total_tokens)


@suite.feature("chat")
def chat():
    got = model_request_sync(model(), prompt())
    matrix.equal([part.content for part in got.parts], [matrix.ANSWER])
    matrix.equal(got.finish_reason, "stop")
    usage(got)


@suite.feature("stream")
def streamed():
    events, whole = streamed_events()
    matrix.pieces(text(events), matrix.ANSWER)
    matrix.equal([part.content for part in whole.parts], [matrix.ANSWER])
    matrix.equal(whole.finish_reason, "stop")


@suite.feature("stream-usage")
def stream_usage():
    # It always asks, and adds up the usage of all chunks: so more than one would show.
    events, whole = streamed_events()
    matrix.pieces(text(events), matrix.ANSWER)
    usage(whole)


@suite.feature("tools")
def tools():
    agent = Agent(model())
    calls = []

    @agent.tool_plain(name=matrix.TOOL)
    def weather(city: str, unit: Literal["celsius", "fahrenheit"]) -> str:
        """The weather in a city."""
        calls.append({"city": city, "unit": unit})
        return matrix.WEATHER_RESULT

    matrix.equal(agent.run_sync(matrix.WEATHER_QUESTION).output, matrix.ANSWER_TO_RESULT)
    matrix.equal(calls, [matrix.TOOL_ARGUMENTS])


@suite.feature("parallel-tool-stream")
def parallel_tools():
    tool = ToolDefinition(name=matrix.TOOL, parameters_json_schema=matrix.TOOL_PARAMETERS, description=matrix.TOOL_DESCRIPTION)
    _, whole = streamed_events(
        messages=prompt(matrix.PARALLEL_QUESTION), model_request_parameters=ModelRequestParameters(function_tools=[tool]),
    )
    matrix.equal(whole.finish_reason, "tool_call")
    matrix.parallel((c.tool_call_id, c.tool_name, c.args_as_dict()) for c in whole.tool_calls)


@suite.feature("structured")
def structured():
    got = Agent(model(), output_type=NativeOutput(Answer)).run_sync(matrix.HELLO)
    matrix.equal(got.output, Answer(**matrix.STRUCTURE))


@suite.feature("reasoning")
def reasoning():
    events, whole = streamed_events("reasoner")
    matrix.pieces(text(events, ThinkingPart, ThinkingPartDelta), matrix.THOUGHT)
    matrix.pieces(text(events), matrix.AFTERTHOUGHT)
    for got in model_request_sync(model("reasoner"), prompt()), whole:
        matrix.equal([(type(p), p.content) for p in got.parts], [(ThinkingPart, matrix.THOUGHT), (TextPart, matrix.AFTERTHOUGHT)])


@suite.feature("image")
def image():
    got = model_request_sync(model(), prompt(matrix.HELLO, ImageUrl(matrix.IMAGE)))
    matrix.equal([part.content for part in got.parts], [matrix.IMAGE_ANSWER])


def embed(**settings):
    embedder = Embedder(OpenAIEmbeddingModel("embed", provider=provider()), settings=settings)
    return lambda texts: embedder.embed_sync(texts, input_type="document").embeddings


@suite.feature("embeddings-float")
def embeddings_float():
    matrix.vectors(embed(extra_body={"encoding_format": "float"}))


@suite.feature("embeddings-base64")
def embeddings_base64():
    # Without encoding_format the SDK below asks for base64 and decodes it.
    matrix.vectors(embed())


def read(err):
    assert isinstance(err, exceptions.ModelHTTPError)
    return err.status_code, err.provider_error_code, err.body["message"]


suite.errors(lambda name, key: model_request_sync(model(name, key), prompt()), {
    "error-400": (exceptions.ModelRequestRejectedError, read),
    "error-401": (exceptions.ModelAuthenticationError, read),
    "error-404": (exceptions.ModelNotFoundError, read),
    "error-429": (exceptions.ModelRateLimitError, read),
    "error-502": (exceptions.ModelServerError, read),
    "error-503": (exceptions.ModelOverloadedError, read),
})


@suite.feature("retry-429")
def retry_429():
    got = model_request_sync(model("limited-once", max_retries=2), prompt())
    matrix.equal([part.content for part in got.parts], [matrix.ANSWER])


@suite.feature("retry-503")
def retry_503():
    got = model_request_sync(model("overloaded-once", max_retries=2), prompt())
    matrix.equal([part.content for part in got.parts], [matrix.ANSWER])


@suite.feature("cancel")
def cancel():
    with model_request_stream_sync(model("endless"), prompt()) as stream:
        next(iter(stream))


def broken_stream(name):
    err = matrix.raised(exceptions.ModelAPIError, lambda: streamed_events(name))
    matrix.equal((err.in_stream, err.provider_error_type), (True, "upstream_error"))
    assert err.message


@suite.feature("truncated")
def truncated():
    broken_stream("cut")


@suite.feature("error-in-stream")
def error_in_stream():
    broken_stream("breaks")


if __name__ == "__main__":
    suite.run()
