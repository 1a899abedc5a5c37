package relay

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/fetch"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
)

// gallery is a server of images that counts.
type gallery struct {
	*httptest.Server
	served, running, most atomic.Int32
}

func newGallery(t *testing.T) *gallery {
	g := new(gallery)
	together := make(chan struct{})
	meet := sync.OnceFunc(func() { close(together) })
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.served.Add(1)
		running := g.running.Add(1)
		defer g.running.Add(-1)
		for most := g.most.Load(); running > most && !g.most.CompareAndSwap(most, running); most = g.most.Load() {
		}
		switch {
		case r.URL.Path == "/page":
			_, _ = io.WriteString(w, "<html>")
			return
		case r.URL.Path == "/large":
			_, _ = io.WriteString(w, "\x89PNG\r\n\x1a\n"+strings.Repeat("x", 8<<20))
			return
		case r.URL.Path == "/never":
			<-r.Context().Done()
			return
		case strings.HasPrefix(r.URL.Path, "/together") && running == atOnce:
			meet()
		case strings.HasPrefix(r.URL.Path, "/together"):
			<-together // until as many are asked for as may be
		}
		_, _ = io.WriteString(w, "\x89PNG\r\n\x1a\n"+r.URL.Path)
	}))
	t.Cleanup(g.Close)
	return g
}

// serveImages relays a request with images at these addresses to a model of another dialect, at providers with these
// configs.
func serveImages(ctx context.Context, t *testing.T, memory Memory, addresses []string, providers ...config.Provider) (*Result, *httptest.ResponseRecorder) {
	t.Helper()
	w := httptest.NewRecorder()
	return Serve(ctx, w, requestOfImages(t, false, memory, addresses, providers...)), w
}

