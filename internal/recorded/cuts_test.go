package recorded

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCuts(t *testing.T) {
	t.Parallel()
	const frame = "\x00\x00\x00\x0eabcdefghi\n"
	for name, c := range map[string]struct {
		body, end string
		want      []string
	}{
		"to the last event":  {"data: a\n\ndata: end\n\nx\n\n", "end", []string{"dat", "data: ", "data: a\n\n", "data: a\n\ndata", "data: a\n\ndata: en"}},
		"to the last byte":   {"a: b\r\n\r\ncd\n", "", []string{"a:", "a: ", "a: b\r\n\r\n", "a: b\r\n\r\nc", "a: b\r\n\r\nc"}},
		"frames with length": {frame + frame, "ghi", []string{frame[:7], frame[:13], frame, frame + frame[:7], frame + frame[:13]}},
	} {
		var got []string
		for cut := range Cuts([]byte(c.body), c.end) {
			got = append(got, string(cut.Body))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
