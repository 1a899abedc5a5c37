package relay

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/responses"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// Whatever the caller of any dialect got whole was recorded before, answers without content, too.
func TestTheAccountComesBeforeTheEndInAllDialects(t *testing.T) {
	t.Parallel()
	const (
		begun  = `data: {"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","created_at":1,"model":"m","status":"in_progress","output":[],"usage":null}}` + "\n\n"
		said   = `data: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","id":"i","role":"assistant","content":[]}}` + "\n\n" + `data: {"type":"response.content_part.added","sequence_number":2,"item_id":"i","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}` + "\n\n" + `data: {"type":"response.output_text.delta","sequence_number":3,"item_id":"i","output_index":0,"content_index":0,"delta":"A"}` + "\n\n" + `data: {"type":"response.content_part.done","sequence_number":4,"item_id":"i","output_index":0,"content_index":0,"part":{"type":"output_text","text":"A"}}` + "\n\n" + `data: {"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":{"type":"message","id":"i","role":"assistant","content":[{"type":"output_text","text":"A"}]}}` + "\n\n"
		fully  = `data: {"type":"response.completed","sequence_number":6,"response":{"id":"r","object":"response","created_at":1,"model":"m","status":"completed","output":[{"type":"message","id":"i","role":"assistant","content":[{"type":"output_text","text":"A"}]}],"usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7}}}` + "\n\n"
		empty  = `data: {"type":"response.completed","sequence_number":1,"response":{"id":"r","object":"response","created_at":1,"model":"m","status":"completed","output":[],"usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7}}}` + "\n\n"
		failed = `data: {"type":"response.failed","sequence_number":6,"response":{"id":"r","object":"response","created_at":1,"model":"m","status":"failed","error":{"code":"server_error","message":"No."},"output":[],"usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7}}}` + "\n\n"
		whole  = `{"id":"r","object":"response","created_at":1,"model":"m","status":"completed","output":[{"type":"message","id":"i","role":"assistant","content":[{"type":"output_text","text":"A"}]}],"usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7}}`
		chunk  = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"A"},"finish_reason":null}]}` + "\n\n"
		stop   = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
		used   = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}` + "\n\ndata: [DONE]\n\n"
	)
	const asks, says = `{"model":"m","stream":true,"input":"hi"}`, `{"model":"m","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`
	own := []config.API{config.APIChat, config.APIResponses}
	alone := []config.API{config.APIResponses}
	for name, tt := range map[string]struct {
		in              *dialect.Ingress
		request, answer string
		speaks          []config.API
		cut             bool
	}{
		"passed":                   {responses.Responses, asks, begun + said + fully, own, false},
		"passed, empty":            {responses.Responses, asks, begun + empty, own, false},
		"passed, whole":            {responses.Responses, asks, whole, own, false},
		"passed, failed":           {responses.Responses, asks, begun + said + failed, own, true},
		"Responses to chat":        {responses.Responses, asks, chunk + stop + used, nil, false},
		"Responses to chat, empty": {responses.Responses, asks, stop + used, nil, false},
		"Messages to chat":         {anthropic.Messages, says, chunk + stop + used, nil, false},
		"Messages to chat, empty":  {anthropic.Messages, says, stop + used, nil, false},
		"Messages to Responses":    {anthropic.Messages, says, begun + said + fully, alone, false},
		"Messages, empty":          {anthropic.Messages, says, begun + empty, alone, false},
		"Messages, failed":         {anthropic.Messages, says, begun + said + failed, alone, true},
		"Messages, a whole answer": {anthropic.Messages, says, whole, alone, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(tt.answer))
			}))
			t.Cleanup(upstream.Close)
			p, err := provider.New(config.Provider{Name: "p", Kind: "openai", BaseURL: upstream.URL, Speaks: tt.speaks}, provider.Identity{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			broken := 0
			for step := 1; ; step++ {
				call, refused := tt.in.Parse([]byte(tt.request), dialect.ParseOptions{})
				if refused != nil {
					t.Fatal(refused)
				}
				var final *Result
				settled, sent := 0, -1
				w := fragile{httptest.NewRecorder(), &bomb{left: step}}
				panicked := func() (panicked bool) {
					defer func() { panicked = recover() != nil }()
					Serve(t.Context(), w, &Request{
						ID: "id", Ingress: tt.in, Asked: call, Providers: map[string]*provider.Provider{"p": p}, MaxAnswer: 10 << 20, Memory: w, Started: time.Now(),
						Route:  route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1, Timeouts: route.Timeouts{Hold: time.Hour}}, Targets: []route.Target{{Provider: "p", Model: "m"}}},
						Settle: func(r *Result) { settled++; final, sent = r, w.Body.Len() },
					})
					return false
				}()
				if settled != 1 {
					t.Fatalf("step %d: the account was handed over %d times", step, settled)
				}
				for _, c := range final.Calls {
					if c.Outcome == "" || c.Outcome == "ok" && !c.HasUsage {
						t.Errorf("step %d: a call ended with %q, and %+v", step, c.Outcome, c.Usage)
					}
				}
				for _, end := range []string{"response.completed", "message_stop", "response.failed", "event: error"} {
					if sent >= 0 && strings.Contains(w.Body.String()[:sent], end) {
						t.Errorf("step %d: %s went out before the account", step, end)
					}
				}
				if !panicked {
					if (final.Err != nil) != tt.cut || final.Usage.Input() != 3 || final.Usage.Output() != 4 {
						t.Errorf("%+v %+v\n%s", final.Err, final.Usage, w.Body)
					}
					break
				}
				broken++
			}
			t.Logf("it broke at %d steps", broken)
		})
	}
}
