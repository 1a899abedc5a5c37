package responses

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// sentAs is a body for a target, and what it lacks.
func sentAs(t *testing.T, body string, c dialect.Changes, added *llm.Added) (string, dialect.Applied) {
	t.Helper()
	var asked dialect.Request
	asked, refused := Parse([]byte(body), dialect.ParseOptions{})
	if refused == nil && added != nil {
		asked, _, refused = asked.With(added, llm.Chat, nil)
	}
	if refused != nil {
		t.Fatal(refused)
	}
	out, applied := asked.(dialect.Passing).Encode(c)
	if loses := asked.(dialect.Passing).Loses(c); (loses != "") != (len(applied.Ignored) > 0) {
		t.Errorf("it loses %q, of %q", loses, applied.Ignored)
	}
	return string(out.Bytes()), applied
}

func TestOwnBytesForATarget(t *testing.T) {
	t.Parallel()
	set := func(params ...llm.Param) *llm.Added { return &llm.Added{Set: params} }
	defaults := func(params ...llm.Param) *llm.Added { return &llm.Added{Default: params} }
	p := func(name, value string) llm.Param { return llm.Param{Name: name, Value: llm.JSON(value)} }
	for name, test := range map[string]struct {
		body    string
		changes dialect.Changes
		added   *llm.Added
		want    string
		left    string
	}{
		"the model":                  {`{ "input" : "hi", "model":"m"}`, dialect.Changes{}, nil, `{ "input" : "hi", "model":"up"}`, ""},
		"left out":                   {`{"model":"m","temperature":0.5,"input":"hi"}`, dialect.Changes{Omit: []string{"temperature"}}, nil, `{"model":"up","input":"hi"}`, "temperature"},
		"left out, by chats' name":   {`{"model":"m","max_output_tokens":5,"input":"hi"}`, dialect.Changes{Omit: []string{"max_tokens"}}, nil, `{"model":"up","input":"hi"}`, "max_output_tokens"},
		"the default left out":       {`{"model":"m","temperature":1.0,"input":"hi"}`, dialect.Changes{Omit: []string{"temperature"}}, nil, `{"model":"up","input":"hi"}`, ""},
		"within a member":            {`{"model":"m","reasoning":{"effort":"low","summary":"auto"},"input":"hi"}`, dialect.Changes{Omit: []string{"reasoning_effort"}}, nil, `{"model":"up","reasoning":{"summary":"auto"},"input":"hi"}`, "reasoning.effort"},
		"all of a member":            {`{"model":"m","reasoning":{"effort":"low"},"input":"hi"}`, dialect.Changes{Omit: []string{"reasoning_effort"}}, nil, `{"model":"up","reasoning":{},"input":"hi"}`, "reasoning.effort"},
		"renamed":                    {`{"model":"m","user":"u","input":"hi"}`, dialect.Changes{Rename: map[string]string{"user": "safety_identifier"}}, nil, `{"model":"up","safety_identifier":"u","input":"hi"}`, ""},
		"set":                        {`{"model":"m","temperature":1,"input":"hi"}`, dialect.Changes{}, set(p("temperature", "0.5"), p("max_tokens", "9")), `{"model":"up","temperature":0.5,"input":"hi","max_output_tokens":9}`, ""},
		"set within":                 {`{"model":"m","reasoning":{"effort":"high","summary":null},"input":"hi"}`, dialect.Changes{}, set(p("reasoning_effort", `"low"`)), `{"model":"up","reasoning":{"effort":"low","summary":null},"input":"hi"}`, ""},
		"added within":               {`{"model":"m","reasoning":{},"text":null,"input":"hi"}`, dialect.Changes{}, defaults(p("reasoning_effort", `"low"`), p("verbosity", `"low"`)), `{"model":"up","reasoning":{"effort":"low"},"text":{"verbosity":"low"},"input":"hi"}`, ""},
		"two within":                 {`{"model":"m","input":"hi"}`, dialect.Changes{}, defaults(p("verbosity", `"low"`), p("response_format", `{"type":"json_schema","json_schema":{"name":"n","schema":{}}}`)), `{"model":"up","input":"hi","text":{"verbosity":"low","format":{"type":"json_schema","name":"n","schema":{}}}}`, ""},
		"no default over one's own":  {`{"model":"m","reasoning":{"effort":"high"},"input":"hi"}`, dialect.Changes{}, defaults(p("reasoning_effort", `"low"`)), `{"model":"up","reasoning":{"effort":"high"},"input":"hi"}`, ""},
		"what only chats have":       {`{"model":"m","input":"hi"}`, dialect.Changes{}, set(p("stop", `["x"]`), p("n", "2")), `{"model":"up","input":"hi"}`, ""},
		"another's reasoning":        {`{"model":"m","input":[{"type":"reasoning","encrypted_content":"weir1.e30"},{"role":"user","content":"hi"}]}`, dialect.Changes{}, nil, `{"model":"up","input":[{"role":"user","content":"hi"}]}`, "input[].encrypted_content"},
		"the vendor's own reasoning": {`{"model":"m","input":[{"type":"reasoning","encrypted_content":"gAAA"}]}`, dialect.Changes{}, nil, `{"model":"up","input":[{"type":"reasoning","encrypted_content":"gAAA"}]}`, ""},
	} {
		test.changes.Model = "up"
		got, applied := sentAs(t, test.body, test.changes, test.added)
		if got != test.want || strings.Join(applied.Ignored, " ") != test.left {
			t.Errorf("%s: %s, without %q\nwant %s, without %q", name, got, applied.Ignored, test.want, test.left)
		}
	}
}

