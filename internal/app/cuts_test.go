package app_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/recorded"
	"github.com/weirproxy/weir/internal/sim"
)

// wholly is what the first target of a kind answers when nothing breaks.
type wholly struct {
	text string
	ends []int // the positions after each event of its stream
	size int   // size of its complete answer
}

// learn finds out how whole answers look in each dialect, as they come from the upstream.
func learn(t *testing.T) map[string]wholly {
	t.Helper()
	var trials []trial
	for _, kind := range kinds {
		trials = append(trials, trial{kind: kind, what: "whole", alone: true}, trial{kind: kind, what: "whole", alone: true, stream: true})
	}
	w := newTorture(t, 1, trials)
	known := map[string]wholly{}
	for _, c := range trials {
		a := w.ask(t, c)
		heard := hear(t, c, a)
		if a.status != 200 || heard.text == "" || heard.failed != "" || c.stream && !heard.done {
			t.Fatalf("%v: %d %s", c, a.status, a.body)
		}
		call := callsOf(w.first.Served(), c.model)[0]
		raw := w.direct(t, c.kind, call)
		k := known[c.kind]
		k.text = heard.text
		if c.stream {
			k.ends = eventEnds(c.kind, raw)
			if len(k.ends) != call.Events {
				t.Fatalf("%v: %d events were found, %d were sent", c, len(k.ends), call.Events)
			}
		} else {
			k.size = len(raw)
		}
		known[c.kind] = k
	}
	return known
}

// direct makes a call upstream that Weir has made, and returns the answer's body.
func (w *torture) direct(t *testing.T, kind string, call sim.Served) []byte {
	t.Helper()
	host, _, _ := strings.Cut(strings.TrimPrefix(w.first.URL(), "http://"), "/")
	r := request(t, call.Method, "http://"+host+call.Target, string(call.Body))
	r.Header = call.Header.Clone()
	r.Header.Del("Via")
	a := do(t, w.client, r)
	if a.status != http.StatusOK {
		t.Fatalf("%s: %d %s", kind, a.status, a.body)
	}
	return []byte(a.body)
}

// eventEnds are the positions after the events of a stream.
func eventEnds(kind string, raw []byte) []int {
	var ends []int
	for at := 0; at < len(raw); {
		if kind == "bedrock" {
			at += int(binary.BigEndian.Uint32(raw[at:]))
		} else {
			at += bytes.Index(raw[at:], []byte("\n\n")) + 2
		}
		ends = append(ends, at)
	}
	return ends
}

// heard is what a caller made of an answer.
type heard struct {
	text   string
	pieces int    // number of pieces of text
	finish bool   // it was said why the answer ended
	done   bool   // the stream ended as whole ones do
	failed string // the code of the error that it ended with
	ids    []string
}

// hear reads an answer, and checks what every client relies on in a stream: one id, one role, nothing after its
// end.
func hear(t *testing.T, c trial, a answer) heard {
	t.Helper()
	if a.err != nil {
		t.Errorf("reading: %v", a.err)
	}
	payloads, done := []string{a.body}, false
	var h heard
	if c.stream && a.status == http.StatusOK {
		payloads, done = recorded.Payloads(t, []byte(a.body))
		if last := len(payloads) - 1; last >= 0 && strings.HasPrefix(payloads[last], `{"error":{`) {
			h.failed = answer{body: payloads[last]}.code()
			payloads = payloads[:last]
		}
		recorded.CheckStream(t, payloads, false)
	}
	h.done = done
	for _, p := range payloads {
		var chunk struct {
			ID      string
			Choices []struct {
				Message, Delta struct{ Content string }
				FinishReason   *string `json:"finish_reason"`
			}
		}
		if err := json.Unmarshal([]byte(p), &chunk); err != nil {
			t.Errorf("%v in %s", err, p)
		}
		if !slices.Contains(h.ids, chunk.ID) {
			h.ids = append(h.ids, chunk.ID)
		}
		for _, choice := range chunk.Choices {
			said := choice.Message.Content + choice.Delta.Content
			if said != "" {
				h.pieces++
			}
			h.text += said
			h.finish = h.finish || choice.FinishReason != nil
		}
	}
	return h
}

// streamCuts break the stream of the first target after and within each of its events, in every way in which a connection ends.
func streamCuts(kind string, ends []int) []trial {
	list := []trial{{what: "reset before the headers", first: sim.Rule{Reset: new(sim.BeforeHeaders)}}}
	add := func(rule sim.Rule, format string, args ...any) {
		list = append(list, trial{what: fmt.Sprintf(format, args...), first: rule})
	}
	begin := 0
	for n, end := range ends {
		middle := (begin + end) / 2
		add(sim.Rule{Cut: new(n)}, "ended after %d events", n)
		add(sim.Rule{Truncate: new(begin)}, "closed after %d events", n)
		add(sim.Rule{Reset: new(sim.Point(n))}, "reset after %d events", n)
		add(sim.Rule{Truncate: new(begin + 1)}, "closed at the first byte of event %d", n)
		add(sim.Rule{Truncate: new(middle)}, "closed in the middle of event %d", n)
		add(sim.Rule{ResetAfter: new(middle)}, "reset in the middle of event %d", n)
		add(sim.Rule{Truncate: new(end - 1)}, "closed before the last byte of event %d", n)
		begin = end
	}
	add(sim.Rule{Reset: new(sim.Point(len(ends)))}, "reset after all %d events", len(ends))
	for i := range list {
		list[i].kind, list[i].stream = kind, true
	}
	return list
}

