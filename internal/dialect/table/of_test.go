package table

import "testing"

// Where no path says so, a body shows which endpoint it is meant for.
func TestOf(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"model":"m","messages":[],"max_tokens":1,"thinking":{}}`: "chat/completions",
		`{"model":"m","messages":[],"system":"x"}`:                 "messages",
		`{"model":"m","stop_sequences":["x"],"messages":[]}`:       "messages",
		`{"model":"m","prompt":"x"}`:                               "completions",
		`{`:                                                        "chat/completions",
	} {
		if in := Of([]byte(body)); in == nil || in.Path != want {
			t.Errorf("%s: %+v", body, in)
		}
	}
}
