package main

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// ship puts n calls into the server's ledger, a microsecond apart. They began on the first of March.
func (s *adminServer) ship(n int) {
	s.t.Helper()
	shipment := &ledger.Shipment{Instance: "one"}
	for i := range n {
		at := time.Date(2026, 3, 1, 10, 0, 0, i*1000, time.UTC)
		r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(at)}
		r.Intent = ledger.Intent{Request: "0D1JUTABCDEFGH000000000000", Try: 1, Call: i, Started: at, Key: "cfg-ci", Model: "fast", Provider: "p", Upstream: "large", Tags: []ledger.Tag{{Name: "a", Value: "b"}, {Name: "c", Value: "d"}}}
		r.Settlement = ledger.Settlement{Status: 200, Outcome: "ok", Usage: llm.Usage{Fresh: 100, CacheRead: 20, Text: 10, Reasoning: 5}, Cost: 1_500_000, Took: 2 * time.Second}
		if i == 1 {
			r.Key, r.Flags, r.Source = "gone", ledger.Retry, ledger.Counted
		}
		shipment.Rows = append(shipment.Rows, r)
	}
	if err := s.store.Ship(s.t.Context(), shipment); err != nil {
		s.t.Fatal(err)
	}
}

func TestUsage(t *testing.T) {
	s := newAdminServer(t)
	s.ship(3)
	march := []string{"--since", "2026-03-01", "--until", "2026-03-02"}
	weir := func(args ...string) outcome { return s.weir(append(append([]string{"usage"}, args...), march...)...) }
	const head = "|REQUESTS|ATTEMPTS|INPUT|CACHE READ|CACHE WRITE|OUTPUT|REASONING|COST|NOTES\n"
	const span = "From 2026-03-01T00:00:00Z to 2026-03-02T00:00:00Z."
	for args, want := range map[string]string{
		"":         "MODEL" + head + "fast|1|3|360|60|0|45|15|$0.0045|1 estimated\nall|1|3|360|60|0|45|15|$0.0045|1 estimated\n" + span,
		"--by key": "KEY|NAME" + head + "cfg-ci|ci|1|2|240|40|0|30|10|$0.003|-\ngone|-|0|1|120|20|0|15|5|$0.0015|1 estimated\nall|1|3|360|60|0|45|15|$0.0045|1 estimated\n" + span,
		"--key ci": "MODEL" + head + "fast|1|2|240|40|0|30|10|$0.003|-\nall|1|2|240|40|0|30|10|$0.003|-\n" + span,
		"--by team,key,day": "TEAM|TEAM NAME|KEY|NAME|DAY" + head + "-|-|cfg-ci|ci|2026-03-01|1|2|240|40|0|30|10|$0.003|-\n-|-|gone|-|2026-03-01|0|1|120|20|0|15|5|$0.0015|1 estimated\n" +
			"all|1|3|360|60|0|45|15|$0.0045|1 estimated\n" + span,
		"--by tag":         "TAG" + head + "a=b|1|3|360|60|0|45|15|$0.0045|1 estimated\nc=d|1|3|360|60|0|45|15|$0.0045|1 estimated\n" + span,
		"--by key --top 1": "KEY|NAME" + head + "cfg-ci|ci|1|2|240|40|0|30|10|$0.003|-\n" + span,
		"--team cfg-none":  "MODEL" + head + "all|0|0|0|0|0|0|0|$0|-\n" + span,
	} {
		if did := weir(strings.Fields(args)...); did.code != 0 || modelLines(did) != want || did.stderr != "" {
			t.Errorf("%s: %+v\n%s\nwant\n%s", args, did, modelLines(did), want)
		}
	}
	const wantCSV = "key,name,requests,attempts,input_tokens,cache_read_tokens,cache_write_tokens,output_tokens,reasoning_tokens,cost_nanodollars,orphaned,estimated,in_doubt\n" +
		"cfg-ci,ci,1,2,240,40,0,30,10,3000000,0,0,0\ngone,,0,1,120,20,0,15,5,1500000,0,1,0\n"
	if did := weir("--by=key", "--format=csv"); did.code != 0 || did.stdout != wantCSV {
		t.Errorf("%+v", did)
	}
	var page ledger.UsagePage
	did := weir("--by=tag", "--format=json")
	if err := json.Unmarshal([]byte(did.stdout), &page); err != nil || len(page.Data) != 2 || *page.Data[0].Tag != "a=b" || page.Data[0].Cost != 4_500_000 {
		t.Errorf("%v: %+v", err, did)
	}
}

