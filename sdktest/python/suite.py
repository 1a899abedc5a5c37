"""The official Python SDK against a running Weir. sdk_test.go starts both; see there for the models."""

import json
import math
import os
import sys
import unittest

import openai
import pydantic

BASE_URL = os.environ["WEIR_BASE_URL"]
KEY = os.environ["WEIR_KEY"]
COLUMNS = json.loads(os.environ["WEIR_COLUMNS"])

HELLO = [{"role": "user", "content": "Grüße, 世界 👋"}]

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
            "required": ["city", "unit"],
            "additionalProperties": False,
        },
        "strict": True,
    },
}


class Answer(pydantic.BaseModel):
    city: str
    degrees: int
    sunny: bool


def client(key=KEY, **options):
    return openai.OpenAI(base_url=BASE_URL, api_key=key, **{"max_retries": 0, "timeout": 60, **options})


class Column:
    """What stands behind the models, one of COLUMNS."""

    column = {}

    def model(self, name):
        return self.column["prefix"] + name


class Suite(Column, unittest.TestCase):
    def setUp(self):
        self.weir = client()
        self.addCleanup(self.weir.close)

    def raises(self, kind, status, code, call):
        with self.assertRaises(kind) as caught:
            call()
        err = caught.exception
        self.assertIs(type(err), kind)
        self.assertEqual(err.status_code, status)
        self.assertEqual(err.code, code)
        self.assertTrue(err.body["message"])
        self.assertTrue(err.request_id)
        return err

    # Models

    def test_models_list(self):
        models = {m.id: m for m in self.weir.models.list()}
        for name in map(self.model, ("chat", "embed", "team/chat")):
            self.assertIn(name, models)
            self.assertEqual(models[name].object, "model")
            self.assertIsInstance(models[name].created, int)
            self.assertIsInstance(models[name].owned_by, str)

    def test_models_retrieve(self):
        for name in map(self.model, ("chat", "team/chat")):
            self.assertEqual(self.weir.models.retrieve(name).id, name)

    def test_models_retrieve_unknown(self):
        self.raises(openai.NotFoundError, 404, "model_not_found", lambda: self.weir.models.retrieve("nope"))

    def test_scoped_key(self):
        scoped = client(self.column["scoped_key"])
        self.addCleanup(scoped.close)
        self.assertEqual([m.id for m in scoped.models.list()], [self.model("chat")])
        self.assertTrue(scoped.chat.completions.create(model=self.model("chat"), messages=HELLO).choices[0].message.content)
        hidden = self.raises(
            openai.NotFoundError, 404, "model_not_found",
            lambda: scoped.embeddings.create(model=self.model("embed"), input="x"),
        )
        unknown = self.raises(
            openai.NotFoundError, 404, "model_not_found",
            lambda: scoped.embeddings.create(model="nope!", input="x"),
        )
        self.assertEqual(hidden.message.replace(self.model("embed"), "*"), unknown.message.replace("nope!", "*"))

    # Chat

    def test_chat(self):
        got = self.weir.chat.completions.create(model=self.model("chat"), messages=HELLO)
        self.assertEqual(got.object, "chat.completion")
        self.assertEqual(got.choices[0].message.role, "assistant")
        self.assertIn(HELLO[0]["content"], got.choices[0].message.content)
        self.assertEqual(got.choices[0].finish_reason, "stop")
        self.assertEqual(got.usage.total_tokens, got.usage.prompt_tokens + got.usage.completion_tokens)
        self.assertTrue(got._request_id)

    def test_chat_headers(self):
        raw = self.weir.chat.completions.with_raw_response.create(
            model=self.model("chat"), messages=HELLO, extra_headers={"X-Request-Id": "python-1"},
        )
        self.assertEqual(raw.headers["x-request-id"], "python-1")
        self.assertEqual(raw.headers["weir-attempts"], "1")
        self.assertTrue(raw.parse().choices[0].message.content)

    def test_chat_unknown_parameters(self):
        # What arrives upstream is checked by sdk_test.go.
        got = self.weir.chat.completions.create(
            model=self.model("chat"), messages=HELLO, temperature=0.5, seed=7, extra_body={"x_unknown": {"b": 1.5, "a": [None, "ü"]}},
        )
        self.assertTrue(got.choices[0].message.content)

    def test_chat_length(self):
        got = self.weir.chat.completions.create(model=self.model("chat"), messages=HELLO, max_completion_tokens=3)
        self.assertEqual(got.choices[0].finish_reason, "length")
        self.assertEqual(got.usage.completion_tokens, 3)

    # Streams

    def test_stream(self):
        whole = self.weir.chat.completions.create(model=self.model("chat"), messages=HELLO).choices[0].message.content
        chunks = list(self.weir.chat.completions.create(model=self.model("chat"), messages=HELLO, stream=True))
        self.assertEqual("".join(c.choices[0].delta.content or "" for c in chunks), whole)
        self.assertEqual([c.choices[0].delta.role for c in chunks if c.choices[0].delta.role], ["assistant"])
        self.assertEqual([c.choices[0].finish_reason for c in chunks if c.choices[0].finish_reason], ["stop"])
        self.assertEqual({c.usage for c in chunks}, {None})
        self.assertEqual(len({(c.id, c.created, c.model) for c in chunks}), 1)

    def test_stream_usage(self):
        chunks = list(self.weir.chat.completions.create(
            model=self.model("chat"), messages=HELLO, stream=True, stream_options={"include_usage": True},
        ))
        self.assertEqual(chunks[-1].choices, [])
        self.assertGreater(chunks[-1].usage.completion_tokens, 0)
        self.assertEqual({c.usage for c in chunks[:-1]}, {None})

    def test_stream_choices(self):
        text = {}
        for chunk in self.weir.chat.completions.create(model=self.model("chat"), messages=HELLO, stream=True, n=2):
            for choice in chunk.choices:
                text[choice.index] = text.get(choice.index, "") + (choice.delta.content or "")
        self.assertEqual(sorted(text), [0, 1])
        self.assertTrue(all(text.values()))

    def test_stream_helper(self):
        with self.weir.chat.completions.stream(model=self.model("chat"), messages=HELLO) as stream:
            kinds = {event.type for event in stream}
            final = stream.get_final_completion()
        self.assertIn("content.delta", kinds)
        self.assertIn("content.done", kinds)
        self.assertEqual(final.choices[0].finish_reason, "stop")

    def test_stream_cancelled(self):
        # That the upstream notices is checked by sdk_test.go.
        stream = self.weir.chat.completions.create(model=self.model("endless"), messages=HELLO, stream=True)
        self.assertTrue(next(iter(stream)).id)
        stream.close()

    # Tools

    def test_tools(self):
        messages = [{"role": "user", "content": "How is the weather?"}]
        first = self.weir.chat.completions.create(model=self.model("chat"), messages=messages, tools=[WEATHER])
        self.assertEqual(first.choices[0].finish_reason, "tool_calls")
        call = first.choices[0].message.tool_calls[0]
        self.assertEqual((call.type, call.function.name), ("function", "get_weather"))
        self.assertEqual(set(json.loads(call.function.arguments)), {"city", "unit"})
        messages += [first.choices[0].message, {"role": "tool", "tool_call_id": call.id, "content": "12 °C"}]
        second = self.weir.chat.completions.create(model=self.model("chat"), messages=messages, tools=[WEATHER])
        self.assertEqual(second.choices[0].finish_reason, "stop")
        self.assertTrue(second.choices[0].message.content)

    def test_tools_streamed_in_parallel(self):
        messages = [{"role": "user", "content": "The weather in two cities, in parallel."}]
        with self.weir.chat.completions.stream(model=self.model("chat"), messages=messages, tools=[WEATHER]) as stream:
            final = stream.until_done().get_final_completion()
        calls = final.choices[0].message.tool_calls
        self.assertEqual([c.function.name for c in calls], ["get_weather", "get_weather"])
        self.assertEqual(len({c.id for c in calls}), 2)
        for c in calls:
            self.assertEqual(set(json.loads(c.function.arguments)), {"city", "unit"})

    # Structured output

    def test_parse(self):
        got = self.weir.chat.completions.parse(model=self.model("chat"), messages=HELLO, response_format=Answer)
        self.assertIsInstance(got.choices[0].message.parsed, Answer)

    # Responses

    def test_response(self):
        got = self.weir.responses.create(model=self.model("chat"), input=HELLO[0]["content"], instructions="Be brief.", store=True)
        self.assertEqual((got.object, got.status, got.error), ("response", "completed", None))
        self.assertTrue(got.id.startswith("resp_"))
        self.assertIn(HELLO[0]["content"], got.output_text)
        self.assertEqual(got.usage.total_tokens, got.usage.input_tokens + got.usage.output_tokens)
        self.assertEqual(got.usage.input_tokens_details.cached_tokens, 0)
        self.assertFalse(got.store)

    def test_response_stream(self):
        with self.weir.responses.stream(model=self.model("chat"), input=HELLO) as stream:
            events = list(stream)
            final = stream.get_final_response()
        self.assertEqual([e.sequence_number for e in events], list(range(len(events))))
        self.assertEqual([events[0].type, events[-1].type], ["response.created", "response.completed"])
        said = "".join(e.delta for e in events if e.type == "response.output_text.delta")
        self.assertEqual(said, final.output_text)
        self.assertIn(HELLO[0]["content"], said)
        self.assertGreater(final.usage.output_tokens, 0)

    def test_response_length(self):
        got = self.weir.responses.create(model=self.model("chat"), input=HELLO, max_output_tokens=3)
        self.assertEqual((got.status, got.incomplete_details.reason), ("incomplete", "max_output_tokens"))

    def test_response_tools(self):
        weather = {"type": "function", **WEATHER["function"]}
        said = [{"role": "user", "content": "How is the weather?"}]
        first = self.weir.responses.create(model=self.model("chat"), input=said, tools=[weather], store=False)
        calls = [item for item in first.output if item.type == "function_call"]
        self.assertEqual([c.name for c in calls], ["get_weather"])
        self.assertEqual(set(json.loads(calls[0].arguments)), {"city", "unit"})
        said += first.output + [{"type": "function_call_output", "call_id": calls[0].call_id, "output": "12 °C"}]
        second = self.weir.responses.create(model=self.model("chat"), input=said, tools=[weather], store=False)
        self.assertEqual(second.status, "completed")
        self.assertTrue(second.output_text)

    def test_response_tools_streamed_in_parallel(self):
        weather = {"type": "function", **WEATHER["function"]}
        with self.weir.responses.stream(model=self.model("chat"), input="The weather in two cities, in parallel.", tools=[weather]) as stream:
            final = stream.until_done().get_final_response()
        calls = [item for item in final.output if item.type == "function_call"]
        self.assertEqual([c.name for c in calls], ["get_weather", "get_weather"])
        self.assertEqual(len({c.call_id for c in calls}), 2)
        for c in calls:
            self.assertEqual(set(json.loads(c.arguments)), {"city", "unit"})

    def test_response_parse(self):
        got = self.weir.responses.parse(model=self.model("chat"), input=HELLO, text_format=Answer)
        self.assertIsInstance(got.output_parsed, Answer)

    def test_response_errors(self):
        ask = self.weir.responses.create
        self.assertEqual(self.raises(openai.NotFoundError, 404, "model_not_found", lambda: ask(model="nope", input="x")).param, "model")
        err = self.raises(openai.BadRequestError, 400, "unsupported_parameter", lambda: ask(model=self.model("chat"), input="x", previous_response_id="resp_1"))
        self.assertEqual(err.param, "previous_response_id")
        self.raises(openai.BadRequestError, 400, self.column["refused_code"], lambda: ask(model=self.model("refused"), input="x"))
        self.raises(openai.RateLimitError, 429, "upstream_rate_limited", lambda: ask(model=self.model("limited"), input="x"))
        self.raises(openai.InternalServerError, 502, "upstream_failed", lambda: ask(model=self.model("broken"), input="x", stream=True))

    def test_response_error_in_stream(self):
        for model in ("breaks", "cut"):
            with self.subTest(model):
                last = list(self.weir.responses.create(model=self.model(model), input="x", stream=True))[-1]
                self.assertEqual((last.type, last.response.status), ("response.failed", "failed"))
                self.assertTrue(last.response.error.message)

    # Embeddings

    def test_embeddings(self):
        # The SDK asks for base64 by itself and decodes it.
        got = self.weir.embeddings.create(model=self.model("embed"), input=["one", "two"])
        self.assertEqual([d.index for d in got.data], [0, 1])
        plain = self.weir.embeddings.create(model=self.model("embed"), input=["one", "two"], encoding_format="float")
        for a, b in zip(got.data, plain.data):
            self.assertGreater(len(a.embedding), 4)
            self.assertAlmostEqual(math.fsum(x * x for x in a.embedding), 1, places=4)
            self.assertEqual(len(a.embedding), len(b.embedding))
            for x, y in zip(a.embedding, b.embedding):
                self.assertAlmostEqual(x, y, places=6)
        self.assertGreater(got.usage.total_tokens, 0)

    def test_embeddings_of_tokens(self):
        for tokens in ([1, 2, 3], [[1, 2], [3]]):
            got = self.weir.embeddings.create(model=self.model("embed"), input=tokens, dimensions=16)
            self.assertEqual(len(got.data), 2 if isinstance(tokens[0], list) else 1)
            self.assertEqual(len(got.data[0].embedding), 16)

    # Legacy completions

    def test_completion(self):
        got = self.weir.completions.create(model=self.model("chat"), prompt="Once upon a time")
        self.assertEqual(got.object, "text_completion")
        self.assertTrue(got.choices[0].text)
        streamed = self.weir.completions.create(model=self.model("chat"), prompt="Once upon a time", stream=True)
        self.assertEqual("".join(c.choices[0].text for c in streamed), got.choices[0].text)

    # Azure's client: the model in the path, the key in api-key

    def test_azure_client(self):
        azure = openai.AzureOpenAI(
            azure_endpoint=BASE_URL.removesuffix("/v1"), api_key=KEY, api_version="2024-10-21", max_retries=0)
        self.addCleanup(azure.close)
        got = azure.chat.completions.create(model=self.model("chat"), messages=HELLO)
        self.assertTrue(got.choices[0].message.content)
        streamed = azure.chat.completions.create(model=self.model("chat"), messages=HELLO, stream=True)
        self.assertEqual("".join(c.choices[0].delta.content or "" for c in streamed if c.choices), got.choices[0].message.content)
        self.assertTrue(azure.models.retrieve(self.model("chat")).id)
        deployed = openai.AzureOpenAI(
            azure_endpoint=BASE_URL.removesuffix("/v1"), azure_deployment=self.model("chat"), api_key=KEY, api_version="2024-10-21", max_retries=0)
        self.addCleanup(deployed.close)
        self.assertTrue(deployed.chat.completions.create(model="gpt-4o", messages=HELLO).choices[0].message.content)

    # Errors

    def test_wrong_key(self):
        wrong = client("sk-weir-wrong")
        self.addCleanup(wrong.close)
        err = self.raises(openai.AuthenticationError, 401, "invalid_api_key", wrong.models.list)
        self.assertNotIn("sk-weir-wrong", str(err))

    def test_unknown_model(self):
        err = self.raises(
            openai.NotFoundError, 404, "model_not_found",
            lambda: self.weir.chat.completions.create(model="nope", messages=HELLO),
        )
        self.assertEqual(err.param, "model")

    def test_bad_request(self):
        err = self.raises(
            openai.BadRequestError, 400, "missing_required_parameter",
            lambda: self.weir.chat.completions.create(model=self.model("chat"), messages=openai.omit),
        )
        self.assertEqual(err.param, "messages")

    def test_bad_request_upstream(self):
        err = self.raises(
            openai.BadRequestError, 400, self.column["refused_code"],
            lambda: self.weir.chat.completions.create(model=self.model("refused"), messages=HELLO),
        )
        self.assertIn("The upstream's own words", err.message)

    def test_rate_limit(self):
        err = self.raises(
            openai.RateLimitError, 429, "upstream_rate_limited",
            lambda: self.weir.chat.completions.create(model=self.model("limited"), messages=HELLO),
        )
        self.assertGreaterEqual(int(err.response.headers["retry-after"]), 1)

    def test_server_error(self):
        self.raises(
            openai.InternalServerError, 502, "upstream_failed",
            lambda: self.weir.chat.completions.create(model=self.model("broken"), messages=HELLO),
        )

    def test_retry(self):
        patient = client(max_retries=2)
        self.addCleanup(patient.close)
        got = patient.chat.completions.create(model=self.model("limited-once"), messages=HELLO)
        self.assertTrue(got.choices[0].message.content)

    def test_absent_model(self):
        patient = client(max_retries=2)
        self.addCleanup(patient.close)
        self.raises(
            openai.InternalServerError, 502, "upstream_misconfigured",
            lambda: patient.chat.completions.create(model=self.model("absent"), messages=HELLO),
        )

    def test_error_in_stream(self):
        for model in ("breaks", "cut"):
            with self.subTest(model), self.assertRaises(openai.APIError) as caught:
                for chunk in self.weir.chat.completions.create(model=self.model(model), messages=HELLO, stream=True):
                    self.assertIsNone(chunk.choices[0].finish_reason)
            self.assertTrue(caught.exception.message)
            self.assertEqual(caught.exception.type, "upstream_error")

    def test_error_before_stream(self):
        self.raises(
            openai.InternalServerError, 502, "upstream_failed",
            lambda: self.weir.chat.completions.create(model=self.model("broken"), messages=HELLO, stream=True),
        )


