"""LlamaIndex's OpenAILike, and OpenAILikeEmbedding, which is a package of its own."""

import importlib.metadata
import sys

sys.path.append(sys.path.pop(0))  # openai is the package, not the file beside this one

from typing import Literal

import openai
import pydantic
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock, ThinkingBlock
from llama_index.core.prompts import PromptTemplate
from llama_index.core.tools import FunctionTool
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
from llama_index.llms.openai_like import OpenAILike

import matrix

suite = matrix.Suite("llama-index-llms-openai-like", importlib.metadata.version("llama-index-llms-openai-like"))
suite.absent("no list of models", "models")
suite.absent("embeds text only", "embeddings-tokens")

HELLO = [ChatMessage(matrix.HELLO)]


class Answer(pydantic.BaseModel):
    city: str
    degrees: int
    sunny: bool


class Weather(pydantic.BaseModel):
    city: str
    unit: Literal["celsius", "fahrenheit"]


def weather(**arguments):
    matrix.equal(arguments, matrix.TOOL_ARGUMENTS)
    return matrix.WEATHER_RESULT


TOOL = FunctionTool.from_defaults(weather, name=matrix.TOOL, description=matrix.TOOL_DESCRIPTION, fn_schema=Weather)


def model(name="chat", key=matrix.KEY, max_retries=0, **options):
    return OpenAILike(
        model=name, api_base=matrix.BASE_URL, api_key=key, max_retries=max_retries, timeout=matrix.PATIENCE,
        is_chat_model=True, is_function_calling_model=True, **options,
    )


def usage(answer):
    got = answer.additional_kwargs
    matrix.usage(got["prompt_tokens"], got["completion_tokens"], got["total_tokens"])


@suite.feature("chat")
def chat():
    got = model().chat(HELLO)
    matrix.equal(got.message.content, matrix.ANSWER)
    matrix.equal(got.raw.choices[0].finish_reason, "stop")
    usage(got)
    # By default it asks for legacy completions, which have 16 tokens if nothing is said.
    legacy = OpenAILike(model="chat", api_base=matrix.BASE_URL, api_key=matrix.KEY, max_retries=0, max_tokens=100)
    matrix.equal(legacy.complete(matrix.HELLO).text.strip(), matrix.ANSWER)


@suite.feature("stream")
def streamed():
    answers = list(model().stream_chat(HELLO))
    matrix.pieces([a.delta for a in answers], matrix.ANSWER)
    matrix.equal(answers[-1].message.content, matrix.ANSWER)
    matrix.equal([c.finish_reason for a in answers for c in a.raw.choices if c.finish_reason], ["stop"])


@suite.feature("stream-usage")
def stream_usage():
    answers = list(model(additional_kwargs={"stream_options": {"include_usage": True}}).stream_chat(HELLO))
    matrix.pieces([a.delta for a in answers], matrix.ANSWER)
    matrix.equal(answers[-1].message.content, matrix.ANSWER)
    matrix.equal([bool(a.additional_kwargs) for a in answers], [False] * (len(answers) - 1) + [True])
    usage(answers[-1])


@suite.feature("tools")
def tools():
    llm = model()
    question = ChatMessage(matrix.WEATHER_QUESTION)
    first = llm.chat_with_tools([TOOL], user_msg=question)
    matrix.equal(first.raw.choices[0].finish_reason, "tool_calls")
    [call] = llm.get_tool_calls_from_response(first)
    matrix.equal((call.tool_name, call.tool_kwargs), (matrix.TOOL, matrix.TOOL_ARGUMENTS))
    result = ChatMessage(str(TOOL(**call.tool_kwargs)), role="tool", additional_kwargs={"tool_call_id": call.tool_id})
    second = llm.chat_with_tools([TOOL], chat_history=[question, first.message, result])
    matrix.equal(second.message.content, matrix.ANSWER_TO_RESULT)


@suite.feature("parallel-tool-stream")
def parallel_tools():
    llm = model()
    answers = list(llm.stream_chat_with_tools([TOOL], user_msg=matrix.PARALLEL_QUESTION, allow_parallel_tool_calls=True))
    matrix.parallel((c.tool_id, c.tool_name, c.tool_kwargs) for c in llm.get_tool_calls_from_response(answers[-1]))


@suite.feature("structured")
def structured():
    got = model(should_use_structured_outputs=True).structured_predict(Answer, PromptTemplate(matrix.HELLO))
    matrix.equal(got, Answer(**matrix.STRUCTURE))


@suite.feature("reasoning")
def reasoning():
    answers = list(model("reasoner").stream_chat(HELLO))
    matrix.pieces([a.additional_kwargs.get("thinking_delta") for a in answers], matrix.THOUGHT)
    matrix.pieces([a.delta for a in answers], matrix.AFTERTHOUGHT)
    for got in model("reasoner").chat(HELLO), answers[-1]:
        matrix.equal([b.content for b in got.message.blocks if isinstance(b, ThinkingBlock)], [matrix.THOUGHT])
        matrix.equal(got.message.content, matrix.AFTERTHOUGHT)


@suite.feature("image")
def image():
    got = model().chat([ChatMessage(blocks=[TextBlock(text=matrix.HELLO), ImageBlock(url=matrix.IMAGE)])])
    matrix.equal(got.message.content, matrix.IMAGE_ANSWER)


def embeddings(**options):
    return OpenAILikeEmbedding(
        model_name="embed", api_base=matrix.BASE_URL, api_key=matrix.KEY, max_retries=0, timeout=matrix.PATIENCE, **options,
    ).get_text_embedding_batch


@suite.feature("embeddings-float")
def embeddings_float():
    matrix.vectors(embeddings(additional_kwargs={"encoding_format": "float"}))


@suite.feature("embeddings-base64")
def embeddings_base64():
    # Without encoding_format the SDK below asks for base64 and decodes it.
    matrix.vectors(embeddings())


def read(err):
    return err.status_code, err.code, err.message


suite.errors(lambda name, key: model(name, key).chat(HELLO), {
    "error-400": (openai.BadRequestError, read),
    "error-401": (openai.AuthenticationError, read),
    "error-404": (openai.NotFoundError, read),
    "error-429": (openai.RateLimitError, read),
    "error-502": (openai.InternalServerError, read),
    "error-503": (openai.InternalServerError, read),
})


@suite.feature("retry-429")
def retry_429():
    matrix.equal(model("limited-once", max_retries=2).chat(HELLO).message.content, matrix.ANSWER)


@suite.feature("retry-503")
def retry_503():
    matrix.equal(model("overloaded-once", max_retries=2).chat(HELLO).message.content, matrix.ANSWER)


@suite.feature("cancel")
def cancel():
    answers = model("endless").stream_chat(HELLO)
    next(answers)
    answers.close()


@suite.feature("truncated")
def truncated():
    err = matrix.raised(openai.APIError, lambda: list(model("cut").stream_chat(HELLO)))
    matrix.equal(err.type, "upstream_error")


@suite.feature("error-in-stream")
def error_in_stream():
    err = matrix.raised(openai.APIError, lambda: list(model("breaks").stream_chat(HELLO)))
    matrix.equal(err.type, "upstream_error")
    assert err.message


if __name__ == "__main__":
    suite.run()
