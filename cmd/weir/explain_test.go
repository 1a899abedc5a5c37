package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/admin"
)

const explainConfig = `
providers: {up: {kind: sim}}
models:
  smart:
    targets: [{provider: up, model: chat, like: openai/gpt-3.5-turbo}, {provider: up, model: other, like: openai/gpt-4.1-mini}]
    fallbacks: [fast]
    hedge: {after: 1500ms}
  fast: {targets: [up/chat], policy: weighted, sticky: user}
`

// A real Weir explains what it would do.
func TestExplain(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	writeTest(t, path, explainConfig)
	env := environment(folder)
	s := start(t, env, "--config", path).ready()
	env["WEIR_ADMIN"] = s.admin
	weir := func(args ...string) outcome { return runIn(t, folder, env, "", args...) }
	if did := weir("keys", "create", "--name", "app", "--models", "fast"); did.code != 0 {
		t.Fatalf("%+v", did)
	}
	request := filepath.Join(folder, "request.json")
	writeTest(t, request, `{"model":"any","stream":true,"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f"}}]}`)

	did := weir("explain", "smart", "--body", request)
	want := strings.Join([]string{
		"smart: policy ordered; at most 3 attempts; no second target can be asked when one is slow",
		"TURN  TARGET    COST       IN FLIGHT  CREDENTIALS  WHY",
		"1     up/other  $0.000805  0          1            ",
		"-     up/chat   $0.000756  0          1            it calls no tools",
		"",
		"then, on error, rate_limit, context, fast: policy weighted, drawn again for each request; sticky user finds nothing in this request",
		"TURN  TARGET   COST  IN FLIGHT  CREDENTIALS  WHY",
		"1     up/chat  -     0          1            ",
		"",
	}, "\n")
	if did.code != 0 || did.stdout != want || did.stderr != "" {
		t.Errorf("%+v\nwant\n%s", did, want)
	}
	if did := weir("explain", "fast", "--key", "app"); did.code != 0 || !strings.Contains(did.stderr, "--body FILE") {
		t.Errorf("%+v", did)
	}
	if did := weir("keys", "create", "--name", "bounded", "--rpm", "60", "--budget", "0.0001usd/day", "--reserve", "strict"); did.code != 0 {
		t.Fatalf("%+v", did)
	}
	bounded := weir("explain", "smart", "--key", "bounded", "--body", request).stdout
	for _, words := range []string{
		"It would be refused now. This request may take $", "more than the whole of the budget 0.0001usd/day of this key. ",
		"\n\nOF   NAME     LIMIT  MOST  USED  REMAINING  RESET\nkey  bounded  rpm    60    0     60         0s\n\nOF   NAME     BUDGET         USED  HELD  REMAINING  RESET                 FORECAST\nkey  bounded  0.0001usd/day  0usd  0usd  0.0001usd  ",
	} {
		if !strings.Contains(bounded, words) {
			t.Errorf("%s\nlacks %s", bounded, words)
		}
	}
	var told admin.Explanation
	did = weir("explain", "fast", "--key", "app", "--format", "json")
	if err := json.Unmarshal([]byte(did.stdout), &told); err != nil || told.Key == nil || *told.Key != "app" || len(told.Plans) != 1 || did.stderr != "" {
		t.Errorf("%+v, %v", did, err)
	}
	rows, err := csv.NewReader(strings.NewReader(weir("explain", "smart", "--body", request, "--format=csv").stdout)).ReadAll()
	if err != nil || len(rows) != 4 || strings.Join(rows[2], "|") != "smart||ordered|none|up/chat||no_tools|closed||false|||0|1|0|0||||false|500000|500000|500000|500000|500000|500000|1500000|1500000|1500000|1500000|0|756000" ||
		strings.Join(rows[3][:3], "|") != "fast|error,rate_limit,context|weighted" {
		t.Errorf("%q, %v", rows, err)
	}
	piped := runIn(t, folder, env, `{"model":"any","input":"x"}`, "explain", "fast", "--body", "-")
	if piped.code != 0 || piped.stderr != "" {
		t.Errorf("%+v", piped)
	}

	writeTest(t, filepath.Join(folder, "empty"), "")
	for args, failure := range map[string]struct {
		code int
		word string
	}{
		"smart --key app": {1, "may use only fast"}, "nothing": {1, "does not exist"}, "smart --key nobody": {1, "No key has the id or name"},
		"smart --body missing": {2, "--body"}, "smart --body empty": {2, "nothing in it"}, "smart --body weir.yaml": {2, "JSON"}, "": {2, "<model> is missing"},
		"smart --admin " + closedURL(t): {1, "is weir serve running?"},
	} {
		did := weir(append([]string{"explain"}, strings.Fields(args)...)...)
		if did.code != failure.code || !strings.Contains(did.stderr, failure.word) || did.stdout != "" {
			t.Errorf("weir explain %s: %+v", args, did)
		}
	}
}

