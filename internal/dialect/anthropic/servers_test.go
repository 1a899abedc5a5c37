package anthropic

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// llama.cpp ends all blocks together, when the answer is whole, and signs its thinking then. Clients put a message together by the places of its blocks,
// so that passes. A block that does not end at all is missing an event.
//
// Source: tools/server/server-task.cpp of llama.cpp.
func TestBlocksThatEndLate(t *testing.T) {
	t.Parallel()
	stream := strings.Split(`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":0}}}
{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}
{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}
{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}
{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I look."}}
{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"c","name":"f"}}
{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{}"}}
{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":""}}
{"type":"content_block_stop","index":0}
{"type":"content_block_stop","index":1}
{"type":"content_block_stop","index":2}
{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":3}}`, "\n")
	for missing := -1; missing < len(stream); missing++ {
		asked, refused := ParseRequest([]byte(`{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hi"}]}`), dialect.ParseOptions{})
		if refused != nil {
			t.Fatal(refused)
		}
		walk, whole := asked.Walk(nil, ""), true
		for i, payload := range stream {
			if i == missing {
				continue
			}
			if chunk, err := walk.WalkBehind(nil, []byte(payload)); err != nil || chunk.Error {
				whole = false
				break
			}
		}
		whole = whole && walk.Last([]byte(`{"type":"message_stop"}`)) && walk.Complete(true)
		if want := missing < 0 || strings.Contains(stream[missing], "_block_delta"); whole != want {
			t.Errorf("without event %d it is whole: %v", missing, whole)
		}
	}
}
