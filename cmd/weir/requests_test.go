package main

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// shipRequests puts requests of the first of March into the server's ledger: one that was tried twice and corrected later, and then n plain ones of
// the second of March, a second apart.
func (s *adminServer) shipRequests(n int) {
	s.t.Helper()
	price := money.Plain(3e6, 15e6)
	price.CacheRead, price.Request = 3e5, 500
	usage := llm.Usage{Fresh: 1204, CacheRead: 20_000, Text: 88, Reasoning: 12}
	row := func(at time.Time, id string, call int) ledger.Row {
		r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(at)}
		r.Intent = ledger.Intent{
			Request: id, ClientID: "job-7", Try: call + 1, Call: call, Started: at, Key: "cfg-ci", Model: "smart", Provider: "anthropic", Upstream: "claude-sonnet-4-5", Price: price.ID(),
			Tags: []ledger.Tag{{Name: "job", Value: "nightly"}},
		}
		listed, _ := price.Cost(&usage)
		r.Settlement = ledger.Settlement{Status: 200, Outcome: "ok", Usage: usage, Cost: listed, Listed: listed, UpstreamID: "msg_1", UpstreamModel: "claude-sonnet-4-5-\x1b[2J", First: 301 * time.Millisecond, Took: 812 * time.Millisecond, Own: 80 * time.Microsecond}
		return r
	}
	began := time.Date(2026, 3, 1, 14, 2, 11, 482e6, time.UTC)
	const retried = "0D1JUTABCDEFGH000000000000"
	failed, answered, corrected := row(began, retried, 0), row(began.Add(1200*time.Millisecond), retried, 1), row(began.Add(48*time.Hour), retried, 0)
	failed.Provider, failed.Upstream, failed.Status, failed.Outcome, failed.Usage, failed.Cost, failed.Listed, failed.UpstreamID, failed.UpstreamModel, failed.First = "groq", "llama-3.3-70b", 429, "rate_limited", llm.Usage{}, 0, 0, "", "", 0
	failed.Price = 0
	answered.Flags, answered.CostSource, answered.Cost = ledger.Retry, money.Billed, 9_000_000
	answered.Reason = "vllm/qwen3-32b down\n+2"
	corrected.Adjusts, corrected.Reason, corrected.Flags, corrected.Cost = answered.Seq, "invoice of March", ledger.Adjustment, -1_000_000
	rows := []ledger.Row{failed, answered}
	for i := range n {
		at := began.Add(24*time.Hour + time.Duration(i)*time.Second)
		plain := row(at, requestAt(i), 0)
		if i%2 == 1 {
			plain.Outcome, plain.Status, plain.Source = "server_error", 500, ledger.Counted
		}
		rows = append(rows, plain)
	}
	shipment := &ledger.Shipment{Instance: "one", Rows: append(rows, corrected), Prices: []ledger.PricedAs{{ID: price.ID(), JSON: price.JSON()}}}
	if err := s.store.Ship(s.t.Context(), shipment); err != nil {
		s.t.Fatal(err)
	}
}

// requestAt is the id of the request with a number.
func requestAt(i int) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
	id := []byte("0D1JVT00000000000000000000")
	for at := 20; i > 0; at-- {
		id[at], i = digits[i%32], i/32
	}
	return string(id)
}

