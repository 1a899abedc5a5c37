package llm

import (
	"strconv"
	"testing"
)

// However many tools were called in a conversation, each is named once, and in no more time than it takes to read.
func TestCalled(t *testing.T) {
	t.Parallel()
	const many = 200_000
	r := Request{Messages: []Message{{Parts: []Part{{Kind: Text, Name: Quote("none")}}}, {}, {}}}
	for i := range 2 * many {
		parts := &r.Messages[1+i/many].Parts
		*parts = append(*parts, Part{Kind: ToolCall, Name: Quote(strconv.Itoa(i % many))})
	}
	tools := r.Called()
	if len(tools) != many {
		t.Fatalf("%d tools, not %d", len(tools), many)
	}
	for i := range tools {
		if name := tools[i].Name.Text(); name != strconv.Itoa(i) {
			t.Fatalf("tool %d is %s", i, name)
		}
	}
}
