package passthrough

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// everything is all that can be wanted; Least is so small that it always matters.
var everything = llm.Wants{
	Needs: llm.TakesImages | llm.TakesAudio | llm.TakesFiles | llm.TakesTools | llm.TakesSchema | llm.TakesPrefill,
	Least: 1, Tokens: true, Prefix: true, User: true,
}

func TestProfileNeeds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, members string
		want          llm.Ability
	}{
		{"text", `"messages":[{"role":"user","content":"image_url"}]`, 0},
		{"parts of text", `"messages":[{"role":"user","content":[{"type":"text","text":"file"}]}]`, 0},
		{"image", `"messages":[{"role":"user","content":"x"},{"role":"user","content":[{"type":"text","text":"x"},{"image_url":{"url":"data:image/png;base64,AAAA"},"type":"image_url"}]}]`, llm.TakesImages},
		{"audio", `"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"","format":"wav"}}]}]`, llm.TakesAudio},
		{"file", `"messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"f"}}]}]`, llm.TakesFiles},
		{"tool's image", `"messages":[{"role":"tool","content":[{"type":"image_url"}]}]`, llm.TakesImages},
		{"tools", `"messages":[{}],"tools":[{}]`, llm.TakesTools},
		{"functions", `"messages":[{}],"functions":[{}]`, llm.TakesTools},
		{"no tools", `"messages":[{}],"tools":[ ]`, 0},
		{"null tools", `"messages":[{}],"tools":null,"response_format":null`, 0},
		{"schema", `"messages":[{}],"response_format":{"json_schema":{},"type":"json_schema"}`, llm.TakesSchema},
		{"any JSON", `"messages":[{}],"response_format":{"type":"json_object"}`, 0},
		{"an answer that was begun", `"messages":[{"role":"user","content":"x"},{"content":"y","role":"assistant"}]`, llm.TakesPrefill},
		{"an earlier answer", `"messages":[{"role":"assistant","content":"y"},{"role":"user","content":"x"}]`, 0},
		{"all", `"messages":[{"role":"assistant","content":[{"type":"file"},{"type":"input_audio"},{"type":"image_url"}]}],"tools":[1],"response_format":{"type":"json_schema"}`, everything.Needs},
		{"nothing as it should be", `"messages":[1,"x",null,{"content":{"type":"file"}},{"content":[[],{"type":{}}]}],"tools":{},"response_format":[{"type":"json_schema"}]`, 0},
	} {
		r := mustParse(t, llm.Chat, `{"model":"m",`+tt.members+`}`)
		if got := r.Profile(everything).Needs; got != tt.want {
			t.Errorf("%s: needs %05b, want %05b", tt.name, got, tt.want)
		}
		for ability := llm.TakesImages; ability <= llm.TakesPrefill; ability <<= 1 {
			if got := r.Profile(llm.Wants{Needs: ability}); got != (llm.Profile{Needs: tt.want & ability}) {
				t.Errorf("%s: asked for %05b: %+v", tt.name, ability, got)
			}
		}
	}
}