func TestRequests(t *testing.T) {
	oneAfterAnother(t)
	s := newAdminServer(t)
	s.shipRequests(3)
	did := s.weir("requests")
	wantGolden(t, "requests.golden", did.stdout+did.stderr)
	did = s.weir("requests", "req_0D1JUTABCDEFGH000000000000")
	wantGolden(t, "request.golden", did.stdout+did.stderr)
	for args, want := range map[string]int{
		"": 4, "--key ci": 4, "--model fast": 0, "--provider groq": 1, "--target groq/llama-3.3-70b": 1, "--status failed": 1, "--outcome rate_limited": 1, "--flag retry": 1, "--tag job=nightly": 4,
		"--slower 2s": 1, "--dearer 0.009": 4, "--dearer 0.2": 0, "--since 2026-03-02": 3, "--until 2026-03-02": 1, "--limit 2": 2,
	} {
		var page admin.RequestPage
		did := s.weir(append([]string{"requests", "--format=json"}, strings.Fields(args)...)...)
		if err := json.Unmarshal([]byte(did.stdout), &page); err != nil || len(page.Data) != want || did.stderr != "" {
			t.Errorf("%s: %d requests, %v: %+v", args, len(page.Data), err, did)
		}
		did = s.weir(append([]string{"requests", "--format=csv"}, strings.Fields(args)...)...)
		if records, err := csv.NewReader(strings.NewReader(did.stdout)).ReadAll(); err != nil || len(records) != want+1 || !strings.Contains(did.stderr, " found.") && want != 2 {
			t.Errorf("%s: %d lines, %v: %+v", args, len(records), err, did)
		}
	}
	var trail admin.Trail
	if err := json.Unmarshal([]byte(s.ok("requests", "--format", "json", "req_0D1JUTABCDEFGH000000000000")), &trail); err != nil || len(trail.Trail) != 3 || trail.Calls != 2 {
		t.Errorf("%+v %v", trail, err)
	}
	if rows := s.ok("requests", "--format", "csv", "req_0D1JUTABCDEFGH000000000000"); strings.Count(rows, "\n") != 4 {
		t.Error(rows)
	}
	if did := s.weir("requests", "req_nobodys"); did.code != 1 || !strings.Contains(did.stderr, "no call of this request") {
		t.Errorf("%+v", did)
	}
}

// A search goes on from page to page, ends, and says where it goes on.
func TestRequestsGoOn(t *testing.T) {
	oneAfterAnother(t)
	s := newAdminServer(t)
	s.shipRequests(2500)
	args, ids := []string{"requests", "--format", "csv", "--limit", "1200"}, map[string]bool{}
	for range 3 {
		did := s.weir(args...)
		records, err := csv.NewReader(strings.NewReader(did.stdout)).ReadAll()
		if err != nil || did.code != 0 {
			t.Fatalf("%v %+v", err, did)
		}
		for _, record := range records[1:] {
			ids[record[0]] = true
		}
		_, cursor, on := strings.Cut(strings.TrimSpace(did.stderr), "--cursor ")
		if !on {
			break
		}
		args = append(args[:5:5], "--cursor", cursor)
	}
	if len(ids) != 2501 {
		t.Errorf("%d requests", len(ids))
	}
	// Where filters admit nothing, many pages are empty.
	if did := s.weir("requests", "--dearer", "5"); did.code != 0 || !strings.HasSuffix(did.stderr, " 0 requests found.\n") {
		t.Errorf("%+v", did)
	}
}

func TestWrongRequests(t *testing.T) {
	oneAfterAnother(t)
	s := newAdminServer(t)
	for args, word := range map[string]string{
		"--status odd": "ok, failed or canceled", "--tag job": "name=value", "--target groq": "provider/model", "--slower soon": "--slower", "--slower=": "--slower", "--dearer much": "--dearer", "--dearer 0": "--dearer",
		"--limit 0": "from 1 on", "--since soon": "a span before now", "--cursor=": "cursor", "--cursor x": "cursor", "--key=": "names nothing", "--outcome=": "names nothing", "--flag odd": "orphaned",
		"--format xml": "xml", "req_1 --key ci": "one request was named", "req_1 --limit 3": "one request was named", "--since 2h --until 3h": "before it begins",
	} {
		if did := s.weir(append([]string{"requests"}, strings.Fields(args)...)...); did.code != 2 || !strings.Contains(did.stderr, word) || did.stdout != "" {
			t.Errorf("weir requests %s: %+v", args, did)
		}
	}
	if did := s.weir("requests", ""); did.code != 2 || !strings.Contains(did.stderr, "empty") {
		t.Errorf("%+v", did)
	}
	if did := s.weir("requests", "--key", "nobody"); did.code != 1 || !strings.Contains(did.stderr, "No key has the id or name") {
		t.Errorf("%+v", did)
	}
}