// passages are the events of a stream, each with what it is.
func TestPassage(t *testing.T) {
	t.Parallel()
	p := (&Request{}).Walk(nil, "mine")
	for _, step := range []struct{ payload, is, edited string }{
		{`{"type":"response.created","sequence_number":0,"response":{"id":"r","model":"m","status":"in_progress","error":null}}`, "", `{"type":"response.created","sequence_number":0,"response":{"id":"r","model":"mine","status":"in_progress","error":null}}`},
		{`{"type":"keepalive","sequence_number":1}`, "dropped", ""},
		{`{"type":"response.output_item.added","sequence_number":1,"item":{"type":"message","content":[]}}`, "", ""},
		{`{"type":"response.output_item.added","item":{"type":"function_call","name":"f"}}`, "content", ""},
		{`{"type":"response.new_thing","delta":""}`, "", ""},
		{`{"delta":"ab","type":"response.output_text.delta"}`, "content", ""},
		{`{"type":"response.output_item.done","item":{"type":"reasoning","summary":[],"encrypted_content":"x"}}`, "content", ""},
		{`{"type":"response.failed","response":{"status":"failed","error":{"code":"c"},"usage":{"input_tokens":3,"output_tokens":2}}}`, "error", ""},
		{`{"type":"error","message":"No."}`, "error", ""},
		{`{"error":{"message":"No."}}`, "error", ""},
	} {
		chunk, err := p.WalkBehind(nil, []byte(step.payload))
		is := ""
		switch {
		case err != nil:
			is = err.Error()
		case chunk.Error:
			is = "error"
		case chunk.Drop:
			is = "dropped"
		case chunk.Content:
			is = "content"
		}
		edited := string(jsonwalk.Apply(nil, []byte(step.payload), chunk.Edits))
		if is != step.is || step.edited != "" && edited != step.edited || p.Last([]byte(step.payload)) {
			t.Errorf("%s is %q: %s", step.payload, is, edited)
		}
	}
	if f := p.Account(); f.Said != 2 || f.Usage.Input() != 3 || f.Usage.Output() != 2 {
		t.Errorf("%+v", f)
	}
	if p.Complete(true) {
		t.Error("it is complete without an end")
	}
	if got := string(p.(dialect.Failer).Failure(nil, &llm.Error{Kind: llm.UpstreamFailed, Message: "No."})); !json.Valid([]byte(got)) || !strings.Contains(got, `"id":"r"`) {
		t.Error(got)
	}
}

// passed lets events pass.
func passed(t *testing.T, p dialect.Walk, payloads ...string) {
	t.Helper()
	for _, payload := range payloads {
		if _, err := p.WalkBehind(nil, []byte(payload)); err != nil {
			t.Fatalf("%v: %s", err, payload)
		}
	}
}