func TestProfileTokens(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		endpoint llm.Endpoint
		members  string
		want     llm.Profile
	}{
		{"words", llm.Chat, `"messages":[{"content":"one two, don't\n\nthree4 \"five\""},{"content":[{"type":"text","text":" six "}]}]`, llm.Profile{Least: 6, Prompt: 10}},
		{"escapes at the end", llm.Chat, `"messages":[{"content":"a\n"},{"content":"b\u0020"},{"content":"\\"}]`, llm.Profile{Least: 2, Prompt: 3}},
		{"an image's bytes are no text", llm.Chat, `"messages":[{"content":[{"type":"image_url","image_url":{"url":"data:a b c d e"}}]}]`, llm.Profile{Prompt: imageTokens}},
		{"what is called tools", llm.Chat, `"messages":[{"tool_calls":[{"a":"b c d"}]}],"tools":[{"e":"f g h i"}]`, llm.Profile{Prompt: 3 + 4}},
		{"no prompt of a chat", llm.Chat, `"messages":[{}],"prompt":"a b c","input":"d e f"`, llm.Profile{}},
		{"output", llm.Chat, `"messages":[{}],"max_tokens":7`, llm.Profile{Output: 7}},
		{"newer output", llm.Chat, `"max_completion_tokens":8,"messages":[{}],"max_tokens":7`, llm.Profile{Output: 8}},
		{"newer output of none", llm.Chat, `"max_completion_tokens":0,"messages":[{}],"max_tokens":7`, llm.Profile{Output: 7}},
		{"no output", llm.Chat, `"messages":[{}],"max_tokens":-1,"max_completion_tokens":1.5`, llm.Profile{}},
		{"several answers", llm.Chat, `"messages":[{}],"max_tokens":7,"n":3`, llm.Profile{Output: 7, Answers: 3}},
		{"as many as there are", llm.Chat, `"messages":[{}],"n":1000000`, llm.Profile{Answers: mostChoices}},
		{"one, or nobody knows", llm.Chat, `"messages":[{}],"n":1,"m":2`, llm.Profile{}},
		{"no number of answers", llm.Chat, `"messages":[{}],"n":-5`, llm.Profile{}},
		{"answers to several prompts", llm.Completions, `"prompt":["a",[1,2]],"n":2`, llm.Profile{Least: 2, Prompt: 3, Answers: 4}},
		{"a prompt", llm.Completions, `"prompt":"a b c","max_tokens":5,"input":"x y z x y z","messages":[{"content":"x y z x y z"}]`, llm.Profile{Least: 3, Prompt: 2, Output: 5}},
		{"the longest of several", llm.Completions, `"prompt":["a","b c d","e f"]`, llm.Profile{Least: 3, Prompt: 4, Answers: 3}},
		{"tokens", llm.Embeddings, `"input":[1,2,3,4],"prompt":"x"`, llm.Profile{Least: 4, Prompt: 4}},
		{"lists of tokens", llm.Embeddings, `"input":[[1,2,3],[4]]`, llm.Profile{Least: 3, Prompt: 4}},
		{"no words between them", llm.Chat, `"messages":[{"content":"` + strings.Repeat("水", 100) + `"}]`, llm.Profile{Least: 1 + 300/longestWord, Prompt: 100}},
		{"spelled otherwise", llm.Chat, `"messages":[{"content":"\u6c34\u6c34 \u00e9t\u00e9"}]`, llm.Profile{Least: 2, Prompt: 3}},
	} {
		r := mustParse(t, tt.endpoint, `{"model":"m",`+tt.members+`}`)
		if got := r.Profile(llm.Wants{Least: 1, Tokens: true}); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
		tt.want.Prompt, tt.want.Output, tt.want.Answers = 0, 0, 0
		if got := r.Profile(llm.Wants{Least: 1}); got != tt.want {
			t.Errorf("%s: without an estimate: %+v, want %+v", tt.name, got, tt.want)
		}
		if got := r.Profile(llm.Wants{Least: len(r.Raw)}); got != (llm.Profile{}) {
			t.Errorf("%s: counted though the body is too short to matter: %+v", tt.name, got)
		}
	}
}

// Long texts were counted by the walk that found them, which comes to the same as looking into them.
func TestProfileOfLongTexts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Plain words. ", `code(\"x\");\n`, `日本語\u65e5`, `é, я and 😀\ud83d\ude00 `} {
		long := `"` + strings.Repeat(text, 400) + `"`
		want := int(llm.EstimateTokens(llm.JSON(long)))
		for _, tt := range []struct {
			endpoint llm.Endpoint
			members  string
			times    int
		}{
			{llm.Chat, `"messages":[{"role":"user","content":` + long + `},{"role":"user","content":[{"type":"text","text":` + long + `},{"text":` + long + `}]}]`, 3},
			{llm.Chat, `"metadata":{"a":` + long + `},"messages":[{"role":"user","content":` + long + `}]`, 1},
			{llm.Completions, `"prompt":` + long, 1},
			{llm.Embeddings, `"input":[` + long + `,"",` + long + `]`, 2},
		} {
			r := mustParse(t, tt.endpoint, `{"model":"m",`+tt.members+`}`)
			if len(r.Texts) == 0 {
				t.Fatal("no text is long")
			}
			got := r.Profile(llm.Wants{Tokens: true})
			r.Texts = nil // so that they are looked into
			if want := r.Profile(llm.Wants{Tokens: true}); got != want {
				t.Errorf("%+v, want %+v: %s", got, want, tt.members)
			}
			if got.Prompt != want*tt.times {
				t.Errorf("%d tokens, want %d times %d: %s", got.Prompt, tt.times, want, tt.members)
			}
		}
	}
}

