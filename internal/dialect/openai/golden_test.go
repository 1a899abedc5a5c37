package openai

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/llm"
)

var update = flag.Bool("update", false, "write what comes out into the golden files")

// golden holds a text against a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s has something else; -update writes it:\n%s", path, diff)
	}
}

// show writes what is set in a value, one field a line, JSON as it is spelled.
func show(b *strings.Builder, indent string, v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[llm.JSON]():
		fmt.Fprintf(b, "%s\n", v.Bytes())
	case v.Kind() == reflect.Struct:
		b.WriteString("\n")
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() {
				fmt.Fprintf(b, "%s%s: ", indent, v.Type().Field(i).Name)
				show(b, indent+"  ", f)
			}
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		b.WriteString("\n")
		for i := range v.Len() {
			fmt.Fprintf(b, "%s- ", indent)
			show(b, indent+"  ", v.Index(i))
		}
	case v.Kind() == reflect.Slice:
		fmt.Fprintf(b, "%s\n", v.Bytes())
	default:
		fmt.Fprintf(b, "%v\n", v)
	}
}

// decodedChats are chats without their model, by the name of the golden file that each has.
var decodedChats = map[string]string{
	"messages": `{"messages":[
			{"role":"system","content":"Be brief.","cache_control":{"type":"ephemeral"}},
			{"role":"developer","content":[{"type":"text","text":"And kind."}]},
			{"role":"user","name":"u","content":[
				{"type":"text","text":"Look:","cache_control":{"type":"ephemeral"}},
				{"type":"image_url","image_url":{"url":"data:image/jpg;base64,QUJD","detail":"low"}},
				{"type":"image_url","image_url":{"url":"https://a.test/b.png","detail":"auto"}},
				{"type":"image_url","image_url":"data:image/png;base64,QUJD"},
				{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,QUJD","file_id":null}},
				{"type":"input_audio","input_audio":{"data":"QUJD","format":"mp3"}}]},
			{"role":"assistant","content":"I look.","refusal":null,"tool_calls":[
				{"id":"c1","type":"function","function":{"name":"f","arguments":" {\"a\":1} "}},
				{"id":"c2","type":"function","function":{"name":"g","arguments":""}},
				{"id":"c3","type":"custom","custom":{"name":"h","input":"some \"text\""}}]},
			{"role":"tool","tool_call_id":"c1","content":"1"},
			{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"2"}],"cache_control":{"type":"ephemeral"}},
			{"role":"assistant","content":null,"refusal":"No."},
			{"role":"assistant","content":[{"type":"refusal","refusal":"Never."}],"thinking_blocks":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"redacted_thinking","data":"ZGF0YQ=="}]},
			{"role":"assistant","content":"Signed.","extra_content":{"google":{"thought_signature":"c2ln"}}},
			{"role":"assistant","content":null,"tool_calls":[{"id":"c4","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]},
			{"role":"user","content":"Go on.","cache_control":{"type":"ephemeral"}}]}`,
	"tools": `{"messages":[{"role":"user","content":"hi"}],"tools":[
			{"type":"function","function":{"name":"f","description":"does f","parameters":{"type":"object"},"strict":true},"cache_control":{"type":"ephemeral"}},
			{"type":"function","function":{"name":"g","description":null,"parameters":null,"strict":null}},
			{"type":"custom","custom":{"name":"h","description":"does h","format":{"type":"text"}}},
			{"type":"custom","custom":{"name":"i","description":"does i","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"start: \"x\""}}}},
			{"type":"custom","custom":{"name":"j","format":{"type":"grammar","grammar":{"syntax":"regex","definition":"a+"}}}}],
			"tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false}`,
	"choice_auto":     `{"messages":[{"role":"user","content":"hi"}],"tool_choice":"auto"}`,
	"choice_none":     `{"messages":[{"role":"user","content":"hi"}],"tool_choice":"none"}`,
	"choice_required": `{"messages":[{"role":"user","content":"hi"}],"tool_choice":"required"}`,
	"choice_custom":   `{"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"custom","custom":{"name":"h"}}],"tool_choice":{"type":"custom","custom":{"name":"h"}}}`,
	"choice_allowed": `{"messages":[{"role":"user","content":"hi"}],"tools":[
			{"type":"function","function":{"name":"f"}},{"type":"function","function":{"name":"g"}},{"type":"custom","custom":{"name":"h"}}],
			"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[{"type":"function","function":{"name":"g"}},{"type":"custom","custom":{"name":"h"}}]}}}`,
	"choice_allowed_auto": `{"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f"}}],
			"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}}]}}}`,
}