// What is done about a stream that is late.
func TestHedgeWords(t *testing.T) {
	t.Parallel()
	late, target := int64(1500), "up/other"
	for want, hedge := range map[string]*admin.Hedge{
		"": nil,
		"; no second target can be asked when one is slow":                                      {LateMS: &late},
		"; up/other is asked as well for streams that are late, once it is known when they are": {Target: &target},
		"; up/other is asked as well for a stream without content after 1500ms":                 {LateMS: &late, Target: &target},
	} {
		if got := hedgeWords(hedge); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// Each possible fault of a target is described in words.
func TestExplainWords(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	soon, turn := now.Add(1540*time.Millisecond), 1
	word := func(s string) *string { return &s }
	e := admin.Explanation{MaxAttempts: 3, Plans: []admin.Plan{{Route: "m", Policy: "ordered", Sticky: "prefix", Sticks: true, Targets: []admin.Prospect{
		{Target: "a/1", Turn: &turn, Probe: true, Health: admin.Health{Credentials: 3, CredentialsParked: 1, CredentialsResting: 1}},
		{Target: "a/2", Turn: &turn, Health: admin.Health{RestingUntil: &soon}},
		{Target: "a/3", Turn: &turn, Health: admin.Health{CredentialsFreeAt: &soon}},
		{Target: "a/4", Skip: word("down"), Health: admin.Health{OpenUntil: &soon}},
		{Target: "a/5", Skip: word("down")},
		{Target: "a/6", Skip: word("no_credential")},
		{Target: "a/7", Skip: word("prompt_too_long")},
		{Target: "a/8", Skip: word("of a later version")},
		{Target: "a/9", Skip: word("full")},
		{Target: "b/1", Skip: word("full"), Health: admin.Health{Full: true, FullUntil: &soon}},
		{Target: "b/2", Skip: word("budget"), Barred: word("The budget is too small.")},
		{Target: "b/3", Skip: word("no_price")},
	}}}}
	var out bytes.Buffer
	if err := explainTable(&out, e, now); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"m: policy ordered; the first by sticky prefix; at most 3 attempts",
		"TURN  TARGET  COST  IN FLIGHT  CREDENTIALS                    WHY",
		"1     a/1     -     0          3, 1 parked, 1 at their limit  it failed before: this request would probe whether it is well",
		"1     a/2     -     0          0                              it asked to be left alone for another 1.5s",
		"1     a/3     -     0          0                              no credential is free; one is tried all the same",
		"-     a/4     -     0          0                              it failed too often; its breaker is open for another 1.5s",
		"-     a/5     -     0          0                              it failed too often; another request is probing whether it is well",
		"-     a/6     -     0          0                              its provider refused all credentials",
		"-     a/7     -     0          0                              the prompt is too long for it",
		"-     a/8     -     0          0                              of a later version",
		"-     a/9     -     0          0                              it has as many requests as it may have",
		"-     b/1     -     0          0                              it has as many requests as its vendor allows a minute, for another 1.5s",
		"-     b/2     -     0          0                              The budget is too small.",
		"-     b/3     -     0          0                              no_price",
		"",
	}, "\n")
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
