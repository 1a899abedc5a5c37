package admin_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/secret"
)

// ship puts calls of an hour ago into the ledger: the first is of the key of the config, the second is another call of the same request.
func (s *server) ship() []ledger.Row {
	s.t.Helper()
	row := func(minute int) ledger.Row {
		at := start.Add(-time.Hour + time.Duration(minute)*time.Minute)
		r := ledger.Row{Instance: "one", Seq: ledger.SeqAt(at)}
		r.Intent = ledger.Intent{
			Request: "0D1JUTABCDEFGH000000000000", Try: 1, Started: at, Key: "cfg-ci", Model: "fast", Provider: "p", Upstream: "vendor/large", Price: 0xab, Hold: 90,
			Tags: []ledger.Tag{{Name: "job", Value: "nightly"}},
		}
		r.Settlement = ledger.Settlement{
			Status: 200, Outcome: "ok", Usage: llm.Usage{Fresh: 100, CacheRead: 20, CacheWrite: 2, CacheWrite1h: 1, Text: 10, Reasoning: 5}, Cost: 1<<53 - 1, Listed: 60,
			UpstreamID: "up-1", First: time.Second, Took: 2 * time.Second, Own: 80 * time.Microsecond,
		}
		return r
	}
	rows := []ledger.Row{row(0), row(1), row(2)}
	rows[1].Call, rows[1].Try, rows[1].Flags, rows[1].Source, rows[1].Status, rows[1].Cost = 1, 2, ledger.Retry|ledger.InDoubt, ledger.Counted, 0, 5
	rows[2].Key, rows[2].Team, rows[2].Model, rows[2].Cost, rows[2].Request = "gone", "cfg-filed", "smart", 7, "0D1JUTABCDEFGH000000000004"
	if err := s.store.Ship(s.t.Context(), &ledger.Shipment{Instance: "one", Rows: rows}); err != nil {
		s.t.Fatal(err)
	}
	return rows
}

func TestUsage(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	const empty = `{"data":[],"next":null,"since":"2026-02-28T12:00:00Z","until":"2026-03-01T12:00:00Z"}` + "\n"
	if got := s.do("GET", "/admin/v1/usage", ""); got.status != 200 || got.body != empty {
		t.Errorf("%d %s", got.status, got.body)
	}
	s.ship()
	const two = `"requests":1,"attempts":2,"input_tokens":246,"cache_read_tokens":40,"cache_write_tokens":6,"output_tokens":30,"reasoning_tokens":10,"cost_nanodollars":1000000000000005,"orphaned":0,"estimated":1,"in_doubt":1}`
	const one = `"requests":1,"attempts":1,"input_tokens":123,"cache_read_tokens":20,"cache_write_tokens":3,"output_tokens":15,"reasoning_tokens":5,"cost_nanodollars":7,"orphaned":0,"estimated":0,"in_doubt":0}`
	const three = `"requests":2,"attempts":3,"input_tokens":369,"cache_read_tokens":60,"cache_write_tokens":9,"output_tokens":45,"reasoning_tokens":15,"cost_nanodollars":1000000000000012,"orphaned":0,"estimated":1,"in_doubt":1}`
	for path, want := range map[string]string{
		"": `[{"model":"fast",` + two + `,{"model":"smart",` + one + `]`,
		"?by=model&until=2026-03-01T12:00:00Z&since=1h": `[{"model":"fast",` + two + `,{"model":"smart",` + one + `]`,
		"?by=key":                     `[{"key":"cfg-ci","name":"ci",` + two + `,{"key":"gone","name":"",` + one + `]`,
		"?by=team":                    `[{"team":"","name":"",` + two + `,{"team":"cfg-filed","name":"filed",` + one + `]`,
		"?by=provider&model=smart":    `[{"provider":"p",` + one + `]`,
		"?by=day&key=ci":              `[{"day":"2026-03-01",` + two + `]`,
		"?by=day&key=cfg-ci":          `[{"day":"2026-03-01",` + two + `]`,
		"?by=tag&key=cfg-ci":          `[{"tag":"job=nightly",` + two + `]`,
		"?by=key&team=cfg-other":      `[]`,
		"?by=model&team=filed":        `[{"model":"smart",` + one + `]`,
		"?until=2026-03-01T11:00:00Z": `[]`,
		"?by=key,team":                `[{"key":"cfg-ci","team":"","name":"ci","team_name":"",` + two + `,{"key":"gone","team":"cfg-filed","name":"","team_name":"filed",` + one + `]`,
		"?by=team,key,hour&top=1":     `[{"key":"cfg-ci","team":"","name":"ci","team_name":"","hour":"2026-03-01T11:00:00Z",` + two + `]`,
		"?by=month":                   `[{"month":"2026-03",` + three + `]`,
		"?by=day,model&model=smart":   `[{"model":"smart","day":"2026-03-01",` + one + `]`,
		"?by=tag,key,day&key=ci":      `[{"key":"cfg-ci","name":"ci","tag":"job=nightly","day":"2026-03-01",` + two + `]`,
		"?by=hour&format=json":        `[{"hour":"2026-03-01T11:00:00Z",` + three + `]`,
	} {
		got := s.do("GET", "/admin/v1/usage"+path, "")
		if got.status != 200 || !strings.HasPrefix(got.body, `{"data":`+want+`,"next":null,`) {
			t.Errorf("%s: %d %s\nwant %s", path, got.status, got.body, want)
		}
	}
}

