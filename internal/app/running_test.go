package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app/apptest"
)

// holding has an upstream keep calls: streams after two events, other answers before they begin.
const holding = `{"rules":[{"match":{"path":"/models"}}, {"match":{"stream":true},"stall":2}, {"match":{"stream":false},"latency":"10m"}]}`

// nowRunning is what runs, with what the query asks for.
func nowRunning(t *testing.T, w *apptest.Weir, query string) (list admin.RunningList) {
	t.Helper()
	asked, err := url.ParseQuery(strings.TrimPrefix(query, "?"))
	if err == nil {
		list, err = (&admin.Client{BaseURL: w.AdminURL(), Token: w.AdminToken()}).Running(t.Context(), asked)
	}
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return list
}

// callers are requests of each dialect, by their paths: the model's name is in the path or the body.
var callers = map[string]struct{ path, body, endpoint, failed string }{
	"chat":      {"/v1/chat/completions", `{"model":"dear","stream":%v,"max_tokens":50,"messages":[{"role":"user","content":"hi"}]}`, "chat", `data: {"error":{`},
	"messages":  {"/v1/messages", `{"model":"dear","stream":%v,"max_tokens":50,"messages":[{"role":"user","content":"hi"}]}`, "messages", "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"permission_error\""},
	"responses": {"/v1/responses", `{"model":"dear","stream":%v,"max_output_tokens":50,"input":"hi"}`, "responses", `"code":"invalid_prompt"`},
	"google":    {"/v1beta/models/dear:", `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"maxOutputTokens":50}}`, "generate_content", `"status":"PERMISSION_DENIED"`},
}

// A request that runs is listed with what it has come to, and can be cut: its caller gets an error in its own dialect, the upstream's call ends,
// and what it took is recorded.
func TestRunningRequestsAreListedAndCut(t *testing.T) {
	t.Parallel()
	for name, c := range callers {
		for _, streams := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, stream %v", name, streams), func(t *testing.T) {
				t.Parallel()
				up := apptest.NewUpstream(t, []byte(holding))
				w := apptest.StartWith(t, priced(up, ""))
				if a := manage(t, w, "POST", "/admin/v1/teams", `{"name":"crew"}`); a.status != 200 {
					t.Fatal(a.body)
				}
				key := newLimitedKey(t, w, "app", `{"budgets":["100usd/month"],"team":"crew"}`)
				path, body := c.path, c.body
				switch {
				case name == "google" && streams:
					path += "streamGenerateContent?alt=sse"
				case name == "google":
					path += "generateContent"
				default:
					body = fmt.Sprintf(body, streams)
				}
				ended := make(chan answer, 1)
				go func() { ended <- post(t, w, key, path, body, "X-Request-Id", "mine", "Weir-Tags", "job=test") }()
				var r admin.Running
				until(t, "it runs, and has content if it is a stream", func() bool {
					list := nowRunning(t, w, "")
					if len(list.Data) == 1 {
						r = list.Data[0]
					}
					return len(list.Data) == 1 && r.Attempts == 1 && r.Provider != nil && (!streams || r.FirstMicros != nil && r.BytesOut > 0)
				})
				if *r.ClientID != "mine" || r.KeyName != "app" || *r.TeamName != "crew" || strings.Join(r.Tags, " ") != "job=test" || r.Model != "dear" || r.Stream != streams ||
					*r.Provider != "up" || *r.Upstream != "gpt-4o-mini" || r.AgeMicros <= 0 || r.BytesIn == 0 || r.Held <= 0 || r.Instance == "" || r.Endpoint != c.endpoint {
					t.Errorf("%+v", r)
				}
				if !streams && (r.FirstMicros != nil || r.BytesOut != 0) {
					t.Errorf("before the answer: %+v", r)
				}
				if cut, err := (&admin.Client{BaseURL: w.AdminURL(), Token: w.AdminToken()}).Cut(t.Context(), r.Request); err != nil || cut.Request != r.Request {
					t.Fatalf("%+v %v", cut, err)
				}
				switch got := <-ended; {
				case !strings.Contains(got.body, "An operator of this Weir ended the request"):
					t.Errorf("the caller got %d %q", got.status, got.body)
				case streams && (got.status != 200 || !strings.Contains(got.body, c.failed)):
					t.Errorf("the stream ended as %d %q", got.status, got.body)
				case !streams && (got.status != 403 || got.header.Get("X-Should-Retry") != "false"):
					t.Errorf("the answer is %d %v", got.status, got.header)
				}
				until(t, "the upstream's call ends", func() bool { return up.Active() == 0 })
				if again := manage(t, w, "DELETE", "/admin/v1/running/"+strings.TrimPrefix(r.Request, "req_"), ""); again.status != 404 || again.code() != "not_found" || !strings.Contains(again.body, r.Instance) {
					t.Errorf("cut twice: %d %s", again.status, again.body)
				}
				if list := nowRunning(t, w, ""); len(list.Data) != 0 || list.Admitted != 0 || list.Instance != r.Instance {
					t.Errorf("after the end: %+v", list)
				}
				until(t, "it is in the ledger as one that was cut", func() bool {
					a := manage(t, w, "GET", "/admin/v1/requests?flag=cut&status=failed&min_cost_nanodollars=1", "")
					return strings.Contains(a.body, r.Request)
				})
				if _, held, _ := standing(t, w, "app"); held != 0 {
					t.Errorf("%d is held", held)
				}
				logTells(t, w, `"error":"cut_by_operator"`, `"path":"/admin/v1/running/`+r.Request)
			})
		}
	}
}

