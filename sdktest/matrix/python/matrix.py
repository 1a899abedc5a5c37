"""What the programs of the client matrix share: what they ask, what the simulated provider must answer, and how they
tell it. matrix_test.go one folder up says what a program gets and what it prints."""

import base64
import json
import math
import os
import platform
import struct

BASE_URL = os.environ["WEIR_BASE_URL"]
KEY = os.environ["WEIR_KEY"]
SCOPED_KEY = os.environ["WEIR_SCOPED_KEY"]
BAD_KEY = os.environ["WEIR_BAD_KEY"]

IMAGE = os.environ["WEIR_IMAGE"]
TEMP = os.environ["WEIR_TEMP"]

# Seconds that a call may take before the client gives up: a program that hangs ends with what it found.
PATIENCE = 20

# All that a program must report on, each once.
FEATURES = (
    "cancel",  # first, so that the upstream sees it while the rest runs
    "models", "chat", "stream", "stream-usage", "tools", "parallel-tool-stream", "structured", "reasoning", "image",
    "embeddings-float", "embeddings-base64", "embeddings-tokens",
    "error-400", "error-401", "error-404", "error-429", "error-502", "error-503",
    "retry-429", "retry-503", "truncated", "error-in-stream",
)

# What the keys may use.
MODELS = [
    "breaks", "broken", "chat", "cut", "embed", "endless", "limited", "limited-once", "overloaded", "overloaded-once", "reasoner",
    "refused", "team/chat",
]
SCOPED_MODELS = ["chat"]

HELLO = "Grüße, 世界 👋"
WEATHER_QUESTION = "How is the weather?"
PARALLEL_QUESTION = "How is the weather in two cities? Ask in parallel."
WEATHER_RESULT = "12 °C, läuft"

SIMULATED = "This is a simulated answer from Weir's built-in provider."
ANSWER = f"{SIMULATED} You said: {HELLO}"
ANSWER_TO_RESULT = f"{SIMULATED} The tool answered: {WEATHER_RESULT}"
IMAGE_ANSWER = f"{ANSWER} (with 1 image)"

# What the model reasoner thinks and says.
THOUGHT = "The question was read; a simulated answer will do."
AFTERTHOUGHT = "A simulated answer, thought over."

# A tool, and the arguments that the simulated provider makes up for it.
TOOL = "get_weather"
TOOL_DESCRIPTION = "The weather in a city."
TOOL_PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
    "required": ["city", "unit"],
    "additionalProperties": False,
}
TOOL_ARGUMENTS = {"city": "simulated", "unit": "celsius"}

# A structure of city (text), degrees (integer) and sunny (boolean) comes with these values.
STRUCTURE = {"city": "simulated", "degrees": 1, "sunny": True}

# The model that always answers an error, the status and code that Weir makes of it, and words of its message.
ERRORS = {
    "error-400": ("refused", 400, "upstream_says_so", "The upstream's own words."),
    "error-401": ("chat", 401, "invalid_api_key", "key"),
    "error-404": ("nope", 404, "model_not_found", "nope"),
    "error-429": ("limited", 429, "upstream_rate_limited", "Please try again in"),
    "error-502": ("broken", 502, "upstream_failed", "answered 500"),
    "error-503": ("overloaded", 503, "upstream_overloaded", "overloaded"),
}


# Stands for an error's code where the client drops it.
DROPPED = object()