// Events have the numbers that the caller expects, although those that break silences are left out. What is missing is noticed.
func TestNumbersOfAPassage(t *testing.T) {
	t.Parallel()
	const created = `{"type":"response.created","sequence_number":0,"response":{"id":"r","model":"m"}}`
	p := (&Request{}).Walk(nil, "mine")
	passed(t, p, created, `{"type":"keepalive","sequence_number":1}`)
	for payload, want := range map[string]string{
		`{"response":{"model":"m"},"type":"response.in_progress","sequence_number":2}`: `{"response":{"model":"mine"},"type":"response.in_progress","sequence_number":1}`,
	} {
		chunk, err := p.WalkBehind(nil, []byte(payload))
		if got := string(jsonwalk.Apply(nil, []byte(payload), chunk.Edits)); err != nil || got != want {
			t.Errorf("%v: %s, not %s", err, got, want)
		}
	}
	for name, lacking := range map[string][]string{
		"a beginning":         {`{"type":"response.in_progress","sequence_number":1}`},
		"a number":            {created, `{"type":"response.output_item.added","sequence_number":2,"output_index":0}`},
		"an item":             {created, `{"type":"response.output_text.delta","output_index":0}`},
		"an item before":      {created, `{"type":"response.output_item.added","output_index":1}`},
		"a part":              {created, `{"type":"response.output_item.added","output_index":0}`, `{"type":"response.output_text.delta","output_index":0}`},
		"the end of a part":   {created, `{"type":"response.output_item.added","output_index":0}`, `{"type":"response.content_part.added","output_index":0}`, `{"type":"response.output_item.done","output_index":0}`},
		"the end of an item":  {created, `{"type":"response.output_item.added","output_index":0}`, `{"type":"response.completed","response":{"output":[]}}`},
		"a beginning at last": {`{"type":"response.completed","response":{"output":[]}}`},
	} {
		p := (&Request{}).Walk(nil, "")
		var err error
		for _, payload := range lacking {
			if p.Last([]byte(payload)) {
				t.Errorf("%s: it ends", name)
			}
			_, err = p.WalkBehind(nil, []byte(payload))
		}
		if !errors.Is(err, dialect.ErrOrder) {
			t.Errorf("%s is missing: %v", name, err)
		}
	}
}

func TestThePassageEndsOnce(t *testing.T) {
	t.Parallel()
	for payload, finish := range map[string]string{
		`{"type":"response.completed","response":{"status":"completed","model":"m","output":[{"type":"function_call"}],"usage":{"input_tokens":1,"output_tokens":2}}}`: "tool_calls",
		`{"type":"response.incomplete","response":{"status":"incomplete","model":"m","incomplete_details":{"reason":"max_output_tokens"},"output":[]}}`:                "length",
		`{"type":"response.incomplete","response":{"status":"incomplete","model":"m","incomplete_details":{"reason":"content_filter"},"output":[]}}`:                   "content_filter",
	} {
		p := (&Request{}).Walk(nil, "mine")
		passed(t, p, `{"type":"response.created"}`)
		if !p.Last([]byte(payload)) || !p.Complete(false) || p.Account().Finish != finish {
			t.Errorf("%s: %+v", payload, p.Account())
		}
		p.Restart(dialect.Stand{}) // which comes when nothing else was sent before
		if want := strings.Replace(payload, `"m"`, `"mine"`, 1); string(p.Ending()) != want || p.Account().Finish != finish {
			t.Errorf("%s", p.Ending())
		}
		if !p.Last([]byte("[DONE]")) {
			t.Error("what some servers send after it is no end")
		}
	}
	p := (&Request{}).Walk(nil, "")
	if failed := []byte(`{"type":"response.completed","response":{"status":"failed","error":{"code":"c"}}}`); p.Last(failed) || p.Complete(true) {
		t.Error("a failure is an end")
	}
}

func TestWholeAnswersPass(t *testing.T) {
	t.Parallel()
	const body = `{"id":"r","model":"m","status":"completed","error":null,"output":[{"type":"message","id":"i","content":[{"type":"output_text","text":"ab"},{"type":"refusal","refusal":"c"}]},{"type":"function_call","arguments":"{}"},{"type":"new"}],"usage":{"input_tokens":4,"input_tokens_details":{"cached_tokens":1},"output_tokens":3}}`
	r := &Request{}
	out, answer, err := r.Pass([]byte(body), nil, dialect.Stand{Echo: "mine"})
	if err != nil || string(out) != strings.Replace(body, `"m"`, `"mine"`, 1) || answer.Said != 5 || answer.Finish != "tool_calls" || answer.Usage.Fresh != 3 || !answer.HasUsage {
		t.Errorf("%s %+v %v", out, answer, err)
	}
	payloads, err := r.StreamOf(out)
	if err != nil {
		t.Fatal(err)
	}
	walk, number, ended := r.Walk(nil, ""), 0, false
	for payload := range payloads {
		if ended = walk.Last(payload); ended {
			break
		}
		var ev struct {
			Number int `json:"sequence_number"`
		}
		if err := json.Unmarshal(payload, &ev); err != nil || ev.Number != number {
			t.Errorf("%d: %v %s", number, err, payload)
		}
		number++
		if _, err := walk.WalkBehind(nil, payload); err != nil {
			t.Error(err)
		}
	}
	if !ended || walk.Account().Said != 5 || !walk.Complete(true) {
		t.Errorf("%+v", walk.Account())
	}
	for _, bad := range []string{`{"error":{"message":"No."}}`, `{"status":"failed","output":[]}`, `{"output":{}}`, `[]`, `x`} {
		if _, answer, err := r.Pass([]byte(bad), nil, dialect.Stand{}); err == nil || answer.IsError != (errors.Is(err, llm.ErrNoAnswer) && strings.Contains(bad, `"error"`) || strings.Contains(bad, "failed")) {
			t.Errorf("%s: %+v %v", bad, answer, err)
		}
	}
}

