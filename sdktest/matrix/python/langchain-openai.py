"""LangChain's ChatOpenAI and OpenAIEmbeddings."""

import importlib.metadata
import os
import sys

sys.path.append(sys.path.pop(0))  # openai is the package, not the file beside this one
os.environ["LANGSMITH_TRACING"] = "false"

import langchain_openai.chat_models.base as errors
import openai
import pydantic
import tiktoken
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings

import matrix

suite = matrix.Suite("langchain-openai", importlib.metadata.version("langchain-openai"))
suite.absent("no list of models", "models")
suite.absent("drops reasoning_content by design: its documentation refers to other packages", "reasoning")


class Answer(pydantic.BaseModel):
    city: str
    degrees: int
    sunny: bool


@tool(matrix.TOOL, description=matrix.TOOL_DESCRIPTION, args_schema=matrix.TOOL_PARAMETERS)
def weather(**arguments):
    matrix.equal(arguments, matrix.TOOL_ARGUMENTS)
    return matrix.WEATHER_RESULT


def model(name="chat", key=matrix.KEY, max_retries=0, **options):
    return ChatOpenAI(
        base_url=matrix.BASE_URL, model=name, api_key=key, max_retries=max_retries, timeout=matrix.PATIENCE, **options,
    )


def usage(message):
    got = message.usage_metadata
    matrix.usage(got["input_tokens"], got["output_tokens"], got["total_tokens"])


@suite.feature("chat")
def chat():
    got = model().invoke(matrix.HELLO)
    matrix.equal(got.content, matrix.ANSWER)
    matrix.equal(got.response_metadata["finish_reason"], "stop")
    usage(got)


@suite.feature("stream")
def streamed():
    chunks = list(model().stream(matrix.HELLO))
    matrix.pieces([chunk.content for chunk in chunks], matrix.ANSWER)
    reasons = [chunk.response_metadata.get("finish_reason") for chunk in chunks]
    matrix.equal([r for r in reasons if r], ["stop"])


@suite.feature("stream-usage")
def stream_usage():
    chunks = list(model(stream_usage=True).stream(matrix.HELLO))
    matrix.pieces([chunk.content for chunk in chunks], matrix.ANSWER)
    # It adds up the usage of all chunks: so more than one would show.
    usage(sum(chunks[1:], chunks[0]))


@suite.feature("tools")
def tools():
    with_tools = model().bind_tools([weather], strict=True)
    messages = [HumanMessage(matrix.WEATHER_QUESTION)]
    first = with_tools.invoke(messages)
    matrix.equal(first.response_metadata["finish_reason"], "tool_calls")
    [call] = first.tool_calls
    matrix.equal((call["name"], call["args"], first.invalid_tool_calls), (matrix.TOOL, matrix.TOOL_ARGUMENTS, []))
    result = weather.invoke(call)
    assert isinstance(result, ToolMessage) and result.status == "success", result
    matrix.equal(with_tools.invoke([*messages, first, result]).content, matrix.ANSWER_TO_RESULT)


@suite.feature("parallel-tool-stream")
def parallel_tools():
    chunks = list(model().bind_tools([weather]).stream(matrix.PARALLEL_QUESTION))
    whole = sum(chunks[1:], chunks[0])
    matrix.equal(whole.invalid_tool_calls, [])
    matrix.parallel((c["id"], c["name"], c["args"]) for c in whole.tool_calls)


@suite.feature("structured")
def structured():
    got = model().with_structured_output(Answer, method="json_schema").invoke(matrix.HELLO)
    matrix.equal(got, Answer(**matrix.STRUCTURE))


@suite.feature("image")
def image():
    parts = [{"type": "text", "text": matrix.HELLO}, {"type": "image_url", "image_url": {"url": matrix.IMAGE}}]
    matrix.equal(model().invoke([HumanMessage(parts)]).content, matrix.IMAGE_ANSWER)


def embeddings(**options):
    return OpenAIEmbeddings(
        base_url=matrix.BASE_URL, model="embed", api_key=matrix.KEY, max_retries=0, timeout=matrix.PATIENCE, **options,
    )


@suite.feature("embeddings-float")
def embeddings_float():
    matrix.vectors(embeddings(check_embedding_ctx_length=False, model_kwargs={"encoding_format": "float"}).embed_documents)


@suite.feature("embeddings-base64")
def embeddings_base64():
    # Without encoding_format the SDK below asks for base64 and decodes it.
    matrix.vectors(embeddings(check_embedding_ctx_length=False).embed_documents)


@suite.feature("embeddings-tokens")
def embeddings_tokens():
    # What it does by default. The vocabulary for models that it does not know would be downloaded: here every byte is a token.
    tiktoken.registry.ENCODINGS["cl100k_base"] = tiktoken.Encoding(
        "cl100k_base", pat_str=r"[\s\S]+", mergeable_ranks={bytes([i]): i for i in range(256)}, special_tokens={},
    )
    texts = [matrix.HELLO, "one"]
    text_of_tokens = [matrix.as_text(text.encode()) for text in texts]
    want = embeddings(check_embedding_ctx_length=False).embed_documents(text_of_tokens)
    for got, vector in zip(embeddings().embed_documents(texts), want, strict=True):
        matrix.unit(got)
        matrix.same(got, vector)


def read(err):
    return err.status_code, err.code, err.message


suite.errors(lambda name, key: model(name, key).invoke(matrix.HELLO), {
    "error-400": (errors.OpenAIInvalidRequestError, read),
    "error-401": (errors.OpenAIAuthenticationError, read),
    "error-404": (errors.OpenAIModelNotFoundError, read),
    "error-429": (errors.OpenAIRateLimitError, read),
    "error-502": (errors.OpenAIAPIError, read),
    "error-503": (errors.OpenAIAPIError, read),
})


@suite.feature("retry-429")
def retry_429():
    matrix.equal(model("limited-once", max_retries=2).invoke(matrix.HELLO).content, matrix.ANSWER)


@suite.feature("retry-503")
def retry_503():
    matrix.equal(model("overloaded-once", max_retries=2).invoke(matrix.HELLO).content, matrix.ANSWER)


@suite.feature("cancel")
def cancel():
    chunks = model("endless").stream(matrix.HELLO)
    next(chunks)
    chunks.close()


@suite.feature("truncated")
def truncated():
    err = matrix.raised(openai.APIError, lambda: list(model("cut").stream(matrix.HELLO)))
    matrix.equal(err.type, "upstream_error")


@suite.feature("error-in-stream")
def error_in_stream():
    err = matrix.raised(openai.APIError, lambda: list(model("breaks").stream(matrix.HELLO)))
    matrix.equal(err.type, "upstream_error")
    assert err.message


if __name__ == "__main__":
    suite.run()
