package passthrough

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// carried is an id that Weir gave to a tool call of a model that reasons.
func carried(id string) string {
	return id + openai.ThoughtMark + base64.RawURLEncoding.EncodeToString([]byte(`[{"type":"thinking","thinking":"I look.","signature":"c2ln"}]`))
}

func TestEarlierTurns(t *testing.T) {
	t.Parallel()
	var (
		all     = optional[:]
		strict  = dialect.History{Refuses: slices.Concat(all[:4], all[marks:]), IDs: dialect.ShortID}
		bare    = dialect.History{Refuses: all, System: true}
		insists = dialect.History{Reasoning: "reasoning_content", Insists: true}
		long    = "call_" + strings.Repeat("x", 36)
	)
	const calls = `"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]`
	for _, tt := range []struct {
		name           string
		history        dialect.History
		messages, want string
		lost           string
	}{
		{
			"what Weir put behind an id is for nobody else",
			dialect.History{},
			`[{"role":"assistant","tool_calls":[ {"id" : "` + carried("toolu_A") + `","function":{"name":"f"}},{"id":"toolu_B"}]},{"tool_call_id":"` + carried("toolu_A") + `", "role":"tool"}]`,
			`[{"role":"assistant","tool_calls":[ {"id" : "toolu_A","function":{"name":"f"}},{"id":"toolu_B"}]},{"tool_call_id":"toolu_A", "role":"tool"}]`, "",
		},
		{
			"what others put there is theirs",
			dialect.History{},
			`[{"role":"tool","tool_call_id":"call_1__thought__CiQBcsjafLx"}]`,
			`[{"role":"tool","tool_call_id":"call_1__thought__CiQBcsjafLx"}]`, "",
		},
		{"only ids are read", dialect.History{}, `[{"id":"` + carried("a") + `","content":"` + carried("a") + `"}]`, `[{"id":"` + carried("a") + `","content":"` + carried("a") + `"}]`, ""},
		{"what is no message is left to the upstream", strict, `[1,[],{"tool_calls":{},"tool_call_id":7},{"tool_calls":[1,{"id":null}]}]`, `[1,[],{"tool_calls":{},"tool_call_id":7},{"tool_calls":[1,{"id":null}]}]`, ""},
		{
			"an id that is too long, the same in call and result", strict,
			`[{"tool_calls":[{"id":"` + long + `"}]},{"tool_call_id":"` + long + `"},{"tool_call_id":"call_` + strings.Repeat("y", 35) + `"}]`,
			`[{"tool_calls":[{"id":"call_381b280fa63ab59c3456f83259c1543e"}]},{"tool_call_id":"call_381b280fa63ab59c3456f83259c1543e"},{"tool_call_id":"call_` + strings.Repeat("y", 35) + `"}]`, "",
		},
		{"nine letters and digits", dialect.History{IDs: dialect.NineOfID}, `[{"tool_call_id":"toolu_A"},{"tool_call_id":"abcDEF123"}]`, `[{"tool_call_id":"nBaQRgfOu"},{"tool_call_id":"abcDEF123"}]`, ""},
		{
			"refused reasoning goes, and is told", strict,
			`[{"reasoning_content":"I look.","role":"assistant","content":"x", "thinking_blocks":[]},{"role":"assistant","reasoning":null}]`,
			`[{"role":"assistant","content":"x"},{"role":"assistant"}]`, "messages[].reasoning_content",
		},
		{
			"in front, alone, in a row", strict, `[{"reasoning":1,"reasoning_details":[],"a":1},{ "reasoning":1 },{"a":1,"reasoning":1,"reasoning_details":[],"b":1}]`,
			`[{"a":1},{  },{"a":1,"b":1}]`, "messages[].reasoning",
		},
		{"Weir's own blocks go without a word", strict, `[{"role":"assistant","thinking_blocks":[{"type":"thinking"}]}]`, `[{"role":"assistant"}]`, ""},
		{
			"marks of a cache go from messages and their parts", strict,
			`[{"role":"user","cache_control":{"type":"ephemeral"},"content":[{"cache_control":{"type":"ephemeral"},"type":"text","text":"a"},7,{"type":"text","text":"b","cache_control":{}}]},{"content":"x"}]`,
			`[{"role":"user","content":[{"type":"text","text":"a"},7,{"type":"text","text":"b"}]},{"content":"x"}]`, "cache_control",
		},
		{
			"a signature of Google's goes from calls without a word", strict,
			`[{"role":"assistant","tool_calls":[{"extra_content":{"google":{"thought_signature":"s"}},"id":"` + long + `","function":{"name":"f"}}]}]`,
			`[{"role":"assistant","tool_calls":[{"id":"call_381b280fa63ab59c3456f83259c1543e","function":{"name":"f"}}]}]`, "",
		},
		{"marks that say nothing go without a word", strict, `[{"content":[{"cache_control":null}]}]`, `[{"content":[{}]}]`, ""},
		{"what only looks like one stays", strict, `[{"content":{"cache_control":1},"name":"cache_control"},{"content":[["cache_control"],{"text":{"cache_control":1}}]}]`, `[{"content":{"cache_control":1},"name":"cache_control"},{"content":[["cache_control"],{"text":{"cache_control":1}}]}]`, ""},
		{"nobody refuses it", dialect.History{}, `[{"role":"assistant","reasoning_content":"I look.","thinking_blocks":[]}]`, `[{"role":"assistant","reasoning_content":"I look.","thinking_blocks":[]}]`, ""},
		{"it goes by another name there", dialect.History{Reasoning: "reasoning", Refuses: all[:1]}, `[{"reasoning_content":"I look."},{"reasoning_content":""},{"reasoning_content":"a","reasoning":"b"}]`, `[{"reasoning":"I look."},{},{"reasoning":"b"}]`, ""},
		{
			"it is insisted on where tools were called", insists,
			`[{"role":"user"},{"role":"assistant",` + calls + `},{"role":"assistant","reasoning":"I look."},{"role":"assistant","reasoning_content":""},{"role":"assistant","reasoning_content":"r","reasoning":"s"}]`,
			`[{"role":"user"},{"role":"assistant",` + calls + `,"reasoning_content":" "},{"role":"assistant","reasoning_content":"I look."},{"role":"assistant","reasoning_content":" "},{"role":"assistant","reasoning_content":"r","reasoning":"s"}]`, "",
		},
		{
			"what OpenAI's answers have beside their text goes without a word where it says nothing", bare,
			`[{"role":"assistant","content":"x","refusal":null,"annotations":[]},{"refusal":"","audio":null,"function_call":null,"role":"assistant","content":"y"}]`,
			`[{"role":"assistant","content":"x"},{"role":"assistant","content":"y"}]`, "",
		},
		{"and is told where it does", bare, `[{"role":"assistant","content":null,"refusal":"No."}]`, `[{"role":"assistant","content":null}]`, "messages[].refusal"},
		{
			"a name goes, but that of a tool", bare, `[{"name":"a","role":"user","content":"x"},{"role":"tool","name":"f","content":"x"},{"name":"f","role":"tool"}]`,
			`[{"role":"user","content":"x"},{"role":"tool","name":"f","content":"x"},{"name":"f","role":"tool"}]`, "messages[].name",
		},
		{"the name of a tool alone", bare, `[{"role":"tool","name":"f"}]`, `[{"role":"tool","name":"f"}]`, ""},
		{"a name that is none", bare, `[{"role":"user","name":null}]`, `[{"role":"user"}]`, ""},
		{"where it is known it stays", strict, `[{"role":"assistant","refusal":null,"annotations":[],"name":"a"}]`, `[{"role":"assistant","refusal":null,"annotations":[],"name":"a"}]`, ""},
		{
			"what a developer says is the system's", bare, `[{"role":"developer","content":"developer"},{"content":"x","role": "developer"},{"role":"user","content":"x"}]`,
			`[{"role":"system","content":"developer"},{"content":"x","role": "system"},{"role":"user","content":"x"}]`, "",
		},
		{"unless it is known", strict, `[{"role":"developer","content":"x"}]`, `[{"role":"developer","content":"x"}]`, ""},
		{"and nowhere else", insists, `[{"role":"assistant","content":"x"}]`, `[{"role":"assistant","content":"x"}]`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := mustParse(t, llm.Chat, `{"messages":`+tt.messages+` ,"model":"m"}`)
			c := dialect.Changes{Model: "u", History: tt.history}
			body, applied := r.Encode(c)
			if diff := cmp.Diff(`{"messages":`+tt.want+` ,"model":"u"}`, string(body.Bytes())); diff != "" {
				t.Error(diff)
			}
			if told := strings.Join(applied.Ignored, ","); told != tt.lost || r.Loses(c) != tt.lost {
				t.Errorf("%q is told, and %q lost", told, r.Loses(c))
			}
			if takes := len(body.Pieces()) * 24; takes > r.Places(c)+2*perPlace {
				t.Errorf("%d pieces, though %d bytes were to be taken", len(body.Pieces()), r.Places(c))
			}
		})
	}
}