// The turns of a conversation begin with the same, and so do conversations that differ in what is said later. Others do not.
func TestProfilePrefix(t *testing.T) {
	t.Parallel()
	prefix := func(members string) uint64 {
		return mustParse(t, llm.Chat, `{"model":"m",`+members+`}`).Profile(llm.Wants{Prefix: true}).Prefix
	}
	const system, user = `{"role":"system","content":"You are."}`, `{"role":"user","content":"Hi"}`
	first := prefix(`"messages":[` + system + `,` + user + `],"tools":[{"a":1}]`)
	for name, members := range map[string]string{
		"a later turn":          `"messages":[` + system + `,` + user + `,{"role":"assistant","content":"Yes?"},{"role":"user","content":"More"}],"tools":[{"a":1}]`,
		"a late note":           `"messages":[` + system + `,` + user + `,{"role":"system","content":"Hurry"}],"tools":[{"a":1}]`,
		"another order":         `"tools":[{"a":1}],"temperature":1,"messages":[ ` + system + ` , ` + user + ` ]`,
		"marked for a cache":    `"messages":[{"role":"system","content":[{"type":"text","text":"You are.","cache_control":{"type":"ephemeral"}}]},{"cache_control":{"type":"ephemeral","ttl":"1h"},"role":"user","content":"Hi"}],"tools":[{"a":1}]`,
		"a mark that moved on":  `"messages":[` + system + `,{"content":[{"text":"Hi","type":"text"}],"role":"user"},{"role":"user","content":[{"type":"text","text":"More","cache_control":{"type":"ephemeral"}}]}],"tools":[{"a":1}]`,
		"an answer before them": `"messages":[{"role":"assistant","content":"Hello"},` + system + `,` + user + `],"tools":[{"a":1}]`,
	} {
		if got := prefix(members); got != first || got == 0 {
			t.Errorf("%s: %x, want %x", name, got, first)
		}
	}
	for name, members := range map[string]string{
		"no tools":      `"messages":[` + system + `,` + user + `]`,
		"other tools":   `"messages":[` + system + `,` + user + `],"tools":[{"a":2}]`,
		"no system":     `"messages":[` + user + `],"tools":[{"a":1}]`,
		"other user":    `"messages":[` + system + `,{"role":"user","content":"Ho"}],"tools":[{"a":1}]`,
		"a name":        `"messages":[` + system + `,{"role":"user","content":"Hi","name":"a"}],"tools":[{"a":1}]`,
		"a picture":     `"messages":[` + system + `,{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image_url","image_url":{"url":"data:,a"}}]}],"tools":[{"a":1}]`,
		"another":       `"messages":[` + system + `,{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image_url","image_url":{"url":"data:,b"}}]}],"tools":[{"a":1}]`,
		"as developers": `"messages":[{"role":"developer","content":"You are."},` + user + `],"tools":[{"a":1}]`,
	} {
		if got := prefix(members); got == first || got == 0 {
			t.Errorf("%s: %x, like another", name, got)
		}
	}
	if got := prefix(`"messages":[{"role":"assistant","content":"x"}],"tools":[1]`); got != 0 {
		t.Errorf("nobody said anything: %x", got)
	}
	r := mustParse(t, llm.Completions, `{"model":"m","prompt":"x"}`)
	if got := r.Profile(everything).Prefix; got != 0 {
		t.Errorf("a bare prompt: %x", got)
	}
}