// What a request says is all there in the typed model, and only that.
func TestDecodedRequests(t *testing.T) {
	t.Parallel()
	for name, body := range decodedChats {
		got, err := Decode(Members([]byte(`{"model":"m",`+body[1:])), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var b strings.Builder
		show(&b, "", reflect.ValueOf(*got))
		golden(t, "decoded_"+name+".txt", strings.TrimSpace(b.String())+"\n")
	}
}

// What cannot be understood is refused, with the place.
func TestRequestsThatCannotBeDecoded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, members := range []string{
		`"messages":[7]`, `"messages":[{"role":"judge","content":"a"}]`, `"messages":[{"content":"a"}]`, `"messages":[{"role":"function","name":"f","content":"a"}]`,
		`"messages":[{"role":"user"}]`, `"messages":[{"role":"user","content":7}]`, `"messages":[{"role":"user","content":["a"]}]`, `"messages":[{"role":"user","content":[{"type":"text"}]}]`,
		`"messages":[{"role":"user","content":[{"type":"video"}]}]`, `"messages":[{"role":"user","content":[{"type":"image_url"}]}]`, `"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":7}}]}]`,
		`"messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"f"}}]}]`, `"messages":[{"role":"user","content":[{"type":"file","file":{"file_data":"QUJD"}}]}]`,
		`"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"QUJD","format":"ogg"}}]}]`, `"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"?","format":"wav"}}]}]`,
		`"messages":[{"role":"tool","content":"a"}]`, `"messages":[{"role":"assistant","audio":{"id":"a"}}]`, `"messages":[{"role":"assistant","function_call":{"name":"f"}}]`,
		`"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}]`, `"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"arguments":"{}"}}]}]`,
		`"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"[1]"}}]}]`, `"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{"}}]}]`,
		`"messages":[{"role":"assistant","tool_calls":[{"id":"c","custom":{"name":"f","input":7}}]}]`,
		`"messages":[{"role":"user","content":"a"}],"tools":{}`, `"messages":[{"role":"user","content":"a"}],"tools":[7]`, `"messages":[{"role":"user","content":"a"}],"tools":[{"type":"web_search"}]`,
		`"messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{}}]`, `"messages":[{"role":"user","content":"a"}],"tools":[{"type":"custom","function":{"name":"f"}}]`,
		`"messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"f","description":7}}]`, `"messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"f","parameters":[]}}]`,
		`"messages":[{"role":"user","content":"a"}],"tools":[{"type":"custom","custom":{"name":"f","format":{"type":"grammar","grammar":{"syntax":"lark"}}}}]`,
		`"messages":[{"role":"user","content":"a"}],"tools":[{"type":"custom","custom":{"name":"f","format":{"type":"grammar","grammar":{"definition":"x"}}}}]`,
		`"messages":[{"role":"user","content":"a"}],"tools":[{"type":"custom","custom":{"name":"f","format":{"type":"grammar","grammar":{"syntax":7,"definition":"x"}}}}]`,
		`"messages":[{"role":"user","content":"a"}],"tool_choice":"any"`, `"messages":[{"role":"user","content":"a"}],"tool_choice":7`, `"messages":[{"role":"user","content":"a"}],"tool_choice":{"type":"file_search"}`,
		`"messages":[{"role":"user","content":"a"}],"tool_choice":{"type":"function","function":{"name":7}}`,
		`"messages":[{"role":"user","content":"a"}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"any","tools":[{"function":{"name":"f"}}]}}`,
		`"messages":[{"role":"user","content":"a"}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[]}}`,
		`"messages":[{"role":"user","content":"a"}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function"}]}}`,
		`"messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"g"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"function":{"name":"f"}}]}}`,
	} {
		got, err := Decode(Members([]byte(`{"model":"m",`+members+`}`)), nil)
		if err == nil {
			t.Errorf("%s: %+v", members, got)
			continue
		}
		fmt.Fprintf(&b, "%s\n  %s %s: %s\n", members, err.Code(), err.Param, err.Message)
	}
	golden(t, "undecodable.txt", b.String())
}