// The list is in pages, and has filters.
func TestRunningRequestsAreFound(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(holding))
	w := apptest.StartWith(t, priced(up, ""))
	one, other := w.NewKey(t, "one"), w.NewKey(t, "other")
	for range 3 {
		openStream(t, w, one, "any")
	}
	openStream(t, w, other, "dear")
	var ids []string
	for cursor := ""; ; {
		list := nowRunning(t, w, "?limit=2"+cursor)
		for _, r := range list.Data {
			ids = append(ids, r.Request)
		}
		if list.Admitted != 4 {
			t.Errorf("%d are admitted", list.Admitted)
		}
		if list.Next == nil {
			break
		}
		cursor = "&cursor=" + url.QueryEscape(*list.Next)
	}
	if len(ids) != 4 || ids[0] >= ids[1] || ids[1] >= ids[2] || ids[2] >= ids[3] {
		t.Errorf("the pages have %q", ids)
	}
	for query, want := range map[string]int{"key=one": 3, "key=other": 1, "model=dear": 1, "model=*": 3, "provider=up": 4, "provider=down": 0, "tag=a=b": 0, "key=one&model=dear": 0} {
		if list := nowRunning(t, w, "?"+query); len(list.Data) != want || list.Admitted != want {
			t.Errorf("%s: %d of %d", query, len(list.Data), list.Admitted)
		}
	}
	for query, param := range map[string]string{"key=": "key", "key=none": "", "cursor=x": "cursor", "cursor=": "cursor", "limit=0": "limit", "limit=1001": "limit", "limit=x": "limit", "tag=x": "tag", "nothing=1": "nothing", "key=one&key=other": "key", "format=xml": "format"} {
		if a := manage(t, w, "GET", "/admin/v1/running?"+query, ""); a.status != http.StatusBadRequest && a.status != http.StatusNotFound || !strings.Contains(a.body, `"param":`) || param != "" && !strings.Contains(a.body, `"param":"`+param+`"`) {
			t.Errorf("%s: %d %s", query, a.status, a.body)
		}
	}
	csv := manage(t, w, "GET", "/admin/v1/running?format=csv&key=other", "")
	if lines := strings.Split(csv.body, "\n"); !strings.HasPrefix(lines[0], "request,client_id,instance,started,key,") || !strings.Contains(lines[1], ",other,") || len(lines) != 3 {
		t.Errorf("as CSV: %q", csv.body)
	}
	for path, method := range map[string]string{"/admin/v1/running": "POST", "/admin/v1/running/" + ids[0]: "GET"} {
		if a := manage(t, w, method, path, ""); a.status != http.StatusMethodNotAllowed {
			t.Errorf("%s %s: %d", method, path, a.status)
		}
	}
	for _, path := range []string{"/admin/v1/running/none", "/admin/v1/running/" + strings.Repeat("x", 1000), "/admin/v1/running/mine"} {
		if a := manage(t, w, "DELETE", path, ""); a.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := manage(t, w, "DELETE", "/admin/v1/running/"+ids[0]+"?now=true", ""); a.status != http.StatusBadRequest {
		t.Errorf("with a parameter: %d %s", a.status, a.body)
	}
	if list := nowRunning(t, w, ""); len(list.Data) != 4 {
		t.Errorf("%d run", len(list.Data))
	}
}
