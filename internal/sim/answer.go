package sim

import (
	"cmp"
	"net/http"
	"strings"
)

const (
	typeJSON   = "application/json"
	typeStream = "text/event-stream; charset=utf-8"

	pathModels = "/models"
)

// answer is what the call is answered with: what its rule says, or else what is correct.
func answer(d dialect, c *call) reply {
	rule := c.rule
	a := overridden(d, c)
	if rule.ContentType != "" {
		a.contentType = rule.ContentType
	}
	return a
}

func overridden(d dialect, c *call) reply {
	rule := c.rule
	body := rule.Body
	if rule.ErrorEvent != nil {
		body = nil // it is the event's
	}
	switch {
	case rule.Redirect != "":
		return reply{
			status: cmp.Or(rule.Status, http.StatusTemporaryRedirect), header: http.Header{"Location": {rule.Redirect}},
			contentType: "text/plain", body: []byte{},
		}
	case body != nil:
		return given(d, cmp.Or(rule.Status, http.StatusOK), *body)
	case rule.Status >= http.StatusBadRequest:
		return d.refusal(rule.Status)
	case rule.Events != nil && (c.stream || rule.Answer == nil):
		return givenEvents(d, cmp.Or(rule.Status, http.StatusOK), rule.Events)
	case rule.Answer != nil:
		return given(d, cmp.Or(rule.Status, http.StatusOK), string(rule.Answer))
	}
	if rule.AsJSON {
		c.stream = false
	}
	a := d.reply(c)
	if a.status < http.StatusBadRequest {
		a.status = cmp.Or(rule.Status, a.status)
	}
	return a
}

// given is a body from the script.
func given(d dialect, status int, body string) reply {
	a := reply{status: status, contentType: sniff(body), body: []byte(body)}
	a.prompt, a.completion, _ = d.usage(a.body)
	return a
}

// sniff is the media type that a provider would give such a body.
func sniff(body string) string {
	start := strings.TrimLeft(body, " \t\r\n")
	switch {
	case strings.HasPrefix(start, "{"), strings.HasPrefix(start, "["):
		return typeJSON
	case strings.HasPrefix(start, "<"):
		return "text/html; charset=utf-8"
	case strings.HasPrefix(start, "data:"), strings.HasPrefix(start, "event:"), strings.HasPrefix(start, ":"):
		return typeStream
	}
	return "text/plain; charset=utf-8"
}

// givenEvents is a stream from the script. Its completion tokens, which only its usage reports, count with the
// event that has the usage.
func givenEvents(d dialect, status int, payloads []string) reply {
	a := reply{status: status, contentType: typeStream}
	if own, ok := d.(framed); ok {
		a.contentType = own.streamType()
	}
	counts := make([]int, len(payloads))
	for i, payload := range payloads {
		prompt, completion, ok := d.usage([]byte(payload))
		if ok {
			clear(counts)
			a.prompt, counts[i] = prompt, completion
		}
	}
	a.events = func(yield func(event) bool) {
		for i, payload := range payloads {
			if !yield(event{payload: []byte(payload), tokens: counts[i], paced: true, last: i == len(payloads)-1}) {
				return
			}
		}
	}
	return a
}
