package openai

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/llm"
)

// What goes out as thinking_blocks comes back as it was, and as its maker's. Blocks that do not say whose they are, as clients
// have kept them for long, are Claude's.
func TestThoughtsComeBack(t *testing.T) {
	t.Parallel()
	thought := llm.Part{Kind: llm.Reasoning, Text: llm.JSON(`"I \"look\"."`), Opaque: llm.JSON(`"c2ln"`)}
	hidden := llm.Part{Kind: llm.Redacted, Opaque: llm.JSON(`"ZGF0YQ=="`)}
	for maker, want := range map[string]string{
		"":       `[{"type":"thinking","thinking":"I \"look\".","signature":"c2ln"},{"type":"redacted_thinking","data":"ZGF0YQ=="}]`,
		"amazon": `[{"type":"thinking","vendor":"amazon","thinking":"I \"look\".","signature":"c2ln"},{"type":"redacted_thinking","vendor":"amazon","data":"ZGF0YQ=="}]`,
		`a"b`:    `[{"type":"thinking","vendor":"a\"b","thinking":"I \"look\".","signature":"c2ln"},{"type":"redacted_thinking","vendor":"a\"b","data":"ZGF0YQ=="}]`,
	} {
		list := appendThought([]byte("["), thought.Kind, maker, thought.Text.Inner(), thought.Opaque)
		list = append(appendThought(append(list, ','), hidden.Kind, maker, nil, hidden.Opaque), ']')
		if string(list) != want {
			t.Errorf("%q: %s", maker, list)
		}
		thought.Maker, hidden.Maker = maker, maker
		if diff := cmp.Diff([]llm.Part{thought, hidden}, readThoughts(list)); diff != "" {
			t.Errorf("%q: %s", maker, diff)
		}
		own, _, carried := splitID(llm.JSON(appendID(nil, llm.JSON(`"call"`), list)).Text())
		if diff := cmp.Diff([]llm.Part{thought, hidden}, carried); own != "call" || diff != "" {
			t.Errorf("%q, behind the id %s: %s", maker, own, diff)
		}
	}
}

// A producer names the maker of the reasoning's model, in complete answers and in streams.
func TestProducerNamesTheMaker(t *testing.T) {
	t.Parallel()
	const want = `{"type":"thinking","vendor":"amazon","thinking":"I look.","signature":"c2ln"}`
	events := []llm.Event{
		{Kind: llm.Start},
		{Kind: llm.BlockStart, Part: llm.Reasoning},
		{Kind: llm.Delta, Part: llm.Reasoning, Text: llm.JSON(`"I look."`), Opaque: llm.JSON(`"c2ln"`)},
		{Kind: llm.BlockStop, Part: llm.Reasoning},
	}
	whole, streamed := Producer{Maker: "amazon"}, Producer{Maker: "amazon"}
	var chunks string
	for i := range events {
		whole.Collect(&events[i])
		chunks += string(streamed.Chunk(nil, &events[i]))
	}
	end := llm.Event{Kind: llm.End, Finish: "stop"}
	answer := string(whole.Answer(&end))
	chunks += string(streamed.Chunk(nil, &end))
	for _, text := range []string{answer, chunks} {
		if strings.Count(text, `"thinking_blocks":[`+want+`]`) != 1 {
			t.Errorf("%s", text)
		}
	}
}

// Clients that add up the deltas of a stream cannot add up lists whose elements are not numbered: each comes whole, in one delta.
func TestListsOfAStreamComeOnce(t *testing.T) {
	t.Parallel()
	events := []llm.Event{{Kind: llm.Start}}
	for block := range 2 {
		text := llm.Quote(fmt.Sprint("thought ", block))
		events = append(events,
			llm.Event{Kind: llm.BlockStart, Block: block, Part: llm.Reasoning},
			llm.Event{Kind: llm.Delta, Block: block, Part: llm.Reasoning, Text: text, Opaque: llm.JSON(`"c2ln"`)},
			llm.Event{Kind: llm.BlockStop, Block: block, Part: llm.Reasoning})
	}
	events = append(events,
		llm.Event{Kind: llm.BlockStart, Block: 2, Part: llm.Text},
		llm.Event{Kind: llm.Delta, Block: 2, Part: llm.Text, Text: llm.JSON(`"ab"`), Opaque: llm.JSON(`"c2ln"`)},
		llm.Event{Kind: llm.Cited, Citation: &llm.Citation{End: 1, URL: llm.JSON(`"https://a"`)}},
		llm.Event{Kind: llm.Cited, Citation: &llm.Citation{Start: 1, End: 2, URL: llm.JSON(`"https://b"`)}},
		llm.Event{Kind: llm.BlockStop, Block: 2, Part: llm.Text},
		llm.Event{Kind: llm.End, Finish: "stop"})
	var p Producer
	lists := map[string]int{}
	for i := range events {
		var chunk struct {
			Choices []struct{ Delta map[string]json.RawMessage }
		}
		text := p.Chunk(nil, &events[i])
		if len(text) == 0 {
			continue
		}
		if err := json.Unmarshal(text, &chunk); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		for name, v := range chunk.Choices[0].Delta {
			if v[0] == '[' {
				lists[name] += 1 + strings.Count(string(v), `},{"type"`)
				lists[name+" deltas"]++
			}
		}
	}
	if diff := cmp.Diff(map[string]int{"annotations": 2, "annotations deltas": 1, "thinking_blocks": 3, "thinking_blocks deltas": 1}, lists); diff != "" {
		t.Error(diff)
	}
}

// If thinking_blocks has several signatures, Google's last non-empty one counts.
func TestSignatureInThinkingBlocks(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		`[]`: "",
		`[{"type":"signature","vendor":"google","signature":"a"}]`:                                                               `"a"`,
		`[{"type":"signature","vendor":"google","signature":"a"},{"type":"signature","vendor":"google","signature":"b"}]`:        `"b"`,
		`[{"type":"signature","vendor":"google","signature":"a"},{"type":"signature","vendor":"google","signature":""}]`:         `"a"`,
		`[{"type":"signature","vendor":"google","signature":"a"},{"type":"signature","vendor":"google"}]`:                        `"a"`,
		`[{"type":"signature","vendor":"anthropic","signature":"a"}]`:                                                            "",
		`[{"type":"thinking","vendor":"google","signature":"a"}]`:                                                                "",
		`[{"type":"thinking","thinking":"t","signature":"x"},{"type":"signature","vendor":"google","signature":"a","more":[1]}]`: `"a"`,
	} {
		if got := string(readSignature(llm.JSON(list))); got != want {
			t.Errorf("%s: %s", list, got)
		}
	}
}
