"""What the programs share: the environment, what the simulated provider answers, and the report. See ../callers_test.go for what a program gets and
prints."""

import importlib.metadata
import json
import os
import platform
import sys
import traceback

URL = os.environ["WEIR_URL"]
KEY, BAD_KEY, IMAGE = os.environ["WEIR_KEY"], os.environ["WEIR_BAD_KEY"], os.environ["WEIR_IMAGE"]
IMAGE_DATA = IMAGE.partition(",")[2]
QUESTION = 'Grüße, 世界 👋 "\\'
PARALLEL_QUESTION = "The weather in two cities, in parallel."
TOOL_RESULT = "12 °C"
WEATHER = {
    "name": "get_weather",
    "description": "The weather in a city.",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
        "required": ["city", "unit"],
        "additionalProperties": False,
    },
}
REPORT = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}, "sunny": {"type": "boolean"}},
    "required": ["city", "degrees", "sunny"],
    "additionalProperties": False,
}
NO_THOUGHTS = "chat completions have no way to send reasoning back"


def says_back(text):
    assert f"You said: {QUESTION}" in text, text


def says_result(text):
    assert TOOL_RESULT in text, text


def check_arguments(args):
    assert sorted(args) == ["city", "unit"] and isinstance(args["city"], str) and args["unit"] in ("celsius", "fahrenheit"), args


def check_report(got):
    assert sorted(got) == ["city", "degrees", "sunny"], got
    assert isinstance(got["city"], str) and isinstance(got["degrees"], int) and isinstance(got["sunny"], bool), got


def check_usage(read, wrote):
    assert read > 0 and wrote > 0, (read, wrote)


def fails(kind, call):
    """The error of the call, which must be of that kind."""
    try:
        got = call()
    except kind as e:
        return e
    raise AssertionError(f"it did not fail, but gave {got!r}")


def show(line):
    print(json.dumps(line, ensure_ascii=False), flush=True)


def run(packages, features):
    """Tells what the client is, and tries its features at each target. A feature is a function of its model and of the target; it raises if it does not
    work, and returns a text if there is no such thing."""
    versions = [importlib.metadata.version(p) for p in packages]
    version = ", ".join([versions[0]] + [f"{p} {v}" for p, v in zip(packages[1:], versions[1:])])
    client = os.path.basename(sys.argv[0]).removesuffix(".py")
    show({"client": client, "version": version, "language": "Python " + ".".join(platform.python_version_tuple()[:2])})
    for target in os.environ["WEIR_TARGETS"].split(","):
        for feature, check in features.items():
            line = {"target": target, "feature": feature, "result": "ok", "note": ""}
            try:
                note = check if isinstance(check, str) else check(f"{target}-{feature}", target)
                if isinstance(note, str):
                    line |= {"result": "absent", "note": note}
            except Exception as e:  # whatever it is, the others are tried
                print(target, feature, file=sys.stderr)
                traceback.print_exc()
                line |= {"result": "failed", "note": f"{type(e).__name__}: {e}"[:300]}
            show(line)