// An event that passes costs no memory.
func TestAllocationsOfAPassage(t *testing.T) {
	payload := []byte(`{"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"word","logprobs":[],"obfuscation":"abc"}`)
	p := (&Request{}).Walk(nil, "")
	passed(t, p, `{"type":"response.created"}`, `{"type":"response.output_item.added","output_index":0}`, `{"type":"response.content_part.added","output_index":0}`)
	if n := testing.AllocsPerRun(100, func() {
		if chunk, err := p.WalkBehind(nil, payload); err != nil || !chunk.Content || p.Last(payload) {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%.0f allocations", n)
	}
}

// FuzzPassing: what is sent is JSON that names the target's model, and what comes back stays JSON.
func FuzzPassing(f *testing.F) {
	f.Add([]byte(`{"model":"m","reasoning":{"effort":"low","effort2":1},"text":{},"input":[{"type":"reasoning","encrypted_content":"weir1.x"},{"call_id":"a__sig__cw"}]}`), []byte(`{"type":"response.created","response":{"id":"r","model":"m"}}`))
	f.Add([]byte(`{"input":[]}`), []byte(`{"type":"response.completed","response":{"model":"m","output":[{"type":"message","content":[{"text":"a"}]}],"usage":{"input_tokens":1}}}`))
	f.Fuzz(func(t *testing.T, body, payload []byte) {
		added := &llm.Added{Set: []llm.Param{{Name: "reasoning_effort", Value: llm.JSON(`"low"`)}}, Default: []llm.Param{{Name: "verbosity", Value: llm.JSON(`"low"`)}, {Name: "user", Value: llm.JSON(`"u"`)}}}
		asked, refused := Parse(bytes.Clone(body), dialect.ParseOptions{Model: "m", MaxDepth: 100})
		if refused == nil {
			with, _, refused := asked.With(added, llm.Chat, nil)
			if refused != nil {
				t.Fatal(refused)
			}
			out, _ := with.(dialect.Passing).Encode(dialect.Changes{Model: "up", Omit: []string{"reasoning_effort", "max_tokens", "top_p"}, Rename: map[string]string{"user": "safety_identifier"}})
			var read struct{ Model string }
			if err := json.Unmarshal(out.Bytes(), &read); err != nil || read.Model != "up" {
				t.Fatalf("%v: %s of %s", err, out.Bytes(), body)
			}
			if asked.sums {
				t.Fatal("it asks for a summary")
			}
		}
		p := (&Request{}).Walk(nil, "mine")
		chunk, err := p.WalkBehind(nil, payload)
		if valid := jsonwalk.Valid(payload, jsonwalk.Options{}) == nil; err == nil && !valid {
			t.Fatalf("it passes: %s", payload)
		}
		if edited := jsonwalk.Apply(nil, payload, chunk.Edits); err == nil && !json.Valid(edited) {
			t.Fatalf("%s becomes %s", payload, edited)
		}
		if p.Last(payload) && string(payload) != "[DONE]" && !json.Valid(p.Ending()) {
			t.Fatalf("%s ends it with %s", payload, p.Ending())
		}
		if out, _, err := (&Request{}).Pass(payload, nil, dialect.Stand{Echo: "mine"}); err == nil {
			payloads, err := (&Request{}).StreamOf(out)
			if err != nil {
				t.Fatal(err)
			}
			for one := range payloads {
				if !json.Valid(one) {
					t.Fatalf("%s of %s", one, out)
				}
			}
		}
	})
}