// A cache mark is removed from tools, and from the request itself, wherever it is; where the vendor accepts it, it
// stays.
func TestMarksOfTools(t *testing.T) {
	t.Parallel()
	const body = `{"tools":[{"type":"function","cache_control":{"type":"ephemeral"},"function":{"name":"f","parameters":{"cache_control":1}}}],"cache_control":{},"messages":[{"content":[{"text":"x","cache_control":{}}]}],"model":"m"}`
	r := mustParse(t, llm.Chat, body)
	for _, tt := range []struct {
		history dialect.History
		want    string
		ignored []string
	}{
		{dialect.History{}, body, nil},
		{dialect.History{Refuses: []string{"cache_control"}}, `{"tools":[{"type":"function","function":{"name":"f","parameters":{"cache_control":1}}}],"messages":[{"content":[{"text":"x"}]}],"model":"m"}`, []string{"cache_control"}},
	} {
		got, applied := r.Encode(dialect.Changes{Model: "m", History: tt.history})
		if diff := cmp.Diff(tt.want, string(got.Bytes())); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(tt.ignored, applied.Ignored); diff != "" {
			t.Error(diff)
		}
	}
}

// An ordinary conversation, tools included, is not walked again.
func TestEarlierTurnsThatNeedNothing(t *testing.T) {
	t.Parallel()
	r := mustParse(t, llm.Chat, `{"model":"m","messages":[{"role":"assistant","content":[{"text":"x"}],"tool_calls":[{"id":"call_1"}]},{"role":"tool","tool_call_id":"call_1"}]}`)
	if c := (dialect.Changes{History: dialect.History{Refuses: []string{"reasoning"}, IDs: dialect.ShortID}}); r.earlier.touches(&c.History) || r.Places(c) > 0 {
		t.Error("they are walked again")
	}
}

