package app_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/sim"
)

// onceKey makes a key whose answers are kept for an hour.
func onceKey(t *testing.T, w *apptest.Weir, name string) string {
	t.Helper()
	key := w.NewKey(t, name)
	keepAnswers(t, w, name, time.Hour)
	return key
}

func keepAnswers(t *testing.T, w *apptest.Weir, name string, keep time.Duration) {
	t.Helper()
	if _, err := w.Keys().Update(t.Context(), name, auth.Change{Idempotency: &keep}); err != nil {
		t.Fatal(err)
	}
}

// once is a request with an Idempotency-Key.
func once(t testing.TB, w *apptest.Weir, key, id, path, body string) answer {
	t.Helper()
	return post(t, w, key, path, body, "Idempotency-Key", id)
}

// posted is how many calls an upstream got that a model answers.
func posted(up *apptest.Upstream) (n int) {
	for _, s := range up.Served() {
		if s.Method == http.MethodPost {
			n++
		}
	}
	return n
}

const replayedHeader = "Idempotent-Replayed"

// wantReplay fails unless a is the answer of the first request once more.
func wantReplay(t *testing.T, what string, a, first answer) {
	t.Helper()
	if a.status != first.status || a.body != first.body || a.header.Get(replayedHeader) != "true" || a.header.Get("Content-Type") != first.header.Get("Content-Type") {
		t.Errorf("%s: %d %v %s\nfirst %d %v %s", what, a.status, a.header, a.body, first.status, first.header, first.body)
	}
}