class Suite:
    """The tests of one client: every feature has a function, or a reason why the client has no such thing."""

    def __init__(self, client, version):
        self.client, self.version = client, version
        self.tests, self.missing = {}, {}

    def feature(self, name):
        """Makes the decorated function the test of that feature: it returns, or raises."""
        def add(test):
            self._new(name)
            self.tests[name] = test
            return test
        return add

    def absent(self, note, *names):
        for name in names:
            self._new(name)
            self.missing[name] = note

    def errors(self, call, kinds):
        """Tests all errors. call(model, key) makes a call that must fail; kinds has for each feature the client's own
        class, and a function that gives the status, code and message of such an error."""
        for name, (kind, read) in kinds.items():
            self.feature(name)(lambda name=name, kind=kind, read=read: self._error(name, call, kind, read))

    def _error(self, name, call, kind, read):
        model, status, code, words = ERRORS[name]
        err = raised(kind, lambda: call(model, BAD_KEY if name == "error-401" else KEY))
        got_status, got_code, message = read(err)
        equal(got_status, status)
        if got_code is not DROPPED:
            equal(got_code, code)
        contains(message, words)

    def _new(self, name):
        assert name in FEATURES, name
        assert name not in self.tests and name not in self.missing, name

    def run(self):
        left = [name for name in FEATURES if name not in self.tests and name not in self.missing]
        assert not left, left
        major, minor, _ = platform.python_version_tuple()
        say(client=self.client, version=self.version, language=f"Python {major}.{minor}")
        for name in FEATURES:
            if name in self.missing:
                say(feature=name, result="absent", note=self.missing[name])
                continue
            try:
                self.tests[name]()
            except Exception as err:
                say(feature=name, result="failed", note=f"{type(err).__name__}: {err}"[:500])
            else:
                say(feature=name, result="ok", note="")


def say(**line):
    print(json.dumps(line, ensure_ascii=False), flush=True)


def equal(got, want):
    if got != want:
        raise AssertionError(f"got {got!r}, want {want!r}")


def contains(text, part):
    if part not in text:
        raise AssertionError(f"{part!r} is not in {text!r}")


def unpack(text):
    """The vector in its base64 form."""
    return struct.unpack("<256f", base64.b64decode(text))


def raised(kind, call):
    """The exception that call raises, of exactly that class. pydantic-ai's private ones bear the public one's name."""
    try:
        got = call()
    except kind as err:
        if type(err).__name__ != kind.__name__:
            raise AssertionError(f"{type(err).__name__} is not {kind.__name__} itself: {err}") from err
        return err
    raise AssertionError(f"nothing was raised: {got!r}")


def pieces(texts, want):
    """The texts of a stream's chunks: more than one, and together what is wanted."""
    texts = [t for t in texts if t]
    equal("".join(texts), want)
    if len(texts) < 2:
        raise AssertionError("the text came in one piece")


def usage(prompt, completion, total):
    """Token counts of a complete answer or of a stream."""
    if not (prompt > 0 and completion > 0 and total == prompt + completion):
        raise AssertionError(f"prompt {prompt}, completion {completion}, total {total}")
    equal(completion, count(ANSWER))


def count(text):
    """The simulated provider's tokens: four bytes each, or fewer where four would cut a character."""
    tokens = size = 0
    for char in text:
        length = len(char.encode())
        if size + length > 4:
            tokens, size = tokens + 1, 0
        size += length
    return tokens + bool(size)


def parallel(calls):
    """(id, name, arguments) of two calls made at once."""
    calls = list(calls)
    equal([(name, arguments) for _, name, arguments in calls], [(TOOL, TOOL_ARGUMENTS)] * 2)
    if not all(id for id, _, _ in calls) or calls[0][0] == calls[1][0]:
        raise AssertionError(f"ids are not distinct: {calls}")


def vectors(embed):
    """embed(texts) gives a vector for each text, in their order."""
    both = embed(["one", "two"])
    equal(len(both), 2)
    for vector in both:
        unit(vector)
    same(embed(["two"])[0], both[1])
    if close(both[0], both[1]):
        raise AssertionError("different texts have the same vector")
    return both


def unit(vector):
    equal(len(vector), 256)
    if not math.isclose(math.fsum(x * x for x in vector), 1, abs_tol=1e-4):
        raise AssertionError("the vector's length is not 1")


def close(a, b):
    return len(a) == len(b) and all(math.isclose(x, y, abs_tol=1e-6) for x, y in zip(a, b))


def same(got, want):
    if not close(got, want):
        raise AssertionError(f"vectors differ: {got[:3]} …, {want[:3]} …")


def as_text(tokens):
    """The text that has the same vector as these tokens: so a vector proves that the tokens arrived."""
    return f"[{' '.join(map(str, tokens))}]"