class AsyncSuite(Column, unittest.IsolatedAsyncioTestCase):
    async def test_async(self):
        async with openai.AsyncOpenAI(base_url=BASE_URL, api_key=KEY, max_retries=0) as weir:
            got = await weir.chat.completions.create(model=self.model("chat"), messages=HELLO)
            stream = await weir.chat.completions.create(model=self.model("chat"), messages=HELLO, stream=True)
            text = "".join([c.choices[0].delta.content or "" async for c in stream])
            self.assertEqual(text, got.choices[0].message.content)


class Lines(unittest.TestResult):
    """Prints one line a test, which sdk_test.go reads."""

    def startTest(self, test):
        super().startTest(test)
        self.before = len(self.failures) + len(self.errors)

    def stopTest(self, test):
        super().stopTest(test)
        ok = len(self.failures) + len(self.errors) == self.before
        print("ok" if ok else "not ok", "-", f"{test.column['name']}: {test._testMethodName}", flush=True)


if __name__ == "__main__":
    result = Lines()
    for column in COLUMNS:
        for suite in (Suite, AsyncSuite):
            under = type(f"{suite.__name__} {column['name']}", (suite,), {"column": column})
            unittest.defaultTestLoader.loadTestsFromTestCase(under).run(result)
    for test, trace in result.failures + result.errors:
        print(f"{test}\n{trace}")
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