// Every endpoint is asked twice at every dialect, whole and streamed. The second answer is the first one, byte for byte, and makes neither a
// call nor a row.
func TestEveryEndpointRepeatsItsAnswer(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.db")
	w := apptest.StartWith(t, meteredConfig(up, path))
	key := onceKey(t, w, "app")
	n := 0
	for _, in := range table.All() {
		address := addressOf(in)
		for _, k := range meteredKinds {
			model := k.name + "-chats"
			if in.Endpoint == llm.Embeddings {
				model = k.name + "-embeds"
			}
			if in.Endpoint == llm.Embeddings && k.embeds == "" {
				continue
			}
			for form, body := range map[string]string{"whole": meterings[address], "streamed": withStream(in, meterings[address])} {
				if body == "" {
					continue
				}
				named := strings.NewReplacer("%s", model)
				what := form + " " + named.Replace(address) + " " + k.name
				first := once(t, w, key, what, named.Replace(address), named.Replace(body))
				if in.Counting != nil {
					if first.status != http.StatusBadRequest || !strings.Contains(first.body, "idempotency-key") {
						t.Errorf("%s: %d %s", what, first.status, first.body)
					}
					continue
				}
				if n++; first.status != http.StatusOK || first.header.Get(replayedHeader) != "" {
					t.Errorf("%s: %d %v %s", what, first.status, first.header, first.body)
				}
				calls := posted(up)
				wantReplay(t, what, once(t, w, key, what, named.Replace(address), named.Replace(body)), first)
				if now := posted(up); now != calls {
					t.Errorf("%s: a repeat made %d calls", what, now-calls)
				}
				if other := once(t, w, key, what, named.Replace(address), named.Replace(body)+" "); other.status != http.StatusUnprocessableEntity {
					t.Errorf("%s: another body: %d %s", what, other.status, other.body)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d were asked", n)
	}
}

// The same key and body at another path, or with another form of the stream, are another request; another API key's are its own.
func TestRepeatsAreOfOnePathAndKey(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	one, two := onceKey(t, w, "one"), onceKey(t, w, "two")
	const body = `{"model":"m","prompt":"hi","messages":[{"role":"user","content":"hi"}]}`
	first := once(t, w, one, "id", "/v1/chat/completions", body)
	if first.status != 200 {
		t.Fatal(first.body)
	}
	wantReplay(t, "another spelling of the path", once(t, w, one, "id", "/v1//chat/completions/", body), first)
	if a := once(t, w, one, "id", "/v1/completions", body); a.status != 422 || a.code() != "idempotency_mismatch" {
		t.Errorf("another path: %d %s", a.status, a.body)
	}
	if a := once(t, w, two, "id", "/v1/chat/completions", body); a.status != 200 || a.header.Get(replayedHeader) != "" {
		t.Errorf("another key: %d %v", a.status, a.header)
	}
	const google = `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`
	array := once(t, w, one, "array", "/v1beta/models/m:streamGenerateContent", google)
	if a := once(t, w, one, "array", "/v1beta/models/m:streamGenerateContent?alt=sse", google); array.status != 200 || a.status != 422 {
		t.Errorf("%d, %d", array.status, a.status)
	}
}

// Of 200 equal requests at once one reaches the upstream. The others are refused, or get its answer.
func TestOfManyEqualRequestsOneRuns(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"ttft":"100ms"}`))
	w := apptest.StartWith(t, passAll(up, ""))
	key := onceKey(t, w, "app")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	statuses, bodies := map[int]int{}, map[string]int{}
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			a := do(t, client, request(t, "POST", w.URL()+chats, chatBody("m"), "Authorization", "Bearer "+key, "Idempotency-Key", "one"))
			mu.Lock()
			defer mu.Unlock()
			statuses[a.status]++
			if a.status == 200 {
				bodies[a.body]++
			} else if a.code() != "idempotency_in_progress" || a.header.Get("Retry-After") != "1" {
				t.Errorf("%d %v %s", a.status, a.header, a.body)
			}
		})
	}
	all.Wait()
	if posted(up) != 1 || len(bodies) != 1 || statuses[200]+statuses[409] != 200 {
		t.Errorf("%d calls, %d different answers, %v", posted(up), len(bodies), statuses)
	}
	t.Log(statuses)
}

// Two processes share a store: one of them runs a request, the other refuses it meanwhile, and repeats its answer.
func TestProcessesShareIdempotency(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"stalls","times":1},"stall":"headers"}]}`))
	store := "store: sqlite:" + filepath.Join(t.TempDir(), "weir.db") + "\n"
	one, two := apptest.StartWith(t, store+passAll(up, "")), apptest.StartWith(t, store+passAll(up, ""))
	key := onceKey(t, one, "app")
	until(t, "the other process knows the key", func() bool { return once(t, two, key, "x", chats, chatBody("m")).status == 200 })
	ctx, cancel := context.WithCancel(t.Context())
	r := request(t, "POST", one.URL()+chats, chatBody("stalls"), "Authorization", "Bearer "+key, "Idempotency-Key", "id").WithContext(ctx)
	left := make(chan struct{})
	go func() {
		defer close(left)
		if resp, err := http.DefaultClient.Do(r); err == nil {
			_ = resp.Body.Close()
			t.Error("it was answered")
		}
	}()
	served(t, up, func([]sim.Served) bool { return up.Active() > 0 })
	if a := once(t, two, key, "id", chats, chatBody("stalls")); a.status != 409 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := once(t, two, key, "id", chats, chatBody("other")); a.status != 422 {
		t.Errorf("%d %s", a.status, a.body)
	}
	cancel()
	<-left
	var first answer
	until(t, "the claim is released", func() bool {
		first = once(t, one, key, "id", chats, chatBody("stalls"))
		return first.status != 409
	})
	if first.status != 200 || first.header.Get(replayedHeader) != "" {
		t.Fatalf("%d %v %s", first.status, first.header, first.body)
	}
	wantReplay(t, "the other process", once(t, two, key, "id", chats, chatBody("stalls")), first)
}

