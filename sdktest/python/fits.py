"""Holds the lines of a file against the SDK's types of the Responses API, strictly. Each line is a whole response, or an event of a stream of one."""

import json
import sys

from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter, ValidationError

event, whole = TypeAdapter(ResponseStreamEvent), TypeAdapter(Response)
wrong = 0
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        value = json.loads(line)
        try:
            (whole if value.get("object") == "response" else event).validate_python(value)
        except ValidationError as e:
            wrong += 1
            # A union notes what every other member lacks: what counts is about the type that the event says it has.
            print(value.get("type"), [(err["loc"], err["msg"]) for err in e.errors()][:6], line[:300])
print("checked" if wrong == 0 else f"{wrong} are wrong")
sys.exit(wrong > 0)
