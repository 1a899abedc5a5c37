package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/recorded"
	"github.com/weirproxy/weir/internal/sim"
)

// atOnce has every stream hedged that has no content yet.
const atOnce = "after: 1ms, budget: 100%"

// mostlyThere gives a call the time to arrive before it is late, mostly.
const mostlyThere = "after: 20ms, budget: 100%"

// late are the streams of silences that have no content when they fall silent.
func late() []waiting {
	var list []waiting
	for _, kind := range kinds {
		for _, c := range silences(kind) {
			if c.stream && !c.content {
				c.hedge = mostlyThere
				list = append(list, c)
				if c.path = completions; kind != "openai" || c.what != "before content" { // whose first event has some
					list = append(list, c)
				}
			}
		}
	}
	return list
}

// A target that is silent before its first content loses to a second one, in every dialect. The caller gets the whole answer of
// the second alone, and the first sees its call end.
func TestHedgedStreams(t *testing.T) { // not in parallel: it looks at the goroutines
	eachProto(t, func(t *testing.T, proto int) {
		list := late()
		w := newWaiting(t, proto, list)
		t.Run("trials", func(t *testing.T) {
			for _, c := range list {
				t.Run(c.String(), func(t *testing.T) {
					t.Parallel()
					a := w.ask(t, c.trial)
					w.answeredBy(t, c.trial, a, secondName)
					if name, attempts := a.header.Get("Weir-Provider"), a.header.Get("Weir-Attempts"); name != secondName+"-"+c.kind || attempts != "2" {
						t.Errorf("%q, attempt %q", name, attempts)
					}
				})
			}
		})
		w.rests(t)
		there := 0
		for _, c := range list { // on a busy machine a call may be given up before it arrives
			calls := callsOf(w.first.Served(), c.model)
			if there += len(calls); len(calls) > 1 || len(calls) == 1 && (!calls[0].Done || !calls[0].ClientGone || calls[0].Completed) {
				t.Errorf("%v: the calls of the first target: %+v", c, calls)
			}
		}
		if there < len(list)/2 {
			t.Errorf("of %d first targets %d were called", len(list), there)
		}
		if log := w.Requests.String(); strings.Count(log, " lost ") != len(list) || strings.Contains(log, `"cut":true`) {
			t.Errorf("of %d attempts that lost the log tells %d", len(list), strings.Count(log, " lost "))
		}
		until(t, "the races are counted", func() bool {
			return w.metric(t, `weir_hedges_total{model="`+list[0].model+`"}`) == "1" && w.metric(t, `weir_hedges_won_total{model="`+list[0].model+`"}`) == "1"
		})
	})
}

// answeredBy checks that an answer is one provider's alone, and whole.
func (w *torture) answeredBy(t *testing.T, c trial, a answer, name string) {
	t.Helper()
	if c.path == completions {
		if texts, done := textsOf(t, a); a.status != 200 || !done || len(texts) != 2 || !one(texts[0], name) || !one(texts[1], name) {
			t.Errorf("%d %v: %.2000s", a.status, texts, a.body)
		}
		return
	}
	h := hear(t, c, a)
	if a.status != 200 || !h.done || !h.finish || h.failed != "" || len(h.ids) != 1 || !one(h.text, name) {
		t.Errorf("%d %+v: %.2000s", a.status, h, a.body)
	}
}

// one reports whether a text is one answer of one provider.
func one(text, name string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, name) && strings.Count(text, firstName)+strings.Count(text, secondName) == 1
}

// textsOf are those of a stream of /completions, by their prompts.
func textsOf(t *testing.T, a answer) (texts map[int]string, done bool) {
	t.Helper()
	payloads, done := recorded.Payloads(t, []byte(a.body))
	texts = map[int]string{}
	for _, p := range payloads {
		var chunk struct {
			Choices []struct {
				Index int
				Text  string
			}
		}
		if err := json.Unmarshal([]byte(p), &chunk); err != nil {
			t.Errorf("%v in %s", err, p)
		}
		for _, c := range chunk.Choices {
			texts[c.Index] += c.Text
		}
	}
	return texts, done && a.err == nil
}