// A Weir whose clock is far ahead takes no claim of another for expired: those that share a Postgres go by its clock.
func TestClaimsGoByTheDatabasesClock(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"stalls","times":1},"stall":"headers"}]}`))
	store := "store: " + postgres.Database(t) + "\n"
	one, two := apptest.StartWith(t, store+passAll(up, "")), apptest.StartAhead(t, store+passAll(up, ""), 20*time.Hour)
	key := onceKey(t, one, "app")
	logTells(t, two, "the clocks of this Weir and of its database are apart")
	until(t, "the other process knows the key", func() bool { return once(t, two, key, "x", chats, chatBody("m")).status == 200 })
	until(t, "it knows the database's clock", func() bool {
		return strings.Contains(manage(t, two, "GET", "/metrics", "").body, "\nweir_replica_clock_ahead_seconds -7")
	})
	ctx, cancel := context.WithCancel(t.Context())
	r := request(t, "POST", one.URL()+chats, chatBody("stalls"), "Authorization", "Bearer "+key, "Idempotency-Key", "id").WithContext(ctx)
	left := make(chan struct{})
	go func() {
		defer close(left)
		if resp, err := http.DefaultClient.Do(r); err == nil {
			_ = resp.Body.Close()
			t.Error("it was answered")
		}
	}()
	served(t, up, func([]sim.Served) bool { return up.Active() > 0 })
	if a := once(t, two, key, "id", chats, chatBody("stalls")); a.status != 409 {
		t.Errorf("a request that ran was run again: %d %s", a.status, a.body)
	}
	cancel()
	<-left
}

// What is kept, and what is not. The upstream answers the first call of each model so, and the next as usual.
func TestWhichAnswersAreKept(t *testing.T) {
	t.Parallel()
	const refusal = `{"error":{"message":"No.","type":"invalid_request_error","param":null,"code":null}}`
	script := `{"rules":[`
	const unknown = `{"error":{"message":"The model does not exist","type":"invalid_request_error","param":"model","code":"model_not_found"}}`
	kept := map[int]bool{400: true, 404: false, 413: true, 422: true, 401: false, 403: false, 408: false, 429: false, 500: false, 503: false}
	for status := range kept {
		script += fmt.Sprintf(`{"match":{"model":"m%d","times":1},"status":%d,"body":%q},`, status, status, refusal)
	}
	script += fmt.Sprintf(`{"match":{"model":"unknown","times":1},"status":404,"body":%q},`, unknown)
	script += `{"match":{"model":"cut","times":1},"cut":1},{"match":{"model":"broken","times":1},"error_event":1},{"match":{"model":"large"},"huge":1100000}]}`
	up := apptest.NewUpstream(t, []byte(script))
	w := apptest.StartWith(t, strings.Replace(passAll(up, ""), "[\"up/*\"]", "[\"up/*\"], retries: {max_attempts: 1}", 1))
	key := onceKey(t, w, "app")
	for status, keeps := range kept {
		model := fmt.Sprintf("m%d", status)
		first, second := once(t, w, key, model, chats, chatBody(model)), once(t, w, key, model, chats, chatBody(model))
		if first.status == 200 || (second.header.Get(replayedHeader) != "") != keeps {
			t.Errorf("%d: %d %s, then %d %v %s", status, first.status, first.body, second.status, second.header, second.body)
		}
		if keeps {
			wantReplay(t, model, second, first)
		}
	}
	missing := once(t, w, key, "unknown", chats, chatBody("unknown"))
	if missing.status != 404 {
		t.Errorf("%d %s", missing.status, missing.body)
	}
	wantReplay(t, "a model that the provider lacks", once(t, w, key, "unknown", chats, chatBody("unknown")), missing)
	for model, body := range map[string]string{"cut": streamBody("cut"), "broken": streamBody("broken"), "large": chatBody("large")} {
		run := func() answer {
			return post(t, w, key, chats, body, "Idempotency-Key", model, "Accept-Encoding", "identity")
		}
		run()
		calls := posted(up)
		if a := run(); a.status != 200 || a.header.Get(replayedHeader) != "" || posted(up) != calls+1 {
			t.Errorf("%s: %d %v, %d calls", model, a.status, a.header, posted(up)-calls)
		}
	}
	logTells(t, w, `"idempotency":"too_large"`, `"idempotency":"not_final"`, `"idempotency":"kept"`, `"idempotency":"replayed"`)
	until(t, "the metrics count what became of the requests", func() bool {
		figures := manage(t, w, "GET", "/metrics", "").body
		return strings.Contains(figures, `weir_idempotent_requests_total{outcome="too_large"} 2`) && strings.Contains(figures, `weir_idempotent_requests_total{outcome="replayed"} 4`)
	})
}

// A client that leaves amid a stream, and sends the request again, has it run again.
func TestAStreamThatItsClientLeftRunsAgain(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"m","times":1},"stall":3}]}`))
	w := apptest.StartWith(t, passAll(up, ""))
	key := onceKey(t, w, "app")
	ctx, cancel := context.WithCancel(t.Context())
	r := request(t, "POST", w.URL()+chats, streamBody("m"), "Authorization", "Bearer "+key, "Idempotency-Key", "id").WithContext(ctx)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if a := once(t, w, key, "id", chats, streamBody("m")); a.status != 409 {
		t.Errorf("%d %s", a.status, a.body)
	}
	cancel()
	_, err = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var again answer
	until(t, "the claim is released", func() bool {
		again = once(t, w, key, "id", chats, streamBody("m"))
		return again.status != 409
	})
	if again.status != 200 || again.header.Get(replayedHeader) != "" || !strings.HasSuffix(again.body, "data: [DONE]\n\n") {
		t.Errorf("%d %v %s", again.status, again.header, again.body)
	}
	wantReplay(t, "a third time", once(t, w, key, "id", chats, streamBody("m")), again)
}

