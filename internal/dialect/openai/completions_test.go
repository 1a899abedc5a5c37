package openai

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

func textEvents(text, finish string) []llm.Event {
	return []llm.Event{
		{Kind: llm.Start, ID: llm.Quote("id " + text), Name: llm.Quote("m")},
		{Kind: llm.BlockStart, Part: llm.Reasoning},
		{Kind: llm.Delta, Part: llm.Reasoning, Text: llm.Quote("hm")},
		{Kind: llm.BlockStop, Part: llm.Reasoning},
		{Kind: llm.BlockStart, Part: llm.Text},
		{Kind: llm.Delta, Part: llm.Text, Text: llm.Quote(text)},
		{Kind: llm.Delta, Part: llm.Text, Text: llm.Quote("!")},
		{Kind: llm.BlockStop, Part: llm.Text},
		{Kind: llm.End, Finish: finish, Usage: llm.Usage{Fresh: 3, CacheRead: 2, Text: 3, Reasoning: 1}},
	}
}

// Several chats make one answer, in one piece and as a stream.
func TestTexts(t *testing.T) {
	t.Parallel()
	all := append(textEvents("a", "stop"), textEvents("b", "tool_calls")...)
	whole, streamed := Texts{Producer: Producer{Now: 1}}, Texts{Producer: Producer{Now: 1}}
	var chunks []string
	for i := range all {
		whole.Collect(&all[i])
		if chunk := streamed.Chunk(nil, &all[i]); len(chunk) > 0 {
			chunks = append(chunks, string(chunk))
		}
	}
	const head = `{"id":"id a","object":"text_completion","created":1,"model":"m","choices":[`
	const usage = `"usage":{"prompt_tokens":10,"completion_tokens":8,"total_tokens":18,"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":0},"completion_tokens_details":{"reasoning_tokens":2}}}`
	const both = `{"text":"a!","index":0,"logprobs":null,"finish_reason":"stop"},{"text":"b!","index":1,"logprobs":null,"finish_reason":"stop"}],`
	if got := string(whole.Answer(nil)); got != head+both+usage {
		t.Error(got)
	}
	var want []string
	for _, choice := range []string{
		`{"text":"a","index":0,"logprobs":null,"finish_reason":null}`, `{"text":"!","index":0,"logprobs":null,"finish_reason":null}`, `{"text":"","index":0,"logprobs":null,"finish_reason":"stop"}`,
		`{"text":"b","index":1,"logprobs":null,"finish_reason":null}`, `{"text":"!","index":1,"logprobs":null,"finish_reason":null}`, `{"text":"","index":1,"logprobs":null,"finish_reason":"stop"}`,
	} {
		want = append(want, head+choice+"]}")
	}
	if got := strings.Join(chunks, "\n"); got != strings.Join(want, "\n") {
		t.Error(got)
	}
	if got := string(streamed.UsageChunk(nil, nil)); got != head+"],"+usage {
		t.Error(got)
	}
}

// FuzzDecodeCompletion: whatever is asked, the prompts are JSON strings, and there are as many as can be answered.
func FuzzDecodeCompletion(f *testing.F) {
	for _, body := range []string{
		`{"model":"m","prompt":"p","max_tokens":5,"stop":["x"],"n":1,"echo":false}`, `{"model":"m","prompt":["a","b"],"stream":true,"user":"u"}`, `{"model":"m","prompt":[[1]],"suffix":"x"}`,
		`{"model":"m","prompt":[],"best_of":2,"logprobs":1}`, `{"model":"m","prompt":{"a":1},"tools":[]}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		asked := false
		if jsonwalk.Valid(raw, jsonwalk.Options{Unique: true}) == nil {
			for name := range Members(raw) {
				asked = asked || name == "prompt"
			}
		}
		if !asked {
			return
		}
		_, prompts, err := DecodeCompletion(Members(raw), nil)
		if err != nil {
			return
		}
		if len(prompts) == 0 || len(prompts) > maxPrompts {
			t.Fatalf("%d prompts", len(prompts))
		}
		for _, p := range prompts {
			if p.Kind() != '"' || jsonwalk.Valid(p, jsonwalk.Options{}) != nil {
				t.Fatalf("a prompt that is no string: %s", p)
			}
		}
	})
}

// What a producer remembers of an answer is counted, of all its choices.
func TestHeldGrowsWithTheAnswer(t *testing.T) {
	t.Parallel()
	var p Producer
	told := 0
	for i := range 40 {
		for choice := range 2 {
			for _, part := range []llm.PartKind{llm.Text, llm.Reasoning} {
				ev := llm.Event{Kind: llm.BlockStart, Choice: choice, Block: i, Part: part}
				if i == 0 && part == llm.Text {
					p.Collect(&llm.Event{Kind: llm.Start, Choice: choice})
				}
				p.Collect(&ev)
				ev.Kind, ev.Text = llm.Delta, llm.Quote(strings.Repeat("a", 100))
				p.Collect(&ev)
				ev.Kind, ev.Text = llm.BlockStop, nil
				p.Collect(&ev)
				told += 100
			}
		}
		if held := p.Held(); held < told {
			t.Fatalf("%d bytes are held of %d", held, told)
		}
	}
}

// What a chat cannot give is refused by name; what says nothing is not.
func TestWhatAChatCannotGive(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]string{
		`"prompt":[1,2]`: "prompt", `"prompt":[[1,2]]`: "prompt", `"prompt":["a",7]`: "prompt", `"prompt":["a",true]`: "prompt[1]", `"prompt":[]`: "prompt", `"prompt":{"a":1}`: "prompt",
		`"prompt":"a","echo":true`: "echo", `"prompt":"a","echo":false`: "",
		`"prompt":"a","suffix":"x"`: "suffix", `"prompt":"a","suffix":""`: "",
		`"prompt":"a","best_of":2`: "best_of", `"prompt":"a","best_of":1`: "", `"prompt":"a","n":2`: "n", `"prompt":"a","n":1`: "",
		`"prompt":"a","logprobs":1`: "logprobs", `"prompt":"a","messages":[]`: "messages", `"prompt":"a","tools":[]`: "tools", `"prompt":"a","tool_choice":"auto"`: "tool_choice",
		`"prompt":"a","parallel_tool_calls":true`: "parallel_tool_calls", `"prompt":["a","b"]`: "",
	} {
		_, prompts, err := DecodeCompletion(Members([]byte(`{"model":"m",`+member+`}`)), nil)
		if param := ""; err != nil {
			if param = err.Param; param != want {
				t.Errorf("%s: %s is refused: %v", member, param, err)
			}
		} else if want != "" || len(prompts) == 0 {
			t.Errorf("%s: %d prompts, and %q is not refused", member, len(prompts), want)
		}
	}
	most := `"prompt":["a"` + strings.Repeat(`,"a"`, maxPrompts-1)
	for more, fails := range map[string]bool{"]": false, `,"a"]`: true} {
		if _, _, err := DecodeCompletion(Members([]byte(`{"model":"m",`+most+more+`}`)), nil); (err != nil) != fails {
			t.Errorf("of more prompts than can be: %v", err)
		}
	}
}