// answers are events: a complete answer and a stream of each say the same.
func TestProducedAnswers(t *testing.T) {
	t.Parallel()
	start := llm.Event{Kind: llm.Start, ID: llm.Quote("id"), Name: llm.Quote("model")}
	block := func(part llm.PartKind, events ...llm.Event) []llm.Event {
		all := []llm.Event{{Kind: llm.BlockStart, Part: part}}
		for _, ev := range events {
			ev.Kind, ev.Part = llm.Delta, part
			all = append(all, ev)
		}
		return append(all, llm.Event{Kind: llm.BlockStop, Part: part})
	}
	tool := func(id, name, opaque string, pieces ...string) []llm.Event {
		begin := llm.Event{Kind: llm.BlockStart, Part: llm.ToolCall, ID: llm.Quote(id), Name: llm.Quote(name)}
		if opaque != "" {
			begin.Opaque = llm.Quote(opaque)
		}
		all := []llm.Event{begin}
		for _, piece := range pieces {
			all = append(all, llm.Event{Kind: llm.Delta, Part: llm.ToolCall, Text: llm.Quote(piece)})
		}
		return append(all, llm.Event{Kind: llm.BlockStop, Part: llm.ToolCall})
	}
	text := func(pieces ...string) (all []llm.Event) {
		for _, piece := range pieces {
			all = append(all, llm.Event{Text: llm.Quote(piece)})
		}
		return all
	}
	join := func(lists ...[]llm.Event) (all []llm.Event) {
		for _, list := range lists {
			all = append(all, list...)
		}
		return all
	}
	usage := llm.Usage{Fresh: 5, CacheRead: 3, CacheWrite: 2, Text: 6, Reasoning: 1}
	end := func(finish string) []llm.Event { return []llm.Event{{Kind: llm.End, Finish: finish, Usage: usage}} }
	cite := func(start, end int64, url, title string) llm.Event {
		c := &llm.Citation{Start: start, End: end, URL: llm.Quote(url)}
		if title != "" {
			c.Title = llm.Quote(title)
		}
		return llm.Event{Kind: llm.Cited, Citation: c}
	}
	scored := func(text, top string) llm.Event {
		return llm.Event{Kind: llm.Scored, Tokens: []llm.Token{{Text: llm.Quote(text), Logprob: llm.JSON("-0.5"), Top: []llm.Token{{Text: llm.Quote(top), Logprob: llm.JSON("-1.5")}}}}}
	}
	signed := []llm.Event{{Text: llm.Quote("Hm."), Opaque: llm.Quote("c2ln")}}
	of := func(choice int, events ...llm.Event) []llm.Event {
		for i := range events {
			events[i].Choice = choice
		}
		return events
	}
	for name, events := range map[string][]llm.Event{
		"text":             join([]llm.Event{start}, block(llm.Text, text("Hel", "", "lo")...), end("stop")),
		"nothing":          join([]llm.Event{start}, end("stop")),
		"two_texts":        join([]llm.Event{start}, block(llm.Text, text("a")...), block(llm.Text, text("b")...), end("length")),
		"reasoning":        join([]llm.Event{start}, block(llm.Reasoning, signed...), block(llm.Redacted, llm.Event{Opaque: llm.Quote("ZGF0YQ==")}), block(llm.Text, text("So.")...), end("stop")),
		"unsigned":         join([]llm.Event{start}, block(llm.Reasoning, text("Hm.")...), block(llm.Text, text("So.")...), end("stop")),
		"signed_text":      join([]llm.Event{start}, block(llm.Text, llm.Event{Text: llm.Quote("So."), Opaque: llm.Quote("c2ln")}), end("stop")),
		"tools":            join([]llm.Event{start}, tool("c1", "f", "", `{"a"`, ``, `:1}`), tool("c2", "g", ""), end("tool_calls")),
		"tools_after_text": join([]llm.Event{start}, block(llm.Text, text("I look.")...), tool("c1", "f", "", `{}`), end("tool_calls")),
		"tools_thought":    join([]llm.Event{start}, block(llm.Reasoning, signed...), tool("c1", "f", "", `{}`), tool("c2", "g", "", `{}`), end("tool_calls")),
		"tools_signed":     join([]llm.Event{start}, tool("c1", "f", "c2ln", `{}`), end("tool_calls")),
		"custom":           join([]llm.Event{start}, tool("c1", "own", "", `{"input":"some `, `text"}`), end("tool_calls")),
		"refusal":          join([]llm.Event{start}, []llm.Event{{Kind: llm.End, Finish: "content_filter", Refusal: llm.Quote("No."), Usage: usage}}),
		"cited":            join([]llm.Event{start}, block(llm.Text, text("one two")...), []llm.Event{cite(0, 3, "https://a", "A"), cite(4, 7, "https://b", "")}, end("stop")),
		"scored":           join([]llm.Event{start}, block(llm.Text, text("ab")...), []llm.Event{scored("a", "x"), scored("b", "y")}, end("stop")),
		"choices":          join([]llm.Event{start}, of(1, start), block(llm.Text, text("a")...), of(1, block(llm.Text, text("b")...)...), of(1, llm.Event{Kind: llm.ChoiceEnd, Finish: "length", Refusal: llm.Quote("No.")}), end("stop")),
		"nameless":         join([]llm.Event{{Kind: llm.Start}}, block(llm.Text, text("a")...), end("stop")),
	} {
		whole, streamed := Producer{Now: 1, Asked: "asked", Name: "own", Custom: []string{"own"}}, Producer{Now: 1, Asked: "asked", Name: "own", Custom: []string{"own"}}
		var b strings.Builder
		last := &events[len(events)-1]
		for i := range events {
			if chunk := streamed.Chunk(nil, &events[i]); len(chunk) > 0 {
				fmt.Fprintf(&b, "%s\n", chunk)
			}
			if &events[i] != last {
				whole.Collect(&events[i])
			}
		}
		fmt.Fprintf(&b, "%s\n%s\n", streamed.UsageChunk(nil, last), whole.Answer(last))
		golden(t, "produced_"+name+".txt", b.String())
	}
}
