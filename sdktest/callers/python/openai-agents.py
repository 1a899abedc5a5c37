"""OpenAI's agents SDK. It runs loops of tools itself."""

import asyncio
from typing import Literal

import openai
from agents import Agent, ModelSettings, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai.types.shared import Reasoning
from pydantic import BaseModel

import lib

set_tracing_disabled(True)
asked = []


class Report(BaseModel):
    city: str
    degrees: int
    sunny: bool


@function_tool
def get_weather(city: str, unit: Literal["celsius", "fahrenheit"]) -> str:
    """The weather in a city."""
    asked.append({"city": city, "unit": unit})
    return lib.TOOL_RESULT


def agent(model, key=lib.KEY, **more):
    client = openai.AsyncOpenAI(base_url=lib.URL + "/v1", api_key=key, max_retries=0, timeout=15)
    settings = more.pop("settings", {})
    return Agent(name="Caller", instructions="Be brief.", model=OpenAIResponsesModel(model, client), model_settings=ModelSettings(store=False, **settings), **more)


def ask(model, question=lib.QUESTION, **more):
    return asyncio.run(Runner.run(agent(model, **more), question)).final_output


async def streamed(model, question, **more):
    result, pieces = Runner.run_streamed(agent(model, **more), question), []
    async for event in result.stream_events():
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
            pieces.append(event.data.delta)
    return result.final_output, pieces


def loop(model, question, count, **more):
    asked.clear()
    final, _ = asyncio.run(streamed(model, question, tools=[get_weather], **more))
    assert len(asked) == count, asked
    for args in asked:
        lib.check_arguments(args)
    lib.says_result(final)


def stream(model, _):
    final, pieces = asyncio.run(streamed(model, lib.QUESTION))
    assert len(pieces) > 1 and "".join(pieces) == final, pieces
    lib.says_back(final)


def image(model, _):
    content = [{"type": "input_text", "text": lib.QUESTION}, {"type": "input_image", "image_url": lib.IMAGE, "detail": "auto"}]
    lib.says_back(ask(model, [{"role": "user", "content": content}]))


def reasoning(model, target):
    if target == "chat":
        return lib.NO_THOUGHTS
    settings = {"reasoning": Reasoning(effort="low", summary="auto"), "response_include": ["reasoning.encrypted_content"]}
    return loop(model, lib.QUESTION, 1, settings=settings)


def errors(model, _):
    refused = lib.fails(openai.BadRequestError, lambda: ask(model))
    assert "The upstream's own words" in refused.message, refused
    lib.fails(openai.AuthenticationError, lambda: ask(model, key=lib.BAD_KEY))
    lib.fails(openai.NotFoundError, lambda: ask("nope"))


def hangup(model, _):
    async def leave():
        result = Runner.run_streamed(agent(model), lib.QUESTION)
        async for event in result.stream_events():
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                result.cancel()
                break

    asyncio.run(leave())


def breaks(model, _):
    lib.fails(Exception, lambda: asyncio.run(streamed(model, lib.QUESTION)))


lib.run(["openai-agents", "openai"], {
    "text": lambda m, _: lib.says_back(ask(m)), "stream": stream, "tools": lambda m, _: loop(m, lib.QUESTION, 1), "parallel": lambda m, _: loop(m, lib.PARALLEL_QUESTION, 2),
    "image": image, "structured": lambda m, _: lib.check_report(ask(m, output_type=Report).model_dump()), "reasoning": reasoning, "errors": errors, "hangup": hangup,
    "cut": breaks, "breaks": breaks,
})
