package openai

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// told is an event in a few letters.
func told(ev *llm.Event) string {
	at := ""
	if ev.Choice > 0 {
		at = fmt.Sprintf("%d:", ev.Choice)
	}
	signed := ""
	if len(ev.Opaque) > 0 {
		signed = "=" + string(ev.Opaque)
	}
	switch ev.Kind {
	case llm.Start:
		return fmt.Sprintf("%sstart %s of %s", at, ev.ID, ev.Name)
	case llm.BlockStart:
		kind := map[llm.PartKind]string{llm.Text: "text", llm.Reasoning: "reasoning", llm.Redacted: "redacted", llm.ToolCall: "call " + string(ev.ID) + string(ev.Name)}[ev.Part]
		return fmt.Sprintf("%s%s%s%d[", at, kind, signed, ev.Block)
	case llm.Delta:
		return at + string(ev.Text) + signed
	case llm.BlockStop:
		return at + "]"
	case llm.Cited:
		return fmt.Sprintf("%scited %s %s %d-%d", at, ev.Citation.URL, ev.Citation.Title, ev.Citation.Start, ev.Citation.End)
	case llm.Scored:
		return fmt.Sprintf("%sscored %s %s, %d beside it", at, ev.Tokens[0].Text, ev.Tokens[0].Logprob, len(ev.Tokens[0].Top))
	case llm.ChoiceEnd:
		return fmt.Sprintf("%send %s %s", at, ev.Finish, ev.Refusal)
	default:
		return fmt.Sprintf("end %s %s, uncounted %v", ev.Finish, ev.Refusal, ev.Uncounted)
	}
}

// readAll reads chunks that have these members of their first choice.
func readAll(choices ...string) (events string, err error) {
	var r ChunkReader
	var all []string
	tell := func(ev *llm.Event) { all = append(all, told(ev)) }
	for _, c := range choices {
		if err := r.Read([]byte(`{"id":"i","model":"m","choices":[{`+c+`}]}`), tell); err != nil {
			return strings.Join(all, " "), err
		}
	}
	err = r.End(llm.Usage{}, false, tell)
	return strings.Join(all, " "), err
}