// Lists can be had as CSV, whose columns are the members of the lines. Another page of it is found, too.
func TestCSV(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(o *admin.Options) {
		o.Models = func(*auth.Principal) []admin.Model {
			return []admin.Model{{ID: "fast", Targets: []admin.ModelTarget{{Target: "p/large"}}, Fallbacks: []admin.Fallback{}}}
		}
	})
	s.ship()
	for path, want := range map[string]string{
		"usage?by=key,day": "key,name,day,requests,attempts,input_tokens,cache_read_tokens,cache_write_tokens,output_tokens,reasoning_tokens,cost_nanodollars,orphaned,estimated,in_doubt\n" +
			"cfg-ci,ci,2026-03-01,1,2,246,40,6,30,10,1000000000000005,0,1,1\ngone,,2026-03-01,1,1,123,20,3,15,5,7,0,0,0\n",
		"usage?until=2026-03-01T11:00:00Z": "requests,attempts,input_tokens,cache_read_tokens,cache_write_tokens,output_tokens,reasoning_tokens,cost_nanodollars,orphaned,estimated,in_doubt\n",
		"attempts?limit=1&key=ci": "seq,instance,adjusts,reason,request,client_id,try,call,started,key,key_name,team,tags,model,provider,upstream,upstream_model,upstream_id,credential,status,outcome,flags,source," +
			"input_tokens,audio_input_tokens,image_input_tokens,cache_read_tokens,cache_write_tokens,cache_write_1h_tokens,output_tokens,reasoning_tokens,audio_output_tokens,image_output_tokens," +
			"searches,tier,cost_nanodollars,cost_source,listed_nanodollars,held_nanodollars,price,first_us,took_us,own_us,skipped\n" +
			"1772362860000000,one,,,req_0D1JUTABCDEFGH000000000000,,2,1,2026-03-01T11:01:00Z,cfg-ci,ci,,job=nightly,fast,p,vendor/large,,up-1,0,,ok,in_doubt retry,counted,123,0,0,20,3,1,15,5,0,0,0,,5,price,60,90,00000000000000ab,1000000,2000000,80,\n",
	} {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		got := s.do("GET", "/admin/v1/"+path+separator+"format=csv", "")
		if got.status != 200 || got.header.Get("Content-Type") != "text/csv; charset=utf-8" || got.body != want {
			t.Errorf("%s: %d %v\n%s\nwant\n%s", path, got.status, got.header, got.body, want)
		}
		if next := got.header.Get("Weir-Next"); (next != "") != strings.HasPrefix(path, "attempts") {
			t.Errorf("%s: next is %q", path, next)
		}
	}
	for path, want := range map[string]string{"models": `[{"target":"p/large"`, "keys": "cfg-ci,ci,", "teams": "cfg-filed,filed,"} {
		if got := s.do("GET", "/admin/v1/"+path+"?format=csv", ""); got.status != 200 || !strings.Contains(strings.ReplaceAll(got.body, `""`, `"`), want) {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	rows := s.ship()
	client := &admin.Client{BaseURL: s.URL, Token: secret.New(token)}
	seqs := func(query string) (all []int64) {
		t.Helper()
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		for {
			page, next, err := client.Attempts(t.Context(), values)
			if err != nil {
				t.Fatal(err)
			}
			for i := range page {
				all = append(all, page[i].Seq)
			}
			if next == nil {
				return all
			}
			values.Set("cursor", *next)
		}
	}
	one, two, three := int64(rows[0].Seq), int64(rows[1].Seq), int64(rows[2].Seq)
	for query, want := range map[string][]int64{
		"": {three, two, one}, "limit=1": {three, two, one}, "key=ci&limit=1": {two, one}, "key=cfg-ci": {two, one}, "team=filed": {three}, "model=smart": {three}, "flag=in_doubt": {two},
		"request=req_0D1JUTABCDEFGH000000000000": {two, one}, "request=0D1JUTABCDEFGH000000000004": {three}, "since=2026-03-01T11:01:00Z": {three, two},
		"since=2026-03-01&until=2026-03-01T11:01:00Z": {one}, "flag=absurd": nil, "key=cfg-nobody": nil,
	} {
		if diff := cmp.Diff(want, seqs(query)); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	got := s.do("GET", "/admin/v1/attempts?flag=retry", "")
	var page struct{ Data []json.RawMessage }
	if err := json.Unmarshal([]byte(got.body), &page); err != nil || len(page.Data) != 1 {
		t.Fatal(err, got.body)
	}
	const want = `{"seq":1772362860000000,"instance":"one","adjusts":null,"reason":null,"request":"req_0D1JUTABCDEFGH000000000000","client_id":null,"try":2,"call":1,"started":"2026-03-01T11:01:00Z",` +
		`"key":"cfg-ci","key_name":"ci","team":null,"tags":["job=nightly"],"model":"fast","provider":"p","upstream":"vendor/large","upstream_model":null,"upstream_id":"up-1","credential":0,` +
		`"status":null,"outcome":"ok","flags":["in_doubt","retry"],"source":"counted","input_tokens":123,"audio_input_tokens":0,"image_input_tokens":0,"cache_read_tokens":20,` +
		`"cache_write_tokens":3,"cache_write_1h_tokens":1,"output_tokens":15,"reasoning_tokens":5,"audio_output_tokens":0,"image_output_tokens":0,"searches":0,"tier":null,` +
		`"cost_nanodollars":5,"cost_source":"price","listed_nanodollars":60,"held_nanodollars":90,"price":"00000000000000ab","first_us":1000000,"took_us":2000000,"own_us":80,"skipped":[]}`
	if string(page.Data[0]) != want {
		t.Errorf("got  %s\nwant %s", page.Data[0], want)
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	s.ship()
	ids := func(query string) (ids string) {
		t.Helper()
		var page struct {
			Data []admin.Request `json:"data"`
			Next *string         `json:"next"`
			Upto *string         `json:"searched_until"`
		}
		for {
			wantOK(t, s.do("GET", "/admin/v1/requests?"+query, ""), &page)
			for _, r := range page.Data {
				ids += fmt.Sprint(strings.TrimLeft(r.Request[20:], "0"), " ", r.Calls, " ", r.Cost, " ", r.Status, ", ")
			}
			if page.Next == nil {
				return ids
			}
			query = strings.Split(query, "&cursor")[0] + "&cursor=" + *page.Next
			page.Data = nil
		}
	}
	const first, second = " 2 1000000000000005 ok, ", "4 1 7 ok, "
	s.store.Falsify() // sums are not asked
	for query, want := range map[string]string{
		"": second + first, "limit=1": second + first, "key=ci": first, "team=filed": second, "model=smart": second, "provider=p&limit=1": second + first, "provider=q": "", "target=p/vendor/large": second + first, "target=p/vendor": "", "outcome=ok": second + first,
		"status=failed": "", "status=ok": second + first, "flag=in_doubt": first, "flag=cut": "", "tag=job=nightly": second + first, "tag=job=daily": "", "min_took=3s": first, "min_took=1h": "",
		"min_cost_nanodollars=8": first, "since=2026-03-01T11:01:00Z": second, "until=2026-03-01T11:01:00Z": first, "since=30m": "",
	} {
		if got := ids(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	got := s.do("GET", "/admin/v1/requests/req_0D1JUTABCDEFGH000000000000", "")
	const want = `{"request":"req_0D1JUTABCDEFGH000000000000","client_id":null,"started":"2026-03-01T11:00:00Z","key":"cfg-ci","key_name":"ci","team":null,"tags":["job=nightly"],"model":"fast","provider":"p",` +
		`"upstream":"vendor/large","upstream_status":200,"outcome":"ok","status":"ok","attempts":2,"calls":2,"flags":["in_doubt","retry"],"input_tokens":246,"cache_read_tokens":40,"cache_write_tokens":6,` +
		`"output_tokens":30,"reasoning_tokens":10,"cost_nanodollars":1000000000000005,"estimated":true,"first_us":1000000,"took_us":62000000,"own_us":80,"trail":[{"seq":1772362800000000,"instance":"one",`
	if got.status != 200 || !strings.HasPrefix(got.body, want) || strings.Count(got.body, `"seq":`) != 2 {
		t.Errorf("%d %s\nwant %s", got.status, got.body, want)
	}
	if csv := s.do("GET", "/admin/v1/requests?limit=1&format=csv", ""); csv.status != 200 || !strings.HasPrefix(csv.body, "request,client_id,started,key,key_name,team,tags,model,") || csv.header.Get("Weir-Next") == "" {
		t.Errorf("%+v", csv)
	}
	wantError(t, s.do("GET", "/admin/v1/requests/req_nobodys", ""), 404, "not_found", "", "no call of this request")
}

func TestLatency(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	const none = `{"data":[],"next":null,"since":"2026-02-28T12:00:00Z","until":"2026-03-01T12:00:00Z","within":1.6}` + "\n"
	if got := s.do("GET", "/admin/v1/latency", ""); got.status != 200 || got.body != none {
		t.Errorf("%d %s", got.status, got.body)
	}
	s.ship() // three calls, of which each had its first content after a second and took two
	const first, took = `"first":{"calls":3,"p50_us":1116691,"p90_us":1322849,"p95_us":1348619,"p99_us":1369235}`, `"took":{"calls":3,"p50_us":1786706,"p90_us":2116559,"p95_us":2157791,"p99_us":2190776}`
	two := strings.ReplaceAll(`"calls":3,"failed":0,`+first+`,`+took, `"calls":3`, `"calls":2`)
	one := strings.ReplaceAll(two, `"calls":2`, `"calls":1`)
	for path, want := range map[string]string{
		"":                        `[{"target":"p/vendor/large","calls":3,"failed":0,` + first + `,` + took + `}]`,
		"?target=p/vendor/large":  `[{"target":"p/vendor/large","calls":3,"failed":0,` + first + `,` + took + `}]`,
		"?by=hour":                `[{"at":"2026-03-01T11:00:00Z","calls":3,"failed":0,` + first + `,` + took + `}]`,
		"?by=model,target":        `[{"model":"fast","target":"p/vendor/large",` + two + `},{"model":"smart","target":"p/vendor/large",` + one + `}]`,
		"?by=target,hour,model":   `[{"model":"fast","target":"p/vendor/large","at":"2026-03-01T11:00:00Z",` + two + `},{"model":"smart","target":"p/vendor/large","at":"2026-03-01T11:00:00Z",` + one + `}]`,
		"?by=all":                 `[{"calls":3,"failed":0,` + first + `,` + took + `}]`,
		"?by=provider,day":        `[{"provider":"p","at":"2026-03-01T00:00:00Z","calls":3,"failed":0,` + first + `,` + took + `}]`,
		"?target=p/vendor/small":  `[]`,
		"?model=none":             `[]`,
		"?by=5m&provider=p":       `[{"at":"2026-03-01T11:00:00Z","calls":3,"failed":0,"first":{"calls":0,"p50_us":null,"p90_us":null,"p95_us":null,"p99_us":null},"took":{"calls":0,"p50_us":null,"p90_us":null,"p95_us":null,"p99_us":null}}]`,
		"?by=model&model=nothing": `[]`,
	} {
		if got := s.do("GET", "/admin/v1/latency"+path, ""); got.status != 200 || !strings.HasPrefix(got.body, `{"data":`+want+`,"next":null,`) {
			t.Errorf("%s: %d %s\nwant %s", path, got.status, got.body, want)
		}
	}
	for by, wide := range map[string]string{"5m": `"since":"2026-03-01T11:00:00Z","until":"2026-03-01T11:15:00Z"`, "hour": `"since":"2026-03-01T11:00:00Z","until":"2026-03-01T12:00:00Z"`} {
		if got := s.do("GET", "/admin/v1/latency?since=2026-03-01T11:02:03Z&until=2026-03-01T11:13:00Z&by="+by, ""); !strings.Contains(got.body, wide) {
			t.Errorf("%s: %s", by, got.body)
		}
	}
}

// bounded are reports that fail without a bound of lines.
type bounded struct{ ledger.Reports }

// Speeds implements ledger.Reports.
func (b bounded) Speeds(ctx context.Context, q *ledger.SpeedQuery) ([]ledger.SpeedLine, error) {
	if q.Most == 0 {
		return nil, errors.New("any number of lines")
	}
	return b.Reports.Speeds(ctx, q)
}

// A report of speeds has a bounded number of lines, however many targets and hours there are.
func TestSpeedsAreBounded(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(o *admin.Options) { o.Reports = bounded{o.Reports} })
	for _, by := range []string{"target", "target,hour", "model,day", "5m"} {
		if got := s.do("GET", "/admin/v1/latency?by="+by, ""); got.status != 200 {
			t.Errorf("%s: %d %s", by, got.status, got.body)
		}
	}
}

func TestWrongQuestions(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	s.ship()
	cursor := ledger.Place{Seq: 5, Instance: "one"}.Cursor()
	for path, want := range map[string][2]string{
		"usage?by=week":                   {"by", "model, key, team, provider, tag, hour, day or month"},
		"usage?by=key,week":               {"by", "model, key"},
		"usage?by=key,":                   {"by", "no grouping"},
		"usage?by=key,key":                {"by", "twice"},
		"usage?by=key,day,hour":           {"by", "one grouping of time"},
		"usage?by=key,team,model":         {"by", "two groupings at most"},
		"usage?by=tag,model":              {"by", "only key"},
		"usage?by=tag,hour":               {"by", "day and month"},
		"usage?by=hour&since=400d":        {"since", "31 days at most"},
		"usage?by=month&since=1980-01-01": {"since", "10 years at most"},
		"usage?format=xml":                {"format", "json or csv"},
		"requests/x?format=csv":           {"format", "no parameter"},
		"usage?by=":                       {"by", "model, key"},
		"usage?by=tag&model=fast":         {"by", "only key"},
		"usage?since=yesterday":           {"since", "a span before now (24h"},
		"usage?since=-3h":                 {"since", "no time"},
		"usage?since=3000-01-01":          {"since", "no time"},
		"usage?since=99999999999w":        {"since", "no time"},
		"usage?until=2026-02-31":          {"until", "no time"},
		"usage?since=2h&until=3h":         {"until", "before it begins"},
		"usage?since=2027-01-01":          {"until", "before it begins"},
		"usage?limit=3":                   {"limit", "no parameter"},
		"usage?by=key&by=model":           {"by", "twice"},
		"attempts?cursor=abc":             {"cursor", "no cursor of this list"},
		"attempts?cursor=":                {"cursor", "no cursor of this list"},
		"attempts?cursor=" + cursor[1:]:   {"cursor", "no cursor of this list"},
		"attempts?limit=0":                {"limit", "from 1 to 1000"},
		"attempts?key=":                   {"key", "names nothing"},
		"attempts?request=req_":           {"request", "names nothing"},
		"usage?team=":                     {"team", "names nothing"},
		"attempts?limit=1001":             {"limit", "from 1 to 1000"},
		"attempts?flag=odd":               {"flag", "orphaned, cancelled"},
		"attempts?since=2h&until=3h":      {"until", "before it begins"},
		"attempts?by=key":                 {"by", "no parameter"},
		"verify?x=1":                      {"x", "no parameter"},
	} {
		wantError(t, s.do("GET", "/admin/v1/"+path, ""), 400, "invalid_value", want[0], want[1])
	}
	for _, path := range []string{"usage?key=nobody", "attempts?key=nobody", "usage?team=nobody"} {
		wantError(t, s.do("GET", "/admin/v1/"+path, ""), 404, "not_found", "", "nobody")
	}
	s.store.Fail(ledger.ErrTooLong)
	for _, path := range []string{"usage", "attempts", "requests", "requests/x", "latency"} {
		wantError(t, s.do("GET", "/admin/v1/"+path, ""), 503, "overloaded", "", "Ask for a shorter span")
	}
	s.store.Fail(ledger.ErrTooManyLines)
	for _, path := range []string{"usage?by=key,day", "latency"} {
		wantError(t, s.do("GET", "/admin/v1/"+path, ""), 400, "invalid_value", "by", "more than 20000 lines")
	}
	s.store.Fail(errors.New("disk of the test"))
	for _, path := range []string{"usage", "attempts", "requests", "requests/x", "latency", "verify"} {
		wantError(t, s.do("GET", "/admin/v1/"+path, ""), 500, "internal_error", "", "its log says why")
	}
	if !strings.Contains(s.log.String(), "disk of the test") {
		t.Error("the log lacks the cause")
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(o *admin.Options) {
		o.Journal = func(_ context.Context, differ func(ledger.Difference)) (looked, waiting int64, err error) {
			done, err := o.Reports.Verify(t.Context(), func(ledger.Difference) { differ(ledger.Difference{Table: "journal", Line: "a call"}) })
			return done.Rows - 1, 7, err
		}
	})
	s.ship()
	client := &admin.Client{BaseURL: s.URL, Token: secret.New(token)}
	want := admin.Verification{Rows: 3, Hours: 2, Days: 2, Tags: 2, Journal: 2, Pending: 7, Differences: []admin.Difference{}}
	got, err := client.Verify(t.Context())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	s.store.Falsify()
	got, err = client.Verify(t.Context())
	if err != nil || got.Found != 4 || len(got.Differences) != 4 || got.Differences[0].Table != "hours" || got.Differences[0].Rows.Cost != got.Differences[0].Sums.Cost-1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A call shows what its cost by the price is made of, if that adds up.
func TestWhatACallIsChargedFor(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	price := money.Plain(3e6, 15e6)
	price.Request = 500
	rows := make([]ledger.Row, 4)
	for i := range rows {
		at := start.Add(time.Duration(i-60) * time.Minute)
		rows[i] = ledger.Row{Instance: "one", Seq: ledger.SeqAt(at)}
		rows[i].Intent = ledger.Intent{Request: "0D1JUTABCDEFGH000000000000", Try: i + 1, Call: i, Started: at, Key: "cfg-ci", Model: "fast", Provider: "p", Upstream: "large", Price: price.ID()}
		rows[i].Settlement = ledger.Settlement{Outcome: "ok", Usage: llm.Usage{Fresh: 1000, Text: 20}, Cost: 3_300_500, Listed: 3_300_500}
	}
	rows[1].Listed++            // as where a vendor charges for other tokens than it counts
	rows[2].Price = 7           // of which the store knows nothing
	rows[3].Usage = llm.Usage{} // nothing was used
	rows[3].Listed = 500
	shipment := &ledger.Shipment{Instance: "one", Rows: rows, Prices: []ledger.PricedAs{{ID: price.ID(), JSON: price.JSON()}}}
	if err := s.store.Ship(t.Context(), shipment); err != nil {
		t.Fatal(err)
	}
	trail, err := (&admin.Client{BaseURL: s.URL, Token: secret.New(token)}).Request(t.Context(), "req_0D1JUTABCDEFGH000000000000")
	if err != nil {
		t.Fatal(err)
	}
	request := money.Item{Class: "request", Units: 1, Price: 500_000}
	want := [][]money.Item{{{Class: "input", Units: 1000, Price: 3e6}, {Class: "output", Units: 20, Price: 15e6}, request}, nil, nil, {request}}
	for i := range want {
		if diff := cmp.Diff(want[i], trail.Trail[i].Charges); diff != "" {
			t.Errorf("call %d: %s", i, diff)
		}
	}
}
