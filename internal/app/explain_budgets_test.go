package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// message is that of an error.
func (a answer) message() string {
	var body struct {
		Error struct{ Message string } `json:"error"`
	}
	_ = json.Unmarshal([]byte(a.body), &body)
	return body.Error.Message
}

// What budgets would refuse is foreseen, in the words of the refusal. Nothing is held by it.
func TestExplainForeseesBudgets(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"stall"},"stall":2}]}`))
	w := apptest.StartWith(t, strings.Replace(passAll(up, ""), "models:", "  claude: {kind: anthropic, api_key: k, base_url: \""+up.URL()+"\"}\n  google: {kind: gemini, api_key: k, base_url: \""+up.URL()+"\"}\nmodels:", 1)+`
  dear: {targets: [{provider: up, model: gpt-4o-mini, price: {input: 10, output: 10}}]}
  both: {targets: [{provider: up, model: gpt-4o-mini, price: {input: 10, output: 10}}, {provider: up, model: stall, price: {input: 0.001, output: 0.001}}]}
  stall: {targets: [{provider: up, model: stall, price: {input: 10, output: 10}}]}
  claude: {targets: [{provider: claude, model: claude-x, price: {input: 10, output: 10}}]}
  vectors: {targets: [{provider: google, model: gemini-embedding-001, price: {input: 10000, output: 10}}]}
  unknown: {targets: [up/none-such]}
  back: {targets: [{provider: up, model: gpt-4o-mini, price: {input: 10, output: 10}}], fallbacks: {on: [context], to: [cheap]}}
  cheap: {targets: [{provider: up, model: stall, price: {input: 0.001, output: 0.001}}]}
  mixed: {targets: [up/none-such, {provider: up, model: gpt-4o-mini, price: {input: 10, output: 10}}]}
`)
	ask := func(model, more string) string {
		return `{"model":"` + model + `","messages":[{"role":"user","content":"hi"}]` + more + `}`
	}
	newLimitedKey(t, w, "roomy", `{"budgets":["5usd/day"],"reserve":"strict"}`)
	whole := "more than the whole of the budget 0.001usd/day of this key"
	for name, tt := range map[string]struct {
		budgets string
		before  func(t *testing.T, w *apptest.Weir, key string)
		body    string
		phrase  string
	}{
		"whole":         {`"0.001usd/day"],"reserve":"strict"`, nil, ask("dear", `,"max_tokens":500`), whole},
		"other-cause":   {`"0.001usd/day"],"reserve":"strict"`, nil, ask("back", `,"max_tokens":500`), whole}, // the fallback is for long prompts
		"whole-or-none": {`"0.001usd/day"],"reserve":"strict"`, nil, ask("mixed", `,"max_tokens":500`), whole},
		"no-price":      {`"1usd/day"]`, nil, ask("unknown", ""), "No target that is left for this request has a known price"},
		"used-up":       {`"3ktok/day"]`, spendAll, ask("dear", ""), "Of the budget 3ktok/day of this key,"},
		"only-reserved": {`"600tok/day"]`, func(t *testing.T, w *apptest.Weir, key string) { openStream(t, w, key, "stall") }, ask("stall", ""), "Running requests have reserved what is left of the budget 600tok/day of this key."},
	} {
		key := newLimitedKey(t, w, name, `{"budgets":[`+tt.budgets+`}`)
		if tt.before != nil {
			tt.before(t, w, key)
		}
		used, held, _ := standing(t, w, name)
		e := explain(t, w, "key="+name, tt.body)
		a := post(t, w, key, "/v1/chat/completions", tt.body)
		if e.Refused == nil || !strings.Contains(*e.Refused, tt.phrase) || !strings.HasPrefix(a.message(), *e.Refused) {
			t.Fatalf("%s: explained as %v, refused with %q", name, e.Refused, a.message())
		}
		targets := e.Plans[0].Targets
		if target := targets[len(targets)-1]; target.Skip == nil || *target.Skip != "budget" && *target.Skip != "no_price" || target.Barred == nil || *target.Barred != *e.Refused {
			t.Errorf("%s: %+v", name, target)
		}
		if usedNow, heldNow, _ := standing(t, w, name); usedNow != used || heldNow != held {
			t.Errorf("%s: used %d and held %d before, %d and %d after", name, used, held, usedNow, heldNow)
		}
	}

	// A cheaper target is left, so the request is not refused.
	e := explain(t, w, "key=whole", ask("both", `,"max_tokens":500`))
	if e.Refused != nil || inLine(e)[0] != "both: up/stall up/gpt-4o-mini:budget" || e.Plans[0].Targets[1].Barred == nil {
		t.Errorf("%v, %v", e.Refused, inLine(e))
	}
	if e := explain(t, w, "key=roomy", ask("dear", `,"max_tokens":500`)); e.Refused != nil || inLine(e)[0] != "dear: up/gpt-4o-mini" {
		t.Errorf("%v, %v", e.Refused, inLine(e))
	}
	// Whatever is asked for, in however many calls: the first of them is looked at, and none is made.
	before := len(up.Served())
	for name, body := range map[string]string{
		"a stream":                    ask("dear", `,"max_tokens":500,"stream":true`),
		"a translated chat":           ask("claude", `,"max_tokens":500`),
		"a translated stream":         ask("claude", `,"max_tokens":500,"stream":true`),
		"prompts of a legacy request": `{"model":"claude","prompt":["a","b"],"max_tokens":500}`,
		"the same, streamed":          `{"model":"claude","prompt":["a","b"],"max_tokens":500,"stream":true}`,
		"vectors":                     `{"model":"vectors","input":["a","b"]}`,
		"the Messages API":            `{"model":"claude","max_tokens":500,"system":"be brief","messages":[{"role":"user","content":"hi"}]}`,
	} {
		e := explain(t, w, "key=whole", body)
		if e.Refused == nil || !strings.Contains(*e.Refused, whole) {
			t.Errorf("%s: %v, %v", name, e.Refused, inLine(e))
		}
	}
	if n := len(up.Served()); n != before {
		t.Errorf("%d calls were made", n-before)
	}
	// Without a request it is a chat whose answer nothing bounds.
	if e := explain(t, w, "key=whole&model=dear", ""); e.Refused == nil {
		t.Error("a chat without a maximum passes")
	}
}