// bodyCuts break the complete answer of the first target.
func bodyCuts(kind string, size int) []trial {
	list := []trial{
		{kind: kind, what: "reset before the headers", first: sim.Rule{Reset: new(sim.BeforeHeaders)}},
		{kind: kind, what: "reset behind the headers", first: sim.Rule{Reset: new(sim.Point(0))}},
		{kind: kind, what: "reset behind the body", first: sim.Rule{Reset: new(sim.Point(1))}},
	}
	for _, n := range []int{0, 1, 2, size / 4, size / 2, 3 * size / 4, size - 2, size - 1} {
		list = append(list,
			trial{kind: kind, what: fmt.Sprintf("closed after %d bytes", n), first: sim.Rule{Truncate: &n}},
			trial{kind: kind, what: fmt.Sprintf("reset after %d bytes", n), first: sim.Rule{ResetAfter: &n}})
	}
	return list
}

// Wherever an upstream breaks off, the caller has the whole answer of one target, or the beginning of the first one's and
// then an error. It never has parts of both, nothing comes twice, and nothing that came is missing.
func TestAnswersAreNeverSpliced(t *testing.T) {
	t.Parallel()
	eachProto(t, splices)
}

func splices(t *testing.T, proto int) {
	known := learn(t)
	var trials []trial
	for _, kind := range kinds {
		trials = append(trials, streamCuts(kind, known[kind].ends)...)
		trials = append(trials, bodyCuts(kind, known[kind].size)...)
	}
	w := newTorture(t, proto, trials)
	var mu sync.Mutex // guards ends
	ends := map[string]int{}
	t.Run("trials", func(t *testing.T) {
		for _, c := range trials {
			t.Run(c.String(), func(t *testing.T) {
				t.Parallel()
				end := w.unspliced(t, c, known[c.kind].text)
				mu.Lock()
				defer mu.Unlock()
				ends[c.kind+" "+end]++
			})
		}
	})
	t.Logf("%d trials: %v", len(trials), ends)
	for _, kind := range kinds {
		if ends[kind+" "+byFirst] == 0 || ends[kind+" "+bySecond] == 0 || ends[kind+" "+cutOff] == 0 {
			t.Errorf("%s: not every end was seen", kind)
		}
	}
}

// The same at every single byte.
func TestLongCutsAtEveryByte(t *testing.T) {
	long(t)
	const atOnce = 400 // models of one Weir
	known := learn(t)
	for _, kind := range kinds {
		var trials []trial
		add := func(stream bool, size int) {
			for n := range size {
				trials = append(trials,
					trial{kind: kind, stream: stream, what: fmt.Sprintf("closed after %d bytes", n), first: sim.Rule{Truncate: &n}},
					trial{kind: kind, stream: stream, what: fmt.Sprintf("reset after %d bytes", n), first: sim.Rule{ResetAfter: &n}})
			}
		}
		add(true, known[kind].ends[len(known[kind].ends)-1])
		add(false, known[kind].size)
		ends := map[string]int{}
		for some := range slices.Chunk(trials, atOnce) {
			t.Run(kind, func(t *testing.T) {
				w := newTorture(t, 1, some)
				for _, c := range some {
					ends[w.unsplicedNamed(t, c, known[kind].text)]++
				}
			})
		}
		t.Logf("%s: %d trials: %v", kind, len(trials), ends)
	}
}

// unsplicedNamed is unspliced for a test that has many trials: what fails has the trial's name.
func (w *torture) unsplicedNamed(t *testing.T, c trial, text string) (end string) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Fatalf("%v", c)
		}
	}()
	return w.unspliced(t, c, text)
}

// How a request may end whose first target breaks off.
const byFirst, bySecond, cutOff = "answered by the first", "answered by the second", "cut off"

// unspliced makes a trial's call, checks the answer and returns which end it had.
func (w *torture) unspliced(t *testing.T, c trial, text string) (end string) {
	t.Helper()
	a := w.ask(t, c)
	h := hear(t, c, a)
	if t.Failed() || a.status != http.StatusOK || len(h.ids) != 1 {
		t.Fatalf("%d, ids %q: %s", a.status, h.ids, a.body)
	}
	one, two := callsOf(w.first.Served(), c.model), callsOf(w.second.Served(), c.model)
	if len(one) == 0 || len(one) > 2 { // a connection that was used before is tried once more if not a byte came
		t.Errorf("the first target was called %d times", len(one))
	}
	whole := h.failed == "" && h.finish && h.done == c.stream
	switch provider := a.header.Get("Weir-Provider"); provider {
	case secondName + "-" + c.kind:
		if !whole || h.text != strings.Replace(text, firstName, secondName, 1) || a.header.Get("Weir-Attempts") != "2" || len(two) != 1 {
			t.Errorf("the second target, called %d times, did not answer wholly: %v\n%s", len(two), a.header, a.body)
		}
		return bySecond
	case firstName + "-" + c.kind:
		sent := one[len(one)-1]
		if a.header.Get("Weir-Attempts") != "1" || len(two) != 0 {
			t.Errorf("%s attempts, and the second target was called %d times", a.header.Get("Weir-Attempts"), len(two))
		}
		if whole {
			if h.text != text {
				t.Errorf("a part passes for the whole: %s", a.body)
			}
			return byFirst
		}
		if !c.stream || h.failed != "upstream_failed" || h.done || h.text == "" || !strings.HasPrefix(text, h.text) {
			t.Errorf("told %q behind %q:\n%s", h.failed, h.text, a.body)
		}
		// The event that was cut is among those sent.
		if h.pieces > sent.CompletionTokens || h.pieces < sent.CompletionTokens-1 {
			t.Errorf("%d of %d pieces arrived: %s", h.pieces, sent.CompletionTokens, a.body)
		}
		return cutOff
	default:
		t.Errorf("weir-provider is %q", provider)
		return ""
	}
}
