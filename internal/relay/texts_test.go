package relay

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// Each prompt is a separate call, with its usage. This includes prompts that were answered before one failed, whichever target
// answers in the end. The upstream answers prompts with a stream where one was asked, "fail" with an error, and "break" with the
// beginning of an answer.
func TestUsageOfPromptsBeforeOneThatFails(t *testing.T) {
	t.Parallel()
	const (
		whole = `{"id":"c","message":{"role":"assistant","content":[{"type":"text","text":"A"}]},"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":3,"output_tokens":4}}}`
		begun = `data: {"id":"c","type":"message-start","delta":{"message":{"role":"assistant"}}}` + "\n\n" +
			`data: {"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"A"}}}}` + "\n\n"
		ended = `data: {"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":3,"output_tokens":4}}}}` + "\n\n"
	)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fails, breaks, streams := strings.Contains(string(body), `"fail"`), strings.Contains(string(body), `"break"`), strings.Contains(string(body), `"stream":true`)
		switch {
		case fails && !strings.Contains(string(body), `"model":"good"`):
			w.WriteHeader(http.StatusInternalServerError)
		case breaks && streams:
			_, _ = io.WriteString(w, begun)
		case breaks:
			_, _ = io.WriteString(w, whole[:40])
		case streams:
			_, _ = io.WriteString(w, begun+ended)
		default:
			_, _ = io.WriteString(w, whole)
		}
	}))
	t.Cleanup(upstream.Close)
	p, err := provider.New(config.Provider{Name: "p", Kind: "cohere", BaseURL: upstream.URL}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	for name, tt := range map[string]struct {
		prompts, more string
		models        []string
		finished      int64 // prompts
		answered      bool
		broken        bool // one began to answer, so that what it said is counted
	}{
		"complete":                     {`["a","b","fail"]`, "", []string{"bad"}, 2, false, false},
		"complete, broken off":         {`["a","break"]`, "", []string{"bad"}, 1, false, false},
		"complete, the first fails":    {`["fail","a"]`, "", []string{"bad"}, 0, false, false},
		"complete, all fail":           {`["a","fail"]`, "", []string{"bad", "worse"}, 2, false, false},
		"complete, another answers":    {`["a","fail"]`, "", []string{"bad", "good"}, 3, true, false},
		"complete, none fails":         {`["a","b"]`, "", []string{"bad"}, 2, true, false},
		"streamed":                     {`["a","b","fail"]`, `,"stream":true`, []string{"bad"}, 2, false, false},
		"streamed, usage asked":        {`["a","fail"]`, `,"stream":true,"stream_options":{"include_usage":true}`, []string{"bad"}, 1, false, false},
		"streamed, broken off":         {`["a","break"]`, `,"stream":true`, []string{"bad"}, 1, false, true},
		"streamed, the first breaks":   {`["break","a"]`, `,"stream":true`, []string{"bad"}, 0, false, true},
		"streamed, the first fails":    {`["fail","a"]`, `,"stream":true`, []string{"bad", "good"}, 2, true, false},
		"streamed, none fails":         {`["a","b"]`, `,"stream":true`, []string{"bad"}, 2, true, false},
		"streamed, one whole of three": {`["a","fail","b"]`, `,"stream":true`, []string{"bad", "good"}, 1, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			call, refused := passthrough.ParseRequest(llm.Completions, []byte(`{"model":"m","prompt":`+tt.prompts+tt.more+`}`), 64)
			if refused != nil {
				t.Fatal(refused)
			}
			model := &route.Model{MaxAttempts: len(tt.models)}
			request := &Request{Ingress: ingressOf(call), Asked: call, Route: route.Route{Board: route.NewBoard(), Model: model}, Providers: map[string]*provider.Provider{"p": p}, MaxAnswer: 10 << 20}
			for _, m := range tt.models {
				request.Route.Targets = append(request.Route.Targets, route.Target{Provider: "p", Model: m})
			}
			res := Serve(t.Context(), httptest.NewRecorder(), request)
			if (res.Err == nil) != tt.answered {
				t.Fatalf("answered: %v, %+v", res.Err == nil, res.Err)
			}
			var used llm.Usage
			answered := int64(0)
			for i := range res.Calls {
				c := &res.Calls[i]
				if c.Estimated != (tt.broken && c.Outcome == "failed") || c.Outcome == "ok" != (c.HasUsage && !c.Estimated) {
					t.Errorf("call %d: %s, and %+v", i, c.Outcome, c.Usage)
				}
				if !c.Estimated {
					used.Add(&c.Usage)
				}
				if c.Outcome == "ok" {
					answered++
				}
			}
			if answered != tt.finished {
				t.Errorf("%d prompts were answered, and %d calls", tt.finished, answered)
			}
			if want := (llm.Usage{Fresh: 3 * tt.finished, Text: 4 * tt.finished}); used != want || tt.answered && len(tt.models) == 1 && res.Usage != want {
				t.Errorf("usage %+v, want %+v", used, want)
			}
		})
	}
}