// The first caller takes gzip, and a later one does not.
func TestAKeptAnswerIsUnpackedForCallersWithoutGzip(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"m"},"huge":100000}]}`))
	w := apptest.StartWith(t, passAll(up, ""))
	key := onceKey(t, w, "app")
	with := func(encoding string) answer {
		return post(t, w, key, chats, chatBody("m"), "Idempotency-Key", "id", "Accept-Encoding", encoding)
	}
	packed, again, plain := with("gzip"), with("gzip"), with("identity")
	wantReplay(t, "packed", again, packed)
	z, err := gzip.NewReader(strings.NewReader(packed.body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil || len(text) < 100_000 || !bytes.Equal(text, []byte(plain.body)) || plain.header.Get("Content-Encoding") != "" || plain.header.Get(replayedHeader) != "true" {
		t.Errorf("%v, %d and %d bytes, %v", err, len(text), len(plain.body), plain.header)
	}
}

// A repeat takes nothing of limits and budgets, and is answered though they are used up.
func TestRepeatsTakeNothingOfLimitsAndBudgets(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, fmt.Sprintf("providers:\n  up: {kind: openai, base_url: %q}\nmodels:\n  m: {targets: [{provider: up, model: m, price: {input: 1, output: 1}}]}\n", up.URL()))
	key := onceKey(t, w, "app")
	first := once(t, w, key, "id", chats, chatBody("m"))
	if first.status != 200 {
		t.Fatal(first.body)
	}
	if a := manage(t, w, "PATCH", "/admin/v1/keys/app", `{"rpm":1,"tpm":1,"budgets":["1tok/total"]}`); a.status != 200 {
		t.Fatal(a.body)
	}
	for range 3 {
		wantReplay(t, "repeat", once(t, w, key, "id", chats, chatBody("m")), first)
	}
	if a := once(t, w, key, "new", chats, chatBody("m")); a.status != 429 && a.status != 400 {
		t.Errorf("a new one: %d %s", a.status, a.body)
	}
	if a := manage(t, w, "PATCH", "/admin/v1/keys/app", `{"rpm":null,"tpm":null,"budgets":null}`); a.status != 200 {
		t.Fatal(a.body)
	}
	if a := once(t, w, key, "new", chats, streamBody("m")); a.status != 200 || a.header.Get(replayedHeader) != "" {
		t.Errorf("a request that a limit refused left a claim: %d %s", a.status, a.body)
	}
}

// A key that is revoked, or may not use the model any more, or whose answers are not kept any more, gets no kept answer.
func TestRepeatsAreLetInAsRequestsAre(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.yaml")
	rewrite(t, path, passAll(up, ""))
	w := apptest.Start(t, path)
	key := onceKey(t, w, "app")
	first := once(t, w, key, "id", chats, chatBody("m"))
	again := func() answer { return once(t, w, key, "id", chats, chatBody("m")) }
	if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 200 {
		t.Fatal(a.body)
	}
	wantReplay(t, "after a reload", again(), first)
	for _, step := range []struct {
		change string
		status int
		code   string
	}{
		{`{"models":["other"]}`, 404, "model_not_found"},
		{`{"models":null}`, 200, ""},
		{`{"idempotency":null}`, 400, "unsupported_header"},
		{`{"idempotency":"2h"}`, 200, ""},
	} {
		if a := manage(t, w, "PATCH", "/admin/v1/keys/app", step.change); a.status != 200 {
			t.Fatal(a.body)
		}
		if a := again(); a.status != step.status || a.code() != step.code {
			t.Errorf("%s: %d %s", step.change, a.status, a.body)
		}
	}
	rewrite(t, path, passAll(up, "")+"headers: {weir: false}\n")
	if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 200 {
		t.Fatal(a.body)
	}
	if a := again(); first.header.Get("Weir-Provider") == "" || a.header.Get("Weir-Provider") != "" {
		t.Errorf("%v, then %v", first.header, a.header)
	}
	if a := manage(t, w, "DELETE", "/admin/v1/keys/app", ""); a.status != 200 {
		t.Fatal(a.body)
	}
	if a := again(); a.status != 401 {
		t.Errorf("revoked: %d %s", a.status, a.body)
	}
	if calls := posted(up); calls != 1 {
		t.Errorf("%d calls", calls)
	}
}

func TestHostileIdempotencyKeys(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	key, plain := onceKey(t, w, "app"), w.NewKey(t, "plain")
	for name, value := range map[string]string{"empty": "", "too long": strings.Repeat("x", 256), "not ASCII": "sch\u00fcssel", "a tab": "a\tb", "Latin 1": "\xe4"} {
		if a := once(t, w, key, value, chats, chatBody("m")); a.status != 400 || a.code() != "invalid_value" || !strings.Contains(a.body, `"param":"idempotency-key"`) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	twice := request(t, "POST", w.URL()+chats, chatBody("m"), "Authorization", "Bearer "+key)
	twice.Header["Idempotency-Key"] = []string{"a", "a"}
	if a := do(t, http.DefaultClient, twice); a.status != 400 {
		t.Errorf("twice: %d %s", a.status, a.body)
	}
	if a := once(t, w, plain, "id", chats, chatBody("m")); a.status != 400 || a.code() != "unsupported_header" || !strings.Contains(a.body, "--idempotency") {
		t.Errorf("a key without it: %d %s", a.status, a.body)
	}
	for _, path := range []string{"/v1/models", "/v1/usage"} {
		if a := get(t, w, key, path, "Idempotency-Key", "id"); a.status != 400 || a.code() != "unsupported_header" {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if posted(up) != 0 {
		t.Error("it was run")
	}
	for _, value := range []string{strings.Repeat("x", 255), " a b ", `"quoted"`, "';DROP TABLE idempotent;--", "../..", "~!"} {
		first := once(t, w, key, value, chats, chatBody("m"))
		if first.status != 200 {
			t.Errorf("%q: %d %s", value, first.status, first.body)
		}
		wantReplay(t, value, once(t, w, key, value, chats, chatBody("m")), first)
	}
}

// The store is locked by another process. A request with an Idempotency-Key is refused before it is run; one without is served.
func TestALockedStoreRefusesIdempotency(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	path := filepath.Join(t.TempDir(), "weir.db")
	w := apptest.StartWith(t, "store: sqlite:"+path+"\n"+passAll(up, ""))
	key := onceKey(t, w, "app")
	first := once(t, w, key, "before", chats, chatBody("m"))
	unlock := lockStore(t, path)
	calls := posted(up)
	a := once(t, w, key, "new", chats, chatBody("m"))
	if a.status != 503 || a.code() != "idempotency_unavailable" || a.header.Get("Retry-After") != "1" || posted(up) != calls {
		t.Errorf("%d %v %s, %d calls", a.status, a.header, a.body, posted(up)-calls)
	}
	wantReplay(t, "readers do not wait", once(t, w, key, "before", chats, chatBody("m")), first)
	if a := post(t, w, key, chats, chatBody("m")); a.status != 200 {
		t.Errorf("without the header: %d %s", a.status, a.body)
	}
	unlock()
	if a := once(t, w, key, "new", chats, chatBody("m")); a.status != 200 || a.header.Get(replayedHeader) != "" {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// The store is locked while a request runs. Its caller gets the answer, and a repeat is refused rather than run.
func TestAnAnswerThatCannotBeStoredIsNotRunAgain(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"m","times":1},"latency":"1s"}]}`))
	path := filepath.Join(t.TempDir(), "weir.db")
	w := apptest.StartWith(t, "store: sqlite:"+path+"\n"+passAll(up, ""))
	key := onceKey(t, w, "app")
	answered := make(chan answer, 1)
	go func() { answered <- once(t, w, key, "id", chats, chatBody("m")) }()
	served(t, up, func([]sim.Served) bool { return calls(up, "m") == 1 })
	unlock := lockStore(t, path)
	if a := <-answered; a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	unlock()
	if a := once(t, w, key, "id", chats, chatBody("m")); a.status != 409 || a.header.Get("X-Should-Retry") != "false" || a.header.Get("Retry-After") != "" {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	if a := once(t, w, key, "other", chats, chatBody("m")); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	logTells(t, w, `"idempotency":"not_stored"`, "what became of a request with an Idempotency-Key could not be stored")
}