// FuzzEarlierTurns: whatever is sent back, the result is JSON with as many messages, and another target for it changes nothing more.
func FuzzEarlierTurns(f *testing.F) {
	f.Add([]byte(`[{"role":"assistant","reasoning":"a","tool_calls":[{"id":"` + carried("t") + `"}],"reasoning_details":[]},{"reasoning_content":"","tool_call_id":"x"}]`))
	f.Add([]byte(`[{"reasoning":1,"reasoning_details":[]},{"role":"assistant","thinking_blocks":null , "reasoning_content":null}]`))
	f.Add([]byte(`[{"cache_control":1,"content":[{"cache_control":null},{"a":1,"cache_control":2,"b":[{"cache_control":3}]}],"tool_calls":[{"extra_content":{},"id":"x"}]}]`))
	f.Add([]byte(`[{"role":"developer","name":"a","refusal":null},{"name":"f","role":"tool","annotations":[ ]}]`))
	f.Fuzz(func(t *testing.T, messages []byte) {
		refuses := []string{"reasoning_content", "reasoning_details", "thinking_blocks", "cache_control", "extra_content"}
		for _, h := range []dialect.History{{}, {Refuses: refuses, IDs: dialect.ShortID}, {Refuses: optional[:], System: true}, {Reasoning: "reasoning", Refuses: refuses, IDs: dialect.NineOfID}, {Reasoning: "reasoning_content", Insists: true}} {
			r, refused := ParseRequest(llm.Chat, append(append([]byte(`{"model":"m","messages":`), messages...), '}'), 64)
			if refused != nil {
				return
			}
			c := dialect.Changes{Model: "m", History: h}
			once, _ := r.Encode(c)
			again, refused := ParseRequest(llm.Chat, once.Bytes(), 64)
			if refused != nil {
				t.Fatalf("%s became %s: %v", messages, once.Bytes(), refused.Message)
			}
			if twice, _ := again.Encode(c); string(twice.Bytes()) != string(once.Bytes()) {
				t.Fatalf("%s became %s and then %s", messages, once.Bytes(), twice.Bytes())
			}
			var before, after struct{ Messages []json.RawMessage }
			if json.Unmarshal(r.Raw, &before) == nil && (json.Unmarshal(once.Bytes(), &after) != nil || len(before.Messages) != len(after.Messages)) {
				t.Fatalf("%s became %s", messages, once.Bytes())
			}
		}
	})
}
