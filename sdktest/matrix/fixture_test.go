package matrix

import "fmt"

// reasonerThought and reasonerText are what the model reasoner answers: the thought as reasoning_content, before the text.
const (
	reasonerThought = "The question was read; a simulated answer will do."
	reasonerText    = "A simulated answer, thought over."
)

// picture is the feature image's, one red dot.
const picture = "data:image/png;base64," +
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

// upstreamKey is the simulated provider's only credential.
const upstreamKey = "upstream-key"

// script is what the simulated provider does with the models. A limit of one call is the first that comes.
func script() []byte {
	const answer = `{"id": "chatcmpl-reasoner", "object": "chat.completion", "created": 1750000000, "model": "reasoner",
      "choices": [{"index": 0, "message": {"role": "assistant", "content": %q, "reasoning_content": %q, "refusal": null, "annotations": []},
        "logprobs": null, "finish_reason": "stop"}],
      "usage": %s}`
	const usage = `{"prompt_tokens": 9, "completion_tokens": 21, "total_tokens": 30,
        "prompt_tokens_details": {"cached_tokens": 0}, "completion_tokens_details": {"reasoning_tokens": 12}}`
	return fmt.Appendf(nil, `{
  "key": %q,
  "models": ["chat", "embed", "reasoner", "refused", "limited", "limited-once", "overloaded", "overloaded-once", "broken", "breaks", "cut", "endless"],
  "rules": [
    {"match": {"model": "reasoner"}, "answer": %s, "events": [%s]},
    {"match": {"model": "refused"}, "status": 400,
     "body": "{\"error\":{\"message\":\"The upstream's own words.\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"upstream_says_so\"}}"},
    {"match": {"model": "limited"}, "status": 429, "headers": {"Retry-After": "1"}},
    {"match": {"model": "limited-once", "nth": 1}, "status": 429, "headers": {"Retry-After": "1", "Retry-After-Ms": "1"}},
    {"match": {"model": "overloaded"}, "status": 503, "headers": {"Retry-After": "1"}},
    {"match": {"model": "overloaded-once", "nth": 1}, "status": 503, "headers": {"Retry-After": "1"}},
    {"match": {"model": "broken"}, "status": 500},
    {"match": {"model": "breaks"}, "error_event": 3},
    {"match": {"model": "cut"}, "cut": 3},
    {"match": {"model": "endless"}, "stall": 3}
  ]
}`, upstreamKey, fmt.Appendf(nil, answer, reasonerText, reasonerThought, usage), reasonerEvents(usage))
}

// reasonerEvents are the reasoner's stream, as JSON strings with commas between them.
func reasonerEvents(usage string) []byte {
	const head = `{"id":"chatcmpl-reasoner","object":"chat.completion.chunk","created":1750000000,"model":"reasoner",`
	var list []byte
	event := func(payload string) { list = fmt.Appendf(list, "%q,\n", payload) }
	choice := func(delta, finish string) {
		event(head + `"choices":[{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + `}]}`)
	}
	choice(`{"role":"assistant","content":""}`, "null")
	for _, text := range halves(reasonerThought) {
		choice(fmt.Sprintf(`{"reasoning_content":%q}`, text), "null")
	}
	for _, text := range halves(reasonerText) {
		choice(fmt.Sprintf(`{"content":%q}`, text), "null")
	}
	choice(`{}`, `"stop"`)
	event(head + `"choices":[],"usage":` + usage + `}`)
	return append(list, `"[DONE]"`...)
}

func halves(text string) [2]string { return [2]string{text[:len(text)/2], text[len(text)/2:]} }

// config is Weir's, with the simulated provider's base URL.
func config(base string) string {
	return fmt.Sprintf(`
providers:
  sim: {kind: openai, base_url: %q, api_key: %s}
models:
  chat: {targets: [sim/chat]}
  team/chat: {targets: [sim/chat]}
  embed: {targets: [sim/embed]}
  reasoner: {targets: [sim/reasoner]}
  refused: {targets: [sim/refused]}
  limited: {targets: [sim/limited]}
  limited-once: {targets: [sim/limited-once]}
  overloaded: {targets: [sim/overloaded]}
  overloaded-once: {targets: [sim/overloaded-once]}
  broken: {targets: [sim/broken]}
  breaks: {targets: [sim/breaks]}
  cut: {targets: [sim/cut]}
  endless: {targets: [sim/endless]}
`, base, upstreamKey)
}