func requestOfImages(t *testing.T, stream bool, memory Memory, addresses []string, providers ...config.Provider) *Request {
	t.Helper()
	var parts []string
	for _, a := range addresses {
		parts = append(parts, fmt.Sprintf(`{"type":"image_url","image_url":{"url":%q}}`, a))
	}
	body := fmt.Sprintf(`{"model":"m","stream":%v,"messages":[{"role":"user","content":"hi"},{"role":"user","content":[`, stream) + strings.Join(parts, ",") + `]}]}`
	call, refused := passthrough.ParseRequest(llm.Chat, []byte(body), 64)
	if refused != nil {
		t.Fatal(refused)
	}
	req := &Request{
		Ingress: ingressOf(call), Asked: call, Route: route.Route{Model: &route.Model{MaxAttempts: 3}, Board: route.NewBoard()}, Providers: map[string]*provider.Provider{},
		Memory: memory, MaxAnswer: 10 << 20, Images: fetch.New(dial.New(nil), "weir/test"),
	}
	for i, cfg := range providers {
		cfg.Name, cfg.Kind = fmt.Sprintf("p%d", i), cmp.Or(cfg.Kind, "anthropic")
		p, err := provider.New(cfg, provider.Identity{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		req.Providers[cfg.Name] = p
		req.Route.Targets = append(req.Route.Targets, route.Target{Provider: cfg.Name, Model: "claude-haiku-4-5"})
	}
	return req
}

// claude answers as a model of that name would, and keeps what it was asked; if status is not 0 it answers with that alone.
func claude(t *testing.T, status int) (base string, asked *atomic.Value) {
	t.Helper()
	asked = new(atomic.Value)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked.Store(string(body))
		if status != 0 {
			w.WriteHeader(status)
			return
		}
		_, _ = io.WriteString(w, `{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", asked
}

func TestImagesAreFetched(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	first, _ := claude(t, http.StatusInternalServerError)
	base, asked := claude(t, 0)
	memory := &counted{}
	result, w := serveImages(t.Context(), t, memory, []string{g.URL + "/a", "data:image/gif;base64,R0lG", g.URL + "/a"},
		config.Provider{BaseURL: first, FetchImages: true}, config.Provider{BaseURL: base, FetchImages: true})
	if w.Code != http.StatusOK {
		t.Fatalf("%d %v", w.Code, result.Err)
	}
	const image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgovYQ=="}}`
	if body, want := asked.Load().(string), image+`,{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lG"}},`+image; !strings.Contains(body, want) {
		t.Error(body)
	}
	if g.served.Load() != 1 {
		t.Errorf("one image was fetched %d times", g.served.Load())
	}
	if memory.peak == 0 {
		t.Error("what was fetched is not counted")
	}
}

// Where the config does not allow it nothing is fetched: the target is sent the URL, or skipped if it cannot take one.
func TestImagesAreNotFetched(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	base, asked := claude(t, 0)
	if _, w := serveImages(t.Context(), t, nil, []string{g.URL + "/a"}, config.Provider{BaseURL: base}); w.Code != http.StatusOK {
		t.Fatal(w.Code)
	}
	if body := asked.Load().(string); !strings.Contains(body, `"source":{"type":"url","url":"`+g.URL+`/a"}`) {
		t.Error(body)
	}
	request := &llm.Request{Messages: []llm.Message{{Parts: []llm.Part{{Kind: llm.Image, URL: llm.Quote("data:x"), Data: []byte("eA==")}}}, {At: 3, Parts: []llm.Part{
		{Kind: llm.Result, Parts: []llm.Part{{Kind: llm.Image, URL: llm.Quote(g.URL + "/a")}}},
	}}}}
	r := &run{Request: &Request{}, ctx: t.Context()}
	if _, err := r.inline(request, false, true); err == nil || err.Kind != llm.UnsupportedParameter || err.Param != "messages[3].content" || !strings.Contains(err.Message, "fetch_images") {
		t.Errorf("%v", err)
	}
	if g.served.Load() != 0 {
		t.Error("it was fetched")
	}
}

// Claude's own API takes images by their addresses, that of Vertex AI does not.
func TestImagesOfClaudeOnVertex(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	base, asked := claude(t, 0)
	vertex := config.Provider{Kind: "vertex", BaseURL: base, Project: "p", Region: "global", Headers: map[string]secret.Text{"Authorization": secret.New("Bearer k")}}
	result, _ := serveImages(t.Context(), t, nil, []string{g.URL + "/a"}, vertex)
	if err := result.Err; err == nil || err.Kind != llm.UnsupportedParameter || !strings.Contains(err.Message, "fetch_images") {
		t.Errorf("%v", err)
	}
	vertex.FetchImages = true
	if _, w := serveImages(t.Context(), t, nil, []string{g.URL + "/a"}, vertex); w.Code != http.StatusOK {
		t.Fatal(w.Code)
	}
	if body := asked.Load().(string); !strings.Contains(body, `"media_type":"image/png"`) {
		t.Error(body)
	}
}

func TestImagesThatCannotBeFetched(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	base, asked := claude(t, 0)
	many := make([]string, maxImages+1)
	for i := range many {
		many[i] = fmt.Sprintf("%s/%d", g.URL, i)
	}
	for name, tt := range map[string]struct {
		addresses []string
		memory    Memory
		kind      llm.Kind
		says      string
	}{
		"a page":      {[]string{g.URL + "/a", g.URL + "/page", g.URL + "/never"}, nil, llm.InvalidValue, "it is no PNG, JPEG, GIF or WebP"},
		"no URL":      {[]string{"cat.png"}, nil, llm.InvalidValue, "its address is no URL"},
		"no base64":   {[]string{"data:image/png,x"}, nil, llm.InvalidValue, "data:"},
		"many":        {many, nil, llm.InvalidValue, "at most 64"},
		"no memory":   {[]string{g.URL + "/a"}, &counted{most: 10}, llm.Overloaded, "short of memory"},
		"a file here": {[]string{"file:///etc/passwd"}, nil, llm.InvalidValue, "no URL"},
	} {
		result, w := serveImages(t.Context(), t, tt.memory, tt.addresses, config.Provider{BaseURL: base, FetchImages: true})
		if result.Err == nil || result.Err.Kind != tt.kind || !strings.Contains(result.Err.Message, tt.says) || tt.kind == llm.InvalidValue && result.Err.Param != "messages[1].content" {
			t.Errorf("%s: %d %+v", name, w.Code, result.Err)
		}
	}
	if asked.Load() != nil {
		t.Error("the model was asked all the same")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&llm.Error{Kind: llm.Timeout, Message: "too late"})
	if result, _ := serveImages(ctx, t, nil, []string{g.URL + "/never"}, config.Provider{BaseURL: base, FetchImages: true}); result.Err == nil || result.Err.Kind != llm.Timeout {
		t.Errorf("%+v", result.Err)
	}
}

// All of a request's images share a bound, and a few are fetched at a time.
func TestManyImages(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	base, _ := claude(t, 0)
	var addresses []string
	for i := range 3 * atOnce {
		addresses = append(addresses, fmt.Sprintf("%s/together/%d", g.URL, i))
	}
	memory := &counted{}
	if result, w := serveImages(t.Context(), t, memory, addresses, config.Provider{BaseURL: base, FetchImages: true}); w.Code != http.StatusOK {
		t.Fatalf("%+v", result.Err)
	}
	if g.most.Load() != atOnce {
		t.Errorf("%d at once", g.most.Load())
	}
	room := &imageRoom{left: 100}
	if room.Grow(101) || !room.spent() || !room.Grow(100) || room.Grow(1) || !room.Grow(-100) || !room.Grow(50) {
		t.Error("the bound does not hold")
	}
}

// An image that is named often is fetched once, but is in the request as often.
func TestImagesNamedOften(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	base, asked := claude(t, 0)
	memory := &counted{}
	var often []string
	for range 10 {
		often = append(often, g.URL+"/large")
	}
	result, w := serveImages(t.Context(), t, memory, often, config.Provider{BaseURL: base, FetchImages: true})
	if result.Err == nil || result.Err.Kind != llm.InvalidValue || !strings.Contains(result.Err.Message, "is one too many") || asked.Load() != nil {
		t.Errorf("%d %+v", w.Code, result.Err)
	}
	if memory.peak > imageBytes {
		t.Errorf("it held %d bytes", memory.peak)
	}
	result, w = serveImages(t.Context(), t, &counted{most: 15 << 20}, often[:2], config.Provider{BaseURL: base, FetchImages: true})
	if result.Err == nil || result.Err.Kind != llm.Overloaded || asked.Load() != nil {
		t.Errorf("without room for the request: %d %+v", w.Code, result.Err)
	}
}

// What is fetched for a batch that failed is given back.
func TestImagesOfAFailedBatch(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	base, _ := claude(t, 0)
	memory := &counted{}
	if result, _ := serveImages(t.Context(), t, memory, []string{g.URL + "/large", g.URL + "/page"}, config.Provider{BaseURL: base, FetchImages: true}); result.Err == nil {
		t.Error("it did not fail")
	}
	if memory.held != 0 {
		t.Errorf("%d bytes are held", memory.held)
	}
}

// gauge is the memory of a request, which a test may look at while it is served.
type gauge struct{ held, peak atomic.Int64 }

// Grow implements Memory.
func (g *gauge) Grow(n int) bool {
	held := g.held.Add(int64(n))
	for peak := g.peak.Load(); held > peak && !g.peak.CompareAndSwap(peak, held); peak = g.peak.Load() {
	}
	return true
}

// Once a stream has begun no other target will be asked, so the images are let go of: it may go on for an hour.
func TestImagesAreDroppedWhenAStreamBegins(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	seen, done := make(chan struct{}), make(chan struct{})
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n, _ := io.Copy(io.Discard, r.Body); n < 8<<20 {
			t.Errorf("asked with %d bytes", n)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"type":"message_start","message":{"id":"msg_1","model":"claude","usage":{"input_tokens":1,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok"}}

`)
		_ = http.NewResponseController(w).Flush()
		<-seen
		_, _ = io.WriteString(w, `data: {"type":"content_block_stop","index":0}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}

data: {"type":"message_stop"}

`)
	}))
	t.Cleanup(up.Close)
	memory := new(gauge)
	req := requestOfImages(t, true, memory, []string{g.URL + "/large"}, config.Provider{BaseURL: up.URL + "/v1", FetchImages: true})
	from, to := io.Pipe()
	go func() {
		defer close(done)
		defer to.Close()
		if result := Serve(t.Context(), piped{httptest.NewRecorder(), to}, req); result.Err != nil {
			t.Error(result.Err)
		}
	}()
	lines := bufio.NewReader(from)
	for line := ""; !strings.Contains(line, `"content":"ok"`); {
		var err error
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if held, peak := memory.held.Load(), memory.peak.Load(); held > 1<<20 || peak < 8<<20 {
		t.Errorf("while the stream goes on %d bytes are held, of %d at most", held, peak)
	}
	close(seen)
	if rest, err := io.ReadAll(lines); err != nil || !strings.HasSuffix(string(rest), "data: [DONE]\n\n") {
		t.Errorf("%q, %v", rest, err)
	}
	<-done
}

// piped is a client that reads what is written at once.
type piped struct {
	*httptest.ResponseRecorder
	to io.Writer
}

// Write implements http.ResponseWriter.
func (p piped) Write(b []byte) (int, error) { return p.to.Write(b) }

// Whether a request could be sent to a target is decided without fetching what it names.
func TestWouldSkipFetchesNothing(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	base, _ := claude(t, 0)
	for name, tt := range map[string]struct {
		fetches bool
		kind    string
		want    route.Skip
	}{
		"fetched":       {true, "anthropic", route.NotSkipped},
		"passed":        {false, "anthropic", route.NotSkipped},
		"cannot be":     {false, "gemini", route.NotSkipped},
		"no such thing": {false, "cohere", route.NotSkipped},
		"bytes alone":   {false, "bedrock", route.Unsendable},
		"its bytes":     {true, "bedrock", route.NotSkipped},
	} {
		req := requestOfImages(t, false, new(counted), []string{g.URL + "/a.png"}, config.Provider{BaseURL: base, Kind: tt.kind, FetchImages: tt.fetches, APIKeys: []secret.Text{secret.New("one-key-of-two")}})
		if got, _ := WouldSkip(req, req.Route.Model, &req.Route.Targets[0], nil); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	if n := g.served.Load(); n != 0 {
		t.Errorf("%d images were fetched", n)
	}
}