// A race whose time is up, by the model's own limit, ends for both.
func TestDeadlineOfARace(t *testing.T) { // not in parallel: it looks at the goroutines
	var list []waiting
	for _, kind := range kinds {
		silent := sim.Rule{Stall: new(sim.BeforeHeaders)}
		list = append(list, waiting{trial: trial{kind: kind, what: "both silent", stream: true, first: silent, second: &silent, hedge: atOnce, timeouts: "total: 500ms"}})
	}
	w := newWaiting(t, 1, list)
	for i, a := range w.together(t, list) {
		timedOut(t, list[i], a.answer)
		if len(callsOf(w.first.Served(), list[i].model))*len(callsOf(w.second.Served(), list[i].model)) == 0 {
			continue // on a machine that was busy for half a second
		}
		for _, list[i].second = range []bool{false, true} {
			w.abandoned(t, list[i])
		}
	}
	w.rests(t)
}

// Close races, with callers that hang up in the middle: each answer is that of one target, and no goroutine, place or memory
// stays.
func TestStormOfRaces(t *testing.T) { // not in parallel: it looks at the goroutines
	const each = 30
	eachProto(t, func(t *testing.T, proto int) {
		var list []waiting
		for _, kind := range kinds {
			even := sim.Rule{TTFT: new(sim.Duration(3 * time.Millisecond)), Interval: new(sim.Duration(time.Millisecond))}
			list = append(list, waiting{trial: trial{kind: kind, what: "close", stream: true, first: even, second: &even, hedge: atOnce}})
		}
		w := newWaiting(t, proto, list)
		var wg sync.WaitGroup
		slots := make(chan struct{}, 20)
		for i := range each * len(list) {
			slots <- struct{}{}
			c := list[i%len(list)]
			wg.Go(func() {
				defer func() { <-slots }()
				if i/len(list)%3 == 0 {
					w.hangUpEarly(t, c.trial, i)
					return
				}
				a := w.ask(t, c.trial)
				name, _, _ := strings.Cut(a.header.Get("Weir-Provider"), "-")
				if name != firstName && name != secondName {
					t.Errorf("%d %s", a.status, a.body)
					return
				}
				w.answeredBy(t, c.trial, a, name)
			})
		}
		wg.Wait()
		w.rests(t)
		t.Logf("%d second calls; %d attempts lost", len(w.second.Served()), strings.Count(w.Requests.String(), " lost "))
	})
}

// hangUpEarly makes a call and reads no more than n bytes of its answer.
func (w *torture) hangUpEarly(t *testing.T, c trial, n int) {
	t.Helper()
	resp, err := w.client.Do(request(t, "POST", w.URL()+c.endpoint(), c.body(), "Authorization", "Bearer "+w.key))
	if err != nil {
		t.Error(err)
		return
	}
	_, _ = io.CopyN(io.Discard, resp.Body, int64(n))
	resp.Body.Close()
}

// racers are three upstreams, what each does with a call, and a model of theirs.
type racers struct {
	*apptest.Weir
	key string
}

func newRacers(t *testing.T, hedge string, answers ...http.HandlerFunc) racers {
	t.Helper()
	providers, targets := "providers:\n", ""
	for i, answer := range answers {
		base, _ := startUpstream(t, nil, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // then the end of the call can be seen
			answer(w, r)
		}, nil)
		providers += fmt.Sprintf("  p%d: {kind: openai, base_url: %q, api_key: upstream-credential}\n", i, base)
		targets += fmt.Sprintf("p%d/m, ", i)
	}
	w := apptest.StartWith(t, providers+fmt.Sprintf("models:\n  m: {targets: [%s], hedge: {%s}}\n", targets, hedge))
	return racers{w, w.NewKey(t, "caller")}
}

func (r racers) ask(t *testing.T) answer {
	t.Helper()
	return post(t, r.Weir, r.key, chats, streamBody("m"))
}

