package sim

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseScript(t *testing.T) {
	t.Parallel()
	got, err := ParseScript([]byte(`{"ttft":"50ms","models":["m"],"rules":[
		{"match":{"model":"a*","stream":false,"nth":2},"status":429,"headers":{"retry-after":"1"}},
		{"reset":"headers","stall":3,"cut":0,"framing":["crlf","bom"],"body":"","answer":{"a": 1},"interval":"0s"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Script{TTFT: Duration(50 * time.Millisecond), Models: []string{"m"}, Rules: []Rule{
		{Match: Match{Model: "a*", Stream: new(false), Nth: 2}, Status: 429, Headers: map[string]string{"retry-after": "1"}},
		{
			Reset: new(BeforeHeaders), Stall: new(Point(3)), Cut: new(0), Framing: []Framing{CRLF, BOM}, Body: new(""),
			Answer: json.RawMessage(`{"a": 1}`), Interval: new(Duration(0)),
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseScript(b)
	again.Rules[1].Answer = want.Rules[1].Answer // Marshal compacts it
	if diff := cmp.Diff(want, again); err != nil || diff != "" {
		t.Errorf("written again it reads differently: %v\n%s", err, diff)
	}
}

func TestParseScriptErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "line 1: the file is empty; the smallest script is {}",
		"{\n\"rules\":[\n{\"stat\":1}]}": `line 3: unknown field "stat"`,
		"{\n\"matsch\":1}":               `line 2: unknown field "matsch"`,
		"{}\n{}":                         "line 2: the file goes on after the script's closing brace",
		"{\n\"models\":7}":               "line 2: models must be a []string, not a number",
		`{"rules":[{"body":{"a":1}}]}`:   "line 1: rules.body must be a string, not an object",
		`{"tokens":[]}`:                  "line 1: tokens must be an int, not an array",
		"{\n]":                           "line 2: invalid character ']' looking for beginning of object key string",
		`{"ttft":"fast"}`:                `line 1: "fast" is no duration; write for example "50ms" or "2s"`,
		`{"ttft":"-1s"}`:                 `line 1: "-1s" is no duration; write for example "50ms" or "2s"`,
		`{"rules":[{"stall":-1}]}`:       `line 1: a point in an answer is "headers" or a number of events, not -1`,
		`{"rules":[{"stall":"end"}]}`:    `line 1: a point in an answer is "headers" or a number of events, not "end"`,
		`{"rules":[{},{"status":42}]}`:   "rules[1]: status is 42; a final status has three digits and is 200 or more",
		`{"rules":[{"truncate":1,"stall_after":1}]}`: "rules[0]: truncate, reset_after and stall_after exclude each other",
		`{"rules":[{"cut":-1}]}`:                     "rules[0]: cut, truncate, reset_after, stall_after, bad_json and error_event cannot be negative",
		`{"rules":[{"huge":-1}]}`:                    "rules[0]: nth, times, tokens and huge cannot be negative",
		`{"tokens":-1}`:                              "tokens and keep cannot be negative",
		`{"rules":[{"match":{"path":"/x"}}]}`:        `rules[0]: match.path is "/x"; the paths are /chat/completions, /completions, /embeddings, /models, /messages, /messages/count_tokens, /v2/chat, /converse, :generateContent, /responses, /responses/input_tokens, /responses/compact`,
		`{"rules":[{"framing":["cr","crlf"]}]}`:      "rules[0]: framing has cr as well as crlf; lines can end in one of them only",
		`{"rules":[{"framing":["lf"]}]}`:             `rules[0]: framing "lf" is unknown; there are ["crlf" "cr" "no_space" "bom" "comments" "event_lines" "id_lines" "retry_lines" "multi_line" "single_newline" "no_done" "no_final_blank"]`,
	} {
		_, err := ParseScript([]byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("New took a script that cannot be")
		}
	}()
	New(Script{Rules: []Rule{{Answer: json.RawMessage("{")}}})
}

// Every word of a script is in the manual, and every script in the manual is one.
func TestManual(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../docs/reference/sim.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[Script](), reflect.TypeFor[Rule](), reflect.TypeFor[Match]()} {
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if !strings.Contains(string(manual), "`"+name+"`") {
				t.Errorf("docs/reference/sim.md does not describe `%s`", name)
			}
		}
	}
	for _, f := range framings {
		if !strings.Contains(string(manual), "`"+string(f)+"`") {
			t.Errorf("docs/reference/sim.md does not describe the framing `%s`", f)
		}
	}
	scripts := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(manual), -1)
	if len(scripts) == 0 {
		t.Error("docs/reference/sim.md has no example")
	}
	for _, m := range scripts {
		if _, err := ParseScript([]byte(m[1])); err != nil {
			t.Errorf("docs/reference/sim.md: %v in\n%s", err, m[1])
		}
	}
}

// status sends a call and returns the status that answers it.
func status(t *testing.T, base, path, body string, header ...string) int {
	t.Helper()
	return ask(t, base, path, body, header...).StatusCode
}

func TestRules(t *testing.T) {
	t.Parallel()
	base := mustStart(t, Script{Rules: []Rule{
		{Match: Match{Model: "gpt-*"}, Status: 501},
		{Match: Match{Path: pathEmbeddings}, Status: 502},
		{Match: Match{Stream: new(true)}, Status: 503},
		{Match: Match{Authorization: "k1"}, Status: 504},
		{Match: Match{Path: pathModels, Model: "one"}, Status: 505},
	}})
	for _, test := range []struct {
		path, body, key string
		want            int
	}{
		{pathChat, hello, "", 200},
		{pathChat, strings.Replace(hello, `"m"`, `"gpt-5"`, 1), "k1", 501},
		{pathEmbeddings, `{"model":"m","input":"x"}`, "k1", 502},
		{pathChat, streamed, "", 503},
		{pathChat, hello, "k1", 504},
		{pathChat, hello, "k12", 200},
		{pathModels + "/one", "", "", 505},
	} {
		if got := status(t, base, "/v1"+test.path, test.body, "Authorization", "Bearer "+test.key); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}

// Each rule counts all calls that match it, whichever rule answers.
func TestRulesCount(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		rules []Match // with the statuses 501, 502, …
		want  []int
	}{
		"times":           {[]Match{{Times: 2}}, []int{501, 501, 200, 200}},
		"nth":             {[]Match{{Nth: 2}}, []int{200, 501, 200, 200}},
		"nth and times":   {[]Match{{Nth: 2, Times: 2}}, []int{200, 501, 501, 200}},
		"one after other": {[]Match{{Nth: 1}, {Nth: 2}, {Nth: 4}}, []int{501, 502, 200, 503}},
		"then":            {[]Match{{Times: 1}, {Times: 2}}, []int{501, 502, 502, 200}},
		"only its own":    {[]Match{{Model: "other", Nth: 1}, {Model: "m", Nth: 3}}, []int{200, 200, 502, 200}},
	} {
		script := Script{}
		for i, match := range test.rules {
			script.Rules = append(script.Rules, Rule{Match: match, Status: 501 + i})
		}
		base := mustStart(t, script)
		var got []int
		for range test.want {
			got = append(got, status(t, base, "/v1/chat/completions", hello))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