// What chunks that keep the convention become. Package passthrough has more of it, and the chunks of servers that do not.
func TestChunksAsEvents(t *testing.T) {
	t.Parallel()
	const start = `start "i" of "m" `
	for name, tt := range map[string]struct {
		choices []string
		want    string
	}{
		"nothing": {[]string{`"delta":{}`}, `end stop , uncounted true`},
		"text, and why it ends": {
			[]string{`"delta":{"content":"a"}`, `"delta":{"content":""}`, `"delta":{"content":"b"},"finish_reason":"length"`, `"delta":{}`},
			`text0[ "a" "b" ] end length , uncounted true`,
		},
		"reasoning, a text, a refusal": {
			[]string{`"delta":{"reasoning_content":"r"}`, `"delta":{"content":"a"}`, `"delta":{"refusal":"n"}`, `"delta":{"refusal":"o"},"finish_reason":"stop"`},
			`reasoning0[ "r" ] text1[ "a" ] end stop "no", uncounted true`,
		},
		"two choices": {
			[]string{`"index":0,"delta":{"content":"a"}`, `"index":1,"delta":{"content":"b"},"finish_reason":"length"`},
			`text0[ "a" 1:start "i" of "m" 1:text0[ 1:"b" ] 1:] 1:end length  end stop , uncounted true`,
		},
		"whole thoughts": {
			[]string{`"delta":{"thinking_blocks":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"thinking","thinking":"","signature":"u"},{"type":"redacted_thinking","data":"d"}],"reasoning_content":"t","content":"a"}`},
			`reasoning="s"0[ "t" ] reasoning="u"1[ ] redacted="d"2[ ] text3[ "a" ] end stop , uncounted true`,
		},
		"whole thoughts that were sent before": {
			[]string{`"delta":{"reasoning_content":"r"}`, `"delta":{"thinking_blocks":[{"type":"thinking","thinking":"r","signature":"s"}],"content":"a"}`},
			`reasoning0[ "r" ""="s" ] text1[ "a" ] end stop , uncounted true`,
		},
		"a signature in the last of the details": {
			[]string{`"delta":{"reasoning":"r","reasoning_details":[{"signature":"s"},{"signature":""}]}`},
			`reasoning0[ "r" ""="s" ] end stop , uncounted true`,
		},
		"a call in pieces": {
			[]string{`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":"}}]}`, `"delta":{"tool_calls":[{"index":0,"function":{"arguments":"[1]}"}}]},"finish_reason":"tool_calls"`},
			`call "c""f"0[ "{\"a\":" "[1]}" ] end tool_calls , uncounted true`,
		},
		"a call whose arguments have braces in strings, and one after it": {
			[]string{
				`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":\"}\\\"}\\\\\"}"}}]}`, `"delta":{"content":"x"}`,
				`"delta":{"tool_calls":[{"index":1,"id":"d","function":{"name":"g","arguments":"{}"}}]}`, `"delta":{"tool_calls":[{"index":0,"function":{"arguments":"late"}}]}`,
			},
			`call "c""f"0[ "{\"a\":\"}\\\"}\\\\\"}" ] text1[ "x" ] call "d""g"2[ "{}" ] end tool_calls , uncounted true`,
		},
		"a text between the pieces of a call": {
			[]string{
				`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{"}}]}`, `"delta":{"content":"x"}`, `"delta":{"content":"y"}`, `"delta":{"reasoning":"r"}`,
				`"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}`, `"delta":{"content":"z"}`,
			},
			`call "c""f"0[ "{" "}" ] text1[ "xy" ] reasoning2[ "r" ] text3[ "z" ] end tool_calls , uncounted true`,
		},
		"a piece after whole arguments": {
			[]string{`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]}`, `"delta":{"tool_calls":[{"index":0,"function":{"arguments":" "}}]}`},
			`call "c""f"0[ "{}" " " ] end tool_calls , uncounted true`,
		},
		"calls in turns": {
			[]string{
				`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{"}},{"index":1,"id":"d","function":{"name":"g","arguments":"{"}}]}`,
				`"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}`, `"delta":{"tool_calls":[{"index":1,"function":{"arguments":"}"}}]}`,
			},
			`call "c""f"0[ "{" "}" ] call "d""g"1[ "{" "}" ] end tool_calls , uncounted true`,
		},
		"a call without a reason to end": {
			[]string{`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":""}}]}`}, `call "c""f"0[ ] end tool_calls , uncounted true`,
		},
		"a function of the old form": {
			[]string{`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"function_call"`},
			`call "c""f"0[ "{}" ] end tool_calls , uncounted true`,
		},
		"custom tools": {
			[]string{
				`"delta":{"tool_calls":[{"index":0,"id":"c","custom":{"name":"f","input":"a\"\n"}}]}`, `"delta":{"tool_calls":[{"index":0,"custom":{"input":"b"}},{"index":1,"id":"d","custom":{"name":"g","input":""}}]}`,
			},
			`call "c""f"0[ "{\"input\":\"a\\\"\\n" "b" "\"}" ] call "d""g"1[ "{\"input\":\"\"}" ] end tool_calls , uncounted true`,
		},
		"a call with a signature of its own": {
			[]string{`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]}`},
			`call "c""f"="s"0[ "{}" ] end tool_calls , uncounted true`,
		},
		"sources": {
			[]string{`"delta":{"content":"a","annotations":[{"url_citation":{"start_index":1,"end_index":2,"url":"u","title":"t"}},{"url_citation":{"title":"t"}},{"file":{}}]}`},
			`text0[ "a" cited "u" "t" 1-2 ] end stop , uncounted true`,
		},
		"probabilities": {
			[]string{`"delta":{"content":"a"},"logprobs":{"refusal":null,"content":[{"token":"a","logprob":-1,"top_logprobs":[{"token":"b","logprob":-2},{"token":1}]}]}`},
			`text0[ "a" scored "a" -1, 1 beside it ] end stop , uncounted true`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := readAll(tt.choices...); err != nil || got != start+tt.want {
				t.Errorf("%v\n%s, want\n%s", err, got, start+tt.want)
			}
		})
	}
}

// A call needs a name and an id, and a choice one of the numbers that there can be.
func TestChunksThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		choice string
		want   error
	}{
		"without a name":                   {`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"arguments":"{}"}}]}`, llm.ErrNameless},
		"without an id":                    {`"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]}`, llm.ErrNameless},
		"without a name, before a text":    {`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"arguments":"{}"}}]},"index":1`, llm.ErrNameless},
		"without a name, before a thought": {`"delta":{"tool_calls":[{"index":0,"id":"c"}]}`, llm.ErrNameless},
		"a number too high":                {fmt.Sprintf(`"index":%d`, MaxChoices), llm.ErrNoAnswer},
	} {
		if got, err := readAll(tt.choice, `"delta":{"content":"x","thinking_blocks":[{"type":"redacted_thinking","data":"d"}]}`); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, after %s", name, err, got)
		}
	}
	if _, err := readAll(fmt.Sprintf(`"index":%d`, MaxChoices-1)); err != nil {
		t.Error(err)
	}
}

// What is kept of an answer is counted: calls that wait for others, texts that wait for calls, and refusals.
func TestWhatAReaderHolds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 10_000)
	for name, chunks := range map[string][]string{
		"a call that waits": {
			`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{"}}]}`, `"delta":{"tool_calls":[{"index":1,"id":"d","function":{"name":"g","arguments":"` + long + `"}}]}`,
		},
		"an id":     {`"delta":{"tool_calls":[{"index":0,"id":"` + long + `","function":{"name":"f"}}]}`},
		"a name":    {`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"` + long + `"}}]}`},
		"a text":    {`"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{"}}]}`, `"delta":{"content":"` + long + `"}`},
		"a refusal": {`"delta":{"refusal":"` + long + `"}`},
	} {
		var r ChunkReader
		for _, c := range chunks {
			if err := r.Read([]byte(`{"choices":[{`+c+`}]}`), func(*llm.Event) {}); err != nil {
				t.Fatal(err)
			}
		}
		if n := r.Held(); n < len(long) || n > 3*len(long) {
			t.Errorf("%s: %d bytes are counted", name, n)
		}
	}
}
