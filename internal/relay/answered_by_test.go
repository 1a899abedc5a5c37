package relay

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/sim"
)

// The account has the upstream's own name of the model, as its answer says it: passed and translated, whole and streamed, also where the
// caller reads another one.
func TestWhoAnswers(t *testing.T) {
	t.Parallel()
	const (
		chat     = `{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens":9`
		response = `{"model":"m","input":"hi"`
		google   = `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]`
	)
	for _, tt := range []struct{ path, kind, body, want string }{
		{"chat/completions", "openai", chat, "up"},
		{"messages", "openai", chat, "up"},
		{"messages", "anthropic", chat, "up"},
		{"chat/completions", "anthropic", chat, "up"},
		{"responses", "openai", response, "up"},
		{"models/m:generateContent", "gemini", google, "up"},
		{"chat/completions", "gemini", chat, "up"},
		{"chat/completions", "cohere", chat, ""}, // its answers do not name it
		{"embeddings", "openai", `{"model":"m","input":"hi"`, "up"},
		{"embeddings", "cohere", `{"model":"m","input":"hi"`, ""},
	} {
		upstream := httptest.NewServer(sim.New(sim.Script{}))
		t.Cleanup(upstream.Close)
		base := upstream.URL + "/v1"
		if tt.kind == "cohere" {
			base = upstream.URL
		}
		cfg := upstreamCfg("p", tt.kind, base)
		if tt.path == "responses" {
			cfg.Speaks = []config.API{config.APIResponses}
		}
		p := upstreamOf(t, cfg)
		for _, stream := range []bool{false, true} {
			path, body := tt.path, tt.body+"}"
			switch {
			case stream && tt.path == "embeddings":
				continue
			case stream && strings.HasSuffix(path, ":generateContent"):
				path = strings.Replace(path, ":generateContent", ":streamGenerateContent", 1)
			case stream:
				body = tt.body + `,"stream":true}`
			}
			in := table.At(path)
			if in == nil {
				in, _ = table.Verb("v1beta/" + path)
			}
			asked, refused := in.Parse([]byte(body), dialect.ParseOptions{MaxDepth: 64, Model: "m"})
			if refused != nil {
				t.Fatal(refused)
			}
			res := Serve(t.Context(), httptest.NewRecorder(), &Request{
				ID: "id", Ingress: in, Asked: asked, MaxAnswer: 10 << 20, Providers: map[string]*provider.Provider{"p": p},
				Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1, EchoModel: true}, Targets: []route.Target{{Provider: "p", Model: "up"}}},
			})
			if res.Err != nil || res.Calls[0].AnsweredBy != tt.want {
				t.Errorf("%s at %s, stream %v: %q, want %q, %v", tt.path, tt.kind, stream, res.Calls[0].AnsweredBy, tt.want, res.Err)
			}
		}
	}
}

// A name is kept as long as it can be one.
func TestNamesOfModels(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		`"a"`: "a", `7`: "", `null`: "", `"\u00e9"`: "é",
		`"` + strings.Repeat("a", 200) + `"`:         strings.Repeat("a", 128),
		`"` + strings.Repeat("a", 127) + "é" + `"`:   strings.Repeat("a", 127),
		`"` + strings.Repeat("\\u0061", 1<<20) + `"`: "",
		`"` + strings.Repeat("a", 1<<20) + `"`:       "",
		`"` + strings.Repeat(`\u0061`, 100) + `"`:    strings.Repeat("a", 100),
	} {
		if got := llm.JSON(said).Model(); got != want {
			t.Errorf("%.40s: %q, want %q", said, got, want)
		}
	}
}