func TestProfileUser(t *testing.T) {
	t.Parallel()
	user := func(members string) uint64 {
		return mustParse(t, llm.Embeddings, `{"model":"m","input":"x"`+members+`}`).Profile(llm.Wants{User: true}).User
	}
	a, b := user(`,"user":"a"`), user(`,"user":"b"`)
	if a == 0 || b == 0 || a == b {
		t.Errorf("%x and %x", a, b)
	}
	for members, want := range map[string]uint64{
		``: 0, `,"user":""`: 0, `,"user":null`: 0, `,"user":7`: 0,
		`,"safety_identifier":"b","user":"a"`:                        b,
		`,"prompt_cache_key":"b","user":"a"`:                         b,
		`,"user":"x","safety_identifier":"a","prompt_cache_key":"b"`: b,
		`,"prompt_cache_key":"","safety_identifier":"a"`:             a,
	} {
		if got := user(members); got != want {
			t.Errorf("%s: %x, want %x", members, got, want)
		}
	}
}

// Whatever body there is, what is found when little is wanted is what is found when all is.
func FuzzProfile(f *testing.F) {
	for _, body := range []string{
		`{"model":"m","messages":[{"role":"system","content":"a b"},{"role":"user","content":[{"type":"image_url"},{"type":"text","text":"é\u00e9\\"}]}],"tools":[1]}`,
		`{"model":"m","messages":[{"role":"user","content":"x"}],"user":"u","prompt":[1],"input":["x",[2]],"max_tokens":9e9,"response_format":{"type":"json_schema"}}`,
		`{"model":"m","messages":[[],{"role":{},"content":{}},{"content":[1,{"type":"file","text":7}],"tool_calls":""}],"max_completion_tokens":99999999999999999999}`,
	} {
		f.Add(uint8(0), uint8(31), []byte(body))
	}
	f.Fuzz(func(t *testing.T, endpoint, wanted uint8, raw []byte) {
		r, err := ParseRequest(llm.Endpoint(endpoint%3), raw, 64)
		if err != nil {
			return
		}
		all := r.Profile(everything)
		if all.Least < 0 || all.Prompt < 0 || all.Output < 0 || shortestToken*all.Least > len(raw) {
			t.Fatalf("%s: %+v", raw, all)
		}
		w := llm.Wants{Needs: llm.Ability(wanted) & everything.Needs, Tokens: wanted&32 != 0, Prefix: wanted&64 != 0, User: wanted&128 != 0, Least: int(wanted) % 2}
		want := llm.Profile{Needs: all.Needs & w.Needs}
		if w.Least > 0 && len(raw) >= shortestToken {
			want.Least = all.Least
		}
		if w.Tokens {
			want.Prompt, want.Output, want.Answers = all.Prompt, all.Output, all.Answers
		}
		if w.Prefix {
			want.Prefix = all.Prefix
		}
		if w.User {
			want.User = all.User
		}
		if got := r.Profile(w); got != want {
			t.Fatalf("%s: asked for %+v: %+v, want %+v", raw, w, got, want)
		}
	})
}

func TestProfileAllocatesLittle(t *testing.T) {
	turns := strings.Repeat(`,{"role":"assistant","content":"one two three"},{"role":"user","content":[{"type":"text","text":"four five"}]}`, 100)
	r := mustParse(t, llm.Chat, `{"model":"m","messages":[{"role":"system","content":"zero"}`+turns+`],"tools":[{"type":"function"}],"user":"u","max_tokens":5}`)
	if n := testing.AllocsPerRun(100, func() { r.Profile(everything) }); n > 2 {
		t.Errorf("%v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { r.Profile(llm.Wants{Least: len(r.Raw)}) }); n != 0 {
		t.Errorf("nothing wanted that matters: %v allocations", n)
	}
}

func BenchmarkProfile(b *testing.B) {
	for _, size := range []int{8 << 10, 400 << 10} {
		text := strings.Repeat("The quick brown fox, it seems, jumps over no dog. ", size/100)
		r := mustParse(b, llm.Chat, fmt.Sprintf(`{"model":"m","messages":[{"role":"system","content":%q},{"role":"user","content":%[1]q}]}`, text))
		for _, tt := range []struct {
			name  string
			wants llm.Wants
		}{
			{"images", llm.Wants{Needs: llm.TakesImages}},
			{"prefix", llm.Wants{Prefix: true}},
			{"least", llm.Wants{Least: 1000}},
			{"all", everything},
		} {
			b.Run(fmt.Sprintf("%s/%dKB", tt.name, size>>10), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					r.Profile(tt.wants)
				}
			})
		}
	}
}