func TestUsageRows(t *testing.T) {
	oneAfterAnother(t)
	s := newAdminServer(t)
	s.ship(2500)
	did := s.weir("usage", "--rows", "--flag", "retry")
	const want = "STARTED|REQUEST|KEY|MODEL|TARGET|OUTCOME|INPUT|OUTPUT|COST|TOOK|FLAGS\n2026-03-01T10:00:00Z|req_0D1JUTABCDEFGH000000000000|gone|fast|p/large|ok|120|15|$0.0015|2s|retry"
	if did.code != 0 || modelLines(did) != want {
		t.Errorf("%+v", did)
	}
	for args, want := range map[string]int{
		"": 100, "--limit 2300": 2300, "--limit 9999": 2500, "--limit 3 --key ci": 3, "--request req_0D1JUTABCDEFGH000000000000 --limit 5": 5, "--model smart": 0, "--since 1h": 0,
	} {
		args = "usage --rows " + args
		records, err := csv.NewReader(strings.NewReader(s.weir(strings.Fields(args + " --format csv")...).stdout)).ReadAll()
		if err != nil || len(records) != want+1 {
			t.Errorf("%s: %d lines, %v", args, len(records), err)
		}
		var rows []admin.Attempt
		if err := json.Unmarshal([]byte(s.weir(strings.Fields(args+" --format json")...).stdout), &rows); err != nil || len(rows) != want {
			t.Errorf("%s: %d rows, %v", args, len(rows), err)
		}
		seen := map[int64]bool{}
		for i := range rows {
			if seen[rows[i].Seq] || i > 0 && rows[i].Seq > rows[i-1].Seq {
				t.Fatalf("%s: row %d is not older than the one before", args, i)
			}
			seen[rows[i].Seq] = true
		}
	}
	records, err := csv.NewReader(strings.NewReader(s.weir("usage", "--rows", "--flag=retry", "--format=csv").stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for i, column := range records[0] {
		got[column] = records[1][i]
	}
	for column, want := range map[string]string{
		"seq": "1772359200000001", "adjusts": "", "reason": "", "key_name": "", "team": "", "tags": "a=b c=d", "status": "200", "flags": "retry", "source": "counted", "input_tokens": "120", "tier": "",
		"cost_nanodollars": "1500000", "cost_source": "price", "price": "", "first_us": "", "took_us": "2000000", "own_us": "0",
	} {
		if got[column] != want {
			t.Errorf("%s: %q, want %q", column, got[column], want)
		}
	}
}

func TestWrongUsage(t *testing.T) {
	oneAfterAnother(t)
	s := newAdminServer(t)
	for args, word := range map[string]string{
		"--by week": "model, key, team, provider, tag, hour, day or month", "--by key,team,tag": "two groupings at most", "--by tag --model x": "only key", "--since soon": "a span before now", "--since 2h --until 3h": "before it begins",
		"--rows --by key": "--by sums", "--top 0x": "--top", "--top 1001": "from 1 to 1000", "--top=-1": "from 1 to 1000", "--rows --top 3": "--rows shows", "--flag retry": "--rows", "--limit 3": "--rows", "--rows --flag odd": "orphaned, cancelled", "--rows --limit=-1": "from 1 on", "--format xml": "xml",
		"--request x": "--rows", "--top 0": "from 1 to 1000", "--rows --limit 0": "from 1 on", "--key=": "names nothing", "--team=": "names nothing", "--model=": "names nothing",
		"--rows --request=": "names nothing", "--rows --key=": "names nothing", "--rows --flag=": "no flag", "--since=": "no time", "--until=": "no time", "--by=": "no grouping", "--rows --since=": "no time",
		"--flag=": "--rows", "--rows --by=": "--by sums",
	} {
		if did := s.weir(append([]string{"usage"}, strings.Fields(args)...)...); did.code != 2 || !strings.Contains(did.stderr, word) || did.stdout != "" {
			t.Errorf("weir usage %s: %+v", args, did)
		}
	}
	if did := s.weir("usage", "--key", "nobody"); did.code != 1 || !strings.Contains(did.stderr, "No key has the id or name") {
		t.Errorf("%+v", did)
	}
}

func TestVerify(t *testing.T) {
	s := newAdminServer(t)
	s.ship(2)
	if did := s.weir("verify"); did.code != 0 || did.stdout != "2 rows were added up and compared with 2 hours, 2 days and 4 tags; 0 rows of the journal were looked for, 0 wait to be shipped. They agree.\n" || did.stderr != "" {
		t.Errorf("%+v", did)
	}
	s.store.Falsify()
	did := s.weir("verify")
	if did.code != 1 || !strings.Contains(did.stdout, "2 lines differ") || !strings.Contains(did.stdout, "the sums say 1 requests, 1 attempts, 120+15 tokens, $0.001500001 (") || did.stderr != "" {
		t.Errorf("%+v", did)
	}
	var v admin.Verification
	did = s.weir("verify", "--format=json")
	if err := json.Unmarshal([]byte(did.stdout), &v); err != nil || did.code != 1 || v.Found != 2 {
		t.Errorf("%v %+v", err, did)
	}
	if diff := cmp.Diff(int64(1), v.Differences[0].Sums.Cost-v.Differences[0].Rows.Cost); diff != "" {
		t.Error(diff)
	}
}

// What callers choose does nothing to a terminal.
func TestTablesObeyNoCaller(t *testing.T) {
	t.Parallel()
	const odd = "a\x1b[2J\nb\u202e"
	var out strings.Builder
	row := admin.Attempt{Key: "k", Model: odd, Provider: "p", Upstream: odd}
	if err := attemptsTable(&out, []admin.Attempt{row}); err != nil {
		t.Error(err)
	}
	tag := odd
	page := ledger.UsagePage{Data: []ledger.UsageRow{{Tag: &tag}}}
	if err := usageTable(&out, []ledger.Grouping{ledger.ByTag}, page, false); err != nil {
		t.Error(err)
	}
	if text := out.String(); strings.ContainsAny(text, "\x1b\u202e") || strings.Count(text, "\n") != 5 || strings.Count(text, "a\ufffd[2J\ufffdb\ufffd") != 3 {
		t.Errorf("%q", text)
	}
}
