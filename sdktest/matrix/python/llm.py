"""LLM, with Weir's models in its extra-openai-models.yaml. Its retries, two by default, cannot be turned off."""

import importlib.metadata
import os
import sys

sys.path.append(sys.path.pop(0))  # the package is meant below, not this file of the same name

import base64
import json
import pathlib
from typing import Literal

import matrix

USER = pathlib.Path(matrix.TEMP)
os.environ["LLM_USER_PATH"] = str(USER)  # llm reads it when it is imported
(USER / "keys.json").write_text(json.dumps({"weir": matrix.KEY, "bad": matrix.BAD_KEY}))
(USER / "extra-openai-models.yaml").write_text(json.dumps([  # JSON is YAML
    {
        "model_id": f"{key}/{name}", "model_name": name, "api_base": matrix.BASE_URL, "api_key_name": key,
        "supports_schema": True, "supports_tools": True, "vision": True,
    }
    for key in ("weir", "bad") for name in [*matrix.MODELS, "nope"]
]))

import llm
import llm.cli
import openai
import pydantic
from click.testing import CliRunner

suite = matrix.Suite("llm", importlib.metadata.version("llm"))
suite.absent("no embedding models but OpenAI's own can be configured", "embeddings-float", "embeddings-base64", "embeddings-tokens")


class Answer(pydantic.BaseModel):
    city: str
    degrees: int
    sunny: bool


def get_weather(city: str, unit: Literal["celsius", "fahrenheit"]) -> str:
    """The weather in a city."""
    matrix.equal({"city": city, "unit": unit}, matrix.TOOL_ARGUMENTS)
    return matrix.WEATHER_RESULT


TOOL = llm.Tool(
    name=matrix.TOOL, description=matrix.TOOL_DESCRIPTION, input_schema=matrix.TOOL_PARAMETERS, implementation=get_weather,
)


def prompt(name="chat", text=matrix.HELLO, stream=False, key="weir", **options):
    return llm.get_model(f"{key}/{name}").prompt(text, stream=stream, **options)


def usage(response):
    got = response.usage()
    matrix.usage(got.input, got.output, got.input + got.output)


@suite.feature("models")
def models():
    def listed(key):
        got = CliRunner().invoke(llm.cli.cli, ["openai", "endpoint", matrix.BASE_URL, "--models", "--key", key], catch_exceptions=False)
        matrix.equal(got.exit_code, 0)
        return got.output.split()
    matrix.equal(listed(matrix.KEY), matrix.MODELS)
    matrix.equal(listed(matrix.SCOPED_KEY), matrix.SCOPED_MODELS)


@suite.feature("chat")
def chat():
    got = prompt()
    matrix.equal(got.text(), matrix.ANSWER)
    matrix.equal(got.json()["choices"][0]["finish_reason"], "stop")
    usage(got)


@suite.feature("stream")
def streamed():
    got = prompt(stream=True)
    matrix.pieces(got, matrix.ANSWER)
    matrix.equal(got.json()["finish_reason"], "stop")


@suite.feature("stream-usage")
def stream_usage():
    got = prompt(stream=True)  # it always asks
    matrix.pieces(got, matrix.ANSWER)
    usage(got)


@suite.feature("tools")
def tools():
    for stream in False, True:
        chain = llm.get_model("weir/chat").chain(matrix.WEATHER_QUESTION, tools=[TOOL], stream=stream)
        first, second = chain.responses()
        [call] = first.tool_calls()
        matrix.equal((call.name, call.arguments), (matrix.TOOL, matrix.TOOL_ARGUMENTS))
        matrix.equal(second.text(), matrix.ANSWER_TO_RESULT)


@suite.feature("parallel-tool-stream")
def parallel_tools():
    got = prompt(text=matrix.PARALLEL_QUESTION, tools=[TOOL], stream=True)
    matrix.parallel((c.tool_call_id, c.name, c.arguments) for c in got.tool_calls())


@suite.feature("structured")
def structured():
    matrix.equal(Answer.model_validate_json(prompt(schema=Answer).text()), Answer(**matrix.STRUCTURE))


@suite.feature("reasoning")
def reasoning():
    # Only what it keeps of a complete answer has the thought; of a stream it drops it.
    got = prompt("reasoner")
    matrix.equal(got.text(), matrix.AFTERTHOUGHT)
    matrix.equal(got.json()["choices"][0]["message"]["reasoning_content"], matrix.THOUGHT)
    matrix.pieces(prompt("reasoner", stream=True), matrix.AFTERTHOUGHT)


@suite.feature("image")
def image():
    kind, data = matrix.IMAGE.removeprefix("data:").split(";base64,")
    got = prompt(attachments=[llm.Attachment(type=kind, content=base64.b64decode(data))])
    matrix.equal(got.text(), matrix.IMAGE_ANSWER)


def read(err):
    return err.status_code, err.code, err.message


suite.errors(lambda model, key: prompt(model, key="weir" if key == matrix.KEY else "bad").text(), {
    "error-400": (openai.BadRequestError, read),
    "error-401": (openai.AuthenticationError, read),
    "error-404": (openai.NotFoundError, read),
    "error-429": (openai.RateLimitError, read),
    "error-502": (openai.InternalServerError, read),
    "error-503": (openai.InternalServerError, read),
})


@suite.feature("retry-429")
def retry_429():
    matrix.equal(prompt("limited-once").text(), matrix.ANSWER)


@suite.feature("retry-503")
def retry_503():
    matrix.equal(prompt("overloaded-once").text(), matrix.ANSWER)


@suite.feature("cancel")
def cancel():
    chunks = iter(prompt("endless", stream=True))
    next(chunks)
    chunks.close()


def broken_stream(model):
    err = matrix.raised(openai.APIError, lambda: list(prompt(model, stream=True)))
    matrix.equal(err.type, "upstream_error")
    assert err.message


@suite.feature("truncated")
def truncated():
    broken_stream("cut")


@suite.feature("error-in-stream")
def error_in_stream():
    broken_stream("breaks")


if __name__ == "__main__":
    suite.run()
