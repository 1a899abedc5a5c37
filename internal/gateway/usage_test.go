package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/logging/logtest"
	"github.com/weirproxy/weir/internal/store/storetest"
)

// bounded fails unless it hears how many lines an answer may have.
type bounded struct{ of Usage }

// Usage implements Usage.
func (b bounded) Usage(ctx context.Context, q *ledger.UsageQuery) ([]ledger.UsageLine, error) {
	if q.Most != ledger.MostLines {
		return nil, errors.New("any number of lines")
	}
	return b.of.Usage(ctx, q)
}

// A caller sees what its own key used, and nothing of others.
func TestCallersSeeTheirOwnUsage(t *testing.T) {
	t.Parallel()
	db, now := new(storetest.Memory), time.Now()
	var rows []ledger.Row
	for i, key := range []string{"mine", "other", "mine"} {
		at := now.Add(time.Duration(i-10) * time.Second)
		r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(at)}
		r.Intent = ledger.Intent{Started: at, Key: key, Model: "m", Provider: "p", Upstream: "u"}
		r.Settlement = ledger.Settlement{Usage: llm.Usage{Fresh: 10, Text: 1}, Cost: 7}
		rows = append(rows, r)
	}
	if err := db.Ship(t.Context(), &ledger.Shipment{Instance: "one", Rows: rows}); err != nil {
		t.Fatal(err)
	}
	var log logtest.Buffer
	g := newGateway(&log, func(key string) (*auth.Principal, *llm.Error) {
		if key == "" {
			return nil, &llm.Error{Kind: llm.MissingKey, Message: "no key"}
		}
		return &auth.Principal{KeyID: key}, nil
	}, nil)
	g.usage = bounded{db}
	server := httptest.NewServer(g)
	defer server.Close()
	get := func(method, path, key string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(body)
	}
	const figures = `"requests":2,"attempts":2,"input_tokens":20,"cache_read_tokens":0,"cache_write_tokens":0,"output_tokens":2,"reasoning_tokens":0,"cost_nanodollars":14,"orphaned":0,"estimated":0,"in_doubt":0}`
	for _, tt := range []struct {
		method, path, key string
		status            int
		want              string
	}{
		{"GET", "/v1/usage", "mine", 200, `{"data":[{"model":"m",` + figures + `],"next":null,"since":"`},
		{"GET", "/usage?by=model&since=7d", "mine", 200, `{"data":[{"model":"m",` + figures},
		{"GET", "/v1/usage?since=1h", "nobody", 200, `{"data":[],`},
		{"GET", "/v1/usage", "", 401, `"code":"missing_api_key"`},
		{"POST", "/v1/usage", "mine", 405, "GET, HEAD"},
		{"GET", "/v1/usage?by=key", "mine", 400, `"key\" is no grouping: by is model or day.","type":"invalid_request_error","param":"by"`},
		{"GET", "/v1/usage?key=other", "mine", 400, `"param":"key"`},
		{"GET", "/v1/usage?since=1h&since=2h", "mine", 400, `"since\" is given twice.`},
		{"GET", "/v1/usage?since=1h&until=2h", "mine", 400, `"param":"until"`},
	} {
		if status, body := get(tt.method, tt.path, tt.key); status != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s %s of %q: %d %s", tt.method, tt.path, tt.key, status, body)
		}
	}
	if _, body := get("GET", "/v1/usage?by=day&since=1w", "mine"); !strings.Contains(body, `{"day":"20`) || !strings.Contains(body, `"cost_nanodollars":`) {
		t.Error(body)
	}
	db.Fail(ledger.ErrTooLong)
	if status, body := get("GET", "/v1/usage", "mine"); status != 503 || !strings.Contains(body, "Ask for a shorter span") {
		t.Errorf("%d %s", status, body)
	}
	db.Fail(ledger.ErrTooManyLines)
	if status, body := get("GET", "/v1/usage?by=model,day", "mine"); status != 400 || !strings.Contains(body, "Ask for a shorter span") {
		t.Errorf("%d %s", status, body)
	}
	db.Fail(errors.New("a secret of the disk"))
	if status, body := get("GET", "/v1/usage", "mine"); status != 500 || strings.Contains(body, "secret of the disk") {
		t.Errorf("%d %s", status, body)
	}
	server.Close() // every request is logged when it returns
	if !strings.Contains(log.String(), "a secret of the disk") || !strings.Contains(log.String(), `"endpoint":"usage"`) {
		t.Error(log.String())
	}
}