// tells answers with a stream.
func tells(w http.ResponseWriter, text string) {
	chunks(w, text)
	fmt.Fprint(w, "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// busy is an answer that says nothing against a server.
func busy(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }

// The ends of a race, other than a win for the second.
func TestEndsOfARace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name                 string
		first, second        func(w http.ResponseWriter, r *http.Request, begun, over chan struct{})
		provider, tries, log string
	}{
		{
			"the first is first, though late",
			func(w http.ResponseWriter, _ *http.Request, begun, _ chan struct{}) { <-begun; tells(w, "first") },
			func(_ http.ResponseWriter, r *http.Request, begun, over chan struct{}) {
				close(begun)
				<-r.Context().Done()
				close(over)
			},
			"p0", "2", `"tried":\["p1/m lost .*","p0/m ok 200 `,
		},
		{
			"the second fails, and the first is waited for",
			func(w http.ResponseWriter, _ *http.Request, _, over chan struct{}) { <-over; tells(w, "first") },
			func(w http.ResponseWriter, _ *http.Request, begun, over chan struct{}) {
				close(begun)
				busy(w)
				close(over)
			},
			"p0", "2", `"tried":\["p1/m (overloaded 503|lost) .*","p0/m ok 200 `,
		},
		{
			"the first fails, and the second is waited for",
			func(w http.ResponseWriter, _ *http.Request, begun, over chan struct{}) {
				<-begun
				busy(w)
				close(over)
			},
			func(w http.ResponseWriter, _ *http.Request, begun, over chan struct{}) {
				close(begun)
				<-over
				tells(w, "second")
			},
			"p1", "2", `"tried":\["p0/m (overloaded 503|lost) .*","p1/m ok 200 `,
		},
		{
			"both fail, and a third answers",
			func(w http.ResponseWriter, _ *http.Request, begun, _ chan struct{}) { <-begun; busy(w) },
			func(w http.ResponseWriter, _ *http.Request, begun, over chan struct{}) {
				close(begun)
				busy(w)
				close(over)
			},
			"p2", "3", `"tried":\["p0/m overloaded 503 .*","p1/m overloaded 503 .*","p2/m ok 200 `,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			begun, over := make(chan struct{}), make(chan struct{})
			w := newRacers(t, atOnce,
				func(w http.ResponseWriter, r *http.Request) { tt.first(w, r, begun, over) },
				func(w http.ResponseWriter, r *http.Request) { tt.second(w, r, begun, over) },
				func(w http.ResponseWriter, _ *http.Request) { tells(w, "third") })
			a := w.ask(t)
			<-over
			want := map[string]string{"p0": "first", "p1": "second", "p2": "third"}[tt.provider]
			h := hear(t, trial{stream: true}, a)
			if a.status != 200 || h.text != want || !h.done || a.header.Get("Weir-Provider") != tt.provider || a.header.Get("Weir-Attempts") != tt.tries {
				t.Errorf("%d %v %s", a.status, a.header, a.body)
			}
			w.logs(t, tt.log)
		})
	}
}

// logs waits for a line of the log.
func (r racers) logs(t *testing.T, line string) {
	t.Helper()
	pattern := regexp.MustCompile(line)
	until(t, "the log has "+line, func() bool { return pattern.MatchString(r.Requests.String()) })
}

// Without a time of its own, a target is late when it is later than it usually is, once that is known.
func TestHedgingByP95(t *testing.T) {
	t.Parallel()
	silent := make(chan struct{})
	w := newRacers(t, "budget: 100%",
		func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-silent:
				<-r.Context().Done()
			default:
				tells(w, "first")
			}
		},
		func(w http.ResponseWriter, _ *http.Request) { tells(w, "second") })
	for range 20 {
		if a := w.ask(t); a.header.Get("Weir-Provider") != "p0" || a.header.Get("Weir-Attempts") != "1" {
			t.Fatalf("%d %v %s", a.status, a.header, a.body)
		}
	}
	close(silent)
	if a := w.ask(t); a.header.Get("Weir-Provider") != "p1" || a.header.Get("Weir-Attempts") != "2" {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
}

// What is no stream is not hedged, and is not slower for it.
func TestOnlyStreamsAreHedged(t *testing.T) {
	t.Parallel()
	waited := make(chan struct{})
	w := newRacers(t, atOnce,
		func(w http.ResponseWriter, _ *http.Request) {
			time.AfterFunc(20*time.Millisecond, func() { close(waited) })
			<-waited
			fmt.Fprint(w, completion("first"))
		},
		func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, completion("second")) })
	if a := post(t, w.Weir, w.key, chats, chatBody("m")); a.header.Get("Weir-Provider") != "p0" || a.header.Get("Weir-Attempts") != "1" {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
}
